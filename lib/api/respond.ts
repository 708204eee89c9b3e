import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { type FieldError, Failure, invalid } from '../shared/failure.ts';
import { Meter } from '../store/dynamodb/client.ts';
import { ResponseTooLong, StoreConflict, StoreFull, StoreUnavailable, UnknownList } from '../store/dynamodb/errors.ts';
import { callMetrics, errorFields, writeLogLine } from './log-lines.ts';
import type { LogFields } from './operation.ts';

/**
 * What all calls over HTTP have in common, whatever they call: the log line, and the answer to a failure.
 */

export type Event = APIGatewayProxyEventV2;
export type Result = APIGatewayProxyStructuredResultV2;
/** What Lambda calls. */
export type Handler = (event: Event, context: LambdaContext) => Promise<Result>;

/** The context of Lambda, with what the steps of a call find out. */
export interface CallContext extends LambdaContext {
  log: CallLog;
  /** Headers that the answer has, also that to a failure. */
  headers: Record<string, string>;
  /** What failed behind an answer that says so, for the log. */
  error?: unknown;
}

/** A step of calls. */
export type Middleware<Context extends CallContext = CallContext> = MiddlewareObj<Event, Result, Error, Context>;

/** Time reserved before Lambda ends the call: the caller gets a 503 and not a closed connection. */
const RESERVED_MILLISECONDS = 500;

/** A Lambda handler without its steps. */
export const served = <Context extends CallContext>() =>
  middy<Event, Result, Error, Context>({ timeoutEarlyInMillis: RESERVED_MILLISECONDS });

/** Each call gets a context of its own: an assistant makes several calls with one of Lambda's. */
export const handlerOf =
  <Context extends CallContext>(handle: (event: Event, context: Context) => Promise<Result>) =>
  (event: Event, lambda: LambdaContext & Partial<Context>): Promise<Result> =>
    handle(event, { ...lambda } as Context);

/** Begins the log line of a call, and writes it at the end. */
export const logger = (operation = UNKNOWN, hasMetrics = true): Middleware => ({
  before({ event, context }) {
    context.log = { ...startLog(event), operation, hasMetrics };
    context.headers = {};
  },
  after: ({ context, response }) => logCall(context.log, response?.statusCode ?? 200, context.error),
  onError: ({ context, response, error }) => logCall(context.log, response?.statusCode ?? 500, causeOf(error)),
});

/** Answers a failure with its body, and adds the headers of the steps to every answer. */
export const errorHandler: Middleware = {
  after(request) {
    const { response, context } = request;
    request.response = { ...response, headers: { ...response?.headers, ...context.headers } };
  },
  onError(request) {
    const { log, headers } = request.context;
    const failure = toFailure(request.error, log.requestId);
    request.response = respond(log.requestId, failure.status, failureBody(failure), { ...headers, ...failure.headers });
  },
};

/** What of an error is logged. */
const causeOf = (error: unknown): unknown => (error instanceof Failure ? (error.cause ?? error) : error);

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
 * that VIEWER_ADDRESS_HEADER names, which CloudFront writes over whatever the caller sent (infra/edge.ts). A call to the
 * old address of the API, which the authorizer marks, may have written it itself.
 */
function sourceAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const header = process.env['VIEWER_ADDRESS_HEADER'];
  const { authorizer } = requestContext as { authorizer?: { lambda?: { isFromEdge?: boolean } } };
  if (!header || authorizer?.lambda?.isFromEdge === false) return requestContext.http.sourceIp;
  return headers[header] || requestContext.http.sourceIp;
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
 * of the request or the answer, except for the key's public part.
 */
export async function logCall(call: CallLog, status: number, error?: unknown): Promise<void> {
  const internal = status >= 500;
  const failure = internal ? errorFields(error) : {};
  const { rounds, readUnits, writeUnits, requests } = call.meter.usage;
  const pipeline = call.pipelineMeter.usage;
  const [group] = call.operation.split('/');
  writeLogLine({
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
  });
  cold = false;
}
