import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  type QueueWorkerName,
  type ScheduledWorkerName,
  type StreamWorkerName,
  queueWorkers,
  scheduledWorkerNames,
  scheduledWorkers,
  streamWorkerNames,
  streamWorkers,
} from '../functions/workers/index.ts';
import type { WorkerNeed } from '../lib/api/context.ts';
import { queueVariable } from '../lib/shared/queues.ts';
import { discardedPrefix } from '../lib/workflows/parked-records.ts';
import { formerStatements } from './former-grants.ts';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import {
  type Resources,
  discardStatements,
  filePatternsOf,
  filesUnder,
  parkStatement,
  parkedPrefix,
  receiveStatement,
  statementsOf,
  variablesOf,
} from './grants.ts';
import { workedQueues } from './queues.ts';

/** The options of a function that follow from its worker's declaration (functions/workers). */
const optionsOf = (
  { name, description, needs }: { name: string; description: string; needs: readonly WorkerNeed[] },
  resources: Resources,
) => ({
  bundle: `workers/${name}`,
  description,
  environment: variablesOf(needs, resources),
  statements: [...statementsOf(needs, resources), ...formerStatements(name, resources)],
  filePatterns: filePatternsOf(needs, resources.bucket),
});

/** A worker on the table's stream. */
export interface StreamWorker {
  readonly name: StreamWorkerName;
  readonly worker: Deployed;
}

export const makeStreamWorkers = (
  scope: Construct,
  settings: FunctionSettings,
  resources: Resources,
): readonly StreamWorker[] => {
  const streamArn = resources.table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream.');
  return streamWorkerNames.map((name) => {
    const { stream, ...declared } = streamWorkers[name];
    const { statements, filePatterns, ...options } = optionsOf(declared, resources);
    const worker = makeFunction(scope, name, settings, {
      ...options,
      timeout: Duration.seconds(60),
      reservedConcurrency: settings.stage.workerConcurrency,
      filePatterns: [...filePatterns, ...filesUnder(resources.bucket, parkedPrefix(name), discardedPrefix)],
      statements: [
        ...statements,
        readStreamStatement(streamArn),
        parkStatement(resources.bucket, name),
        ...discardStatements(resources.bucket),
      ],
    });
    new EventSourceMapping(scope, `${name}-source`, {
      target: worker.target,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: stream.batchSize,
      maxBatchingWindow: Duration.seconds(stream.maximumBatchingWindowSeconds),
      reportBatchItemFailures: true,
      bisectBatchOnError: stream.bisectBatchOnError,
      // Without a number Lambda retries a batch until its records expire, which it calls -1.
      ...(stream.retryAttempts < 0 ? {} : { retryAttempts: stream.retryAttempts }),
      maxRecordAge: Duration.hours(stream.maximumRecordAgeHours),
      filters: stream.filters.map((pattern) => FilterCriteria.filter(pattern)),
      // Keeps whole records, where a queue would only get their numbers. CDK's own destination would also allow
      // reading.
      onFailure: { bind: () => ({ destination: resources.bucket.bucketArn }) },
    });
    return { name, worker };
  });
};

const readStreamStatement = (streamArn: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    resources: [streamArn],
  });

/** A worker on a queue. */
export interface QueueWorker {
  readonly name: QueueWorkerName;
  readonly worker: Deployed;
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

export const makeQueueWorkers = (
  scope: Construct,
  settings: FunctionSettings,
  resources: Resources,
): readonly QueueWorker[] =>
  workedQueues(resources).map((name) => {
    const { queue: rules, sendsToItself, ...declared } = queueWorkers[name];
    const made = resources.queues[name];
    if (!made) throw new Error(`The stage has no queue ${name}.`);
    const { queue, deadLetters } = made;
    const { statements, environment, ...options } = optionsOf(declared, resources);
    const worker = makeFunction(scope, name, settings, {
      ...options,
      timeout: Duration.seconds(rules.timeoutSeconds),
      // Lambda takes only as many messages as it has runs for: none is throttled, which would count as a delivery.
      reservedConcurrency: settings.stage.workerConcurrency ? rules.maximumConcurrency : 0,
      sendsToItself,
      environment: { [queueVariable(name)]: queue.queueUrl, ...environment },
      statements: [...statements, receiveStatement(made)],
    });
    new EventSourceMapping(scope, `${name}-source`, {
      target: worker.target,
      eventSourceArn: queue.queueArn,
      batchSize: rules.batchSize,
      maxConcurrency: rules.maximumConcurrency,
      reportBatchItemFailures: true,
    });
    return { name, worker, queue, deadLetters };
  });

/** A worker on a schedule. */
export interface ScheduledWorker {
  readonly name: ScheduledWorkerName;
  readonly worker: Deployed;
}

export const makeScheduledWorkers = (
  scope: Construct,
  settings: FunctionSettings,
  resources: Resources,
): readonly ScheduledWorker[] =>
  scheduledWorkerNames.map((name) => {
    const { schedule, ...declared } = scheduledWorkers[name];
    const { everyMinutes, timeoutMinutes } = schedule;
    const worker = makeFunction(scope, name, settings, {
      ...optionsOf(declared, resources),
      timeout: Duration.minutes(timeoutMinutes),
      // Runs do not overlap.
      reservedConcurrency: Math.min(1, settings.stage.workerConcurrency),
    });
    new Rule(scope, `${name}-schedule`, {
      description: `Runs ${name} every ${everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(worker.target, { retryAttempts: 2, maxEventAge: Duration.minutes(everyMinutes) })],
    });
    return { name, worker };
  });
