import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CommandError } from '../output.ts';
import { type CsvRecord, readCsv } from './csv.ts';

const SAVE_AS = 'Save it as "CSV UTF-8".';
const isUtf16 = (file: string) => new CommandError(`${file} is not UTF-8 but UTF-16. ${SAVE_AS}`);

/** Names the probable encoding of a file that is not UTF-8, with the first line that shows it. */
async function encodingError(file: string): Promise<CommandError> {
  let number = 0;
  for await (const text of createInterface(createReadStream(file, 'latin1'))) {
    number++;
    const line = Buffer.from(text, 'latin1');
    if (text.includes('\0') || /^(?:\xff\xfe|\xfe\xff)/.test(text)) return isUtf16(file);
    if (isUtf8(line)) continue;
    const word = /[^\s,;"]{0,30}[^\0-\x7f][^\s,;"]{0,30}/.exec(new TextDecoder('windows-1252').decode(line))?.[0];
    const where = `line ${number} has ${JSON.stringify(word)}`;
    return new CommandError(`${file} is not UTF-8 but probably Windows-1252: ${where}. ${SAVE_AS}`);
  }
  return new CommandError(`${file} is not UTF-8. ${SAVE_AS}`);
}

/** The text of a file in UTF-8, in chunks. */
async function* readText(file: string, onBytes: (bytes: Buffer) => void = () => undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = async (bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw await encodingError(file);
    }
  };
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    onBytes(bytes);
    yield await decode(bytes);
  }
  yield await decode();
}

/** What must be known of a file before its import. */
export interface FileSurvey {
  readonly headers: readonly string[];
  readonly lines: number;
  /** The SHA-256 of its bytes. */
  readonly hash: string;
}

/**
 * Reads the file once before anything is written: its header, the number of lines after it, and a hash of its bytes.
 */
export async function surveyFile(file: string): Promise<FileSurvey> {
  const hash = createHash('sha256');
  let header: CsvRecord | undefined;
  let lines = -1;
  for await (const record of readCsv(readText(file, (bytes) => void hash.update(bytes)))) {
    header ??= record;
    lines++;
  }
  if (!header) throw new CommandError(`${file} is empty: its first line must name the columns.`);
  // UTF-16 without a byte order mark looks like UTF-8 with a NUL after each letter.
  if (header.cells.some((cell) => cell.includes('\0'))) throw isUtf16(file);
  if (header.error) throw new CommandError(`${file}:1: ${header.error}`);
  return { headers: header.cells.map((cell) => cell.trim()), lines, hash: hash.digest('base64url') };
}

/** The lines of a file after its header, each with any CSV error. */
export async function* readLines(file: string, columns: number): AsyncGenerator<CsvRecord> {
  let isHeader = true;
  for await (const record of readCsv(readText(file))) {
    const count = record.cells.findLastIndex((cell) => cell !== '') + 1;
    const error =
      record.error ?? (count > columns ? `has ${count} cells; the header has ${columns} columns` : undefined);
    if (!isHeader) yield error === undefined ? record : { ...record, error };
    isHeader = false;
  }
}
