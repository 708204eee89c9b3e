import { join, resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { handler as events } from '../../functions/workers/event-queue.ts';
import { handler as proposals } from '../../functions/workers/proposal-work.ts';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { type ConsumerName, consumerNames, consumers, deadQueueOf, queues } from '../table.ts';
import { startAws } from './aws.ts';
import { handledIn, openCheckpoints } from './checkpoint.ts';
import { type Engine, findEngine, startEngine } from './engine.ts';
import { setCredentials, setEnvironment } from './environment.ts';
import { knownAccount, newAccount } from './first-run.ts';
import { type LocalJson, holdFolder, readLocal, writeLocal } from './folder.ts';
import { startFront } from './front.ts';
import { type Problem, freePort, portNumber } from './problem.ts';
import { ensureTable } from './resources.ts';
import { type BatchHandler, type StreamPump, startStream } from './stream.ts';
import { startTimeToLive } from './time-to-live.ts';

const TABLE = 'field-service';
const BUCKET = 'field-service-files';
const REGION = 'us-east-1';

/** The workers that are deployed, each fed by the table's stream. */
const workers: Readonly<Record<ConsumerName, BatchHandler>> = { 'event-queue': events, 'proposal-work': proposals };

/** Where it is kept how far a consumer is. */
const positionsIn = (folder: string, name: ConsumerName): string => join(folder, `stream-${name}.json`);

export interface StackOptions {
  /** Where all state is kept. */
  readonly folder: string;
  /** Where HTTP is served; 0 takes any free port. */
  readonly port: number;
  /** The first start names the company it makes `Demo`. */
  readonly demo?: boolean;
  /** Says nothing on standard error of what goes wrong underneath. */
  readonly quiet?: boolean;
  /** The workers' wait before their first repeated attempt, shorter in tests. */
  readonly retryMilliseconds?: number;
  /** Told when the stack cannot go on. */
  readonly onLost?: (problem: Problem) => void;
}

/** The running local stack. */
export interface Stack {
  readonly baseUrl: string;
  readonly local: LocalJson;
  /** Whether this start made the account. */
  readonly isNew: boolean;
  readonly streams: Readonly<Record<ConsumerName, StreamPump>>;
  /** The process id of the DynamoDB engine, when it is a child of ours. */
  enginePid(): number | undefined;
  /** The messages in the dead-letter queues. */
  deadLetters(): readonly string[];
  /** Resolves when every change made before the call has been through the workers, and what they changed is events. */
  drain(): Promise<void>;
  /** Removes the items whose time is over now; else that takes up to a minute. */
  expire(): Promise<number>;
  stop(): Promise<void>;
}

/** The parts that run, to be stopped in the reverse order of their start. */
class Parts {
  readonly #stops: (() => void | Promise<void>)[] = [];

  keep<Part extends { stop(): Promise<void> }>(part: Part): Part {
    this.#stops.push(() => part.stop());
    return part;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}

/**
 * Starts the whole product on this machine: DynamoDB engine, S3 and SQS, HTTP in front of the handlers that are
 * deployed, and the table's stream feeding the workers. One stack a process, for the handlers find it through the
 * environment. Throws a Problem that says in one sentence why it cannot start.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const parts = new Parts();
  try {
    return await assemble(options, parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

async function assemble(options: StackOptions, parts: Parts): Promise<Stack> {
  const { port, demo = false, quiet = false, retryMilliseconds = 100, onLost = () => undefined } = options;
  const log = (line: string) => void (quiet || process.stderr.write(`${line}\n`));
  const folder = resolve(options.folder);
  parts.keep(holdFolder(folder));
  const before = readLocal(folder);
  const source = findEngine();
  setCredentials({ keep: 'endpoint' in source });

  // The front comes first, so that a port in use is known before anything is made; a call waits until all else is
  // there.
  const ready = Promise.withResolvers<StreamPump>();
  const onceReady =
    <Parameters extends unknown[], Answer>(handler: (...parameters: Parameters) => Promise<Answer>) =>
    (...parameters: Parameters) =>
      ready.promise.then(() => handler(...parameters));
  const front = parts.keep(
    await startFront({
      port,
      groups: groups.map(({ name, handler }) => ({ name, handler: onceReady(handler) })),
      fallback: onceReady(fallback),
      // The other consumers are seldom meant, and look by themselves within a moment.
      onAnswered: () => void ready.promise.then((stream) => stream.nudge()),
      log,
    }),
  );

  let engine: Engine | undefined;
  if ('program' in source) {
    engine = await startEngine({
      program: source.program,
      file: join(folder, 'dynamodb.sqlite'),
      port: await freePort(portNumber(before.DynamoDBEndpoint)),
      handled: handledIn(consumerNames.map((name) => positionsIn(folder, name))),
      now: new Date(),
      onRestart: () => log('The DynamoDB engine ended and was started again.'),
      onLost,
    });
    parts.keep(engine);
  }
  const endpoint = 'endpoint' in source ? source.endpoint : (engine?.endpoint ?? '');
  const awsPort = await freePort(portNumber(before.AwsEndpoint));
  const aws = parts.keep(
    await startAws({ folder: join(folder, 'aws'), port: awsPort, region: REGION, bucket: BUCKET, queues }),
  );

  const places = {
    BaseUrl: `http://127.0.0.1:${front.port}`,
    DynamoDBEndpoint: endpoint,
    AwsEndpoint: aws.endpoint,
    TableName: TABLE,
    Bucket: BUCKET,
    Region: REGION,
  };
  setEnvironment(places);
  const client = new DynamoDBClient({ endpoint });
  const { streamArn } = await ensureTable(client, TABLE);
  client.destroy();

  const table = openTable({ tableName: TABLE, endpoint });
  const known = await knownAccount(table, before);
  const account = known ?? (await newAccount(table, { demo, now: new Date() }));
  const local: LocalJson = { ...places, ...account };
  writeLocal(folder, local);

  const streams = Object.fromEntries(
    consumerNames.map((name) => [
      name,
      parts.keep(
        startStream({
          client: new DynamoDBStreamsClient({ endpoint }),
          streamArn,
          rules: consumers[name],
          handler: workers[name],
          functionName: name,
          checkpoints: openCheckpoints(positionsIn(folder, name), streamArn),
          bury: (message) => aws.send(deadQueueOf(name), message),
          log,
          retryMilliseconds,
        }),
      ),
    ]),
  ) as Record<ConsumerName, StreamPump>;
  const nudge = () => Object.values(streams).forEach((stream) => stream.nudge());
  // DynamoDB Local does it by itself, and to do it twice is no harm.
  const timeToLive = parts.keep(
    startTimeToLive({ client: new DynamoDBClient({ endpoint }), tableName: TABLE, onRemoved: nudge, log }),
  );
  const { 'event-queue': eventStream, ...others } = streams;
  ready.resolve(eventStream);
  return {
    baseUrl: places.BaseUrl,
    local,
    isNew: !known,
    streams,
    enginePid: () => engine?.pid(),
    deadLetters: () => queues.flatMap((queue) => aws.waiting(queue)),
    async drain() {
      await Promise.all(Object.values(others).map((stream) => stream.drain()));
      await eventStream.drain();
    },
    expire: () => timeToLive.sweep(),
    stop: () => parts.stop(),
  };
}
