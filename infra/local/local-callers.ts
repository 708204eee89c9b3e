import type { IncomingMessage } from 'node:http';

/** Names of this machine, for programs on it and in its containers. No page of the internet has one of them. */
const LOCAL_HOST =
  /^(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost|host\.docker\.internal|host\.containers\.internal)(:\d+)?$/i;

/**
 * Why a request must be refused that may come from a web page of somebody else, open in a browser on this machine: a
 * page of another origin (Origin), or one whose name resolves to 127.0.0.1 (Host). `undefined` for every other program,
 * and for pages that this server itself serves, if it serves any.
 */
export function foreignPage(
  { headers: { host, origin, 'sec-fetch-site': site } }: Pick<IncomingMessage, 'headers'>,
  { servesPages }: { readonly servesPages: boolean },
): string | undefined {
  if (host !== undefined && !LOCAL_HOST.test(host)) return 'Call the local stack as 127.0.0.1 or localhost.';
  if (origin === undefined || (servesPages && origin === `http://${host}`)) return undefined;
  // The forms of pages that name no referrer; no page can say of itself that it is of this origin.
  if (servesPages && origin === 'null' && site === 'same-origin') return undefined;
  return 'Web pages of other origins must not call the local stack. Call it from your server.';
}
