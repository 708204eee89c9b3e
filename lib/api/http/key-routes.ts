import type { Context as LambdaContext } from 'aws-lambda';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure } from '../../shared/failure.ts';
import { MAX_BODY_BYTES } from '../../shared/limits.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { type KeyContext, auditor, checkKey, tables, toCaller, checkRestrictions } from '../callers/keys.ts';
import { CpuTime, charge, takeToken } from '../callers/rate-limit.ts';
import {
  type Event,
  type Handler,
  type Middleware,
  type Result,
  errorHandler,
  handlerOf,
  logger,
  served,
} from '../respond.ts';
import { checkGet } from './public-route.ts';
import { bodyBytes, bodyDecoder, tooLarge, differentKeys, unauthorized } from './read-request.ts';

/**
 * Paths that are not operations, for callers with a key, but with the failures, rate limit, audit and log line of
 * operations.
 */

/** A GET by people and browsers. */
export interface GetCall {
  readonly event: Event;
  readonly table: TableReader;
  readonly now: Date;
  readonly requestId: string;
  /** The caller, by the key in the header: checked and within its rate. Throws 401, 403 and 429. */
  caller(): Promise<Caller>;
}

/** Serves GET of a path. */
export const getRoute = (name: string, serve: (call: GetCall) => Promise<Result>): Handler =>
  handlerOf(
    served<KeyContext>()
      .use(logger(name))
      .use(tables)
      .use(auditor)
      .use(errorHandler)
      .after(charge)
      .onError(charge)
      .before(({ event }) => checkGet(event))
      .handler(async (event: Event, context) => {
        const { log, table } = context;
        const caller = async () => {
          const credential = event.headers['x-api-key'];
          if (!credential) throw unauthorized();
          const key = await checkKey(context, credential);
          checkRestrictions(key, { name, access: 'read' });
          await takeToken(context, key);
          return toCaller(key, log.now);
        };
        return serve({ event, table, now: log.now, requestId: log.requestId, caller });
      }),
  );

/** A call to a path that calls operations. */
export interface KeyCall {
  readonly event: Event;
  readonly lambda: LambdaContext;
  readonly body: string;
  /** The whole key. */
  readonly credential: string;
  readonly key: ApiKeyRecord;
  readonly caller: Caller;
  readonly table: TableReader;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Serves POST of a path, for callers with a key as bearer token or in X-Api-Key. The call takes one token of the key's
 * rate before it is served, and the operations that it calls take theirs; its CPU is charged at the end.
 */
export const keyRoute = (name: string, serve: (call: KeyCall) => Promise<Result>): Handler =>
  handlerOf(
    served<KeyContext>()
      .use(logger(name, false))
      .use(tables)
      .use(auditor)
      .use(errorHandler)
      .use(bearerRequested)
      .after(charge)
      .onError(charge)
      .before(({ event }) => checkPost(event))
      .handler(async (event: Event, context) => {
        const body = readText(name, event);
        const credential = bearerOf(event);
        const key = await checkKey(context, credential);
        await takeToken(context, key);
        // The operations that it calls are in flight instead.
        context.admission?.release();
        context.cpu = new CpuTime();
        const { table } = context;
        const { requestId, now } = context.log;
        const caller = toCaller(key, now);
        return serve({ event, lambda: context, body, credential, key, caller, table, requestId, now });
      }),
  );

function checkPost({ requestContext }: Event): void {
  if (requestContext.http.method !== 'POST')
    throw new Failure('wrong_method', 'Call this path with POST.', { headers: { Allow: 'POST' } });
}

function bearerOf({ headers }: Event): string {
  const [, token = ''] = /^\s*bearer\s+(\S+)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  const key = headers['x-api-key'] ?? '';
  if (token && key && token !== key) throw differentKeys();
  if (!token && !key) throw unauthorized();
  return token || key;
}

function readText(name: string, event: Event): string {
  const bytes = bodyBytes(event);
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge(name, bytes.length, MAX_BODY_BYTES);
  return bodyDecoder(event)(bytes);
}

/** Tells clients of the protocol what to send: they know bearer tokens, but not where operations take a key. */
const bearerRequested: Middleware<KeyContext> = {
  onError(request) {
    const { error } = request;
    if (!(error instanceof Failure) || error.status !== 401) return;
    const headers = { ...error.headers, 'WWW-Authenticate': 'Bearer realm="API key"' };
    const message =
      error.code === 'unauthorized'
        ? 'The API key is missing, unknown, revoked or expired. ' +
          'Send a valid one as bearer token: Authorization: Bearer fsk_….'
        : error.message;
    request.error = new Failure(error.code, message, { headers, cause: error.cause });
  },
};
