import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { downloadCommand } from '../../../infra/cli/commands/download.ts';
import { DAY } from '../../../lib/shared/time/time.ts';
import { parseKey } from '../../../lib/store/requests/api-keys.ts';
import { downloadKey } from '../../../lib/store/downloads.ts';
import { layout } from '../../../lib/store/keys.ts';
import { type FileOptions, makeDownload } from '../../support/download-files.ts';
import { expectFailure } from '../../support/failed.ts';
import { type TestAccount, call, testAccount, testStack, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;

const makeFile = (body: object, options: FileOptions = {}) => makeDownload(account, body, options);

const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

beforeAll(async () => {
  account = await testAccount({ organizationName: 'Springfield' });
  const Matches = ['José García', '=1+1', 'Ann, "the" Lee', 'Bo'].map((Name, index) => ({
    Name,
    Email: index === 3 ? '' : `contact${index}@example.com`,
    Phone: `(217) 555-010${index}`,
    Tags: index < 2 ? ['VIP'] : [],
  }));
  await account.call('contacts/addupdate', { Matches });
});

describe('a download', () => {
  test('has every contact once, in the order of ids, as CSV that no spreadsheet runs', async () => {
    const { answer, response, text } = await makeFile({ Kind: 'contacts' });
    const rows = rowsOf(text);
    expect(rows.map(({ Id }) => Number(Id))).toEqual([1, 2, 3, 4]);
    expect(rows.map(({ Name }) => Name)).toEqual(['José García', "'=1+1", 'Ann, "the" Lee', 'Bo']);
    expect(rows[0]).toMatchObject({ Organization: 'Springfield', Email: 'contact0@example.com', Tags: 'VIP' });
    expect(answer).toMatchObject({
      Format: 'csv',
      Records: 4,
      Bytes: Buffer.byteLength(text),
      Sha256: createHash('sha256').update(text).digest('hex'),
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d.csv"$/,
    );
  });

  test('begins at RowId, applies the settings of its kind alone, and accepts the prefix branding-', async () => {
    const body = { Kind: 'branding-Contacts', RowId: 2, Contacts: { WithEmails: true }, Invoices: { Paid: true } };
    const { text } = await makeFile(body);
    expect(rowsOf(text).map(({ Id }) => Number(Id))).toEqual([2, 3]);
  });

  test('is an object of JSON a line where asked, with texts as they are', async () => {
    const { answer, text } = await makeFile(
      { Kind: 'contacts', Contacts: { Tags: 'vip' } },
      { query: '?format=jsonl' },
    );
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([answer['Format'], rows.map(({ Name }) => Name)]).toEqual(['jsonl', ['José García', '=1+1']]);
    const other = await account.call('download/getdownload?format=csv', { DownloadId: answer['DownloadId'] });
    expectFailure(other, 400);
  });

  test('is 303 to the file for Accept: text/csv, compressed for a caller who reads that', async () => {
    const { DownloadId, text } = await makeFile({ Kind: 'contacts' });
    for (const encoding of ['gzip', 'identity']) {
      const response = await fetch(`${testStack().BaseUrl}/api/download/getdownload`, {
        method: 'POST',
        headers: { 'x-api-key': account.key, accept: 'text/csv', 'accept-encoding': encoding },
        body: JSON.stringify({ DownloadId }),
        redirect: 'manual',
      });
      expect(response.status).toBe(303);
      const { Url } = (await response.json()) as { Url: string };
      expect(Url).toBe(response.headers.get('location'));
      const file = await fetch(response.headers.get('location') ?? '');
      expect(file.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(await file.text()).toBe(text);
    }
  });

  test('has an address of the plain file for whoever opens it, and of a compressed one with ?gzip=1', async () => {
    const { DownloadId, text } = await makeFile({ Kind: 'contacts' });
    for (const [query, encoding] of [
      ['', null],
      ['?gzip=1', 'gzip'],
    ] as const) {
      const { body } = await account.call(`download/getdownload${query}`, { DownloadId });
      const file = await fetch(String(body['Url']));
      expect(file.headers.get('content-encoding')).toBe(encoding);
      expect(await file.text()).toBe(text);
    }
  });

  test('begins with a byte order mark where Excel is to open it', async () => {
    const { answer, text } = await makeFile({ Kind: 'contacts' }, { query: '?bom=1' });
    const plain = await makeFile({ Kind: 'contacts' });
    expect(Number(answer['Bytes'])).toBe(Number(plain.answer['Bytes']) + 3);
    // `text()` leaves it out.
    const bytes = Buffer.from(await (await fetch(String(answer['Url']))).arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect([text, bytes.length]).toEqual([plain.text, answer['Bytes']]);
    expectFailure(await account.call('download/startdownload?format=jsonl&bom=1', { Kind: 'contacts' }), 400);
  });

  test('of one organization has no rows of others; TaxpayerID is for Owner and Admin', async () => {
    await account.call('organizations/create', { Name: 'Shelbyville', TaxpayerID: '12-345' });
    const bound = await account.newKey({ role: 'DataSubscriber', organizationId: 2 });
    const contacts = await makeFile({ Kind: 'contacts' }, { key: bound });
    expect(rowsOf(contacts.text)).toEqual([]);
    const subscriber = await account.newKey({ role: 'DataSubscriber' });
    const ofSubscriber = await makeFile({ Kind: 'organizations' }, { group: 'datasubscriber', key: subscriber });
    const ofOwner = await makeFile({ Kind: 'organizations' }, { group: 'datasubscriber' });
    const taxpayers = [ofSubscriber, ofOwner].map(({ text }) => rowsOf(text).map(({ TaxpayerID }) => TaxpayerID));
    expect(taxpayers).toEqual([
      ['', ''],
      ['', '12-345'],
    ]);
    for (const [key, id] of [
      [bound, contacts.DownloadId],
      [subscriber, ofOwner.DownloadId],
    ] as const)
      expectFailure(await call('datasubscriber/getdownload', { DownloadId: id }, { key }), key === bound ? 403 : 404);
  });
});

describe('a request', () => {
  test.each([
    [{ Kind: 'contact' }, 400],
    [{ Kind: 'contacts', CompletedBefore: '2026-03-08' }, 400],
    [{ Kind: 'contacts', CreatedFrom: 'soon' }, 400],
    [{ Kind: 'invoices', DateFrom: '2026-03-09', DateThrough: '2026-03-08' }, 400],
    [{ Kind: 'contacts', UserId: 999 }, 404],
    [{ Kind: 'contacts', OrganizationId: 999 }, 404],
  ])('%j is %i and starts nothing', async (body, status) =>
    expectFailure(await account.call('datasubscriber/startdownload', body), status),
  );

  test('for a download that failed or expired says so, and one before it is ready is 409', async () => {
    const { DownloadId } = await makeFile({ Kind: 'contacts' }, { group: 'datasubscriber' });
    const key = downloadKey({ account: account.accountId }, DownloadId as string);
    const answers = async (set: Record<string, unknown>) => {
      await testTable().update({ update: key, set });
      const names = ['downloadstatus', 'getdownload'];
      const found = await Promise.all(names.map((name) => account.call(`download/${name}`, { DownloadId })));
      return found.map(({ body }) => [body['Code'] ?? '', body['Message']]);
    };
    expect(await answers({ State: 'Running' })).toEqual([
      ['', ''],
      ['not_ready', expect.stringContaining('is not ready') as string],
    ]);
    const failed = ['download_failed', expect.stringContaining('No disk.') as string];
    expect(await answers({ State: 'Failed', Failure: 'No disk.' })).toEqual([failed, failed]);
    const expired = ['not_found', expect.stringContaining('has expired') as string];
    expect(await answers({ State: 'Ready', ReadyAt: Date.now() - 8 * DAY })).toEqual([expired, expired]);
  });

  test('of a key with 100 downloads that are not ready is 429', async () => {
    const key = await account.newKey({ role: 'Owner' });
    const owner = { account: account.accountId, key: parseKey(key)?.publicPart ?? '' };
    const Until = Date.now() + DAY;
    await testTable().putMany(
      Array.from({ length: 100 }, (_, slot) => ({
        ...layout.downloadSlot.key({ ...owner, slot }),
        Download: `other${slot}`,
        Until,
      })),
    );
    const refused = await call('datasubscriber/startdownload', { Kind: 'parts' }, { key });
    expectFailure(refused, 429);
    expect([refused.body['Code'], refused.headers.get('retry-after')]).toEqual(['too_many_downloads', '30']);
  });
});

describe('fs download', () => {
  let folder: string;
  let out: string;
  let proxy: Server;
  /** The Range of each request for the file. */
  let ranges: (string | undefined)[];
  /** How many bytes of the next answers arrive before the connection breaks; 500 for each 0, and all beyond them. */
  let cuts: number[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'download-'));
    const { AwsEndpoint, BaseUrl, DynamoDBEndpoint, TableName, Region, Bucket } = testStack();
    proxy = createServer((request, response) => {
      const { range } = request.headers;
      ranges.push(range);
      const cut = cuts.shift();
      if (cut === 0) return void response.writeHead(500).end();
      void (async () => {
        const answer = await fetch(`${AwsEndpoint}${request.url}`, { headers: range ? { range } : {} });
        const bytes = Buffer.from(await answer.arrayBuffer());
        response.writeHead(answer.status, { 'content-length': bytes.length });
        if (cut === undefined) response.end(bytes);
        else response.write(bytes.subarray(0, cut), () => setTimeout(() => response.destroy(), 50));
      })();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const stack = { BaseUrl, DynamoDBEndpoint, TableName, Region, Bucket, AccountId: account.accountId };
    await writeFile(join(folder, 'local.json'), JSON.stringify({ ...stack, AwsEndpoint: `http://127.0.0.1:${port}` }));
    out = join(folder, 'contacts.csv');
  });
  beforeEach(() => {
    [ranges, cuts] = [[], []];
    vi.stubEnv('FS_DATA', folder);
    for (const name of ['AWS_ENDPOINT_URL_S3', 'BUCKET_NAME', 'BASE_URL']) vi.stubEnv(name, '');
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    for (const end of ['', '.part', '.part.json']) await rm(`${out}${end}`, { force: true });
  });
  afterAll(async () => {
    proxy.close();
    await rm(folder, { recursive: true });
  });

  const download = (...more: string[]) => {
    const program = new Command();
    downloadCommand(program);
    return program.parseAsync(['download', 'contacts', '--out', out, ...more], { from: 'user' });
  };
  /** The first 100 bytes of the file are there, and then the bucket fails. */
  async function interrupt(...more: string[]): Promise<void> {
    cuts = [100, 0];
    await expect(download(...more)).rejects.toThrow('Run the command again to continue');
    expect((await readFile(`${out}.part`)).length).toBe(100);
    ranges = [];
  }

  test('continues by Range where a connection broke, and where a former command ended', async () => {
    const { text } = await makeFile({ Kind: 'contacts' }, { group: 'datasubscriber' });
    cuts = [100];
    await download();
    expect([ranges, await readFile(out, 'utf8')]).toEqual([['bytes=0-', 'bytes=100-'], text]);
    await rm(out);
    await interrupt();
    await download();
    expect([ranges, await readFile(out, 'utf8')]).toEqual([['bytes=100-'], text]);
    await expect(readFile(`${out}.part.json`)).rejects.toThrow('ENOENT');
  });

  test('glues no different files together: another request starts a new file, other bytes are refused', async () => {
    await interrupt();
    await download('--row-id', '3');
    expect(ranges).toEqual(['bytes=0-']);
    expect(rowsOf(await readFile(out, 'utf8')).map(({ Id }) => Id)).toEqual(['3', '4']);
    await rm(out);
    await interrupt();
    await writeFile(`${out}.part`, 'x'.repeat(100));
    await expect(download()).rejects.toThrow('differs from its SHA-256');
    await download();
    expect(rowsOf(await readFile(out, 'utf8')).map(({ Id }) => Id)).toEqual(['1', '2', '3', '4']);
  });
});
