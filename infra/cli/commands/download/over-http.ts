import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { DownloadFile } from '../../../../lib/client/downloads.ts';
import { FieldServiceError } from '../../../../lib/client/errors.ts';
import { type DownloadOptions, downloadFields, toOptions } from './request.ts';
import { CommandError, errorSentence, print } from '../../output.ts';
import { OWNER_ONLY, confirmOutput } from '../../output-file.ts';
import { noteOf, partOf, receiveFile } from '../../received-file.ts';
import { type Api, connectTo } from '../../remote/connect.ts';
import type { RequireApi } from '../../remote/profile.ts';
import { listOrganizations, organizationId } from '../../organizations-over-http.ts';

/** A file that may already be here in part. */
interface Wanted {
  /** Identifies everything that the file depends on. */
  readonly of: string;
  readonly group: 'datasubscriber' | 'download';
  readonly file: DownloadFile;
}

const bytesOf = async (path: string): Promise<number> =>
  await stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Neither the API nor the bucket must compress, because a part continues at its byte. */
const uncompressed: typeof fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' } });

/** The file of an interrupted run, if it is for the same request and still exists. */
async function findBegun(fs: Api, out: string, of: string): Promise<Wanted | undefined> {
  const text = await readFile(noteOf(out), 'utf8').catch(() => '{}');
  const begun = JSON.parse(text) as Partial<Wanted>;
  if (begun.of !== of || !begun.file || !begun.group || (await bytesOf(partOf(out))) === 0) return undefined;
  const { DownloadId, Sha256 } = begun.file;
  const file = await fs.call(`${begun.group}/getdownload`, { DownloadId }).catch(() => undefined);
  return file?.['Sha256'] === Sha256
    ? { of, group: begun.group, file: { ...begun.file, Url: String(file['Url']) } }
    : undefined;
}

/** Requests the file: of the account, or of the organization if the key belongs to one. */
async function make(fs: Api, kind: string, options: DownloadOptions, of: string): Promise<Wanted> {
  const { format, bom = false, organization } = options;
  const named = organization === undefined ? undefined : organizationId(await listOrganizations(fs), organization);
  const { Kind: _, ...request } = downloadFields(kind, options, named);
  // A key of one organization may not download the account's data, but its own.
  const scopes = named === undefined ? (['account', 'organization'] as const) : (['organization'] as const);
  for (const scope of scopes)
    try {
      const file = await fs.file(kind, request, { scope, format, bom });
      return { of, group: scope === 'account' ? 'datasubscriber' : 'download', file };
    } catch (error) {
      if (!(error instanceof FieldServiceError)) throw error;
      if (error.status !== 403 || scope !== 'account') throw new CommandError(toOptions(errorSentence(error)));
    }
  throw new CommandError('This key may not download.');
}

/** `download` over HTTP. An interrupted run continues if the same command is repeated. */
export async function downloadOverHttp(requireApi: RequireApi, kind: string, options: DownloadOptions): Promise<void> {
  const { out, format, json, force: _, ...others } = options;
  await confirmOutput(out, options);
  const fs = await connectTo(requireApi(options), { fetch: uncompressed });
  const of = JSON.stringify([kind, format, others]);
  const begun = await findBegun(fs, out, of);
  const wanted = begun ?? (await make(fs, kind, options, of));
  if (!begun) {
    await rm(partOf(out), { force: true });
    await writeFile(noteOf(out), JSON.stringify(wanted), { mode: OWNER_ONLY });
  }
  const { Url, Records, Bytes, Sha256 } = wanted.file;
  await receiveFile(out, wanted.file, (from) =>
    uncompressed(Url, { headers: from ? { range: `bytes=${from}-` } : {} }),
  );
  const result = { File: out, Format: format, Records, Bytes, Sha256 };
  print(result, { json, text: `${Records.toLocaleString('en-US')} rows in ${out}.` });
}
