import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { findEngine, startEngine } from '../../../infra/local/engine.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { ensureTable, tableParameters } from '../../../infra/local/create-table.ts';
import { shardReader } from '../../../infra/local/shards.ts';
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
 * file, makes the table, and points this process's environment at it, as a Lambda function finds it. Its log lines are
 * off.
 */
export async function startTable({ stream = true } = {}): Promise<TestTable> {
  const source = findEngine();
  if (!('program' in source))
    throw new Error('tests need the engine as a program, so that each file has a table of its own');
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
  const tableName = 'test-table';
  let engine = await start();
  const backups = {
    backUp(backup: string): void {
      const data = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
      data.exec(`VACUUM INTO '${backup}'`);
      data.close();
    },
    async restore(backup: string): Promise<void> {
      await engine.stop();
      for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
      await copyFile(backup, file);
      engine = await start();
    },
    async load(fill: (loader: EngineLoader) => Promise<void>): Promise<void> {
      await engine.stop();
      const loader = openEngineLoader(file, tableName);
      await fill(loader);
      loader.close();
      engine = await start();
    },
  };
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    LOG_LEVEL: 'silent',
    BASE_URL: 'https://api.example.com',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
  });
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  const streams = new DynamoDBStreamsClient({ endpoint: engine.endpoint });
  const stop = async () => {
    client.destroy();
    streams.destroy();
    await engine.stop();
    await rm(folder, { recursive: true });
  };
  if (!stream) {
    const { StreamSpecification: _, ...parameters } = tableParameters(tableName);
    await client.send(new CreateTableCommand(parameters));
    return { endpoint: engine.endpoint, tableName, ...backups, records: async () => [], stop };
  }
  const { streamArn } = await ensureTable(client, tableName);
  // The engine has one shard; what several do to the worker, tests do by delivering side by side.
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  const reader = shardReader({ client: streams, streamArn, shardId, batchSize: 1_000, from: undefined });
  return {
    endpoint: engine.endpoint,
    tableName,
    ...backups,
    async records() {
      const all: DynamoDBRecord[] = [];
      for (let page = await reader.next(); page.records.length; page = await reader.next()) all.push(...page.records);
      return all;
    },
    stop,
  };
}
