/**
 * The custom metrics that log lines carry (CloudWatch's embedded metric format). CloudWatch charges for each name and
 * dimension while it receives data: the bench `bill` counts those listed here and fails above $10 a month.
 */

const count = (Name: string) => ({ Name, Unit: 'Count' });
const milliseconds = { Name: 'Milliseconds', Unit: 'Milliseconds' };
const errors = count('Faults');

/** A stage's own namespace: stages of one AWS account do not mix their metrics. */
export const metricsNamespace = (stage: string): string => `FieldService/${stage}`;

/** Every call of the stage. The number of calls is the sample count of Milliseconds. */
export const stageMetrics = [milliseconds, errors, count('ReadUnits'), count('WriteUnits')];
/** Every call of a group. */
export const groupMetrics = [milliseconds];
/** Every successful run of the canary, and only those: an alarm watches for runs without it. */
export const canaryRunMetrics = [{ Name: 'CanaryMilliseconds', Unit: 'Milliseconds' }];
/** Every batch of a worker. */
export const workerMetrics = [count('Queued')];

interface Metric {
  readonly Name: string;
  readonly Unit: string;
}

/** Metrics and the log field that is their dimension, if any. Dimensions and metrics without data cost nothing. */
type Directive = readonly [metrics: readonly Metric[], dimension?: 'Group' | 'Worker'];

/** The field `_aws` of a log line that is also metrics. */
const embedded = (at: Date, directives: readonly Directive[]) => ({
  Timestamp: at.getTime(),
  CloudWatchMetrics: directives.map(([Metrics, dimension]) => ({
    Namespace: metricsNamespace(process.env['STAGE'] || 'local'),
    Dimensions: [dimension ? [dimension] : []],
    Metrics,
  })),
});

/** Errors by group are sent only by calls that have one, and then cost what an hour of a metric costs. */
export const callMetrics = (at: Date, { hasGroup, isError }: { hasGroup: boolean; isError: boolean }) =>
  embedded(at, [
    [stageMetrics],
    ...(hasGroup ? ([[isError ? [...groupMetrics, errors] : groupMetrics, 'Group']] as const) : []),
  ]);

interface BatchMetrics {
  readonly isError: boolean;
  readonly hasParked?: boolean;
  readonly hasDead?: boolean;
}

/** Failures, parked records and dead callbacks are sent only by batches that have some. */
export const batchMetrics = (at: Date, { isError, hasParked = false, hasDead = false }: BatchMetrics) =>
  embedded(at, [
    [
      [
        ...workerMetrics,
        ...(isError ? [count('Failures')] : []),
        ...(hasParked ? [count('Parked')] : []),
        ...(hasDead ? [count('Dead')] : []),
      ],
      'Worker',
    ],
  ]);

export const canaryMetrics = (at: Date) => embedded(at, [[canaryRunMetrics]]);
