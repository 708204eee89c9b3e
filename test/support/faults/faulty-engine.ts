import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request as ask,
} from 'node:http';
import { type Attributes, type ReadRequest, type WriteRequest, asItWas } from './lagging-reads.ts';
import { listen } from '../../../infra/local/ports.ts';
import { seeded } from '../stream.ts';

/**
 * Errors that are injected into requests: the reply is lost after the commit; an error before or after it; throttling;
 * a partly processed batch; a conflict with another transaction.
 */
export const errors = ['lostReply', 'errorBefore', 'errorAfter', 'throttled', 'unprocessed', 'conflict'] as const;
/**
 * Errors that take the caller's time: the request is never answered, or never after its commit; the answer arrives byte
 * by byte and never ends; the connection is closed before the request is read.
 */
export const silences = ['unanswered', 'withheld', 'trickling', 'reset'] as const;
export type Fault = (typeof errors)[number] | (typeof silences)[number];

/** The error for the next request of an operation (`PutItem`), if any. The request waits for the choice. */
export type Choose = (operation: string, body: string) => Fault | undefined | Promise<Fault | undefined>;

/** A DynamoDB engine behind a line that injects errors. */
export interface FaultyEngine {
  readonly endpoint: string;
  /** `undefined` heals the line. Starts the counts of injected errors again. */
  fail(choose: Choose | undefined): void;
  /** Eventually consistent reads miss the writes of the last milliseconds. */
  lag(milliseconds: number): void;
  /** How often each error was injected since the line began to fail. */
  readonly befallen: Readonly<Record<Fault, number>>;
  /** The operations requested since the last call. */
  requested(): string[];
  stop(): Promise<void>;
}

export type Shares = Partial<Record<(typeof errors)[number], number>>;

const isWrite = (operation: string): boolean => /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(operation);

/** Whether a request is one of those that an error befalls for certain. Nothing has to send batches, and leave parts. */
const isCertain = (kind: Fault, operation: string): boolean =>
  kind === 'conflict' ? operation === 'TransactWriteItems' : kind !== 'unprocessed' && isWrite(operation);

/**
 * Injects each error into its share (0 to 1) of all requests, at random but by the seed. The first writes have one of
 * each, so that it happens however few requests are made.
 */
export function atRandom(seed: number, shares: Shares): Choose {
  const random = seeded(seed);
  const due = new Set(errors.filter((kind) => shares[kind]));
  return (operation) => {
    const first = [...due].find((kind) => isCertain(kind, operation));
    if (first) {
      due.delete(first);
      return first;
    }
    let left = random();
    return errors.find((kind) => (left -= shares[kind] ?? 0) < 0);
  };
}

/** The errors of a line at random that must have happened, and have not. */
export const missedErrors = ({ befallen }: Pick<FaultyEngine, 'befallen'>, shares: Shares): string[] =>
  errors.filter((kind) => shares[kind] && kind !== 'unprocessed' && !befallen[kind]);

interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

const failure = (status: number, name: string, more: object = {}): Reply => ({
  status,
  body: Buffer.from(
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: `injected ${name}`, ...more }),
  ),
});

/** DynamoDB lists a reason for each item of the transaction. */
const canceled = (body: Buffer, Code: string): Reply => {
  const { TransactItems } = JSON.parse(body.toString()) as { TransactItems: unknown[] };
  return failure(400, 'TransactionCanceledException', {
    CancellationReasons: TransactItems.map((_, index) => ({ Code: index ? 'None' : Code })),
  });
};

/** The error reply, if the error replaces the reply and the operation can have it. */
function errorReply(kind: Fault | undefined, operation: string, body: Buffer, count: number): Reply | undefined {
  const transaction = operation === 'TransactWriteItems';
  if (kind === 'errorBefore') return failure(500, 'InternalServerError');
  if (kind === 'conflict' && transaction) return canceled(body, 'TransactionConflict');
  if (kind !== 'throttled') return undefined;
  if (transaction && count % 2)
    return canceled(body, count % 4 === 1 ? 'ThrottlingError' : 'ProvisionedThroughputExceeded');
  return failure(400, count % 4 < 2 ? 'ThrottlingException' : 'ProvisionedThroughputExceededException');
}

type Batch = Record<string, unknown[] | { Keys: unknown[] }>;

