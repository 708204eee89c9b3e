import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Failure, isFailure } from '../shared/failure.ts';
import { StoreConflict, StoreFull, StoreUnavailable } from '../store/dynamodb/errors.ts';
import { ResponseTooLong } from '../store/idempotency.ts';
import type { Call } from './call.ts';

/** The body of a failure: ResultCode, Message, and Errors with every invalid field. */
export const failureBody = ({ code, message, errors, fields }: Failure): string =>
  JSON.stringify({
    ...fields,
    ResultCode: code,
    Message: message,
    ...(errors.length ? { Errors: errors.map(({ field, message }) => ({ Field: field, Message: message })) } : {}),
  });

/** What the caller is told of an error: of a fault of ours the request id and nothing else. */
export function toFailure(error: unknown, requestId: string): Failure {
  if (isFailure(error)) return error;
  if (error instanceof ResponseTooLong)
    return new Failure(
      413,
      'The answer is too long to be kept under an Idempotency-Key, so nothing was done. Send fewer things at once.',
    );
  if (error instanceof StoreFull)
    return new Failure(
      409,
      'Something that this adds to is full: one thing is kept in at most 400 KB, a contact with all it lists as open too, ' +
        'and one call changes at most 100 things of 4 MB. Nothing was changed.',
      { cause: error },
    );
  const away =
    error instanceof StoreUnavailable ||
    error instanceof StoreConflict ||
    (error instanceof Error && error.name === 'TimeoutError');
  if (away) {
    const message =
      'The store is busy or away, or time ran out. It is safe to try again; with an Idempotency-Key nothing is done twice.';
    return new Failure(503, message, { headers: { 'Retry-After': '1' }, cause: error });
  }
  return new Failure(500, `A fault of ours; request ${requestId}.`, { cause: error });
}

/** The HTTP response of a call. */
export const respond = (
  call: Pick<Call, 'requestId' | 'headers'>,
  status: number,
  body: string,
): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': call.requestId,
    ...call.headers,
  },
  body,
});
