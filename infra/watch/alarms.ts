import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { metricsNamespace } from '../../lib/api/metrics.ts';
import type { Deployed } from '../functions.ts';
import { costOfCalls, lambdaThrottles, stageMetric, tableThrottles } from './metrics.ts';
import type { StageSettings } from '../stages.ts';
import type { ConsumerName } from '../table.ts';
import type { QueueWorker, ScheduledWorker, Worker } from '../workers.ts';

const period = Duration.minutes(5);

const descriptions: Readonly<Record<ConsumerName, { readonly parked: string; readonly late: string }>> = {
  'event-queue': {
    parked: 'No event could be made of changes of the table. They are kept in the bucket, for fs events redrive.',
    late: 'Changes of the table become events 5 minutes late or later.',
  },
  'background-work': {
    parked: 'Visits of proposals could not be queued. The changes are kept in the bucket, for fs events redrive.',
    late: 'Visits, and new work of the queues, are queued 5 minutes late or later.',
  },
};

/** Refused calls in 5 minutes that are an attack or a broken client, and what they are. */
const floods = [
  { status: 401, threshold: 300, refused: 'have no valid key' },
  { status: 403, threshold: 300, refused: 'are not allowed for their key' },
  { status: 429, threshold: 500, refused: 'exceed a rate' },
] as const;

/** Metrics that the alarms of a stage watch, each of which costs; a test counts them. */
export const ALARM_METRICS = 42;

/** What alarms and dashboard watch. */
export interface Watched {
  readonly stage: string;
  readonly api: HttpApi;
  readonly accessLog: LogGroup;
  readonly table: ITable;
  readonly routes: readonly Deployed[];
  readonly workers: readonly Worker[];
  readonly queueWorkers: readonly QueueWorker[];
  readonly scheduled: readonly ScheduledWorker[];
}

interface AlarmOptions {
  readonly periods?: number;
  /** Whether the alarm is on below the threshold, and where the metric has no data. */
  readonly isMinimum?: boolean;
  /** Without a mail: only deployments watch it. */
  readonly quiet?: boolean;
}

/**
 * Alarms, with mails to the stage's address; none without an address. `rollbackOf` returns those that end the
 * deployment of a function. docs/operations.md says what to do at each alarm.
 */
