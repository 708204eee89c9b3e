import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type FieldError, Failure, invalid } from '../../shared/failure.ts';
import {
  ResponseTooLong,
  StoreConflict,
  StoreFull,
  StoreUnavailable,
  UnknownList,
} from '../../store/dynamodb/errors.ts';

/** The body of a failure: ResultCode, Code, Message, and Errors with every invalid field. */
export const failureBody = ({ code, status, message, errors, fields }: Failure): string =>
  JSON.stringify({
    ...fields,
    ResultCode: status,
    Code: code,
    Message: message,
    ...(errors.length ? { Errors: errors.map(toEntry) } : {}),
  });

const toEntry = ({ field, code, message }: FieldError) => ({ Field: field, Code: code, Message: message });

/** The Failure that the caller gets for an error; an internal error names the request id and nothing else. */
export function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof UnknownList)
    return invalid({
      field: 'X-List',
      code: 'not_found',
      message: 'names no list that this key has read with this query in the last 10 minutes. Begin again without it',
    });
  if (error instanceof ResponseTooLong)
    return new Failure(
      'response_too_large',
      'The answer is too long to save under an Idempotency-Key. Nothing was changed. Send fewer records in one call.',
    );
  if (error instanceof StoreFull)
    return new Failure(
      'limit_reached',
      'A size limit is reached: a record holds at most 400 KB, a contact together with its open documents; a call ' +
        'changes at most 100 records of 4 MB together. Nothing was changed.',
      { cause: error },
    );
  const unavailable =
    error instanceof StoreUnavailable ||
    error instanceof StoreConflict ||
    (error instanceof Error && error.name === 'TimeoutError');
  if (unavailable)
    return new Failure(
      'unavailable',
      'The service is busy or the call ran out of time. Try again: with an Idempotency-Key nothing is done twice.',
      { headers: { 'Retry-After': '1' }, cause: error },
    );
  return new Failure('internal_error', `Internal error. Quote request id ${requestId}.`, { cause: error });
}

export const respond = (
  requestId: string,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...headers,
  },
  body,
});
