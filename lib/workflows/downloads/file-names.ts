import { FORMATS } from '../../domain/downloads/kind.ts';
import { type DownloadRecord, downloadPrefix } from '../../store/downloads.ts';

export interface DownloadFileNames {
  /** The prefix of everything that belongs to the download. */
  readonly prefix: string;
  /** The name under which the file is saved: `contacts-2026-11-22.csv`. */
  readonly filename: string;
  readonly contentType: string;
  /** The key of the file, and of its compressed form. */
  readonly plain: string;
  readonly gzip: string;
}

export function downloadFile(
  download: Pick<DownloadRecord, 'Account' | 'Id' | 'Kind' | 'Format' | 'CreatedAt'>,
): DownloadFileNames {
  const { extension, contentType } = FORMATS[download.Format];
  const day = new Date(download.CreatedAt).toISOString().slice(0, 10);
  const [prefix, filename] = [downloadPrefix(download), `${download.Kind}-${day}.${extension}`];
  return { prefix, filename, contentType, plain: `${prefix}${filename}`, gzip: `${prefix}gzip/${filename}` };
}
