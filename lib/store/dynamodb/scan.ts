import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { retry } from '../../shared/promises.ts';
import { type Key, accountOfKey, attributes } from '../keys.ts';
import type { Item } from './changes.ts';
import { documentClient } from './client.ts';
import { StoreUnavailable, translateError } from './errors.ts';

/** Maximum number of attempts per page, within about two minutes. */
const MAX_ATTEMPTS = 12;

/**
 * Maximum number of items per page: DynamoDB ends one at 1 MB, some 4,000 small items, and the local engine reads the
 * whole table for a page without a limit.
 */
const MAX_PAGE = 5_000;

/** A part of the table, read in parallel with the others. */
interface Segment {
  readonly index: number;
  readonly of: number;
}

interface ReadPage {
  /** Number of items, matching or not. */
  readonly read: number;
  /** Where the segment continues after the page; `undefined` at its end. */
  readonly next: Key | undefined;
}

/** Maximum number of accounts in one scan: DynamoDB allows 300 comparisons in a filter. */
export const MAX_SCAN_ACCOUNTS = 20;

export interface Scan {
  readonly segment?: Segment;
  /** Continues after this item. */
  readonly after?: Key | undefined;
  /** Only items of this kind of record; all items still cost units. */
  readonly entity?: string;
  /**
   * Only keys, kinds and accounts of the items of at most 20 accounts, in their partitions and elsewhere; the units are
   * the same.
   */
  readonly accounts?: readonly string[] | undefined;
  /** With `accounts`: whole items. */
  readonly isWhole?: boolean;
  /** Only items with this sort key. */
  readonly sortKey?: string;
  /** Asked before each further page: the scan ends when it returns false. */
  readonly goesOn?: () => boolean;
  /** Called when the items of a page have been handled. */
  readonly onPage?: (page: ReadPage) => void;
}

/**
 * Reads the whole table, page by page (1 MB each), for what an operator starts: 0.5 RRU per 4 KB of the table. Never in
 * a request: the deployed functions have no permission for it.
 */
export type ScanTable = (scan?: Scan) => AsyncGenerator<Item[], void>;

function accountFilter(accounts: readonly string[], isWhole = false) {
  const values = Object.fromEntries(
    accounts.flatMap((account, index) => [
      [`:own${index}`, `A#${account}`],
      [`:within${index}`, `A#${account}#`],
      [`:account${index}`, account],
    ]),
  );
  const names = accounts.map((_, index) => `:account${index}`).join(', ');
  const partitions = accounts.map((_, index) => `PK = :own${index} OR begins_with(PK, :within${index})`);
  return {
    FilterExpression: [...partitions, `SK IN (${names})`, `#account IN (${names})`].join(' OR '),
    ...(isWhole ? {} : { ProjectionExpression: 'PK, SK, #entity, #account' }),
    ExpressionAttributeNames: { '#account': 'Account', ...(isWhole ? {} : { '#entity': attributes.entity }) },
    ExpressionAttributeValues: values,
  };
}

/** The account of an item that a scan found, including items outside the partitions of accounts. */
export const accountOfItem = (item: Item): string | undefined =>
  accountOfKey(item) ?? (typeof item['Account'] === 'string' ? item['Account'] : undefined);

interface Place {
  readonly tableName?: string;
  readonly endpoint?: string;
}

export const openScan = ({ tableName = process.env['TABLE_NAME'] ?? '', endpoint = '' }: Place = {}): ScanTable =>
  async function* pages({ segment, after, entity, accounts, isWhole, sortKey, goesOn = () => true, onPage } = {}) {
    let from: Key | undefined = after;
    do {
      const command = new ScanCommand({
        TableName: tableName,
        Limit: MAX_PAGE,
        ...(segment ? { Segment: segment.index, TotalSegments: segment.of } : {}),
        ...(entity
          ? {
              FilterExpression: '#entity = :entity',
              ExpressionAttributeNames: { '#entity': attributes.entity },
              ExpressionAttributeValues: { ':entity': entity },
            }
          : {}),
        ...(accounts ? accountFilter(accounts, isWhole) : {}),
        ...(sortKey ? { FilterExpression: 'SK = :sort', ExpressionAttributeValues: { ':sort': sortKey } } : {}),
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      const {
        Items = [],
        ScannedCount: read = 0,
        LastEvaluatedKey,
      } = await retry(() => translateError(documentClient(endpoint).send(command)), {
        isTransient: (error) => error instanceof StoreUnavailable,
        maxAttempts: MAX_ATTEMPTS,
        firstWait: 250,
        longestWait: 20_000,
      });
      yield Items as Item[];
      from = LastEvaluatedKey as Key | undefined;
      onPage?.({ read, next: from });
    } while (from && goesOn());
  };

/** The size of the table, which DynamoDB updates about every six hours. */
export interface TableSize {
  readonly items: number;
  readonly bytes: number;
}

export async function findTableSize({
  tableName = process.env['TABLE_NAME'] ?? '',
  endpoint = '',
}: Place = {}): Promise<TableSize> {
  const command = new DescribeTableCommand({ TableName: tableName });
  const { Table } = await translateError(documentClient(endpoint).send(command));
  return { items: Table?.ItemCount ?? 0, bytes: Table?.TableSizeBytes ?? 0 };
}
