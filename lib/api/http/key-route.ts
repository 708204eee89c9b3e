import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure } from '../../shared/failure.ts';
import { MAX_BODY_BYTES } from '../../shared/limits.ts';
import { openTable } from '../../store/dynamodb/table.ts';
import { WaitBudget } from '../../store/dynamodb/call-requests.ts';
import {
  authenticate,
  checkAddress,
  checkSuspension,
  countCall,
  differentKeys,
  unauthorized,
} from '../callers/access.ts';
import { admit } from '../callers/rate-limit.ts';
import { type CallLog, failureBody, logCall, respond, startLog, toFailure } from '../respond.ts';
import { type Handler, RESERVED_MILLISECONDS } from '../pipeline.ts';
import { tooLarge } from './read-body.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/** A call of a path that is no operation and calls operations. */
export interface KeyCall {
  readonly event: Event;
  readonly lambda: LambdaContext;
  readonly body: string;
  /** The whole key, and its record. */
  readonly credential: string;
  readonly key: ApiKeyRecord;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Serves POST of a path that is no operation, for callers with a key: as bearer token, or in X-Api-Key. The call takes
 * one token of the key's rate before it is served; the operations that it calls take theirs.
 */
export function keyRoute(name: string, serve: (call: KeyCall) => Promise<Result>): Handler {
  return async (event, lambda) => {
    const table = openTable({ waitBudget: new WaitBudget() });
    const { http } = event.requestContext;
    const log = startLog(event, undefined, table.meter);
    Object.assign(log, { operation: name, hasMetrics: false });
    let known: ApiKeyRecord | undefined;
    const end = async (result: Result, error?: unknown): Promise<Result> => {
      const status = result.statusCode ?? 200;
      const { now, source: address } = log;
      if (known) await countCall(table, known, { operation: name, status, address, now });
      await logCall(log, status, error);
      return result;
    };
    const timed = middy<Event, Result>(
      async () => {
        if (http.method !== 'POST')
          throw new Failure('wrong_method', 'Call this path with POST.', { headers: { Allow: 'POST' } });
        const body = readText(name, event);
        const credential = bearerOf(event.headers);
        const key = await authenticate(table, credential, log.now, (each) => (known = each));
        Object.assign(log, { key: key.Public, account: key.Account });
        checkAddress(key, log.source);
        await checkSuspension(table, key);
        const rate = await (await admit(table, key, log.now, log.source)).end(new Date(), 1);
        const call = { event, lambda, body, credential, key, requestId: log.requestId, now: log.now };
        const result = await serve(call);
        return end({ ...result, headers: { ...rate, ...result.headers } });
      },
      { timeoutEarlyInMillis: RESERVED_MILLISECONDS },
    ).onError(async (request) => {
      request.response = await failed(request.error, log, end);
    });
    return timed(event, lambda);
  };
}

function bearerOf(headers: Event['headers']): string {
  const [, token = ''] = /^\s*bearer\s+(\S+)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  const key = headers['x-api-key'] ?? '';
  if (token && key && token !== key) throw differentKeys();
  if (!token && !key) throw unauthorized();
  return token || key;
}

function readText(name: string, { body = '', isBase64Encoded }: Event): string {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge(name, bytes.length, MAX_BODY_BYTES);
  return bytes.toString('utf8');
}

function failed(error: unknown, log: CallLog, end: (result: Result, error?: unknown) => Promise<Result>) {
  const failure = asksForBearer(toFailure(error, log.requestId));
  return end(respond(log.requestId, failure.status, failureBody(failure), failure.headers), failure.cause ?? failure);
}

/** What a client of the protocol is to send: it knows bearer tokens, and not where operations take a key. */
function asksForBearer(failure: Failure): Failure {
  if (failure.status !== 401) return failure;
  const headers = { ...failure.headers, 'WWW-Authenticate': 'Bearer realm="API key"' };
  const message =
    failure.code === 'unauthorized'
      ? 'The API key is missing, unknown, revoked or expired. ' +
        'Send a valid one as bearer token: Authorization: Bearer fsk_….'
      : failure.message;
  return new Failure(failure.code, message, { headers, cause: failure.cause });
}
