import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import { type Resources, expiryStatements, statementsOf } from './grants.ts';
import {
  type ConsumerName,
  type ScheduleName,
  consumerNames,
  consumers,
  deadQueueOf,
  scheduleNames,
  schedules,
} from './table.ts';

/** A consumer of the table's stream. */
export interface Worker {
  readonly name: ConsumerName;
  readonly worker: Deployed;
  readonly dead: Queue;
}

const descriptions: Readonly<Record<ConsumerName, string>> = {
  'event-queue': 'Turns changes of the table into the events that subscribers fetch',
  'proposal-work': 'Queues the visits of accepted subscriptions as appointments',
};

export const makeWorkers = (scope: Construct, settings: FunctionSettings, resources: Resources): readonly Worker[] =>
  consumerNames.map((name) => makeWorker(scope, name, settings, resources));

const makeWorker = (scope: Construct, name: ConsumerName, settings: FunctionSettings, resources: Resources): Worker => {
  const dead = makeDeadLetterQueue(scope, deadQueueOf(name));
  const streamArn = resources.table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream.');
  const worker = makeFunction(scope, name, settings, {
    bundle: `workers/${name}`,
    description: descriptions[name],
    timeout: Duration.seconds(60),
    reservedConcurrency: settings.stage.workerConcurrency,
    statements: [
      ...statementsOf(['table:write'], resources),
      new PolicyStatement({
        actions: [
          'dynamodb:DescribeStream',
          'dynamodb:GetRecords',
          'dynamodb:GetShardIterator',
          'dynamodb:ListStreams',
        ],
        resources: [streamArn],
      }),
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [dead.queueArn] }),
    ],
  });
  const rules = consumers[name];
  new EventSourceMapping(scope, `${name}-source`, {
    target: worker.target,
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: rules.batchSize,
    maxBatchingWindow: Duration.seconds(rules.maximumBatchingWindowSeconds),
    reportBatchItemFailures: true,
    bisectBatchOnError: rules.bisectBatchOnError,
    retryAttempts: rules.retryAttempts,
    maxRecordAge: Duration.hours(rules.maximumRecordAgeHours),
    filters: rules.filters.map((pattern) => FilterCriteria.filter(pattern)),
    // CDK's own SqsDlq would also grant reading the queue's attributes.
    onFailure: { bind: () => ({ destination: dead.queueArn }) },
  });
  return { name, worker, dead };
};

const scheduleDescriptions: Readonly<Record<ScheduleName, string>> = {
  'proposal-expiry': 'Stores the status of open proposals whose time is over',
};

/** A worker that runs by the clock. A run that was missed or failed is made up for by the next one. */
export interface ScheduledWorker {
  readonly name: ScheduleName;
  readonly worker: Deployed;
}

export const makeScheduledWorkers = (
  scope: Construct,
  settings: FunctionSettings,
  resources: Resources,
): readonly ScheduledWorker[] =>
  scheduleNames.map((name) => {
    const { everyMinutes, timeoutMinutes } = schedules[name];
    const worker = makeFunction(scope, name, settings, {
      bundle: `workers/${name}`,
      description: scheduleDescriptions[name],
      timeout: Duration.minutes(timeoutMinutes),
      statements: [...statementsOf(['table:write', 'expiries:write'], resources), ...expiryStatements(resources.table)],
    });
    new Rule(scope, `${name}-schedule`, {
      description: `Runs ${name} every ${everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(worker.target, { retryAttempts: 2, maxEventAge: Duration.minutes(everyMinutes) })],
    });
    return { name, worker };
  });

const makeDeadLetterQueue = (scope: Construct, id: string): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This is itself a dead-letter queue; an alarm reports messages in it.',
  });
  return queue;
};
