import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { table as description } from '../table.ts';
import { LoopControl } from './loop-control.ts';

/** Removes expired items, as DynamoDB does by itself. */
export interface TimeToLive {
  /** Scans the whole table at once. Returns how many items it removed. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

/** DynamoDB takes up to a few days. */
const EVERY_MILLISECONDS = 60_000;
/** After each page it waits this many times as long as the page took: 2 % of a processor. */
const WAIT_FACTOR = 50;

type Key = Record<string, AttributeValue>;

/** Removes expired items again and again: the engine does so only for programs that embed it. */
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
  const control = new LoopControl();

  async function remove(item: Key): Promise<number> {
    const { [timeToLive]: time, ...Key } = item;
    if (!time) return 0;
    try {
      // The item may have been given more time since it was read.
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

  async function scan(betweenPages: (tookMilliseconds: number) => Promise<void>): Promise<number> {
    let removed = 0;
    let from: Key | undefined;
    do {
      const startedAt = performance.now();
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
      let removedOfPage = 0;
      for (const item of page.Items ?? []) removedOfPage += await remove(item);
      if (removedOfPage) onRemoved();
      removed += removedOfPage;
      from = page.LastEvaluatedKey;
      if (from) await betweenPages(performance.now() - startedAt);
    } while (from && !control.isEnded);
    return removed;
  }

  async function watch(): Promise<void> {
    for (;;) {
      await control.wait(everyMilliseconds);
      if (control.isEnded) return;
      try {
        await scan((took) => control.wait(took * WAIT_FACTOR));
      } catch (error) {
        // The engine is restarting; the next scan removes the items.
        if (!control.isEnded) log(`time to live: ${String(error)}`);
      }
    }
  }

  const watching = watch();
  return {
    sweep: () => scan(() => Promise.resolve()),
    async stop() {
      control.end();
      await watching;
      client.destroy();
    },
  };
}
