import { StoreConflict, StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';

/** The end of a command that could not be done, in one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

const shown = (value: Row[string] | undefined): string =>
  value === null || value === undefined || value === '' ? '–' : String(value);

/** Rows as an aligned table with a header; what is empty is a dash. */
export function formatTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => shown(row[name]).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(columns), ...rows.map((row) => line(columns.map((name) => shown(row[name]))))].join('\n');
}

/** One thing, a line a property. */
export function formatList(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join('\n');
}

/** Prints what a command found: `--json` for machines, with field names that stay, or text for people. */
export function print(value: unknown, { json, text }: { json: boolean | undefined; text: string }): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

/** What went wrong, in one sentence and never a stack trace. */
export function errorSentence(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof StoreUnavailable)
    return 'The table does not answer: is the stack running? Look at what is there before you try again.';
  if (error instanceof StoreConflict) return 'Somebody else changed it at the same moment: look at it and try again.';
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'ResourceNotFoundException')
    return 'There is no table of that name: check TABLE_NAME, AWS_REGION and the credentials.';
  if (/Credentials|Token|AccessDenied/.test(name)) return `AWS refuses: ${firstLine(message)}`;
  return firstLine(message) || name;
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** Milliseconds between two lines of progress where a terminal does not overwrite one. */
const LINE_INTERVAL = 5_000;
const SCREEN_INTERVAL = 100;

/** `3,200 of 10,000 (32 %), 410 a second, 17 s left` on standard error, so that standard output stays the answer. */
export function showProgress(now = Date.now): { tell: (done: number, of: number) => void; end: () => void } {
  const began = now();
  const screen = process.stderr.isTTY === true;
  let last = began;
  let shown = false;
  const number = (value: number) => Math.round(value).toLocaleString('en-US');
  const write = (text: string) => process.stderr.write(screen ? `\r\u{1B}[K${text}` : `${text}\n`);
  return {
    tell(done, of) {
      if (now() - last < (screen ? SCREEN_INTERVAL : LINE_INTERVAL) && (done < of || !shown)) return;
      last = now();
      shown = true;
      const rate = (done / Math.max(1, now() - began)) * 1_000;
      const percent = Math.floor((done / Math.max(1, of)) * 100);
      const left = number((of - done) / Math.max(rate, 0.001));
      write(`${number(done)} of ${number(of)} (${percent} %), ${number(rate)} a second, ${left} s left`);
    },
    end() {
      if (screen && shown) process.stderr.write('\r\u{1B}[K');
    },
  };
}
