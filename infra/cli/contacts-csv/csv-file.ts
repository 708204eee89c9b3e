import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CommandError } from '../output.ts';
import { type CsvRecord, readCsv } from './csv.ts';

/** The text of a file in UTF-8, in pieces. */
async function* readText(file: string, onBytes: (bytes: Buffer) => void = () => undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (error) {
      throw new CommandError(`${file} is not UTF-8: save it as "CSV UTF-8".`, { cause: error });
    }
  };
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    onBytes(bytes);
    yield decode(bytes);
  }
  yield decode();
}

/** What is to be known of a file before it is imported. */
export interface FileSurvey {
  readonly headers: readonly string[];
  readonly lines: number;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/** One pass over the file before anything is written: its header, how many lines follow, and a hash of its bytes. */
export async function surveyFile(file: string): Promise<FileSurvey> {
  const hash = createHash('sha256');
  let header: CsvRecord | undefined;
  let lines = -1;
  for await (const record of readCsv(readText(file, (bytes) => void hash.update(bytes)))) {
    header ??= record;
    lines++;
  }
  if (!header) throw new CommandError(`${file} is empty: its first line must name the columns.`);
  // UTF-16 without a byte order mark is UTF-8 with NUL after each letter.
  if (header.cells.some((cell) => cell.includes('\0')))
    throw new CommandError(`${file} is not UTF-8: save it as "CSV UTF-8".`);
  if (header.error) throw new CommandError(`${file}:1: ${header.error}`);
  return { headers: header.cells.map((cell) => cell.trim()), lines, hash: hash.digest('base64url') };
}

/** The lines of a file behind its header, each with what is wrong with it as CSV. */
export async function* readLines(file: string, columns: number): AsyncGenerator<CsvRecord> {
  let isHeader = true;
  for await (const record of readCsv(readText(file))) {
    const count = record.cells.length;
    const error =
      record.error ?? (count > columns ? `has ${count} cells; the header has ${columns} columns` : undefined);
    if (!isHeader) yield error === undefined ? record : { ...record, error };
    isHeader = false;
  }
}
