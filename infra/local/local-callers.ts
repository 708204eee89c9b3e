import type { IncomingMessage } from 'node:http';
import { preflightHeaders } from '../../lib/shared/web/origins.ts';
import { answerHeaders } from '../cors.ts';

interface Allowed {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
}

/**
 * The headers that let a page of an allowed origin read the answer, and whether the request is a preflight. `undefined`
 * for every other request.
 */
export function crossOrigin(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { origins, ...allowed }: Allowed,
): { readonly isPreflight: boolean; readonly headers: Readonly<Record<string, string>> } | undefined {
  const { origin } = headers;
  if (origin === undefined || !origins.includes(origin)) return undefined;
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return { isPreflight, headers: isPreflight ? preflightHeaders(origin, allowed) : answerHeaders(origin) };
}

/** Names of this machine, for programs on it and in its containers. No page of the internet has one of them. */
const LOCAL_HOST =
  /^(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost|host\.docker\.internal|host\.containers\.internal)(:\d+)?$/i;

/**
 * Why to refuse a request that may come from somebody else's web page, open in a browser on this machine: a page of
 * another origin (Origin), or one whose name resolves to 127.0.0.1 (Host). `undefined` for every other program, for
 * pages that this server serves itself, if any, and for those of `origins`.
 */
export function foreignPage(
  { headers: { host, origin, 'sec-fetch-site': site } }: Pick<IncomingMessage, 'headers'>,
  {
    servesPages,
    takesForms = false,
    origins = [],
  }: {
    readonly servesPages: boolean;
    /** Whether the path takes forms of any site, as deployed. */
    readonly takesForms?: boolean;
    readonly origins?: readonly string[] | undefined;
  },
): string | undefined {
  if (host !== undefined && !LOCAL_HOST.test(host)) return 'Call the local stack as 127.0.0.1 or localhost.';
  if (takesForms || origin === undefined || (servesPages && origin === `http://${host}`) || origins.includes(origin))
    return undefined;
  // Forms of pages without a referrer; no page can fake being of this origin.
  if (servesPages && origin === 'null' && site === 'same-origin') return undefined;
  return (
    'Web pages of other origins must not call the local stack. Call it from your server, or start it with the origin ' +
    'of the page: FS_CORS_ORIGINS=http://localhost:5173 npm start.'
  );
}
