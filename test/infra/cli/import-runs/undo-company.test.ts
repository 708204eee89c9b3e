import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exportCompany } from '../../../../infra/cli/company-file/export.ts';
import { importCompany } from '../../../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../../../infra/cli/company-file/parse.ts';
import { entryNotes, undoCompany } from '../../../../infra/cli/company-file/undo.ts';
import { listRange } from '../../../../lib/store/dynamodb/records.ts';
import { asImportRun, asImportUndo, writeImportRun } from '../../../../lib/store/import-runs.ts';
import { layout } from '../../../../lib/store/keys.ts';
import { accountStore } from '../../../../lib/store/store.ts';
import { dying, eraseNow, toolTable } from '../../../support/erasures.ts';
import { type UndoneRun, importTool } from '../../../support/import-runs.ts';
import { problemsOf } from '../../../support/merges.ts';
import { type TestAccount, drainEvents, testAccount, testTable } from '../../../support/stack/stack.ts';

const { fileOf, fs, undo } = importTool();

interface Report extends UndoneRun {
  readonly Retired: Record<string, number>;
  readonly Kept: readonly { Kind: string; Name: string }[];
}

const BROOKS = `
company: Brooks
taxRates: [{ name: Virginia, rate: 5.3 }]
channels:
  - { name: Ads, campaigns: [{ name: Spring, budgets: [{ year: 2026, month: 3, budget: 3500 }] }] }
organizations:
  - name: Brooks Richmond
    phone: (804) 555-0100
    startAddress: { address1: 1401 Roseneath Road, city: Richmond, state: VA, zip: 23230 }
    forecasts: { 2026: [100, 200] }
    calendar: { phones: false, notes: true }
    agents: [{ name: Ana Ruiz, email: ana@example.com, hours: Mon-Fri 8:00-16:00 }]
    postalCodes: [23220, 23219]
services:
  - { name: Window cleaning, basePrice: 50, duration: 60, bands: [{ atLeast: 1, price: 4 }] }
`;

const WRONG = `
company: Brooks & Sons
proposals: { expireAfterDays: 10 }
cancelReasons: [Wrong reason]
taxRates: [{ name: Virginia, rate: 53 }, { name: Nowhere, rate: 1 }]
channels:
  - { name: Ads, campaigns: [{ name: Spring, active: false, budgets: [{ year: 2026, month: 3, budget: 35000 }] }] }
organizations:
  - name: Brooks Richmond
    phone: (804) 555-0199
    website: https://www.example.com
    startAddress: { address1: 1 Wrong Street, address2: Suite 9 }
    forecasts: { 2026: [900, 200, 300], 2027: [1] }
    calendar: { phones: true }
    agents:
      - { name: Ana Ruiz, hours: Sat 9:00-12:00, endDate: 2036-01-31 }
      - { name: Ben Lee, email: ben@example.com, hours: Mon 8:00-9:00 }
    users: [{ name: Cy Doe, email: cy@example.com, role: Office }]
    postalCodes: [99901, 99902]
services:
  - { name: Window cleaning, basePrice: 500, taxable: true, bands: [] }
  - { name: Wrong service, basePrice: 1, duration: 60 }
`;

const exported = ({ accountId }: TestAccount): Promise<string> =>
  exportCompany({ store: accountStore(testTable(), accountId), now: new Date() });

/** An account of the right file, then the wrong one. */
async function imported(wrong = WRONG): Promise<{ account: TestAccount; before: string; Run: number }> {
  const account = await testAccount();
  await fs(account, fileOf('brooks.yaml', BROOKS));
  const before = await exported(account);
  const { Run } = await fs<{ Run: number }>(account, fileOf('wrong.yaml', wrong));
  return { account, before, Run };
}

