import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { DownloadFile } from '../../../lib/client/downloads.ts';
import { FieldServiceError } from '../../../lib/client/errors.ts';
import { type DownloadOptions, downloadFields, toOptions } from '../definitions/download.ts';
import { CommandError, errorSentence, print, showProgress } from '../output.ts';
import { OWNER_ONLY, confirmOutput } from '../output-file.ts';
import { type Api, connect } from './connect.ts';
import { listOrganizations, organizationId } from './organizations.ts';

const MAX_ATTEMPTS = 5;

/** A file of which a part may be here already. */
interface Wanted {
  /** Everything that the file depends on. */
  readonly of: string;
  readonly group: 'datasubscriber' | 'download';
  readonly file: DownloadFile;
}

/** What is beside the part: the file that it is of. */
const stateOf = (part: string): string => `${part}.json`;

const bytesOf = async (path: string): Promise<number> =>
  await stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Neither the API nor the bucket compresses: a part goes on at its byte. */
const uncompressed: typeof fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' } });

/** The file that an interrupted run began, if it is of the same request and is still there. */
async function findBegun(fs: Api, part: string, of: string): Promise<Wanted | undefined> {
  const text = await readFile(stateOf(part), 'utf8').catch(() => '{}');
  const begun = JSON.parse(text) as Partial<Wanted>;
  if (begun.of !== of || !begun.file || !begun.group || (await bytesOf(part)) === 0) return undefined;
  const { DownloadId, Sha256 } = begun.file;
  const file = await fs.call(`${begun.group}/getdownload`, { DownloadId }).catch(() => undefined);
  return file?.['Sha256'] === Sha256
    ? { of, group: begun.group, file: { ...begun.file, Url: String(file['Url']) } }
    : undefined;
}

/** Writes the file at the address beside its place, behind what is there. Returns its SHA-256. */
async function receive({ Url, Bytes }: DownloadFile, part: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const progress = showProgress();
    const begun = await bytesOf(part);
    let file = await open(part, 'a', OWNER_ONLY);
    try {
      const hash = createHash('sha256');
      for await (const bytes of begun ? createReadStream(part) : []) hash.update(bytes as Uint8Array);
      if (begun >= Bytes) return hash.digest('hex');
      const response = await uncompressed(Url, { headers: begun ? { range: `bytes=${begun}-` } : {} });
      if (!response.ok)
        throw new CommandError(`The file is answered with HTTP ${response.status}. Run the command again.`);
      const isContinued = begun > 0 && response.status === 206;
      if (begun && !isContinued) {
        await file.close();
        await rm(part);
        file = await open(part, 'a', OWNER_ONLY);
      }
      const whole = isContinued ? hash : createHash('sha256');
      let done = isContinued ? begun : 0;
      for await (const bytes of response.body ?? []) {
        await file.write(bytes as Uint8Array);
        whole.update(bytes as Uint8Array);
        progress.update((done += (bytes as Uint8Array).length), Bytes);
      }
      return whole.digest('hex');
    } catch (error) {
      if (error instanceof CommandError || attempt === MAX_ATTEMPTS) throw error;
      await pause(attempt * 1_000);
    } finally {
      progress.end();
      await file.close();
    }
  }
}

/** Has the file made: of the account, or of the organization where the key is of one. */
async function make(fs: Api, kind: string, options: DownloadOptions, of: string): Promise<Wanted> {
  const { format, organization } = options;
  const named = organization === undefined ? undefined : organizationId(await listOrganizations(fs), organization);
  const { Kind: _, ...request } = downloadFields(kind, options, named);
  // A key of one organization may not download those of the account: it gets its own.
  const scopes = named === undefined ? (['account', 'organization'] as const) : (['organization'] as const);
  for (const scope of scopes)
    try {
      const file = await fs.file(kind, request, { scope, format });
      return { of, group: scope === 'account' ? 'datasubscriber' : 'download', file };
    } catch (error) {
      if (!(error instanceof FieldServiceError)) throw error;
      if (error.status !== 403 || scope !== 'account') throw new CommandError(toOptions(errorSentence(error)));
    }
  throw new CommandError('This key may not download.');
}

/** `download` over HTTP. A run that was interrupted goes on where it was, if it is repeated as it was. */
export async function downloadKind(kind: string, options: DownloadOptions): Promise<void> {
  const { out, format, json, force: _, ...others } = options;
  await confirmOutput(out, options);
  const fs = await connect(options, { fetch: uncompressed });
  const part = `${out}.part`;
  const of = JSON.stringify([kind, format, others]);
  const begun = await findBegun(fs, part, of);
  const wanted = begun ?? (await make(fs, kind, options, of));
  if (!begun) {
    await rm(part, { force: true });
    await writeFile(stateOf(part), JSON.stringify(wanted), { mode: OWNER_ONLY });
  }
  const { file } = wanted;
  const Sha256 = await receive(file, part);
  await rm(stateOf(part), { force: true });
  if (Sha256 !== file.Sha256) {
    await rm(part, { force: true });
    throw new CommandError('The file differs from its SHA-256 and was removed. Run the command again.');
  }
  await rename(part, out);
  const { Records, Bytes } = file;
  const result = { File: out, Format: format, Records, Bytes, Sha256 };
  print(result, { json, text: `${Records.toLocaleString('en-US')} rows in ${out}.` });
}
