import { ProposalStatus } from '../../lib/entities/proposal-status.ts';
import { partEntity } from '../../lib/entities/parts.ts';
import { serviceEntity } from '../../lib/entities/services.ts';
import { type InvoiceRecord, INVOICE_STATUSES, InvoiceType } from '../../lib/entities/invoices.ts';
import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import type { ContactRecord } from '../../lib/entities/contacts.ts';
import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startdownload } from '../../functions/datasubscriber/startdownload.ts';
import { named } from '../../lib/api/group.ts';
import { validRequest } from '../../lib/api/perform.ts';
import { Status, blankAppointment } from '../../lib/domain/appointments/record.ts';
import { DOWNLOAD_KINDS } from '../../lib/domain/downloads/kind.ts';
import { blankOrganization } from '../../lib/domain/organizations.ts';
import { blankPayment } from '../../lib/domain/payments.ts';
import { blankLine as proposalLine, blankProposal } from '../../lib/domain/proposals/record.ts';
import type { StartDownloadInput } from '../../lib/resources/downloads.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { retryOnConflict } from '../../lib/store/dynamodb/errors.ts';
import { partKey } from '../../lib/store/pricebook/parts.ts';
import type { IndexOptions } from '../../lib/workflows/downloads/download-pages.ts';
import { startDownload } from '../../lib/workflows/downloads/start-download.ts';
import { putSettings } from '../support/settings.ts';
import { openPartFiles } from '../../lib/files/downloads.ts';
import { randomHandle } from '../../lib/store/dynamodb/records.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import {
  type DownloadRecord,
  type NewDownload,
  downloadKey,
  findDownloadAt,
  newDownloadChanges,
} from '../../lib/store/downloads.ts';
import type { PatientTable, TableWriter } from '../../lib/store/dynamodb/table.ts';
import { invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { indexEntries } from '../../lib/store/contacts/contact-index.ts';
import { type Key, layout, accountOfKey } from '../../lib/store/keys.ts';
import { DownloadFile, type FileProgress } from '../../lib/workflows/downloads/download-file.ts';
import { downloadFile } from '../../lib/workflows/downloads/file-names.ts';
import { makeDownload } from '../../lib/workflows/downloads/make-download.ts';
import { contactItem } from '../support/contact-items.ts';
import { type Death, loadContacts, mortal, workerTable } from '../support/downloads.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoiceOver } from '../support/invoices.ts';
import { testStack } from '../support/stack/stack.ts';
import { callerContext } from '../../lib/workflows/context.ts';
import { accountStore } from '../../lib/store/store.ts';

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
});

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
  return downloadKey({ account: input.Account }, Id);
}

async function filesOf(download: DownloadRecord): Promise<{ plain: Buffer; gzip: Buffer }> {
  const { plain, gzip } = downloadFile(download);
  const [bytes, compressed] = await Promise.all([plain, gzip].map((key) => stackFiles().get(key)));
  return { plain: Buffer.from(bytes ?? []), gzip: Buffer.from(compressed ?? []) };
}

const GZIP_HEADER_BYTES = 10;

/** What browsers, wget and httpx read of a compressed file: its first stream. `gunzipSync` checks the sums, too. */
function decompressed(gzip: Uint8Array): Buffer {
  gunzipSync(gzip);
  return inflateRawSync(gzip.subarray(GZIP_HEADER_BYTES));
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

/** The store of the account that a key is of. */
const storeOfKey = (on: TableWriter, key: Key) => accountStore(on, accountOfKey(key) ?? '');

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
      store: storeOfKey(mortal(table, death), key),
      files: mortal(stackFiles(deadline), death),
    }).catch((error: unknown) => ({ kind: 'unfinished' as const, error }));
    const stored = await findDownloadAt(storeOfKey(table, key), key);
    expect(stored?.Progress?.Records ?? 0, 'Records never falls').toBeGreaterThanOrEqual(records);
    [records, done] = [stored?.Progress?.Records ?? 0, stored?.Progress?.Position ?? 0];
    if (making.kind === 'done') break;
    expect(killed++, 'a run that nothing kills is done').toBeLessThan(KILLS);
    // A dead run has the download until its end.
    if (stored && stored.LeaseUntil > now)
      expect(await makeDownload(key, { ...options, store: storeOfKey(table, key), files: stackFiles() })).toEqual({
        kind: 'busy',
      });
    now = Math.max(now, stored?.LeaseUntil ?? 0) + MINUTE;
  }
  const changes = await stopChanges();
  expect([killed, changes > 0]).toEqual([KILLS, true]);
  const download = (await findDownloadAt(storeOfKey(table, key), key)) as DownloadRecord;
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
  expect(decompressed(gzip).equals(plain)).toBe(true);
  if (ROWS > 10_000)
    process.stdout.write(
      `${ids.length} rows, ${plain.length} bytes after ${killed} kills and ${changes} rounds of changes\n`,
    );
});

