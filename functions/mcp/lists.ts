import { rowsOf, type Row } from './tool.ts';
import { type Sentence, say } from './sentence.ts';

/** The longest answer for an assistant: about 8,000 tokens. */
export const MAX_ANSWER = 24_000;

interface Page {
  readonly rows: readonly Row[];
  /** How much to skip to go on; `undefined` if nothing is left. */
  readonly next: number | undefined;
}

interface Found {
  /** The list of an answer; the next field is its NextSkip. */
  readonly list: unknown;
  readonly nextSkip: unknown;
  readonly skip?: unknown;
}

/** Turns the records of an answer into as many rows as fit. A record without a row is left out. */
export function toPage({ list, nextSkip, skip = 0 }: Found, toRow: (record: Row) => Row | undefined): Page {
  const rows: Row[] = [];
  let left = MAX_ANSWER;
  for (const [index, record] of rowsOf(list).entries()) {
    const row = toRow(record);
    if (!row) continue;
    left -= JSON.stringify(row).length + 1;
    if (left < 0 && rows.length) return { rows, next: Number(skip) + index };
    rows.push(row);
  }
  return { rows, next: nextSkip === undefined ? undefined : Number(nextSkip) };
}

/** Tells how to go on with a tool that takes `skip`. */
export const goOn = (next: number | undefined): Sentence =>
  next === undefined ? say`` : say` Go on with skip ${next}.`;
