import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { metricsNamespace } from '../../lib/api/log-lines.ts';
import type { Deployed } from '../functions.ts';
import {
  costOfCalls,
  growth,
  lambdaRuns,
  lambdaThrottles,
  percentage,
  type Share,
  stageMetric,
  sumOf,
  tableThrottles,
} from './metrics.ts';
import type { MessagesResource } from '../messages.ts';
import type { Ratio, StageSettings } from '../stages.ts';
import { scheduledWorkerNames, streamWorkerNames, streamWorkers } from '../../functions/workers/index.ts';
import { workedQueues } from '../queues.ts';
import type { QueueWorker, ScheduledWorker, StreamWorker } from '../workers.ts';

const period = Duration.minutes(5);
const minute = Duration.minutes(1);
const hour = Duration.hours(1);

/** Refused calls that may be an attack or a broken client, and their descriptions. */
const refusals = [
  { status: 401, refused: 'have no valid key' },
  { status: 403, refused: 'are not allowed for their key' },
  { status: 429, refused: 'exceed a rate' },
] as const;

/** The number of metrics that a stage's alarms watch, each of which costs money; a test counts them. */
export const ALARM_METRICS =
  32 + 5 * streamWorkerNames.length + 6 * workedQueues({}).length + 2 * scheduledWorkerNames.length;

/** What alarms and dashboard watch. */
export interface Watched {
  readonly stage: string;
  readonly api: HttpApi;
  readonly accessLog: LogGroup;
  readonly table: ITable;
  readonly messages: MessagesResource | undefined;
  readonly routes: readonly Deployed[];
  readonly streamWorkers: readonly StreamWorker[];
  readonly queueWorkers: readonly QueueWorker[];
  readonly scheduled: readonly ScheduledWorker[];
}

interface AlarmOptions {
  readonly periods?: number;
  /** Whether the alarm is on below the threshold, and without data. */
  readonly isMinimum?: boolean;
  /** Sends no e-mail: only deployments watch it. */
  readonly quiet?: boolean;
}

/** Creates an alarm that is on from a threshold. */
type MakeAlarm = (id: string, description: string, metric: IMetric, threshold: number, options?: AlarmOptions) => Alarm;

