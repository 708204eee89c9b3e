import { InternalError } from '../../shared/failure.ts';
import { retry } from '../../shared/promises.ts';

/** The errors of requests to the table, and which of them are retried. */

/** A condition of a write did not hold: another caller was first, or the record does not exist. */
export class StoreConflict extends InternalError {
  override readonly name = 'StoreConflict';
  /** True if another transaction was in progress: the same write may pass later. */
  readonly transient: boolean;
  /** Positions, in the transaction, of the changes whose condition failed. */
  readonly failed: readonly number[];
  /** True if the SDK tried before and got no reply: the condition may have failed because that attempt succeeded. */
  readonly repeated: boolean;

  constructor(
    message: string,
    {
      transient = false,
      failed = [],
      repeated = false,
      cause,
    }: { transient?: boolean; failed?: readonly number[]; repeated?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.transient = transient;
    this.failed = failed;
    this.repeated = repeated;
  }
}

/** The table is throttled, unavailable, or did not answer in time; whether a write was made is unknown. */
export class StoreUnavailable extends InternalError {
  override readonly name = 'StoreUnavailable';
  /** True if a transaction was throttled: nothing of it was made, and the SDK does not retry it. */
  readonly throttled: boolean;

  constructor(message: string, { throttled = false, cause }: { throttled?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.throttled = throttled;
  }
}

/** A write exceeds 400 KB per item, or 4 MB or 100 changes per transaction. Nothing was written. */
export class StoreFull extends InternalError {
  override readonly name = 'StoreFull';
}

/** Whether certainly nothing was written; after other errors the changes may have been made. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StoreFull ||
  (error instanceof StoreUnavailable && error.throttled) ||
  (error instanceof StoreConflict && !error.repeated);

/** The account has no ids of this kind left: ids are int32. Nothing was written. */
export class IdsUsedUp extends InternalError {
  override readonly name = 'IdsUsedUp';

  constructor(account: string, kind: string) {
    super(`account ${account} has used every ${kind} id`);
  }
}

/** The records of a list are too large for any answer, so they are not read. */
export class ListTooLarge extends Error {
  override readonly name = 'ListTooLarge';
  /** Approximate bytes of all records. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`A list of about ${Math.round(bytes)} bytes.`);
    this.bytes = bytes;
  }
}

/** A search or a list would have to read more entries than one call may; `criterion` is the one that is too broad. */
export class RangeTooLarge extends Error {
  override readonly name = 'RangeTooLarge';
  readonly criterion: string;
  /** Entries that may be read. */
  readonly max: number;

