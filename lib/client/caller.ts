import type { FieldError } from './api.ts';
import { type FieldServiceError, errorOf } from './errors.ts';
import { Turnstile, pause } from './waiting.ts';

/** Where the API is, and how to call it. */
export interface Options {
  /** Address of the deployment or of a local stack, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly key: string;
  /** Maximum duration of an attempt in milliseconds; 35,000 by default, because the API answers within 30 s. */
  readonly timeout?: number;
  /** Milliseconds during which a failed attempt is repeated; 60,000 by default, and 0 never repeats. */
  readonly retryFor?: number;
  /**
   * Maximum number of concurrent calls, others wait; 25 by default, the limit of a key unless it was made with more.
   */
  readonly inFlight?: number;
  /** Called after every attempt. */
  readonly log?: (attempt: Attempt) => void;
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options that may differ for one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly retryFor?: number;
  /** For a call that changes something; generated for each call by default. */
  readonly idempotencyKey?: string;
}

/** An attempt at a call, without its body and key. */
export interface Attempt {
  readonly operation: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** 0 if no answer came. */
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  /** The code of a failure. */
  readonly code?: string;
  /** Milliseconds until the call is repeated, if it is. */
  readonly retryIn?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** What the client itself adds to a call. */
export interface Exchange {
  readonly isWrite: boolean;
  /** X-List of the list that a page continues. */
  readonly list?: string;
  /** For example `format=jsonl`. */
  readonly query?: string;
}

/** An answer with its headers, which are read on demand: each one costs a call some microseconds. */
export interface Answer {
  readonly fields: Fields;
  readonly headers: Headers;
}

const TIMEOUT = 35_000;
const RETRY_FOR = 60_000;
const IN_FLIGHT = 25;
/** Milliseconds before the first repetition if the API gives no time, doubled up to the longest. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/** `https://api.example.com` for that address with or without `/api` and slashes. */
function baseUrl(url: string): string {
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new TypeError('url must be an address such as https://api.example.com.');
  let end = url.length;
  while (url[end - 1] === '/') end--;
  const address = url.slice(0, end);
  return address.endsWith('/api') ? address.slice(0, -'/api'.length) : address;
}

/** `crypto.randomUUID` is missing on pages without https. */
function randomKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}

/** Lost connections, full queues, and answers of a gateway that reached no function. */
const isRepeated = ({ status, code }: FieldServiceError): boolean =>
  status === 0 || status === 429 || status === 503 || (status >= 500 && !code);

/** For a page of another origin: browsers do not tell whether the API was not reached or does not allow the page. */
function foreignPage(url: string): string {
  const { origin } = (globalThis as { location?: { readonly origin?: string } }).location ?? {};
  return !origin || url.startsWith(`${origin}/`) ? '' : `, or the API does not allow pages of ${origin} (CORS)`;
}

/**
 * Calls operations within the concurrency limit, repeats them if that helps, and otherwise throws an error of its
 * class.
 */
export class Caller {
  readonly #base: string;
  readonly #options: Options;
  readonly #turnstile: Turnstile;

  constructor(options: Options) {
    // The message omits the key itself, because errors are logged.
    if (!/^[!-~]+$/.test(options.key)) throw new TypeError('key must be an API key, such as fsk_live_….');
    this.#base = baseUrl(options.url);
    // With none, every call would wait forever.
    if (options.inFlight !== undefined && !(options.inFlight >= 1)) throw new TypeError('inFlight must be 1 or more.');
    this.#options = options;
    this.#turnstile = new Turnstile(options.inFlight ?? IN_FLIGHT);
  }

