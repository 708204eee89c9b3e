import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { type TableWriter, openTable, withCurrentValues } from '../../store/dynamodb/table.ts';
import { WaitBudget } from '../../store/dynamodb/client.ts';
import {
  type CallContext,
  type CallLog,
  type Event,
  type Handler,
  type Middleware,
  type Result,
  handlerOf,
  logger,
  served,
  toFailure,
} from '../respond.ts';
import { readForm } from './read-form.ts';

/** One call to a page that a client opens by a link. */
export interface ClientCall {
  readonly event: Event;
  readonly table: TableWriter;
  readonly now: Date;
  readonly requestId: string;
  readonly sourceIp: string;
  /** Reads the submitted form once its link is known to be ours; `undefined` for a GET. */
  readonly readSent: (() => URLSearchParams) | undefined;
  /** The log line of the call, which names the account and the page if the link is ours. */
  readonly log: Pick<CallLog, 'account' | 'operation'>;
}

/** What a page answers. */
export interface PageAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins of sites that may show the page in a frame; none by default. */
  readonly frameOrigins?: readonly string[];
  /** Origins that a form of the page may redirect to: browsers check redirects too. */
  readonly formOrigins?: readonly string[];
  /** The failure that the page reports; it is logged. */
  readonly error?: unknown;
}

/** A page runs only our script and may be framed only by the sites that its company lists. */
const contentPolicy = (frameOrigins: readonly string[], formOrigins: readonly string[]): string =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  `form-action ${["'self'", ...formOrigins].join(' ')}; base-uri 'none'; ` +
  `frame-ancestors ${frameOrigins.join(' ') || "'none'"}`;

/** Keeps others from seeing or caching a page, or learning its address. */
const SECURITY = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** How a call of a page failed. */
export interface FailedCall {
  readonly status: number;
  /** What our form sent, as far as it can be read. */
  readonly sent?: URLSearchParams | undefined;
}

/** Seconds after which the browser retries a page that failed. */
const RETRY_AFTER = '5';

/** Serves clients' pages: HTML even for failures, and no changes by GET. `failed` renders the page of a failure. */
export function clientRoute(
  name: string,
  serve: (call: ClientCall) => Promise<PageAnswer>,
  failed: (event: Event, failure: FailedCall) => PageAnswer,
): Handler {
  const errorPage: Middleware = {
    onError(request) {
      const { event, context, error } = request;
      const { status, headers } = toFailure(error, context.log.requestId);
      const answer = failed(event, { status, sent: sentAgain(event) });
      const retry = status >= 500 ? { 'Retry-After': headers['Retry-After'] ?? RETRY_AFTER } : {};
      request.response = pageResult({ ...answer, headers: { ...answer.headers, ...retry } }, context);
    },
  };
  return handlerOf(
    served<CallContext>()
      .use(logger(name, false))
      .use(errorPage)
      .handler(async (event: Event, context) => {
        const { method } = event.requestContext.http;
        if (!['GET', 'HEAD', 'POST'].includes(method))
          return pageResult({ ...failed(event, { status: 405 }), headers: { Allow: 'GET, HEAD, POST' } }, context);
        const readSent = method === 'POST' ? () => readForm(event) : undefined;
        const { meter, now, requestId, source: sourceIp } = context.log;
        const opened = openTable({ waitBudget: new WaitBudget(), meter });
        const table = readSent ? withCurrentValues(opened) : opened;
        return pageResult(await serve({ event, table, now, requestId, sourceIp, readSent, log: context.log }), context);
      }),
  );
}

/** What our form sent, to be offered again on the failure page. */
function sentAgain(event: Event): URLSearchParams | undefined {
  if (event.requestContext.http.method !== 'POST' || !isFromOwnPage(event)) return undefined;
  try {
    return readForm(event);
  } catch {
    return undefined;
  }
}

/** The result of a page, which others can neither frame, cache nor add scripts to. */
export function pageResult(answer: PageAnswer, context: CallContext): Result {
  const { status, body, type = 'text/html; charset=utf-8', headers } = answer;
  const { frameOrigins = [], formOrigins = [] } = answer;
  const isText = typeof body === 'string';
  context.error = answer.error;
  return {
    statusCode: status,
    headers: {
      ...SECURITY,
      'Content-Security-Policy': contentPolicy(frameOrigins, formOrigins),
      'Content-Type': type,
      'X-Request-Id': context.log.requestId,
      ...headers,
    },
    body: isText ? body : body.toString('base64'),
    isBase64Encoded: !isText,
  };
}

/**
 * Whether a form was sent by one of our pages. Browsers send Origin `null` from a page without referrer, but say in
 * Sec-Fetch-Site, which no page can set, whether it was ours.
 */
export function isFromOwnPage({ headers }: Pick<Event, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers['origin'] === new URL(process.env['BASE_URL'] ?? 'https://unknown.invalid').origin;
}

/** Commits the changes of a form as an operation does: if a record has changed in the meantime, `decide` runs again. */
export const commitForm = (table: TableWriter, decide: () => Promise<readonly Change[]>): Promise<void> =>
  retryOnConflict(async (count) => {
    if (count > 1) table.currentValues?.clear();
    const changes = await decide();
    if (changes.length) await table.commit(changes);
  });
