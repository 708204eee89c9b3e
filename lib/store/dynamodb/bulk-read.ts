import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AttributeScanner, UnknownForm } from './attribute-scanner.ts';
import { type Attributes, decodeItem } from './attribute-values.ts';
import type { Item } from './changes.ts';
import { type Requests, send } from './client.ts';

/** The JSON of an answer to BatchGetItem. */
interface BatchGetBody {
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys?: readonly Attributes[] }>>;
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number }[];
}

/** An answer to BatchGetItem with plain values. */
interface BulkAnswer {
  readonly ConsumedCapacity: { readonly CapacityUnits?: number }[];
  readonly Responses: Readonly<Record<string, Item[]>>;
  readonly UnprocessedKeys: Readonly<Record<string, { readonly Keys: Item[] }>>;
}

type BatchGet = Requests['BatchGetItem'];

export type BulkRead = (
  client: DynamoDBClient,
  request: BatchGet[0],
  options: { abortSignal: AbortSignal },
) => Promise<BatchGet[1]>;

/** BatchGetItem at a part of the processor time: its text is read straight to plain values, without JSON.parse. */
export const bulkRead: BulkRead = (client, request, options) =>
  send(client, 'BatchGetItem', request, options, decodeBatch);

/** Where the items of the one table begin. Within a text of JSON its quotes would be escaped. */
const ITEMS = /"Responses":\{"[\w.-]+":(?=\[)/g;

/** An answer as DynamoDB sends it; one of another form is parsed whole. */
export function decodeBatch(text: string): BulkAnswer {
  try {
    return scanAnswer(text);
  } catch (error) {
    if (!(error instanceof UnknownForm)) throw error;
    return toAnswer(JSON.parse(text) as BatchGetBody);
  }
}

function scanAnswer(text: string): BulkAnswer {
  ITEMS.lastIndex = 0;
  if (!ITEMS.test(text)) throw new UnknownForm();
  const start = ITEMS.lastIndex;
  const scanner = new AttributeScanner(text, start);
  const items = scanner.items() as Item[];
  const others = toAnswer(JSON.parse(`${text.slice(0, start)}[]${text.slice(scanner.at)}`) as BatchGetBody);
  const tables = Object.keys(others.Responses);
  if (tables.length !== 1) throw new UnknownForm();
  return { ...others, Responses: { [tables[0] ?? '']: items } };
}

function toAnswer(body: BatchGetBody): BulkAnswer {
  const { Responses = {}, UnprocessedKeys = {}, ConsumedCapacity = [] } = body;
  const items = Object.entries(Responses).map(([table, found]) => [table, found.map(decodeRecord)] as const);
  const keys = Object.entries(UnprocessedKeys).map(
    ([table, { Keys = [] }]) => [table, { Keys: Keys.map(decodeRecord) }] as const,
  );
  return { ConsumedCapacity, Responses: Object.fromEntries(items), UnprocessedKeys: Object.fromEntries(keys) };
}

const decodeRecord = (attributes: Attributes): Item => decodeItem(attributes) as Item;
