import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { countCall, listCallCounts } from '../../../lib/store/requests/audit.ts';
import { formatKey, parseKey } from '../../../lib/store/requests/api-keys.ts';
import { auditLines, checkAudit } from '../../../lib/workflows/audit-log.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { type TestAccount, drainEvents, testAccount, testStack, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

type Line = Record<string, unknown> & { readonly Kind: string; readonly At: string };

let account: TestAccount;
let reader: string;
const DAY = 24 * 3_600_000;
const publicPart = (key: string) => parseKey(key)?.publicPart ?? '';

/** The lines of an export of these days. */
async function exported(from = Date.now() - DAY, through = Date.now() + DAY): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of auditLines(accountStore(testTable(), account.accountId), { from, through }, new Date()))
    lines.push(line);
  return lines;
}
const parsed = async (): Promise<Line[]> => (await exported()).map((line) => JSON.parse(line) as Line);

beforeAll(async () => {
  account = await testAccount();
  reader = await account.newKey({ role: 'ReadOnly', name: 'reader' });
  await account.call('contacts/addupdate', { Name: 'Ida Audited', Email: 'ida@example.com' });
  await account.call('contacts/addupdate', { Name: 'Denied' }, { key: reader });
  await account.call('datasubscriber/startdownload', { Kind: 'contacts' });
  await drainEvents();
});

describe('the audit of an account', () => {
  test('has events with their actors, without personal data', async () => {
    const lines = await parsed();
    expect(lines.find(({ Kind }) => Kind === 'contact.created')).toMatchObject({
      Event: 1,
      Id: 1,
      Actor: { Key: publicPart(account.key) },
    });
    expect(JSON.stringify(lines)).not.toMatch(/Ida|ida@/);
  });

  test('has denied calls with key, operation and number, and downloads with who started them', async () => {
    const lines = await parsed();
    expect(lines.find(({ Kind }) => Kind === 'call.denied')).toMatchObject({
      Key: publicPart(reader),
      Operation: 'contacts/addupdate',
      ResultCode: 403,
      Count: 1,
      Network: '127.0.0.0/24',
    });
    expect(lines.find(({ Kind }) => Kind === 'download.started')).toMatchObject({
      Actor: { Key: publicPart(account.key), Name: 'test' },
      Data: { Kind: 'contacts' },
    });
  });

  test('is in the order of time, and holds only what is between the two moments', async () => {
    const times = (await parsed()).slice(1, -1).map(({ At }) => At);
    expect(times).toEqual(times.toSorted());
    const none = (await exported(0, DAY)).map((line) => (JSON.parse(line) as Line).Kind);
    expect(none).toEqual(['audit.begin', 'audit.end']);
  });
});

describe('the chain of an export', () => {
  test('holds as it was written', async () => {
    const lines = await exported();
    expect(lines.length).toBeGreaterThan(4);
    expect(await checkAudit(lines)).toMatchObject({ problem: undefined, lines: lines.length });
  });

  test('shows every line that is removed, repeated, moved or changed', async () => {
    const lines = await exported();
    const place = fc.nat(lines.length - 1);
    const changes = fc.oneof(
      place.map((at) => lines.toSpliced(at, 1)),
      place.map((at) => lines.slice(0, at)),
      place.map((at) => lines.toSpliced(at, 0, lines[at] ?? '')),
      fc.tuple(place, place).map(([from, to]) => lines.toSpliced(from, 1).toSpliced(to, 0, lines[from] ?? '')),
      fc.tuple(place, fc.nat(150), fc.constantFrom('1', 'x', ' ')).map(([at, index, letter]) => {
        const line = lines[at] ?? '';
        const changedLine = line.slice(0, index) + letter + line.slice(index + 1);
        return lines.with(at, changedLine);
      }),
    );
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const isSame = changed.join('\n') === lines.join('\n');
        expect((await checkAudit(changed)).problem === undefined).toBe(isSame);
      }),
      { numRuns: 200 },
    );
  });
});