  /**
   * Sends a request. Not only operations use it: the bytes of a file go to an address of the bucket, without the key.
   * Browsers refuse to call fetch as the method of an object.
   */
  readonly fetch: typeof fetch = (...request) => (this.#options.fetch ?? fetch)(...request);

  async call(operation: string, request: object, exchange: Exchange, options: CallOptions = {}): Promise<Answer> {
    const { signal, retryFor = this.#options.retryFor ?? RETRY_FOR } = options;
    const json = 'application/json';
    const headers: Record<string, string> = { 'content-type': json, accept: json, 'x-api-key': this.#options.key };
    // The same at every attempt, so that the API does nothing twice.
    if (exchange.isWrite) headers['idempotency-key'] = options.idempotencyKey ?? randomKey();
    if (exchange.list) headers['x-list'] = exchange.list;
    const url = `${this.#base}/api/${operation}${exchange.query ? `?${exchange.query}` : ''}`;
    const body = JSON.stringify(request);
    await this.#turnstile.enter(signal);
    try {
      const end = performance.now() + retryFor;
      for (let attempt = 1; ; attempt++) {
        const since = performance.now();
        const result = await this.#send(operation, url, headers, body, options);
        const failed = 'status' in result ? result : undefined;
        const retryIn = failed && isRepeated(failed) ? waitOf(failed, attempt) : Infinity;
        const isLast = performance.now() + retryIn > end;
        this.#options.log?.({
          operation,
          attempt,
          status: failed?.status ?? 200,
          milliseconds: performance.now() - since,
          requestId: 'headers' in result ? requestIdOf(result.headers) : result.requestId,
          ...(failed ? { code: failed.code } : {}),
          ...(isLast ? {} : { retryIn }),
        });
        if (!failed) return result as Answer;
        if (isLast) throw failed;
        await pause(retryIn, signal);
      }
    } finally {
      this.#turnstile.leave();
    }
  }

  /** One attempt. Rejects only if the caller's signal is aborted. */
  async #send(
    operation: string,
    url: string,
    headers: Record<string, string>,
    body: string,
    { signal, timeout = this.#options.timeout ?? TIMEOUT }: CallOptions,
  ): Promise<Answer | FieldServiceError> {
    // It may have been aborted before the listener was added, which then hears no event.
    signal?.throwIfAborted();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeout);
    const stop = (): void => controller.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      // A redirect would forward the key.
      const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual', signal: controller.signal };
      const response = await this.fetch(url, init);
      return toAnswer(operation, response, await response.text());
    } catch (error) {
      signal?.throwIfAborted();
      const isTimeout = controller.signal.aborted;
      const message = isTimeout ? `No answer came within ${timeout} ms.` : `The connection failed${foreignPage(url)}.`;
      const code = isTimeout ? 'timeout' : 'connection';
      return errorOf({ message: `${operation}: ${message}`, operation, code, cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** The time that the API gives, plus a random part of it, so that waiting clients do not all return at once. */
function waitOf({ retryAfter }: FieldServiceError, attempt: number): number {
  const named = retryAfter === undefined ? 0 : retryAfter * 1_000;
  const own = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  return named ? named + Math.random() * Math.min(named, 1_000) : own * (0.5 + Math.random() / 2);
}

function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

const requestIdOf = (headers: Headers): string => headers.get('x-request-id') ?? headers.get('apigw-requestid') ?? '';

function toAnswer(operation: string, response: Response, text: string): Answer | FieldServiceError {
  const { status, headers } = response;
  const fields = parseObject(text);
  if (status === 200 && fields['ResultCode'] === 0) return { fields, headers };
  const seconds = headers.get('retry-after');
  const message = fields['Message'] ?? fields['message'];
  const isNamed = typeof message === 'string' && message;
  return errorOf({
    message: `${operation}: ${isNamed ? message : `The answer is HTTP ${status}, and not of the API.`}`,
    // Browsers hide the status of a redirect.
    status: status || 302,
    operation,
    requestId: requestIdOf(headers),
    body: fields,
    code: typeof fields['Code'] === 'string' ? fields['Code'] : '',
    fields: (fields['Errors'] ?? []) as readonly FieldError[],
    ...(seconds && Number(seconds) >= 0 ? { retryAfter: Number(seconds) } : {}),
  });
}
