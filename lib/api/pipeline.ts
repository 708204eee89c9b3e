import type { Request } from '@middy/core';
import type { ApiKeyRecord } from '../entities/api-keys.ts';
import { once } from '../shared/promises.ts';
import { Failure, invalid } from '../shared/failure.ts';
import { type TableWriter, asActor, openTable, withCurrentValues } from '../store/dynamodb/table.ts';
import { type Usage, WaitBudget } from '../store/dynamodb/client.ts';
import { authorize } from './callers/access.ts';
import {
  authenticate,
  checkAddress,
  checkBodyKey,
  checkSuspension,
  countCall,
  publicPartOf,
  readCredential,
  readFormCredential,
  toCaller,
  toListReader,
  whileKeyIsValid,
} from './callers/keys.ts';
import { type Admission, admit } from './callers/rate-limit.ts';
import type { PreparedContext } from './context.ts';
import {
  type ScannedBody,
  checkBodySize,
  isForm,
  keyInForm,
  parseBody,
  scanBody,
  toFormBody,
} from './http/read-body.ts';
import type { FormBody, Operation } from './operation.ts';
import { type CallMode, perform, validRequest } from './perform.ts';
import {
  type CallContext,
  type Event,
  type Middleware,
  type Result,
  errorHandler,
  handlerOf,
  logger,
  respond,
  served,
} from './respond.ts';

type FindOperation = (event: Event) => Operation;

/**
 * Serves every operation of a function; `findOperation` throws 404. The steps before the handler run in this order,
 * those after it and those of a failure in the other (CONTRIBUTING.md, The path of one request).
 */
export const pipeline = (findOperation: FindOperation) =>
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
      .before(checkAccess)
      .before(validate)
      .handler(run),
  );

/** What the steps of a call with a key find out. */
export interface KeyContext extends CallContext {
  /** As the operation uses it; its meter counts what the operation costs. */
  table: TableWriter;
  /** As the steps use it (key, rate limit), with a meter of its own. */
  pipelineTable: TableWriter;
  /** The key, once it is known, also if it has ended. */
  knownKey?: ApiKeyRecord;
  /** What the key's rate allowed. */
  admission?: Admission;
}

interface OperationContext extends KeyContext {
  readonly mode?: CallMode;
  operation: Operation;
  /** The body as a form, if it is one, and as text otherwise. */
  form: FormBody | undefined;
  scanned: () => ScannedBody;
  credential: string;
  key: ApiKeyRecord;
  body: Record<string, unknown>;
  query: Record<string, string>;
  /** The output of the operation's request schema. */
  request: unknown;
}

type CallRequest<Of extends CallContext> = Request<Event, Result, Error, Of>;

/** Opens the table twice, as the operation's costs are the caller's. */
export const tables: Middleware<KeyContext> = {
  before({ context }) {
    const waitBudget = new WaitBudget();
    context.table = openTable({ waitBudget, meter: context.log.meter });
    context.pipelineTable = openTable({ waitBudget, meter: context.log.pipelineMeter });
  },
};

/** Has the audit count a denied call, once its key is known. */
async function audit({ context, response }: CallRequest<KeyContext>): Promise<void> {
  const { knownKey, log, pipelineTable } = context;
  const { operation, source: address, now } = log;
  if (knownKey)
    await countCall(pipelineTable, knownKey, { operation, status: response?.statusCode ?? 200, address, now });
}
export const auditor: Middleware<KeyContext> = { after: audit, onError: audit };

const route =
  (findOperation: FindOperation) =>
  ({ event, context }: CallRequest<OperationContext>): void => {
    context.log.key = publicPartOf(event.headers['x-api-key']);
    context.operation = findOperation(event);
    const { name } = context.operation;
    context.log.operation = name;
    if (event.requestContext.http.method !== 'POST')
      throw new Failure('wrong_method', `Call ${name} with POST.`, { headers: { Allow: 'POST' } });
  };

/** Finds out what the body is. It is parsed once its caller is known. */
function readBody({ event, context }: CallRequest<OperationContext>): void {
  const { operation } = context;
  checkBodySize(event, operation);
  context.form = isForm(event, operation) ? toFormBody(event) : undefined;
  context.scanned = once(() => scanBody(event, operation));
}