/** Makes a download whose runs nobody kills, and returns its text. */
async function makeText(key: Key, on = table, index: IndexOptions = {}): Promise<Buffer> {
  const deadline = Date.now() + MINUTE;
  const store = storeOfKey(on, key);
  const options = { store, files: stackFiles(), now: new Date(), deadline, index };
  expect(await makeDownload(key, options)).toEqual({ kind: 'done' });
  return (await filesOf((await findDownloadAt(store, key)) as DownloadRecord)).plain;
}

test('one organization of a large account: new records are in before the index shows them, moved ones stay in', async () => {
  const account = 'large';
  const now = new Date();
  const put = async (before: InvoiceRecord | undefined, after: InvoiceRecord) =>
    table.commit(invoiceChanges({ account }, { before, after, now }).changes);
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
  const text = await makeText(key, behind, { maxReadIds: 0, settleMilliseconds: 0 });
  expect(idsIn(text)).toEqual([1, 2, 3, 4, 5, 7]);
  expect(pages).toBeGreaterThan(2);
});

test('contacts of one organization of a large account come from its own list', async () => {
  const account = 'listed';
  const contacts = [1, 2, 1].map((OrganizationId, index) => contactItem(account, index + 1, { OrganizationId }));
  await table.putMany(
    contacts.flatMap((item) => [item, ...indexEntries({ account }, item as unknown as ContactRecord)]),
  );
  await table.update({ update: layout.lease.key({ account, kind: 'Contact' }), add: { Last: 20 } });
  const filter = { spans: {}, settings: {}, organizationId: 1, agentId: null };
  const key = await putDownload({ Account: account, Filter: filter });
  expect(idsIn(await makeText(key, table, { maxReadIds: 0 }))).toEqual([1, 3]);
});

test('a file of several parts that many runs write is the same as by one, with its SHA-256, and one gzip stream', async () => {
  const file = {
    prefix: 'parts/',
    filename: 'a.csv',
    contentType: 'text/csv',
    plain: 'parts/a.csv',
    gzip: 'parts/a.gz',
  };
  const line = randomBytes(96 * 1024).toString('base64');
  const texts = Array.from({ length: 72 }, (_, index) => `${index},é${line}\r\n`);
  const RUN = 24;
  let progress: FileProgress | undefined;
  for (let first = 0; first < texts.length; first += RUN) {
    const run = await DownloadFile.open(stackFiles(), file, progress);
    const written = texts.slice(first, first + RUN);
    for (const text of written) await run.write(text);
    progress = await run.checkpoint(first);
    // The process dies behind its checkpoint: what it has written since, a part included, counts for nothing.
    if (first === 0) for (const text of written) await run.write(text);
  }
  const ending = await DownloadFile.open(stackFiles(), file, progress);
  await ending.end();
  // The process dies behind the checkpoint of the end, and the next one only completes.
  const writer = await DownloadFile.open(stackFiles(), file, await ending.checkpoint(texts.length));
  await writer.end();
  const { Bytes, Sha256 } = await writer.finish();
  const whole = Buffer.from(texts.join(''));
  const [plain, gzip] = await Promise.all([file.plain, file.gzip].map((key) => stackFiles().get(key)));
  expect(progress).toMatchObject({
    Plain: { Tags: { length: 1 } },
    Gzip: { Tags: { length: 1 } },
    Tail: expect.stringContaining('tail') as string,
  });
  expect(Buffer.compare(Buffer.from(plain ?? []), whole)).toBe(0);
  expect(Buffer.compare(decompressed(gzip ?? new Uint8Array()), whole)).toBe(0);
  expect([Bytes, Sha256]).toEqual([whole.length, createHash('sha256').update(whole).digest('hex')]);
});

