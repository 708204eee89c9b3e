import type { Meter } from '../store/dynamodb/meter.ts';

let cold = true;

const count = (Name: string) => ({ Name, Unit: 'Count' });
const milliseconds = { Name: 'Milliseconds', Unit: 'Milliseconds' };

/**
 * Figures of the whole deployment, and two of each operation: CloudWatch charges by the metric, and 79 operations of
 * six each would be $140 a month.
 */
const metrics = [
  {
    Namespace: 'FieldService',
    Dimensions: [[]],
    Metrics: [count('Calls'), count('Faults'), milliseconds, count('Rounds'), count('ReadUnits'), count('WriteUnits')],
  },
  { Namespace: 'FieldService', Dimensions: [['Operation']], Metrics: [milliseconds, count('Faults')] },
];

/** What a line tells of a call. */
export interface Logged {
  readonly now: Date;
  readonly requestId: string;
  readonly startedAt: number;
  readonly key?: { readonly Account: string };
  readonly operation?: { readonly name: string };
  readonly noted?: Readonly<Record<string, string>>;
  readonly table: { readonly meter: Meter };
  readonly ownTable: { readonly meter: Meter };
}

/**
 * The innermost dozen frames of an error, and nothing else: its text may hold a customer's data, the places in our
 * code do not.
 */
export const stackFrames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

function causes(error: unknown): { Error: string; At: string[] }[] {
  return error instanceof Error ? [{ Error: error.name, At: stackFrames(error) }, ...causes(error.cause)] : [];
}

/**
 * One line a call, which is also its metrics (CloudWatch's embedded metric format): request id, account, operation,
 * result, milliseconds, rounds and units, and what the operation has noted (save). Never a key, never a field of the
 * request or the answer. LOG_LEVEL `error` writes faults only, `silent` nothing.
 */
export function logCall(call: Logged, status: number, error?: unknown): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  const fault = status >= 500;
  if (level === 'silent' || (level === 'error' && !fault)) return;
  const { rounds, readUnits, writeUnits, requests } = call.table.meter.usage;
  const own = call.ownTable.meter.usage;
  const line = {
    _aws: { Timestamp: call.now.getTime(), CloudWatchMetrics: metrics },
    Level: fault ? 'error' : 'info',
    RequestId: call.requestId,
    Account: call.key?.Account ?? null,
    Operation: call.operation?.name ?? 'unknown',
    ResultCode: status === 200 ? 0 : status,
    Calls: 1,
    Faults: fault ? 1 : 0,
    Milliseconds: Math.round((performance.now() - call.startedAt) * 10) / 10,
    Rounds: rounds,
    Requests: requests + own.requests,
    ReadUnits: readUnits + own.readUnits,
    WriteUnits: writeUnits + own.writeUnits,
    Cold: cold,
    ...call.noted,
    ...(fault ? { Causes: causes(error) } : {}),
  };
  cold = false;
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
