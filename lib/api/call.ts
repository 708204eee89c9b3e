import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import { type TableWriter, openTable } from '../store/dynamodb/client.ts';
import type { Operation } from './operation.ts';

/** One call on its way through the pipeline; each step adds what it finds out. */
export interface Call {
  readonly event: APIGatewayProxyEventV2;
  readonly requestId: string;
  readonly now: Date;
  /** Milliseconds of a clock that never jumps, for the duration. */
  readonly startedAt: number;
  /** The table as the operation sees it; its meter counts what the operation cost. */
  readonly table: TableWriter;
  /** The table as the pipeline sees it (key, rate), with a meter of its own. */
  readonly ownTable: TableWriter;
  operation?: Operation;
  body?: Record<string, unknown>;
  key?: ApiKeyRecord;
  request?: unknown;
  /** What the operation wants the log to say besides. */
  noted?: Readonly<Record<string, string>>;
  readonly headers: Record<string, string>;
}

/** Begins a call. The request id is API Gateway's, so that its access log and ours name the same one. */
export function newCall(event: APIGatewayProxyEventV2): Call {
  return {
    event,
    requestId: event.requestContext?.requestId || randomUUID(),
    now: new Date(),
    startedAt: performance.now(),
    table: openTable(),
    ownTable: openTable(),
    headers: {},
  };
}

/** A step's part of the call that an earlier step must have made. */
export function had<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new TypeError(`the pipeline reached a step without ${what}`);
  return value;
}
