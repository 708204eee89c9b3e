import type { Context as LambdaContext } from 'aws-lambda';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure } from '../../shared/failure.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { type KeyContext, auditor, checkKey, tables } from '../callers/keys.ts';
import { takeToken } from '../callers/rate-limit.ts';
import {
  type Event,
  type Handler,
  type Middleware,
  type Result,
  handlerOf,
  logger,
  served,
  toFailure,
} from '../respond.ts';
import { type PageAnswer, pageResult } from './client-route.ts';
import { readForm } from './read-form.ts';

/** One call of a page of the office. */
export interface OfficeCall {
  readonly event: Event;
  readonly lambda: LambdaContext;
  readonly table: TableWriter;
  readonly now: Date;
  readonly requestId: string;
  /** What a form sent; `undefined` for a GET. */
  readonly readSent: (() => URLSearchParams) | undefined;
  /** The key of a session, within its rate; `undefined` if it has ended, or never was one. Throws 403 and 429. */
  readonly openSession: (credential: string) => Promise<ApiKeyRecord | undefined>;
}

/** What a page of the office answers. */
export interface OfficeAnswer extends PageAnswer {
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

/** Serves the pages of the office: HTML even for failures. `failed` renders the page of a failure. */
export function officeRoute(
  serve: (call: OfficeCall) => Promise<OfficeAnswer>,
  failed: (event: Event, failure: Failure) => OfficeAnswer,
): Handler {
  const errorPage: Middleware<KeyContext> = {
    onError(request) {
      const { event, context, error } = request;
      const failure = toFailure(error, context.log.requestId);
      request.response = respond({ ...failed(event, failure), headers: failure.headers, error }, context);
    },
  };
  return handlerOf(
    served<KeyContext>()
      .use(logger('office', false))
      .use(tables)
      .use(auditor)
      .use(errorPage)
      .handler(async (event: Event, context) => {
        const { method } = event.requestContext.http;
        if (!['GET', 'HEAD', 'POST'].includes(method))
          throw new Failure('wrong_method', 'Open this page with GET.', { headers: { Allow: 'GET, HEAD, POST' } });
        const { now, requestId } = context.log;
        const openSession = (credential: string) => checkSession(context, credential);
        const readSent = method === 'POST' ? () => readForm(event) : undefined;
        return respond(
          await serve({ event, lambda: context, table: context.table, now, requestId, readSent, openSession }),
          context,
        );
      }),
  );
}

async function checkSession(context: KeyContext, credential: string): Promise<ApiKeyRecord | undefined> {
  try {
    const key = await checkKey(context, credential, { isSession: true });
    await takeToken(context, key);
    // The operations that the page calls are in flight instead.
    context.admission?.release();
    return key;
  } catch (error) {
    if (error instanceof Failure && error.status === 401) return undefined;
    throw error;
  }
}

function respond(answer: OfficeAnswer, context: KeyContext): Result {
  const { cookies } = answer;
  return { ...pageResult(answer, context), ...(cookies ? { cookies: [...cookies] } : {}) };
}