const alarmMaker =
  (scope: Construct, topic: ITopic): MakeAlarm =>
  (id, alarmDescription, metric, threshold, { periods = 1, isMinimum = false, quiet = false } = {}) => {
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

/** An alarm on a percentage that also requires a minimum number. */
const ratioAlarm = (
  alarm: MakeAlarm,
  id: string,
  description: string,
  share: Share,
  { during, limit, quiet = false }: { readonly during: Duration; readonly limit: Ratio; readonly quiet?: boolean },
): Alarm => {
  const { percent, count } = limit;
  const times = `${count} or more in ${during.toMinutes()} min, and ${percent} % of all`;
  return alarm(id, `${description}: ${times}.`, percentage(share, count, during), percent, { quiet });
};

/** Creates alarms for a worker by name. */
function workerAlarmMaker(alarm: MakeAlarm, stage: string, limits: StageSettings['alarms']) {
  const ofWorker = (name: string, metricName: string) =>
    stageMetric(stage, metricName, { statistic: 'Sum', period, dimensionsMap: { Worker: name } });
  const errorsOf = ({ function: worker }: Deployed, during: Duration) =>
    worker.metricErrors({ period: during, statistic: 'Sum' });
  const faults = (name: string, description: string, worker: Deployed, part: IMetric, during: Duration) => {
    const whole = worker.function.metricInvocations({ period: during, statistic: 'Sum' });
    const limit = limits.workerFaults;
    return ratioAlarm(alarm, `${name}-errors-alarm`, description, { part, whole }, { during, limit });
  };
  return {
    /** Runs that fail. */
    errors: (name: string, worker: Deployed, during: Duration): Alarm =>
      faults(name, `Runs of ${name} fail`, worker, errorsOf(worker, during), during),
    /** Runs that fail, or report failed records or messages: Lambda counts no error of these. */
    faults: (name: string, worker: Deployed): Alarm =>
      faults(
        name,
        `Runs of ${name} fail, whole or in part`,
        worker,
        sumOf({ errors: errorsOf(worker, period), failures: ofWorker(name, 'Failures') }, period),
        period,
      ),
    parked: (name: string, description: string): Alarm =>
      alarm(`${name}-parked-alarm`, description, ofWorker(name, 'Parked'), limits.parked),
    late(name: string, description: string, age: IMetric, after: Duration, unit: 'ms' | 's'): Alarm {
      const threshold = unit === 'ms' ? after.toMilliseconds() : after.toSeconds();
      return alarm(`${name}-late-alarm`, `${description}: by ${after.toMinutes()} min or more.`, age, threshold);
    },
  };
}

/** The alarms of each worker by name; one of them ends a deployment of the worker. */
function makeWorkerAlarms(
  alarm: MakeAlarm,
  { stage, streamWorkers: ofStream, queueWorkers, scheduled }: Watched,
  limits: StageSettings['alarms'],
): ReadonlyMap<string, readonly Alarm[]> {
  const { errors, faults, parked, late } = workerAlarmMaker(alarm, stage, limits);
  const ofStreams = ofStream.map(({ name, worker }): [string, Alarm[]] => {
    const { alarms } = streamWorkers[name];
    const age = worker.function.metric('IteratorAge', { period, statistic: 'Maximum' });
    const after = Duration.minutes(limits.streamLateMinutes);
    return [name, [parked(name, alarms.parked), late(name, alarms.late, age, after, 'ms'), faults(name, worker)]];
  });
  const ofQueues = queueWorkers.map(({ name, worker, queue, deadLetters }): [string, Alarm[]] => {
    const dead = deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });
    alarm(`${name}-dead-letters-alarm`, `The worker ${name} could not handle messages of its queue.`, dead, 1);
    const age = queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' });
    const after = Duration.minutes(limits.queueLateMinutes);
    return [
      name,
      [
        // Older ones wait until somebody sends them again, which may require this very deployment.
        alarm(`${name}-parked-alarm`, `The worker ${name} gives messages up.`, growth(dead, period), limits.parked, {
          quiet: true,
        }),
        late(name, `Messages of the queue ${name} wait`, age, after, 's'),
        faults(name, worker),
      ],
    ];
  });
  const ofSchedules = scheduled.map(({ name, worker }): [string, Alarm[]] => [
    name,
    [
      ...(name === 'event-backlog' ? [parked(name, streamWorkers['event-queue'].alarms.parked)] : []),
      errors(name, worker, hour),
    ],
  ]);
  return new Map([...ofStreams, ...ofQueues, ...ofSchedules]);
}

/**
 * Alarms, with e-mails to the stage's address, if any. `rollbackOf` returns those that end the deployment of a
 * function. docs/operations.md says what to do at each alarm.
 */
export const makeAlarms = (
  scope: Construct,
  watched: Watched,
  { alarmEmail, alarmTopicArn, costAlarm, canary, alarms: limits }: StageSettings,
): { rollbackOf: (functionId: string) => readonly Alarm[]; topic?: ITopic } => {
  if (!alarmEmail && !alarmTopicArn) return { rollbackOf: () => [] };
  const { stage, api } = watched;
  const topic = alarmTopicArn
    ? Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn)
    : makeTopic(scope, alarmEmail ?? '');
  const alarm = alarmMaker(scope, topic);
  const workerAlarms = makeWorkerAlarms(alarm, watched, limits);
  const deadCallbacks = stageMetric(stage, 'Dead', {
    statistic: 'Sum',
    period: hour,
    dimensionsMap: { Worker: 'callbacks' },
  });
  alarm('callbacks-dead-alarm', 'Callbacks were given up after ten attempts, or refused with 410.', deadCallbacks, 1);

  const faults = (id: string, during: Duration, limit: Ratio, quiet = false) =>
    ratioAlarm(
      alarm,
      id,
      'Calls return 500 or 503',
      { part: api.metricServerError({ period: during, statistic: 'Sum' }), whole: callsOf(watched, during) },
      { during, limit, quiet },
    );
  const apiFaults = faults('api-faults-alarm', period, limits.faults);
  faults('api-lasting-faults-alarm', hour, limits.lastingFaults);
  const deploymentFaults = faults('deployment-faults-alarm', minute, limits.deploymentFaults, true);
  makeLatencyAlarms(alarm, watched);
  makeRefusalAlarms(scope, alarm, watched, limits);
  makeThrottleAlarms(alarm, watched, limits);
  if (watched.messages) makeReputationAlarms(alarm, watched.messages);
  alarm('cost-alarm', `The calls of an hour cost $${costAlarm} or more.`, costOfCalls(stage, hour), costAlarm);
  if (canary) {
    const runs = stageMetric(stage, 'CanaryMilliseconds', { statistic: 'SampleCount', period });
    alarm('canary-alarm', 'For 15 minutes no change of the canary became an event.', runs, 1, {
      periods: 3,
      isMinimum: true,
    });
  }
  return { topic, rollbackOf: (functionId) => workerAlarms.get(functionId) ?? [apiFaults, deploymentFaults] };
};

