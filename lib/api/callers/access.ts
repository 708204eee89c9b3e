import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { forbidden } from '../../shared/failure.ts';
import type { Role } from '../../shared/roles.ts';
import type { Operation } from '../operation.ts';

/**
 * What a key may call, by its role, its restrictions and its organization.
 */

type Target = Pick<Operation, 'group' | 'operation' | 'access'>;

const inGroups =
  (...groups: string[]) =>
  ({ group }: Target) =>
    groups.includes(group);
const groupsOfAdmins = inGroups('webhooks');
const subscriberGroups = inGroups('datasubscriber', 'download');
const reads = (target: Target) => target.access === 'read' && !subscriberGroups(target) && !groupsOfAdmins(target);

const officeGroups = inGroups('contacts', 'appointments', 'proposal', 'invoice', 'payment', 'task', 'blogs');
const marketingGroups = inGroups('contacts', 'channels', 'blogs', 'settings');
const agentOperations = new Set([
  'appointments/update',
  'appointments/addtip',
  'appointments/feedback',
  'contacts/addnote',
  'contacts/upload',
  'contacts/logcall',
  'task/complete',
  'task/update',
]);

const rules: Record<Role, (target: Target) => boolean> = {
  Owner: () => true,
  Admin: ({ access }) => access !== 'admin',
  Office: (target) => reads(target) || (target.access === 'write' && officeGroups(target)),
  ServiceAgent: (target) => reads(target) || agentOperations.has(`${target.group}/${target.operation}`),
  Marketing: (target) => target.access !== 'admin' && marketingGroups(target),
  DataSubscriber: (target) => reads(target) || (target.access !== 'admin' && subscriberGroups(target)),
  ReadOnly: reads,
};

/**
 * What a service agent's key may call: operations on contacts of the agent's visits and what is theirs, and lists of
 * the company without persons. An operation that is added is not among them until somebody decides that.
 */
const operationsOfAgents = new Set([
  ...agentOperations,
  'appointments/find',
  'appointments/query',
  'appointments/slotsearch',
  'cancelreasons/all',
  'contacts/listtags',
  'contacts/locate',
  'customfields/all',
  'invoice/get',
  'invoice/query',
  'part/details',
  'part/getdimension',
  'part/getpartdimensions',
  'payment/query',
  'proposal/alltemplates',
  'proposal/details',
  'proposal/query',
  'proposal/quote',
  'services/all',
  'services/details',
  'settings/features',
  'settings/namedtaxrates',
  'task/query',
  'test/echo',
  'test/whoami',
]);

/** Whether a key may call an operation. */
export const mayCall = ({ Role, AgentId }: Pick<ApiKeyRecord, 'Role' | 'AgentId'>, target: Target): boolean =>
  allows(Role, target) && (AgentId === null || operationsOfAgents.has(`${target.group}/${target.operation}`));

/** Whether a role may call an operation. Every role may call the operations that try a key out. */
export const allows = (role: Role, target: Target): boolean => target.group === 'test' || rules[role](target);

const rolesFor = (target: Target): string =>
  (Object.keys(rules) as Role[]).filter((role) => allows(role, target)).join(', ');

/** Throws 403 where the key was made for other operations. */
export function checkRestrictions(
  { Allow, ReadOnly }: Pick<ApiKeyRecord, 'Allow' | 'ReadOnly'>,
  { name, access, isForEveryKey }: Pick<Operation, 'name' | 'access' | 'isForEveryKey'>,
): void {
  if (isForEveryKey) return;
  const isAllowed = (pattern: string) =>
    pattern === name || (pattern.endsWith('/*') && name.startsWith(pattern.slice(0, -1)));
  if (Allow.length && !Allow.some(isAllowed))
    throw forbidden('key_restricted', `This key may not call ${name}. It was created for: ${Allow.join(', ')}.`);
  if (ReadOnly && access !== 'read')
    throw forbidden('key_restricted', `This key may only read, and ${name} changes something.`);
}

/** Throws 403 where the key's role or organization does not allow the call. */
export function authorize(operation: Operation, key: ApiKeyRecord, body: Record<string, unknown>) {
  const { Role, OrganizationId } = key;
  if (!allows(Role, operation))
    throw forbidden(
      'role_forbidden',
      `A key of role ${Role} may not call ${operation.name}. Keys of these roles may: ${rolesFor(operation)}.`,
    );
  if (!mayCall(key, operation))
    throw forbidden(
      'agent_forbidden',
      `The key of a service agent may not call ${operation.name}. Use a key that is of no agent.`,
    );
  checkRestrictions(key, operation);
  const requested = body['OrganizationId'];
  const isOther = typeof requested === 'number' && requested !== 0 && requested !== OrganizationId;
  if (OrganizationId !== null && isOther && 'OrganizationId' in operation.request())
    throw forbidden(
      'organization_forbidden',
      `This key is bound to organization ${OrganizationId}. Leave OrganizationId out, or use a key of the account.`,
      'OrganizationId',
    );
}
