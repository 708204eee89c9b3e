import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Failure, invalid } from '../../shared/failure.ts';
import { formatBytes, formatInteger } from '../../shared/text/text.ts';
import { MAX_BODY_BYTES } from '../../shared/limits.ts';
import { endOfString } from '../../shared/objects.ts';
import { charsetOf, decodeText } from '../../shared/text/charset.ts';
import { STRING_OR_TRAILING_COMMA } from '../../shared/text/json-texts.ts';
import type { FormBody, Operation } from '../operation.ts';
import { findJsonMistake } from './json-mistakes.ts';

/** Reads the body of a request and the key of the call. */

const MAX_DEPTH = 64;
/**
 * The fewest bytes of a body per value: at most 26,214 values in 256 KB. JSON with field names has at least twice as
 * many bytes, and an array of 100,000 characters fits the 1 MB of contacts/logcall.
 */
const MIN_BYTES_PER_VALUE = 10;

/** Whether a caller accepts gzip, by name or by `*`. A caller that names no coding gets uncompressed text. */
export const acceptsGzip = (accepted = ''): boolean =>
  /(^|[\s,])(gzip|x-gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))(?=[\s,;]|$)/i.test(accepted);

type Body = Pick<APIGatewayProxyEventV2, 'body' | 'headers' | 'isBase64Encoded'>;

const encoding = ({ isBase64Encoded }: Pick<Body, 'isBase64Encoded'>) => (isBase64Encoded ? 'base64' : 'utf8');

const REPLACEMENT = '\uFFFD';

export const bodyBytes = (event: Body): Buffer => Buffer.from(event.body ?? '', encoding(event));

/** What API Gateway passes on as text is UTF-8. */
const bodyCharset = ({ headers, isBase64Encoded }: Body): string =>
  isBase64Encoded ? charsetOf(headers['content-type']) : 'utf-8';

/**
 * A decoder of the body. Throws 400 for bytes that are invalid in its charset, even if API Gateway has already replaced
 * them: the body is then longer than it was sent.
 */
export function bodyDecoder(event: Body): (bytes: Uint8Array) => string {
  const { body = '', headers, isBase64Encoded } = event;
  const sentBytes = headers['content-length'];
  const isReplaced =
    !isBase64Encoded && body.includes(REPLACEMENT) && sentBytes && Number(sentBytes) !== Buffer.byteLength(body);
  if (isReplaced) throw new Failure('invalid_body', 'The body has bytes that are not UTF-8. Send it in UTF-8.');
  return (bytes) => decodeText(bytes, bodyCharset(event));
}

/** The most that is read of a body to find a key in it: 1 MB takes up to 15 ms. */
const MAX_BYTES_WITHOUT_HEADER = 1024 * 1024;

/**
 * Throws 413 for a body that is longer than its operation allows, or too long to look for the key in it. The size is
 * known without reading the body.
 */
export function checkBodySize(event: APIGatewayProxyEventV2, { name, maxBody = MAX_BODY_BYTES }: Operation): void {
  const bytes = Buffer.byteLength(event.body ?? '', encoding(event));
  if (bytes > maxBody) throw tooLarge(name, bytes, maxBody);
  const isJson = typeOf(event) !== FORM;
  if (isJson && bytes > MAX_BYTES_WITHOUT_HEADER && !event.headers['x-api-key'])
    throw new Failure(
      'request_too_large',
      `Send the key in the header X-Api-Key: the body has ${formatBytes(bytes)}, and a key in the body is read up to ` +
        `${formatBytes(MAX_BYTES_WITHOUT_HEADER)}.`,
    );
}

export const tooLarge = (operation: string, bytes: number, limit: number): Failure =>
  new Failure(
    'request_too_large',
    `The body has ${formatBytes(bytes)}; ${operation} takes at most ${formatBytes(limit)}.`,
  );

/** The text of a body without its byte order mark. Throws 400. */
function decode(event: Body): string {
  const bytes = bodyBytes(event);
  const [first = 0] = bytes;
  if (first === 0x1f)
    throw new Failure('invalid_body', 'The body is compressed with gzip. Send it uncompressed, as UTF-8.');
  const isBinary = first === 0xff || first === 0xfe || bytes.subarray(0, 10).includes(0);
  if (isBinary && !bodyCharset(event).startsWith('utf-16'))
    throw new Failure('invalid_body', 'The body is UTF-16 or binary. Send JSON in UTF-8.');
  return withoutForms(bodyDecoder(event)(bytes));
}

const SEND_JSON = 'Send a JSON object, such as {"ContactId": 1}, with Content-Type: application/json.';

