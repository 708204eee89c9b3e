import { join, resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { handler as backgroundWork } from '../../functions/workers/background-work.ts';
import { handler as callbacks } from '../../functions/workers/callbacks.ts';
import { handler as copies } from '../../functions/workers/copies.ts';
import { handler as delayedMessages } from '../../functions/workers/delayed-messages.ts';
import { handler as downloads } from '../../functions/workers/downloads.ts';
import { handler as eventBacklog } from '../../functions/workers/event-backlog.ts';
import { handler as eventQueue } from '../../functions/workers/event-queue.ts';
import { handler as proposalExpiry } from '../../functions/workers/proposal-expiry.ts';
import { handler as retention } from '../../functions/workers/retention.ts';
import { writeAccount, findAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { openFiles } from '../../lib/files/s3.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/client.ts';
import { migrateAccount } from '../../lib/store/accounts/migrations.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { requestHandler } from '../../lib/store/dynamodb/wait-budget.ts';
import type { QueueName } from '../../lib/shared/queues.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import { adoptOpenProposals } from '../../lib/workflows/proposals/adopt-open-proposals.ts';
import { regionOf, useCredentials } from '../dynamodb-endpoint.ts';
import { deadLetterQueue, queueNames, queues, visibilitySeconds } from '../queues.ts';
import {
  type ConsumerName,
  type ScheduleName,
  consumerNames,
  consumers,
  discardedPrefix,
  schedules,
} from '../table.ts';
import { findHandled, openCheckpoints } from './checkpoints.ts';
import { ensureTable } from './create-table.ts';
import { CALLBACK_KEY, type LocalJson, holdCallbackKey, holdFolder, readLocal, writeLocal } from './data-folder.ts';
import { withDocs } from './docs.ts';
import { type Engine, findEngine, startEngine } from './engine.ts';
import { type EngineProxy, startEngineProxy } from './engine-proxy.ts';
import { setEnvironment } from './environment.ts';
import { type Handlers, startHttpServer } from './http-server.ts';
import { freePort, hiddenLoopback, portNumber } from './ports.ts';
import type { Problem } from './problem.ts';
import { type QueueHandler, type QueuePump, startQueuePump } from './queue-pump.ts';
import type { AnsweredRequest } from './request-log.ts';
import { type LocalQueue, startAws } from './s3-and-sqs.ts';
import { type BatchHandler, type StreamPump, startStreamPump } from './stream-pump.ts';
import { type Schedule, type ScheduledHandler, startSchedule } from './schedule.ts';
import { startSecrets } from './secrets.ts';
import { startTimeToLive } from './time-to-live.ts';

const BUCKET = 'field-service-files';

const workers: Readonly<Record<ConsumerName, BatchHandler>> = {
  'event-queue': eventQueue,
  'background-work': backgroundWork,
};

const scheduledWorkers: Readonly<Record<ScheduleName, ScheduledHandler>> = {
  'proposal-expiry': proposalExpiry,
  'event-backlog': eventBacklog,
  'delayed-messages': delayedMessages,
  retention,
};

const queueWorkers: Readonly<Record<QueueName, QueueHandler>> = { callbacks, downloads, copies };

const localQueues = (name: QueueName): LocalQueue[] => [
  { name: deadLetterQueue(name) },
  {
    name,
    visibilitySeconds: visibilitySeconds(queues[name]),
    deadLetters: { queue: deadLetterQueue(name), maxReceiveCount: queues[name].maxReceiveCount },
  },
];

const checkpointFile = (folder: string, name: ConsumerName): string => join(folder, `stream-${name}.json`);

/** Makes an account with a first organization. */
export type CreateCompany = (
  table: TableWriter,
  now: Date,
) => Promise<{ accountId: string; organizationId: number; isDemo?: boolean }>;

const createEmptyCompany: CreateCompany = (table, now) => writeAccount(table, { name: 'My company', now });

/** The deployed functions. */
export interface DeployedHandlers extends Handlers {
  readonly workers: Readonly<Record<ConsumerName, BatchHandler>>;
  readonly queues: Readonly<Record<QueueName, QueueHandler>>;
  readonly scheduled: Readonly<Record<ScheduleName, ScheduledHandler>>;
}

const handlersHere = (folder: string): DeployedHandlers => ({
  groups: withDocs(groups, folder),
  fallback,
  workers,
  queues: queueWorkers,
  scheduled: scheduledWorkers,
});

export interface StackOptions {
  /** Holds all state. */
  readonly folder: string;
  /** Where HTTP is served; 0 takes any free port. */
  readonly port: number;
  /** Of a table that is made if it does not exist; `field-service` by default. */
  readonly tableName?: string;
  /** Called by the first start; makes an empty company by default. */
  readonly createCompany?: CreateCompany | undefined;
  /** Writes no log to standard error. */
  readonly quiet?: boolean;
  /** Called with each answered request. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
  /** The workers' wait before their first repeated attempt, shorter in tests. */
  readonly retryMilliseconds?: number;
  /**
   * The workers gather changes for so long, where no `drain` asks for them. Otherwise each response has them read at
   * once: each call that writes then costs its own batch, which takes more of a processor than the call.
   */
  readonly gatherMilliseconds?: number;
  /** The functions, where they do not run in this process; called when all parts run. */
  readonly handlers?: DeployedHandlers;
  /** Called when the stack cannot continue. */
  readonly onLost?: (problem: Problem) => void;
}

/** The running local stack. */
export interface Stack {
  readonly baseUrl: string;
  readonly local: LocalJson;
  /** Whether this start made the account. */
  readonly isNew: boolean;
  readonly streams: Readonly<Record<ConsumerName, StreamPump>>;
  readonly queues: Readonly<Record<QueueName, QueuePump>>;
  /** The process id of the DynamoDB engine, when it is a child process. */
  enginePid(): number | undefined;
  /** What the workers could not handle, as it is in the bucket: parked records and discarded batches. */
  deadLetters(): Promise<string[]>;
  /** Resolves when every change before the call has been through the workers, and what they changed is events. */
  drain(): Promise<void>;
  /** Expires proposals at once, which otherwise happens every hour, and removes items whose time to live is over. */
  expire(): Promise<void>;
  stop(): Promise<void>;
}

/** Running parts, stopped in the reverse order of their start. */
class Parts {
  readonly #stops: (() => void | Promise<void>)[] = [];

  add<Part extends { stop(): Promise<void> }>(part: Part): Part {
    this.#stops.push(() => part.stop());
    return part;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}

/**
 * Starts the whole product on this machine: DynamoDB engine, S3 and SQS, HTTP in front of the deployed handlers, and
 * the table's stream to the workers. One stack a process: the handlers find it through the environment. Throws a
 * Problem that says in one sentence why it cannot start.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const parts = new Parts();
  try {
    return await startParts(options, parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

async function startParts(options: StackOptions, parts: Parts): Promise<Stack> {
  const {
    port,
    tableName = 'field-service',
    createCompany = createEmptyCompany,
    quiet = false,
    retryMilliseconds = 100,
    onLost,
  } = options;
  const folder = resolve(options.folder);
  const { handlers = handlersHere(folder), gatherMilliseconds } = options;
  const log = (line: string) => void (quiet || process.stderr.write(`${line}\n`));
  parts.add(holdFolder(folder));
  const previous = readLocal(folder);
  const source = findEngine();
  const isExternal = 'endpoint' in source;
  const region = regionOf(isExternal);
  useCredentials({ isExternal, region });

  // HTTP comes first: a port in use is reported before anything is made. Calls wait until all parts run.
  const ready = Promise.withResolvers<StreamPump>();
  const onceReady =
    <Parameters extends unknown[], Result>(handler: (...parameters: Parameters) => Promise<Result>) =>
    (...parameters: Parameters) =>
      ready.promise.then(() => handler(...parameters));
  const http = parts.add(
    await startHttpServer({
      port,
      groups: handlers.groups.map(({ name, paths, handler }) => ({ name, paths, handler: onceReady(handler) })),
      fallback: onceReady(handlers.fallback),
      // The other consumers are rarely concerned, and look by themselves within a moment.
      onResponse: () => {
        if (gatherMilliseconds === undefined) void ready.promise.then((stream) => stream.nudge());
      },
      log,
      ...(options.onRequest ? { onRequest: options.onRequest } : {}),
    }),
  );

  let engine: Engine | undefined;
  let proxy: EngineProxy | undefined;
  if ('program' in source) {
    engine = await startEngine({
      program: source.program,
      file: join(folder, 'dynamodb.sqlite'),
      host: hiddenLoopback(),
      port: await freePort(),
      handled: findHandled(consumerNames.map((name) => checkpointFile(folder, name))),
      now: new Date(),
      onRestart: () => log('The DynamoDB engine ended and was started again.'),
      onLost: onLost ?? (() => undefined),
    });
    parts.add(engine);
    const proxyPort = await freePort(portNumber(previous.DynamoDBEndpoint));
    proxy = parts.add(await startEngineProxy({ port: proxyPort, engine: engine.endpoint }));
  }
  const endpoint = 'endpoint' in source ? source.endpoint : (engine?.endpoint ?? '');
  const awsPort = await freePort(portNumber(previous.AwsEndpoint));
  const aws = parts.add(
    await startAws({
      folder: join(folder, 'aws'),
      port: awsPort,
      region,
      bucket: BUCKET,
      queues: queueNames.flatMap(localQueues),
    }),
  );

  const places = {
    BaseUrl: `http://127.0.0.1:${http.port}`,
    DynamoDBEndpoint: proxy?.endpoint ?? endpoint,
    AwsEndpoint: aws.endpoint,
    TableName: tableName,
    Bucket: BUCKET,
    Region: region,
    ...(isExternal ? { ExternalDynamoDB: true as const } : {}),
  };
  const secrets = parts.add(await startSecrets({ [CALLBACK_KEY]: holdCallbackKey(folder) }));
  setEnvironment({ ...places, DynamoDBEndpoint: endpoint }, secrets.endpoint);
  const files = openFiles({ bucket: BUCKET, endpoint: aws.endpoint });
  const client = new DynamoDBClient({ endpoint, requestHandler });
  const { streamArn } = await ensureTable(client, tableName);
  client.destroy();

  const table = openTable({ tableName, endpoint });
  await adoptOpenProposals(transactionalPuts(table), openScan({ tableName, endpoint }));
  const known = await findPreviousAccount(table, previous);
  if (known) await migrateAccount(table, known.AccountId);
  const local: LocalJson = { ...places, ...(known ?? (await createFirstAccount(table, createCompany))) };
  writeLocal(folder, local);

  const streams = Object.fromEntries(
    consumerNames.map((name) => [
      name,
      parts.add(
        startStreamPump({
          client: new DynamoDBStreamsClient({ endpoint, requestHandler }),
          streamArn,
          // Nobody pays for a batch here, and events are to be seen at once.
          rules: { ...consumers[name], maximumBatchingWindowSeconds: 0 },
          handler: handlers.workers[name],
          functionName: name,
          checkpoints: openCheckpoints(checkpointFile(folder, name), streamArn),
          discard: (file, text) => files.put(`${discardedPrefix}${file}`, text),
          log,
          retryMilliseconds,
          ...(gatherMilliseconds === undefined ? {} : { idle: () => gatherMilliseconds }),
        }),
      ),
    ]),
  ) as Record<ConsumerName, StreamPump>;
  const pumps = Object.fromEntries(
    queueNames.map((name) => [
      name,
      parts.add(
        startQueuePump({
          name,
          client: new SQSClient({ endpoint: aws.endpoint, region, useQueueUrlAsEndpoint: false }),
          url: aws.urlOf(name),
          region,
          rules: queues[name],
          handler: handlers.queues[name],
          log,
        }),
      ),
    ]),
  ) as Record<QueueName, QueuePump>;
  const nudge = () => Object.values(streams).forEach((stream) => stream.nudge());
  // DynamoDB Local does this itself; doing it twice is harmless.
  const timeToLive = parts.add(
    startTimeToLive({ client: new DynamoDBClient({ endpoint, requestHandler }), tableName, onRemoved: nudge, log }),
  );
  const schedule = (name: ScheduleName): Schedule =>
    parts.add(
      startSchedule({
        name,
        handler: handlers.scheduled[name],
        everyMilliseconds: schedules[name].everyMinutes * MINUTE,
        timeoutMilliseconds: schedules[name].timeoutMinutes * MINUTE,
        onRun: nudge,
        log,
      }),
    );
  const proposalExpiries = schedule('proposal-expiry');
  const eventBacklogs = schedule('event-backlog');
  const dueMessages = schedule('delayed-messages');
  const { 'event-queue': eventStream, ...otherStreams } = streams;
  ready.resolve(eventStream);
  return {
    baseUrl: places.BaseUrl,
    local,
    isNew: !known,
    streams,
    queues: pumps,
    enginePid: () => engine?.pid(),
    async deadLetters() {
      const keys = await Promise.all(['parked/', discardedPrefix].map((prefix) => files.list(prefix)));
      return Promise.all(keys.flat().map((key) => files.get(key)));
    },
    async drain() {
      await Promise.all(Object.values(otherStreams).map((stream) => stream.drain()));
      await eventStream.drain();
      await eventBacklogs.run();
    },
    async expire() {
      await proposalExpiries.run();
      await timeToLive.sweep();
      await dueMessages.run();
    },
    stop: () => parts.stop(),
  };
}

type LocalAccount = Pick<LocalJson, 'AccountId' | 'OrganizationId' | 'ApiKey' | 'DemoCreatedAt'>;

/** The account of an earlier start, if the table still has it. */
async function findPreviousAccount(
  table: TableWriter,
  { AccountId, OrganizationId, ApiKey, ...demo }: Partial<LocalJson>,
): Promise<LocalAccount | undefined> {
  if (!AccountId || !OrganizationId || !ApiKey) return undefined;
  const { DemoCreatedAt } = demo;
  const known = { AccountId, OrganizationId, ApiKey, ...(DemoCreatedAt === undefined ? {} : { DemoCreatedAt }) };
  return (await findAccount(table, AccountId)) ? known : undefined;
}

async function createFirstAccount(table: TableWriter, createCompany: CreateCompany): Promise<LocalAccount> {
  const now = new Date();
  const { accountId, organizationId, isDemo } = await createCompany(transactionalPuts(table), now);
  const { key } = await createKey(table, { accountId, role: 'Owner', name: 'local', hasEvent: false, now });
  const demo = isDemo ? { DemoCreatedAt: now.toISOString() } : {};
  return { AccountId: accountId, OrganizationId: organizationId, ApiKey: key, ...demo };
}
