import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  StartingPosition,
  type Function,
} from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { makeFunction, type FunctionSettings } from './functions.ts';
import { statementsOf, type Resources } from './grants.ts';
import { eventSource } from './table.ts';

export interface Workers {
  readonly events: Function;
  /** Where the event worker leaves what it gave up on. */
  readonly dead: Queue;
}

/** The consumer of the table's stream, by the rules of infra/table.ts, which the local stack follows too. */
export const makeWorkers = (scope: Construct, settings: FunctionSettings, resources: Resources): Workers => {
  const dead = makeDeadLetterQueue(scope, 'events-dead');
  const streamArn = resources.table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream.');
  const events = makeFunction(scope, 'events', settings, {
    bundle: 'workers/events',
    description: 'Turns changes of the table into the events that subscribers fetch',
    timeout: Duration.seconds(60),
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
  new EventSourceMapping(scope, 'events-source', {
    target: events,
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: eventSource.batchSize,
    maxBatchingWindow: Duration.seconds(eventSource.maximumBatchingWindowSeconds),
    reportBatchItemFailures: true,
    bisectBatchOnError: eventSource.bisectBatchOnError,
    retryAttempts: eventSource.retryAttempts,
    maxRecordAge: Duration.hours(eventSource.maximumRecordAgeHours),
    filters: ['NewImage', 'OldImage'].map((image) =>
      FilterCriteria.filter({ dynamodb: { [image]: { [eventSource.filterAttribute]: { S: FilterRule.exists() } } } }),
    ),
    // CDK's own SqsDlq would also grant reading the queue's attributes.
    onFailure: { bind: () => ({ destination: dead.queueArn }) },
  });
  return { events, dead };
};

const makeDeadLetterQueue = (scope: Construct, id: string): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This is itself a dead-letter queue; an alarm says when something is in it.',
  });
  return queue;
};
