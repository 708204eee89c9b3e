import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openPartFiles } from '../../lib/files/downloads.ts';
import { randomHandle } from '../../lib/shared/random-handle.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import {
  type DownloadRecord,
  type NewDownload,
  downloadKey,
  findDownloadAt,
  newDownloadChanges,
} from '../../lib/store/downloads.ts';
import { layout } from '../../lib/store/keys.ts';
import { downloadFile } from '../../lib/workflows/downloads/file-names.ts';
import { makeDownload } from '../../lib/workflows/downloads/make-download.ts';
import { contactItem } from '../support/contact-items.ts';
import { type Death, mortal, putContacts, workerTable } from '../support/downloads.ts';
import { type TestAccount, testAccount, testStack, testTable } from '../support/stack/stack.ts';

/** Rows of the download that is killed; `npm run prove -- downloads` has 100,000. */
const ROWS = Number(process.env['DOWNLOAD_ROWS'] ?? 600);
const KILLS = 10;

const stackFiles = (deadline = Date.now() + MINUTE) => {
  const { Bucket: bucket, AwsEndpoint: endpoint } = testStack();
  return openPartFiles({ bucket, endpoint, deadline });
};

/** A download that no message is for: the test is its worker. */
async function putDownload({ accountId }: TestAccount, changed: Partial<NewDownload> = {}) {
  const Id = randomHandle(22);
  const input: NewDownload = {
    Id,
    Account: accountId,
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
  const changes = newDownloadChanges(input, undefined, new Date()).map((change) => {
    if ('put' in change) delete change.put['Queue'];
    return change;
  });
  await testTable().commit(changes);
  return downloadKey(accountId, Id);
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

test(`a worker killed ${KILLS} times at random, while records change, has every row exactly once, in order`, async () => {
  const account = await testAccount();
  await putContacts(account.accountId, ROWS);
  const key = await putDownload(account);
  const table = workerTable();
  let [now, killed, records, next] = [Date.now(), 0, 0, ROWS + 1];
  for (;;) {
    const isMortal = killed < KILLS;
    const death: Death = {
      remaining: isMortal ? Math.floor(Math.random() * (ROWS / 100) * 1.5) : Infinity,
      isBehind: Math.random() < 0.5,
    };
    const options = { now: new Date(now), deadline: now + MINUTE, checkpointEvery: ROWS > 10_000 ? 200 : 20 };
    const making = await makeDownload(key, {
      ...options,
      table: mortal(table, death),
      files: mortal(stackFiles(options.deadline), death),
    }).catch((error: unknown) => ({ kind: 'unfinished' as const, error }));
    const stored = await findDownloadAt(table, key);
    expect(stored?.Progress?.Records ?? 0, 'Records never falls').toBeGreaterThanOrEqual(records);
    records = stored?.Progress?.Records ?? 0;
    if (making.kind === 'done') break;
    expect(killed++, 'a run that nothing kills is done').toBeLessThan(KILLS);
    // A dead run has the download until its end.
    if (stored && stored.LeaseUntil > now)
      expect(await makeDownload(key, { ...options, table, files: stackFiles() })).toEqual({ kind: 'busy' });
    now += 2 * MINUTE;
    const changed = 7 * (killed + 1);
    await table.putMany(
      [contactItem(account.accountId, next++), contactItem(account.accountId, changed, { Name: '=changed' })],
      [layout.contact.key({ account: account.accountId, id: changed + 7 * KILLS })],
    );
  }
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
});
