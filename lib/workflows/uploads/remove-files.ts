import type { Files } from '../../files/s3.ts';
import { mapWithConcurrency } from '../../shared/concurrency.ts';
import { uploadPrefixes } from '../../store/uploads.ts';

/** Removes all uploaded files of an account for good; returns their number. Safe to repeat. */
export async function removeUploadedFiles(files: Files, account: string): Promise<number> {
  const keys = (await Promise.all(uploadPrefixes(account).map((prefix) => files.list(prefix)))).flat();
  await mapWithConcurrency(keys, 8, (key) => files.removeVersions(key));
  return keys.length;
}
