/** A record of a CSV file: the line (from 1) on which it begins, and its cells, or why it cannot be read. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[]; readonly fault?: string };

const DELIMITERS = [',', ';', '\t'] as const;

/** What parts the cells of the header: spreadsheets write `;` or tabs where the comma is the decimal sign. */
const delimiterOf = (header: string): string =>
  DELIMITERS.map((delimiter) => ({
    delimiter,
    count: header.replaceAll(/"[^"]*"/g, '').split(delimiter).length,
  })).reduce((most, each) => (each.count > most.count ? each : most)).delimiter;

/** One pass over the characters of a CSV text (RFC 4180), fed in pieces of any size. */
class CsvReader {
  #delimiter = '';
  /** Text before the first line break, kept until the delimiter is known. */
  #head = '';
  #cells: string[] = [];
  #cell = '';
  #line = 1;
  #begin = 1;
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #fault: string | undefined;

  *feed(piece: string): Generator<CsvRecord> {
    if (this.#delimiter) return yield* this.#take(piece);
    this.#head += piece;
    if (/[\r\n]/.test(this.#head)) yield* this.#begun();
  }

  *end(): Generator<CsvRecord> {
    if (!this.#delimiter) yield* this.#begun();
    if (this.#state === 'quoted') this.#fault = 'a quoted cell is not closed before the end of the file';
    if (this.#state !== 'start' || this.#cells.length) yield* this.#record();
  }

  *#begun(): Generator<CsvRecord> {
    const text = this.#head;
    this.#delimiter = delimiterOf(text.split(/[\r\n]/, 1)[0] ?? '');
    yield* this.#take(text);
  }

  *#take(piece: string): Generator<CsvRecord> {
    for (const character of piece) {
      if (character === '\n') this.#line++;
      if (this.#state === 'quoted') this.#quoted(character);
      else if (character === '"' && this.#state === 'closed') this.#reopen();
      else if (character === '"' && this.#state === 'start') this.#state = 'quoted';
      else if (character === this.#delimiter) this.#endCell();
      else if (character === '\n') yield* this.#record();
      // The CR of CRLF; by itself it means nothing.
      else if (character !== '\r') this.#plain(character);
    }
  }

  #quoted(character: string): void {
    if (character === '"') this.#state = 'closed';
    else this.#cell += character;
  }

  /** Two quotes in a quoted cell are one. */
  #reopen(): void {
    this.#cell += '"';
    this.#state = 'quoted';
  }

  #plain(character: string): void {
    if (this.#state === 'closed') this.#fault ??= `text follows the closing quote of cell ${this.#cells.length + 1}`;
    else this.#state = 'plain';
    this.#cell += character;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  *#record(): Generator<CsvRecord> {
    this.#endCell();
    const record = { line: this.#begin, cells: this.#cells, ...(this.#fault ? { fault: this.#fault } : {}) };
    this.#cells = [];
    this.#fault = undefined;
    this.#begin = this.#line;
    if (record.cells.some((cell) => cell !== '') || record.fault) yield record;
  }
}

/** The records of a CSV text that comes in pieces; empty lines are passed over. */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader();
  let first = true;
  for await (const piece of pieces) {
    yield* reader.feed(first && piece.startsWith('\u{FEFF}') ? piece.slice(1) : piece);
    first = false;
  }
  yield* reader.end();
}
