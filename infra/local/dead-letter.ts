import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { functionArn } from './lambda.ts';
import { createdAt, sequenceOf } from './stream-record.ts';

/** Why Lambda gives a batch up. */
export type Condition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export interface GivenUp {
  readonly records: readonly DynamoDBRecord[];
  readonly condition: Condition;
  readonly attempts: number;
}

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/**
 * The message that Lambda writes to the dead-letter queue for a batch of a DynamoDB stream that it gives up: where the
 * records are, not the records, which stay in the stream for 24 hours.
 */
export function deadLetter(
  { records, condition, attempts }: GivenUp,
  {
    streamArn,
    shardId,
    functionName,
    now,
  }: {
    streamArn: string;
    shardId: string;
    functionName: string;
    now: Date;
  },
): string {
  const first = records[0];
  const last = records.at(-1);
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: functionArn(functionName),
      condition,
      approximateInvokeCount: attempts,
    },
    // Nothing was invoked for a record that was too old before its first attempt.
    ...(attempts
      ? { responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' } }
      : {}),
    version: '1.0',
    timestamp: now.toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: sequenceOf(first),
      endSequenceNumber: sequenceOf(last),
      approximateArrivalOfFirstRecord: moment(createdAt(first)),
      approximateArrivalOfLastRecord: moment(createdAt(last)),
      batchSize: records.length,
      streamArn,
    },
  });
}