  constructor(criterion: string, max: number) {
    super(`more than ${max} entries of ${criterion}`);
    this.criterion = criterion;
    this.max = max;
  }
}

/** A call names a list that does not exist: of another query or key, or more than ten minutes old. */
export class UnknownList extends Error {
  override readonly name = 'UnknownList';
}

/** The response is too long to be saved, even compressed; nothing is stored then. */
export class ResponseTooLong extends InternalError {
  override readonly name = 'ResponseTooLong';
}

const unavailable = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'TransactionInProgressException',
  'LimitExceededException',
  'TimeoutError',
  'NetworkingError',
  'AbortError',
  'UnknownError',
]);
const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** The fields of an AWS SDK error that are used here. */
export interface SdkError extends Error {
  readonly code?: string;
  readonly CancellationReasons?: readonly { Code?: string; Message?: string }[];
  readonly $metadata?: { httpStatusCode?: number; attempts?: number; requestId?: string };
}

/** The request that failed with an SDK error, because the error does not name it. */
export interface FailedRequest {
  /** GetItem, TransactWriteItems, … */
  readonly Action: string;
  readonly Table: string;
}

const failedRequests = new WeakMap<Error, FailedRequest>();

export const failedRequestOf = (error: Error): FailedRequest | undefined => failedRequests.get(error);

interface TableRequest {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}

const tableOf = ({ TableName, RequestItems = {}, TransactItems: [first] = [] }: TableRequest): string =>
  TableName ?? Object.keys(RequestItems)[0] ?? Object.values(first ?? {})[0]?.TableName ?? '';

/** Client middleware that remembers which request an error came from. */
export const rememberFailedRequest =
  <Request extends { readonly input: object }, Response>(
    next: (request: Request) => Promise<Response>,
    { commandName = '' }: { readonly commandName?: string },
  ) =>
  async (request: Request): Promise<Response> => {
    try {
      return await next(request);
    } catch (error) {
      const failed = { Action: commandName.replace(/Command$/, ''), Table: tableOf(request.input) };
      if (error instanceof Error) failedRequests.set(error, failed);
      throw error;
    }
  };

/** DynamoDB has no error code for it, only these words in a ValidationException or in a reason ValidationError. */
const isFull = ({ message, CancellationReasons = [] }: SdkError): boolean =>
  [message, ...CancellationReasons.map(({ Message }) => Message ?? '')].some((text) =>
    /item size .*exceeded|(aggregate|payload) size/i.test(text),
  );

const CONDITION_FAILED = 'A condition of the write does not hold.';
const IN_FLIGHT = 'Another transaction holds a record of the write.';

function translate(error: SdkError): Error {
  const repeated = (error.$metadata?.attempts ?? 1) > 1;
  const cause = error;
  if (isFull(error)) return new StoreFull('A write exceeds the size of an item or a transaction.', { cause });
  if (error.name === 'ConditionalCheckFailedException')
    return new StoreConflict(CONDITION_FAILED, { failed: [0], repeated, cause });
  if (error.name === 'TransactionConflictException')
    return new StoreConflict(IN_FLIGHT, { transient: true, repeated, cause });
  if (error.name === 'TransactionCanceledException') {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
    const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
    if (failed.length) return new StoreConflict(CONDITION_FAILED, { failed, cause });
    if (codes.includes('TransactionConflict')) return new StoreConflict(IN_FLIGHT, { transient: true, cause });
    if (codes.some((code) => /Throttl|Throughput/.test(code)))
      return new StoreUnavailable('The table throttled a transaction.', { throttled: true, cause });
    return error;
  }
  const away =
    unavailable.has(error.name) || unreachable.has(error.code ?? '') || (error.$metadata?.httpStatusCode ?? 0) >= 500;
  return away ? new StoreUnavailable('The table is throttled, away or did not answer in time.', { cause }) : error;
}

/** Errors that end when somebody repairs the table's environment: permissions, credentials, a restored table. */
const denied = new Set([
  'AccessDeniedException',
  'UnrecognizedClientException',
  'ExpiredTokenException',
  'InvalidSignatureException',
  'ResourceNotFoundException',
]);

/** Whether the same request may succeed later unchanged. */
export const mayRecover = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof Error && denied.has(error.name));

/** Whether the table refuses because of the load on it, or on one of its keys. */
export const isOverloaded = (error: unknown): boolean =>
  error instanceof StoreUnavailable &&
  (error.throttled || (error.cause instanceof Error && /Throttl|Throughput|RequestLimit/.test(error.cause.name)));

/** Whether the table would refuse the write at any time. */
export const isRefused = (error: unknown): boolean =>
  error instanceof StoreFull ||
  error instanceof IdsUsedUp ||
  (error instanceof Error && error.name === 'ValidationException');

/** Whether the same steps, run again, may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreConflict || error instanceof StoreUnavailable;

/** Turns SDK errors into this store's three errors; any other is a bug and passes unchanged. */
export async function translateError<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof Error ? translate(error) : error;
  }
}

/**
 * Measured with 50 concurrent calls that change one proposal on two busy cores: at most 13 attempts each with waits of
 * up to a second, 22 with waits of up to a quarter of a second.
 */
const MAX_ATTEMPTS = 24;

/**
 * Runs `attempt` (load, decide, commit), and runs it again on what is stored then if a condition of its commit no
 * longer holds. Throws the last StoreConflict if every attempt fails.
 */
export const retryOnConflict = <Result>(attempt: (count: number) => Promise<Result>): Promise<Result> =>
  retry(attempt, { isTransient: (error) => error instanceof StoreConflict, maxAttempts: MAX_ATTEMPTS, firstWait: 16 });

/**
 * The same for a command that may take its time: it also survives a throttled or unavailable table, with seven attempts
 * within about 16 seconds. `attempt` must find out itself what it wrote before, because whether a write was made is
 * unknown.
 */
export function retryUnavailable<Result>(attempt: (count: number) => Promise<Result>): Promise<Result> {
  let count = 0;
  return retry(() => retryOnConflict(() => attempt(++count)), {
    isTransient: (error) => error instanceof StoreUnavailable,
    maxAttempts: 7,
    firstWait: 500,
    longestWait: 16_000,
  });
}
