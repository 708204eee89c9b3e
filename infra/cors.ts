/** https anywhere; http only for this machine, where pages are developed. */
const ORIGIN = /^(https:\/\/[^*]+|http:\/\/(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?)$/;

/** Whether a text is an origin as browsers send it, of a page that nobody can modify in transit. */
export const isOrigin = (text: string): boolean =>
  ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;

export const ORIGIN_RULE = 'must be origins such as https://app.example.com or http://localhost:5173, without a path';

/** The request headers that operations, files and /mcp read, except those that need no permission. */
export const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'mcp-protocol-version',
  'x-api-key',
  'x-list',
] as const;

/** The response headers that a page may read. */
export const EXPOSED_HEADERS = [
  'apigw-requestid',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'x-list',
  'x-next-skip',
  'x-request-id',
] as const;

/** How long a browser caches a preflight; Chromium allows no longer. */
export const PREFLIGHT_HOURS = 2;

/** What a page may call: the API, and the bucket by addresses that the API signs. */
export const API_METHODS = ['GET', 'HEAD', 'POST'] as const;
export const BUCKET_METHODS = ['GET', 'HEAD', 'PUT'] as const;
export const BUCKET_HEADERS = ['content-type'] as const;

interface Allowed {
  readonly methods: readonly string[];
  readonly headers: readonly string[];
}

/** The answer to a preflight of this origin. */
export const preflightHeaders = (origin: string, { methods, headers }: Allowed): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': methods.join(','),
  'access-control-allow-headers': headers.join(','),
  'access-control-max-age': String(PREFLIGHT_HOURS * 3_600),
  vary: 'Origin',
});

/** The headers that let a page of this origin read an answer. */
export const answerHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED_HEADERS.join(','),
  vary: 'Origin',
});
