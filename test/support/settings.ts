import type { BlogInput } from '../../lib/domain/blogs.ts';
import { type Entry, type SettingKind, campaignsToCreate, planSettings } from '../../lib/domain/settings.ts';
import { blogChanges, planBlogUpsert } from '../../lib/store/organizations/blogs.ts';
import type { OrganizationRecord } from '../../lib/entities/organizations.ts';
import { findOrganization, organizationChanges } from '../../lib/store/organizations/organizations.ts';
import { reserveIds } from '../../lib/store/dynamodb/records.ts';
import { listSettingsWithVersions, settingTransactions } from '../../lib/store/settings.ts';
import { type TestAccount, testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Stores entries of a small list, as the company file does; gives their ids. */
export async function putSettings(
  account: string,
  kind: SettingKind,
  input: readonly Entry[],
  table = testTable(),
): Promise<number[]> {
  const stored = await listSettingsWithVersions(accountStore(table, account), kind);
  const needed = kind === 'Channel' ? campaignsToCreate(stored, input) : 0;
  const plan = planSettings(
    kind,
    stored,
    input,
    needed ? await reserveIds(accountStore(table, account), 'Campaign', needed) : [],
  );
  if (plan.kind === 'invalid') throw new Error(JSON.stringify(plan.errors));
  for (const changes of settingTransactions({ account }, plan.entries)) await table.commit(changes);
  return plan.entries.map(({ after }) => after.Id);
}

/** Stores settings of an organization that only the company file has. */
export async function putOrganizationSettings(
  { accountId, organizationId }: Pick<TestAccount, 'accountId' | 'organizationId'>,
  settings: Partial<OrganizationRecord>,
): Promise<void> {
  const before = await findOrganization(accountStore(testTable(), accountId), organizationId);
  if (!before) throw new Error('no organization');
  await testTable().commit(organizationChanges({ account: accountId }, before, { ...before, ...settings }).changes);
}

/** Stores articles, as the company file does; gives how many were written. */
export async function putBlogs(
  account: string,
  input: readonly BlogInput[],
  now = new Date('2026-11-21T12:00:00Z'),
): Promise<number> {
  const table = testTable();
  const plan = await planBlogUpsert(accountStore(table, account), input, { now, zone: 'America/New_York' });
  if (plan.kind === 'invalid') throw new Error(JSON.stringify(plan.errors));
  const writes = await blogChanges(accountStore(table, account), plan.entries);
  for (const changes of writes) await table.commit(changes);
  return writes.length;
}
