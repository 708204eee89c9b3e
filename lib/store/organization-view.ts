import type { OrganizationRecord } from '../domain/organizations.ts';
import { detailsOf } from '../domain/organizations/resource.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { OrganizationDetails } from '../resources/organizations.ts';
import type { TableReader } from './client.ts';
import { cachedList } from './lists.ts';
import { readUserList } from './users.ts';

/** Organizations as organizations/query lists them, with all their users, which are read side by side. */
export async function showOrganizations(
  table: TableReader,
  account: string,
  records: readonly OrganizationRecord[],
  now: Date,
): Promise<OrganizationDetails[]> {
  const managers = records.flatMap(({ AccountManagerUserId }) => AccountManagerUserId ?? []);
  const ids = [...records.flatMap(({ UserIds }) => UserIds), ...managers];
  const [users, customFields] = await Promise.all([
    readUserList(table, account, ids),
    cachedList<CustomField>(table, account, 'CustomField', now),
  ]);
  const byId = new Map(users.map((user) => [user.Id, user]));
  return records.map((record) => detailsOf(record, { users: byId, customFields }));
}
