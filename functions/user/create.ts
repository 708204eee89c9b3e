import { operation, save } from '../../lib/api/operation.ts';
import { described, flag, required, text } from '../../lib/resources/fields.ts';
import { role } from '../../lib/resources/organizations.ts';
import { conflict, invalid } from '../../lib/shared/failure.ts';
import { findOnlyOrganization } from '../../lib/store/accounts.ts';
import { findOrganization, forgetOrganization } from '../../lib/store/organizations.ts';
import { createUser } from '../../lib/workflows/users/create-user.ts';

const fields = () => ({
  Name: text(200),
  Email: described(text(254), 'Unique in the account; case does not count.'),
  MobilePhone: text(50),
  CreateServiceAgent: described(flag(), 'Makes the service agent of the same name, e-mail and phone.'),
  Role: described(role(), 'ReadOnly when not given.'),
});

export const create = operation({
  name: 'user/create',
  summary: "Makes a user of the key's organization, or of the only one of the account.",
  description:
    "Where the account has several organizations, call with a key of the user's one, or bring the user in organizations/update. Message names the ids that were given.",
  access: 'write',
  needs: ['table:write'],
  request: () => {
    const { Name, Email, ...others } = fields();
    return { Name: required(Name), Email: required(Email), ...others };
  },
  response: fields,
  failures: ['invalid', 'conflict'],
  example: {
    Name: 'Maria Lopez',
    Email: 'maria@example.com',
    MobilePhone: '(303) 555-0144',
    CreateServiceAgent: true,
    Role: 'Office',
  },
  async run(request, { caller, table, now }) {
    const { accountId } = caller;
    const organizationId = caller.organizationId ?? (await findOnlyOrganization(table, accountId, now));
    const organization =
      organizationId === undefined ? undefined : await findOrganization(table, accountId, organizationId);
    if (!organization) {
      throw invalid({
        field: 'ApiKey',
        message:
          "must be a key of the user's organization, because the account has several; or bring the user in organizations/update",
      });
    }
    const made = await createUser(table, accountId, organization, {
      input: request,
      withAgent: request.CreateServiceAgent ?? false,
      now,
    });
    if (made.kind === 'invalid') throw invalid(...made.errors);
    if (made.kind === 'taken') throw conflict(made.message);
    forgetOrganization(accountId, organization.Id);
    const { user, agent } = made;
    const Message = agent ? `User ${user.Id} and service agent ${agent.Id} are made.` : `User ${user.Id} is made.`;
    return save(made.changes, {
      Name: user.Name,
      Email: user.Email,
      MobilePhone: user.MobilePhone,
      CreateServiceAgent: agent !== undefined,
      Role: user.Role,
      Message,
    });
  },
});
