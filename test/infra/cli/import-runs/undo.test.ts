import type { Contact } from '../../../../lib/entities/contacts.ts';
import { describe, expect, test } from 'vitest';
import { listRange } from '../../../../lib/store/dynamodb/records.ts';
import { asImportUndo } from '../../../../lib/store/import-runs.ts';
import { layout } from '../../../../lib/store/keys.ts';
import { accountCaller } from '../../../../lib/store/requests/caller.ts';
import { undoImport } from '../../../../lib/workflows/imports/undo-import.ts';
import { dying, eraseNow, toolTable } from '../../../support/erasures.ts';
import { runTool, withEnvironment } from '../../../support/cli.ts';
import { importTool } from '../../../support/import-runs.ts';
import { problemsOf } from '../../../support/merges.ts';
import { jobberClients, jobberInvoices, jobberVisits } from '../../../support/other-systems.ts';
import { HOUSECALL_CUSTOMERS, HOUSECALL_ESTIMATES, csvOf } from '../../../support/real-exports.ts';
import { bookable } from '../../../support/scheduling.ts';
import { type TestAccount, drainEvents, testAccount, testStack, testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

const { fileOf, fs, undo } = importTool();

const found = async ({ call }: TestAccount, search: object): Promise<Contact[]> =>
  (await call('contacts/locate', search)).body['Matches'] as Contact[];

const add = async ({ call }: TestAccount, contact: object): Promise<Contact> => {
  const { body } = await call('contacts/addupdate', contact);
  return (body['Matches'] as Contact[])[0] as Contact;
};

const done = async (answer: Promise<{ status: number; text: string; body: Record<string, unknown> }>) => {
  const { status, text, body } = await answer;
  expect(status, text).toBe(200);
  return body;
};

/** What of a contact an undo gives back. */
const content = ({ Updated: _, ...contact }: Contact & { Updated?: string }): unknown => contact;

describe('the undo of an import of contacts', () => {
  test('removes the contacts that the run made, restores those that it changed, and imports the file again', async () => {
    const account = await testAccount();
    const before = await add(account, {
      Name: 'Ana Ruiz',
      Email: 'ana@example.com',
      Phone: '(217) 555-0140',
      City: 'Springfield',
      Notes: [{ Title: 'Gate', Body: '12' }],
    });
    const file = fileOf(
      'wrong.csv',
      'Name,Email,Phone,City,Tags,Notes\n' +
        'Ana Ruiz,ana@example.com,(217) 555-0199,Chicago,Wrong list,Wrong note\n' +
        'Ben Lee,ben@example.com,(217) 555-0143,Chicago,Wrong list,\n' +
        'Cy Doe,cy@example.com,(217) 555-0144,Chicago,,\n',
    );
    const { Run, ...counts } = await fs<{ Run: number }>(account, file);
    expect(counts).toMatchObject({ Created: 2, Updated: 1, Errors: [] });
    expect(await found(account, { EmailSearch: 'ana@example.com' })).toMatchObject([{ City: 'Chicago' }]);

    const dry = await undo(account, Run, '--dry-run');
    expect(dry).toEqual({
      Run,
      DryRun: true,
      Removed: { Contact: 2, Tag: 1 },
      Restored: { Contact: 1 },
      KeptRefusals: 0,
      Left: [],
    });
    expect(await found(account, { EmailSearch: 'ben@example.com' })).toHaveLength(1);

    expect(await undo(account, Run)).toEqual({ ...dry, DryRun: false });
    const [restored] = await found(account, { IdSearch: before.Id });
    expect(content(restored as Contact)).toEqual(content(before));
    for (const search of [{ EmailSearch: 'ben@example.com' }, { NameSearch: 'Cy Doe' }, { PhoneSearch: '2175550143' }])
      expect(await found(account, search)).toEqual([]);
    expect(await found(account, { PhoneSearch: '2175550140' })).toMatchObject([{ Id: before.Id }]);
    expect(await problemsOf(account.accountId)).toEqual([]);

    expect(await fs(account, file)).toMatchObject({ Run: Run + 1, Created: 2, Updated: 1, Skipped: 0 });
  });

  test('leaves what somebody changed since or uses, says why, and takes it back once that is over', async () => {
    const account = await testAccount();
    await add(account, { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
    const file = fileOf(
      'left.csv',
      'Name,Email,City\nAna Ruiz,ana@example.com,Chicago\nBen Lee,ben@example.com,\nCy Doe,cy@example.com,\n' +
        'Di Fox,di@example.com,\nEd Gray,ed@example.com,\n',
    );
    const { Run } = await fs<{ Run: number }>(account, file);
    const idOf = async (EmailSearch: string) => (await found(account, { EmailSearch }))[0]?.Id ?? 0;
    const [ana, ben, cy, di, ed] = await Promise.all(
      ['ana', 'ben', 'cy', 'di', 'ed'].map((name) => idOf(`${name}@example.com`)),
    );
    await add(account, { Id: ana, Phone: '(217) 555-0177' });
    await add(account, { Id: ben, Notes: [{ Title: '', Body: 'Called.' }] });
    await done(account.call('contacts/merge', { ContactId: cy, MergeId: ed }));
    await add(account, { Name: 'Friend', Email: 'friend@example.com', ReferredByContactId: di });

    const report = await undo(account, Run);
    expect(report).toMatchObject({ Removed: {}, Restored: {} });
    const why = new Map(report.Left.map(({ Id, Why }) => [Id, Why]));
    expect([...why.keys()]).toEqual([ana, ben, cy, di, ed]);
    expect(why.get(ana ?? 0)).toMatch(/^was changed since by .+, \d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    expect(why.get(ben ?? 0)).toMatch(/^was changed since/);
    expect(why.get(cy ?? 0)).toMatch(/^was changed since/);
    expect(why.get(di ?? 0)).toMatch(/^is the referrer or manager of contact \d+$/);
    expect(why.get(ed ?? 0)).toBe(`is merged into contact ${cy}`);
    expect(await found(account, { IdSearch: ana })).toMatchObject([{ City: 'Chicago', Phone: '(217) 555-0177' }]);

    await add(account, { Id: (await idOf('friend@example.com')) ?? 0, ReferredByContactId: ana });
    expect(await undo(account, Run)).toMatchObject({ Removed: { Contact: 1 } });
    expect(await found(account, { IdSearch: di })).toEqual([]);
  });

  test('keeps a contact that has a task or a visit of somebody else', async () => {
    const account = await testAccount();
    const { Run } = await fs<{ Run: number }>(account, fileOf('task.csv', 'Name,Email\nAna Ruiz,ana@example.com\n'));
    const [{ Id } = { Id: 0 }] = await found(account, { EmailSearch: 'ana@example.com' });
    await done(account.call('task/create', { ContactId: Id, Description: 'Call back' }));
    expect((await undo(account, Run)).Left).toEqual([{ Kind: 'Contact', Id, Why: 'has 1 task' }]);
    expect(await found(account, { IdSearch: Id })).toHaveLength(1);
  });

  test('never takes back that a person refuses messages', async () => {
    const account = await testAccount();
    const { Id } = await add(account, { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
    const file = fileOf('refusal.csv', 'Name,Email,City,DoNotEmail\nAna Ruiz,ana@example.com,Chicago,yes\n');
    const { Run } = await fs<{ Run: number }>(account, file);
    expect(await undo(account, Run)).toMatchObject({ Restored: { Contact: 1 }, KeptRefusals: 1 });
    expect(await found(account, { IdSearch: Id })).toMatchObject([{ City: 'Springfield', DoNotEmail: true }]);
  });

  test('of two runs, the last one first, restores what was before both', async () => {
    const account = await testAccount();
    const { Id } = await add(account, { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
    const runOf = async (city: string) =>
      (await fs<{ Run: number }>(account, fileOf(`${city}.csv`, `Name,Email,City\nAna Ruiz,ana@example.com,${city}\n`)))
        .Run;
    const [first, second] = [await runOf('Chicago'), await runOf('Peoria')];
    expect((await undo(account, first)).Left).toMatchObject([
      { Id, Why: expect.stringContaining('fs import') as string },
    ]);
    expect(await undo(account, second)).toMatchObject({ Restored: { Contact: 1 } });
    expect(await found(account, { IdSearch: Id })).toMatchObject([{ City: 'Chicago' }]);
    expect(await undo(account, first)).toMatchObject({ Restored: { Contact: 1 }, Left: [] });
    expect(await found(account, { IdSearch: Id })).toMatchObject([{ City: 'Springfield' }]);
  });

  test('is in the feed: contacts are deleted and updated', async () => {
    const account = await testAccount();
    await add(account, { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
    const file = fileOf('events.csv', 'Name,Email,City\nAna Ruiz,ana@example.com,Chicago\nBen Lee,ben@example.com,\n');
    const { Run } = await fs<{ Run: number }>(account, file);
    await undo(account, Run);
    await drainEvents();
    const { Events } = await done(account.call('datasubscriber/fetch', {}));
    expect((Events as { Payload: { Kind: string } }[]).map(({ Payload }) => Payload.Kind).sort()).toEqual([
      'contact.created',
      'contact.created',
      'contact.deleted',
      'contact.updated',
      'contact.updated',
    ]);
  });
});

test('the erasure of a person removes what imports have noted, and their undo leaves the erased contact alone', async () => {
  const account = await testAccount();
  const { Id } = await add(account, { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
  const file = fileOf(
    'erased.csv',
    'Name,Email,City\nAna Maria Ruiz,ana@example.com,Chicago\nBen Lee,ben@example.com,\n',
  );
  const { Run } = await fs<{ Run: number }>(account, file);
  const partition = layout.importedRecord.of({ account: account.accountId, run: Run });
  const noted = async () => JSON.stringify(await listRange(testTable(), { partition, consistent: true }));
  expect(await noted()).toContain('Springfield');
  expect((await eraseNow(account.accountId, Id)).unfinished).toEqual([]);
  expect(await noted()).not.toContain('Springfield');
  expect(await undo(account, Run)).toMatchObject({ Removed: { Contact: 1 }, Restored: {}, Left: [] });
  expect(await problemsOf(account.accountId)).toEqual([]);
});

test('an undo that is killed anywhere goes on where it ended', async () => {
  const account = await testAccount();
  await add(account, { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
  const file = fileOf(
    'kill.csv',
    'Name,Email,City\nAna Ruiz,ana@example.com,Chicago\nBen Lee,ben@example.com,\nCy Doe,cy@example.com,\n',
  );
  const { Run: run } = await fs<{ Run: number }>(account, file);
  const { accountId } = account;
  for (let writes = 0; writes < 8; writes++) {
    const store = asImportUndo(accountStore(dying(toolTable(), writes), accountId), run);
    const caller = accountCaller(accountId, { role: 'Owner' });
    await undoImport({ Id: run }, { store, caller, now: new Date(), run }).catch(() => undefined);
  }
  expect(await undo(account, run)).toMatchObject({ Left: [] });
  expect(await found(account, { EmailSearch: 'ana@example.com' })).toMatchObject([{ City: 'Springfield' }]);
  expect(await found(account, { EmailSearch: 'cy@example.com' })).toEqual([]);
  expect(await problemsOf(accountId)).toEqual([]);
});

test('fs import --runs lists the imports, and what became of them', async () => {
  const account = await testAccount();
  expect(await fs(account, '--runs')).toEqual([]);
  const { Run } = await fs<{ Run: number }>(account, fileOf('list.csv', 'Name,Email\nAna Ruiz,ana@example.com\n'));
  const row = { Run, Kind: 'contacts', Files: 'list.csv', Created: 1, Updated: 0 };
  expect(await fs(account, '--runs')).toMatchObject([{ ...row, State: 'done' }]);
  await undo(account, Run);
  expect(await fs(account, '--runs')).toMatchObject([{ ...row, State: 'undone' }]);
});

describe('the undo of an import of another system', () => {
  test('removes payments, invoices, visits and contacts, frees the time, and imports all of it again', async () => {
    const account = await testAccount();
    const company = fileOf(
      'brooks.yaml',
      'company: Brooks\nservices:\n  - name: Window cleaning\n    basePrice: 50\n    duration: 60\n',
    );
    await fs(account, company);
    const files = [
      fileOf('clients.csv', jobberClients(8)),
      fileOf('visits.csv', jobberVisits(8, 8).text),
      fileOf('invoices.csv', jobberInvoices(8, 8).text),
    ];
    const reports = await fs<{ Run: number; Created: number; Errors: object[] }[]>(
      account,
      '--from',
      'jobber',
      ...files,
    );
    const [{ Run = 0 } = {}] = reports;
    for (const { Errors } of reports) expect(Errors).toEqual([]);
    const undone = await undo(account, Run);
    expect(undone.Left).toEqual([]);
    expect(undone.Removed).toMatchObject({ Contact: reports[0]?.Created, Appointment: 8, Invoice: 8 });
    expect(undone.Removed['Payment']).toBeGreaterThan(0);
    for (const list of ['appointments/query', 'invoice/query', 'payment/query'])
      expect((await account.call(list, {})).body, list).toMatchObject({ Count: 0 });
    expect(await problemsOf(account.accountId)).toEqual([]);
    const again = await fs<{ Created: number; Skipped: number }[]>(account, '--from', 'jobber', ...files);
    expect(again.map(({ Created, Skipped }) => [Created, Skipped])).toEqual(reports.map(({ Created }) => [Created, 0]));
  });
});

describe('the undo of an import of estimates', () => {
  test('removes the proposals, but those that have a file or were changed since', async () => {
    const account = await bookable();
    const clients = ['Ana Ruiz', 'Ben Lee', 'Cy Doe'];
    const customers = csvOf(
      HOUSECALL_CUSTOMERS[444],
      clients.map((name, index) => ({ ID: `="${index + 1}"`, 'Display Name': name })),
    );
    const estimates = csvOf(
      HOUSECALL_ESTIMATES,
      clients.map((name, index) => ({
        'Estimate #': `="${index + 1}"`,
        'Customer name': name,
        'Sub-total': '$80.00',
        'Open value': '$80.00',
        'Estimate status': 'Open',
        'Created date': '04/03/2026',
      })),
    );
    const files = [fileOf('estimate-clients.csv', customers), fileOf('estimates.csv', estimates)];
    const words = ['--from', 'housecallpro', '--service', 'Lawn care', ...files];
    const [{ Run = 0 } = {}] = await fs<{ Run: number }[]>(account, ...words);
    const proposals = async () => {
      const body = await done(account.call('proposal/query', {}));
      const found = body['Proposals'] as { Id: number; ContactId: number; Title: string }[];
      return new Map(found.map((proposal) => [proposal.Title, proposal]));
    };
    const imported = await proposals();
    const [withFile, changed] = ['Estimate 2', 'Estimate 3'].map((title) => imported.get(title)?.Id ?? 0);
    const Content = Buffer.from('plan').toString('base64');
    await done(
      account.call('proposal/upload', { upload: { ProposalId: withFile }, files: [{ Filename: 'plan.txt', Content }] }),
    );
    await done(account.call('proposal/update', { Id: changed, Title: 'Estimate 3', CustomerNotes: 'Later' }));
    const { Removed, Left } = await undo(account, Run);
    expect(Removed).toEqual({ Proposal: 1, Contact: 1 });
    const why = (kind: string) => new Map(Left.filter(({ Kind }) => Kind === kind).map(({ Id, Why }) => [Id, Why]));
    expect(why('Proposal').size).toBe(2);
    expect(why('Proposal').get(withFile ?? 0)).toBe('has files');
    expect(why('Proposal').get(changed ?? 0)).toMatch(/^was changed since by/);
    expect([...why('Contact').values()].sort()).toEqual(['has 1 proposal', 'has 1 proposal, 1 file']);
    expect([...(await proposals()).keys()].sort()).toEqual(['Estimate 2', 'Estimate 3']);
    expect(await problemsOf(account.accountId)).toEqual([]);
  });
});

test('over HTTP --runs and --undo say that they need the table, and that an import over HTTP is no run', async () => {
  const { key: FS_KEY } = await testAccount();
  const environment = { FS_URL: testStack().BaseUrl, FS_KEY };
  for (const [option = '', ...run] of [['--runs'], ['--undo', '1']]) {
    const { code, stderr } = await withEnvironment(environment, () => runTool(['import', option, ...run]));
    expect([code, stderr.trim()]).toEqual([
      1,
      `fs import ${option} needs the table, not only an address and a key. Run it in a checkout, with FS_DATA or ` +
        'TABLE_NAME. An import over HTTP is no run: each of its calls is one by itself.',
    ]);
  }
});
