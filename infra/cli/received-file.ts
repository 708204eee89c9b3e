import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../lib/shared/time/time.ts';
import { CommandError, showProgress } from './output.ts';
import { OWNER_ONLY } from './output-file.ts';

/** Attempts at the rest of a file whose connection breaks, without a byte in between. */
const MAX_ATTEMPTS = 8;

/** Where a file is until it is whole, and what it belongs to: a repeated command continues it. */
export const partOf = (out: string): string => `${out}.part`;
export const noteOf = (out: string): string => `${out}.part.json`;

/** Asks for a file from a byte on. */
type RequestBytes = (from: number) => Promise<Response>;

/** Gets the bytes that the part lacks, and again where the connection breaks. */
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

/** Receives a file, or the rest of one, and puts it into its place if it has the SHA-256. */
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
