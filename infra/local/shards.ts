import { DescribeStreamCommand, type DynamoDBStreamsClient, type Shard } from '@aws-sdk/client-dynamodb-streams';
import type { Checkpoint } from './checkpoint.ts';

/** The shards of a stream that it still has. */
export async function listShards(client: DynamoDBStreamsClient, StreamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const page = { StreamArn, ...(after ? { ExclusiveStartShardId: after } : {}) };
    const { StreamDescription } = await client.send(new DescribeStreamCommand(page));
    shards.push(...(StreamDescription?.Shards ?? []));
    after = StreamDescription?.LastEvaluatedShardId;
  } while (after);
  return shards;
}

/**
 * The shards whose turn it is: not followed to their end, and the shard they came from is, or is forgotten. So changes
 * of one item stay in order when a shard splits.
 */
export function shardsInTurn(shards: readonly Shard[], checkpoint: (shardId: string) => Checkpoint): string[] {
  const listed = new Set(shards.map(({ ShardId }) => ShardId));
  return shards.flatMap(({ ShardId = '', ParentShardId }) => {
    const waits = ParentShardId && listed.has(ParentShardId) && !checkpoint(ParentShardId).ended;
    return waits || checkpoint(ShardId).ended ? [] : [ShardId];
  });
}
