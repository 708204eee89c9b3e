import { type UserRecord, userEntity } from '../../entities/users.ts';
import { type ServiceAgentRecord, serviceAgentEntity } from '../../entities/service-agents.ts';
import { type OrganizationRecord, organizationEntity } from '../../entities/organizations.ts';
import { LIST_LIMITS, type ListLimit, describeLimit, exceedsLimit } from '../../domain/list-limits.ts';
import { findDuplicateAgent } from '../../domain/service-agents.ts';
import { type UserInput, applyUserInput, emailTakenMessage, rankError } from '../../domain/users.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { conflict, forbidden, invalid } from '../../shared/failure.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { versionedChange, reserveIds } from '../../store/dynamodb/records.ts';
import { layout } from '../../store/keys.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { agentChanges, listAgents } from '../../store/organizations/service-agents.ts';
import { findEmailOwners, userChanges } from '../../store/organizations/users.ts';
import type { WriteContext } from '../context.ts';

type Context = Pick<WriteContext, 'store' | 'caller' | 'now'>;
type NewUserInput = Omit<UserInput, 'Id'> & { readonly CreateServiceAgent?: boolean | null | undefined };

interface NewUser {
  readonly user: UserRecord;
  readonly agent: ServiceAgentRecord | undefined;
  readonly changes: readonly Change[];
}

/** Creates a user, and with CreateServiceAgent an agent with the same name. Throws invalid or conflict. */
export async function createUser(input: NewUserInput, context: Context): Promise<NewUser> {
  const { store, now } = context;
  const organization = await loadOrganization(context);
  const identity = { OrganizationId: organization.Id, Created: now.getTime() };
  const withAgent = input.CreateServiceAgent ?? false;
  const [agents, owners, [Id = 0], [agentId = 0]] = await Promise.all([
    withAgent ? listAgents(store, organization.Id) : [],
    findEmailOwners(store, organization.Id, [input.Email ?? '']),
    reserveIds(store, 'User', 1),
    withAgent ? reserveIds(store, 'ServiceAgent', 1) : [],
  ]);

  const { user, errors } = applyUserInput(userEntity.blank({ Id, ...identity }), input, new Set());
  if (errors.length) throw invalid(...errors);
  const tooHigh = rankError(context.caller.role, undefined, user);
  if (tooHigh) throw forbidden('role_forbidden', tooHigh, 'Role');
  const owner = owners.get(normalizeEmail(user.Email));
  if (owner !== undefined) throw conflict('already_exists', emailTakenMessage(owner, user.Email));

  if (organization.UserIds.length >= LIST_LIMITS.users.entries) throw fullConflict('users', LIST_LIMITS.users);
  const { Name, Email, MobilePhone } = user;
  const agent = withAgent
    ? serviceAgentEntity.blank({ Id: agentId, ...identity, Name, Email, MobilePhone })
    : undefined;
  const duplicate = agent && findDuplicateAgent(agent, agents);
  if (duplicate)
    throw conflict(
      'already_exists',
      `${duplicate.field} ${duplicate.message}. Repeat the call without CreateServiceAgent.`,
    );

  if (agent && exceedsLimit(LIST_LIMITS.serviceAgents, agents, [...agents, agent]))
    throw fullConflict('service agents', LIST_LIMITS.serviceAgents);

  const savedUser = userChanges(store, undefined, { ...user, ServiceAgentId: agent?.Id ?? null });
  const savedAgent = agent && agentChanges(store, undefined, agent);
  const after = { ...organization, UserIds: [...organization.UserIds, Id] };
  const key = layout.organization.key({ account: store.account, id: organization.Id });
  const { change } = versionedChange(organizationEntity, key, { before: organization, after });
  return {
    user: savedUser.record,
    agent: savedAgent?.record,
    changes: [change, ...savedUser.changes, ...(savedAgent ? [savedAgent.change] : [])],
  };
}

const fullConflict = (people: string, limit: ListLimit) =>
  conflict('limit_reached', `The organization has as many ${people} as it may have: ${describeLimit(limit)}.`);

/** The key's own organization, or the only one of the account. */
async function loadOrganization({ store, caller }: Context): Promise<OrganizationRecord> {
  const id = caller.organizationId ?? (await findOnlyOrganization(store));
  const organization = id === undefined ? undefined : await findOrganization(store, id);
  if (organization) return organization;
  const message =
    "must be a key of the user's organization, because the account has several. " +
    'Or add the user with organizations/update';
  throw invalid({ field: 'ApiKey', code: 'ambiguous', message });
}
