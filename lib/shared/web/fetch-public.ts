import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Resolve, checkedLookup, connectionError, resolveByDns } from './checked-lookup.ts';
import { USER_AGENT } from './user-agent.ts';
import { parseCallbackAddress } from './web-addresses.ts';

/** The answer to a request; `error` is a sentence, which never names the address. */
export type FetchedText =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string; readonly headers: AnswerHeaders }
  | { readonly kind: 'failed'; readonly error: string };

type AnswerHeaders = IncomingMessage['headers'];

export interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** True only on the local stack. */
  readonly allowLoopback: boolean;
  readonly maxBytes: number;
  readonly timeoutMilliseconds: number;
  readonly resolve?: Resolve;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const failed = (error: string): FetchedText => ({ kind: 'failed', error });

/**
 * Reads a text from an address that somebody else chose. Checks the address, also of each of at most three redirects,
 * and the host's IP addresses on connecting. Never throws: all of it ends after the time and the bytes that it may
 * take.
 */
export async function fetchPublic(address: string, options: FetchOptions): Promise<FetchedText> {
  const until = Date.now() + options.timeoutMilliseconds;
  let next = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const parsed = parseCallbackAddress(next, options);
    if (!parsed.ok)
      return failed(redirects ? 'The address leads to one that may not be read.' : 'The address may not be read.');
    const found = await fetchOnce(parsed.address, { ...options, timeoutMilliseconds: until - Date.now() });
    const location = found.kind === 'answer' && REDIRECTS.has(found.status) ? found.headers.location : undefined;
    if (location === undefined || !URL.canParse(location, parsed.address)) return found;
    next = new URL(location, parsed.address).href;
  }
  return failed('The address redirects too often.');
}

function fetchOnce(
  address: string,
  { headers, allowLoopback, maxBytes, timeoutMilliseconds, resolve: resolveName = resolveByDns }: FetchOptions,
): Promise<FetchedText> {
  const send = address.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const end = (found: FetchedText) => {
      clearTimeout(timer);
      request.destroy();
      resolve(found);
    };
    const request = send(
      address,
      {
        // A compressed answer could be a thousand times as large as its bytes.
        headers: { 'accept-encoding': 'identity', 'user-agent': USER_AGENT, ...headers },
        lookup: checkedLookup(allowLoopback, resolveName),
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBytes) end(failed(`The answer has more than ${Math.floor(maxBytes / 1024 / 1024)} MB.`));
          else chunks.push(chunk);
        });
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          const encoding = answered['content-encoding'] ?? 'identity';
          if (encoding !== 'identity') return end(failed('The answer is compressed, although that was not asked for.'));
          return end({ kind: 'answer', status, text: Buffer.concat(chunks).toString('utf8'), headers: answered });
        });
        response.on('close', () => end(failed('The connection was closed before the end of the answer.')));
        response.on('error', () => end(failed('The connection was closed before the end of the answer.')));
      },
    );
    const timer = setTimeout(() => end(failed('The answer took too long.')), Math.max(1, timeoutMilliseconds));
    request.on('error', (error) => end(failed(connectionError(error))));
    request.end();
  });
}
