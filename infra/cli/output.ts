import { FieldServiceError } from '../../lib/client/errors.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { StoreConflict, StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';

/** A command that cannot be carried out, with one sentence why. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Options that are invalid individually or together, in one sentence. */
export class UsageError extends CommandError {}

/** A failure that has already been reported. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

const formatCell = (value: Row[string] | undefined): string =>
  value === null || value === undefined || value === '' ? '–' : String(value);

/** Aligns cells, each column as wide as its longest cell. */
export function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** An aligned table with a header; an empty cell is a dash. */
export function formatTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return alignColumns([columns, ...rows.map((row) => columns.map((name) => formatCell(row[name])))]);
}

/** One record, a line for each property. */
export function formatList(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`)
    .join('\n');
}

/** Prints a result: as JSON with `--json`, whose field names never change, else as text. */
export function print(value: unknown, { json, text }: { json: boolean | undefined; text: string }): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
  EACCES: 'is not accessible: permission is missing',
  EPERM: 'is not accessible: permission is missing',
  EROFS: 'is on a disk that cannot be written',
  ENOSPC: 'does not fit on the disk',
};

/** An error of the operating system as a sentence; `undefined` for any other. */
function systemErrorSentence(error: Error): string | undefined {
  const { code = '', path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (!/^E[A-Z]+$/.test(code) && code !== 'UND_ERR_CONNECT_TIMEOUT')
    return error.cause instanceof Error ? systemErrorSentence(error.cause) : undefined;
  if (path) return `${path} ${SYSTEM_ERRORS[code] ?? 'cannot be read or written'}.`;
  if (SYSTEM_ERRORS[code]) return `A file ${SYSTEM_ERRORS[code]}.`;
  const server = address ? ` at ${address}${port ? `:${port}` : ''}` : '';
  return `The server${server} does not answer. Check that the stack runs, and its address.`;
}

/** The API's refusal: every invalid field, and what to do about an unsuitable key. */
function answerSentence({ operation, status, code, message, fields }: FieldServiceError): string {
  if (code === 'unauthorized')
    return (
      `${operation}: The key is unknown, revoked or expired. ` +
      'Log in with a valid one (fs login --url <address>), or set FS_KEY.'
    );
  const others = fields.filter(({ Message }) => !message.includes(Message));
  const errors = others.length ? ` ${others.map(({ Field, Message }) => `${Field} ${Message}`).join('; ')}.` : '';
  const hint = status === 403 ? ' fs whoami shows the key, and --profile takes another.' : '';
  return `${message}${errors}${hint}`;
}

/** The failure of an operation; for several invalid fields, what is wrong with each. */
function failureSentence({ message, errors }: Failure): string {
  const [, ...others] = errors;
  if (!others.length) return message;
  return `${message} ${others.map((error) => `${error.field} ${error.message}`).join('; ')}.`;
}

/** An error as one sentence, without a stack trace. `localFolder` is the folder of the local stack, if one is used. */
export function errorSentence(error: unknown, localFolder?: string): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof Failure) return failureSentence(error);
  if (error instanceof FieldServiceError && error.status) return answerSentence(error);
  if (error instanceof StoreUnavailable)
    return localFolder === undefined
      ? 'The table does not answer. Check that the stack runs, and what was written, before you try again.'
      : `The local stack in ${localFolder} does not answer. Start it with npm start, and check what was written.`;
  if (error instanceof StoreConflict) return 'Another process changed the same records at the same time. Try again.';
  const systemError = error instanceof Error ? systemErrorSentence(error) : undefined;
  if (systemError) return systemError;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const firstLine = message.split('\n')[0] ?? '';
  if (name === 'ResourceNotFoundException') return 'Table not found. Check TABLE_NAME, AWS_REGION and the credentials.';
  if (/Credentials|Token|AccessDenied/.test(name)) return `AWS refuses: ${firstLine}`;
  return firstLine || name;
}

/** Runs an npm script: an error is printed as one sentence; the exit code is 1, or 2 for invalid options. */
export function runScript(main: () => void): void {
  try {
    main();
  } catch (error) {
    console.error(errorSentence(error));
    process.exitCode = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
  }
}

/** Milliseconds between two lines of progress, and between two updates of the line on a terminal. */
const LINE_INTERVAL = 5_000;
const SCREEN_INTERVAL = 100;

/**
 * `3,200 of 10,000 (32 %), 410 a second, 17 s left` on standard error, because standard output is for the result only.
 */
export function showProgress(): { update: (done: number, total: number) => void; end: () => void } {
  const started = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  let lastUpdate = started;
  let isVisible = false;
  const format = (value: number) => Math.round(value).toLocaleString('en-US');
  return {
    update(done, total) {
      const now = Date.now();
      if (now - lastUpdate < (isTerminal ? SCREEN_INTERVAL : LINE_INTERVAL) && (done < total || !isVisible)) return;
      lastUpdate = now;
      isVisible = true;
      const rate = (done / Math.max(1, now - started)) * 1_000;
      const percent = Math.floor((done / Math.max(1, total)) * 100);
      const left = format((total - done) / Math.max(rate, 0.001));
      const text = `${format(done)} of ${format(total)} (${percent} %), ${format(rate)} a second, ${left} s left`;
      process.stderr.write(isTerminal ? `\r\u{1B}[K${text}` : `${text}\n`);
    },
    end() {
      if (isTerminal && isVisible) process.stderr.write('\r\u{1B}[K');
    },
  };
}
