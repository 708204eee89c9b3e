import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import {
  type QueueWorkerName,
  type ScheduledWorkerName,
  type StreamWorkerName,
  queueNames,
  queueWorkers,
  scheduledWorkerNames,
  scheduledWorkers,
  streamWorkerNames,
  streamWorkers,
} from '../../functions/workers/index.ts';
import { writeAccount, findAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { type Files, openFiles } from '../../lib/files/s3.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/table.ts';
import { migrateAccount } from '../../lib/store/administration/migrations.ts';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { requestHandler } from '../../lib/store/dynamodb/client.ts';
import { objectOf } from '../../lib/shared/objects.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import { regionOf, useCredentials } from '../dynamodb-endpoint.ts';
import { useStrictTable } from '../strict-table.ts';
import { deadLetterQueue, visibilitySeconds } from '../queues.ts';
import { findHandled, openCheckpoints } from './checkpoints.ts';
import { ensureTable } from './create-table.ts';
import {
  CALLBACK_KEY,
  LOCAL_CLIENT,
  LOCAL_POOL,
  type LocalJson,
  PAYMENT_KEY,
  holdFolder,
  holdKey,
  readLocal,
  writeLocal,
} from './data-folder.ts';
import { withDocs } from './docs.ts';
import { type Engine, findEngine, startEngine } from './engine.ts';
import { startEngineProxy } from './engine-proxy.ts';
import { setEnvironment, setOffice, setSignIn } from './environment.ts';
import { type Handlers, type HttpServer, startHttpServer } from './http-server.ts';
import { type Listening, freePort, hiddenLoopback, portNumber } from './ports.ts';
import { discardedPrefix } from '../../lib/workflows/parked-records.ts';
import { inboxGroup } from './messages/inbox-page.ts';
import { type MessageServices, startMessageServices } from './messages/stand-in.ts';
import { Problem } from './problem.ts';
import { type QueueHandler, QueuePump } from './queue-pump.ts';
import type { AnsweredRequest } from './request-log.ts';
import { type LocalAws, type LocalQueue, startAws } from './s3-and-sqs.ts';
import { type BatchHandler, StreamPump } from './stream-pump.ts';
import { type Schedule, type ScheduledHandler, startSchedule } from './schedule.ts';
import { startSecrets } from './secrets.ts';
import { READ_MILLISECONDS } from './shards.ts';
import { connectStandIn } from './stripe/connect-demo.ts';
import { type StripeStandIn, startStripe } from './stripe/stand-in.ts';
import { TimeToLive } from './time-to-live.ts';
import { type StoreReader, accountStore } from '../../lib/store/store.ts';
import { listOfficeUsers } from '../../lib/workflows/users/sign-in-user.ts';

const BUCKET = 'field-service-files';

/** While a busy machine slows the engine, a start retries its requests; if the engine ends, the start fails. */
const START_PATIENCE = 30 * MINUTE;

const localQueues = (name: QueueWorkerName): LocalQueue[] => [
  { name: deadLetterQueue(name) },
  {
    name,
    visibilitySeconds: visibilitySeconds(queueWorkers[name].queue),
    deadLetters: { queue: deadLetterQueue(name), maxReceiveCount: queueWorkers[name].queue.maxReceiveCount },
  },
];

const checkpointFile = (folder: string, name: StreamWorkerName): string => join(folder, `stream-${name}.json`);

/** Creates an account with a first organization. */
export type CreateCompany = (
  table: TableWriter,
  now: Date,
) => Promise<{ account: string; organizationId: number; isDemo?: boolean }>;

const createEmptyCompany: CreateCompany = (table, now) => writeAccount(table, { name: 'My company', now });

/** The deployed functions. */
export interface DeployedHandlers extends Handlers {
  readonly workers: Readonly<Record<StreamWorkerName, BatchHandler>>;
  readonly queues: Readonly<Record<QueueWorkerName, QueueHandler>>;
  readonly scheduled: Readonly<Record<ScheduledWorkerName, ScheduledHandler>>;
}

const handlersHere = (folder: string): DeployedHandlers => ({
  groups: withDocs(groups, folder),
  fallback,
  workers: objectOf(streamWorkerNames, (name) => streamWorkers[name].handler),
  queues: objectOf(queueNames, (name) => queueWorkers[name].handler),
  scheduled: objectOf(scheduledWorkerNames, (name) => scheduledWorkers[name].handler),
});

export interface StackOptions {
  /** Holds all state. */
  readonly folder: string;
  /** The HTTP port; 0 takes any free port. */
  readonly port: number;
  /** Created if it does not exist; `field-service` by default. */
  readonly tableName?: string;
  /** Origins of web pages elsewhere that may call; none by default. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Called by the first start; creates an empty company by default. */
  readonly createCompany?: CreateCompany | undefined;
  /** Whether the account's users sign in through a user pool; false by default. */
  readonly signIn?: boolean | undefined;
  /** Writes no log to standard error. */
  readonly quiet?: boolean;
  /** Called for each answered request. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
  /** The workers' wait before their first retry, shorter in tests. */
  readonly retryMilliseconds?: number;
  /**
   * How long the workers collect changes, unless a `drain` asks for them. Otherwise each response triggers a read: each
   * call that writes then causes its own batch, which takes more CPU than the call.
   */
  readonly gatherMilliseconds?: number;
  /**
   * Discards files and messages when the stack ends, because writing them takes 3% of a busy stack. They are kept by
   * default.
   */
  readonly forgetsFiles?: boolean;
  /** The functions, if they do not run in this process; called when all parts run. */
  readonly handlers?: DeployedHandlers;
  /** Called when the stack cannot continue. */
  readonly onLost?: (problem: Problem) => void;
}

/** The running local stack. */
export interface Stack {
  readonly baseUrl: string;
  readonly local: LocalJson;
  /** Whether this start created the account. */
  readonly isNew: boolean;
  readonly streams: Readonly<Record<StreamWorkerName, StreamPump>>;
  readonly queues: Readonly<Record<QueueWorkerName, QueuePump>>;
  /** The process id of the DynamoDB engine, if it is a child process. */
  enginePid(): number | undefined;
  /** What the workers could not handle, as stored in the bucket: parked records and discarded batches. */
  deadLetters(): Promise<string[]>;
  /** Resolves when the workers have processed every change before the call, and their own changes are events. */
  drain(): Promise<void>;
  /**
   * Expires proposals, releases visits and removes items past their time to live at once, instead of every 10 minutes.
   */
  expire(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the whole product on this machine: DynamoDB engine, S3 and SQS, HTTP in front of the deployed handlers, and
 * the table's stream to the workers. Only one stack per process, because the handlers find it through the environment.
 * Throws a Problem that says in one sentence why it cannot start.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const starting = new StartingStack(options);
  try {
    return await starting.start();
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

/** The addresses of a stack's parts. */
type Addresses = Omit<LocalJson, keyof LocalAccount | 'OfficeIssuer'>;

/** The steps of a start, and the parts that run so far. */
class StartingStack {
  readonly #options: StackOptions;
  readonly #folder: string;
  readonly #tableName: string;
  readonly #source = findEngine();
  readonly #region = regionOf('endpoint' in this.#source);
  readonly #handlers: DeployedHandlers;
  /** Stopped in reverse order of their start. */
  readonly #parts: { stop(): void | Promise<void> }[] = [];
  /** HTTP comes first, so that a port in use is reported before anything is created. Calls wait until all parts run. */
  readonly #ready = Promise.withResolvers<StreamPump>();
  #engine: Engine | undefined;
  #messages: MessageServices | undefined;
  #isNudging = false;

  constructor(options: StackOptions) {
    this.#options = options;
    this.#folder = resolve(options.folder);
    this.#tableName = options.tableName ?? 'field-service';
    this.#handlers = options.handlers ?? handlersHere(this.#folder);
  }

  async start(): Promise<Stack> {
    const { createCompany = createEmptyCompany } = this.#options;
    this.#add(holdFolder(this.#folder));
    const previous = readLocal(this.#folder);
    const isExternal = 'endpoint' in this.#source;
    useCredentials({ isExternal, region: this.#region });
    useStrictTable();

    const http = await this.#startHttp();
    const { endpoint, publicEndpoint } =
      'endpoint' in this.#source
        ? { endpoint: this.#source.endpoint, publicEndpoint: this.#source.endpoint }
        : await this.#startEngine(this.#source.program, previous);
    const aws = await this.#startAws(previous);
    const stripe = await this.#startStripe(previous);
    const { endpoint: messagesEndpoint } = await this.#startMessages(previous);
    const addresses: Addresses = {
      BaseUrl: `http://127.0.0.1:${http.port}`,
      DynamoDBEndpoint: publicEndpoint,
      AwsEndpoint: aws.endpoint,
      StripeApi: stripe.endpoint,
      MessagesEndpoint: messagesEndpoint,
      TableName: this.#tableName,
      Bucket: BUCKET,
      Region: this.#region,
      ...(isExternal ? { ExternalDynamoDB: true as const } : {}),
    };
    const keys = {
      [CALLBACK_KEY]: holdKey(this.#folder, CALLBACK_KEY),
      [PAYMENT_KEY]: holdKey(this.#folder, PAYMENT_KEY),
    };
    const secrets = this.#add(await startSecrets(keys));
    setEnvironment({ ...addresses, DynamoDBEndpoint: endpoint }, secrets.endpoint);

    const streamArn = await makeTable(this.#tableName, endpoint);
    const { account, isNew } = await openAccount({ tableName: this.#tableName, endpoint }, previous, createCompany);
    const signIn = this.#options.signIn ? await this.#startSignIn(previous) : undefined;
    if (signIn) setSignIn(signIn.endpoint, account.AccountId);
    const people = signIn ? { SignInEndpoint: signIn.endpoint, UserPoolId: LOCAL_POOL } : {};
    const store = accountStore(openTable({ tableName: this.#tableName, endpoint }), account.AccountId);
    const { endpoint: OfficeIssuer } = await this.#startHostedSignIn(previous, addresses.BaseUrl, store);
    setOffice(OfficeIssuer, account.AccountId);
    const local: LocalJson = { ...addresses, ...account, ...people, OfficeIssuer };
    writeLocal(this.#folder, local);
    if (local.DemoCreatedAt)
      await connectStandIn(openPatiently({ tableName: this.#tableName, endpoint }), {
        account: local.AccountId,
        baseUrl: local.BaseUrl,
        stripeApi: local.StripeApi,
        key: keys[PAYMENT_KEY],
      });

    const files = openFiles({ bucket: BUCKET, endpoint: aws.endpoint });
    const streams = this.#startStreams({ endpoint, streamArn, files });
    const pumps = this.#startQueues(aws);
    const background = this.#startBackground(endpoint, streams);
    this.#ready.resolve(streams['event-queue']);
    return {
      baseUrl: addresses.BaseUrl,
      local,
      isNew,
      streams,
      queues: pumps,
      enginePid: () => this.#engine?.pid(),
      ...stackActions(files, streams, background),
      stop: () => this.stop(),
    };
  }

  async stop(): Promise<void> {
    for (const part of this.#parts.splice(0).reverse()) await part.stop();
  }

  readonly #log = (line: string): void => void (this.#options.quiet || process.stderr.write(`${line}\n`));

  #add<Part extends { stop(): Promise<void> }>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  async #startHttp(): Promise<HttpServer> {
    const { port, gatherMilliseconds, onRequest, corsOrigins } = this.#options;
    const { groups: deployed, fallback: otherPaths } = this.#handlers;
    const onceReady =
      <Parameters extends unknown[], Result>(handler: (...parameters: Parameters) => Promise<Result>) =>
      (...parameters: Parameters) =>
        this.#ready.promise.then(() => handler(...parameters));
    return this.#add(
      await startHttpServer({
        port,
        corsOrigins,
        groups: [...deployed, inboxGroup(async () => (await this.#messages?.inbox()) ?? [])].map(
          ({ name, paths, handler }) => ({ name, paths, handler: onceReady(handler) }),
        ),
        fallback: onceReady(otherPaths),
        // The other consumers are rarely concerned and check by themselves within a moment.
        onResponse: () => {
          if (gatherMilliseconds === undefined) void this.#nudgeSoon();
        },
        log: this.#log,
        ...(onRequest ? { onRequest } : {}),
      }),
    );
  }

  /** Reads the changes of several responses together. */
  async #nudgeSoon(): Promise<void> {
    if (this.#isNudging) return;
    this.#isNudging = true;
    const stream = await this.#ready.promise;
    await pause(READ_MILLISECONDS);
    this.#isNudging = false;
    stream.nudge();
  }

  /** Starts the engine, with a proxy in front of it at the address of the last start. */
  async #startEngine(
    program: string,
    previous: Partial<LocalJson>,
  ): Promise<{ readonly endpoint: string; readonly publicEndpoint: string }> {
    const engine = await startEngine({
      program,
      file: join(this.#folder, 'dynamodb.sqlite'),
      host: hiddenLoopback(),
      port: await freePort(),
      handled: findHandled(streamWorkerNames.map((name) => checkpointFile(this.#folder, name))),
      now: new Date(),
      onRestart: () => this.#log('The DynamoDB engine ended and was started again.'),
      onLost: this.#options.onLost ?? (() => undefined),
    });
    this.#engine = this.#add(engine);
    const port = await freePort(portNumber(previous.DynamoDBEndpoint));
    const proxy = this.#add(await startEngineProxy({ port, engine: engine.endpoint }));
    return { endpoint: engine.endpoint, publicEndpoint: proxy.endpoint };
  }

  async #startAws(previous: Partial<LocalJson>): Promise<LocalAws> {
    return this.#add(
      await startAws({
        folder: this.#options.forgetsFiles ? undefined : join(this.#folder, 'aws'),
        port: await freePort(portNumber(previous.AwsEndpoint)),
        region: this.#region,
        bucket: BUCKET,
        queues: queueNames.flatMap(localQueues),
        corsOrigins: this.#options.corsOrigins,
      }),
    );
  }

  #startStripe(previous: Partial<LocalJson>): Promise<StripeStandIn> {
    const file = join(this.#folder, 'stripe.json');
    return freePort(portNumber(previous.StripeApi))
      .then((port) => startStripe({ file, port, log: this.#log }))
      .then((standIn) => this.#add(standIn));
  }

  async #startMessages(previous: Partial<LocalJson>): Promise<MessageServices> {
    const port = await freePort(portNumber(previous.MessagesEndpoint));
    this.#messages = this.#add(await startMessageServices({ port }));
    return this.#messages;
  }

  async #startHostedSignIn(previous: Partial<LocalJson>, baseUrl: string, store: StoreReader): Promise<Listening> {
    const { startHostedSignIn } = await import('./hosted-sign-in.ts');
    const port = await freePort(portNumber(previous.OfficeIssuer));
    const people = () => listOfficeUsers(store);
    return this.#add(await startHostedSignIn({ port, baseUrl, clientId: LOCAL_CLIENT, people }));
  }

  async #startSignIn(previous: Partial<LocalJson>): Promise<Listening> {
    const { startSignIn } = await import('./sign-in.ts');
    const port = await freePort(portNumber(previous.SignInEndpoint));
    const { corsOrigins: origins = [] } = this.#options;
    const folder = join(this.#folder, 'sign-in');
    return this.#add(await startSignIn({ folder, port, origins, onMessage: this.#log }));
  }

  #startStreams({
    endpoint,
    streamArn,
    files,
  }: {
    endpoint: string;
    streamArn: string;
    files: Files;
  }): Stack['streams'] {
    const { gatherMilliseconds, retryMilliseconds = 100 } = this.#options;
    const start = (name: StreamWorkerName): StreamPump =>
      this.#add(
        new StreamPump({
          client: new DynamoDBStreamsClient({ endpoint, requestHandler: requestHandler() }),
          streamArn,
          // Batches cost nothing here, and events should be visible at once.
          rules: { ...streamWorkers[name].stream, maximumBatchingWindowSeconds: 0 },
          handler: this.#handlers.workers[name],
          functionName: name,
          checkpoints: openCheckpoints(checkpointFile(this.#folder, name), streamArn),
          discard: (file, text) => files.put(`${discardedPrefix}${file}`, text),
          log: this.#log,
          retryMilliseconds,
          ...(gatherMilliseconds === undefined ? {} : { idle: () => gatherMilliseconds }),
        }),
      );
    return Object.fromEntries(streamWorkerNames.map((name) => [name, start(name)])) as Stack['streams'];
  }

  #startQueues(aws: LocalAws): Stack['queues'] {
    const start = (name: QueueWorkerName): QueuePump =>
      this.#add(
        new QueuePump({
          name,
          client: new SQSClient({ endpoint: aws.endpoint, region: this.#region, useQueueUrlAsEndpoint: false }),
          url: aws.urlOf(name),
          region: this.#region,
          rules: queueWorkers[name].queue,
          handler: this.#handlers.queues[name],
          log: this.#log,
        }),
      );
    return Object.fromEntries(queueNames.map((name) => [name, start(name)])) as Stack['queues'];
  }

  #startBackground(endpoint: string, streams: Stack['streams']): Background {
    const nudge = () => Object.values(streams).forEach((stream) => stream.nudge());
    // DynamoDB Local does this itself; doing it twice is harmless.
    const timeToLive = this.#add(
      new TimeToLive({
        client: new DynamoDBClient({ endpoint, requestHandler: requestHandler() }),
        tableName: this.#tableName,
        onRemoved: nudge,
        log: this.#log,
      }),
    );
    const schedule = (name: ScheduledWorkerName): Schedule =>
      this.#add(
        startSchedule({
          name,
          handler: this.#handlers.scheduled[name],
          everyMilliseconds: scheduledWorkers[name].schedule.everyMinutes * MINUTE,
          timeoutMilliseconds: scheduledWorkers[name].schedule.timeoutMinutes * MINUTE,
          onRun: nudge,
          log: this.#log,
        }),
      );
    return {
      timeToLive,
      proposalExpiry: schedule('proposal-expiry'),
      eventBacklog: schedule('event-backlog'),
      delayedMessages: schedule('delayed-messages'),
    };
  }
}

interface Address {
  readonly tableName: string;
  readonly endpoint: string;
}

const openPatiently = (address: Address): TableWriter =>
  transactionalPuts(openTable({ ...address, deadline: Date.now() + START_PATIENCE }));

async function makeTable(tableName: string, endpoint: string): Promise<string> {
  const client = new DynamoDBClient({ endpoint, requestHandler: requestHandler(), maxAttempts: 10 });
  const { streamArn } = await ensureTable(client, tableName);
  client.destroy();
  return streamArn;
}

/** The account of the last start, brought up to date, or a new one. */
async function openAccount(
  address: Address,
  previous: Partial<LocalJson>,
  createCompany: CreateCompany,
): Promise<{ readonly account: LocalAccount; readonly isNew: boolean }> {
  const table = openPatiently(address);
  const known = await findPreviousAccount(table, previous);
  const migrated = known && (await migrateAccount(accountStore(table, known.AccountId)));
  if (migrated?.kind === 'refused') throw new Problem(migrated.message);
  return { account: known ?? (await createFirstAccount(table, createCompany)), isNew: !known };
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
  return (await findAccount(accountStore(table, AccountId))) ? known : undefined;
}

async function createFirstAccount(table: TableWriter, createCompany: CreateCompany): Promise<LocalAccount> {
  const now = new Date();
  const { account, organizationId, isDemo } = await createCompany(table, now);
  const { key } = await createKey(accountStore(table, account), {
    role: 'Owner',
    name: 'local',
    isTest: true,
    hasEvent: false,
    now,
  });
  const demo = isDemo ? { DemoCreatedAt: now.toISOString() } : {};
  return { AccountId: account, OrganizationId: organizationId, ApiKey: key, ...demo };
}

/** What runs on a schedule. */
interface Background extends Record<'proposalExpiry' | 'eventBacklog' | 'delayedMessages', Schedule> {
  readonly timeToLive: TimeToLive;
}

/** Actions that tests and the demo trigger at once. */
function stackActions(
  files: Files,
  streams: Stack['streams'],
  background: Background,
): Pick<Stack, 'deadLetters' | 'drain' | 'expire'> {
  const { 'event-queue': eventStream, ...otherStreams } = streams;
  return {
    async deadLetters() {
      const keys = await Promise.all(['parked/', discardedPrefix].map((prefix) => files.list(prefix)));
      return Promise.all(keys.flat().map((key) => files.get(key)));
    },
    async drain() {
      await Promise.all(Object.values(otherStreams).map((stream) => stream.drain()));
      await eventStream.drain();
      await background.eventBacklog.run();
    },
    async expire() {
      await background.proposalExpiry.run();
      await background.timeToLive.sweep();
      await background.delayedMessages.run();
    },
  };
}