const callsOf = ({ api }: Watched, during: Duration): IMetric =>
  api.metricCount({ period: during, statistic: 'SampleCount' });

function makeLatencyAlarms(alarm: MakeAlarm, { api }: Watched): void {
  const latency = (statistic: string) => api.metricLatency({ period, statistic });
  alarm('api-slow-alarm', 'For 15 minutes, one call in 20 takes 2 s or longer.', latency('p95'), 2_000, { periods: 3 });
  alarm('api-slowest-alarm', 'For 15 minutes, one call in 100 takes 8 s or longer.', latency('p99'), 8_000, {
    periods: 3,
  });
}

/** Shares above which Amazon SES reviews an account, and may pause it. */
function makeReputationAlarms(alarm: MakeAlarm, { configurationSet }: MessagesResource): void {
  const share = (metricName: string) =>
    new Metric({
      namespace: 'AWS/SES',
      metricName,
      dimensionsMap: { 'ses:configuration-set': configurationSet },
      period: hour,
      statistic: 'Average',
    });
  alarm('messages-bounces-alarm', '5 % or more of the e-mails bounce.', share('Reputation.BounceRate'), 0.05);
  alarm(
    'messages-complaints-alarm',
    '0.1 % or more of the e-mails are reported as spam.',
    share('Reputation.ComplaintRate'),
    0.001,
  );
}

function makeRefusalAlarms(
  scope: Construct,
  alarm: MakeAlarm,
  watched: Watched,
  limits: StageSettings['alarms'],
): void {
  const { stage, accessLog } = watched;
  for (const { status, refused } of refusals) {
    const metricName = `Status${status}`;
    new MetricFilter(scope, `status-${status}-filter`, {
      logGroup: accessLog,
      filterPattern: FilterPattern.stringValue('$.Status', '=', String(status)),
      metricNamespace: metricsNamespace(stage),
      metricName,
    });
    ratioAlarm(
      alarm,
      `status-${status}-alarm`,
      `Calls ${refused} (${status})`,
      { part: stageMetric(stage, metricName, { statistic: 'Sum', period }), whole: callsOf(watched, period) },
      { during: period, limit: limits.refused },
    );
  }
}

function makeThrottleAlarms(alarm: MakeAlarm, watched: Watched, limits: StageSettings['alarms']): void {
  ratioAlarm(
    alarm,
    'lambda-throttles-alarm',
    'Lambda refuses runs: the AWS account, or a worker, has no concurrency left',
    { part: lambdaThrottles(period), rest: lambdaRuns(period) },
    { during: period, limit: limits.throttles },
  );
  ratioAlarm(
    alarm,
    'table-throttles-alarm',
    'DynamoDB throttles requests, compared with calls: a key is too hot',
    { part: tableThrottles(watched.table, period), rest: callsOf(watched, period) },
    { during: period, limit: limits.throttles },
  );
}

/** The metric of a firewall, named after its stack. */
export const firewallMetric = (scope: Construct): string => Stack.of(scope).stackName;

/** An alarm on what a firewall blocks. It must be in the region of the firewall, which has its metrics. */
export function makeFirewallAlarm(scope: Construct, topic: ITopic, limit: number): void {
  const blocks = new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: firewallMetric(scope), Rule: 'ALL' },
    period,
    statistic: 'Sum',
  });
  alarmMaker(scope, topic)(
    'firewall-blocks-alarm',
    `The firewall blocks ${limit} calls or more in 5 min.`,
    blocks,
    limit,
  );
}

export const makeTopic = (scope: Construct, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  // enforceSSL replaces the default policy, which lets alarms publish.
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
