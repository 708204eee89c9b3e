import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { HttpRequest } from '@smithy/core/protocols';
import type { Readable } from 'node:stream';
import { type Action, encodeRequest } from './attribute-values.ts';

/** What the middlewares of a request share. */
export interface RequestContext {
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
