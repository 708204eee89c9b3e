import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { forbidden } from '../../shared/failure.ts';
import type { Role } from '../../store/requests/caller.ts';
import type { Operation } from '../operation.ts';

type Target = Pick<Operation, 'group' | 'operation' | 'access'>;

const inGroups =
  (...groups: string[]) =>
  ({ group }: Target) =>
    groups.includes(group);
const reads = ({ access, group }: Target) => access === 'read' && group !== 'datasubscriber' && group !== 'download';

const officeGroups = inGroups('contacts', 'appointments', 'proposal', 'invoice', 'payment', 'task', 'blogs');
const marketingGroups = inGroups('contacts', 'channels', 'blogs', 'settings');
const subscriberGroups = inGroups('datasubscriber', 'download');
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

/** Whether a role may call an operation. Every role may call test/echo, which tries a key out. */
export const allows = (role: Role, target: Target): boolean => target.group === 'test' || rules[role](target);

/** Throws 403 where the key's role or organization does not allow the call. */
export function authorize(operation: Operation, { Role, OrganizationId }: ApiKeyRecord, body: Record<string, unknown>) {
  if (!allows(Role, operation))
    throw forbidden('role_forbidden', `A key of role ${Role} may not call ${operation.name}.`);
  const requested = body['OrganizationId'];
  const isOther = typeof requested === 'number' && requested !== 0 && requested !== OrganizationId;
  if (OrganizationId !== null && isOther && 'OrganizationId' in operation.request())
    throw forbidden(
      'organization_forbidden',
      `This key is bound to organization ${OrganizationId}. Leave OrganizationId out, or use a key of the account.`,
      'OrganizationId',
    );
}
