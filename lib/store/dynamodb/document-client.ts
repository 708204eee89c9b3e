import {
  type DescribeTableCommandInput,
  type DescribeTableCommandOutput,
  DynamoDBClient,
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
import { getSmithyContext } from '@smithy/core/transport';
import type { Key } from '../keys.ts';
import type { Item } from './changes.ts';
import { rememberFailedRequest } from './errors.ts';
import { type Action, decodeAnswer } from './attribute-values.ts';
import { RequestSigner } from './request-signer.ts';
import { type RequestContext, useTableMiddlewares } from './table-middlewares.ts';
import { requestHandler } from './wait-budget.ts';

const clients = new Map<string, DynamoDBClient>();

/** Called with each new client: the strict table of tests and `npm start` (infra/strict-table.ts). */
export const clientPlugins = new Set<(client: DynamoDBClient) => void>();

/** The client of an endpoint. Its commands have items of plain values. */
export function documentClient(endpoint = ''): DynamoDBClient {
  const known = clients.get(endpoint);
  if (known) return known;
  const client: DynamoDBClient = new DynamoDBClient({
    ...(endpoint ? { endpoint } : {}),
    maxAttempts: 4,
    requestHandler,
    signer: new RequestSigner({ credentials: () => client.config.credentials(), region: () => client.config.region() }),
  });
  useTableMiddlewares(client);
  client.middlewareStack.add(rememberFailedRequest, { step: 'initialize' });
  for (const plugIn of clientPlugins) plugIn(client);
  clients.set(endpoint, client);
  return client;
}

/** An output of the SDK with items and keys as the table has them. */
type WithItems<Output, Fields> = Omit<Output, keyof Fields> & Partial<Fields>;
type ByTable<Value> = Record<string, Value>;

export type WriteRequest = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Key } };

/** Requests with items, and their answers. */
export interface Requests {
  readonly BatchGetItem: [
    BatchGetCommandInput,
    WithItems<BatchGetCommandOutput, { Responses: ByTable<Item[]>; UnprocessedKeys: ByTable<{ Keys: Key[] }> }>,
  ];
  readonly BatchWriteItem: [
    BatchWriteCommandInput,
    WithItems<BatchWriteCommandOutput, { UnprocessedItems: ByTable<WriteRequest[]> }>,
  ];
  readonly DescribeTable: [DescribeTableCommandInput, DescribeTableCommandOutput];
  readonly GetItem: [GetCommandInput, WithItems<GetCommandOutput, { Item: Item }>];
  readonly PutItem: [PutCommandInput, PutCommandOutput];
  readonly Query: [QueryCommandInput, WithItems<QueryCommandOutput, { Items: Item[] }>];
  readonly Scan: [ScanCommandInput, WithItems<ScanCommandOutput, { Items: Item[]; LastEvaluatedKey: Key }>];
  readonly TransactWriteItems: [TransactWriteCommandInput, TransactWriteCommandOutput];
  readonly UpdateItem: [UpdateCommandInput, WithItems<UpdateCommandOutput, { Attributes: Item }>];
}

type Stack = DynamoDBClient['middlewareStack'];
interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** What the client sends: an operation on items of plain values. */
class TableCommand {
  readonly input: object;
  readonly #action: Action;
  readonly #decode: RequestContext['decode'];

  constructor(action: Action, input: object, decode: RequestContext['decode']) {
    this.input = input;
    this.#action = action;
    this.#decode = decode;
  }

  /** As the client calls it. The SDK's retries look for the signal in the context. */
  resolveMiddleware(stack: Stack, { requestHandler }: DynamoDBClient['config'], options: SendOptions = {}) {
    const [action, decode] = [this.#action, this.#decode];
    const context: RequestContext = { clientName: 'DynamoDBClient', commandName: `${action}Command`, action, decode };
    Object.assign(getSmithyContext(context as never), options);
    return stack.resolve(({ request }) => requestHandler.handle(request as never, options), context as never);
  }
}

/** Sends a request whose items have plain values; `decode` reads the answer if it is not the usual one. */
export function send<Name extends keyof Requests>(
  client: DynamoDBClient,
  name: Name,
  input: Requests[Name][0],
  options?: SendOptions,
  decode: RequestContext['decode'] = (text) => decodeAnswer(name, text),
): Promise<Requests[Name][1]> {
  return client.send(new TableCommand(name, input, decode) as never, options as never);
}
