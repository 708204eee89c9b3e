import { type UserRecord, User } from '../../lib/entities/users.ts';
import { operation } from '../../lib/api/operation.ts';
import { userToResource } from '../../lib/domain/users.ts';
import { many } from '../../lib/resources/fields.ts';
import { findOrganization } from '../../lib/store/organizations/organizations.ts';
import { listDisplayedUsers, listUsers } from '../../lib/store/organizations/users.ts';
import type { StoreReader } from '../../lib/store/store.ts';

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
  async run(_, { store, caller: { organizationId } }) {
    const users =
      organizationId === null ? await listDisplayedUsers(store) : await listOrganizationUsers(store, organizationId);
    return { Matches: users.map(userToResource) };
  },
});

async function listOrganizationUsers(store: StoreReader, id: number): Promise<UserRecord[]> {
  const organization = await findOrganization(store, id);
  return listUsers(store, organization?.UserIds ?? []);
}
