import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { Failure, forbidden } from '../shared/failure.ts';
import { failureBody, toFailure, respond } from './answer.ts';
import { authenticate, readCredential } from './authenticate.ts';
import { type Call, had, newCall } from './call.ts';
import { logCall } from './log.ts';
import type { Operation } from './operation.ts';
import { perform } from './perform.ts';
import { checkRateLimit } from './rate.ts';
import { readBody } from './receive.ts';
import { allows } from './roles.ts';
import { validRequest } from './validate.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;
export type Handler = (event: Event, context: LambdaContext) => Promise<Result>;

/** Time kept back before Lambda ends the call, so that the caller gets a sentence and not a closed line. */
const KEPT_BACK_MILLISECONDS = 500;

const calls = new WeakMap<Event, Call>();
const callOf = (event: Event): Call => had(calls.get(event), 'a call');

type Step = MiddlewareObj<Event, Result>;
const before = (step: (call: Call) => void | Promise<void>): Step => ({ before: ({ event }) => step(callOf(event)) });

/** Begins the call, and ends it whatever happens: one answer, one line in the log. */
const conclude = (): Step => ({
  before: ({ event }) => {
    calls.set(event, newCall(event));
  },
  after: ({ event, response }) => logCall(callOf(event), response?.statusCode ?? 200),
  onError: (request) => {
    const call = calls.get(request.event) ?? newCall(request.event);
    const failure = toFailure(request.error, call.requestId);
    Object.assign(call.headers, failure.headers);
    logCall(call, failure.code, failure.cause);
    request.response = respond(call, failure.code, failureBody(failure));
  },
});

const route = (find: (call: Call) => Operation): Step =>
  before((call) => {
    call.operation = find(call);
    if (call.event.requestContext.http.method !== 'POST') {
      throw new Failure(405, `Call ${call.operation.name} with POST.`, { headers: { Allow: 'POST' } });
    }
  });

const receive = (): Step =>
  before((call) => {
    call.body = readBody(call.event);
  });

const identify = (): Step =>
  before(async (call) => {
    const inBody = call.operation?.credential === 'header' ? undefined : call.body?.['ApiKey'];
    call.key = await authenticate(call.ownTable, readCredential(call.event.headers['x-api-key'], inBody), call.now);
    Object.assign(call.headers, await checkRateLimit(call.ownTable, call.key, call.now));
  });

const authorize = (): Step =>
  before(({ key, operation, body }) => {
    const { Role, OrganizationId } = had(key, 'a key');
    const asked = had(operation, 'an operation');
    if (!allows(Role, asked)) throw forbidden(`A key of role ${Role} may not call ${asked.name}.`);
    const named = body?.['OrganizationId'];
    if (
      OrganizationId !== null &&
      typeof named === 'number' &&
      named !== 0 &&
      named !== OrganizationId &&
      'OrganizationId' in asked.request()
    ) {
      throw forbidden(`This key belongs to organization ${OrganizationId} and may not name another.`, 'OrganizationId');
    }
  });

const validate = (): Step =>
  before((call) => {
    call.request = validRequest(had(call.operation, 'an operation'), had(call.body, 'a body'));
  });

/** The one way in which every operation is served; `find` names the operation of a call or fails with 404. */
export function pipeline(find: (call: Call) => Operation): Handler {
  const run = async (event: Event): Promise<Result> => {
    const call = callOf(event);
    const { Status, Body } = await perform(call);
    return respond(call, Status, Body);
  };
  const steps = [conclude(), route(find), receive(), identify(), authorize(), validate()];
  return middy<Event, Result>({ timeoutEarlyInMillis: KEPT_BACK_MILLISECONDS })
    .use(steps)
    .handler(run) as unknown as Handler;
}
