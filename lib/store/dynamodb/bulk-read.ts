import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { AttributeScanner, UnknownForm } from './attribute-scanner.ts';
import type { Item } from './changes.ts';

/** An attribute as DynamoDB sends it: exactly one of these. */
interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly BOOL?: boolean;
  readonly NULL?: true;
  readonly L?: readonly AttributeValue[];
  readonly M?: Readonly<Record<string, AttributeValue>>;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly B?: string;
}

function decode(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.M !== undefined) return decodeItem(value.M);
  if (value.L !== undefined) return value.L.map(decode);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  return value.B === undefined ? null : Buffer.from(value.B, 'base64');
}

/** The values of an item or map as JSON has them. */
function decodeItem(attributes: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const name in attributes) item[name] = decode(attributes[name] as AttributeValue);
  return item;
}

/** The JSON of an answer to BatchGetItem. */
interface BatchGetBody {
  readonly Responses?: Readonly<Record<string, readonly Readonly<Record<string, AttributeValue>>[]>>;
  readonly UnprocessedKeys?: Readonly<
    Record<string, { readonly Keys?: readonly Readonly<Record<string, AttributeValue>>[] }>
  >;
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number }[];
}

interface BulkRequest {
  readonly RequestItems: Readonly<
    Record<string, { readonly Keys: readonly { readonly PK: string; readonly SK: string }[] }>
  >;
  readonly ReturnConsumedCapacity: 'TOTAL';
}

/** An answer to BatchGetItem with plain values. */
interface BulkAnswer {
  readonly $metadata: { readonly attempts?: number | undefined };
  readonly ConsumedCapacity: { readonly CapacityUnits?: number }[];
  readonly Responses: Readonly<Record<string, Item[]>>;
  readonly UnprocessedKeys: Readonly<Record<string, { readonly Keys: Item[] }>>;
}

/** A client that sends commands, with or without documents. */
interface Sender {
  send(
    command: BatchGetItemCommand,
    options: { abortSignal: AbortSignal },
  ): Promise<{ readonly $metadata: { readonly attempts?: number } }>;
}

export type BulkRead = (
  client: Sender,
  request: BulkRequest,
  options: { abortSignal: AbortSignal },
) => Promise<BulkAnswer>;

type Received = { readonly response: unknown };
interface HttpAnswer {
  readonly statusCode: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * BatchGetItem at a part of the processor time: the SDK's deserialization and unmarshalling take three times as long
 * as parsing the JSON, and here the parsed JSON is decoded at once. Errors are the SDK's.
 */
export const bulkRead: BulkRead = async (client, { RequestItems, ReturnConsumedCapacity }, options) => {
  const requests = Object.entries(RequestItems).map(([table, { Keys, ...others }]) => {
    const keys = Keys.map(({ PK, SK }) => ({ PK: { S: PK }, SK: { S: SK } }));
    return [table, { ...others, Keys: keys }] as const;
  });
  const command = new BatchGetItemCommand({ RequestItems: Object.fromEntries(requests), ReturnConsumedCapacity });
  let text = '{}';
  const takeBody =
    (next: (args: never) => Promise<Received>) =>
    async (args: never): Promise<Received> => {
      const received = await next(args);
      const response = received.response as HttpAnswer;
      if (response.statusCode !== 200) return received;
      text = await readText(response.body);
      // What the SDK is left with to deserialize.
      return { ...received, response: Object.assign(response, { body: Buffer.from('{}') }) };
    };
  command.middlewareStack.addRelativeTo(takeBody as never, {
    name: 'takeBody',
    relation: 'after',
    toMiddleware: 'deserializerMiddleware',
  });
  const { $metadata } = await client.send(command, options);
  return { $metadata, ...decodeAnswer(text) };
};

/** Where the items of the one table begin. Within a text of JSON its quotes would be escaped. */
const ITEMS = /"Responses":\{"[\w.-]+":(?=\[)/g;

/** An answer as DynamoDB sends it; one of another form is parsed whole. */
export function decodeAnswer(text: string): Omit<BulkAnswer, '$metadata'> {
  try {
    return scanAnswer(text);
  } catch (error) {
    if (!(error instanceof UnknownForm)) throw error;
    return toAnswer(JSON.parse(text) as BatchGetBody);
  }
}

function scanAnswer(text: string): Omit<BulkAnswer, '$metadata'> {
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

function toAnswer(body: BatchGetBody): Omit<BulkAnswer, '$metadata'> {
  const { Responses = {}, UnprocessedKeys = {}, ConsumedCapacity = [] } = body;
  const items = Object.entries(Responses).map(([table, found]) => [table, found.map(decodeRecord)] as const);
  const keys = Object.entries(UnprocessedKeys).map(
    ([table, { Keys = [] }]) => [table, { Keys: Keys.map(decodeRecord) }] as const,
  );
  return { ConsumedCapacity, Responses: Object.fromEntries(items), UnprocessedKeys: Object.fromEntries(keys) };
}

const decodeRecord = (attributes: Readonly<Record<string, AttributeValue>>): Item => decodeItem(attributes) as Item;

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
