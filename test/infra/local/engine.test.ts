import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareEngineFile } from '../../../infra/local/engine-file.ts';
import { findEngine, startEngine } from '../../../infra/local/engine.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { ensureTable } from '../../../infra/local/create-table.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('finding the engine', () => {
  const nowhere = { platform: 'plan9', architecture: 'mips', environment: {}, packageFolder: () => undefined };
  function program(name: string): string {
    const file = join(folder, name);
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    return file;
  }

  test('where DYNAMODB_ENDPOINT says, before anything else', () => {
    program('dynoxide');
    const environment = { PATH: folder, DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' };
    expect(findEngine({ ...nowhere, packageFolder: () => folder, environment })).toEqual({
      endpoint: 'http://127.0.0.1:8000',
    });
  });

  test.each(['nonsense', '127.0.0.1:8000', 'file:///tmp/table'])(
    'never where DYNAMODB_ENDPOINT is no address: %s',
    (endpoint) => {
      program('dynoxide');
      const environment = { PATH: folder, DYNAMODB_ENDPOINT: endpoint };
      expect(() => findEngine({ ...nowhere, environment })).toThrow(
        `DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000, not "${endpoint}". ` +
          'Correct it, or unset it to use the embedded engine.',
      );
    },
  );

  test('as the installed package of this platform', () => {
    const file = program('dynoxide');
    const request: string[] = [];
    const packageFolder = (name: string) => (request.push(name), folder);
    const environment = { PATH: '/elsewhere', DYNAMODB_ENDPOINT: '' };
    expect(findEngine({ ...nowhere, packageFolder, environment })).toEqual({ program: file });
    expect(request).toEqual(['@dynoxide/plan9-mips']);
  });

  test('else on the path', () => {
    const file = program('dynoxide');
    expect(findEngine({ ...nowhere, environment: { PATH: `/elsewhere:${folder}` } })).toEqual({ program: file });
  });

  test('on the path as npm installs it for all: the engine itself, not the script that starts it', () => {
    const packages = join(folder, 'lib', 'node_modules');
    const inFolder = (...names: string[]) => {
      mkdirSync(join(packages, ...names.slice(0, -1)), { recursive: true });
      const file = join(packages, ...names);
      writeFileSync(file, names.at(-1) === 'package.json' ? '{}' : '');
      chmodSync(file, 0o755);
      return file;
    };
    const script = inFolder('dynoxide', 'bin', 'dynoxide');
    symlinkSync(script, join(folder, 'dynoxide'));
    const environment = { PATH: folder };
    expect(findEngine({ ...nowhere, environment })).toEqual({ program: join(folder, 'dynoxide') });
    inFolder('dynoxide', 'node_modules', '@dynoxide', 'plan9-mips', 'package.json');
    const engine = inFolder('dynoxide', 'node_modules', '@dynoxide', 'plan9-mips', 'dynoxide');
    expect(findEngine({ ...nowhere, environment })).toEqual({ program: engine });
  });

  test.each([{}, { PATH: '/elsewhere' }])('and else one sentence says how to get one (%o)', (environment) => {
    expect(() => findEngine({ ...nowhere, environment })).toThrow(
      /^No DynamoDB engine found for plan9-mips. Install Java 17 and Maven: .* DYNAMODB_ENDPOINT .*\.$/,
    );
  });
});

describe("the engine's file", () => {
  const file = () => join(folder, 'dynamodb.sqlite');
  const now = new Date();
  const laterBy = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

  async function engine() {
    const source = findEngine();
    if (!('program' in source)) throw new Error('this test needs the engine as a program');
    const fail = (problem: Error) => {
      throw problem;
    };
    return startEngine({
      program: source.program,
      file: file(),
      port: await freePort(),
      handled: [],
      now,
      onRestart: () => undefined,
      onLost: fail,
    });
  }

  async function withRecords(count: number): Promise<void> {
    const running = await engine();
    const client = new DynamoDBClient({
      endpoint: running.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    await ensureTable(client, 'records');
    for (let id = 1; id <= count; id++)
      await client.send(
        new PutItemCommand({
          TableName: 'records',
          Item: { PK: { S: 'A' }, SK: { S: String(id) }, E: { S: 'Contact' }, At: { S: randomUUID() } },
        }),
      );
    await running.stop();
  }

  function ask(sql: string): Record<string, unknown>[] {
    const database = new DatabaseSync(file());
    const rows = database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
    database.close();
    return rows;
  }
  const sequences = () =>
    ask('SELECT CAST(sequence_number AS INTEGER) AS number FROM _stream_records ORDER BY 1').map(
      ({ number }) => number,
    );

  test('has from the first start the indexes that keep writes fast', async () => {
    await (await engine()).stop();
    const plan = ask(
      "EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 'x'",
    );
    expect(JSON.stringify(plan)).toContain('USING COVERING INDEX stream_by_sequence');
  });

  test('has no stream records of items that no consumer gets', async () => {
    const running = await engine();
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint: running.endpoint, region: 'us-east-1', credentials });
    await ensureTable(client, 'records');
    const put = (SK: string, facts: Record<string, { S: string }>) =>
      client.send(new PutItemCommand({ TableName: 'records', Item: { PK: { S: 'A' }, SK: { S: SK }, ...facts } }));
    await put('search entry', { Text: { S: '"E":' } });
    await put('record', { E: { S: 'Contact' } });
    await put('record', { Was: { S: 'a record' } });
    await put('message', { Queue: { S: 'callbacks' } });
    await running.stop();
    const keys = ask('SELECT keys_json AS keys FROM _stream_records ORDER BY id').map(({ keys: text }) => String(text));
    expect(keys.map((text) => (JSON.parse(text) as { SK: { S: string } }).SK.S)).toEqual([
      'record',
      'record',
      'message',
    ]);
  });

  test('loses stream records after a day that are handled, and keeps the last, from which the engine counts on', async () => {
    await withRecords(5);
    const [{ shard: shardId = '' } = {}] = ask('SELECT shard_id AS shard FROM _stream_records LIMIT 1') as {
      shard?: string;
    }[];
    const handledThrough = (sequenceNumber: string, at: Date) =>
      prepareEngineFile(file(), [{ shardId, sequenceNumber }], at);
    handledThrough('3', laterBy(23));
    expect(sequences()).toEqual([1, 2, 3, 4, 5]);
    handledThrough('3', laterBy(25));
    expect(sequences()).toEqual([3, 4, 5]);
    handledThrough('5', laterBy(1_000));
    expect(sequences()).toEqual([5]);
    await withRecords(1);
    expect(sequences()).toEqual([5, 6]);
  });

  test('is not touched while an engine has it open', async () => {
    const running = await engine();
    expect(() => prepareEngineFile(file(), [], now, 50)).toThrow(
      `The data file ${file()} is in use by another program. Stop that program.`,
    );
    await running.stop();
    expect(prepareEngineFile(file(), [], now)).toBe(true);
  });
});
