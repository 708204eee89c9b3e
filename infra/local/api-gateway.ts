import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { failureBody, respond } from '../../lib/api/respond.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { charsetOf } from '../../lib/shared/text/charset.ts';
import type { Outcome } from './lambda.ts';

/** `rawHeaders` alternates names and values, as in node:http. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly protocol: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly port: number;
  readonly now: Date;
}

export interface Route {
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Hop-by-hop headers, and cookies, which have a separate field. */
const hopHeaders = new Set([
  'connection',
  'cookie',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Decodes percent-encoding; malformed text is returned unchanged. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path and query string of a request target, both still encoded. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/')
    ? target
    : URL.canParse(target)
      ? new URL(target).pathname + new URL(target).search
      : '/';
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** Joins values with the same name by commas. */
function joinValues(entries: Iterable<readonly [string, string]>): Map<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of entries) {
    const previous = joined.get(name);
    joined.set(name, previous === undefined ? value : `${previous},${value}`);
  }
  return joined;
}

const headerEntries = (rawHeaders: readonly string[]) =>
  rawHeaders.flatMap((name, index) => (index % 2 ? [] : [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const]));

const cookiesOf = (rawHeaders: readonly string[]): string[] =>
  headerEntries(rawHeaders)
    .flatMap(([name, value]) => (name === 'cookie' ? value.split(/; */) : []))
    .filter(Boolean);

/**
 * Bodies that API Gateway passes as text; all others, including `application/x-www-form-urlencoded`, arrive as base64.
 * How it treats text in other charsets than UTF-8 is undocumented: here it arrives as base64; if it arrives as text
 * elsewhere, the function refuses what was lost.
 */
const isText = (contentType = ''): boolean =>
  /^(text\/[^;]*|application\/(json|javascript|xml))\s*(;|$)/i.test(contentType.trim()) &&
  ['utf-8', 'utf8'].includes(charsetOf(contentType));

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** The time as in an access log: `12/Mar/2020:19:03:58 +0000`. */
function logTime(at: Date): string {
  const day = `${two(at.getUTCDate())}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}`;
  return `${day}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
}

function forwardedHeaders({ rawHeaders, body, sourceIp, port, now }: HttpRequest): Record<string, string> {
  const headers = joinValues(headerEntries(rawHeaders));
  for (const name of hopHeaders) headers.delete(name);
  const via = headers.get('x-forwarded-for');
  headers.set('content-length', String(body.length));
  headers.set(
    'x-amzn-trace-id',
    `Root=1-${Math.floor(now.getTime() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
  );
  headers.set('x-forwarded-for', via ? `${via}, ${sourceIp}` : sourceIp);
  headers.set('x-forwarded-port', String(port));
  headers.set('x-forwarded-proto', 'http');
  return Object.fromEntries(headers);
}

/** The event of API Gateway's HTTP API, payload format 2.0. The path is percent-decoded; the query string is not. */
export function gatewayEvent(request: HttpRequest, { routeKey, pathParameters }: Route): APIGatewayProxyEventV2 {
  const { method, target, protocol, rawHeaders, body, sourceIp, now } = request;
  const { path, query } = splitTarget(target);
  const headers = forwardedHeaders(request);
  const cookies = cookiesOf(rawHeaders);
  const rawPath = decode(path);
  const isTextBody = isText(headers['content-type']);
  const domainName = (headers['host'] ?? '127.0.0.1').replace(/:\d+$/, '');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: query,
    ...(cookies.length ? { cookies } : {}),
    headers,
    ...(query ? { queryStringParameters: Object.fromEntries(joinValues(new URLSearchParams(query))) } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: { method, path: rawPath, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      // Like API Gateway's: JKJaXmPLvHcESHA=
      requestId: `${randomBytes(11).toString('base64url').replaceAll(/[-_]/g, '0')}=`,
      routeKey,
      stage: '$default',
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...(pathParameters ? { pathParameters: { ...pathParameters } } : {}),
    ...(body.length ? { body: body.toString(isTextBody ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !isTextBody,
  };
}

/** `headers` may contain a name several times. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const isStructured = (value: unknown): value is APIGatewayProxyStructuredResultV2 =>
  typeof value === 'object' && value !== null && 'statusCode' in value;

const hasValidStatus = ({ statusCode }: APIGatewayProxyStructuredResultV2): boolean =>
  typeof statusCode === 'number' && Number.isInteger(statusCode) && statusCode >= 100 && statusCode <= 599;

/** Reads a handler's result like API Gateway: without a status the whole result is a JSON body. */
function toResponse(result: APIGatewayProxyResultV2 | undefined, requestId: string): HttpResponse {
  if (!isStructured(result)) {
    const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result ?? null));
    return { status: 200, headers: [['content-type', 'application/json']], body };
  }
  if (!hasValidStatus(result)) return failureResponse(internalError(requestId), requestId);
  const { statusCode = 200, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    status: statusCode,
    headers: [
      ...(lowerCased.some(([name]) => name === 'content-type')
        ? []
        : [['content-type', 'text/plain;charset=UTF-8'] as const]),
      ...lowerCased,
      ...cookies.map((cookie) => ['set-cookie', cookie] as const),
    ],
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

const internalError = (requestId: string): Failure =>
  new Failure('internal_error', `Internal error. Quote request id ${requestId}.`);

/** A failure of the gateway itself, in the format of the operations. */
export function failureResponse(failure: Failure, requestId: string): HttpResponse {
  return toResponse(respond(requestId, failure.status, failureBody(failure), failure.headers), requestId);
}

export const tooLarge = (bytes: number, limit: string): Failure =>
  new Failure('request_too_large', `The body has ${bytes} bytes. At most ${limit} are allowed.`);

/**
 * The response to an invocation. Where API Gateway responds in its own format (`{"message":"Service Unavailable"}` and
 * the like, which cannot be changed there), this has the same status in our format.
 */
export function gatewayResponse(
  outcome: Outcome<APIGatewayProxyResultV2>,
  requestId: string,
  bodyBytes: number,
): HttpResponse {
  switch (outcome.kind) {
    case 'answer':
      return toResponse(outcome.answer, requestId);
    case 'requestTooLarge':
      // Lambda counts the event as JSON: a body grows by escapes, or by a third as base64.
      return failureResponse(tooLarge(bodyBytes, '6 MB as Lambda counts them'), requestId);
    case 'timeout':
      return failureResponse(
        new Failure(
          'unavailable',
          'The request timed out. Repeat it with the same Idempotency-Key: nothing is done twice.',
          { headers: { 'Retry-After': '1' } },
        ),
        requestId,
      );
    case 'error':
      return failureResponse(internalError(requestId), requestId);
  }
}
