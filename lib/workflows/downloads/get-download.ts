import { formatInteger } from '../../shared/text/text.ts';
import { FORMATS } from '../../domain/downloads/kind.ts';
import { Failure, conflict, invalid, orNotFound } from '../../shared/failure.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { type DownloadRecord, FILE_DAYS, expiresAt, findDownload } from '../../store/downloads.ts';
import type { ReadContext } from '../context.ts';
import { downloadFile } from './file-names.ts';

/** How long the address of a file is valid. */
const URL_MINUTES = 15;

/** The download, if it exists for the caller and its file is not removed yet. Throws 404. */
async function loadDownload(
  { store, caller, now }: Pick<ReadContext, 'store' | 'now'> & { readonly caller: Caller },
  id: string,
): Promise<DownloadRecord> {
  const download = orNotFound(await findDownload(store, caller.role, id), 'download', 'DownloadId', id);
  const expiry = expiresAt(download);
  if (expiry === null || expiry > now.getTime()) return download;
  const message = `Download ${id} has expired: its file was kept for ${FILE_DAYS} days. Start a new download.`;
  throw new Failure('not_found', message, { errors: [{ field: 'DownloadId', code: 'not_found', message }] });
}

export interface DownloadStatus {
  readonly DownloadId: string;
  readonly Records: number;
  readonly Ready: boolean;
}

/** Throws 409 with the reason if the download failed, so that nobody waits for it forever. */
function checkFailed({ Id, State, Failure: reason, Progress }: DownloadRecord): void {
  if (State === 'Failed')
    throw conflict('download_failed', `Download ${Id} failed. ${reason}`, {
      DownloadId: Id,
      Records: Progress?.Records ?? 0,
      Ready: false,
    });
}

export async function findDownloadStatus(context: ReadContext, id: string): Promise<DownloadStatus> {
  const download = await loadDownload(context, id);
  checkFailed(download);
  return { DownloadId: id, Records: download.Progress?.Records ?? 0, Ready: download.State === 'Ready' };
}

export interface DownloadLink {
  readonly DownloadId: string;
  readonly Url: string;
  readonly Format: string;
  readonly Records: number;
  readonly Bytes: number;
  readonly Sha256: string;
}

/**
 * The address of a ready download, compressed for a caller who accepts that. Throws 409 before it is ready, with the
 * reason after it failed, and 400 if the caller asks for another format.
 */
export async function linkDownload(
  context: ReadContext,
  id: string,
  { format, isGzip }: { readonly format: string | undefined; readonly isGzip: boolean },
): Promise<DownloadLink> {
  const download = await loadDownload(context, id);
  checkFailed(download);
  const { State, Progress, Format, Sha256 } = download;
  if (format && format !== Format)
    throw invalid({
      field: 'format',
      code: 'mismatch',
      message: `must be ${Format}, the format with which the download was started`,
    });
  const Records = Progress?.Records ?? 0;
  if (State !== 'Ready')
    throw new Failure('not_ready', `Download ${id} is not ready: it has ${formatInteger(Records)} records so far.`, {
      headers: { 'Retry-After': '5' },
      fields: { DownloadId: id, Records, Ready: false },
    });
  const { plain, gzip } = downloadFile(download);
  // Only this call loads the S3 client.
  const { signedUrl } = await import('../../files/downloads.ts');
  const Url = await signedUrl(isGzip ? gzip : plain, (URL_MINUTES * MINUTE) / SECOND);
  return { DownloadId: id, Url, Format, Records, Bytes: Progress?.Bytes ?? 0, Sha256 };
}

/** Content types whose acceptance redirects the caller to the file at once. */
export const FILE_TYPES = Object.values(FORMATS).map(({ contentType }) => contentType.split(';')[0] ?? '');
