import { Meter } from '../store/dynamodb/meter.ts';
import { callMetrics } from './metrics.ts';
import type { LogFields } from './operation.ts';

let cold = true;

/** The operation of a call that found none. */
const UNKNOWN = 'unknown';

/** What the log line of a call reports, filled in as far as the call gets. */
export interface CallLog {
  readonly requestId: string;
  readonly now: Date;
  /** Milliseconds of a clock that never jumps. */
  readonly startedAt: number;
  /** What the operation costs. */
  readonly meter: Meter;
  /** What the pipeline costs: key and rate limit. */
  readonly pipelineMeter: Meter;
  /** `group/operation`, or UNKNOWN. */
  operation: string;
  account: string | null;
  fields: LogFields;
}

export const startLog = (requestId: string, meter = new Meter(), pipelineMeter = new Meter()): CallLog => ({
  requestId,
  now: new Date(),
  startedAt: performance.now(),
  meter,
  pipelineMeter,
  operation: UNKNOWN,
  account: null,
  fields: {},
});

/** The innermost 12 frames of an error, without its message, which may hold a customer's data. */
export const stackFrames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

const causes = (error: unknown): { Error: string; At: string[] }[] =>
  error instanceof Error ? [{ Error: error.name, At: stackFrames(error) }, ...causes(error.cause)] : [];

/**
 * Writes one line a call, which is also its metrics (CloudWatch's embedded metric format). Never a key, never a field
 * of the request or the answer. LOG_LEVEL `error` writes internal errors only, `silent` nothing.
 */
export function logCall(call: CallLog, status: number, error?: unknown): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  const internal = status >= 500;
  if (level === 'silent' || (level === 'error' && !internal)) return;
  const { rounds, readUnits, writeUnits, requests } = call.meter.usage;
  const pipeline = call.pipelineMeter.usage;
  const [group] = call.operation.split('/');
  const line = {
    _aws: callMetrics(call.now, { hasGroup: call.operation !== UNKNOWN, isError: internal }),
    Level: internal ? 'error' : 'info',
    RequestId: call.requestId,
    Account: call.account,
    Group: group,
    Operation: call.operation,
    ResultCode: status === 200 ? 0 : status,
    Faults: internal ? 1 : 0,
    Milliseconds: Math.round((performance.now() - call.startedAt) * 10) / 10,
    Rounds: rounds,
    Requests: requests + pipeline.requests,
    ReadUnits: readUnits + pipeline.readUnits,
    WriteUnits: writeUnits + pipeline.writeUnits,
    Cold: cold,
    ...call.fields,
    ...(internal ? { Causes: causes(error) } : {}),
  };
  cold = false;
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
