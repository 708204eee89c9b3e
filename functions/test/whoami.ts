import { operation } from '../../lib/api/operation.ts';
import { describeEnd, endsSoon } from '../../lib/domain/api-keys.ts';
import { OwnKey } from '../../lib/resources/keys.ts';
import { toUtc } from '../../lib/shared/time/time.ts';
import { findRecentOrganization } from '../../lib/store/organizations/organizations.ts';
import { agentsOf } from '../../lib/store/organizations/service-agents.ts';

export const whoami = operation({
  title: 'Show what the key is and may do',
  summary: 'Tells which key calls, whose it is, what it may do, how often, from where, and until when.',
  rules: [
    'Every valid key may call it, whatever its role and Allow: a key may always learn what it is itself.',
    'Neither the secret of the key nor anything of other keys is in the answer.',
    'Message says when the key ends, from 60 days before.',
    'A change, like that of the name of its organization, shows within 60 seconds.',
  ],
  access: 'read',
  isForEveryKey: true,
  response: () => OwnKey.shape(),
  async run(_, { store, key, now }) {
    const { OrganizationId: organizationId, AgentId, CreatedAt, ExpiresAt } = key;
    const [organization, agents] = await Promise.all([
      organizationId === null ? undefined : findRecentOrganization(store, organizationId),
      organizationId === null || AgentId === null ? undefined : agentsOf(store, organizationId),
    ]);
    return {
      Public: key.Public,
      Name: key.Name,
      Role: key.Role,
      AccountId: store.account,
      Organization: organizationId === null ? null : { Id: organizationId, Name: organization?.PublicName ?? '' },
      Agent: AgentId === null ? null : { Id: AgentId, Name: agents?.get(AgentId)?.Name ?? '' },
      Allow: key.Allow,
      ReadOnly: key.ReadOnly,
      Assistant: key.Assistant,
      From: key.From,
      Rate: key.Rate,
      Burst: key.Burst,
      InFlight: key.InFlight,
      Subscriber: key.Subscriber,
      DateStyle: key.DateStyle,
      Lenient: key.Lenient,
      Channel: key.Channel,
      Campaign: key.Campaign,
      Feed: key.Feed,
      CreatedAt: toUtc(CreatedAt),
      ExpiresAt: ExpiresAt === null ? null : toUtc(ExpiresAt),
      Message: endsSoon(key, now.getTime()) ? `This key ${describeEnd(key, now.getTime())}. Ask for a new one.` : '',
    };
  },
});