async function checkCaller({ event, context }: CallRequest<OperationContext>): Promise<void> {
  const { operation, form, scanned } = context;
  context.credential = form
    ? readFormCredential(event.headers, keyInForm(form))
    : readCredential(operation, event.headers, scanned);
  context.key = await checkKey(context, context.credential);
}

/** The record of a key that may call from this address. Throws 401 and 403. */
export async function checkKey(context: KeyContext, credential: string): Promise<ApiKeyRecord> {
  const { log, pipelineTable } = context;
  log.key = publicPartOf(credential);
  const key = await authenticate(pipelineTable, credential, log.now, (known) => (context.knownKey = known));
  log.account = key.Account;
  checkAddress(key, log.source);
  await checkSuspension(pipelineTable, key);
  return key;
}

/** Takes a token of the key. Throws 429. */
export async function takeToken(context: KeyContext, key: ApiKeyRecord): Promise<void> {
  context.admission = await admit(context.pipelineTable, key, context.log.now, context.log.source);
}

/** What one token of the rate limit includes. */
const READ_UNITS = 150;
const WRITE_UNITS = 50;

/**
 * Tokens that a call costs: one, and more where its units add up to more. Worked: booking a slot with 13 read and 10
 * write units is 13/150 + 10/50 = 0.29, one token; accepting a proposal with 40 visits, 364 write units and 2 read
 * units, is 7.29, eight tokens.
 */
export const tokensOf = ({ readUnits, writeUnits }: Usage): number =>
  Math.max(1, Math.ceil(readUnits / READ_UNITS + writeUnits / WRITE_UNITS));

/** Charges the key what the call cost, and ends it for the limit of calls in flight. */
export async function charge({ context }: Pick<CallRequest<KeyContext>, 'context'>): Promise<void> {
  const { admission, headers, table } = context;
  Object.assign(headers, await admission?.end(new Date(), tokensOf(table.meter.usage)));
}

const rateLimiter: Middleware<OperationContext> = {
  before: ({ context }) => takeToken(context, context.key),
  after: charge,
  onError: charge,
};

async function parse({ context }: CallRequest<OperationContext>): Promise<void> {
  const { operation, form, credential, scanned } = context;
  context.body = form && operation.readForm ? await operation.readForm(form, credential) : parseBody(scanned());
  checkBodyKey(operation, credential, context.body);
}

/** Checks whether the key may call the operation; with some requests one that reads is one that writes. */
function checkAccess({ context }: CallRequest<OperationContext>): void {
  const { operation, body, key } = context;
  if (operation.isWrite?.(body)) context.operation = { ...operation, access: 'write' };
  authorize(context.operation, key, body);
}

function validate({ event, context }: CallRequest<OperationContext>): void {
  const { operation, body } = context;
  context.request = validRequest(operation, body);
  context.query = readQuery(operation, event.queryStringParameters);
}

/** The parameters that the operation declares. Throws 400 for a value that it does not know. */
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
  const location = redirectLocation(operation, event.headers['accept'], reply.Body);
  return respond(log.requestId, location ? 303 : reply.Status, reply.Body, {
    ...(list ? { 'X-List': list } : {}),
    ...(reply.nextSkip === undefined ? {} : { 'X-Next-Skip': String(reply.nextSkip) }),
    ...(location ? { Location: location } : {}),
  });
}

function contextOf({ headers }: Event, { operation, key, table, query, log }: OperationContext): PreparedContext {
  const readable = operation.isCurrent ? withCurrentValues(table) : table;
  const isRead = operation.access === 'read';
  const usable = isRead ? readable : whileKeyIsValid(table, key);
  return {
    caller: { ...toCaller(key, log.now), ...(isRead ? { reader: toListReader(key, headers, log.source) } : {}) },
    key,
    now: log.now,
    sourceIp: log.source,
    query,
    acceptsGzip: /\bgzip\b/i.test(headers['accept-encoding'] ?? ''),
    table: asActor(usable, { Key: key.Public, Name: key.Name, RequestId: log.requestId }),
  };
}

/** Where the caller goes instead of reading the answer, if it accepts what is there. */
function redirectLocation({ redirect }: Operation, accept = '', body: string): string | undefined {
  if (!redirect || !accept) return undefined;
  const accepted = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
  if (!redirect.types.some((type) => accepted.includes(type))) return undefined;
  return redirect.location(JSON.parse(body) as never) || undefined;
}