export const makeAlarms = (
  scope: Construct,
  { stage, api, accessLog, table, workers, queueWorkers, scheduled }: Watched,
  { alarmEmail, costAlarm, canary }: StageSettings,
): { rollbackOf: (functionId: string) => readonly Alarm[] } => {
  if (!alarmEmail) return { rollbackOf: () => [] };
  const topic = makeTopic(scope, alarmEmail);
  const alarm = (
    id: string,
    alarmDescription: string,
    metric: IMetric,
    threshold: number,
    { periods = 1, isMinimum = false, quiet = false }: AlarmOptions = {},
  ): Alarm => {
    const created = new Alarm(scope, id, {
      alarmDescription,
      metric,
      threshold,
      comparisonOperator: isMinimum
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: isMinimum ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (quiet) return created;
    created.addAlarmAction(new SnsAction(topic));
    created.addOkAction(new SnsAction(topic));
    return created;
  };

  const parkedRecords = (name: string) =>
    stageMetric(stage, 'Parked', { statistic: 'Sum', period, dimensionsMap: { Worker: name } });
  const workerErrors = new Map<string, Alarm>();
  for (const { name, worker } of workers) {
    const { parked, late } = descriptions[name];
    alarm(`${name}-parked-alarm`, parked, parkedRecords(name), 1);
    const age = worker.function.metric('IteratorAge', { period, statistic: 'Maximum' });
    alarm(`${name}-late-alarm`, late, age, Duration.minutes(5).toMilliseconds());
    const errors = worker.function.metricErrors({ period, statistic: 'Sum' });
    workerErrors.set(name, alarm(`${name}-errors-alarm`, `Invocations of the worker ${name} fail.`, errors, 3));
  }
  for (const { name, worker, queue, deadLetters } of queueWorkers) {
    const dead = deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });
    alarm(`${name}-dead-letters-alarm`, `The worker ${name} could not handle messages of its queue.`, dead, 1);
    const age = queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' });
    alarm(`${name}-late-alarm`, `Messages of the queue ${name} wait 15 minutes or longer.`, age, 15 * 60);
    const errors = worker.function.metricErrors({ period, statistic: 'Sum' });
    workerErrors.set(name, alarm(`${name}-errors-alarm`, `Invocations of the worker ${name} fail.`, errors, 3));
  }
  const deadCallbacks = stageMetric(stage, 'Dead', {
    statistic: 'Sum',
    period: Duration.hours(1),
    dimensionsMap: { Worker: 'callbacks' },
  });
  alarm('callbacks-dead-alarm', 'Callbacks were given up after ten attempts, or refused with 410.', deadCallbacks, 1);
  alarm('event-backlog-parked-alarm', descriptions['event-queue'].parked, parkedRecords('event-backlog'), 1);
  for (const { name, worker } of scheduled) {
    const errors = worker.function.metricErrors({ period: Duration.hours(1), statistic: 'Sum' });
    workerErrors.set(name, alarm(`${name}-errors-alarm`, `A run of ${name} and both its repeats failed.`, errors, 3));
  }

  const serverErrors = (during: Duration) => api.metricServerError({ period: during, statistic: 'Sum' });
  const apiErrors = alarm('api-faults-alarm', 'Calls return 500 or 503.', serverErrors(period), 5);
  // A tenth of the calls for 5 minutes is little: two errors in a minute are reason enough to go back.
  const deploymentErrors = alarm(
    'deployment-faults-alarm',
    'Ends a deployment: two calls of a minute return 500 or 503.',
    serverErrors(Duration.minutes(1)),
    2,
    { quiet: true },
  );

  const latency = (statistic: string) => api.metricLatency({ period, statistic });
  alarm('api-slow-alarm', 'For 15 minutes, one call in 20 takes 2 s or longer.', latency('p95'), 2_000, { periods: 3 });
  alarm('api-slowest-alarm', 'For 15 minutes, one call in 100 takes 8 s or longer.', latency('p99'), 8_000, {
    periods: 3,
  });
  for (const { status, threshold, refused } of floods) {
    const metricName = `Status${status}`;
    new MetricFilter(scope, `status-${status}-filter`, {
      logGroup: accessLog,
      filterPattern: FilterPattern.stringValue('$.Status', '=', String(status)),
      metricNamespace: metricsNamespace(stage),
      metricName,
    });
    const refusedCalls = stageMetric(stage, metricName, { statistic: 'Sum', period });
    alarm(`status-${status}-alarm`, `${threshold} calls in 5 minutes ${refused} (${status}).`, refusedCalls, threshold);
  }
  alarm(
    'lambda-throttles-alarm',
    'Lambda refuses runs: the AWS account, or a worker, has no concurrency left.',
    lambdaThrottles(period),
    10,
  );
  alarm('table-throttles-alarm', 'DynamoDB throttles requests: a key is too hot.', tableThrottles(table, period), 10);
  alarm(
    'cost-alarm',
    `The calls of an hour cost $${costAlarm} or more.`,
    costOfCalls(stage, Duration.hours(1)),
    costAlarm,
  );
  if (canary) {
    const runs = stageMetric(stage, 'CanaryMilliseconds', { statistic: 'SampleCount', period });
    alarm('canary-alarm', 'For 15 minutes no change of the canary became an event.', runs, 1, {
      periods: 3,
      isMinimum: true,
    });
  }
  return {
    rollbackOf(functionId) {
      const ofWorker = workerErrors.get(functionId);
      return ofWorker ? [ofWorker] : [apiErrors, deploymentErrors];
    },
  };
};

const makeTopic = (scope: Construct, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  // enforceSSL replaces the default policy, under which alarms may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      actions: ['sns:Publish'],
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(email));
  return topic;
};
