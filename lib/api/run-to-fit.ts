import { Failure } from '../shared/failure.ts';
import { DEFAULT_TAKE, MAX_LAMBDA_BYTES } from '../shared/limits.ts';
import type { Change } from '../store/dynamodb/changes.ts';
import { ListTooLarge } from '../store/dynamodb/errors.ts';
import type { Context, Need } from './context.ts';
import { type LogFields, type Operation, type Undo, Saved } from './operation.ts';
import { validResponse } from './validate.ts';

/** A Lambda response contains the body, escaped once more as JSON, and the headers. */
const MAX_ANSWER_BYTES = MAX_LAMBDA_BYTES - 64 * 1024;
/** What an answer holds besides its list: Count and Message. */
const OTHER_BYTES = 1_024;

interface Outcome {
  readonly changes: readonly Change[];
  readonly logFields: LogFields;
  /** The answer as JSON. */
  readonly body: string;
  readonly undo?: Undo | undefined;
  /** The Skip of the next page; `undefined` after the last, and for what has no pages. */
  readonly nextSkip?: number | undefined;
}

type Answer = Readonly<Record<string, unknown>>;

/**
 * Runs an operation. If the answer of a reading operation would exceed 6 MB, it holds as many records as fit: the
 * operation runs again with a shorter page, so that its next page begins where this one ends. An answer without pages
 * is cut. Throws 413 where that is no way, before anything is stored.
 */
export async function runToFit(operation: Operation, request: unknown, context: Context<Need>): Promise<Outcome> {
  const sizeField = operation.access === 'read' ? operation.pageSizeField() : undefined;
  const skip = (request as { Skip?: number | null }).Skip ?? 0;
  let size = Infinity;
  for (;;) {
    const page = sizeField && size < Infinity ? { ...(request as object), [sizeField]: size } : request;
    const result = await operation.run(page, context).catch((error: unknown) => {
      if (error instanceof ListTooLarge) return error;
      throw error;
    });
    if (result instanceof ListTooLarge) {
      if (!sizeField || size === 1) throw answerTooLong();
      size = Math.min(estimateFitting(result), Math.max(1, Math.floor(size / 2)));
      continue;
    }
    const { changes, answer, logFields, undo } = result instanceof Saved ? result : new Saved([], result);
    const full = validResponse(operation, answer as object);
    const nextSkip = sizeField && nextSkipOf(answer as object, { skip, take: takeOf(page, sizeField) });
    const list = operation.access === 'read' ? onlyList(full) : undefined;
    const isCut = list !== undefined && size < Infinity && nextSkip !== undefined;
    const body = JSON.stringify(isCut ? { ...full, Message: messageOfPage(full, list, nextSkip) } : full);
    if (fits(body)) return { changes, logFields, body, undo, nextSkip };
    const fitting = list ? countFitting(list.records) : 0;
    if (!list || !fitting) throw answerTooLong();
    if (!sizeField) return { changes, logFields, body: JSON.stringify(cutList(full, list, fitting)) };
    size = fitting;
  }
}

const answerTooLong = () =>
  new Failure(
    'response_too_large',
    'The answer would exceed 6 MB. Nothing was changed. Ask for less with Limit or Take, or send fewer records.',
  );

interface List {
  readonly field: string;
  readonly records: readonly unknown[];
}

/** The only list of an answer. */
function onlyList(answer: Answer): List | undefined {
  const lists = Object.entries(answer).flatMap(([field, value]) =>
    Array.isArray(value) ? [{ field, records: value as unknown[] }] : [],
  );
  return lists.length === 1 ? lists[0] : undefined;
}

const escapedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** Escaping at most triples a body, so one below a third always fits. */
const fits = (body: string): boolean => body.length <= MAX_ANSWER_BYTES / 3 || escapedBytes(body) <= MAX_ANSWER_BYTES;

const estimateFitting = ({ recordBytes }: ListTooLarge): number =>
  Math.max(1, Math.floor((MAX_ANSWER_BYTES - OTHER_BYTES) / recordBytes));

/** How many of the first records of a list fit an answer that does not hold all of them. */
function countFitting(records: readonly unknown[]): number {
  let bytes = OTHER_BYTES;
  const tooMany = records.findIndex((record) => {
    bytes += escapedBytes(JSON.stringify(record)) + 1;
    return bytes > MAX_ANSWER_BYTES;
  });
  return tooMany < 0 ? records.length - 1 : tooMany;
}

const takeOf = (page: unknown, sizeField: 'Take' | 'Limit'): number =>
  (page as { readonly [Field in 'Take' | 'Limit']?: number | null })[sizeField] ?? DEFAULT_TAKE;

/** Where the next page begins: as the operation says, else by Count. */
function nextSkipOf(answer: { NextSkip?: number; Count?: number }, { skip, take }: { skip: number; take: number }) {
  if (answer.NextSkip !== undefined) return answer.NextSkip;
  return skip + take < (answer.Count ?? 0) ? skip + take : undefined;
}

/** What a page says that is shorter than requested. */
function messageOfPage({ Count }: Answer, { records }: List, nextSkip: number): string {
  const held = typeof Count === 'number' ? `${records.length} of ${Count} matches` : `${records.length} matches`;
  return `The answer holds ${held} (6 MB). Continue with Skip ${nextSkip}.`;
}

const cutList = (answer: Answer, { field, records }: List, fitting: number): Answer => ({
  ...answer,
  [field]: records.slice(0, fitting),
  Message: `The answer holds the first ${fitting} of ${records.length} (6 MB). Narrow the request to get the others.`,
});
