import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { retry } from '../../shared/retry.ts';
import { attributes } from '../keys.ts';
import type { Item } from './changes.ts';
import { documentClient, isAbandoned } from './client.ts';
import { StoreUnavailable, translateError } from './errors.ts';

/** Up to this many attempts of a page, within about two minutes. */
const MAX_ATTEMPTS = 12;

/** A part of the table, read beside the others. */
export interface Segment {
  readonly index: number;
  readonly of: number;
}

export interface Scan {
  readonly segment?: Segment;
  /** Only items of this kind of record; the units are those of all items. */
  readonly entity?: string;
  /** Only keys and kinds of the items of this account, in its partitions and elsewhere; the units are the same. */
  readonly account?: string;
  /** With `account`: whole items. */
  readonly isWhole?: boolean;
  /** Only items with this sort key. */
  readonly sortKey?: string;
}

/**
 * Reads the whole table, page by page (1 MB each), for what an operator starts: 0.5 RRU a 4 KB of the table. Never in a
 * request: the deployed functions have no permission for it.
 */
export type ScanTable = (scan?: Scan) => AsyncGenerator<Item[], void>;

const accountFilter = (account: string, isWhole = false) => ({
  FilterExpression: 'PK = :own OR begins_with(PK, :partitions) OR SK = :account OR #account = :account',
  ...(isWhole ? {} : { ProjectionExpression: 'PK, SK, #entity' }),
  ExpressionAttributeNames: { '#account': 'Account', ...(isWhole ? {} : { '#entity': attributes.entity }) },
  ExpressionAttributeValues: { ':own': `A#${account}`, ':partitions': `A#${account}#`, ':account': account },
});

export const openScan = ({ tableName = process.env['TABLE_NAME'] ?? '', endpoint = '' } = {}): ScanTable =>
  async function* pages({ segment, entity, account, isWhole, sortKey } = {}) {
    let from: Record<string, unknown> | undefined;
    do {
      const request = new ScanCommand({
        TableName: tableName,
        ...(segment ? { Segment: segment.index, TotalSegments: segment.of } : {}),
        ...(entity
          ? {
              FilterExpression: '#entity = :entity',
              ExpressionAttributeNames: { '#entity': attributes.entity },
              ExpressionAttributeValues: { ':entity': entity },
            }
          : {}),
        ...(account ? accountFilter(account, isWhole) : {}),
        ...(sortKey ? { FilterExpression: 'SK = :sort', ExpressionAttributeValues: { ':sort': sortKey } } : {}),
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      const { Items = [], LastEvaluatedKey } = await retry(
        () => translateError(documentClient(endpoint).send(request)),
        {
          isTransient: (error) => error instanceof StoreUnavailable,
          maxAttempts: MAX_ATTEMPTS,
          firstWait: 250,
          longestWait: 20_000,
        },
      );
      // What is read of one account is removed with it.
      yield account ? (Items as Item[]) : (Items as Item[]).filter((item) => !isAbandoned(item));
      from = LastEvaluatedKey;
    } while (from);
  };
