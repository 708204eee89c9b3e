import { readFileSync } from 'node:fs';
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
    expect((organization?.['agents'] as unknown[])[0]).toEqual((former?.['agents'] as unknown[])[0]);
    expect((organization?.['agents'] as unknown[])[1]).toMatchObject({ name: 'Ben Lee', endDate: expect.any(String) });
    expect(organization?.['users']).toMatchObject([{ name: 'Cy Doe', active: false }]);
    const services = after.entries.get('services') ?? [];
    expect(services.find(({ name }) => name === 'Window cleaning')).toEqual(was.entries.get('services')?.[0]);
    expect(services.find(({ name }) => name === 'Wrong service')).toMatchObject({ active: false });
    expect(after.entries.get('channels')).toEqual(was.entries.get('channels'));
    expect(await problemsOf(account.accountId)).toEqual([]);

    expect(await undo<Report>(account, Run)).toMatchObject({ Restored: {}, Retired: {}, Kept: [], Left: [] });
    expect(await fs(account, '--runs')).toMatchObject([{ Run, Kind: 'company', State: 'undone' }, { State: 'done' }]);
  });
});
