import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLBACK_KEY, PAYMENT_KEY } from '../../../infra/local/data-folder.ts';

/**
 * A temporary data folder. The stacks of all tests have the same keys: files that share a process also share the keys
 * that it holds for an hour.
 */
export async function makeStackFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stack-'));
  for (const name of [CALLBACK_KEY, PAYMENT_KEY])
    await writeFile(join(folder, name), Buffer.alloc(32, name).toString('base64url'));
  return folder;
}
