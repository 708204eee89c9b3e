import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { findEngine, startEngine } from '../../../infra/local/engine.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { ensureTable, tableParameters } from '../../../infra/local/create-table.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import type { Key } from '../../../lib/store/keys.ts';
import { ShardReader } from '../../../infra/local/shards.ts';
import { externalEndpoint, useTestCredentials } from './external.ts';
import { type EngineLoader, openEngineLoader } from './engine-loader.ts';

/** A real DynamoDB engine with the project's table in it, for one test file. */
export interface TestTable {
  readonly endpoint: string;
  readonly tableName: string;
  /** Copies the data of this moment into a file. */
  backUp(backup: string): void;
  /** Goes on with the data of a backup, at the same address. */
  restore(backup: string): Promise<void>;
  /** Goes on with what `fill` writes into the engine's file while it is stopped, at the same address; no stream. */
  load(fill: (loader: EngineLoader) => Promise<void>): Promise<void>;
  /** Every record of the stream since the last call, as Lambda hands them over. */
  records(): Promise<DynamoDBRecord[]>;
  stop(): Promise<void>;
}

/**
 * `stream: false` leaves the stream off, for very large data, which it slows down. Starts the engine on a temporary
 * file, or uses the DynamoDB of DYNAMODB_ENDPOINT, makes the table, and points this process's environment at it, as a
 * Lambda function finds it. Its log lines are off.
 */
export async function startTable({ stream = true } = {}): Promise<TestTable> {
  // Others use an external DynamoDB too.
  const tableName = externalEndpoint === undefined ? 'test-table' : `test-table-${randomUUID()}`;
  const place =
    externalEndpoint === undefined ? await startFile(tableName) : externalTable(externalEndpoint, tableName);
  const { endpoint, stop: stopPlace, ...data } = place;
  useTestCredentials();
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    LOG_LEVEL: 'silent',
    BASE_URL: 'https://api.example.com',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  const client = new DynamoDBClient({ endpoint });
  const streams = new DynamoDBStreamsClient({ endpoint });
  const stop = async () => {
    await stopPlace(client);
    client.destroy();
    streams.destroy();
  };
  if (!stream) {
    const { StreamSpecification: _, ...parameters } = tableParameters(tableName);
    await client.send(new CreateTableCommand(parameters));
    return { endpoint, tableName, ...data, records: async () => [], stop };
  }
  const { streamArn } = await ensureTable(client, tableName);
  // The engine has one shard; what several do to the worker, tests do by delivering side by side.
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  const reader = new ShardReader({ client: streams, streamArn, shardId, batchSize: 1_000, from: undefined });
  return {
    endpoint,
    tableName,
    ...data,
    async records() {
      const all: DynamoDBRecord[] = [];
      for (let page = await reader.next(); page.records.length; page = await reader.next()) all.push(...page.records);
      return all;
    },
    stop,
  };
}

/** Where a table is, and its data as a whole. */
type Place = Pick<TestTable, 'endpoint' | 'backUp' | 'restore' | 'load'> & {
  stop(client: DynamoDBClient): Promise<void>;
};

/** An embedded engine on a temporary file. */
async function startFile(tableName: string): Promise<Place> {
  const source = findEngine();
  if (!('program' in source)) throw new Error('The engine is not found as a program.');
  const folder = await mkdtemp(join(tmpdir(), 'table-'));
  const fail = (problem: Error) => {
    throw problem;
  };
  const port = await freePort();
  const file = join(folder, 'table.db');
  const start = () =>
    startEngine({
      program: source.program,
      file,
      port,
      handled: [],
      now: new Date(),
      onRestart: () => undefined,
      onLost: fail,
    });
  let engine = await start();
  return {
    endpoint: engine.endpoint,
    backUp(backup) {
      const data = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
      data.exec(`VACUUM INTO '${backup}'`);
      data.close();
    },
    async restore(backup) {
      await engine.stop();
      for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
      await copyFile(backup, file);
      engine = await start();
    },
    async load(fill) {
      await engine.stop();
      const loader = openEngineLoader(file, tableName);
      await fill(loader);
      loader.close();
      engine = await start();
    },
    async stop() {
      await engine.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** DynamoDB Local takes a millisecond an item. */
const LOAD_MILLISECONDS = 600_000;

/** A table in a DynamoDB that runs already. It has no file: only tests of the embedded engine need that. */
function externalTable(endpoint: string, tableName: string): Place {
  const noFile = () => {
    throw new Error('This needs the file of the embedded engine. Unset DYNAMODB_ENDPOINT.');
  };
  return {
    endpoint,
    backUp: noFile,
    restore: noFile,
    async load(fill) {
      // What becomes of each key: an item, or nothing.
      const results = new Map<string, { readonly key: Key; readonly item: Item | undefined }>();
      const note = (key: Key, item?: Item) => results.set(JSON.stringify([key.PK, key.SK]), { key, item });
      await fill({
        put(items, removals = []) {
          for (const { PK, SK } of removals) note({ PK, SK });
          for (const item of items) note(item, item);
        },
        close: () => undefined,
      });
      const all = [...results.values()];
      const removed = all.flatMap(({ key, item }) => (item ? [] : [key]));
      const patient = openTable({ tableName, endpoint, deadline: Date.now() + LOAD_MILLISECONDS });
      await patient.putMany(
        all.flatMap(({ item }) => item ?? []),
        removed,
      );
    },
    async stop(client) {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
    },
  };
}
