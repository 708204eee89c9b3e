import type { ApiKeyRecord } from '../entities/api-keys.ts';
import { Failure, conflict, invalid } from '../shared/failure.ts';
import type { Change } from '../store/dynamodb/changes.ts';
import { ResponseTooLong, StoreConflict, isRefusal } from '../store/dynamodb/errors.ts';
import type { TableReader } from '../store/dynamodb/client.ts';
import { withoutChanges } from '../store/dynamodb/without-changes.ts';
import { retryOnConflict } from '../store/dynamodb/retry.ts';
import type { ResponseScope, SavedResponse } from '../store/requests/idempotency.ts';
import { requestFingerprint } from '../store/requests/request-fingerprint.ts';
import type { Context, Need } from './context.ts';
import type { LogFields, Operation } from './operation.ts';
import { failureBody } from './respond.ts';
import { runToFit } from './run-to-fit.ts';

/** A call that is authorized and valid. */
interface ValidCall {
  readonly operation: Operation;
  readonly key: ApiKeyRecord;
  readonly body: Record<string, unknown>;
  /** The output of the operation's request schema. */
  readonly request: unknown;
  readonly idempotencyKey: string | undefined;
  /** Throws 403 when the organization of the key is canceled. */
  readonly checkOpen: () => Promise<void>;
  readonly context: Context<Need>;
  readonly mode: CallMode;
}

/** How an assistant has an operation called; calls over HTTP have none of it. */
export interface CallMode {
  /** Answers what the call would answer, and changes nothing. */
  readonly isPreview?: true;
  /** Looks at the answer of a write before its changes are committed; throws a Failure to refuse them. */
  readonly check?: (body: string) => void;
}

type Answer = Pick<SavedResponse, 'Status' | 'Body'>;
type Reply = Answer & { readonly logFields: LogFields; readonly nextSkip?: number | undefined };

/**
 * Runs the operation, commits its changes and saves the response with them, all or nothing. After a conflict with
 * another call the operation runs again on the new state; if that other call had the same Idempotency-Key, its response
 * is replayed.
 */
export async function perform(call: ValidCall): Promise<Reply> {
  const scope = call.mode.isPreview ? undefined : await toResponseScope(call);
  try {
    return await retryOnConflict(async (count) => {
      if (count > 1) await refresh(call);
      else readAhead(call);
      return attempt(call, scope);
    });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    throw new Failure('unavailable', 'Too many calls change the same record. Nothing was changed. Try again.', {
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  }
}

async function attempt(call: ValidCall, scope: ResponseScope | undefined): Promise<Reply> {
  const { operation, request, context, mode } = call;
  if (mode.isPreview) return preview(call);
  const { replay, commit } = await openResponse(call, scope);
  if (replay) return { ...replay, logFields: {} };

  const { changes, logFields, body, undo, nextSkip } = await runToFit(operation, request, context).catch(
    async (error: unknown) => {
      if (error instanceof Failure) await requireCurrent(context.table);
      if (isRepeatable(error)) await commit([], { Status: error.status, Body: failureBody(error) });
      throw error;
    },
  );
  const reply = { Status: 200, Body: body };
  try {
    await requireCurrent(context.table);
    mode.check?.(body);
    await commit(changes, { ...reply, Body: withoutSecrets(operation, body) });
  } catch (error) {
    if (undo && isRefused(error)) await undo();
    throw error;
  }
  return { ...reply, logFields, nextSkip };
}

/** The body without what is shown only once, as it is saved. */
function withoutSecrets({ shownOnce = [] }: Operation, body: string): string {
  if (!shownOnce.length) return body;
  const blanks = Object.fromEntries(shownOnce.map((name) => [name, '']));
  return JSON.stringify({ ...(JSON.parse(body) as object), ...blanks });
}

/** Runs the operation on a table that takes no changes; it reserves ids, which leaves gaps. */
async function preview({ operation, request, context }: ValidCall): Promise<Reply> {
  const { body } = await runToFit(operation, request, { ...context, table: withoutChanges(context.table) });
  await requireCurrent(context.table);
  return { Status: 200, Body: body, logFields: {} };
}

/** Whether nothing was written for certain; after another error the changes may have been made. */
const isRefused = (error: unknown): boolean =>
  error instanceof Failure || error instanceof ResponseTooLong || isRefusal(error);

/** Reads beside the first round what the last call of the operation took from the container's memory. */
const readAhead = ({ operation, key, context: { table } }: ValidCall): void =>
  table.verification?.readAhead(table, `${operation.name}#${key.Account}#${key.OrganizationId}`);

/** What may have changed is read again, and so is whether the organization of the key is open. */
async function refresh({ context, checkOpen }: ValidCall): Promise<void> {
  await context.table.beginAgain?.();
  await checkOpen();
}

/** Has the operation run again where it decided by what the container remembers, and the table holds something else. */
export async function requireCurrent({ verification }: TableReader): Promise<void> {
  if (verification && !(await verification.isCurrent()))
    throw new StoreConflict('The container remembers another value than the table holds.', { transient: true });
}

/** Loaded at first use: most calls have no Idempotency-Key. */
const savedResponses = () => import('../store/requests/idempotency.ts');

/** Where the response is saved, if the call asks for that. */
async function toResponseScope(call: ValidCall): Promise<ResponseScope | undefined> {
  const { operation, key, body, idempotencyKey, context } = call;
  if (idempotencyKey === undefined || operation.access === 'read') return undefined;
  if (idempotencyKey.length < 1 || idempotencyKey.length > 255)
    throw invalid({ field: 'Idempotency-Key', code: 'too_long', message: 'must have 1 to 255 characters' });
  const { Patience } = await savedResponses();
  const responseKey = { account: key.Account, publicPart: key.Public, idempotencyKey };
  return { key: responseKey, request: body, now: context.now, patience: new Patience() };
}

interface OpenResponse {
  /** The response to repeat. */
  readonly replay?: SavedResponse;
  /** Makes the changes of the call and saves its response. */
  readonly commit: (changes: readonly Change[], answer: Answer) => Promise<void>;
}

/** The saved response of the Idempotency-Key, or how to save one. */
async function openResponse(
  { operation, body, context: { table } }: ValidCall,
  scope: ResponseScope | undefined,
): Promise<OpenResponse> {
  if (!scope) return { commit: (changes) => table.commit(changes) };
  const { commitWithResponse, findResponse } = await savedResponses();
  const Fingerprint = requestFingerprint(operation.name, body);
  const { response: replay, unchanged } = await findResponse(table, scope);
  if (replay && replay.Fingerprint !== Fingerprint)
    throw conflict(
      'idempotency_mismatch',
      'This Idempotency-Key belongs to another request. Use a new key for a new request.',
    );
  const commit = (changes: readonly Change[], answer: Answer) =>
    commitWithResponse(table, changes, { Fingerprint, ...answer }, { ...scope, unchanged });
  return { ...(replay ? { replay } : {}), commit };
}

/**
 * 404 and 409 depend on the state and could change on a repeat, so they are saved; other failures repeat by themselves.
 */
const isRepeatable = (error: unknown): error is Failure =>
  error instanceof Failure && (error.status === 404 || error.status === 409);
