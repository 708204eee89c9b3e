import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { rememberFailedRequest } from './errors.ts';
import type { Key } from '../keys.ts';
import type { Item } from './changes.ts';
import { PlainValuesProtocol } from './plain-values-protocol.ts';
import { RequestSigner } from './request-signer.ts';
import { requestHandler } from './wait-budget.ts';

const clients = new Map<string, DynamoDBClient>();

/** Called with each new client: the strict table of tests and `npm start` (infra/strict-table.ts). */
export const clientPlugins = new Set<(client: DynamoDBClient) => void>();

/** What describes the caller to AWS, or logs to a logger that the client does not have: each request pays for it. */
const unusedMiddlewares = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** The client of an endpoint. Its commands have items of plain values. */
export function documentClient(endpoint = ''): DynamoDBClient {
  const known = clients.get(endpoint);
  if (known) return known;
  const client: DynamoDBClient = new DynamoDBClient({
    ...(endpoint ? { endpoint } : {}),
    maxAttempts: 4,
    protocol: PlainValuesProtocol,
    requestHandler,
    signer: new RequestSigner({ credentials: () => client.config.credentials(), region: () => client.config.region() }),
  });
  client.middlewareStack.add(rememberFailedRequest, { step: 'initialize' });
  for (const name of unusedMiddlewares) client.middlewareStack.remove(name);
  for (const plugIn of clientPlugins) plugIn(client);
  clients.set(endpoint, client);
  return client;
}

/** An output of the SDK with items and keys as the table has them. */
type WithItems<Output, Fields> = Omit<Output, keyof Fields> & Partial<Fields>;
type ByTable<Value> = Record<string, Value>;

export type WriteRequest = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Key } };

/** Requests with items, and their answers. */
interface Requests {
  readonly BatchGetItem: [
    BatchGetCommandInput,
    WithItems<BatchGetCommandOutput, { Responses: ByTable<Item[]>; UnprocessedKeys: ByTable<{ Keys: Key[] }> }>,
  ];
  readonly BatchWriteItem: [
    BatchWriteCommandInput,
    WithItems<BatchWriteCommandOutput, { UnprocessedItems: ByTable<WriteRequest[]> }>,
  ];
  readonly GetItem: [GetCommandInput, WithItems<GetCommandOutput, { Item: Item }>];
  readonly PutItem: [PutCommandInput, PutCommandOutput];
  readonly Query: [QueryCommandInput, WithItems<QueryCommandOutput, { Items: Item[] }>];
  readonly Scan: [ScanCommandInput, WithItems<ScanCommandOutput, { Items: Item[]; LastEvaluatedKey: Key }>];
  readonly TransactWriteItems: [TransactWriteCommandInput, TransactWriteCommandOutput];
  readonly UpdateItem: [UpdateCommandInput, WithItems<UpdateCommandOutput, { Attributes: Item }>];
}

/** The SDK's classes, whose types have marshalled items. */
const commands = {
  BatchGetItem: BatchGetItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  TransactWriteItems: TransactWriteItemsCommand,
  UpdateItem: UpdateItemCommand,
} as const;

/** Sends a request whose items have plain values. */
export function send<Name extends keyof Requests>(
  client: DynamoDBClient,
  name: Name,
  input: Requests[Name][0],
  options?: { readonly abortSignal: AbortSignal },
): Promise<Requests[Name][1]> {
  const Command = commands[name] as unknown as new (input: Requests[Name][0]) => GetItemCommand;
  return client.send(new Command(input), options);
}