describe('the undo of an import of a company file', () => {
  test('restores the fields of entries, retires what it made, and names what stays', async () => {
    const { account, before, Run } = await imported();
    const wrong = await exported(account);
    const dry = await undo<Report>(account, Run, '--dry-run');
    expect(dry).toMatchObject({
      Restored: { account: 1, 'tax rate': 1, campaign: 1, organization: 1, 'service agent': 1, service: 1 },
      Retired: { 'service agent': 1, user: 1, service: 1 },
      Kept: [
        { Kind: 'cancel reason', Name: 'Wrong reason' },
        { Kind: 'tax rate', Name: 'Nowhere' },
      ],
      Left: [],
    });
    expect(await exported(account)).toBe(wrong);

    expect(await undo<Report>(account, Run)).toEqual({ ...dry, DryRun: false });
    const after = parseCompanyFiles([{ name: 'after', text: await exported(account) }]);
    const was = parseCompanyFiles([{ name: 'before', text: before }]);
    expect(after.account).toEqual(was.account);
    const [organization] = after.entries.get('organizations') ?? [];
    const [former] = was.entries.get('organizations') ?? [];
    expect({ ...organization, agents: [], users: [] }).toEqual({ ...former, agents: [], users: [] });
    expect(organization?.['agents']).toEqual([
      ...((former?.['agents'] ?? []) as unknown[]),
      expect.objectContaining({ name: 'Ben Lee', endDate: expect.any(String) as string }),
    ]);
    expect(organization?.['users']).toMatchObject([{ name: 'Cy Doe', active: false }]);
    const services = after.entries.get('services') ?? [];
    expect(services.find(({ name }) => name === 'Window cleaning')).toEqual(was.entries.get('services')?.[0]);
    expect(services.find(({ name }) => name === 'Wrong service')).toMatchObject({ active: false });
    expect(after.entries.get('channels')).toEqual(was.entries.get('channels'));
    expect(await problemsOf(account.accountId)).toEqual([]);

    expect(await undo<Report>(account, Run)).toMatchObject({ Restored: {}, Retired: {}, Kept: [], Left: [] });
    expect(await fs(account, '--runs')).toMatchObject([{ Run, Kind: 'company', State: 'undone' }, { State: 'done' }]);
  });

  test('leaves fields that somebody changed since, and takes them back once that is over', async () => {
    const { account, before, Run } = await imported();
    const change = (name: string, text: string) => fs(account, fileOf(name, text));
    await change(
      'since.yaml',
      `organizations:
  - name: Brooks Richmond
    phone: (804) 555-0111
    startAddress: { address2: Suite 10 }
    agents: [{ name: Ben Lee, mobilePhone: (804) 555-0112 }]
services: [{ name: Window cleaning, basePrice: 60 }]
`,
    );
    const report = await undo<Report>(account, Run);
    expect(report.Left).toEqual([
      { Kind: 'organization', Name: 'Brooks Richmond', Why: 'was changed since: phone, startAddress.address2' },
      { Kind: 'service agent', Name: 'Ben Lee of Brooks Richmond', Why: 'was changed since: mobilePhone' },
      { Kind: 'service', Name: 'Window cleaning', Why: 'was changed since: basePrice' },
    ]);
    const organization = async () =>
      parseCompanyFiles([{ name: '', text: await exported(account) }]).entries.get('organizations')?.[0];
    expect(await organization()).toMatchObject({
      phone: '(804) 555-0111',
      startAddress: { address1: '1401 Roseneath Road', address2: 'Suite 10' },
      postalCodes: '23220, 23219',
    });
    expect(await fs(account, '--runs')).toMatchObject([{}, { Run, State: 'undone, 3 left' }, {}]);

    await change(
      'again.yaml',
      `organizations:
  - name: Brooks Richmond
    phone: (804) 555-0199
    startAddress: { address2: Suite 9 }
    agents: [{ name: Ben Lee, mobilePhone: null }]
services: [{ name: Window cleaning, basePrice: 500 }]
`,
    );
    expect(await undo<Report>(account, Run)).toMatchObject({
      Restored: { organization: 1, service: 1 },
      Retired: { 'service agent': 1 },
      Left: [],
    });
    const { agents: _, users: __, ...fields } = (await organization()) ?? {};
    const [{ agents: ___, ...former } = {}] =
      parseCompanyFiles([{ name: '', text: before }]).entries.get('organizations') ?? [];
    expect(fields).toEqual(former);
  });

  test('restores the rest where a former value is refused, and says why', async () => {
    const { account, Run } = await imported();
    await fs(account, fileOf('other.yaml', 'organizations: [{ name: Brooks Norfolk, postalCodes: [23220] }]\n'));
    const { Restored, Left } = await undo<Report>(account, Run);
    expect(Restored).toMatchObject({ 'service agent': 1, service: 1 });
    expect(Left).toMatchObject([
      { Kind: 'organization', Why: expect.stringMatching(/^postalCodes .*23220/) as string },
    ]);
    expect(await exported(account)).toContain('phone: (804) 555-0100');
  });

  test('names what no import can set back, and restores the rest', async () => {
    const account = await testAccount();
    const file = (budgets: string, next: number, phone: string) =>
      `channels: [{ name: Ads, campaigns: [{ name: Spring, budgets: [${budgets}] }] }]
organizations: [{ name: Brooks Richmond, phone: ${phone}, invoiceNumbers: { prefix: R-, next: ${next} } }]
`;
    const march = '{ year: 2026, month: 3, budget: 3500 }';
    await fs(account, fileOf('budgets.yaml', file(march, 10, '(804) 555-0100')));
    const wrong = file(`${march}, { year: 2026, month: 4, budget: 1 }`, 100, '(804) 555-0199');
    const { Run } = await fs<{ Run: number }>(account, fileOf('wrong.yaml', wrong));
    const dry = await undo<Report>(account, Run, '--dry-run');
    expect(dry.Left).toEqual([
      { Kind: 'campaign', Name: 'Spring of Ads', Why: 'cannot be set back by an import: budgets' },
      { Kind: 'organization', Name: 'Brooks Richmond', Why: 'cannot be set back by an import: invoiceNumbers' },
    ]);
    expect(await undo<Report>(account, Run)).toEqual({ ...dry, DryRun: false });
    expect(await exported(account)).toContain('phone: (804) 555-0100');
  });

  test('of two runs, the last one first, restores what was before both', async () => {
    const { account, before, Run } = await imported('taxRates: [{ name: Virginia, rate: 6 }]\n');
    const second = await fs<{ Run: number }>(
      account,
      fileOf('second.yaml', 'taxRates: [{ name: Virginia, rate: 7 }]\n'),
    );
    expect((await undo(account, Run)).Left).toMatchObject([{ Why: 'was changed since: rate' }]);
    expect(await undo(account, second.Run)).toMatchObject({ Restored: { 'tax rate': 1 }, Left: [] });
    expect(await undo(account, Run)).toMatchObject({ Restored: { 'tax rate': 1 }, Left: [] });
    expect(await exported(account)).toBe(before);
  });

  test('restores what is larger than an item of the table', async () => {
    const account = await testAccount();
    const company = () => {
      const services = Array.from({ length: 26 }, (_, index) => ({
        name: `Service ${index}`,
        description: randomBytes(7_000).toString('base64url'),
      }));
      return JSON.stringify({ organizations: [{ name: 'Brooks Richmond', services }] });
    };
    await fs(account, fileOf('services.json', company()));
    const before = await exported(account);
    const { Run } = await fs<{ Run: number }>(account, fileOf('wrong.json', company()));
    const partition = layout.importedEntry.of({ account: account.accountId, run: Run });
    expect((await listRange(testTable(), { partition })).length).toBeGreaterThan(1);
    expect(await undo(account, Run)).toMatchObject({ Restored: { service: 26 }, Left: [] });
    expect(await exported(account)).toBe(before);
  });
});