/** The first half of a batch, which is sent, and the unprocessed rest. */
function halved(body: Buffer): { sent: Buffer; left: Batch } {
  const whole = JSON.parse(body.toString()) as { RequestItems: Batch };
  const part = (from: number, to: number): Batch =>
    Object.fromEntries(
      Object.entries(whole.RequestItems).map(([table, work]) => {
        const cut = (list: unknown[]) => list.slice(Math.ceil(list.length * from), Math.ceil(list.length * to));
        return [table, Array.isArray(work) ? cut(work) : { ...work, Keys: cut(work.Keys) }];
      }),
    );
  return { sent: Buffer.from(JSON.stringify({ ...whole, RequestItems: part(0, 0.5) })), left: part(0.5, 1) };
}

/** A byte every tenth of a second, and never the last one. */
function trickle(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': body.length + 1_000 });
  let sent = 0;
  const timer = setInterval(() => response.write(body.subarray(sent, ++sent)), 100).unref();
  response.once('close', () => clearInterval(timer));
}

const sizeOf = (batch: Batch): number =>
  Object.values(batch).reduce((sum, work) => sum + (Array.isArray(work) ? work : work.Keys).length, 0);

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function startFaultyEngine(engine: string): Promise<FaultyEngine> {
  const agent = new Agent({ keepAlive: true });
  const befallen = Object.fromEntries([...errors, ...silences].map((kind) => [kind, 0])) as Record<Fault, number>;
  let choose: Choose | undefined;
  const requested: string[] = [];
  let lagging = asItWas(0);

  const send = (headers: IncomingHttpHeaders, body: Buffer): Promise<IncomingMessage> =>
    new Promise((done, fail) => {
      const target = { ...headers, host: new URL(engine).host, 'content-length': String(body.length) };
      ask(engine, { method: 'POST', agent, headers: target }, done).once('error', fail).end(body);
    });

  async function forward(headers: IncomingHttpHeaders, body: Buffer): Promise<Reply> {
    const reply = await send(headers, body);
    return { status: reply.statusCode ?? 500, body: await bytesOf(reply) };
  }

  /** The engine's reply, or an older one while reads lag. */
  async function answered(operation: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Reply> {
    const parsed = () => JSON.parse(body.toString()) as unknown;
    const get = async (TableName: string, Key: Attributes) => {
      const reply = await forward(
        { ...headers, 'x-amz-target': 'DynamoDB_20120810.GetItem' },
        Buffer.from(JSON.stringify({ TableName, Key, ConsistentRead: true })),
      );
      return (JSON.parse(reply.body.toString()) as { Item?: Attributes }).Item;
    };
    const settle = await lagging.writing(operation, () => parsed() as WriteRequest, get);
    const reply = await forward(headers, body);
    settle(reply.status === 200);
    return reply.status === 200
      ? { ...reply, body: lagging.reading(operation, () => parsed() as ReadRequest, reply.body) }
      : reply;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await bytesOf(incoming);
    requested.push(operation);
    const kind = await choose?.(operation, body.toString());
    const answer = ({ status, body: bytes }: Reply) => {
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': bytes.length })
        .end(bytes);
    };
    const error = errorReply(kind, operation, body, befallen.throttled);
    if (kind && error) {
      befallen[kind]++;
      return answer(error);
    }
    if (kind === 'unanswered' || kind === 'reset') {
      befallen[kind]++;
      return kind === 'reset' ? void incoming.socket.destroy() : undefined;
    }
    const isBatch = operation.startsWith('Batch');
    const { sent, left } = kind === 'unprocessed' && isBatch ? halved(body) : { sent: body, left: {} };
    const partly = sizeOf(left) > 0;
    const reply = await answered(operation, incoming.headers, partly ? sent : body);
    if (kind === 'lostReply' || kind === 'errorAfter') {
      befallen[kind]++;
      return kind === 'lostReply' ? void incoming.socket.destroy() : answer(failure(500, 'InternalServerError'));
    }
    if (kind === 'withheld' || kind === 'trickling') {
      befallen[kind]++;
      return kind === 'trickling' ? trickle(response, reply) : undefined;
    }
    if (!partly) return answer(reply);
    befallen.unprocessed++;
    const name = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems';
    return answer({
      ...reply,
      body: Buffer.from(JSON.stringify({ ...(JSON.parse(reply.body.toString()) as object), [name]: left })),
    });
  }

  const server = createServer((incoming, response) => {
    // The engine may be unavailable: then the line is too.
    serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  const { endpoint, stop } = await listen(server);
  return {
    endpoint,
    fail(next) {
      choose = next;
      if (next) for (const kind of [...errors, ...silences]) befallen[kind] = 0;
    },
    lag(milliseconds) {
      lagging = asItWas(milliseconds);
    },
    befallen,
    requested: () => requested.splice(0),
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}
