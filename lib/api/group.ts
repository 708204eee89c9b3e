import type { Request } from '@middy/core';
import type { Context as LambdaContext } from 'aws-lambda';
import type { ApiKeyRecord } from '../entities/api-keys.ts';
import { Failure, invalid } from '../shared/failure.ts';
import { SECOND } from '../shared/time/time.ts';
import { once } from '../shared/promises.ts';
import { asActor, withCurrentValues } from '../store/dynamodb/table.ts';
import { findCountry, keyStore } from '../store/requests/api-keys.ts';
import {
  type KeyContext,
  auditor,
  checkKey,
  publicPartOf,
  tables,
  toCaller,
  toListReader,
  whileKeyIsValid,
  authorize,
} from './callers/keys.ts';
import { charge, takeToken } from './callers/rate-limit.ts';
import type { Need, PreparedContext } from './context.ts';
import {
  type ScannedBody,
  acceptsGzip,
  checkBodySize,
  isForm,
  keyInForm,
  parseBody,
  scanBody,
  toFormBody,
  checkBodyKey,
  readCredential,
  readFormCredential,
} from './http/read-request.ts';
import { readValues } from './http/read-values.ts';
import { suggestOperation } from './http/suggest-path.ts';
import { ignoredRemarks, unusedRemarks } from './invalid-request.ts';
import type { FormBody, Operation, UnnamedOperation } from './operation.ts';
import { type CallMode, perform, validRequest } from './perform.ts';
import {
  type Event,
  type Handler,
  type Middleware,
  type Result,
  errorHandler,
  handlerOf,
  logger,
  respond,
  served,
} from './respond.ts';
import { storeOf } from '../store/store.ts';

/** What one Lambda function serves. */
export interface Group {
  readonly name: string;
  /** One sentence for the OpenAPI document. */
  readonly description: string;
  readonly operations: readonly Operation[];
  /** `/api/<group>/{operation}`, or the paths that only this function serves. */
  readonly paths: readonly string[];
  /** What its IAM statements allow. */
  readonly needs: readonly Need[];
  /** Whether anyone may call it without a key. Its function has no access to the table. */
  readonly isPublic?: true;
  /** Whether client links open it instead of keys: its function reads no keys and applies no rate limit of a key. */
  readonly isForClients?: true;
  /** Whether it has no operations of its own and calls those of other groups, whose metrics count its calls. */
  readonly callsOthers?: true;
  readonly handler: Handler;
}

/** A group that other code calls within its own process. */
export interface OperationGroup extends Group {
  /** The handler, with a mode that calls over HTTP never have. */
  readonly serve: (event: Event, context: LambdaContext, mode: CallMode) => Promise<Result>;
}

/** What the IAM statements of their function must allow. */
const needsOf = (operations: readonly Operation[]): readonly Need[] => [
  ...new Set(operations.flatMap(({ needs }) => needs)),
];

/** The operation with the name that its group gives it. */
export function named(operation: UnnamedOperation, name: string): Operation {
  const [group = '', last = ''] = name.split('/');
  return { ...operation, name, group, operation: last };
}

/**
 * Makes a group of operations, each named by the last part of its path. `separate` lists operations that a function of
 * their own serves; it is used for the hint at a misspelt name.
 */
export function group(
  name: string,
  description: string,
  all: Readonly<Record<string, UnnamedOperation>>,
  separate: readonly string[] = [],
): OperationGroup {
  const operations = Object.entries(all).map(([last, operation]) => named(operation, `${name}/${last}`));
  const findOperation = (requested: string): Operation => {
    const found = operations.find(({ operation }) => operation === requested);
    if (found) return found;
    const names = [...operations.map(({ operation }) => operation), ...separate];
    const near = suggestOperation(requested, names);
    const hint = near ? `Did you mean ${name}/${near}?` : `The operations are ${names.join(', ')}.`;
    throw new Failure('unknown_path', `There is no operation ${name}/${requested.slice(0, 64)}. ${hint}`);
  };
  const handler = pipeline(({ pathParameters }) => findOperation(pathParameters?.['operation'] ?? ''));
  return {
    name,
    description,
    operations,
    paths: [`/api/${name}/{operation}`],
    needs: needsOf(operations),
    handler,
    serve: (event, lambda, mode) => handler(event, { ...lambda, mode }),
  };
}