describe('the undo of imported tasks', () => {
  const TASKS = `
tasks:
  - { description: Call back, contact: Ana Ruiz <ana@example.com>, note: Gate code 12 }
  - { description: Send a letter, contact: Ben Lee <ben@example.com> }
`;
  const WRONG_TASKS = `
tasks:
  - { description: Call back, contact: Ana Ruiz <ana@example.com>, type: Call, note: Wrong note }
  - { description: Wrong task, contact: Cy Doe <cy@example.com> }
`;

  test('removes those that it made, with their contacts, restores the others, and both are events', async () => {
    const account = await testAccount();
    await fs(account, fileOf('tasks.yaml', TASKS));
    const before = await exported(account);
    const { Run } = await fs<{ Run: number }>(account, fileOf('wrong-tasks.yaml', WRONG_TASKS));
    await drainEvents();
    const last = (await account.call('datasubscriber/fetch', {})).body['Events'] as { Sequence: number }[];
    expect(await undo<Report>(account, Run)).toMatchObject({
      Removed: { Task: 1, Contact: 1 },
      Restored: { Task: 1 },
      Left: [],
    });
    expect(await exported(account)).toBe(before);
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', {});
    const kinds = (body['Events'] as { Payload: { Kind: string } }[])
      .slice(last.length)
      .map(({ Payload }) => Payload.Kind);
    expect(kinds.sort()).toEqual(['contact.deleted', 'task.deleted', 'task.updated']);
    expect(await problemsOf(account.accountId)).toEqual([]);
  });

  test('knows nothing any more of a person who is erased, and leaves the erased task alone', async () => {
    const account = await testAccount();
    await fs(account, fileOf('tasks.yaml', TASKS));
    const { Run } = await fs<{ Run: number }>(account, fileOf('wrong-tasks.yaml', WRONG_TASKS));
    const noted = async () => {
      const partition = layout.importedRecord.of({ account: account.accountId, run: Run });
      return JSON.stringify(await listRange(testTable(), { partition, consistent: true }));
    };
    expect(await noted()).toContain('Gate code 12');
    const { body } = await account.call('contacts/locate', { EmailSearch: 'ana@example.com' });
    const [{ Id } = { Id: 0 }] = body['Matches'] as { Id: number }[];
    expect((await eraseNow(account.accountId, Id)).unfinished).toEqual([]);
    expect(await noted()).not.toContain('Gate code 12');
    expect(await undo<Report>(account, Run)).toMatchObject({
      Removed: { Task: 1, Contact: 1 },
      Restored: {},
      Left: [],
    });
  });
});

