import { join, resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { handler as events } from '../../functions/workers/events.ts';
import { openTable } from '../../lib/store/client.ts';
import { eventSource, queues } from '../table.ts';
import { startAws, type LocalAws } from './aws.ts';
import { handledIn, openCheckpoints } from './checkpoint.ts';
import { startEngine, type Engine } from './engine.ts';
import { setCredentials, setEnvironment } from './environment.ts';
import { findEngine } from './find-engine.ts';
import { knownAccount, newAccount } from './first-run.ts';
import { holdFolder } from './folder.ts';
import { startFront, type Front } from './front.ts';
import { readLocal, writeLocal, type LocalJson } from './local-json.ts';
import { freePort, portOf } from './ports.ts';
import type { Problem } from './problem.ts';
import { ensureTable } from './resources.ts';
import { startStream, type StreamPump } from './stream.ts';

const TABLE = 'field-service';
const BUCKET = 'field-service-files';
const REGION = 'us-east-1';
const DEAD_LETTERS = queues[0];

export interface StackOptions {
  /** Where all state is kept. */
  readonly folder: string;
  /** Where HTTP is served; 0 takes any free port. */
  readonly port: number;
  /** The first start makes a demo company instead of an empty one. */
  readonly demo?: boolean;
  /** Says nothing on standard error of what goes wrong underneath. */
  readonly quiet?: boolean;
  /** Told when the stack cannot go on. */
  readonly onLost?: (problem: Problem) => void;
}

/** The running local stack. */
export interface Stack {
  readonly baseUrl: string;
  readonly local: LocalJson;
  /** Whether this start made the account. */
  readonly isNew: boolean;
  readonly stream: StreamPump;
  /** The process id of the DynamoDB engine, when it is a child of ours. */
  enginePid(): number | undefined;
  /** The messages in the dead-letter queue. */
  deadLetters(): readonly string[];
  /** Resolves when every change made before the call has been through the event worker. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Stops in the reverse order of the start. */
async function stopAll(parts: Stoppable[]): Promise<void> {
  for (const part of parts.splice(0).reverse()) await part.stop();
}

/**
 * Starts the whole product on this machine: DynamoDB engine, S3 and SQS, HTTP in front of the handlers that are deployed, and the table's
 * stream feeding the event worker. One stack a process, for the handlers find it through the environment. Throws a Problem that says in
 * one sentence why it cannot start.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const parts: Stoppable[] = [];
  try {
    return await assemble(options, parts);
  } catch (error) {
    await stopAll(parts);
    throw error;
  }
}

async function assemble({ folder: path, port, demo = false, quiet = false, onLost = () => undefined }: StackOptions, parts: Stoppable[]): Promise<Stack> {
  const log = (line: string) => void (quiet || process.stderr.write(`${line}\n`));
  const folder = holdFolder(resolve(path));
  parts.push({ stop: async () => folder.release() });
  const before = readLocal(folder.path);
  const positions = join(folder.path, 'stream.json');
  const source = findEngine();
  setCredentials({ keep: 'endpoint' in source });

  // Taken first: a port in use is known before anything has been made. Calls wait until the handlers are there.
  const ready = Promise.withResolvers<void>();
  let stream: StreamPump | undefined;
  const whenReady = <Parameters extends unknown[], Answer>(handler: (...parameters: Parameters) => Promise<Answer>) =>
    async (...parameters: Parameters) => {
      await ready.promise;
      return await handler(...parameters);
    };
  const front: Front = await startFront({
    port,
    groups: groups.map(({ name, handler }) => ({ name, handler: whenReady(handler) })),
    fallback: whenReady(fallback),
    onAnswered: () => stream?.nudge(),
    log,
  });
  parts.push(front);
  const baseUrl = `http://127.0.0.1:${front.port}`;

  let engine: Engine | undefined;
  async function findDynamoDB(): Promise<string> {
    if ('endpoint' in source) return source.endpoint;
    engine = await startEngine({
      program: source.program,
      file: join(folder.path, 'dynamodb.sqlite'),
      port: await freePort(portOf(before.DynamoDBEndpoint)),
      handled: handledIn(positions),
      now: new Date(),
      onRestart: () => log('The DynamoDB engine ended and was started again.'),
      onLost,
    });
    parts.push(engine);
    return engine.endpoint;
  }
  async function makeAws(): Promise<LocalAws> {
    const aws = await startAws({ folder: join(folder.path, 'aws'), port: await freePort(portOf(before.AwsEndpoint)), region: REGION, bucket: BUCKET, queues });
    parts.push(aws);
    return aws;
  }
  const endpoint = await findDynamoDB();
  const aws = await makeAws();

  const places = { BaseUrl: baseUrl, DynamoDBEndpoint: endpoint, AwsEndpoint: aws.endpoint, TableName: TABLE, Bucket: BUCKET, Region: REGION };
  setEnvironment(places);
  const client = new DynamoDBClient({ endpoint });
  const { streamArn } = await ensureTable(client, TABLE);
  client.destroy();

  const table = openTable({ tableName: TABLE, endpoint });
  const known = await knownAccount(table, before);
  const local: LocalJson = { ...places, ...(known ?? (await newAccount(table, { name: demo ? 'Demo' : 'My company', now: new Date() }))) };
  writeLocal(folder.path, local);

  stream = startStream({
    client: new DynamoDBStreamsClient({ endpoint }),
    streamArn,
    rules: eventSource,
    handler: events,
    functionName: 'events',
    checkpoints: openCheckpoints(positions, streamArn),
    bury: (message) => aws.send(DEAD_LETTERS, message),
    log,
  });
  parts.push(stream);
  ready.resolve();
  return {
    baseUrl,
    local,
    isNew: !known,
    stream,
    enginePid: () => engine?.pid(),
    deadLetters: () => aws.waiting(DEAD_LETTERS),
    drain: stream.drain,
    stop: () => stopAll(parts),
  };
}
