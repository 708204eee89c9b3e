import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type QueueName, queueVariable } from '../lib/shared/queues.ts';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import { discardedPrefix } from '../lib/workflows/parked-records.ts';
import { formerStatements } from './former-grants.ts';
import {
  type Resources,
  backlogStatements,
  callbackKeyVariable,
  delayedMessageStatements,
  discardStatements,
  erasureStatements,
  expiryStatements,
  filesUnder,
  keepStatements,
  makeDownloadsStatement,
  parkedPrefix,
  paymentKeyVariable,
  parkStatement,
  personalPrefixes,
  readSecretStatement,
  receiveStatement,
  retentionStatements,
  sendStatement,
  signInVariables,
  statementsOf,
} from './grants.ts';
import { queueEnvironment, queues, sendToThemselves, workedQueues } from './queues.ts';
import {
  type ConsumerName,
  type ScheduleName,
  consumerNames,
  consumers,
  downloadsPrefix,
  incomingPrefix,
  scheduleNames,
  schedules,
  uploadsPrefix,
} from './table.ts';

/** A consumer of the table's stream. */
export interface Worker {
  readonly name: ConsumerName;
  readonly worker: Deployed;
}

const descriptions: Readonly<Record<ConsumerName, string>> = {
  'event-queue': 'Turns changes of the table into the events that subscribers fetch',
  'background-work': 'Makes and changes visits of series, pays invoices by credit, and hands new work to the queues',
};

const queueUrls = ({ queues }: Resources) => queueEnvironment((name) => queues[name].queue.queueUrl);

/** Permissions for sending messages, now or later. */
const sendStatements = ({ table, queues }: Resources): PolicyStatement[] => [
  sendStatement(queues),
  delayedMessageStatements(table).write,
];

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
    environment: name === 'background-work' ? { ...queueUrls(resources), ...signInVariables(resources) } : {},
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
      ...(name === 'event-queue' ? [backlogStatements(resources.table).write] : sendStatements(resources)),
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
    // Without a number Lambda retries a batch until its records expire, which it calls -1.
    ...(rules.retryAttempts < 0 ? {} : { retryAttempts: rules.retryAttempts }),
    maxRecordAge: Duration.hours(rules.maximumRecordAgeHours),
    filters: rules.filters.map((pattern) => FilterCriteria.filter(pattern)),
    // Keeps whole records, where a queue would only get their numbers. CDK's own destination would also allow reading.
    onFailure: { bind: () => ({ destination: resources.bucket.bucketArn }) },
  });
  return { name, worker };
};

const queueDescriptions: Readonly<Record<QueueName, string>> = {
  callbacks: 'Calls the addresses of receivers with the events they are to be notified of',
  downloads: 'Makes the files of downloads',
  copies: 'Copies uploaded files to where they do not expire',
  checkouts: 'Asks payment providers for checkouts whose webhook has not come',
  merges: 'Moves the records of contacts that were merged, and back; erases contacts',
  signins: 'Has the user pool follow users who are made or changed',
};

/** The worker of a queue. */
export interface QueueWorker {
  readonly name: QueueName;
  readonly worker: Deployed;
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const queueVariables: Readonly<Record<QueueName, (resources: Resources) => Record<string, string>>> = {
  callbacks: callbackKeyVariable,
  downloads: () => ({}),
  copies: () => ({}),
  checkouts: paymentKeyVariable,
  merges: () => ({}),
  signins: signInVariables,
};

const queueStatements: Readonly<Record<QueueName, (resources: Resources) => PolicyStatement[]>> = {
  callbacks: (resources) => [
    ...statementsOf(['table:write', 'messages:write'], resources),
    readSecretStatement(resources.callbackKey),
  ],
  downloads: (resources) => [...statementsOf(['table:write'], resources), makeDownloadsStatement(resources.bucket)],
  copies: (resources) => [...statementsOf(['table:write'], resources), ...keepStatements(resources.bucket)],
  checkouts: (resources) => statementsOf(['table:write', 'payments:take', 'messages:write'], resources),
  merges: (resources) => [
    ...statementsOf(['table:write', 'expiries:write'], resources),
    ...erasureStatements(resources),
  ],
  signins: (resources) => statementsOf(['table:write', 'sign-in:follow'], resources),
};

/** The prefixes of the bucket that a worker's statements allow. */
const filePrefixes: Readonly<Record<QueueName, readonly string[]>> = {
  callbacks: [],
  downloads: [downloadsPrefix],
  copies: [incomingPrefix, uploadsPrefix],
  checkouts: [],
  merges: personalPrefixes,
  signins: [],
};

export const makeQueueWorkers = (
  scope: Construct,
  settings: FunctionSettings,
  resources: Resources,
): readonly QueueWorker[] =>
  workedQueues(resources).map((name) => {
    const { batchSize, maximumConcurrency, timeoutSeconds } = queues[name];
    const { queue, deadLetters } = resources.queues[name];
    const worker = makeFunction(scope, name, settings, {
      bundle: `workers/${name}`,
      description: queueDescriptions[name],
      timeout: Duration.seconds(timeoutSeconds),
      // Lambda takes only as many messages as it has runs for: none is throttled, which would count as a delivery.
      reservedConcurrency: settings.stage.workerConcurrency ? maximumConcurrency : 0,
      sendsToItself: sendToThemselves.includes(name),
      environment: { [queueVariable(name)]: queue.queueUrl, ...queueVariables[name](resources) },
      filePatterns: filesUnder(resources.bucket, ...filePrefixes[name]),
      statements: [
        ...queueStatements[name](resources),
        receiveStatement(resources.queues[name]),
        ...formerStatements(name, resources),
      ],
    });
    new EventSourceMapping(scope, `${name}-source`, {
      target: worker.target,
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: maximumConcurrency,
      reportBatchItemFailures: true,
    });
    return { name, worker, queue, deadLetters };
  });

const scheduleDescriptions: Readonly<Record<ScheduleName, string>> = {
  'proposal-expiry':
    'Ends what was open for a time: proposals, and visits that nobody confirmed; tells of API keys that end soon',
  'event-backlog': 'Queues events of changes that were put aside while their account was over its ceiling',
  'delayed-messages': 'Sends the messages of the queues that are due',
  retention:
    'Removes calls, notes and files that are older than their account keeps them, and search entries of killed calls',
};

/** A scheduled worker. The next run makes up for a missed or failed one. */
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
  'delayed-messages': [delayedMessageStatements(resources.table).send, sendStatement(resources.queues)],
  retention: [...statementsOf(['table:write'], resources), ...retentionStatements(resources)],
});

/** The files that they write or remove. */
const scheduledFiles: Readonly<Record<ScheduleName, readonly string[]>> = {
  'proposal-expiry': [],
  'event-backlog': [parkedPrefix('event-queue')],
  'delayed-messages': [],
  retention: [incomingPrefix, uploadsPrefix],
};

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
      environment: name === 'delayed-messages' ? queueUrls(resources) : {},
      filePatterns: filesUnder(resources.bucket, ...scheduledFiles[name]),
    });
    new Rule(scope, `${name}-schedule`, {
      description: `Runs ${name} every ${everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(worker.target, { retryAttempts: 2, maxEventAge: Duration.minutes(everyMinutes) })],
    });
    return { name, worker };
  });
