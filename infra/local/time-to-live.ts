import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { table as description } from '../table.ts';
import { LoopControl } from './loop-control.ts';

/** DynamoDB takes up to a few days. */
const EVERY_MILLISECONDS = 60_000;
/** After each page it waits this many times as long as the page took, which limits it to 2% of a processor. */
const WAIT_FACTOR = 50;

/**
 * Items per page. Without a limit the engine reads the whole table for each page and answers nobody else meanwhile:
 * with 1.7 million items for 13 s; with 1,000 per page, 18 ms.
 */
const PAGE = 1_000;

type Key = Record<string, AttributeValue>;

export interface TimeToLiveOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly onRemoved: () => void;
  readonly log: (line: string) => void;
  readonly everyMilliseconds?: number;
}

const { partitionKey, sortKey, timeToLive } = description;

/** Removes expired items repeatedly, as DynamoDB does by itself; the engine only does so if it is embedded. */
export class TimeToLive {
  readonly #options: TimeToLiveOptions;
  readonly #control = new LoopControl();
  readonly #watching: Promise<void>;

  constructor(options: TimeToLiveOptions) {
    this.#options = options;
    this.#watching = this.#watch();
  }

  /** Scans the whole table at once. Returns how many items it removed. */
  sweep(): Promise<number> {
    return this.#scan(() => Promise.resolve());
  }

  async stop(): Promise<void> {
    this.#control.end();
    await this.#watching;
    this.#options.client.destroy();
  }

  async #watch(): Promise<void> {
    const { log, everyMilliseconds = EVERY_MILLISECONDS } = this.#options;
    for (;;) {
      await this.#control.wait(everyMilliseconds);
      if (this.#control.isEnded) return;
      try {
        await this.#scan((took) => this.#control.wait(took * WAIT_FACTOR));
      } catch (error) {
        // The engine is restarting; the next scan removes the items.
        if (!this.#control.isEnded) log(`time to live: ${String(error)}`);
      }
    }
  }

  async #scan(betweenPages: (tookMilliseconds: number) => Promise<void>): Promise<number> {
    const { client, tableName, onRemoved } = this.#options;
    let removed = 0;
    let from: Key | undefined;
    do {
      const startedAt = performance.now();
      const page = await client.send(
        new ScanCommand({
          TableName: tableName,
          Limit: PAGE,
          FilterExpression: '#ttl < :now',
          ProjectionExpression: '#pk, #sk, #ttl',
          ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey, '#ttl': timeToLive },
          ExpressionAttributeValues: { ':now': { N: String(Math.floor(Date.now() / 1000)) } },
          ...(from && { ExclusiveStartKey: from }),
        }),
      );
      let removedOfPage = 0;
      for (const item of page.Items ?? []) removedOfPage += await this.#remove(item);
      if (removedOfPage) onRemoved();
      removed += removedOfPage;
      from = page.LastEvaluatedKey;
      if (from) await betweenPages(performance.now() - startedAt);
    } while (from && !this.#control.isEnded);
    return removed;
  }

  async #remove(item: Key): Promise<number> {
    const { [timeToLive]: time, ...Key } = item;
    if (!time) return 0;
    try {
      // The item may have been given more time since it was read.
      await this.#options.client.send(
        new DeleteItemCommand({
          TableName: this.#options.tableName,
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
}
