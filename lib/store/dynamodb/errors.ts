/** A condition of a write did not hold: somebody else was first, or the thing is not there. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  /** True where only the moment was wrong (another transaction in flight), so that the same write may pass. */
  readonly transient: boolean;
  /** Places, in the transaction, of the changes whose condition failed. */
  readonly failed: readonly number[];
  /**
   * True where the SDK had tried before and got no answer: the condition may have failed because that try was made
   * after all.
   */
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
  /**
   * True where a transaction was throttled: nothing of it was made, and unlike a single request the SDK does not repeat
   * it.
   */
  readonly throttled: boolean;

  constructor(message: string, { throttled = false, cause }: { throttled?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.throttled = throttled;
  }
}

/**
 * A write would make an item larger than the 400 KB that it may hold, or a transaction larger than its 4 MB or 100
 * changes. Nothing was written.
 */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
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

/** DynamoDB has no code of its own for it: a ValidationException, or a reason ValidationError, of these words. */
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

/** Turns the SDK's errors into this store's three; any other is a fault of ours and passes as it is. */
export async function translateError<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof Error ? translate(error) : error;
  }
}
