import type { UserRecord } from '../../lib/entities/users.ts';
import { operation } from '../../lib/api/operation.ts';
import { userToResource } from '../../lib/domain/users.ts';
import { User } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/fields.ts';
import type { TableReader } from '../../lib/store/dynamodb/table.ts';
import { findOrganization } from '../../lib/store/organizations/organizations.ts';
import { listDisplayedUsers, listUsers } from '../../lib/store/organizations/users.ts';

export const all = operation({
  title: 'List users',
  summary: 'Lists the users, by id.',
  rules: [
    'A key of one organization lists its users; a key of the account lists all.',
    'An answer above 6 MB is 413: organizations/query lists users page by page.',
    'A change shows within a second.',
  ],
  access: 'read',
  ifTooLarge: 'organizations/query lists users page by page.',
  response: () => ({ Matches: many(User) }),
  async run(_, { caller: { accountId, organizationId }, table }) {
    const users =
      organizationId === null
        ? await listDisplayedUsers(table, accountId)
        : await listOrganizationUsers(table, accountId, organizationId);
    return { Matches: users.map(userToResource) };
  },
});

async function listOrganizationUsers(table: TableReader, account: string, id: number): Promise<UserRecord[]> {
  const organization = await findOrganization(table, account, id);
  return listUsers(table, account, organization?.UserIds ?? []);
}
