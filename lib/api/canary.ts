import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { HOUR, MINUTE, SECOND } from '../shared/time/time.ts';
import { type TableWriter, openTable } from '../store/dynamodb/table.ts';
import { canaryMetrics, errorFields, writeLogLine } from './log-lines.ts';

/** Time reserved to report a failure before Lambda ends the run. */
const RESERVED_MILLISECONDS = 5 * SECOND;
const WITHOUT_LAMBDA_MILLISECONDS = MINUTE;
/** How long a container reuses its keys, which are valid for a day. */
const KEY_MILLISECONDS = 12 * HOUR;
/** The API reads keys with eventual consistency, so a new one may be unknown for a moment. */
const NEW_KEY_MILLISECONDS = SECOND;

type CanaryContext = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

interface Canary<Keys> {
  /** Writes keys to the table and returns them. */
  readonly writeKeys: (table: TableWriter, now: Date) => Promise<Keys>;
  /** Returns the milliseconds from a change to its event; throws if there was none, or if a call failed. */
  readonly check: (options: { baseUrl: string; keys: Keys; deadline: number }) => Promise<number>;
}

/** The Lambda handler of the canary. A failed check fails the run and sends no metric, which the alarm watches for. */
export const canary = <Keys>({ writeKeys, check }: Canary<Keys>) => {
  let current: { readonly keys: Keys; readonly until: number } | undefined;

  async function currentKeys(now: Date): Promise<Keys> {
    if (!current || current.until < now.getTime()) {
      current = { keys: await writeKeys(openTable(), now), until: now.getTime() + KEY_MILLISECONDS };
      await pause(NEW_KEY_MILLISECONDS);
    }
    return current.keys;
  }

  return async (_: unknown, context?: CanaryContext): Promise<void> => {
    const now = new Date();
    const remaining = context
      ? context.getRemainingTimeInMillis() - RESERVED_MILLISECONDS
      : WITHOUT_LAMBDA_MILLISECONDS;
    const about = { RequestId: context?.awsRequestId ?? null, Worker: 'canary' };
    try {
      const keys = await currentKeys(now);
      const deadline = now.getTime() + remaining;
      const milliseconds = await check({ baseUrl: process.env['BASE_URL'] ?? '', keys, deadline });
      const line = { ...about, _aws: canaryMetrics(now), Level: 'info', CanaryMilliseconds: milliseconds } as const;
      // Written even with LOG_LEVEL `error`, because the alarm needs the metric.
      writeLogLine(line, 'error');
    } catch (error) {
      // Somebody may have revoked a key.
      current = undefined;
      writeLogLine({ ...about, Level: 'error', ...errorFields(error) });
      throw error;
    }
  };
};
