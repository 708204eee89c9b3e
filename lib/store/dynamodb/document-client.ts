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
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
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
import { HttpRequest } from '@smithy/core/protocols';
import { createHmac, hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Key } from '../keys.ts';
import { type Attributes, decodeItem, encodeItem } from './attribute-values.ts';
import type { Item } from './changes.ts';
import { rememberFailedRequest } from './errors.ts';
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

/** Converts the items in a value: from plain values, or to them. */
type Convert = (value: never) => unknown;

/** Converts fields of an object where it has them, and keeps the others. */
const fields =
  (converted: Readonly<Record<string, Convert>>): Convert =>
  (value: Readonly<Record<string, never>>) => {
    const result: Record<string, unknown> = { ...value };
    for (const name in converted) if (value[name] !== undefined) result[name] = converted[name]?.(value[name]);
    return result;
  };
const list =
  (convert: Convert): Convert =>
  (values: readonly never[]) =>
    values.map(convert);
/** Of an object with a field for each table. */
const each =
  (convert: Convert): Convert =>
  (values: Readonly<Record<string, never>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));

const encode: Convert = (item: Record<string, unknown>) => encodeItem(item);
const decode: Convert = (attributes: Attributes) => decodeItem(attributes);

const statement = fields({ Key: encode, Item: encode, ExpressionAttributeValues: encode, ExclusiveStartKey: encode });
const answer = fields({ Item: decode, Items: list(decode), Attributes: decode, LastEvaluatedKey: decode });
const plain = { input: statement, output: answer };
const writes = (convert: Convert) =>
  each(list(fields({ PutRequest: fields({ Item: convert }), DeleteRequest: fields({ Key: convert }) })));

/** Where the requests and answers of operations hold items. */
const operations: Readonly<Record<string, { readonly input: Convert; readonly output: Convert }>> = {
  GetItem: plain,
  PutItem: plain,
  UpdateItem: plain,
  Query: plain,
  Scan: plain,
  BatchGetItem: {
    input: fields({ RequestItems: each(fields({ Keys: list(encode) })) }),
    output: fields({ Responses: each(list(decode)), UnprocessedKeys: each(fields({ Keys: list(decode) })) }),
  },
  BatchWriteItem: {
    input: fields({ RequestItems: writes(encode) }),
    output: fields({ UnprocessedItems: writes(decode) }),
  },
  TransactWriteItems: {
    input: fields({
      TransactItems: list(fields({ Put: statement, Update: statement, Delete: statement, ConditionCheck: statement })),
    }),
    output: fields({}),
  },
};

/** By events: reading a stream in a loop takes several times as long. */
const readText = (body: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    body
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part;
      })
      .once('end', () => resolve(text))
      .once('error', reject);
  });

type Serialize = AwsJson1_0Protocol['serializeRequest'];
type Deserialize = AwsJson1_0Protocol['deserializeResponse'];

/**
 * DynamoDB's protocol for commands whose items have plain values. The SDK's own goes through the schema of each field,
 * and its document client once more through each value: together they take a third of a request's processor time.
 * Errors, and operations without items, are the SDK's.
 */
class PlainValuesProtocol extends AwsJson1_0Protocol {
  override async serializeRequest(...[operation, input, context]: Parameters<Serialize>): ReturnType<Serialize> {
    const items = operations[operation.name];
    if (!items) return super.serializeRequest(operation, input, context);
    const headers = {
      'content-type': this.getDefaultContentType(),
      'x-amz-target': `${this.serviceTarget}.${operation.name}`,
    };
    const body = JSON.stringify(items.input(input as never));
    const request = new HttpRequest({ method: 'POST', headers, body });
    return this.updateServiceEndpoint(request, await context.endpoint());
  }

  override async deserializeResponse<Output extends { $metadata: object }>(
    ...[operation, context, response]: Parameters<Deserialize>
  ): Promise<Output> {
    const items = operations[operation.name];
    if (!items || this.isErrorResponse(response.statusCode))
      return super.deserializeResponse<Output>(operation, context, response);
    const { body } = response as { body: Readable | Uint8Array };
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : await readText(body);
    const output = items.output(JSON.parse(text) as never) as Output;
    output.$metadata = this.deserializeMetadata(response);
    return output;
  }
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface SignedRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** As the SDK passes it. */
interface SigningOptions {
  readonly signingDate?: Date | number | string | undefined;
  readonly signingRegion?: string | undefined;
  readonly signingService?: string | undefined;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const isSigned = (name: string): boolean => name === 'host' || name === 'content-type' || name.startsWith('x-amz-');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Signs requests to `/` without a query, as all of DynamoDB are, by AWS Signature Version 4. The SDK's own signer takes
 * a sixth of a request's processor time: it derives a key to look up the signing key, and hashes in many steps.
 */
export class RequestSigner {
  readonly #findCredentials: () => Promise<Credentials>;
  readonly #findRegion: () => Promise<string>;
  /** Of one day; credentials of a function change every few hours. */
  #signingKey: { readonly of: string; readonly key: Buffer } = { of: '', key: Buffer.alloc(0) };

  constructor(config: { credentials(): Promise<Credentials>; region(): Promise<string> }) {
    this.#findCredentials = () => config.credentials();
    this.#findRegion = () => config.region();
  }

  async sign<Request extends object>(request: Request, options: SigningOptions = {}): Promise<Request> {
    const { method, headers, body = '' } = request as Request & SignedRequest;
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#findCredentials();
    // The SDK names a region only where the endpoint has another one than the client.
    const signingRegion = options.signingRegion ?? (await this.#findRegion());
    const { signingDate = new Date(), signingService = 'dynamodb' } = options;
    const time = new Date(signingDate).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const scope = `${time.slice(0, 8)}/${signingRegion}/${signingService}/aws4_request`;
    headers['x-amz-date'] = time;
    if (sessionToken) headers['x-amz-security-token'] = sessionToken;
    const names = Object.keys(headers).filter(isSigned).sort();
    const signed = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join('');
    const canonical = `${method}\n/\n\n${signed}\n${names.join(';')}\n${hash('sha256', body)}`;
    const text = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = hmac(this.#keyOf(secretAccessKey, scope), text).toString('hex');
    headers['authorization'] =
      `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
    return request;
  }

  #keyOf(secret: string, scope: string): Buffer {
    const of = `${secret} ${scope}`;
    if (this.#signingKey.of !== of)
      this.#signingKey = { of, key: scope.split('/').reduce(hmac, Buffer.from(`AWS4${secret}`)) };
    return this.#signingKey.key;
  }
}
