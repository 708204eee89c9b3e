import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { type FieldError, Failure, invalid } from '../shared/failure.ts';
import { Meter } from '../store/dynamodb/client.ts';
import { ResponseTooLong, StoreConflict, StoreFull, StoreUnavailable, UnknownList } from '../store/dynamodb/errors.ts';
import { callMetrics, errorFields, writeLogLine } from './log-lines.ts';
import type { LogFields } from './operation.ts';

/** What all calls over HTTP share: the log line, and the answer to a failure. */

export type Event = APIGatewayProxyEventV2;
export type Result = APIGatewayProxyStructuredResultV2;
/** The function that Lambda calls. */
export type Handler = (event: Event, context: LambdaContext) => Promise<Result>;

/** Lambda's context, with what the steps of a call find out. */
export interface CallContext extends LambdaContext {
  log: CallLog;
  /** Headers of the answer, failures included. */
  headers: Record<string, string>;
  /** The failure that an answer reports, for the log. */
  error?: unknown;
}

/** A step in the handling of calls. */
export type Middleware<Context extends CallContext = CallContext> = MiddlewareObj<Event, Result, Error, Context>;

/** Time reserved before Lambda ends the call, so that the caller gets a 503 and not a closed connection. */
const RESERVED_MILLISECONDS = 500;

/** A Lambda handler before its steps are added. */
export const served = <Context extends CallContext>() =>
  middy<Event, Result, Error, Context>({ timeoutEarlyInMillis: RESERVED_MILLISECONDS });

/** Gives each call its own context: an assistant makes several calls within one Lambda context. */
export const handlerOf =
  <Context extends CallContext>(handle: (event: Event, context: Context) => Promise<Result>) =>
  (event: Event, lambda: LambdaContext & Partial<Context>): Promise<Result> =>
    handle(event, { ...lambda } as Context);

/** Starts the log line of a call and writes it at the end. */
export const logger = (operation = UNKNOWN, hasMetrics = true): Middleware => ({
  before({ event, context }) {
    context.log = { ...startLog(event), operation, hasMetrics };
    context.headers = {};
  },
  after: ({ context, response }) => logCall(context.log, response?.statusCode ?? 200, context.error),
  onError: ({ context, response, error }) => logCall(context.log, response?.statusCode ?? 500, causeOf(error)),
});

/** Turns a failure into its answer, and adds the headers of the steps to every answer. */
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

/** The part of an error that is logged. */
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

/** The Failure that the caller gets for an error; an internal error names only the request id. */
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

/** Names the operation in the log if the call matched none. */
const UNKNOWN = 'unknown';

/** The log line of a call, filled in as far as the call gets. */
export interface CallLog {
  readonly requestId: string;
  /** The caller's IP address. */
  readonly source: string;
  readonly now: Date;
  /** Milliseconds on a monotonic clock. */
  readonly startedAt: number;
  /** Counts what the operation costs. */
  readonly meter: Meter;
  /** Counts what the pipeline costs: key and rate limit. */
  readonly pipelineMeter: Meter;
  /** `group/operation`, or UNKNOWN. */
  operation: string;
  /** Whether its calls have group metrics: not for open paths, nor for a path that calls operations. */
  hasMetrics: boolean;
  account: string | null;
  /** The public part of the key in the call, valid or not. */
  key: string | null;
  fields: LogFields;
}

/**
 * The caller's address. Behind CloudFront, API Gateway sees an address of CloudFront; the caller's is in the header
 * that VIEWER_ADDRESS_HEADER names, which CloudFront overwrites (infra/edge.ts). A call to the old address of the API,
 * which the authorizer marks, may have set it itself.
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
 * Writes one line per call, which also carries its metrics (CloudWatch's embedded metric format). It never contains a
 * key, except for its public part, nor a field of the request or the answer.
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
