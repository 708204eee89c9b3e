import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../lib/shared/time/time.ts';
import { CommandError, showProgress } from './output.ts';
import { OWNER_ONLY } from './output-file.ts';

/** Attempts to get the rest of a file when the connection breaks, without a byte in between. */
const MAX_ATTEMPTS = 8;

/** The incomplete file, so that a repeated command can continue it. */
export const partOf = (out: string): string => `${out}.part`;
export const noteOf = (out: string): string => `${out}.part.json`;

/** Requests a file starting at a byte. */
type RequestBytes = (from: number) => Promise<Response>;

/** Gets the missing bytes, and retries if the connection breaks. */
async function receiveRest(part: string, total: number, request: RequestBytes): Promise<void> {
  const progress = showProgress();
  for (let attempts = 0; ;) {
    const { size } = await stat(part);
    if (size >= total) return progress.end();
    try {
      const response = await request(size);
      const { status } = response;
      if (status !== 206 && status !== 200)
        throw new CommandError(`The file is answered with HTTP ${status}. Run the command again to continue.`);
      const file = await open(part, status === 206 ? 'a' : 'w');
      let done = status === 206 ? size : 0;
      try {
        for await (const bytes of response.body ?? []) {
          await file.write(bytes as Uint8Array);
          done += (bytes as Uint8Array).length;
          attempts = 0;
          progress.update(done, total);
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      if (error instanceof CommandError || ++attempts >= MAX_ATTEMPTS) throw error;
      await pause(SECOND);
    }
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes as Uint8Array);
  return hash.digest('hex');
}

/** Receives a file, or the rest of it, and moves it into place if its SHA-256 is right. */
export async function receiveFile(
  out: string,
  { Bytes, Sha256 }: { readonly Bytes: number; readonly Sha256: string },
  request: RequestBytes,
): Promise<void> {
  const part = partOf(out);
  await (await open(part, 'a', OWNER_ONLY)).close();
  await receiveRest(part, Bytes, request);
  if ((await sha256Of(part)) !== Sha256) {
    await rm(part, { force: true });
    throw new CommandError('The file differs from its SHA-256 and was removed. Run the command again.');
  }
  await rename(part, out);
  await rm(noteOf(out), { force: true });
}
