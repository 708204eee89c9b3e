import type { Context } from 'aws-lambda';
import { InternalError } from '../../shared/failure.ts';
import { asActor } from '../../store/dynamodb/actor.ts';
import { type PatientTable, openTable } from '../../store/dynamodb/table.ts';
import type { Usage } from '../../store/dynamodb/call-requests.ts';
import { errorFields } from '../error-fields.ts';
import { batchMetrics } from '../metrics.ts';

/** Reserved before Lambda ends the run, to report what was done. */
const RESERVED_MILLISECONDS = 5_000;
const WITHOUT_LAMBDA_MILLISECONDS = 60_000;

type WorkerContext = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

export interface ScheduledRun {
  readonly now: Date;
  /** Until when the run may continue, in milliseconds since 1970. */
  readonly deadline: number;
}

export interface ScheduledOutcome {
  /** How much was done. */
  readonly done: number;
  readonly failures: readonly unknown[];
  /** Records that can never be handled as they are and are kept whole. */
  readonly parked?: number;
  /** Whether something is left for a later run. */
  readonly isUnfinished: boolean;
}

/**
 * The Lambda handler of a worker that runs by the clock. It throws where something failed or is left: Lambda repeats
 * the run after a minute, and an alarm counts it.
 */
export const scheduledWorker =
  (name: string, run: (table: PatientTable, options: ScheduledRun) => Promise<ScheduledOutcome>) =>
  async (_: unknown, context?: WorkerContext): Promise<void> => {
    const now = new Date();
    const remaining = context
      ? context.getRemainingTimeInMillis() - RESERVED_MILLISECONDS
      : WITHOUT_LAMBDA_MILLISECONDS;
    const requestId = context?.awsRequestId ?? null;
    const table = asActor(openTable(), { Key: '', Name: name, RequestId: requestId ?? '' });
    const outcome = await run(table, { now, deadline: now.getTime() + remaining });
    logRun({ worker: name, now, requestId }, outcome, table.meter.usage);
    const { failures, isUnfinished } = outcome;
    if (failures.length || isUnfinished)
      throw new InternalError(`${name}: ${failures.length} failures${isUnfinished ? ', and work is left' : ''}.`);
  };

/** One line a run, which is also its metrics. LOG_LEVEL `error` logs failures only, `silent` nothing. */
function logRun(
  { worker, now, requestId }: { worker: string; now: Date; requestId: string | null },
  { done, failures, parked = 0, isUnfinished }: ScheduledOutcome,
  { readUnits, writeUnits }: Usage,
): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  const isError = failures.length > 0 || parked > 0 || isUnfinished;
  if (level === 'silent' || (level === 'error' && !isError)) return;
  const line = {
    // A metric costs in each hour in which it is sent: a run that did nothing sends none.
    ...(done || isError ? { _aws: batchMetrics(now, { isError, hasParked: parked > 0 }) } : {}),
    Level: isError ? 'error' : 'info',
    RequestId: requestId,
    Worker: worker,
    Queued: done,
    Failures: failures.length,
    Parked: parked,
    Unfinished: isUnfinished,
    Milliseconds: Date.now() - now.getTime(),
    ReadUnits: readUnits,
    WriteUnits: writeUnits,
    ...(failures.length ? errorFields(failures[0]) : {}),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