/**
 * A function of its own for operations of other groups, given by their paths, because they need libraries and
 * permissions that the rest of their groups do not. Each has its own route, which API Gateway prefers to that of its
 * group.
 */
export function separateGroup(
  name: string,
  description: string,
  all: Readonly<Record<string, UnnamedOperation>>,
): Group {
  const operations = Object.entries(all).map(([path, operation]) => named(operation, path));
  const findOperation = (path: string): Operation => {
    const found = operations.find((operation) => path === `/api/${operation.name}`);
    if (!found) throw new Failure('unknown_path', `Path ${path.slice(0, 100)} not found.`);
    return found;
  };
  return {
    name,
    description,
    operations,
    paths: operations.map((operation) => `/api/${operation.name}`),
    needs: needsOf(operations),
    handler: pipeline(({ rawPath }) => findOperation(rawPath)),
  };
}

type FindOperation = (event: Event) => Operation;

/**
 * Serves every operation of a function; `findOperation` throws 404. The steps before the handler run in this order,
 * those after it and those of a failure in reverse (CONTRIBUTING.md, The path of one request).
 */
const pipeline = (findOperation: FindOperation) =>
  handlerOf(
    served<OperationContext>()
      .use(logger())
      .use(tables)
      .use(auditor)
      .use(errorHandler)
      .before(route(findOperation))
      .before(readBody)
      .before(checkCaller)
      .use(rateLimiter)
      .before(parse)
      .before(readTexts)
      .before(checkAccess)
      .before(validate)
      .handler(run),
  );

interface OperationContext extends KeyContext {
  operation: Operation;
  /** The body if it is a form; otherwise it is read as text. */
  form: FormBody | undefined;
  scanned: () => ScannedBody;
  credential: string;
  key: ApiKeyRecord;
  body: Record<string, unknown>;
  /** The remarks of the operation's `readLenient`. */
  readRemarks?: readonly string[];
  query: Record<string, string>;
  /** The output of the operation's request schema. */
  request: unknown;
}

type CallRequest = Request<Event, Result, Error, OperationContext>;

const route =
  (findOperation: FindOperation) =>
  ({ event, context }: CallRequest): void => {
    context.log.key = publicPartOf(event.headers['x-api-key']);
    context.operation = findOperation(event);
    const { name } = context.operation;
    context.log.operation = name;
    if (event.requestContext.http.method !== 'POST')
      throw new Failure('wrong_method', `Call ${name} with POST.`, { headers: { Allow: 'POST' } });
  };

/** Determines the kind of body. It is parsed only once its caller is known. */
function readBody({ event, context }: CallRequest): void {
  const { operation } = context;
  checkBodySize(event, operation);
  context.form = isForm(event, operation) ? toFormBody(event) : undefined;
  context.scanned = once(() => scanBody(event, operation));
}

async function checkCaller({ event, context }: CallRequest): Promise<void> {
  const { form, scanned } = context;
  context.credential = form
    ? readFormCredential(event.headers, keyInForm(form))
    : readCredential(event.headers, scanned);
  context.key = await checkKey(context, context.credential, context.mode ?? {});
}

const rateLimiter: Middleware<OperationContext> = {
  before: ({ context }) => takeToken(context, context.key),
  after: charge,
  onError: charge,
};

async function parse({ context }: CallRequest): Promise<void> {
  const { operation, form, credential, key, scanned } = context;
  context.body =
    form && operation.readForm
      ? await operation.readForm(form, credential)
      : parseBody(scanned(), { isLenient: key.Lenient });
  checkBodyKey(credential, context.body);
}

/**
 * Converts texts to the numbers and flags they stand for, and drops what lenient keys may send, before anything depends
 * on them.
 */
async function readTexts({ context }: CallRequest): Promise<void> {
  const { operation, body, table, key } = context;
  context.unknownFields = await readValues(operation.requestSchema(), body, {
    isLenient: key.Lenient,
    findCountry: () => findCountry(keyStore(table, key)),
  });
  if (key.Lenient && operation.readLenient)
    context.readRemarks = operation.readLenient(body, await findCountry(keyStore(table, key)));
}

/** Checks whether the key may call the operation; some requests turn a reading operation into a writing one. */
function checkAccess({ context }: CallRequest): void {
  const { operation, body, key } = context;
  if (operation.isWrite?.(body)) context.operation = { ...operation, access: 'write' };
  authorize(context.operation, key, body);
}

