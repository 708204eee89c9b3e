import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import type { ApiKeyRecord } from '../entities/api-keys.ts';
import { once } from '../shared/caches.ts';
import { Failure, invalid } from '../shared/failure.ts';
import { asActor } from '../store/dynamodb/actor.ts';
import { type Usage, WaitBudget } from '../store/dynamodb/call-requests.ts';
import { type TableWriter, openTable, withCurrentValues } from '../store/dynamodb/table.ts';
import { parseKey } from '../store/requests/api-keys.ts';
import {
  authenticate,
  authorize,
  checkAddress,
  checkBodyKey,
  checkSuspension,
  countCall,
  readCredential,
  readFormCredential,
  toCaller,
  whileKeyIsValid,
} from './callers/access.ts';
import { type Admission, admit } from './callers/rate-limit.ts';
import type { Context, Need } from './context.ts';
import { checkBodySize, isForm, keyInForm, parseBody, scanBody, toFormBody } from './http/read-body.ts';
import { suggestOperation } from './http/suggest-path.ts';
import type { Operation, UnnamedOperation } from './operation.ts';
import { type CallMode, perform, validRequest } from './perform.ts';
import { type CallLog, failureBody, logCall, respond, startLog, toFailure } from './respond.ts';

/**
 * What a Lambda function does with a call: the handler of a group finds the operation, and the pipeline goes from the
 * body to the response (CONTRIBUTING.md, The path of one request).
 */

/** What one Lambda function serves. */
export interface Group {
  readonly name: string;
  /** One sentence for the document. */
  readonly description: string;
  readonly operations: readonly Operation[];
  /** `/api/<group>/{operation}`, or the paths that only this function serves. */
  readonly paths: readonly string[];
  /** What its IAM statements allow. */
  readonly needs: readonly Need[];
  /** Whether anyone may call it without a key. Its function then has no access to the table. */
  readonly isPublic?: true;
  /**
   * Whether links of clients open it, and no key: its function then reads no keys, and takes no calls from their rates.
   */
  readonly isForClients?: true;
  /** Whether it has no operations of its own and calls those of others, whose metrics count its calls. */
  readonly callsOthers?: true;
  readonly handler: Handler;
}

/** A group that others call in their process. */
export interface OperationGroup extends Group {
  readonly serve: Serve;
}

/** What the IAM statements of their function allow. */
const needsOf = (operations: readonly Operation[]): readonly Need[] => [
  ...new Set(operations.flatMap(({ needs }) => needs)),
];

/** The operation as a group has it. */
export function named(operation: UnnamedOperation, name: string): Operation {
  const [group = '', last = ''] = name.split('/');
  return { ...operation, name, group, operation: last };
}

/**
 * Makes a group of its operations, each under the last part of its path. `separate` are operations that a function of
 * their own serves, for the hint at a misspelt name.
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
  const serve = pipeline(({ pathParameters }) => findOperation(pathParameters?.['operation'] ?? ''));
  return {
    name,
    description,
    operations,
    paths: [`/api/${name}/{operation}`],
    needs: needsOf(operations),
    handler: (event, lambda) => serve(event, lambda, {}),
    serve,
  };
}

/**
 * Operations of other groups, by their paths, that a function of its own serves, since they carry libraries and
 * permissions that the others of their groups do without. Each has its own route, which API Gateway prefers to that of
 * its group.
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
  const serve = pipeline(({ rawPath }) => findOperation(rawPath));
  return {
    name,
    description,
    operations,
    paths: operations.map((operation) => `/api/${operation.name}`),
    needs: needsOf(operations),
    handler: (event, lambda) => serve(event, lambda, {}),
  };
}

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;
export type Handler = (event: Event, context: LambdaContext) => Promise<Result>;
/** A handler that another function calls in its process, in a mode that no call over HTTP has. */
type Serve = (event: Event, context: LambdaContext, mode: CallMode) => Promise<Result>;

/** Time reserved before Lambda ends the call: the caller gets a 503 and not a closed connection. */
export const RESERVED_MILLISECONDS = 500;

/** One call. The steps report what they learn in `log` and `headers`, for the answer and the log line of a failure. */
interface Call {
  readonly event: Event;
  readonly log: CallLog;
  readonly headers: Record<string, string>;
  /** The table as the operation uses it; its meter counts what the operation costs. */
  readonly table: TableWriter;
  /** The table as the pipeline uses it (key, rate limit), with a meter of its own. */
  readonly pipelineTable: TableWriter;
  /** The key of the call, once it is known, also if it has ended. */
  key?: ApiKeyRecord;
  /** What the key's rate limit allowed. */
  admission?: Admission;
}

type FindOperation = (event: Event) => Operation;

