import { type PendingResponse, type StoredResponse, savedResponseEntity } from '../../entities/requests.ts';
import { marksOf } from '../dynamodb/records.ts';
import { createHash, randomBytes } from 'node:crypto';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { DAY, HOUR, SECOND } from '../../shared/time/time.ts';
import { type Change, type Condition, type Item, partChanges } from '../dynamodb/changes.ts';
import { type TableWriter, ttlAfter } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { ATTEMPT_BYTES, type WriteMark, addMark, hasMark, parseMarks } from '../dynamodb/marks.ts';
import { type Key, attributes, layout } from '../keys.ts';
import { type RequestBody, packResponse, unpackResponse } from './packed-responses.ts';

/** A response saved for 24 hours under the caller's Idempotency-Key. */
export interface SavedResponse {
  /** SHA-256 of operation and body: the same key with another body is an error. */
  readonly Fingerprint: string;
  readonly Status: number;
  readonly Body: string;
}

/** Where a response is saved. Callers have separate keys, even in one account. */
interface ResponseKey {
  readonly account: string;
  readonly publicPart: string;
  readonly idempotencyKey: string;
}

/**
 * The first characters of hashes: 64 partitions an account take 64,000 saved responses a second, and whoever erases a
 * person can read them all.
 */
const SHARDS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

const hashOf = ({ publicPart, idempotencyKey }: ResponseKey): string =>
  createHash('sha256').update(`${publicPart}\n${idempotencyKey}`).digest('base64url');

const keyOf = (account: string, hash: string): Key =>
  layout.idempotency.key({ account, shard: hash.slice(0, 1), hash });

const itemKey = (key: ResponseKey): Key => keyOf(key.account, hashOf(key));

/** A call waits so long for another with the same key before it gives that one up, in milliseconds. */
const PATIENCE = 1_000;
/** An attempt that began so long before the call is given up at once. */
const OLD = 3_000;

/** How long one call has waited for others with the same key, by their attempts. */
export class Patience {
  readonly #since = new Map<string, number>();

  isOver(attempt: string, age: number): boolean {
    const since = this.#since.get(attempt) ?? performance.now();
    this.#since.set(attempt, since);
    return age >= OLD || performance.now() - since >= PATIENCE;
  }
}

/** Of a call with an Idempotency-Key. */
export interface ResponseScope {
  readonly key: ResponseKey;
  /** What a response has from it is not saved again; a repeated call has the same. */
  readonly request?: RequestBody;
  readonly now: Date;
  readonly patience: Pick<Patience, 'isOver'>;
}

/** What is known of a key: its response; or without one, the condition under which one may be saved now. */
export interface FoundResponse {
  readonly response: SavedResponse | undefined;
  readonly unchanged: Condition;
}

/**
 * The response saved under the key, if it counts. One older than 24 hours no longer does, but stays in the table until
 * TTL removes it; nor does one whose effect was not made: then it cannot be made any more. Throws StoreConflict while
 * another call may still make it.
 */
export async function findResponse(table: TableWriter, scope: ResponseScope): Promise<FoundResponse> {
  const stored = await table.get(itemKey(scope.key));
  if (!stored) return { response: undefined, unchanged: 'absent' };
  const item = savedResponseEntity.read(stored);
  const { Fingerprint, Status, TTL, Attempt, Confirmed } = item;
  const unchanged = { equals: { TTL, Attempt, Confirmed } };
  const isCurrent = TTL > scope.now.getTime() / 1000;
  const pending = pendingOf(item);
  if (!isCurrent || (pending && !(await isMade(table, scope, TTL, pending)))) return { response: undefined, unchanged };
  return { response: { Fingerprint, Status, Body: unpackResponse(item, scope.request) }, unchanged };
}

const pendingOf = ({ Record, Version, Attempt, Confirmed }: StoredResponse): PendingResponse | undefined =>
  Record && Version !== undefined && Attempt !== undefined && !Confirmed ? { Record, Version, Attempt } : undefined;

/**
 * Whether the effect of a pending response was made. If not, it is prevented: a put for a version that exists fails,
 * and so does the creation of a record in whose place is another item.
 */
async function isMade(
  table: TableWriter,
  { key, now, patience }: ResponseScope,
  TTL: number,
  { Record, Version, Attempt }: PendingResponse,
): Promise<boolean> {
  const record = await table.get(Record, { abandoned: true });
  if (hasMark(record?.[attributes.marks], { owner: hashOf(key), attempt: Attempt })) return true;
  const version = Number(record?.[attributes.version] ?? 0);
  const isPrevented = version >= Version || (record ? attributes.abandoned in record : Version > 1);
  if (isPrevented) return false;
  if (!patience.isOver(Attempt, now.getTime() - (TTL * SECOND - DAY)))
    throw new StoreConflict('Another call with the same Idempotency-Key is in flight.', { transient: true });
  if (record) await table.update({ update: Record, add: { V: 1 }, if: { equals: { V: version } } });
  else await table.commit([{ put: abandonedItem(Record, now), if: 'absent' }]);
  return false;
}