function validate({ event, context }: CallRequest): void {
  const { operation, body } = context;
  context.request = validRequest(operation, body);
  context.query = readQuery(operation, event.queryStringParameters);
}

/** The query parameters that the operation declares. Throws 400 for an unknown value. */
function readQuery({ query = {} }: Operation, sent: Event['queryStringParameters'] = {}): Record<string, string> {
  const parameters = Object.entries(query).flatMap(([name, { values }]) => {
    const value = sent[name]?.trim().toLowerCase();
    if (!value) return [];
    if (!values.includes(value))
      throw invalid({ field: name, code: 'unknown_value', message: `must be ${values.join(' or ')}` });
    return [[name, value] as const];
  });
  return Object.fromEntries(parameters);
}

async function run(event: Event, call: OperationContext): Promise<Result> {
  const { operation, key, request, query, log, mode = {} } = call;
  const context = contextOf(event, call);
  const body = Object.keys(query).length ? { ...call.body, '?': query } : call.body;
  const idempotencyKey = event.headers['idempotency-key'];
  const reply = await perform({ operation, key, body, request, idempotencyKey, context, mode });
  log.fields = reply.logFields;
  const list = context.caller.reader?.header;
  const file = operation.redirect && (await fileAnswer(operation.redirect, call, event.headers, reply.Body));
  if (file) return file;
  return respond(log.requestId, reply.Status, reply.Body, {
    ...(list ? { 'X-List': list } : {}),
    ...(reply.nextSkip === undefined ? {} : { 'X-Next-Skip': String(reply.nextSkip) }),
  });
}

function contextOf({ headers }: Event, call: OperationContext): PreparedContext {
  const { operation, key, table, query, log, body, unknownFields = [], readRemarks = [] } = call;
  const readable = operation.isCurrent ? withCurrentValues(table) : table;
  const isRead = operation.access === 'read';
  const usable = isRead ? readable : whileKeyIsValid(table, key);
  const reader = isRead ? { reader: toListReader(key, headers, log.source) } : {};
  const caller = { ...toCaller(key, log.now), ...reader };
  return {
    store: storeOf(asActor(usable, { Key: key.Public, Name: key.Name, RequestId: log.requestId }), caller),
    caller,
    key,
    now: log.now,
    sourceIp: log.source,
    query,
    acceptsGzip: wantsFile(call, headers) !== undefined && acceptsGzip(headers['accept-encoding']),
    remarks: [...readRemarks, ...ignoredRemarks(operation, unknownFields), ...unusedRemarks(operation, body)],
  };
}

/** How long the function waits for a file before it answers with the file's address. */
const FILE_TIMEOUT = 10 * SECOND;

/**
 * Which form of the file the caller wants instead of JSON with its address: a redirect, if it accepts the file's type,
 * or the content itself, for a lenient key whose program reads bodies but follows no addresses.
 */
function wantsFile(
  { operation: { redirect }, key, mode }: OperationContext,
  { accept = '' }: Event['headers'],
): 'address' | 'content' | undefined {
  const accepted = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
  if (redirect?.types.some((type) => accepted.includes(type))) return 'address';
  return redirect && key.Lenient && !mode && !accepted.includes('application/json') ? 'content' : undefined;
}

/** The answer to a caller who wants the file: a 303, or the content if it fits. */
async function fileAnswer(
  { location, fits }: NonNullable<Operation['redirect']>,
  call: OperationContext,
  headers: Event['headers'],
  body: string,
): Promise<Result | undefined> {
  const { log } = call;
  const wanted = wantsFile(call, headers);
  if (!wanted) return undefined;
  const answer = JSON.parse(body) as never;
  const Location = location(answer);
  const redirected = respond(log.requestId, 303, body, { Location });
  if (wanted === 'address' || !fits(answer)) return redirected;
  const file = await fetch(Location, { signal: AbortSignal.timeout(FILE_TIMEOUT) });
  if (!file.ok) return redirected;
  const content = Buffer.from(await file.arrayBuffer()).toString('base64');
  const type = file.headers.get('content-type') ?? '';
  const sent = respond(log.requestId, 200, content, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' });
  return { ...sent, isBase64Encoded: true };
}
