import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Resolve, checkedLookup, connectionError, resolveByDns } from './checked-lookup.ts';
import { SECOND } from '../time/time.ts';
import { USER_AGENT } from './user-agent.ts';
import { parseCallbackAddress } from './web-addresses.ts';

/** The outcome of a call. Without an answer, `status` is `null` and `error` a sentence. */
export interface ReceiverAnswer {
  readonly status: number | null;
  readonly error: string;
  readonly timedOut: boolean;
  readonly retryAfter: string | undefined;
  readonly milliseconds: number;
}

/** Limits the whole call, however slowly an answer arrives. */
const TIMEOUT_MILLISECONDS = 10 * SECOND;
const MAX_BODY_BYTES = 64 * 1024;

const failed = (error: string, milliseconds = 0, timedOut = false): ReceiverAnswer => ({
  status: null,
  error,
  timedOut,
  retryAfter: undefined,
  milliseconds,
});

/**
 * Posts JSON to an address that somebody else chose. Checks the address again here, and the host's IP addresses on
 * connecting. Follows no redirects. Never throws: a call ends after 10 seconds and reads at most 64 KB of the answer.
 */
export function callReceiver(
  address: string,
  body: string,
  {
    headers,
    allowLoopback,
    resolve: resolveName = resolveByDns,
    timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    /** True only on the local stack. */
    readonly allowLoopback: boolean;
    readonly resolve?: Resolve;
    readonly timeoutMilliseconds?: number;
  },
): Promise<ReceiverAnswer> {
  const parsed = parseCallbackAddress(address, { allowLoopback });
  if (!parsed.ok) return Promise.resolve(failed(`The address ${parsed.error}.`));
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const send = parsed.address.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let answer: IncomingMessage | undefined;
    const end = (timedOut: boolean, error = '') => {
      clearTimeout(timer);
      request.destroy();
      const { statusCode: status = null, headers: answered = {} } = answer ?? {};
      if (status === null) return resolve(failed(error, elapsed(), timedOut));
      return resolve({ status, error: '', timedOut, retryAfter: answered['retry-after'], milliseconds: elapsed() });
    };
    const request = send(
      parsed.address,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': USER_AGENT,
          ...headers,
        },
        lookup: checkedLookup(allowLoopback, resolveName),
        // Lambda freezes a container between calls: a kept connection would be dead.
        agent: false,
      },
      (response) => {
        answer = response;
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes >= MAX_BODY_BYTES) end(false);
        });
        response.on('close', () => end(false));
        response.on('error', () => end(false));
      },
    );
    const timer = setTimeout(
      () => end(true, `No answer in ${timeoutMilliseconds / SECOND} seconds.`),
      timeoutMilliseconds,
    );
    request.on('error', (error) => end(false, connectionError(error)));
    request.end(body);
  });
}
