import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { type TableReader, openTable } from '../../store/dynamodb/table.ts';
import { WaitBudget } from '../../store/dynamodb/call-requests.ts';
import {
  authenticate,
  checkAddress,
  checkRestrictions,
  checkSuspension,
  countCall,
  toCaller,
  unauthorized,
} from '../callers/access.ts';
import { type CallLog, failureBody, logCall, respond, startLog, toFailure } from '../respond.ts';
import { type Handler, RESERVED_MILLISECONDS } from '../pipeline.ts';
import { checkGet } from './public-route.ts';
import { type Admission, admit } from '../callers/rate-limit.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/** One call of a path that people and browsers get. */
export interface GetCall {
  readonly event: Event;
  readonly table: TableReader;
  readonly now: Date;
  readonly requestId: string;
  /** Who calls, by the key of the header: checked, and within its rate. Throws 401, 403 and 429. */
  caller(): Promise<Caller>;
}

/** Serves GET of a path that is no operation, with the failures, the rate limit and the log line of one. */
export function getRoute(name: string, serve: (call: GetCall) => Promise<Result>): Handler {
  return async (event, lambda) => {
    const waitBudget = new WaitBudget();
    const [table, pipelineTable] = [openTable({ waitBudget }), openTable({ waitBudget })];
    const { http } = event.requestContext;
    const log = startLog(event, table.meter, pipelineTable.meter);
    log.operation = name;
    let admission: Admission | undefined;
    let known: ApiKeyRecord | undefined;
    const caller = async () => {
      const credential = event.headers['x-api-key'];
      if (!credential) throw unauthorized();
      const key = await authenticate(pipelineTable, credential, log.now, (each) => (known = each));
      Object.assign(log, { key: key.Public, account: key.Account });
      checkAddress(key, log.source);
      await checkSuspension(pipelineTable, key);
      checkRestrictions(key, { name, access: 'read' });
      admission = await admit(pipelineTable, key, log.now, log.source);
      return toCaller(key, event.headers, { address: log.source, now: log.now });
    };
    const end = async (result: Result, error?: unknown): Promise<Result> => {
      const rate = await admission?.end(new Date(), 1);
      const status = result.statusCode ?? 200;
      if (known) await countCall(pipelineTable, known, { operation: name, status, address: log.source, now: log.now });
      await logCall(log, status, error);
      return { ...result, headers: { ...result.headers, ...rate } };
    };
    const call = { event, table, now: log.now, requestId: log.requestId, caller };
    const timed = middy<Event, Result>(
      async () => {
        checkGet(http.method);
        return end(await serve(call));
      },
      { timeoutEarlyInMillis: RESERVED_MILLISECONDS },
    ).onError(async (request) => {
      request.response = await failed(request.error, log, end);
    });
    return timed(event, lambda);
  };
}

function failed(error: unknown, log: CallLog, end: (result: Result, error?: unknown) => Promise<Result>) {
  const failure = toFailure(error, log.requestId);
  return end(respond(log.requestId, failure.status, failureBody(failure), failure.headers), failure.cause ?? failure);
}
