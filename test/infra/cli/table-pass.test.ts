import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { costSentence, passCost } from '../../../infra/cli/table-pass.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { type Checkpoint, type PassState, passTable } from '../../../lib/store/dynamodb/table-pass.ts';
import { layout } from '../../../lib/store/keys.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { startBucket } from '../../support/files.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';

const TERABYTES_50 = 50_000_000_000_000;
/** Of a table of 50 TB. */
const SEGMENTS = 16;

let engine: TestTable;
let proxy: Server;
let environment: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'pass-'));
/** Scan requests since the test began, and how many the table answers. */
let scans = 0;
let answered = Infinity;

/** The engine, behind a proxy that calls the table large and counts scans. */
beforeAll(async () => {
  engine = await startTable({ stream: false });
  proxy = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
    incoming.on('end', async (): Promise<unknown> => {
      const target = String(incoming.headers['x-amz-target']);
      if (target.endsWith('.Scan') && ++scans > answered) {
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
        return response.end(JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }));
      }
      const { host: _, ...headers } = incoming.headers as Record<string, string>;
      const answer = await fetch(engine.endpoint, { method: 'POST', headers, body: Buffer.concat(chunks) });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
      if (!target.endsWith('.DescribeTable')) return response.end(text);
      const { Table } = JSON.parse(text) as { Table: object };
      return response.end(
        JSON.stringify({ Table: { ...Table, ItemCount: 80_000_000_000, TableSizeBytes: TERABYTES_50 } }),
      );
    });
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  await startBucket();
  environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    BASE_URL: 'https://api.example.com',
    TABLE_NAME: engine.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_S3: process.env['AWS_ENDPOINT_URL_S3'] ?? '',
    BUCKET_NAME: process.env['BUCKET_NAME'] ?? '',
  };
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  rmSync(folder, { recursive: true });
  await engine.stop();
});
beforeEach(() => {
  [scans, answered] = [0, Infinity];
});

const run = (...words: string[]) => withEnvironment(environment, () => runTool(words));

async function newAccount(name: string): Promise<string> {
  const { account: accountId } = await writeAccount(openTable(), { name, now: new Date() });
  return accountId;
}

/** What must not be in the table without an organization. */
async function damage(account: string): Promise<void> {
  await openTable().putMany([{ ...layout.organizationLocation.key({ account, location: 'L-1' }), Id: 99 }]);
}

