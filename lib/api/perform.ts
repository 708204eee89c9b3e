import type { ApiKeyRecord } from '../entities/api-keys.ts';
import { Failure, InternalError, conflict, invalid } from '../shared/failure.ts';
import { DEFAULT_TAKE, MAX_LAMBDA_BYTES } from '../shared/limits.ts';
import type { Change } from '../store/dynamodb/changes.ts';
import { ListTooLarge, ResponseTooLong, StoreConflict, isRefusal, retryOnConflict } from '../store/dynamodb/errors.ts';
import type { TableReader } from '../store/dynamodb/table.ts';
import { withoutChanges } from '../store/dynamodb/without-changes.ts';
import { type ResponseKey, type SavedResponse, findResponse, responseChange } from '../store/requests/idempotency.ts';
import { requestFingerprint } from '../shared/objects.ts';
import type { PreparedContext } from './context.ts';
import { formatPath } from './http/read-values.ts';
import { invalidRequest } from './invalid-request.ts';
import { type LogFields, type Operation, type Undo, Saved } from './operation.ts';
import { failureBody } from './respond.ts';

/** Performs an operation: validates the request, runs it, checks the answer, and commits the changes. */

/** The request with blanks and defaults resolved. Throws 400 with every invalid field. */
export function validRequest(operation: Operation, body: Record<string, unknown>): unknown {
  const result = operation.requestSchema().safeParse(body);
  if (result.success) return result.data;
  throw invalidRequest(operation, result.error, body);
}

/** An authorized and valid call. */
interface ValidCall {
  readonly operation: Operation;
  readonly key: ApiKeyRecord;
  readonly body: Record<string, unknown>;
  /** The output of the operation's request schema. */
  readonly request: unknown;
  readonly idempotencyKey: string | undefined;
  readonly context: PreparedContext;
  readonly mode: CallMode;
}

/** How assistants and the office call an operation; calls over HTTP use none of this. */
export interface CallMode {
  /** Whether the key may be the session of a user. */
  readonly isSession?: true;
  /** Answers as the call would, but changes nothing. */
  readonly isPreview?: true;
  /** The configuration revisions that the call of a page has read; its operations need not read them again. */
  readonly configurationRevisions?: TableReader['configurationRevisions'];
  /** Inspects the answer of a write before its changes are committed; throws a Failure to refuse them. */
  readonly check?: (body: string) => void;
}

type Answer = Pick<SavedResponse, 'Status' | 'Body'>;
type Reply = Answer & { readonly logFields: LogFields; readonly nextSkip?: number | undefined };

/**
 * Runs the operation and commits its changes together with the saved response, all or nothing. After a conflict with
 * another call it runs again on the new state; if that call had the same Idempotency-Key, its response is replayed.
 */
