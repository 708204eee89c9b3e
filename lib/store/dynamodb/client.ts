import {
  type DescribeTableCommandInput,
  type DescribeTableCommandOutput,
  DynamoDBClient,
  GetItemCommand,
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
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { HttpRequest } from '@smithy/core/protocols';
import { getSmithyContext } from '@smithy/core/transport';
import { type KeyObject, createHmac, createSecretKey, hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Key } from '../keys.ts';
import { type Action, decodeAnswer, encodeRequest } from './attribute-values.ts';
import { requestHandler } from './call-requests.ts';
import type { Item } from './changes.ts';
import { rememberFailedRequest } from './errors.ts';

/**
 * The client of the table: commands on items of plain values, which it writes, signs and reads without what the SDK
 * finds out again for each request.
 */

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

/** What the middlewares of a request share. */
interface RequestContext {
  readonly clientName: string;
  readonly commandName: string;
  readonly action: Action;
  readonly decode: (text: string) => object;
}

interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Uint8Array;
}

interface Arguments {
  readonly input: object;
  readonly request?: unknown;
}
interface Result {
  readonly response: unknown;
  readonly output?: object;
}
type Next = (args: Arguments) => Promise<Result>;
type Middleware = (next: Next, context: RequestContext) => Next;

/**
 * Those of the SDK that these replace, and two that set headers; and those which describe the caller to AWS, or log to
 * a logger that the client does not have.
 */
const replaced = [
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
  'serializerMiddleware',
  'deserializerMiddleware',
  'hostHeaderMiddleware',
  'contentLengthMiddleware',
  'loggerMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
];

/**
 * Has a client of the table find out once what the SDK finds out for each request: the endpoint, how to sign, and by
 * the schema of each field how an operation is written. That takes a quarter of a request's processor time. Retries,
 * credentials, connections, clock skew and errors are the SDK's.
 */
export function useTableMiddlewares(client: DynamoDBClient): void {
  const { middlewareStack } = client;
  for (const name of replaced) middlewareStack.remove(name);
  const add = (middleware: Middleware, options: object) => middlewareStack.add(middleware as never, options as never);
  add(serializer(client), { step: 'serialize', name: 'serializerMiddleware' });
  add(signing(client), { step: 'finalizeRequest', name: 'httpSigningMiddleware' });
  add(deserializer(client), { step: 'deserialize', name: 'deserializerMiddleware' });
}

const TARGET = 'DynamoDB_20120810';

function serializer({ config }: DynamoDBClient): Middleware {
  let found: ReturnType<typeof findEndpoint> | undefined;
  return (next, { action }) =>
    async (args) => {
      found ??= findEndpoint(config).catch((error: unknown) => {
        found = undefined;
        throw error;
      });
      const { host, ...endpoint } = await found;
      const body = encodeRequest(action, args.input);
      const headers = {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `${TARGET}.${action}`,
      };
      return next({ ...args, request: new HttpRequest({ method: 'POST', ...endpoint, headers, body }) });
    };
}

/** The endpoint of the region and account, or the configured one. */
async function findEndpoint(config: DynamoDBClient['config']) {
  const { url } = await getEndpointFromInstructions({}, GetItemCommand, { ...config } as never);
  return {
    host: url.host,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port ? { port: Number(url.port) } : {}),
    path: url.pathname,
  };
}

/** The SDK's signer corrects the clock by what the table answers. */
function signing({ config }: DynamoDBClient): Middleware {
  const [{ signer } = {}] = config.httpAuthSchemes;
  if (!signer) throw new Error('The SDK has no way to sign requests to DynamoDB.');
  return (next) => async (args) => {
    const properties = { config, context: {} };
    const request = await signer.sign(args.request as HttpRequest, {}, properties);
    try {
      const result = await next({ ...args, request });
      signer.successHandler?.(result.response as never, properties);
      return result;
    } catch (error) {
      return signer.errorHandler?.(properties)(error as Error) as never;
    }
  };
}

function deserializer({ config }: DynamoDBClient): Middleware {
  return (next, context) => async (args) => {
    const { response } = (await next(args)) as { response: HttpAnswer };
    const { statusCode, headers, body } = response;
    if (statusCode >= 300) throw await readError(config, context, response);
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : await readText(body);
    const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] };
    return { response, output: Object.assign(context.decode(text), { $metadata }) };
  };
}

async function readError(
  config: DynamoDBClient['config'],
  context: RequestContext,
  response: HttpAnswer,
): Promise<unknown> {
  const protocol = config.protocol as SdkProtocol;
  // Errors are read by the namespace alone: the schema of each operation is 6 kB to load.
  const operation = {
    namespace: 'com.amazonaws.dynamodb',
    name: context.action,
    traits: 0,
    input: 'unit',
    output: 'unit',
  };
  try {
    await protocol.deserializeResponse(operation, { ...config, ...context }, response);
    return new Error(`The answer ${response.statusCode} to ${context.action} names no error.`);
  } catch (error) {
    // Retries and the correction of the clock look at its headers.
    return Object.defineProperty(error as Error, '$response', { value: response, enumerable: false });
  }
}

interface SdkProtocol {
  deserializeResponse(operation: object, context: object, response: unknown): Promise<unknown>;
}

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
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Signs requests to `/` without a query, as all of DynamoDB are, by AWS Signature Version 4. The SDK's own signer takes
 * a sixth of a request's processor time: it derives a key to look up the signing key, and hashes in many steps.
 */
export class RequestSigner {
  readonly #findCredentials: () => Promise<Credentials>;
  readonly #findRegion: () => Promise<string>;
  /**
   * Of one day; credentials of a function change every few hours. As a KeyObject: Node.js takes 12 µs for each HMAC to
   * make one of a Buffer, and 2 for the rest.
   */
  #signingKey: { readonly of: string; readonly key: KeyObject } | undefined;

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
    const signature = createHmac('sha256', this.#keyOf(secretAccessKey, scope)).update(text).digest('hex');
    headers['authorization'] =
      `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
    return request;
  }

  #keyOf(secret: string, scope: string): KeyObject {
    const of = `${secret} ${scope}`;
    if (this.#signingKey?.of !== of) {
      const key = createSecretKey(scope.split('/').reduce(hmac, Buffer.from(`AWS4${secret}`)));
      this.#signingKey = { of, key };
    }
    return this.#signingKey.key;
  }
}
