import { operation } from '../../lib/api/operation.ts';
import { userToResource } from '../../lib/domain/users.ts';
import { User } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { findOrganization } from '../../lib/store/organizations.ts';
import { listAllUsers, findUsersWithVersion } from '../../lib/store/users.ts';

const MOST = 10_000;

export const all = operation({
  name: 'user/all',
  summary: 'The users, by id.',
  description: `Those of the key's organization; with a key of the account those of all, at most ${MOST}: where there are more, ask with a key of each organization.`,
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Matches: many(User) }),
  failures: ['tooLarge'],
  example: {},
  async run(_, { caller: { accountId, organizationId }, table }) {
    const ids =
      organizationId === null ? [] : ((await findOrganization(table, accountId, organizationId))?.UserIds ?? []);
    const users =
      organizationId === null
        ? await listAllUsers(table, accountId, MOST + 1)
        : await findUsersWithVersion(table, accountId, ids);
    if (users.length > MOST)
      throw new Failure(
        413,
        `There are more than ${MOST} users. Ask with a key of one organization for those of that one.`,
      );
    return { Matches: users.map(userToResource) };
  },
});
