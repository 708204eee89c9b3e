import type { ApiKeyRecord } from '../entities/api-keys.ts';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { Failure, invalid } from '../shared/failure.ts';
import { once } from '../shared/caches.ts';
import { parseKey } from '../store/requests/api-keys.ts';
import { asActor } from '../store/dynamodb/actor.ts';
import { type TableReader, type TableWriter, openTable } from '../store/dynamodb/client.ts';
import { Verification } from '../store/dynamodb/verification.ts';
import { WaitBudget } from '../store/dynamodb/wait-budget.ts';
import {
  authenticate,
  checkAddress,
  checkBodyKey,
  checkSuspension,
  readCredential,
  readFormCredential,
  toCaller,
  whileKeyIsValid,
} from './callers/authenticate.ts';
import { countCall } from './callers/call-audit.ts';
import { type Admission, type CpuTimer, admit, startCpuTimer, tokensOf } from './callers/rate-limit.ts';
import { type CallLog, logCall, startLog } from './log.ts';
import type { Context, Need } from './context.ts';
import type { Operation } from './operation.ts';
import { validRequest } from './validate.ts';
import { type CallMode, perform } from './perform.ts';
import { checkBodySize, isForm, keyInForm, parseBody, scanBody, toFormBody } from './http/read-body.ts';
import { failureBody, respond, toFailure } from './http/respond.ts';
import { authorize } from './callers/roles.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;
export type Handler = (event: Event, context: LambdaContext) => Promise<Result>;
/** A handler that another function calls in its process, in a mode that no call over HTTP has. */
export type Serve = (event: Event, context: LambdaContext, mode: CallMode) => Promise<Result>;

/** Time reserved before Lambda ends the call: the caller gets a 503 and not a closed connection. */
export const RESERVED_MILLISECONDS = 500;

/** One call. The steps report what they learn in `log` and `headers`, for the answer and the log line of a failure. */
interface Call {
  readonly event: Event;
  readonly log: CallLog;
  readonly headers: Record<string, string>;
  /** What the call took from the container's memory. */
  readonly verification: Verification<TableReader>;
  /** The table as the operation uses it; its meter counts what the operation costs. */
  readonly table: TableWriter;
  /** The table as the pipeline uses it (key, rate limit), with a meter of its own. */
  readonly pipelineTable: TableWriter;
  readonly cpu: CpuTimer;
  /** The key of the call, once it is known, also if it has ended. */
  key?: ApiKeyRecord;
  /** What the key's rate limit allowed. */
  admission?: Admission;
}

type FindOperation = (event: Event) => Promise<Operation>;

/** Serves every operation; `findOperation` throws 404. */
export function pipeline(findOperation: FindOperation): Serve {
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
  const found = await findOperation(event);
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
  if (found.access !== 'read' || found.isCurrent) call.verification.begin();
  const checkOpen = () => checkSuspension(pipelineTable, key);
  await checkOpen();
  call.admission = await admit(pipelineTable, key, log.now, log.source);
  const body = form && found.readForm ? await found.readForm(form, credential) : parseBody(scanned());
  const operation: Operation = found.isWrite?.(body) ? { ...found, access: 'write' } : found;
  checkBodyKey(operation, credential, body);
  authorize(operation, key, body);
  const request = await validRequest(operation, body);
  const query = readQuery(operation, event.queryStringParameters);
  const idempotencyKey = event.headers['idempotency-key'];
  const context = { ...contextOf(call, operation, key), query };
  const sent = Object.keys(query).length ? { ...body, '?': query } : body;
  const reply = await perform({ operation, key, body: sent, request, idempotencyKey, checkOpen, context, mode });
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
  const verification = new Verification<TableReader>();
  const options = { waitBudget, verification };
  const [table, pipelineTable] = [openTable({ ...options, gathersReads: true }), openTable(options)];
  const log = startLog(event, table.meter, pipelineTable.meter);
  log.key = publicPartOf(event.headers['x-api-key']);
  return { event, log, headers: {}, verification, table, pipelineTable, cpu: startCpuTimer() };
}

/** Charges the key what the call cost, once, and ends it for the limit of calls in flight. */
async function charge({ admission, cpu, table, headers }: Call): Promise<void> {
  const milliseconds = cpu.end();
  Object.assign(headers, await admission?.end(new Date(), tokensOf(table.meter.usage, milliseconds)));
}

function checkMethod({ requestContext }: Event, { name }: Operation): void {
  if (requestContext.http.method !== 'POST')
    throw new Failure('wrong_method', `Call ${name} with POST.`, { headers: { Allow: 'POST' } });
}

function contextOf(call: Call, { access }: Operation, key: ApiKeyRecord): Context<Need> {
  const { event, log } = call;
  const table = access === 'read' ? call.table : whileKeyIsValid(call.table, key);
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
