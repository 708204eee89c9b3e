import type { OrganizationRecord } from '../../domain/organizations.ts';
import { type ServiceAgentRecord, findDuplicateAgent, blankAgent } from '../../domain/service-agents.ts';
import { type UserInput, type UserRecord, blankUser, applyUserInput } from '../../domain/users.ts';
import { normalizeEmail } from '../../shared/emails.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { versionedChange } from '../../store/dynamodb/records.ts';
import { layout } from '../../store/keys.ts';
import { listAgents, agentChanges } from '../../store/service-agents.ts';
import { findEmailOwners, userChanges } from '../../store/users.ts';

/** What becomes of a new user. */
export type UserCreation =
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'taken'; readonly message: string }
  | {
      readonly kind: 'made';
      readonly user: UserRecord;
      readonly agent: ServiceAgentRecord | undefined;
      readonly changes: readonly Change[];
    };

/**
 * A new user of an organization, and with `withAgent` the service agent of the same name; both in one transaction, or
 * neither.
 */
export async function createUser(
  table: TableWriter,
  account: string,
  organization: OrganizationRecord,
  { input, withAgent, now }: { input: Omit<UserInput, 'Id'>; withAgent: boolean; now: Date },
): Promise<UserCreation> {
  const [agents, owners, [Id = 0], [agentId = 0]] = await Promise.all([
    withAgent ? listAgents(table, account, organization.Id) : [],
    findEmailOwners(table, account, [input.Email ?? '']),
    reserveIds(table, account, 'User', 1),
    withAgent ? reserveIds(table, account, 'ServiceAgent', 1) : [],
  ]);
  const of = { OrganizationId: organization.Id, Created: now.getTime() };
  const { user, errors } = applyUserInput(blankUser({ Id, ...of }), input, { agentIds: new Set() });
  if (errors.length) return { kind: 'invalid', errors };
  const owner = owners.get(normalizeEmail(user.Email));
  if (owner)
    return {
      kind: 'taken',
      message: `User ${owner.Id} of organization ${owner.OrganizationId} has the e-mail address ${user.Email}.`,
    };

  const { Name, Email, MobilePhone } = user;
  const agent = withAgent ? blankAgent({ Id: agentId, ...of, Name, Email, MobilePhone }) : undefined;
  const double = agent && findDuplicateAgent(agent, agents);
  if (double)
    return {
      kind: 'taken',
      message: `${double.field} ${double.message}: a second service agent cannot be made of it.`,
    };

  const writing = userChanges(account, undefined, { ...user, ServiceAgentId: agent?.Id ?? null });
  const agentWriting = agent && agentChanges(account, undefined, agent);
  const after = { ...organization, UserIds: [...organization.UserIds, Id] };
  const { change } = versionedChange('Organization', layout.organization.key({ account, id: organization.Id }), {
    before: organization,
    after,
  });
  return {
    kind: 'made',
    user: writing.record,
    agent: agentWriting?.record,
    changes: [change, ...writing.changes, ...(agentWriting ? [agentWriting.change] : [])],
  };
}
