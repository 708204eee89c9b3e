import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { table as description } from '../table.ts';
import { Pace } from './pace.ts';

/** Removes items whose time is over, as DynamoDB does by itself. */
export interface TimeToLive {
  /** Looks through the whole table at once. Gives how many items it has removed. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

/** DynamoDB takes up to a few days. */
const EVERY_MILLISECONDS = 60_000;
/** A large table is looked through slowly: after a page it rests so many times what that took: 2 % of a processor. */
const REST = 50;

type Key = Record<string, AttributeValue>;

/**
 * Looks through the table again and again for items whose time to live is over, and removes them. The engine offers
 * that only to programs that embed it. What the stream then says of who removed them: stream-record.ts.
 */
export function startTimeToLive(options: {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly onRemoved: () => void;
  readonly log: (line: string) => void;
  readonly everyMilliseconds?: number;
}): TimeToLive {
  const { client, tableName: TableName, onRemoved, log, everyMilliseconds = EVERY_MILLISECONDS } = options;
  const { partitionKey, sortKey, timeToLive } = description;
  const names = { '#pk': partitionKey, '#sk': sortKey, '#ttl': timeToLive };
  const pace = new Pace();

  async function remove(item: Key): Promise<number> {
    const { [timeToLive]: time, ...Key } = item;
    if (!time) return 0;
    try {
      // Only as long as it is what was read: it may have been given more time.
      await client.send(
        new DeleteItemCommand({
          TableName,
          Key,
          ConditionExpression: '#ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': timeToLive },
          ExpressionAttributeValues: { ':ttl': time },
        }),
      );
      return 1;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 0;
      throw error;
    }
  }

  async function pass(betweenPages: (tookMilliseconds: number) => Promise<void>): Promise<number> {
    let removed = 0;
    let from: Key | undefined;
    do {
      const begun = performance.now();
      const page = await client.send(
        new ScanCommand({
          TableName,
          FilterExpression: '#ttl < :now',
          ProjectionExpression: '#pk, #sk, #ttl',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':now': { N: String(Math.floor(Date.now() / 1000)) } },
          ...(from && { ExclusiveStartKey: from }),
        }),
      );
      let here = 0;
      for (const item of page.Items ?? []) here += await remove(item);
      if (here) onRemoved();
      removed += here;
      from = page.LastEvaluatedKey;
      if (from) await betweenPages(performance.now() - begun);
    } while (from && !pace.ended);
    return removed;
  }

  async function watch(): Promise<void> {
    for (;;) {
      await pace.rest(everyMilliseconds);
      if (pace.ended) return;
      try {
        await pass((took) => pace.rest(took * REST));
      } catch (error) {
        // The engine is away or starts again; there is a next time.
        if (!pace.ended) log(`time to live: ${String(error)}`);
      }
    }
  }

  const watching = watch();
  return {
    sweep: () => pass(() => Promise.resolve()),
    async stop() {
      pace.end();
      await watching;
      client.destroy();
    },
  };
}
