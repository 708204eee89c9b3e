import { Failure, conflict, invalid, isFailure } from '../shared/failure.ts';
import { StoreConflict } from '../store/dynamodb/errors.ts';
import { retryOnConflict } from '../store/dynamodb/retry.ts';
import {
  type ResponseKey,
  type SavedResponse,
  requestFingerprint,
  savedResponseChange,
  replayedResponse,
} from '../store/idempotency.ts';
import { failureBody } from './answer.ts';
import { type Call, had } from './call.ts';
import type { Context } from './context.ts';
import type { Need } from './needs.ts';
import { Saved, isSaved } from './operation.ts';
import { validResponse } from './validate.ts';

/** Where the call's answer is to be kept, if it asks for that. */
function placeOf({ event, operation, key }: Call): ResponseKey | undefined {
  const input = event.headers['idempotency-key'];
  if (input === undefined || operation?.access === 'read') return undefined;
  if (input.length < 1 || input.length > 255)
    throw invalid({ field: 'Idempotency-Key', message: 'must have 1 to 255 characters' });
  const { Account, Public } = had(key, 'a key');
  return { account: Account, publicPart: Public, idempotencyKey: input };
}

function contextOf(call: Call): Context<Need> {
  const { Account, OrganizationId, Role, Subscriber, Name, DateStyle } = had(call.key, 'a key');
  const http = call.event.requestContext;
  return {
    caller: {
      accountId: Account,
      organizationId: OrganizationId,
      role: Role,
      subscriber: Subscriber,
      keyName: Name,
      dateStyle: DateStyle,
    },
    now: call.now,
    baseUrl: process.env['BASE_URL'] || `https://${http.domainName}`,
    sourceIp: http.http.sourceIp,
    table: call.table,
  };
}

/** An answer ready to be sent, and to be kept. */
type Answer = Pick<SavedResponse, 'Status' | 'Body'>;

/** Lambda's answers hold 6 MB, the body once more escaped as JSON within it and some room for headers. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/**
 * The body, where it can travel; found out before anything is stored. A quote is escaped, so a body up to a third of
 * the limit always can.
 */
function travelling(body: string): string {
  if (body.length > MAX_ANSWER_BYTES / 3 && Buffer.byteLength(JSON.stringify(body)) > MAX_ANSWER_BYTES) {
    throw new Failure(
      413,
      'The answer would be larger than 6 MB, so nothing was done. Ask for less at once, with Limit, Take or fewer things.',
    );
  }
  return body;
}

/**
 * Failures that depend on the state, so that a repeat might end otherwise, are first answers too; those of the request
 * itself repeat by themselves.
 */
const lasting = (error: unknown): error is Failure => isFailure(error) && (error.code === 404 || error.code === 409);

/**
 * Runs the operation: load, decide, save. Its changes and the record of its answer are one transaction. Where another
 * call was first, it runs again on what is there then; where that other call had the same Idempotency-Key, its answer
 * is given.
 */
export async function perform(call: Call): Promise<Answer> {
  const operation = had(call.operation, 'an operation');
  const place = placeOf(call);
  const fingerprint = place ? requestFingerprint(operation.name, had(call.body, 'a body')) : '';
  const once = async (): Promise<Answer> => {
    const { kept, free } = place
      ? await replayedResponse(call.table, place, call.now)
      : { kept: undefined, free: 'absent' as const };
    if (kept && kept.Fingerprint !== fingerprint)
      throw conflict('This Idempotency-Key was used for another request. Use a new one for a new request.');
    if (kept) return kept;
    const keep = (answer: Answer) =>
      place ? [savedResponseChange(place, { Fingerprint: fingerprint, ...answer }, free, call.now)] : [];
    const result = await operation.run(call.request as never, contextOf(call)).catch(async (error: unknown) => {
      if (place && lasting(error)) await call.table.commit(keep({ Status: error.code, Body: failureBody(error) }));
      throw error;
    });
    const saved = isSaved(result) ? result : new Saved([], result);
    const answer = { Status: 200, Body: travelling(JSON.stringify(validResponse(operation, saved.answer as object))) };
    await call.table.commit([...saved.changes, ...keep(answer)]);
    call.noted = saved.noted;
    return answer;
  };
  try {
    return await retryOnConflict(once);
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    throw new Failure(503, 'Too many calls change the same thing at this moment. Nothing was changed; try again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}
