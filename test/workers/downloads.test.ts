import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import { openPartFiles } from '../../lib/files/downloads.ts';
import { randomHandle } from '../../lib/shared/random-handle.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import {
  type DownloadRecord,
  type NewDownload,
  downloadKey,
  findDownloadAt,
  newDownloadChanges,
} from '../../lib/store/downloads.ts';
import type { PatientTable } from '../../lib/store/dynamodb/client.ts';
import { invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { type Key, layout } from '../../lib/store/keys.ts';
import { DownloadFile, type FileProgress } from '../../lib/workflows/downloads/download-file.ts';
import { downloadFile } from '../../lib/workflows/downloads/file-names.ts';
import { makeDownload } from '../../lib/workflows/downloads/make-download.ts';
import { contactItem } from '../support/contact-items.ts';
import { type Death, loadContacts, mortal, workerTable } from '../support/downloads.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoiceOver } from '../support/invoices.ts';
import { testStack } from '../support/stack/stack.ts';

/** Rows of the download that is killed; `npm run prove -- downloads` has 100,000. */
const ROWS = Number(process.env['DOWNLOAD_ROWS'] ?? 600);
const KILLS = 10;
/** Milliseconds between the changes of others. */
const CHANGE_EVERY = 5;

const stackFiles = (deadline = Date.now() + MINUTE) => {
  const { Bucket: bucket, AwsEndpoint: endpoint } = testStack();
  return openPartFiles({ bucket, endpoint, deadline });
};

/** An account of its own in an engine of its own, which has no stream: only the test changes anything. */
const ACCOUNT = 'downloads';
let engine: TestTable;
let table: PatientTable;

beforeAll(async () => {
  engine = await startTable({ stream: false });
  table = workerTable(engine);
  await loadContacts(engine, ACCOUNT, ROWS);
}, 120_000);

afterAll(() => engine.stop());

/** A download that no message is for: the test is its worker. */
async function putDownload(changed: Partial<NewDownload> = {}) {
  const Id = randomHandle(22);
  const input: NewDownload = {
    Id,
    Account: ACCOUNT,
    Kind: 'contacts',
    Format: 'csv',
    Filter: { spans: {}, settings: {}, organizationId: null, agentId: null },
    FirstId: 1,
    UserId: null,
    Key: 'test',
    Slot: 0,
    WithTaxpayer: false,
    ...changed,
  };
  await table.commit(newDownloadChanges(input, undefined, new Date()));
  return downloadKey(input.Account, Id);
}

async function filesOf(download: DownloadRecord): Promise<{ plain: Buffer; gzip: Buffer }> {
  const { plain, gzip } = downloadFile(download);
  const [bytes, compressed] = await Promise.all([plain, gzip].map((key) => stackFiles().get(key)));
  return { plain: Buffer.from(bytes ?? []), gzip: Buffer.from(compressed ?? []) };
}

const idsIn = (text: Buffer): number[] =>
  (parse(text, { columns: true }) as { Id: string }[]).map(({ Id }) => Number(Id));

/** What may end differently: records that are made, changed and deleted while the download runs. */
const isVolatile = (id: number): boolean => id % 7 === 0;

/** Makes, changes and deletes records until it is stopped. */
function changeRecords() {
  const stop = new AbortController();
  let next = ROWS;
  const volatile = () => 7 * (1 + Math.floor(Math.random() * Math.floor(ROWS / 7)));
  const changing = (async () => {
    while (!stop.signal.aborted) {
      const [changed, deleted] = [volatile(), volatile()];
      const removals = changed === deleted ? [] : [layout.contact.key({ account: ACCOUNT, id: deleted })];
      await table.putMany(
        [contactItem(ACCOUNT, ++next), contactItem(ACCOUNT, changed, { Name: '=changed' })],
        removals,
      );
      await pause(CHANGE_EVERY);
    }
  })();
  return async () => {
    stop.abort();
    await changing;
    return next - ROWS;
  };
}

test(`a worker killed ${KILLS} times at random, while records change, has every row exactly once, in order`, async () => {
  const key = await putDownload();
  const stopChanges = changeRecords();
  let [now, killed, records, done] = [Date.now(), 0, 0, 0];
  for (;;) {
    // Evenly over the download, so that each run dies before it is done.
    const operations = Math.floor((Math.random() * 2 * (ROWS - done)) / 100 / (KILLS - killed + 1));
    const isMortal = killed < KILLS;
    const death: Death = { remaining: isMortal ? operations : Infinity, isBehind: Math.random() < 0.5 };
    const deadline = Math.max(now, Date.now()) + 10 * MINUTE;
    const options = { now: new Date(now), deadline, checkpointEvery: 20 };
    const making = await makeDownload(key, {
      ...options,
      table: mortal(table, death),
      files: mortal(stackFiles(deadline), death),
    }).catch((error: unknown) => ({ kind: 'unfinished' as const, error }));
    const stored = await findDownloadAt(table, key);
    expect(stored?.Progress?.Records ?? 0, 'Records never falls').toBeGreaterThanOrEqual(records);
    [records, done] = [stored?.Progress?.Records ?? 0, stored?.Progress?.Position ?? 0];
    if (making.kind === 'done') break;
    expect(killed++, 'a run that nothing kills is done').toBeLessThan(KILLS);
    // A dead run has the download until its end.
    if (stored && stored.LeaseUntil > now)
      expect(await makeDownload(key, { ...options, table, files: stackFiles() })).toEqual({ kind: 'busy' });
    now = Math.max(now, stored?.LeaseUntil ?? 0) + MINUTE;
  }
  const changes = await stopChanges();
  expect([killed, changes > 0]).toEqual([KILLS, true]);
  const download = (await findDownloadAt(table, key)) as DownloadRecord;
  const { plain, gzip } = await filesOf(download);
  const ids = idsIn(plain);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(new Set(ids).size).toBe(ids.length);
  const stable = Array.from({ length: ROWS }, (_, index) => index + 1).filter((id) => !isVolatile(id));
  expect(ids.filter((id) => id <= ROWS && !isVolatile(id))).toEqual(stable);
  expect(download).toMatchObject({
    State: 'Ready',
    Sha256: createHash('sha256').update(plain).digest('hex'),
    Progress: { Records: ids.length, Bytes: plain.length },
  });
  expect(gunzipSync(gzip).equals(plain)).toBe(true);
  if (ROWS > 10_000)
    process.stdout.write(
      `${ids.length} rows, ${plain.length} bytes after ${killed} kills and ${changes} rounds of changes\n`,
    );
});

/** Makes a download whose runs nobody kills, and returns the ids of its rows. */
async function makeIds(key: Key, on: PatientTable): Promise<number[]> {
  const deadline = Date.now() + MINUTE;
  const index = { maxReadIds: 0, settleMilliseconds: 0 };
  expect(await makeDownload(key, { table: on, files: stackFiles(), now: new Date(), deadline, index })).toEqual({
    kind: 'done',
  });
  return idsIn((await filesOf((await findDownloadAt(on, key)) as DownloadRecord)).plain);
}

test('one organization of a large account: new records are in before the index shows them, moved ones stay in', async () => {
  const account = 'large';
  const now = new Date();
  const put = async (before: InvoiceRecord | undefined, after: InvoiceRecord) =>
    table.commit(invoiceChanges(account, { before, after, now }).changes);
  const invoices = [1, 2, 3, 4, 5, 6, 7].map((Id) => ({
    ...invoiceOver(100, { Id, OrganizationId: Id === 6 ? 2 : 1, ContactId: 1 }),
    Created: Id === 7 ? now.getTime() : now.getTime() - 2 * HOUR,
    Date: Date.UTC(2026, 2, Id),
  }));
  for (const invoice of invoices) await put(undefined, invoice);
  await table.update({ update: layout.lease.key({ account, kind: 'Invoice' }), add: { Last: 20 } });
  let pages = 0;
  const behind: PatientTable = {
    ...table,
    // Pages of two; the index does not show invoice 7 yet, and invoice 5 moves behind the reader.
    async query(range) {
      const page = await table.query(range.index === 'GSI2' ? { ...range, limit: 2 } : range);
      const [, , , , fifth] = invoices;
      if (pages++ === 0 && fifth) await put({ ...fifth, V: 1 }, { ...fifth, V: 1, Date: 0 });
      return { ...page, items: page.items.filter((item) => !JSON.stringify(item).includes('0000000007')) };
    },
  };
  const filter = { spans: {}, settings: {}, organizationId: 1, agentId: null };
  const key = await putDownload({ Account: account, Kind: 'invoices', Filter: filter });
  expect(await makeIds(key, behind)).toEqual([1, 2, 3, 4, 5, 7]);
  expect(pages).toBeGreaterThan(2);
});

test('a file of several parts that many runs write is the same as by one, with its SHA-256, compressed too', async () => {
  const file = {
    prefix: 'parts/',
    filename: 'a.csv',
    contentType: 'text/csv',
    plain: 'parts/a.csv',
    gzip: 'parts/a.gz',
  };
  const line = randomBytes(96 * 1024).toString('base64');
  const texts = Array.from({ length: 110 }, (_, index) => `${index},é${line}\r\n`);
  let progress: FileProgress | undefined;
  for (let next = 0, run = 1; next < texts.length; run++) {
    const writer = await DownloadFile.open(stackFiles(), file, progress);
    for (const text of texts.slice(next, next + 30)) await writer.write(text);
    progress = await writer.checkpoint(run);
    // The process dies behind its checkpoint: what it has written since, parts included, counts for nothing.
    for (const text of texts.slice(0, run * 20)) await writer.write(text);
    next += 30;
  }
  const writer = await DownloadFile.open(stackFiles(), file, progress);
  await writer.flush();
  const { Bytes, Sha256 } = await writer.finish();
  const whole = Buffer.from(texts.join(''));
  const [plain, gzip] = await Promise.all([file.plain, file.gzip].map((key) => stackFiles().get(key)));
  expect(progress?.Plain.Tags.length).toBeGreaterThan(1);
  expect(Buffer.compare(Buffer.from(plain ?? []), whole)).toBe(0);
  expect(Buffer.compare(gunzipSync(gzip ?? new Uint8Array()), whole)).toBe(0);
  expect([Bytes, Sha256]).toEqual([whole.length, createHash('sha256').update(whole).digest('hex')]);
});