/** Serves every operation; `findOperation` throws 404. */
function pipeline(findOperation: FindOperation): Serve {
  return async (event, lambda, mode) => {
    const call = beginCall(event);
    const timed = middy<Event, Result>(() => serve(call, findOperation, mode), {
      timeoutEarlyInMillis: RESERVED_MILLISECONDS,
    })
      .after(async ({ response }) => {
        await audit(call, response?.statusCode ?? 200);
        await logCall(call.log, response?.statusCode ?? 200);
      })
      .onError(async (request) => {
        request.response = await fail(call, request.error);
      });
    return timed(event, lambda);
  };
}

/** The steps of every call. */
async function serve(call: Call, findOperation: FindOperation, mode: CallMode): Promise<Result> {
  const { event, log, headers, pipelineTable } = call;
  const found = findOperation(event);
  log.operation = found.name;
  checkMethod(event, found);
  checkBodySize(event, found);
  const form = isForm(event, found) ? toFormBody(event) : undefined;
  const scanned = once(() => scanBody(event, found));
  const credential = form
    ? readFormCredential(event.headers, keyInForm(form))
    : readCredential(found, event.headers, scanned);
  log.key = publicPartOf(credential);
  const key = await authenticate(pipelineTable, credential, log.now, (known) => (call.key = known));
  log.account = key.Account;
  checkAddress(key, log.source);
  await checkSuspension(pipelineTable, key);
  call.admission = await admit(pipelineTable, key, log.now, log.source);
  const body = form && found.readForm ? await found.readForm(form, credential) : parseBody(scanned());
  const operation: Operation = found.isWrite?.(body) ? { ...found, access: 'write' } : found;
  checkBodyKey(operation, credential, body);
  authorize(operation, key, body);
  const request = validRequest(operation, body);
  const query = readQuery(operation, event.queryStringParameters);
  const idempotencyKey = event.headers['idempotency-key'];
  const context = { ...contextOf(call, operation, key), query };
  const sent = Object.keys(query).length ? { ...body, '?': query } : body;
  const reply = await perform({ operation, key, body: sent, request, idempotencyKey, context, mode });
  log.fields = reply.logFields;
  await charge(call);
  const list = context.caller.reader?.header;
  if (list) headers['X-List'] = list;
  if (reply.nextSkip !== undefined) headers['X-Next-Skip'] = String(reply.nextSkip);
  const Location = redirectLocation(operation, event.headers['accept'], reply.Body);
  if (Location) return respond(log.requestId, 303, reply.Body, { ...headers, Location });
  return respond(log.requestId, reply.Status, reply.Body, headers);
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

/** Where the caller goes instead of reading the answer, if it accepts what is there. */
function redirectLocation({ redirect }: Operation, accept = '', body: string): string | undefined {
  if (!redirect || !accept) return undefined;
  const accepted = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
  if (!redirect.types.some((type) => accepted.includes(type))) return undefined;
  return redirect.location(JSON.parse(body) as never) || undefined;
}

const publicPartOf = (key = ''): string | null => parseKey(key)?.publicPart ?? null;

/** The request id is API Gateway's: its access log and ours name the same call. */
function beginCall(event: Event): Call {
  const waitBudget = new WaitBudget();
  const [table, pipelineTable] = [openTable({ waitBudget }), openTable({ waitBudget })];
  const log = startLog(event, table.meter, pipelineTable.meter);
  log.key = publicPartOf(event.headers['x-api-key']);
  return { event, log, headers: {}, table, pipelineTable };
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

/** Charges the key what the call cost, once, and ends it for the limit of calls in flight. */
async function charge({ admission, table, headers }: Call): Promise<void> {
  Object.assign(headers, await admission?.end(new Date(), tokensOf(table.meter.usage)));
}

function checkMethod({ requestContext }: Event, { name }: Operation): void {
  if (requestContext.http.method !== 'POST')
    throw new Failure('wrong_method', `Call ${name} with POST.`, { headers: { Allow: 'POST' } });
}

function contextOf(call: Call, { access, isCurrent }: Operation, key: ApiKeyRecord): Context<Need> {
  const { event, log } = call;
  const readable = isCurrent ? withCurrentValues(call.table) : call.table;
  const table = access === 'read' ? readable : whileKeyIsValid(call.table, key);
  return {
    caller: toCaller(key, event.headers, { address: log.source, now: log.now }),
    key,
    now: log.now,
    sourceIp: log.source,
    query: {},
    acceptsGzip: /\bgzip\b/i.test(event.headers['accept-encoding'] ?? ''),
    table: asActor(table, { Key: key.Public, Name: key.Name, RequestId: log.requestId }),
  };
}

async function audit({ key, log, pipelineTable }: Call, status: number): Promise<void> {
  const { operation, source: address, now } = log;
  if (key) await countCall(pipelineTable, key, { operation, status, address, now });
}

async function fail(call: Call, error: unknown): Promise<Result> {
  const { log, headers } = call;
  await charge(call);
  const failure = toFailure(error, log.requestId);
  await audit(call, failure.status);
  await logCall(log, failure.status, failure.cause ?? failure);
  return respond(log.requestId, failure.status, failureBody(failure), { ...headers, ...failure.headers });
}