describe('killed anywhere', () => {
  test('an import can be taken back as far as it came, and its undo goes on where it ended', async () => {
    const account = await testAccount();
    const store = accountStore(toolTable(), account.accountId);
    await fs(account, fileOf('brooks.yaml', BROOKS));
    const before = await exported(account);
    const wrong = WRONG.replaceAll(/.*(?:Wrong|Nowhere|Ben Lee|Cy Doe|users|2027).*\n/g, '');
    for (const writes of [1, 3, 6, 9]) {
      const { Id: run } = await writeImportRun(store, { Kind: 'company', Files: ['wrong.yaml'], now: new Date() });
      const tool = (limit: number) => accountStore(dying(toolTable(), limit), account.accountId);
      const ofRun = asImportRun(tool(writes), run);
      const note = entryNotes();
      const begin = async (changes: Parameters<typeof note>[2]) => {
        await note(ofRun, run, changes);
        return ofRun;
      };
      const company = parseCompanyFiles([{ name: 'wrong.yaml', text: wrong }]);
      await importCompany(company, { store, begin }).catch(() => undefined);
      for (const done of [0, 2]) {
        const undone = asImportUndo(tool(done), run);
        await undoCompany(undone, { run, dryRun: false, now: new Date() }).catch(() => undefined);
      }
      expect(await undo(account, run)).toMatchObject({ Left: [] });
      expect(await exported(account), `${writes} writes`).toBe(before);
    }
    expect(await problemsOf(account.accountId)).toEqual([]);
  });
});
