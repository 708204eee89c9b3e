import {
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
  type DynamoDBStreamsClient,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { lambdaRecord } from './stream-record.ts';

/** The next records of a shard, none when there are none yet; `ended` when there will never be more. */
export interface Reading {
  readonly records: readonly DynamoDBRecord[];
  readonly ended: boolean;
}

/** Reads a shard in order, from behind a sequence number or from its beginning. */
export function shardReader({
  client,
  streamArn,
  shardId,
  batchSize,
  from,
}: {
  client: DynamoDBStreamsClient;
  streamArn: string;
  shardId: string;
  batchSize: number;
  from: string | undefined;
}): { next(): Promise<Reading> } {
  let position = from;
  let iterator: string | undefined;

  async function begin(): Promise<string | undefined> {
    const shard = { StreamArn: streamArn, ShardId: shardId };
    if (!position)
      return (await client.send(new GetShardIteratorCommand({ ...shard, ShardIteratorType: 'TRIM_HORIZON' })))
        .ShardIterator;
    try {
      const request = new GetShardIteratorCommand({
        ...shard,
        ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: position,
      });
      return (await client.send(request)).ShardIterator;
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      position = undefined;
      return await begin();
    }
  }

  return {
    async next() {
      iterator ??= await begin();
      if (iterator === undefined) return { records: [], ended: true };
      try {
        const { Records = [], NextShardIterator } = await client.send(
          new GetRecordsCommand({ ShardIterator: iterator, Limit: batchSize }),
        );
        iterator = NextShardIterator;
        position = Records.at(-1)?.dynamodb?.SequenceNumber ?? position;
        return {
          records: Records.map((record) => lambdaRecord(record, streamArn)),
          ended: NextShardIterator === undefined,
        };
      } catch (error) {
        if (!(error instanceof ExpiredIteratorException)) throw error;
        // An iterator lives for 15 minutes; the position stays good.
        iterator = undefined;
        return { records: [], ended: false };
      }
    },
  };
}
