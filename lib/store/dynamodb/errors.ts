/** A condition of a write did not hold: another caller was first, or the record does not exist. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  /** True where another transaction was in flight: the same write may pass later. */
  readonly transient: boolean;
  /** Indexes, in the transaction, of the changes whose condition failed. */
  readonly failed: readonly number[];
  /** True where the SDK tried before and got no reply: the condition may have failed because that try was made. */
  readonly repeated: boolean;

  constructor(
    message: string,
    {
      transient = false,
      failed = [],
      repeated = false,
    }: { transient?: boolean; failed?: readonly number[]; repeated?: boolean } = {},
  ) {
    super(message);
    this.transient = transient;
    this.failed = failed;
    this.repeated = repeated;
  }
}

/** The table is throttled, away, or did not answer in time; whether a write was made is not known. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** True where a transaction was throttled: nothing of it was made, and the SDK does not repeat it. */
  readonly throttled: boolean;

  constructor(message: string, { throttled = false, cause }: { throttled?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.throttled = throttled;
  }
}

/** A write exceeds 400 KB an item, or 4 MB or 100 changes a transaction. Nothing was written. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}

/** The response is too long to be saved, even compressed; nothing is stored then. */
export class ResponseTooLong extends Error {
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

interface SdkError extends Error {
  readonly code?: string;
  readonly CancellationReasons?: readonly { Code?: string; Message?: string }[];
  readonly $metadata?: { httpStatusCode?: number; attempts?: number };
}

/** DynamoDB has no error code for it, only these words in a ValidationException or in a reason ValidationError. */
const isFull = ({ message, CancellationReasons = [] }: SdkError): boolean =>
  [message, ...CancellationReasons.map(({ Message }) => Message ?? '')].some((text) =>
    /item size .*exceeded|aggregate size/i.test(text),
  );

function translate(error: SdkError): Error {
  const repeated = (error.$metadata?.attempts ?? 1) > 1;
  if (isFull(error)) return new StoreFull(error.message, { cause: error });
  if (error.name === 'ConditionalCheckFailedException')
    return new StoreConflict(error.message, { failed: [0], repeated });
  if (error.name === 'TransactionConflictException')
    return new StoreConflict(error.message, { transient: true, repeated });
  if (error.name === 'TransactionCanceledException') {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
    const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
    if (failed.length) return new StoreConflict(error.message, { failed });
    if (codes.includes('TransactionConflict')) return new StoreConflict(error.message, { transient: true });
    if (codes.some((code) => /Throttl|Throughput/.test(code)))
      return new StoreUnavailable(error.message, { throttled: true, cause: error });
    return error;
  }
  const away =
    unavailable.has(error.name) || unreachable.has(error.code ?? '') || (error.$metadata?.httpStatusCode ?? 0) >= 500;
  return away ? new StoreUnavailable(error.message, { cause: error }) : error;
}

/** Whether the same steps, run again, may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreConflict || error instanceof StoreUnavailable;

/** Turns the SDK's errors into this store's three; any other is a bug and passes unchanged. */
export async function translateError<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof Error ? translate(error) : error;
  }
}