/**
 * Prevents the creation of a record by being in its place. Its table attributes are these alone: without index keys it
 * is in no index, and a query of an index needs no mark to leave it out.
 */
const abandonedItem = (key: Key, now: Date): Item => ({
  ...key,
  [attributes.abandoned]: true,
  TTL: ttlAfter(now, DAY / SECOND),
});

const responseChange = (
  { key, request, now }: Omit<ResponseScope, 'patience'>,
  { Body, ...response }: SavedResponse,
  unchanged: Condition,
  pending?: PendingResponse,
): Change => ({
  put: { ...itemKey(key), ...response, ...pending, ...packResponse(Body, request), TTL: ttlAfter(now, DAY / SECOND) },
  if: unchanged,
});

/**
 * Makes changes and saves their response: all or nothing, and once. Fails when another call with the key was first, or
 * a condition does not hold; nothing is known then of a single record that may have been put (findResponse tells).
 *
 * Several changes and the response are one transaction, which costs twice the units of each item. The put of one record
 * stays outside of one: the response is saved before it, and the record gets a mark that proves the put.
 */
export async function commitWithResponse(
  table: TableWriter,
  changes: readonly Change[],
  response: SavedResponse,
  scope: Omit<ResponseScope, 'patience'> & Pick<FoundResponse, 'unchanged'>,
): Promise<void> {
  const { transaction, ahead } = partChanges(changes);
  const [only] = transaction;
  if (transaction.length !== 1 || !only || !('put' in only) || !only.carriesMarks)
    return table.commit([...changes, responseChange(scope, response, scope.unchanged)]);
  const { PK, SK, [attributes.version]: version, [attributes.marks]: former } = only.put;
  const seconds = Math.floor(scope.now.getTime() / SECOND);
  const attempt = randomBytes(ATTEMPT_BYTES).toString('base64url');
  const mark = { owner: hashOf(scope.key), attempt, at: seconds };
  const { marks, dropped } = addMark(former, mark, seconds - MARK_SECONDS);
  const pending = { Record: { PK, SK }, Version: Number(version), Attempt: attempt };
  await Promise.all([
    table.commit([responseChange(scope, response, scope.unchanged, pending)]),
    ...dropped.map((each) => confirmResponse(table, scope.key.account, each)),
  ]);
  const put = { ...only.put, [attributes.marks]: marks };
  await table.commit([...ahead.map((each) => ({ ahead: each })), { ...only, put }], { provable: true });
}

/**
 * Confirms the responses that marks of records prove, before something other than a call removes these. Safe to repeat.
 */
export const confirmMarkedResponses = async (
  table: TableWriter,
  account: string,
  records: readonly object[],
): Promise<void> => {
  const marks = records.flatMap((record) => parseMarks(marksOf(record)));
  await mapWithConcurrency(marks, SHARDS_AT_ONCE, (mark) => confirmResponse(table, account, mark));
};

/** A mark counts a little longer than its response, whatever the clocks of two containers. */
const MARK_SECONDS = (DAY + HOUR) / SECOND;

/** Notes that the effect of a response was made, before the mark that proves it is dropped. May be made twice. */
async function confirmResponse(table: TableWriter, account: string, { owner, attempt }: WriteMark): Promise<void> {
  try {
    await table.update({
      update: keyOf(account, owner),
      set: { Confirmed: true },
      if: { equals: { Attempt: attempt } },
    });
  } catch (error) {
    // It expired, and another may be in its place.
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

const SHARDS_AT_ONCE = 8;

/** The response to a repeated call whose response held an erased contact: the call is still not done twice. */
const ERASED_RESPONSE = {
  Status: 404,
  Body: JSON.stringify({
    ResultCode: 404,
    Message: 'The response of this call was removed with the contact that it is about.',
    Errors: [],
  }),
};

/**
 * Replaces the saved responses of an account that match; returns how many. Reads all of them, page by page, those of
 * the last 24 hours and any that have expired but are still in the table. Writes at once. Safe to repeat.
 */
export async function writeErasedResponses(
  table: TableWriter,
  account: string,
  matches: (body: string) => boolean,
): Promise<number> {
  const counts = await mapWithConcurrency(SHARDS, SHARDS_AT_ONCE, async (shard) => {
    const partition = layout.idempotency.of({ account, shard });
    let count = 0;
    let after: string | undefined;
    do {
      const page = await table.query({ partition, after, consistent: true });
      for (const item of page.items) {
        const { PK, SK } = item;
        const { Fingerprint, TTL, ...body } = savedResponseEntity.read(item);
        if (!matches(unpackResponse(body))) continue;
        await table.commit([{ put: { PK, SK, Fingerprint, TTL, ...ERASED_RESPONSE } }]);
        count++;
      }
      after = page.next;
    } while (after !== undefined);
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