describe('a pass of the table', () => {
  test('of 50 TB costs 6.1 billion read units, $763', () => {
    expect(passCost({ bytes: TERABYTES_50 })).toEqual({ readUnits: 6_103_515_625, dollars: expect.closeTo(762.94, 2) });
    expect(costSentence({ items: 80_000_000_000, bytes: TERABYTES_50 })).toBe(
      'A pass of the table reads about 80,000,000,000 items, 50,000 GB: 6,103,515,625 read units, about $762.94 in ' +
        'us-east-1.',
    );
    expect(costSentence({ items: 3, bytes: 100 })).toContain('0.00 GB: 1 read units, less than $0.01');
  });

  test.each([['check'], ['account list --size'], ['account migrate'], ['events rebuild --since 2026-01-01']])(
    'by "%s" is made only after its cost is confirmed',
    async (command) => {
      const words = command.split(' ');
      process.env['BASE_URL'] = 'https://api.example.com';
      environment = { ...environment, BASE_URL: 'https://api.example.com' };
      const refused = await run(...words);
      expect([refused.code, refused.stderr, scans]).toEqual([
        1,
        expect.stringMatching(/^A pass .* about \$762\.94 in us-east-1\. .*Confirm with --yes\.\n$/),
        0,
      ]);
      const { code, stderr } = await run(...words, '--yes');
      expect([code, stderr]).toEqual([0, expect.stringContaining('$762.94')]);
      expect(scans).toBeGreaterThan(0);
    },
  );

  test('measures several accounts at once, and all of them for the same price', async () => {
    const [one, other] = [await newAccount('One'), await newAccount('Other')];
    await openTable().putMany([{ ...layout.tagName.key({ account: other, name: 'vip' }), Text: 'x'.repeat(1_000) }]);
    const shown = await run('account', 'show', one, other, '--size', '--yes', '--json');
    expect(scans).toBe(SEGMENTS);
    const sizes = JSON.parse(shown.stdout) as { AccountId: string; Items: number; Bytes: number }[];
    expect(sizes.map(({ AccountId }) => AccountId)).toEqual([one, other]);
    expect((sizes[1]?.Items ?? 0) - (sizes[0]?.Items ?? 0)).toBe(1);
    expect((sizes[1]?.Bytes ?? 0) - (sizes[0]?.Bytes ?? 0)).toBeGreaterThan(1_000);
    const listed = JSON.parse((await run('account', 'list', '--size', '--yes', '--json')).stdout) as typeof sizes;
    expect(scans).toBe(2 * SEGMENTS);
    for (const { AccountId, Items, Bytes } of sizes)
      expect(listed.find((each) => each.AccountId === AccountId)).toMatchObject({ Items, Bytes });
  });

  test('deletes several accounts in two passes, each by its name, and nothing of another', async () => {
    const gone = [await newAccount('Gone'), await newAccount('Also gone')];
    const stays = await newAccount('Stays');
    for (const account of gone)
      await openTable().update({ update: layout.account.key({ account }), set: { SuspendedAt: 1 } });
    const refused = await run('account', 'delete', ...gone, '--yes', 'Gone');
    expect([refused.code, scans]).toEqual([1, 0]);
    expect(refused.stderr).toMatch(/data of Also gone for good\. A pass .*\$762\.94.* second pass.*--yes "Also gone"/);
    const removed = await run('account', 'delete', ...gone, '--yes', 'Gone', '--yes', 'Also gone', '--json');
    expect(JSON.parse(removed.stdout)).toMatchObject([
      { AccountId: gone[0], Name: 'Gone', Keys: 0 },
      { AccountId: gone[1], Name: 'Also gone', Keys: 0 },
    ]);
    expect(scans).toBe(2 * SEGMENTS);
    const found: string[] = [];
    for await (const page of openScan()({ accounts: gone })) found.push(...page.map(({ SK }) => SK));
    expect(found).toEqual(['SEQUENCE', 'SEQUENCE']);
    expect(await openTable().get(layout.account.key({ account: stays }))).toBeDefined();
  });

  test('checks several accounts and no other, 20 at most', async () => {
    const accounts = [await newAccount('A'), await newAccount('B'), await newAccount('C')];
    for (const account of accounts) await damage(account);
    const [a = '', b = ''] = accounts;
    const { code, stdout } = await run('check', '--account', a, '--account', b, '--yes', '--json');
    const { Findings } = JSON.parse(stdout) as { Findings: { Account: string }[] };
    expect([code, Findings.map(({ Account }) => Account).sort()]).toEqual([1, [a, b].sort()]);
    expect(scans).toBe(SEGMENTS);
    const many = Array.from({ length: 21 }, (_, index) => ['--account', `x${index}`]).flat();
    expect(await run('check', ...many)).toMatchObject({ code: 2, stderr: 'Name at most 20 accounts at once.\n' });
    await run('check', '--account', accounts[2] ?? '', '--account', a, '--account', b, '--yes', '--repair');
  });

  test('that is interrupted goes on where it ended, with the file that it kept', async () => {
    const file = join(folder, 'check.json');
    const words = ['check', '--yes', '--resume', file];
    answered = 5;
    expect((await run(...words)).stderr).toContain('AWS refuses');
    expect(existsSync(file)).toBe(true);
    const other = await run(...words, '--repair');
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('is of a pass with another table')]);
    [scans, answered] = [0, Infinity];
    const { code, stderr } = await run(...words);
    expect([code, stderr]).toEqual([0, expect.stringContaining('0 open')]);
    // Five segments of one page each were read before.
    expect(scans).toBe(SEGMENTS - 5);
    expect(existsSync(file)).toBe(false);
  });
});

test('a pass that dies after any page hands over every item, none of them lost', async () => {
  const account = await newAccount('Long');
  const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
  const items = names.map((name) => ({ ...layout.tagName.key({ account, name }), Text: 'x'.repeat(120_000) }));
  await openTable().putMany(items);
  let state: PassState | undefined;
  const checkpoint: Checkpoint = {
    load: () => state,
    save: (saved) => void (state = structuredClone(saved)),
    clear: () => void (state = undefined),
  };
  const seen: string[] = [];
  const pass = (pages: number) =>
    passTable(openScan(), { accounts: [account], segments: 2, checkpoint }, (page) => {
      if (pages-- <= 0) throw new Error('killed');
      seen.push(...page.flatMap(({ PK, SK }) => (PK.endsWith('#TAGS') ? [SK] : [])));
      return page.length;
    });
  let deaths = 0;
  const ends = () =>
    pass(1).then(
      () => true,
      () => false,
    );
  while (!(await ends())) deaths++;
  expect(deaths).toBeGreaterThan(2);
  expect([...new Set(seen)].sort()).toEqual(names.toSorted());
});