/** `ContactId=1&Name=Ann`, which some clients send by default. */
const URL_ENCODED = /^[\w.[\]%+-]{1,100}=/;
const MULTIPART = /^--\S{1,70}\r?\n/;

/** The text, unless it is in a format other than JSON. Throws 400 without looking for a key inside. */
function withoutForms(text: string): string {
  const start = text.slice(0, 200).trimStart();
  if (URL_ENCODED.test(start)) throw new Failure('invalid_body', `The body is form-encoded (name=value). ${SEND_JSON}`);
  if (MULTIPART.test(start)) throw new Failure('invalid_body', `The body is multipart/form-data. ${SEND_JSON}`);
  if (start.startsWith('<')) throw new Failure('invalid_body', `The body is XML or HTML. ${SEND_JSON}`);
  return text;
}

/** What is known of a body before it is parsed. */
export interface ScannedBody {
  readonly text: string;
  /** The text of the field ApiKey, or an empty text. */
  readonly apiKey: string;
}

/**
 * Finds the key in a body and refuses what would be expensive to parse: deep nesting, and more values than an honest
 * body of the operation has. One pass over the text. Throws 400.
 */
export function scanBody(event: Body, operation: Operation): ScannedBody {
  const { maxBody = MAX_BODY_BYTES, maxValues = Math.floor(maxBody / MIN_BYTES_PER_VALUE) } = operation;
  const text = decode(event);
  let apiKey = '';
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) {
      const end = endOfString(text, index);
      if (depth === 1 && end - index === 7 && text.startsWith('ApiKey', index + 1))
        apiKey = stringAfterColon(text, end + 1) ?? apiKey;
      index = end;
    } else if (character === COMMA) values++;
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      values++;
      if (++depth > MAX_DEPTH)
        throw invalid({ field: '', code: 'limit', message: `must not be nested deeper than ${MAX_DEPTH} levels` });
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--;
    if (values > maxValues)
      throw invalid({
        field: '',
        code: 'limit',
        message: `must not have more than ${formatInteger(maxValues)} values`,
      });
  }
  return { text, apiKey };
}

const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A key has 48 characters, and none that JSON escapes. */
const SHORT_STRING = /\s*:\s*"([^"\\]{0,100})"/y;

function stringAfterColon(text: string, offset: number): string | undefined {
  SHORT_STRING.lastIndex = offset;
  return SHORT_STRING.exec(text)?.[1];
}

const typeOf = ({ headers }: Pick<APIGatewayProxyEventV2, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const FORM = 'multipart/form-data';

/**
 * Whether the body is multipart/form-data and the operation accepts that. Throws 400 for a type that it does not
 * accept.
 */
export function isForm(event: APIGatewayProxyEventV2, { name, readForm }: Operation): boolean {
  const type = typeOf(event);
  if (readForm && type === FORM) return true;
  const takes = readForm ? `${FORM} or application/json` : 'application/json';
  if (/^(multipart|image|audio|video|font)\//.test(type))
    throw new Failure('invalid_body', `${name} takes ${takes}; the Content-Type of the body is ${type.slice(0, 100)}.`);
  return false;
}

/** The form as its operation reads it. */
export const toFormBody = (event: APIGatewayProxyEventV2): FormBody => ({
  contentType: event.headers['content-type'] ?? '',
  body: event.body ?? '',
  isBase64Encoded: event.isBase64Encoded,
});

/** How much of a form is searched for its key: the fields before the first file. */
const MAX_FORM_START = 16 * 1024;
const KEY_PART = /\r\ncontent-disposition: *form-data; *name="?ApiKey"?\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]{1,100})\r\n/i;

/** The first non-empty field ApiKey of a form that comes before the files, or an empty text. */
export function keyInForm({ body, isBase64Encoded }: FormBody): string {
  const start = isBase64Encoded
    ? Buffer.from(body.slice(0, (MAX_FORM_START / 3) * 4), 'base64').toString('latin1')
    : body;
  return KEY_PART.exec(start.slice(0, MAX_FORM_START))?.[1] ?? '';
}

/**
 * The JSON object of a scanned body; lenient keys may leave a comma after the last field or element. Throws 400;
 * `consequence` is added to what is wrong.
 */
export function parseBody(
  { text }: ScannedBody,
  { consequence = '', isLenient = false }: { readonly consequence?: string; readonly isLenient?: boolean } = {},
): Record<string, unknown> {
  if (text.trim() === '') throw invalid({ field: '', code: 'required', message: 'is empty; send a JSON object' });
  const value = parse(isLenient ? withoutTrailingCommas(text) : text, consequence);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid({ field: '', code: 'format', message: `must be a JSON object${describeOther(value, consequence)}` });
  return value as Record<string, unknown>;
}