export async function perform(call: ValidCall): Promise<Reply> {
  const responseKey = responseKeyOf(call);
  try {
    return await retryOnConflict(async (count) => {
      if (count > 1) call.context.store.table.currentValues?.clear();
      return attempt(call, responseKey);
    });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    throw new Failure('unavailable', 'Too many calls change the same record. Nothing was changed. Try again.', {
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  }
}

async function attempt(call: ValidCall, responseKey: ResponseKey | undefined): Promise<Reply> {
  const { operation, request, context, mode } = call;
  if (mode.isPreview) return preview(call);
  const repeated = responseKey && (await findRepeated(call, responseKey));
  if (repeated) return { ...repeated, logFields: {} };

  const { changes, logFields, body, undo, nextSkip } = await runOperation(operation, request, context).catch(
    async (error: unknown) => {
      if (isRepeatable(error)) await commit(call, [], { Status: error.status, Body: failureBody(error) }, responseKey);
      throw error;
    },
  );
  try {
    mode.check?.(body);
    await commit(call, changes, { Status: 200, Body: withoutSecrets(operation, body) }, responseKey);
  } catch (error) {
    if (undo && isRefused(error)) await undo();
    throw error;
  }
  return { Status: 200, Body: body, logFields, nextSkip };
}

/** Commits the changes of the call and saves its response under the Idempotency-Key, if any: all or nothing. */
function commit(
  { operation, body, context: { store, now } }: ValidCall,
  changes: readonly Change[],
  answer: Answer,
  responseKey: ResponseKey | undefined,
): Promise<void> {
  if (!responseKey) return store.table.commit(changes);
  const response = { Fingerprint: requestFingerprint(operation.name, body), ...answer };
  return store.table.commit([...changes, responseChange(store, responseKey, response, now)]);
}

/** The body as it is saved, without what is shown only once. */
function withoutSecrets({ shownOnce = [] }: Operation, body: string): string {
  if (!shownOnce.length) return body;
  const blanks = Object.fromEntries(shownOnce.map((name) => [name, '']));
  return JSON.stringify({ ...(JSON.parse(body) as object), ...blanks });
}

/** Runs the operation on a table that accepts no changes; it still reserves ids, which leaves gaps. */
async function preview({ operation, request, context }: ValidCall): Promise<Reply> {
  const store = { ...context.store, table: withoutChanges(context.store.table) };
  const { body } = await runOperation(operation, request, { ...context, store });
  return { Status: 200, Body: body, logFields: {} };
}

/** Whether certainly nothing was written; after other errors the changes may have been made. */
const isRefused = (error: unknown): boolean =>
  error instanceof Failure || error instanceof ResponseTooLong || isRefusal(error);

/** Where to save the response, if the call asks for that. */
function responseKeyOf({ operation, key, idempotencyKey, mode }: ValidCall): ResponseKey | undefined {
  if (idempotencyKey === undefined || operation.access === 'read' || mode.isPreview) return undefined;
  if (idempotencyKey.length < 1 || idempotencyKey.length > 255)
    throw invalid({ field: 'Idempotency-Key', code: 'too_long', message: 'must have 1 to 255 characters' });
  return { publicPart: key.Public, idempotencyKey };
}

/** The response saved for an earlier call with the Idempotency-Key. Throws 409 if that was another call. */
async function findRepeated(
  { operation, body, context: { store, now } }: ValidCall,
  responseKey: ResponseKey,
): Promise<Answer | undefined> {
  const found = await findResponse(store, responseKey, now);
  if (!found) return undefined;
  const { Fingerprint, Status, Body } = found;
  if (Body === undefined)
    throw conflict(
      'idempotency_mismatch',
      'This Idempotency-Key was used before the API was updated, and its response cannot be repeated. Look whether ' +
        'that call was done. If it was not, repeat it with a new key.',
    );
  if (Fingerprint !== requestFingerprint(operation.name, body))
    throw conflict(
      'idempotency_mismatch',
      'This Idempotency-Key belongs to another request. Use a new key for a new request.',
    );
  return { Status, Body };
}

/** 404 and 409 depend on the state and could change on a repeat, so they are saved; other failures repeat anyway. */
const isRepeatable = (error: unknown): error is Failure =>
  error instanceof Failure && (error.status === 404 || error.status === 409);

/** A Lambda response contains the headers, and the body escaped once more as JSON. */
const MAX_ANSWER_BYTES = MAX_LAMBDA_BYTES - 64 * 1024;
/** What an answer holds besides its list: Count and Message. */
const OTHER_BYTES = 1_024;

interface Outcome {
  readonly changes: readonly Change[];
  readonly logFields: LogFields;
  /** The answer as JSON. */
  readonly body: string;
  readonly undo?: Undo | undefined;
  /** The Skip of the next page; `undefined` after the last page, and for answers without pages. */
  readonly nextSkip?: number | undefined;
}

type AnswerFields = Readonly<Record<string, unknown>>;

/** A page that a request asks for. */
interface Page {
  readonly skip: number;
  readonly take: number;
  readonly sizeField: 'Take' | 'Limit';
}

function pageOf(operation: Operation, request: unknown): Page | undefined {
  const sizeField = operation.access === 'read' ? operation.pageSizeField() : undefined;
  if (!sizeField) return undefined;
  const fields = request as { readonly [Field in 'Skip' | 'Take' | 'Limit']?: number | null };
  return { skip: fields.Skip ?? 0, take: fields[sizeField] ?? DEFAULT_TAKE, sizeField };
}

/**
 * Runs an operation. If the answer would exceed 6 MB, throws 413 with what fits, before anything is stored: a page is
 * never cut, so that programs may stop at a short one.
 */
export async function runOperation(operation: Operation, request: unknown, context: PreparedContext): Promise<Outcome> {
  const page = pageOf(operation, request);
  const remarks = [...(context.remarks ?? [])];
  const remark = (sentence: string) => void remarks.push(sentence);
  const result = await operation.run(request, { ...context, remark }).catch((error: unknown) => {
    if (!(error instanceof ListTooLarge)) throw error;
    throw tooLarge(operation, page, page && Math.floor((page.take * MAX_ANSWER_BYTES) / error.bytes));
  });
  const { changes, answer, logFields, undo } = result instanceof Saved ? result : new Saved([], result);
  const full = validResponse(operation, withRemarks(answer, remarks));
  const body = JSON.stringify(full);
  if (!fits(body)) throw tooLarge(operation, page, countFitting(full));
  return { changes, logFields, body, undo, nextSkip: page && nextSkipOf(answer, page) };
}

/** Adds remarks to the answer's Message. */
const withRemarks = (answer: AnswerFields, remarks: readonly string[]): AnswerFields =>
  remarks.length ? { ...answer, Message: [answer['Message'], ...new Set(remarks)].filter(Boolean).join(' ') } : answer;

/** The failure of an answer that is too large, of which `fitting` records would fit. */
function tooLarge({ access, ifTooLarge }: Operation, page: Page | undefined, fitting = 0): Failure {
  const records = Math.max(1, fitting);
  const advice =
    page && page.take > 1
      ? `Ask for at most ${records === 1 ? '1 record' : `${records} records`} with ${page.sizeField}.`
      : (ifTooLarge ?? (access === 'read' ? 'Ask for less.' : 'Nothing was changed. Send fewer records.'));
  return new Failure('response_too_large', `The answer would exceed 6 MB. ${advice}`);
}

const escapedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** Escaping at most triples a body, so a body below a third always fits. */
const fits = (body: string): boolean => body.length <= MAX_ANSWER_BYTES / 3 || escapedBytes(body) <= MAX_ANSWER_BYTES;

/** How many of the first records of the answer's list fit. */
function countFitting(answer: AnswerFields): number {
  const records: readonly unknown[] = Object.values(answer).find((value) => Array.isArray(value)) ?? [];
  let bytes = OTHER_BYTES;
  const tooMany = records.findIndex((record) => {
    bytes += escapedBytes(JSON.stringify(record)) + 1;
    return bytes > MAX_ANSWER_BYTES;
  });
  return tooMany < 0 ? records.length - 1 : tooMany;
}

/** The start of the next page: as the operation says, else by Count. */
function nextSkipOf(answer: { NextSkip?: number; Count?: number }, { skip, take }: Page): number | undefined {
  if (answer.NextSkip !== undefined) return answer.NextSkip;
  return skip + take < (answer.Count ?? 0) ? skip + take : undefined;
}

/** A path, to be logged, without names of custom properties, which callers choose. */
const declared = (path: readonly PropertyKey[]): readonly PropertyKey[] =>
  path.slice(0, path.indexOf('CustomProperties') + 1 || undefined);

/** The answer reduced to its declared fields. An answer that does not match its schema is an internal error. */
export function validResponse({ name, responseSchema }: Operation, answer: object): Record<string, unknown> {
  const result = responseSchema().safeParse({ ResultCode: 0, Message: '', ...answer });
  if (result.success) return result.data as Record<string, unknown>;
  const issues = result.error.issues.slice(0, 5).map(({ path, code }) => `${formatPath(declared(path))} ${code}`);
  throw new InternalError(`${name} answers with a value outside its response schema: ${issues.join('; ')}`);
}