describe('the settings of a kind select what docs/downloads.md says', () => {
  const account = 'settings';
  const at = (day: number) => Date.UTC(2026, 2, day, 15);
  const on = (day: number) => new Date(at(day)).toISOString();
  const of = (Id: number) => ({ Id, OrganizationId: Id === 9 ? 2 : 1, ContactId: Math.min(Id, 4), Zone: 'UTC' });
  /** Records 1 to `count` of organization 1 as a list of them says, and record 9 of organization 2, suspended. */
  const records = <Changed>(changes: readonly Changed[]) =>
    [...changes.map((changed, index) => ({ ...of(index + 1), ...changed })), of(9)].map((each) => ({
      ...each,
      Created: at(each.Id),
      Updated: at(each.Id + 10),
    }));

  beforeAll(async () => {
    const put =
      <Value extends { readonly Id: number }>(keyOf: (values: { account: string; id: number }) => Key) =>
      (value: Value) =>
        ({ ...keyOf({ account, id: value.Id }), ...value }) as unknown as Item;
    const person = { Tags: [], Zip: '62701', TerritoryID: 'T1' };
    const tag = (Name: string) => ({ Id: 1, Name });
    const contacts = [
      { ...person, Tags: [tag('VIP'), tag('Gold')] },
      { ...person, Email: '', CustomFields: [{ Id: 1, Value: 'blue' }] },
      { ...person, Tags: [tag('vip')], ManagedByContactId: 1 },
      { ...person, AccountingClass: { Id: 1, AccountingClass: 'North', TerritoryID: 'T1' } },
    ];
    const appointments = [
      { Status: Status.Queued, QueueDate: '2026-03-01', CustomProperties: { Gate: '12' } },
      { Status: Status.Scheduled, Start: at(2), ServiceAgentId: 1 },
      { Status: Status.Started, Start: at(3) },
      { Status: Status.Completed, Start: at(4), ActualFinish: at(5) },
      { Status: Status.Canceled, Start: at(6) },
      { Status: Status.Tentative, Start: at(7) },
    ];
    const invoices = ['Unapproved', 'Open', 'Paid', 'Voided'].map((name, index) => ({
      Status: INVOICE_STATUSES.indexOf(name as 'Open'),
      InvoiceType: index === 2 ? InvoiceType.Deposit : InvoiceType.Standard,
      Date: at(index + 1),
    }));
    const proposals = [
      { Status: ProposalStatus.Internal, CustomFields: [{ Id: 2, Value: 7 }] },
      { Status: ProposalStatus.Open, ExpiresAt: Date.now() + HOUR, Lines: [proposalLine({ Id: 1 })] },
      { Status: ProposalStatus.Accepted, AcceptedAt: at(3), Options: [{ Id: 1, Name: 'Best', Selected: true }] },
      { Status: ProposalStatus.Accepted, AcceptedAt: at(5), BundleWithProposalId: 3 },
      { Status: ProposalStatus.Open, ExpiresAt: at(1) },
    ];
    const organizations = [1, 2].map((Id) =>
      blankOrganization({
        Id,
        PublicName: Id === 1 ? 'Springfield' : 'Closed',
        Suspended: Id === 2,
        Timezone: 'UTC',
        Created: at(1),
        CustomFields: [{ Id: 3, Value: 'East' }],
      }),
    );
    const owner = { AccountId: account, Name: 'Test', CreatedAt: at(1), DefaultOrganizationId: 1, Organizations: 2 };
    const lasts = ['Contact', 'Appointment', 'Invoice', 'Proposal', 'Payment', 'Service', 'Organization', 'Part'];
    const forecast = (organization: number) => ({
      ...layout.forecast.key({ account, organization }),
      OrganizationId: organization,
      Forecasts: [2025, 2026].map((Year) => ({ Year, Month: 1, Target: 1_000 })),
    });
    await table.putMany([
      { ...layout.account.key({ account }), ...owner },
      ...lasts.map((kind) => ({ ...layout.lease.key({ account, kind }), Last: 20 })),
      ...organizations.map(put(layout.organization.key)),
      ...records(contacts).map((each) => contactItem(account, each.Id, each as Partial<ContactRecord>)),
      ...records(appointments)
        .map((each) => blankAppointment({ ...each, HashKey: '' }))
        .map(put(layout.appointment.key)),
      ...records(invoices)
        .map(({ Id, ...each }) => invoiceOver(100, { Id, ...(each as Partial<InvoiceRecord>) }))
        .map(put(layout.invoice.key)),
      ...records(proposals)
        .map((each) =>
          blankProposal({
            Date: `2026-03-0${each.Id}`,
            ...(each as Partial<ProposalRecord>),
            ...of(each.Id),
            Created: each.Created,
          }),
        )
        .map(put(layout.proposal.key)),
      ...records([{}, {}])
        .map((each) => ({ ...blankPayment(invoiceOver(1, { Id: 1 }), new Date()), ...each, Date: at(each.Id) }))
        .map(put(layout.payment.key)),
      ...[
        serviceEntity.blank({ Id: 1, OrganizationId: 1 }),
        serviceEntity.blank({ Id: 2, OrganizationId: null }),
        serviceEntity.blank({ Id: 9, OrganizationId: 2 }),
      ].map(put(layout.service.key)),
      { ...partKey({ account }, 1), ...partEntity.blank({ Id: 1 }) },
      forecast(1),
      forecast(2),
    ]);
    await putSettings(
      account,
      'CustomField',
      [
        { Name: 'Color', TableType: 0, Type: 0 },
        { Name: 'Size', TableType: 2, Type: 1 },
        { Name: 'Region', TableType: 4, Type: 0 },
        { Name: 'Gate', TableType: 1, Type: 0 },
      ],
      table,
    );
    const budgets = [2025, 2026].map((Year) => ({ Budget: 100, Type: 0, Year, Month: 1 }));
    await putSettings(
      account,
      'Channel',
      [{ Name: 'Web', Campaigns: [{ Name: 'Spring', CampaignBudgets: budgets }] }],
      table,
    );
    // Contact 2 has an invoice of March 8.
    const invoice = invoiceOver(100, {
      Id: 10,
      ContactId: 2,
      Status: 1,
      InvoiceType: InvoiceType.Standard,
      Date: at(8),
    });
    await table.commit(
      invoiceChanges({ account }, { before: undefined, after: invoice, now: new Date(at(20)) }).changes,
    );
  });

  async function rows(Kind: string, fields: object = {}): Promise<Record<string, string>[]> {
    const caller = { account, organizationId: null, role: 'Owner', keyId: 'key', keyName: '' } as const;
    const now = new Date();
    const context = callerContext(table, { ...caller, subscriber: '', dateStyle: 'iso' as const }, now);
    const operation = named(startdownload, 'datasubscriber/startdownload');
    const request = (await validRequest(operation, { Kind, ...fields })) as StartDownloadInput;
    // Two that begin at once may take the same slot.
    const id = await retryOnConflict(async () => {
      const started = await startDownload(context, request, { scope: 'account', format: 'csv' });
      await table.commit(started.changes);
      return started.id;
    });
    return parse(await makeText(downloadKey({ account }, id)), { columns: true }) as Record<string, string>[];
  }

  type Case = readonly [fields: object, ids: readonly number[]];
  const within = (name: string) => ({ [`${name}From`]: on(2), [`${name}Through`]: on(3) });
  const appointments = (settings: object) => ({ Appointments: settings });
  const contacts = (settings: object) => ({ Contacts: settings });
  const invoices = (settings: object) => ({ Invoices: settings });
  const lines = (settings: object) => ({ InvoiceLines: settings });
  const proposals = (settings: object) => ({ Proposals: settings });
  const excluded = { IncludeExcludedOrgs: true };
  const cases: Readonly<Record<string, readonly Case[]>> = {
    appointments: [
      [{}, [1, 2, 3, 4, 6]],
      [appointments({ ScheduledFrom: on(3), ScheduledThrough: on(4) }), [3, 4]],
      [appointments({ CompletedFrom: on(5) }), [4]],
      [appointments({ CompletedThrough: on(4) }), []],
      [appointments({ Scheduled: true }), [2, 6]],
      [appointments({ Completed: true, Queued: true }), [1, 4]],
      [appointments({ Canceled: true }), [5]],
      [appointments({ Started: true }), [3]],
      [appointments(excluded), [1, 2, 3, 4, 6, 9]],
      [{ CompletedAfter: on(5), CompletedBefore: on(5) }, [4]],
      [within('Date'), [2, 3]],
      [within('Created'), [2, 3]],
      [{ UpdatedFrom: on(14), UpdatedThrough: on(16), RowId: 5 }, [6]],
      [{ OrganizationId: 2 }, [9]],
    ],
    contacts: [
      [{}, [1, 2, 3, 4]],
      [contacts({ InvoicedAfter: on(8) }), [2]],
      [contacts({ InvoicedAfter: on(9) }), []],
      [contacts({ Tags: 'vip' }), [1, 3]],
      [contacts({ Tags: 'Gold, VIP' }), [1]],
      [contacts({ WithEmails: true }), [1, 3, 4]],
      [contacts({ WithoutEmails: true }), [2]],
      [contacts({ NationalAccountsOnly: true }), [3]],
      [contacts(excluded), [1, 2, 3, 4, 9]],
      [within('Created'), [2, 3]],
      [{ UpdatedFrom: on(14) }, [4]],
    ],
    invoices: [
      [{}, [1, 2, 3, 4, 10]],
      [invoices({ Unapproved: true }), [1]],
      [invoices({ Open: true, Paid: true }), [2, 3, 10]],
      [invoices({ Voided: true }), [4]],
      [invoices(excluded), [1, 2, 3, 4, 9, 10]],
      [within('Date'), [2, 3]],
      [within('Created'), [2, 3, 10]],
    ],
    invoicelines: [
      [{}, [1, 2, 3, 4, 10]],
      [lines({ Unapproved: true }), [1]],
      [lines({ Open: true, Paid: true }), [2, 3, 10]],
      [lines({ Voided: true }), [4]],
      [lines(excluded), [1, 2, 3, 4, 9, 10]],
      [within('Date'), [2, 3]],
    ],
    deposits: [
      [{}, [3]],
      [{ Deposits: excluded, DateFrom: on(3) }, [3]],
      [{ DateFrom: on(4) }, []],
    ],
    proposals: [
      [{}, [1, 2, 3, 5]],
      [proposals({ IncludeBundled: true }), [1, 2, 3, 4, 5]],
      [proposals({ AcceptedAfter: on(4), IncludeBundled: true }), [4]],
      [proposals({ AcceptedBefore: on(4) }), [3]],
      [proposals({ Status: 1 }), [2]],
      [proposals({ Status: 7 }), [5]],
      [proposals(excluded), [1, 2, 3, 5, 9]],
      [{ DateFrom: '2026-03-02', DateThrough: '2026-03-03' }, [2, 3]],
    ],
    payments: [
      [{}, [1, 2, 9]],
      [{ DateFrom: on(2), DateThrough: on(3) }, [2]],
      [{ CreatedThrough: on(1) }, [1]],
    ],
    services: [
      [{}, [1, 2]],
      [{ Services: excluded }, [1, 2, 9]],
      [{ OrganizationId: 2 }, [2, 9]],
    ],
    parts: [[{ Parts: excluded }, [1]]],
    organizations: [
      [{}, [1]],
      [{ Organizations: excluded }, [1, 2]],
      [{ CreatedFrom: on(2), Organizations: excluded }, []],
    ],
  };

  test.each(Object.entries(cases))('%s: rows', async (kind, of) => {
    const found = await Promise.all(of.map(async ([fields]) => (await rows(kind, fields)).map(({ Id }) => Number(Id))));
    expect(of.map(([fields], index) => [fields, found[index]])).toEqual(of);
  });

  test.each(DOWNLOAD_KINDS)(
    '%s: files that each begin behind the highest Id have every row once, and end',
    async (kind) => {
      const all = await rows(kind);
      const ids = all.map(({ Id }) => Number(Id));
      expect(ids.length, 'the kind has rows').toBeGreaterThan(0);
      expect(ids, 'they are in the order of Id').toEqual(ids.toSorted((one, other) => one - other));
      const [first = 0, last = 0] = [ids[0], ids.at(-1)];
      expect(await rows(kind, { RowId: first + 1 })).toEqual(all.filter(({ Id }) => Number(Id) > first));
      expect(await rows(kind, { RowId: last + 1 })).toEqual([]);
    },
  );

  test('rows by year: campaignbudgets, revenueforecasts; channelscampaigns has every campaign', async () => {
    const years = async (kind: string, settings: object) => (await rows(kind, settings)).map(({ Year }) => Year);
    expect(await years('campaignbudgets', {})).toEqual(['2025', '2026']);
    expect(await years('campaignbudgets', { CampaignBudgets: { Year: 2026 } })).toEqual(['2026']);
    expect(await years('revenueforecasts', {})).toEqual(['2025', '2026']);
    expect(await years('revenueforecasts', { RevenueForecasts: { Year: 2025 } })).toEqual(['2025']);
    expect(await rows('channelscampaigns', { ChannelsCampaigns: excluded })).toMatchObject([
      { Channel: 'Web', Campaign: 'Spring' },
    ]);
  });

  test('columns: custom fields, of organizations too, tags, lines, solutions, zones and shapes', async () => {
    const custom = { IncludeCustomFields: true, IncludeOrgCustomFields: true };
    const geography = { IncludeGeoZones: true, IncludeGeoShapes: true };
    const shape = { Latitude: /^39\.8/, Longitude: /^-89\.6/, GeoShape: /^POINT\(-89\.6.* 39\.8.*\)$/ };
    const shapes = Object.fromEntries(
      Object.entries(shape).map(([name, form]) => [name, expect.stringMatching(form) as string]),
    );
    expect((await rows('contacts', contacts({ ...custom, ...geography })))[1]).toMatchObject({
      'Custom.Color': 'blue',
      'OrganizationCustom.Region': 'East',
      TerritoryID: 'T1',
      ...shapes,
    });
    expect((await rows('contacts', contacts(geography)))[3]).toMatchObject({ AccountingClass: 'North' });
    const [appointment] = await rows('appointments', appointments(custom));
    expect(appointment).toMatchObject({ CustomProperties: '{"Gate":"12"}', 'Custom.Gate': '12' });
    const more = { IncludeTags: true, IncludeLines: true, IncludeSolutions: true };
    const [first, second, third] = await rows('proposals', proposals({ ...custom, ...geography, ...more }));
    expect(first).toMatchObject({ 'Custom.Size': '7', 'OrganizationCustom.Region': 'East', Tags: 'VIP; Gold' });
    expect(first).toMatchObject({ TerritoryID: 'T1', ...shapes });
    expect(JSON.parse(second?.['Lines'] ?? '')).toMatchObject([{ Id: 1 }]);
    expect(JSON.parse(third?.['Solutions'] ?? '')).toMatchObject([{ Name: 'Best', Selected: true }]);
    const [invoice] = await rows('invoices', invoices({ IncludeLines: true }));
    expect(JSON.parse(invoice?.['Lines'] ?? '')).toMatchObject([{ Description: 'Window cleaning', Extended: 100 }]);
    const [plain] = await rows('invoices');
    expect(plain).not.toHaveProperty('Lines');
  });
});
