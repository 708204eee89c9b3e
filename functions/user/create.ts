import { operation, save } from '../../lib/api/operation.ts';
import { word, described, extension, flag, id, nullable, phone, required, text } from '../../lib/resources/fields.ts';
import { rolesLeastFirst } from '../../lib/shared/roles.ts';
import { createUser } from '../../lib/workflows/users/create-user.ts';
import { remarkOnSignIn } from '../../lib/workflows/users/remark-on-sign-in.ts';

const fields = () => ({
  Name: text(200),
  Email: described(text(254), 'Unique in the account; case does not count.'),
  MobilePhone: phone(),
  CreateServiceAgent: described(flag(), 'Also creates a service agent of the same name, e-mail and phone.'),
  Role: described(word(rolesLeastFirst), 'Without it ReadOnly.'),
});

export const create = operation({
  title: 'Create a user',
  summary: 'Creates a user.',
  rules: [
    'A user is created in the organization of the key, or in the only one of the account.',
    "Where the account has several organizations, call with a key of the user's organization, or add the user with " +
      'organizations/update.',
    'Message repeats the new ids.',
    'Where the account has a sign-in, the user is invited by e-mail within a minute.',
  ],
  access: 'write',
  needs: ['table:write', 'sign-in:expect'],
  request: () => {
    const { Name, Email, ...others } = fields();
    return { Name: required(Name), Email: required(Email), ...others };
  },
  response: () => ({
    ...fields(),
    UserId: id(),
    ServiceAgentId: nullable(described(id(), 'The service agent that is created too.')),
    SignIn: extension(
      described(word(['None', 'Pending']), 'Pending: invited within a minute; None: no sign-in is connected.'),
    ),
  }),
  example: {
    Name: 'Maria Lopez',
    Email: 'maria@example.com',
    MobilePhone: '(303) 555-0144',
    CreateServiceAgent: true,
    Role: 'Office',
  },
  beforeExample: 'Take a key of one organization, or an account with only one.',
  async run({ Name: name, Email: email, MobilePhone: phone, CreateServiceAgent, Role: rank }, context) {
    const input = { Name: name, Email: email, MobilePhone: phone, CreateServiceAgent, Role: rank };
    const { user, agent, changes } = await createUser(input, context);
    const { Name, Email, MobilePhone, Role } = user;
    const created = agent ? `Created user ${user.Id} and service agent ${agent.Id}.` : `Created user ${user.Id}.`;
    const isPending = remarkOnSignIn([user], context);
    return save(changes, {
      Name,
      Email,
      MobilePhone,
      CreateServiceAgent: agent !== undefined,
      Role,
      UserId: user.Id,
      ServiceAgentId: agent?.Id ?? null,
      SignIn: isPending ? ('Pending' as const) : ('None' as const),
      Message: created,
    });
  },
});
