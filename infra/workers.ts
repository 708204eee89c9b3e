import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import {
  type Resources,
  backlogStatements,
  discardStatements,
  expiryStatements,
  filesUnder,
  parkedPrefix,
  parkStatement,
  statementsOf,
} from './grants.ts';
import {
  type ConsumerName,
  type ScheduleName,
  consumerNames,
  consumers,
  discardedPrefix,
  scheduleNames,
  schedules,
} from './table.ts';

/** A consumer of the table's stream. */
export interface Worker {
  readonly name: ConsumerName;
  readonly worker: Deployed;
}

const descriptions: Readonly<Record<ConsumerName, string>> = {
  'event-queue': 'Turns changes of the table into the events that subscribers fetch',
  'proposal-work': 'Queues the visits of accepted subscriptions as appointments',
};

export const makeWorkers = (scope: Construct, settings: FunctionSettings, resources: Resources): readonly Worker[] =>
  consumerNames.map((name) => makeWorker(scope, name, settings, resources));

const makeWorker = (scope: Construct, name: ConsumerName, settings: FunctionSettings, resources: Resources): Worker => {
  const streamArn = resources.table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream.');
  const worker = makeFunction(scope, name, settings, {
    bundle: `workers/${name}`,
    description: descriptions[name],
    timeout: Duration.seconds(60),
    reservedConcurrency: settings.stage.workerConcurrency,
    filePatterns: filesUnder(resources.bucket, parkedPrefix(name), discardedPrefix),
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
      ...(name === 'event-queue' ? [backlogStatements(resources.table).write] : []),
      parkStatement(resources.bucket, name),
      ...discardStatements(resources.bucket),
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
    // Without a number Lambda repeats a batch until its records expire, which it calls -1.
    ...(rules.retryAttempts < 0 ? {} : { retryAttempts: rules.retryAttempts }),
    maxRecordAge: Duration.hours(rules.maximumRecordAgeHours),
    filters: rules.filters.map((pattern) => FilterCriteria.filter(pattern)),
    // Whole records, where a queue would get only their numbers. CDK's own destination would also grant reading.
    onFailure: { bind: () => ({ destination: resources.bucket.bucketArn }) },
  });
  return { name, worker };
};

const scheduleDescriptions: Readonly<Record<ScheduleName, string>> = {
  'proposal-expiry': 'Stores the status of open proposals whose time is over',
  'event-backlog': 'Queues events of changes that were put aside while their account was over its ceiling',
};

/** A worker that runs by the clock. A run that was missed or failed is made up for by the next one. */
export interface ScheduledWorker {
  readonly name: ScheduleName;
  readonly worker: Deployed;
}

const scheduleStatements = (resources: Resources): Readonly<Record<ScheduleName, PolicyStatement[]>> => ({
  'proposal-expiry': [
    ...statementsOf(['table:write', 'expiries:write'], resources),
    ...expiryStatements(resources.table),
  ],
  'event-backlog': [
    ...statementsOf(['table:write'], resources),
    backlogStatements(resources.table).drain,
    parkStatement(resources.bucket, 'event-queue'),
  ],
});

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
      // Runs do not overlap.
      reservedConcurrency: Math.min(1, settings.stage.workerConcurrency),
      statements: scheduleStatements(resources)[name],
      filePatterns: name === 'event-backlog' ? filesUnder(resources.bucket, parkedPrefix('event-queue')) : [],
    });
    new Rule(scope, `${name}-schedule`, {
      description: `Runs ${name} every ${everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(worker.target, { retryAttempts: 2, maxEventAge: Duration.minutes(everyMinutes) })],
    });
    return { name, worker };
  });
