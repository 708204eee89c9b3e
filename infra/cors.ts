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

/** What a page may call: the API, and the bucket by addresses that the API signs. */
export const API_METHODS = ['GET', 'HEAD', 'POST'] as const;
export const BUCKET_METHODS = ['GET', 'HEAD', 'PUT'] as const;
export const BUCKET_HEADERS = ['content-type'] as const;

/** The headers that let a page of this origin read an answer. */
export const answerHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED_HEADERS.join(','),
  vary: 'Origin',
});
