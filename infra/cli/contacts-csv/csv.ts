import { Readable, pipeline } from 'node:stream';
import { parse } from 'csv-parse';

/** A record of a CSV file: the line (from 1) on which it begins, and its cells, or why it cannot be read. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  readonly error?: string;
  /** The index of the broken cell, if the error is about one. */
  readonly broken?: number;
}

const DELIMITERS = [',', ';', '\t'] as const;

/** Spreadsheets separate cells by `;` or tabs if the comma is the decimal sign. */
const detectDelimiter = (header: string): string =>
  DELIMITERS.map((delimiter) => ({
    delimiter,
    count: header.replaceAll(/"[^"]*"/g, '').split(delimiter).length,
  })).reduce((best, each) => (each.count > best.count ? each : best)).delimiter;

/** Excel's first line that names the delimiter: `sep=;`. */
const DELIMITER_LINE = /^\uFEFF?"?sep=(.)"?(?:\r\n?|\n)/i;

/** The text up to the first line break of the header, and the delimiter named on a line before it. */
async function readHeader(
  pieces: AsyncIterator<string>,
): Promise<{ readonly text: string; readonly delimiter: string | undefined }> {
  let text = '';
  const lengthBefore = () => DELIMITER_LINE.exec(text)?.[0].length ?? 0;
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    text += piece.value;
    if (/[\r\n]/.test(text.slice(lengthBefore()))) break;
  }
  return { text: text.slice(lengthBefore()), delimiter: DELIMITER_LINE.exec(text)?.[1] };
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/**
 * The index of a cell with text after its closing quote. The parser returns such a cell with its quotes; in the file, a
 * cell whose value begins with a quote has each quote doubled.
 */
const findBrokenQuote = (cells: readonly string[], raw: string): number =>
  cells.findIndex((cell) => cell.startsWith('"') && !raw.includes(quoted(cell)));

const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/**
 * The records of a CSV text (RFC 4180) that arrives in chunks of any size. Empty records are skipped; an unreadable one
 * does not stop the others. Lines are counted here, because the parser counts a two-character line break in a quoted
 * cell twice.
 */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const rest = pieces[Symbol.asyncIterator]();
  const { text: header, delimiter } = await readHeader(rest);
  let unclosed: string | undefined;
  const parser = parse({
    delimiter: delimiter ?? detectDelimiter(header.split(/[\r\n]/, 1)[0] ?? ''),
    // Old programs end lines with only a carriage return.
    record_delimiter: /\r(?!\n|$)/.test(header) && !header.includes('\n') ? '\r' : ['\r\n', '\n'],
    bom: true,
    raw: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    on_skip: (_, raw) => {
      unclosed = raw ?? '';
      return undefined;
    },
  });
  async function* whole(): AsyncGenerator<string> {
    yield header;
    for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value;
  }
  pipeline(Readable.from(whole()), parser, () => undefined);

  let line = delimiter === undefined ? 1 : 2;
  const lineAfterBlanks = (raw: string) => line + countLines(/^[\r\n]*/.exec(raw)?.[0] ?? '');
  for await (const { record: cells, raw } of parser as AsyncIterable<{ record: string[]; raw: string }>) {
    const broken = findBrokenQuote(cells, raw);
    const error = broken < 0 ? {} : { error: `text follows the closing quote of cell ${broken + 1}`, broken };
    if (cells.some((cell) => cell !== '')) yield { line: lineAfterBlanks(raw), cells, ...error };
    line += countLines(raw);
  }
  if (unclosed !== undefined)
    yield {
      line: lineAfterBlanks(unclosed),
      cells: [],
      error: 'a quoted cell is not closed before the end of the file',
    };
}