describe('denied calls', () => {
  test('of a key are written once in ten seconds, whatever it calls, and counted in full with the next', async () => {
    const of = await testAccount();
    const key = publicPart(await of.newKey());
    const table = testTable();
    const start = Date.parse('2026-11-21T14:00:00Z');
    const deny = (operation: string, at: number) =>
      countCall(table, key, { operation, status: 403, network: '203.0.113.0/24', now: new Date(start + at) });
    for (let index = 0; index < 500; index++) await deny(`group/operation${index % 3}`, index);
    expect(table.meter.usage.writeUnits).toBe(1);
    await deny('group/operation0', 10_000);
    expect(table.meter.usage.writeUnits).toBe(2);
    const [day] = await listCallCounts(table, [key], { from: start, through: start + DAY });
    expect(day?.counts).toEqual({
      'group/operation0 403': 168,
      'group/operation1 403': 167,
      'group/operation2 403': 166,
    });
    expect(day?.network).toBe('203.0.113.0/24');
  });

  test('and of unknown fields the first 50 names of a day and key are counted, the others as one', async () => {
    const of = await testAccount();
    const key = publicPart(await of.newKey());
    const table = testTable();
    const start = Date.parse('2026-11-22T14:00:00Z');
    for (let index = 0; index < 70; index++) {
      const fields = ['Same', 'Same', `f${index}`];
      const call = { operation: 'task/query', fields, network: '203.0.113.0/24', now: new Date(start + index * 5_000) };
      await countCall(table, key, call);
    }
    const [day] = await listCallCounts(table, [key], { from: start, through: start + DAY });
    const counts = Object.entries(day?.counts ?? {});
    expect(counts.length).toBe(51);
    expect(counts).toContainEqual(['task/query :Same', 69]);
    expect(counts).toContainEqual(['task/query :…', 20]);
  });

  test('of keys that do not exist are written nowhere; of a revoked key they are', async () => {
    const of = await testAccount();
    const table = testTable();
    const ended = await of.newKey({ expiresAt: 1 });
    const { status } = await of.call('test/echo', {}, { key: ended });
    expect(status).toBe(401);
    const wrong = formatKey(publicPart(ended), 'x'.repeat(32), { isTest: true });
    for (let index = 0; index < 5; index++) await of.call('task/query', {}, { key: wrong });
    const span = { from: Date.now() - DAY, through: Date.now() + DAY };
    const [day] = await listCallCounts(table, [publicPart(ended)], span);
    expect(day?.counts).toEqual({ 'test/echo 401': 1 });
  });
});

test('fs audit export writes a file that only its owner reads, and fs audit verify finds what was removed', async () => {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: Region };
  const environment = { TABLE_NAME: TableName, DYNAMODB_ENDPOINT: DynamoDBEndpoint, ...keys };
  const run = (...words: string[]) => withEnvironment(environment, () => runTool(words));
  const file = join(tmpdir(), `audit-${process.pid}.jsonl`);
  const options = ['--account', account.accountId, '--from', '2020-01-01', '--out', file];
  const { stderr } = await run('audit', 'export', ...options);
  const hash = /Keep the last hash elsewhere: ([0-9a-f]{64})/.exec(stderr)?.[1] ?? stderr;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await run('audit', 'verify', file, '--hash', hash)).stdout).toContain('none changed, added or missing');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.toSpliced(1, 1).join('\n'));
  expect((await run('audit', 'verify', file)).stderr).toContain('Line 2: does not follow the line before it');
  rmSync(file);
});

test('fs audit export takes times as 1d', async () => {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: Region };
  const environment = { TABLE_NAME: TableName, DYNAMODB_ENDPOINT: DynamoDBEndpoint, ...keys };
  const words = ['audit', 'export', '--account', account.accountId, '--from', '1d', '--to', '0m'];
  const before = Date.now();
  const { code, stdout } = await withEnvironment(environment, () => runTool(words));
  const [begin = '{}'] = stdout.split('\n');
  const { From, Through } = JSON.parse(begin) as { From: string; Through: string };
  expect(code).toBe(0);
  expect(Date.parse(From)).toBeGreaterThanOrEqual(before - DAY);
  expect(Date.parse(From)).toBeLessThanOrEqual(Date.now() - DAY);
  expect(Date.parse(Through) - Date.parse(From)).toBeLessThanOrEqual(DAY + 60_000);
});

test('fs audit fields lists what lenient keys sent in vain, those of most calls first', async () => {
  const of = await testAccount();
  const key = await of.newKey({ name: 'dashboard', lenient: true });
  await of.call('appointments/query', { IncludeCompleted: true, Source: 'x' }, { key });
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: Region };
  const environment = { TABLE_NAME: TableName, DYNAMODB_ENDPOINT: DynamoDBEndpoint, ...keys };
  const { stdout } = await withEnvironment(environment, () =>
    runTool(['audit', 'fields', '--account', of.accountId, '--json']),
  );
  const about = { Key: publicPart(key), Name: 'dashboard', Operation: 'appointments/query', Calls: 1 };
  expect(JSON.parse(stdout)).toEqual({
    Fields: [
      { ...about, Field: 'IncludeCompleted' },
      { ...about, Field: 'Source' },
    ],
  });
});
