import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { AttributeScanner, UnknownForm } from './attribute-scanner.ts';
import { type Attributes, decodeItem } from './attribute-values.ts';
import type { Item } from './changes.ts';

/** The JSON of an answer to BatchGetItem. */
interface BatchGetBody {
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys?: readonly Attributes[] }>>;
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

/** A client whose items have plain values. */
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
 * BatchGetItem at a part of the processor time: its text is read straight to plain values, without JSON.parse.
 */
export const bulkRead: BulkRead = async (client, request, options) => {
  const command = new BatchGetItemCommand(request as never);
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

const decodeRecord = (attributes: Attributes): Item => decodeItem(attributes) as Item;

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
