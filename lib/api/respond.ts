import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { type FieldError, Failure, invalid } from '../shared/failure.ts';
import { Meter } from '../store/dynamodb/call-requests.ts';
import { ResponseTooLong, StoreConflict, StoreFull, StoreUnavailable, UnknownList } from '../store/dynamodb/errors.ts';
import { errorFields } from './error-fields.ts';
import { callMetrics } from './metrics.ts';
import type { LogFields } from './operation.ts';

/**
 * How a call ends: its response, and its line in the log.
 */

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

let cold = true;

/** The operation of a call that found none. */
const UNKNOWN = 'unknown';

/** What the log line of a call reports, filled in as far as the call gets. */
export interface CallLog {
  readonly requestId: string;
  /** The caller's IP address. */
  readonly source: string;
  readonly now: Date;
  /** Milliseconds of a clock that never jumps. */
  readonly startedAt: number;
  /** What the operation costs. */
  readonly meter: Meter;
  /** What the pipeline costs: key and rate limit. */
  readonly pipelineMeter: Meter;
  /** `group/operation`, or UNKNOWN. */
  operation: string;
  /** Whether its calls have metrics of a group: not those of open paths, nor of one that calls operations. */
  hasMetrics: boolean;
  account: string | null;
  /** The public part of the key that the call gave, valid or not. */
  key: string | null;
  fields: LogFields;
}

/**
 * The caller's address. Behind CloudFront, API Gateway sees an address of CloudFront; the caller's is in the header
 * that VIEWER_ADDRESS_HEADER names, which CloudFront writes over whatever the caller sent (infra/edge.ts).
 */
function sourceAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const header = process.env['VIEWER_ADDRESS_HEADER'];
  return (header && headers[header]) || requestContext.http.sourceIp;
}

export const startLog = (event: APIGatewayProxyEventV2, meter = new Meter(), pipelineMeter = new Meter()): CallLog => ({
  requestId: event.requestContext.requestId || randomUUID(),
  source: sourceAddress(event),
  now: new Date(),
  startedAt: performance.now(),
  meter,
  pipelineMeter,
  operation: UNKNOWN,
  hasMetrics: true,
  account: null,
  key: null,
  fields: {},
});

/**
 * Writes one line a call, which is also its metrics (CloudWatch's embedded metric format). Never a key, never a field
 * of the request or the answer, except for the key's public part. LOG_LEVEL `error` writes internal errors only,
 * `silent` nothing.
 */
export async function logCall(call: CallLog, status: number, error?: unknown): Promise<void> {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  const internal = status >= 500;
  if (level === 'silent' || (level === 'error' && !internal)) return;
  const failure = internal ? errorFields(error) : {};
  const { rounds, readUnits, writeUnits, requests } = call.meter.usage;
  const pipeline = call.pipelineMeter.usage;
  const [group] = call.operation.split('/');
  const line = {
    _aws: callMetrics(call.now, { hasGroup: call.operation !== UNKNOWN && call.hasMetrics, isError: internal }),
    Level: internal ? 'error' : 'info',
    RequestId: call.requestId,
    Account: call.account,
    Key: call.key,
    Source: call.source,
    Group: group,
    Operation: call.operation,
    ResultCode: status === 200 ? 0 : status,
    Faults: internal ? 1 : 0,
    Milliseconds: Math.round((performance.now() - call.startedAt) * 10) / 10,
    Rounds: rounds,
    Requests: requests + pipeline.requests,
    ReadUnits: readUnits + pipeline.readUnits,
    WriteUnits: writeUnits + pipeline.writeUnits,
    Cold: cold,
    ...call.fields,
    ...failure,
  };
  cold = false;
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
