import type { UploadRecord } from '../../entities/uploads.ts';
import { accountPdfPrefix } from '../../files/pdfs.ts';
import type { Files } from '../../files/s3.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findLastId } from '../../store/dynamodb/records.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { layout } from '../../store/keys.ts';
import {
  findPendingUploads,
  findUploads,
  listContactUploads,
  removeUploadChanges,
  uploadPrefixes,
  uploadedFileKeys,
} from '../../store/uploads.ts';
import type { StoreReader } from '../../store/store.ts';

/**
 * Removes uploaded files for good: those of a contact, or of an account.
 */

/** Announced files whose content may still come are among the newest; they leave the table after a day. */
const NEWEST = 1_000;

/**
 * Removes a file with all its versions, and its record by `commit`. The record goes last, so that a repeat after a kill
 * finds the rest through it. Throws StoreConflict if the record changes meanwhile, because its content may have moved.
 */
export async function removeUpload(
  store: StoreReader,
  files: Files | undefined,
  id: number,
  commit: (changes: readonly Change[], removed: UploadRecord) => Promise<void>,
): Promise<void> {
  const [upload] = await findUploads(store, [id]);
  if (!upload) return;
  if (files) for (const key of uploadedFileKeys(store, upload)) await files.removeVersions(key);
  await commit(removeUploadChanges(store, upload), upload);
}

/** Removes every file of a contact, and those that were announced for it. */
export async function removeUploads(
  store: StoreReader,
  files: Files | undefined,
  { contactId, now }: { contactId: number; now: Date },
  commit: (changes: readonly Change[], removed?: UploadRecord) => Promise<void>,
): Promise<void> {
  const { account } = store;
  for (const { Id: id } of await listContactUploads(store, contactId))
    await retryUnavailable(() => removeUpload(store, files, id, commit));
  const last = await findLastId(store, 'Upload');
  const ids = Array.from({ length: Math.min(NEWEST, last) }, (_, index) => last - index);
  const pending = ids.length ? await findPendingUploads(store, ids, now) : [];
  for (const { Id: id } of pending.filter(({ ContactId }) => ContactId === contactId)) {
    for (const prefix of files ? uploadPrefixes(store) : [])
      for (const key of (await files?.list(`${prefix}${id}/`)) ?? []) await files?.removeVersions(key);
    await retryUnavailable(() => commit([{ remove: layout.pendingUpload.key({ account, id }) }]));
  }
}

/** Removes all uploaded files of an account for good, and its PDFs; returns their number. Safe to repeat. */
export async function removeUploadedFiles(files: Files, account: string): Promise<number> {
  const prefixes = [...uploadPrefixes({ account }), accountPdfPrefix(account)];
  const keys = (await Promise.all(prefixes.map((prefix) => files.list(prefix)))).flat();
  await mapWithConcurrency(keys, 8, (key) => files.removeVersions(key));
  return keys.length;
}
