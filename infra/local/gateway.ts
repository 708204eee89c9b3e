import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { failureBody, respond } from '../../lib/api/respond.ts';
import { Failure } from '../../lib/shared/failure.ts';
import type { Outcome } from './lambda.ts';

/** An HTTP request as it came in. `rawHeaders` are names and values in turn, as node:http has them. */
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

/** The route that API Gateway chose. */
export interface Route {
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Headers of one connection only, which a gateway does not pass on; cookies travel in a field of their own. */
const notPassedOn = new Set([
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

/** Percent-decoded; text that is not encoded as it should be stays as it is. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Path and query string of a request target, both still encoded. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/')
    ? target
    : URL.canParse(target)
      ? new URL(target).pathname + new URL(target).search
      : '/';
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** Names in lower case; a name that comes several times has its values joined by commas. */
function joined(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

const cookiesOf = (rawHeaders: readonly string[]): string[] =>
  rawHeaders
    .flatMap((name, index) =>
      index % 2 === 0 && name.toLowerCase() === 'cookie' ? (rawHeaders[index + 1] ?? '').split(/; */) : [],
    )
    .filter(Boolean);

function parametersOf(query: string): Record<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(parameters);
}

/**
 * Which bodies API Gateway hands over as text; every other type, also none and also
 * `application/x-www-form-urlencoded` (what curl sends unasked), comes as base64.
 */
const isText = (contentType = ''): boolean =>
  /^(text\/[^;]*|application\/(json|javascript|xml))\s*(;|$)/i.test(contentType.trim());

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** The moment as in an access log: `12/Mar/2020:19:03:58 +0000`. */
function logTime(at: Date): string {
  const day = `${two(at.getUTCDate())}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}`;
  return `${day}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
}

function passedOn({ rawHeaders, body, sourceIp, port, now }: HttpRequest): Record<string, string> {
  const headers = joined(rawHeaders);
  for (const name of notPassedOn) headers.delete(name);
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

/**
 * The event that API Gateway's HTTP API makes of a request, in payload format 2.0. The path is percent-decoded, as it
 * is there; the query string is not.
 */
export function gatewayEvent(request: HttpRequest, { routeKey, pathParameters }: Route): APIGatewayProxyEventV2 {
  const { method, target, protocol, rawHeaders, body, sourceIp, now } = request;
  const { path, query } = splitTarget(target);
  const headers = passedOn(request);
  const cookies = cookiesOf(rawHeaders);
  const rawPath = decoded(path);
  const text = isText(headers['content-type']);
  const domainName = (headers['host'] ?? '127.0.0.1').replace(/:\d+$/, '');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: query,
    ...(cookies.length ? { cookies } : {}),
    headers,
    ...(query ? { queryStringParameters: parametersOf(query) } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: { method, path: rawPath, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      // The form of API Gateway's own, like JKJaXmPLvHcESHA=
      requestId: `${randomBytes(11).toString('base64url').replaceAll(/[-_]/g, '0')}=`,
      routeKey,
      stage: '$default',
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...(pathParameters ? { pathParameters: { ...pathParameters } } : {}),
    ...(body.length ? { body: body.toString(text ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !text,
  };
}

/** An HTTP response, ready to be sent. `headers` may hold a name several times. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const isStructured = (value: unknown): value is APIGatewayProxyStructuredResultV2 =>
  typeof value === 'object' && value !== null && 'statusCode' in value;

const valid = ({ statusCode }: APIGatewayProxyStructuredResultV2): boolean =>
  typeof statusCode === 'number' && Number.isInteger(statusCode) && statusCode >= 100 && statusCode <= 599;

/** What API Gateway makes of a handler's result; without a status it takes the whole result as a JSON body. */
function answerOf(result: APIGatewayProxyResultV2 | undefined, requestId: string): HttpAnswer {
  if (!isStructured(result)) {
    const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result ?? null));
    return { status: 200, headers: [['content-type', 'application/json']], body };
  }
  if (!valid(result)) return failureAnswer(fault(requestId), requestId);
  const { statusCode = 200, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    status: statusCode,
    headers: [
      ...(named.some(([name]) => name === 'content-type')
        ? []
        : [['content-type', 'text/plain;charset=UTF-8'] as const]),
      ...named,
      ...cookies.map((cookie) => ['set-cookie', cookie] as const),
    ],
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

const fault = (requestId: string): Failure => new Failure(500, `A fault of ours; request ${requestId}.`);

/** A failure that the gateway itself answers, in the same shape as those of the operations. */
export function failureAnswer(failure: Failure, requestId: string): HttpAnswer {
  return answerOf(respond(requestId, failure.code, failureBody(failure), failure.headers), requestId);
}

/** 413 of a body of so many bytes. */
export const tooLarge = (bytes: number, most: string): Failure =>
  new Failure(413, `The body has ${bytes} bytes; at most ${most} are taken.`);

/**
 * The response to an invocation. What API Gateway would answer in words of its own when it or Lambda gives up
 * (`{"message":"Service Unavailable"}` and the like, which we cannot change there) is here in our shape: a client
 * written against the local stack meets no third kind of answer, and the statuses are the same.
 */
export function gatewayAnswer(
  outcome: Outcome<APIGatewayProxyResultV2>,
  requestId: string,
  bodyBytes: number,
): HttpAnswer {
  switch (outcome.kind) {
    case 'answer':
      return answerOf(outcome.answer, requestId);
    case 'requestTooLarge':
      // Lambda counts the event as JSON, in which a body grows by escapes or by a third as base64.
      return failureAnswer(tooLarge(bodyBytes, '6 MB as Lambda counts them'), requestId);
    case 'timeout':
      return failureAnswer(
        new Failure(503, 'Time ran out. It is safe to try again; with an Idempotency-Key nothing is done twice.', {
          headers: { 'Retry-After': '1' },
        }),
        requestId,
      );
    case 'error':
      return failureAnswer(fault(requestId), requestId);
  }
}
