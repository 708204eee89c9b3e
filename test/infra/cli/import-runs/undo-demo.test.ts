import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Entry, type RowKind, expandKey } from '../../../../infra/cli/company-file/entry-format.ts';
import { exportCompany } from '../../../../infra/cli/company-file/export.ts';
import { exportByIdentity, planImport } from '../../../../infra/cli/company-file/import.ts';
import { RestoredFile } from '../../../../infra/cli/company-file/restored-file.ts';
import { sections } from '../../../../infra/cli/company-file/sections.ts';
import { identifying } from '../../../../infra/cli/company-file/take-back.ts';
import { StagedTable } from '../../../../infra/cli/staged-table.ts';
import { type StoreWriter, accountStore } from '../../../../lib/store/store.ts';
import { type UndoneRun, importTool } from '../../../support/import-runs.ts';
import { testAccount, testTable } from '../../../support/stack/stack.ts';

const { fileOf, fs, undo } = importTool();

/** Another value of the same form, or none. */
function otherValue(value: unknown, isCleared: boolean): unknown {
  if (isCleared || (typeof value === 'object' && value !== null)) return null;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return `${String(value)} x`;
}

/** The entry with every field otherwise, its rows included. */
function otherEntry(kind: RowKind, entry: Entry, isCleared: boolean): Entry {
  const own = identifying(kind, entry);
  const rows = kind.format.rowKinds();
  const fields = Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
    if (name in own) return [];
    const rowKind = rows.get(name);
    if (!rowKind) return [[name, otherValue(value, isCleared)]];
    const list = (value as readonly unknown[]).map((row) => expandKey(row, rowKind.format.keyField) as Entry);
    return [[name, list.map((row) => ({ ...identifying(rowKind, row), ...otherEntry(rowKind, row, isCleared) }))]];
  });
  return Object.fromEntries(fields);
}

/** The demo company with every field otherwise that may be so. */
async function otherCompany(store: StoreWriter, isCleared: boolean): Promise<string> {
  const now = new Date();
  const file = new RestoredFile();
  const exported = await exportByIdentity(sections, { store, now });
  for (const kind of sections)
    for (const [identity, entry] of exported.get(kind.key) ?? [])
      file.add({ section: kind.key, identity, kind, after: entry }, entry, otherEntry(kind, entry, isCleared));
  for (;;) {
    const staged = new StagedTable(store.table);
    const plan = await planImport(file.parse(), { store: accountStore(staged, store.account), now });
    if (plan.kind === 'planned') return file.text;
    file.drop(plan.errors);
  }
}

// In `npm run prove -- random`.
test.runIf(process.env['EVERY_OPERATION']).for([
  ['changes', false],
  ['clears', true],
] as const)('the undo of an import that %s fields of all kinds restores them to the letter', async ([, isCleared]) => {
  const account = await testAccount();
  const store = accountStore(testTable(), account.accountId);
  const demo = join(import.meta.dirname, '../../../../infra/cli/demo/company.yaml');
  await fs(account, fileOf('demo.yaml', readFileSync(demo, 'utf8')));
  const exported = () => exportCompany({ store, now: new Date() });
  const before = await exported();
  const { Run } = await fs<{ Run: number }>(account, fileOf('other.json', await otherCompany(store, isCleared)));
  expect(await exported()).not.toBe(before);
  expect(await undo<UndoneRun>(account, Run)).toMatchObject({ Left: [] });
  expect(await exported()).toBe(before);
});
