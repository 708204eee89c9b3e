import { operation } from '../../lib/api/operation.ts';
import { type UserRecord, userToResource } from '../../lib/domain/users.ts';
import { User } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { Failure } from '../../lib/shared/failure.ts';
import type { TableReader } from '../../lib/store/dynamodb/client.ts';
import { findOrganization } from '../../lib/store/organizations/organizations.ts';
import { listAllUsers, listUsers } from '../../lib/store/organizations/users.ts';

/** Of the account: 4 MB at most. */
const MAX_USERS = 5_000;

export const all = operation({
  name: 'user/all',
  summary: 'Lists the users, by id.',
  description:
    `A key of one organization lists its users; a key of the account lists all, at most ${MAX_USERS}. With more, ` +
    'call with a key of each organization.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Matches: many(User) }),
  failures: ['tooLarge'],
  example: {},
  async run(_, { caller: { accountId, organizationId }, table }) {
    const users =
      organizationId === null
        ? await listAllUsers(table, accountId, { consistent: false, limit: MAX_USERS + 1 })
        : await listOrganizationUsers(table, accountId, organizationId);
    if (users.length <= MAX_USERS) return { Matches: users.map(userToResource) };
    throw new Failure(413, `The account has more than ${MAX_USERS} users. Call with a key of one organization.`);
  },
});

async function listOrganizationUsers(table: TableReader, account: string, id: number): Promise<UserRecord[]> {
  const organization = await findOrganization(table, account, id);
  return listUsers(table, account, organization?.UserIds ?? []);
}
