import { framesOf } from '../../lib/api/log.ts';
import type { Usage } from '../../lib/store/meter.ts';

export type WorkerName = 'events' | 'proposals';

/** What a worker has done with a batch. */
export interface Batch {
  readonly worker: WorkerName;
  readonly now: Date;
  readonly records: number;
  readonly queued: number;
  readonly usage: Usage;
  readonly failed: { readonly sequenceNumber: string | undefined; readonly error: unknown } | undefined;
}

const metrics = [
  { Name: 'Records', Unit: 'Count' },
  { Name: 'Queued', Unit: 'Count' },
  { Name: 'Failures', Unit: 'Count' },
  { Name: 'Milliseconds', Unit: 'Milliseconds' },
  { Name: 'WriteUnits', Unit: 'Count' },
];

/**
 * One line a batch of which something came, which is also its metrics (CloudWatch's embedded metric format). LOG_LEVEL
 * `error` writes failures only, `silent` nothing.
 */
export function logBatch({ worker, now, records, queued, usage, failed }: Batch): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  if (level === 'silent' || (!failed && (level === 'error' || queued === 0))) return;
  const line = {
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [{ Namespace: 'FieldService', Dimensions: [['Worker']], Metrics: metrics }],
    },
    Level: failed ? 'error' : 'info',
    Worker: worker,
    Records: records,
    Queued: queued,
    Failures: failed ? 1 : 0,
    Milliseconds: Date.now() - now.getTime(),
    ReadUnits: usage.readUnits,
    WriteUnits: usage.writeUnits,
    ...(failed
      ? {
          SequenceNumber: failed.sequenceNumber,
          ...(failed.error instanceof Error ? { Error: failed.error.name, At: framesOf(failed.error) } : {}),
        }
      : {}),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