/**
 * How much of a body without a key is parsed: enough for the mistakes of a person, too little for the work of an
 * attacker.
 */
const MAX_PARSED_WITHOUT_KEY = 64 * 1024;

/**
 * Throws 400 for a body in which no key can be found because it is not a JSON object; an empty body simply has none.
 */
function checkKeyReadable(body: ScannedBody): void {
  if (body.text.length <= MAX_PARSED_WITHOUT_KEY && body.text.trim())
    parseBody(body, { consequence: ', so the key in it cannot be read' });
}

const withoutTrailingCommas = (text: string): string =>
  text.replace(STRING_OR_TRAILING_COMMA, (found) => (found === ',' ? '' : found));

function describeOther(value: unknown, consequence: string): string {
  if (Array.isArray(value)) return ` and not an array${consequence}. Make one call for each of its elements`;
  const isEncoded = typeof value === 'string' && value.trimStart().startsWith('{');
  return `${isEncoded ? ' and not text that contains JSON: it is encoded twice' : ''}${consequence}`;
}

function parse(text: string, consequence: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const error = findJsonMistake(text);
    const reported = cause instanceof Error ? /position \d+|line \d+ column \d+/.exec(cause.message)?.[0] : undefined;
    const where = reported ?? (error && `position ${error.offset}`);
    const place = where ? ` at ${where}` : '';
    throw new Failure('invalid_body', `Invalid JSON${place}${consequence}.${error ? ` ${error.advice}` : ''}`, {
      cause,
    });
  }
}

/** One message for every bad key, so that it does not reveal whether a key exists. */
export const unauthorized = (): Failure =>
  new Failure(
    'unauthorized',
    'The API key is missing, unknown, revoked or expired. Give a valid one as ApiKey in the body or as the ' +
      'header X-Api-Key.',
  );

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/**
 * The key of a call: from the header X-Api-Key, else from ApiKey in the body. With a key in the header the body is not
 * read. Throws 401, and 400 for a body in which no key can be read.
 */
export function readCredential(headers: RequestHeaders, readBody: () => ScannedBody): string {
  const body = headers['x-api-key'] ? undefined : readBody();
  const key = headers['x-api-key'] || body?.apiKey;
  if (key) return key;
  const misplaced = misplacedKey(headers, body?.text);
  if (!misplaced && body) checkKeyReadable(body);
  throw misplaced ?? unauthorized();
}

/** The key of a form: from the header, or from the field ApiKey before the files. Throws 401. */
export function readFormCredential(headers: RequestHeaders, inForm: string): string {
  const inHeader = headers['x-api-key'] ?? '';
  if (inHeader && inForm && inHeader !== inForm) throw differentKeys();
  if (!inHeader && !inForm) throw misplacedKey(headers) ?? unauthorized();
  return inHeader || inForm;
}

export const differentKeys = (): Failure =>
  new Failure(
    'different_keys',
    'The header X-Api-Key and the field ApiKey differ. Give one of them, or the same key in both.',
  );

/** Headers in which other APIs expect a key. */
const OTHER_HEADERS = ['x-apikey', 'apikey', 'api-key', 'api_key', 'x-api_key', 'x_api_key', 'x-auth-token', 'x-key'];

/** The 401 of a call whose key is where no key is read. It depends only on the call, never on an actual key. */
function misplacedKey(headers: RequestHeaders, body = ''): Failure | undefined {
  const source = authorizationScheme(headers) ?? otherHeader(headers) ?? otherField(body);
  return source === undefined
    ? undefined
    : new Failure(
        'misplaced_key',
        `${source} is not read. Send the API key as the header X-Api-Key, or as ApiKey in the body.`,
      );
}

function authorizationScheme({ authorization = '' }: RequestHeaders): string | undefined {
  const [, scheme] = /^\s*(bearer|basic)\b/i.exec(authorization) ?? [];
  if (scheme) return `The header Authorization (${scheme})`;
  return authorization.trim() ? 'The header Authorization' : undefined;
}

function otherHeader(headers: RequestHeaders): string | undefined {
  const name = OTHER_HEADERS.find((each) => headers[each]);
  return name && `The header ${name}`;
}

/** A key under another name at the start of a body. */
function otherField(body: string): string | undefined {
  const [, name] = /"(api[_-]?key|x-api-key)"\s{0,10}:/i.exec(body.slice(0, 1_000)) ?? [];
  return name && name !== 'ApiKey' ? `The field ${name}` : undefined;
}

/** Throws 401 if the header and the body give different keys. */
export function checkBodyKey(key: string, body: object): void {
  const inBody = 'ApiKey' in body ? body.ApiKey : '';
  if (typeof inBody === 'string' && inBody !== '' && inBody !== key) throw differentKeys();
}
