import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { importSystem } from '../../../../infra/cli/other-systems/import.ts';
import type { SystemImport } from '../../../../infra/cli/other-systems/run.ts';
import { missingRows } from '../../../../infra/cli/imports/report.ts';
import { readSystem } from '../../../../infra/cli/other-systems/mapping-file.ts';
import { StagedTable } from '../../../../infra/cli/staged-table.ts';
import { importCompany } from '../../../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../../../infra/cli/company-file/parse.ts';
import type { TableWriter } from '../../../../lib/store/dynamodb/table.ts';
import { writeAccount } from '../../../../lib/store/accounts/accounts.ts';
import { listReferenced } from '../../../../lib/workflows/imports/upsert-clients.ts';
import { planUpserts } from '../../../../lib/workflows/contacts/save-contacts.ts';
import { listOrganizations } from '../../../../lib/store/organizations/organizations.ts';
import {
  HOUSECALL_HEADERS,
  housecallCustomers,
  jobberClients,
  jobberInvoices,
  jobberVisits,
} from '../../../support/other-systems.ts';
import { type Bookable, bookable } from '../../../support/scheduling.ts';
import { testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';
import { callerContext } from '../../../../lib/workflows/context.ts';

const folder = mkdtempSync(join(tmpdir(), 'systems-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(text: string, type = 'csv'): string {
  const file = join(folder, `${files++}.${type}`);
  writeFileSync(file, text);
  return file;
}

interface Target {
  readonly accountId: string;
  readonly table?: TableWriter;
}

async function run(
  { accountId: account, table = testTable() }: Target,
  texts: readonly string[],
  { from = 'jobber', ...options }: Partial<SystemImport> & { readonly from?: string } = {},
) {
  const reports = await importSystem({
    store: accountStore(table, account),
    system: readSystem(from),
    files: texts.map((text) => fileOf(text)),
    organizations: await listOrganizations(accountStore(table, account)),
    customFields: [],
    ...options,
  });
  if (!options.dryRun) expect(reports.map(missingRows)).toEqual(reports.map(() => 0));
  return reports;
}

const COMPANY = `
company: Brooks
services:
  - name: Window cleaning
    basePrice: 50
    duration: 60
`;

/** A company in a table in memory, which takes 5,000 rows in seconds. */
async function companyInMemory(): Promise<Required<Target> & { readonly items: () => number }> {
  const table = new StagedTable();
  const { account: accountId } = await writeAccount(table, { name: 'Brooks', now: new Date() });
  const company = parseCompanyFiles([{ name: 'company.yaml', text: COMPANY }]);
  expect(await importCompany(company, { store: accountStore(table, accountId) })).toMatchObject({ kind: 'imported' });
  return { accountId, table, items: () => table.items().length };
}

/** The DigitalTrackingIds of all contacts. */
async function trackingIds(table: TableWriter, account: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { DigitalTrackingId } of listReferenced(accountStore(table, account), ''))
    found.push(DigitalTrackingId);
  return found;
}

/** 5,000 in `npm run prove -- random`. */
const ROWS = Number(process.env['IMPORT_ROWS'] ?? 120);

describe(`files of ${ROWS} rows`, { timeout: 60_000 + ROWS * 50 }, () => {
  test('of Jobber balance to the cent, and a second run changes nothing', async () => {
    const company = await companyInMemory();
    const visits = jobberVisits(ROWS, ROWS);
    const invoices = jobberInvoices(ROWS, ROWS);
    const texts = [jobberClients(ROWS), visits.text, invoices.text];
    const [clients, work, bills] = await run(company, texts);
    expect(clients).toMatchObject({ Rows: ROWS, Created: ROWS, Properties: ROWS / 5, Errors: [] });
    expect(work).toMatchObject({ Created: ROWS, Errors: [] });
    expect(work?.Booked).toEqual({ Total: visits.cents / 100 });
    expect(bills).toMatchObject({ Created: ROWS, Errors: [] });
    expect(bills?.Booked).toEqual({ Total: invoices.total / 100, Balance: invoices.balance / 100 });
    const items = company.items();
    const again = await run(company, texts);
    for (const report of again) expect(report).toMatchObject({ Created: 0, Updated: 0, Errors: [] });
    expect(again.map(({ Booked }) => Booked)).toEqual([undefined, work?.Booked, bills?.Booked]);
    expect(company.items()).toBe(items);
  });

  test('of Housecall Pro, with 451 columns, become clients and their properties', async () => {
    const company = await companyInMemory();
    const text = housecallCustomers(ROWS);
    const [report] = await run(company, [text], { from: 'housecallpro' });
    expect(report).toMatchObject({ Rows: ROWS, Created: ROWS * 1.25, Properties: ROWS / 4, Errors: [] });
    expect(report?.LostColumns).toEqual([{ Column: 'Lifetime value', Rows: ROWS, FirstLine: 2 }]);
    expect(HOUSECALL_HEADERS).toHaveLength(451);
  });
});

const CLIENTS = [
  'J-ID (client_property),Display Name,Company Name,Main Phone #s,E-mails,Billing Street 1,Billing City,Billing State,Billing Zip code,Service Property Name,Service Street 1,Service City,Service State,Service Zip code,Is Company?,Archived,CFT[Gate code]',
  '1001_5001,Ana Archer,,(217) 555-1001,"ana@example.com, old@example.com",1 Main Street,Springfield,IL,62701,,1 Main St.,Springfield,IL,62701,false,false,4711',
  '1001_5002,Ana Archer,,(217) 555-1001,ana@example.com,1 Main Street,Springfield,IL,62701,Lake house,9 Lake Road,Springfield,IL,62701,false,false,',
  '1002_5003,Bo Archer,,12,ana@example.com,1 Main Street,Springfield,IL,62701,,1 Main Street,Springfield,IL,62701,false,true,',
].join('\r\n');
const VISITS = [
  'Job #,Date,Times,Visit title,Client name,Client email,Service street,Visit completed date,Assigned to,One-off job ($)',
  '2001,"Mar 9, 2026",9:00 AM - 11:00 AM,Lawn care,Ana Archer,ana@example.com,9 Lake Road,"Mar 9, 2026",Ann,"$1,250.50"',
  '2002,3/9/2036,1:00 PM - 2:30 PM,Mow: lawn care weekly,Ana Archer,ana@example.com,1 Main Street,,Ann and Zoe,80',
  '2003,"Mar 10, 2036",Anytime,Lawn care,Bo Archer,ana@example.com,1 Main Street,,,75.25',
  '2004,"Mar 11, 2036",Anytime,Pool care,Bo Archer,,1 Main Street,,,10',
  '2005,"Mar 12, 2036",Anytime,Lawn care,Nobody,,1 Main Street,,,5',
].join('\n');
const invoicesOf = (balance: string) =>
  [
    'Invoice #,Issued date,Client name,Client email,Status,Subject,Total ($),Tax amount ($),Balance ($)',
    `3001,"Mar 9, 2026",Ana Archer,ana@example.com,Awaiting payment,Lawn,"$1,325.53",75.03,${balance}`,
    '3002,"Mar 9, 2026",Bo Archer,ana@example.com,Paid,Lawn,80.00,,0.00',
  ].join('\n');

type Found = { readonly Id: number } & Readonly<Record<string, unknown>>;
const byReference = async ({ call }: Bookable, DigitalTrackingIdSearch: string): Promise<Found | undefined> =>
  ((await call('contacts/locate', { DigitalTrackingIdSearch })).body['Matches'] as Found[])[0];

describe('an import of another system', () => {
  test('makes clients, properties, visits and balances that the API shows, wherever a run is killed', async () => {
    const account = await bookable();
    const texts = [CLIENTS, VISITS, invoicesOf('$100.00')];
    for (const survives of [0, 1, 2]) {
      const table = testTable();
      let left = survives;
      const dying: TableWriter = {
        ...table,
        commit: async (changes) => {
          if (left-- <= 0) throw new TypeError('killed');
          await table.commit(changes);
        },
      };
      await expect(run({ ...account, table: dying }, texts)).rejects.toThrow('killed');
    }
    const [, visits, invoices] = await run(account, texts);
    expect(visits?.Errors.map(({ Line, Column }) => [Line, Column])).toEqual([
      [5, 'service'],
      [6, 'client'],
    ]);
    expect(invoices?.Booked).toEqual({ Total: 1_405.53, Balance: 100 });

    const ana = await byReference(account, 'jobber:1001');
    expect(ana).toMatchObject({ Name: 'Ana Archer', Address1: '1 Main Street', Phone: '(217) 555-1001' });
    const lake = await byReference(account, 'jobber:1001/5002');
    expect(lake).toMatchObject({ Nickname: 'Lake house', Address1: '9 Lake Road', ManagedByContactId: ana?.Id });
    expect(await byReference(account, 'jobber:1001/5001')).toBeUndefined();
    const bo = await byReference(account, 'jobber:1002');
    expect(bo).toMatchObject({ Email: 'ana@example.com', Phone: '', Tags: ['Archived'] });

    const slots = async (ContactId: number | undefined) => {
      const { body } = await account.call('appointments/find', { ContactId, IncludeCompleted: true });
      return body['Slots'] as Readonly<Record<string, unknown>>[];
    };
    expect(await slots(lake?.Id)).toMatchObject([
      { Status: 3, DateTime: '2026-03-09T09:00:00-05:00', Duration: 120, Total: 1_250.5 },
    ]);
    expect(await slots(ana?.Id)).toMatchObject([
      { Status: 1, DateTime: '2036-03-09T13:00:00-05:00', Duration: 90, ServiceAgentName: 'Ann' },
    ]);
    expect(await slots(bo?.Id)).toMatchObject([{ Status: 0, Total: 75.25 }]);
    const { body } = await account.call('invoice/query', { ContactId: ana?.Id });
    expect(body['Invoices']).toMatchObject([{ Number: '3001', Total: 1_325.53, BalanceDue: 100, Status: 'Open' }]);
  });

  test('follows a later export: what was paid since is added, and nothing else changes', async () => {
    const account = await bookable();
    await run(account, [CLIENTS, invoicesOf('$100.00')]);
    const [clients, invoices] = await run(account, [`${CLIENTS}\r\n`, invoicesOf('$40.00')]);
    expect(clients).toMatchObject({ Created: 0, Updated: 0, Unchanged: 3 });
    expect(invoices).toMatchObject({ Created: 0, Updated: 1, Unchanged: 1, Booked: { Total: 1_405.53, Balance: 40 } });
  });

  test('brings visits and invoices later than their clients, who are found by name, e-mail, phone and street', async () => {
    const account = await bookable();
    await run(account, [CLIENTS]);
    const [visits] = await run(account, [VISITS]);
    expect(visits).toMatchObject({ Created: 3 });
    const lake = await byReference(account, 'jobber:1001/5002');
    const { body } = await account.call('appointments/find', { ContactId: lake?.Id, IncludeCompleted: true });
    expect(body['Slots']).toMatchObject([{ Total: 1_250.5 }]);
    // Ana's export is of today, Bo is one of an earlier one.
    const ana = CLIENTS.split('\r\n').slice(0, 3).join('\r\n');
    const [, invoices] = await run(account, [ana, invoicesOf('$100.00')]);
    expect(invoices).toMatchObject({ Created: 2, Errors: [], Booked: { Total: 1_405.53, Balance: 100 } });
  });

  test('adopts a contact with the same e-mail that comes from nowhere else, once', async () => {
    const account = await bookable();
    await account.call('contacts/addupdate', { Name: 'Ana A.', Email: 'ANA@example.com', Nickname: 'Annie' });
    expect((await run(account, [CLIENTS]))[0]).toMatchObject({ Created: 2, Updated: 1 });
    expect(await byReference(account, 'jobber:1001')).toMatchObject({ Name: 'Ana Archer', Nickname: 'Annie' });
  });

  test('adopts nobody of another name who has the same e-mail', async () => {
    const account = await bookable();
    const { body } = await account.call('contacts/addupdate', { Name: 'Zoe Young', Email: 'ana@example.com' });
    const [zoe] = body['Matches'] as Found[];
    expect((await run(account, [CLIENTS]))[0]).toMatchObject({ Created: 3, Updated: 0 });
    expect((await account.call('contacts/locate', { IdSearch: zoe?.Id })).body['Matches']).toEqual([zoe]);
  });

  test('adopts a contact that somebody else adds with the same e-mail while the import runs', async () => {
    const { accountId, table } = await companyInMemory();
    const context = callerContext(table, { account: accountId, organizationId: null }, new Date());
    const input = { Name: 'Ana Archer', Email: 'ana@example.com' };
    let isAdded = false;
    const raced: TableWriter = {
      meter: table.meter,
      configurationRevisions: table.configurationRevisions,
      get: (key, options) => table.get(key, options),
      getMany: (keys, options) => table.getMany(keys, options),
      query: (range) => table.query(range),
      writeCached: (item) => table.writeCached(item),
      update: (change) => table.update(change),
      putMany: (items, removals) => table.putMany(items, removals),
      async commit(changes, options) {
        if (!isAdded) {
          isAdded = true;
          const plan = await planUpserts([{ input, criteria: undefined, distribute: false }], context);
          if (plan.kind === 'ready') await table.commit(plan.changes);
        }
        await table.commit(changes, options);
      },
    };
    const text = 'J-ID,Display Name,E-mails\n1_1,Ana Archer,ana@example.com\n2_2,Ben Brooks,ben@example.com\n';
    const [clients] = await run({ accountId, table: raced }, [text]);
    expect(clients).toMatchObject({ Created: 1, Updated: 1, Errors: [] });
    expect(await trackingIds(table, accountId)).toEqual(['jobber:1', 'jobber:2']);
  });

  test('says for each hostile row what is wrong, in its line and column', async () => {
    const { accountId, table } = await companyInMemory();
    const header = 'J-ID,Display Name,E-mails,Display Name';
    const rows = [
      '1_1,Ana,,',
      '1_1,Bea,,',
      '_7,Cleo,,',
      '2_1,D\0n,,',
      '3_1,Eve,,,more',
      '4_1,"Fay"x,,',
      '5_1,Gil,,Other',
    ];
    const [report] = await run({ accountId, table }, [[header, ...rows].join('\n')]);
    const tell = ({ Line, Column, Reason }: { Line: number; Column: string; Reason: string }) =>
      `${Line} ${Column} ${Reason}`;
    expect(report?.Errors.map(tell)).toEqual([
      '4 J-ID "_7" does not begin with an id',
      '6  has 5 cells; the header has 4 columns',
    ]);
    expect(report?.Lost.map(tell)).toEqual([
      '3 J-ID is that of line 2 too: what differs in this row is not imported',
      '5 Display Name must be well-formed Unicode without NUL: it is left out',
      '7 Display Name text follows the closing quote of cell 2',
    ]);
    expect(report?.LostColumns).toEqual([{ Column: 'Display Name', Rows: 1, FirstLine: 8 }]);
    expect(await trackingIds(table, accountId)).toEqual(['jobber:1', 'jobber:2', 'jobber:4', 'jobber:5']);
  });

  test('keeps ids with a slash apart from those of properties', async () => {
    const { accountId, table } = await companyInMemory();
    await run({ accountId, table }, ['ID,First Name\n53,Ana\n53/1,Ben\n'], { from: 'housecallpro' });
    expect(await trackingIds(table, accountId)).toEqual(['housecallpro:53', 'housecallpro:53%2F1']);
  });

  test('refuses UTF-16, and a file of other columns with the ones that it needs', async () => {
    const { accountId, table } = await companyInMemory();
    await expect(run({ accountId, table }, ['J\0-\0I\0D\0,\0\n\0'])).rejects.toThrow('is not UTF-8 but UTF-16');
    await expect(run({ accountId, table }, ['Name,Mail\nAna,a@example.com\n'])).rejects.toThrow(
      'Its first line must have the columns of contacts (J-ID or J-ID (client_property)), or of visits (Job # or ',
    );
  });

  test('names in a dry run every row and column that would be lost, and writes nothing', async () => {
    const account = await bookable();
    const [clients, visits, invoices] = await run(account, [CLIENTS, VISITS, invoicesOf('2000')], { dryRun: true });
    expect(clients).toMatchObject({
      LostColumns: [],
      NotedColumns: [{ Column: 'CFT[Gate code]', Rows: 1, FirstLine: 2 }],
    });
    expect(clients?.Lost).toEqual([
      { Line: 2, Column: 'E-mails', Reason: '"old@example.com": a contact has one e-mail address' },
      { Line: 4, Column: 'Main Phone #s', Reason: '"12" is no phone number' },
    ]);
    expect(visits?.Errors.map(({ Line }) => Line)).toEqual([5, 6]);
    expect(visits?.Lost).toEqual([
      { Line: 3, Column: 'agent', Reason: '"Zoe" is no service agent: the name is kept in the internal notes' },
    ]);
    expect(invoices?.Errors).toEqual([
      { Line: 2, Column: 'Balance ($)', Reason: '2000.00 is not between 0 and the total of 1325.53' },
    ]);
    expect(await byReference(account, 'jobber:1001')).toBeUndefined();
  });

  test('keeps columns without a field in a note, or in the custom field of their name', async () => {
    const account = await bookable({ customFields: [{ Name: 'Pool', TableType: 0, Type: 0 }] });
    const customFields = [{ Id: 1, Name: 'Gate code', Shortcode: '', TableType: 0, Type: 0 }] as never;
    const dry = await run(account, [CLIENTS], { dryRun: true, customFields });
    expect(dry[0]).toMatchObject({ LostColumns: [], NotedColumns: [] });
    await run(account, [CLIENTS]);
    expect(await byReference(account, 'jobber:1001')).toMatchObject({
      Notes: [{ Title: 'Imported from jobber', Body: 'CFT[Gate code]: 4711' }],
    });
  });
});

const MAPPING = `
system: acme
title: Acme Office
files:
  - kind: contacts
    id: Kundennummer
    fields:
      Name: { join: [Vorname, Nachname] }
      Address1: Strasse
      Zip: PLZ
    emails: [Mail]
    phones: { Mobile: Handy }
  - kind: invoices
    number: Rechnung
    date: Datum
    total: Betrag
    balance: Offen
    client: { id: Kunde }
`;

describe('a mapping file of one’s own', () => {
  test('imports clients and balances of any system', async () => {
    const account = await bookable();
    const clients =
      'Kundennummer;Vorname;Nachname;Strasse;PLZ;Mail;Handy\n7;Eva;Ito;4 Elm Court;62701;eva@example.com;217 555 1007';
    const invoices = 'Rechnung,Datum,Kunde,Betrag,Offen\nR-1,2026-03-09,7,100,25.5';
    const [, report] = await run(account, [clients, invoices], { from: fileOf(MAPPING, 'yaml') });
    expect(report?.Booked).toEqual({ Total: 100, Balance: 25.5 });
    expect(await byReference(account, 'acme:7')).toMatchObject({ Name: 'Eva Ito', Zip: '62701' });
  });

  test('is refused with every fault and its line', () => {
    const file = fileOf(MAPPING.replace('Name:', 'Nmae:').replace('total: Betrag', ''), 'yaml');
    expect(() => readSystem(file)).toThrow(/:8: files\[0\]\.fields .*"Nmae"\n.*:13: files\[1\]\.total is required/);
    expect(() => readSystem('servicetitan')).toThrow('--from must be jobber or housecallpro, or a mapping file');
  });

  test('needs the clients before visits and invoices', async () => {
    const account = await bookable();
    await expect(run(account, [invoicesOf('0')])).rejects.toThrow('Import the clients of Jobber first');
  });
});
