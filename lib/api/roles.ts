import type { Role } from '../store/api-keys.ts';

/** What an operation is: `admin` ones change who may do what, and are the Owner's alone. */
export type Access = 'read' | 'write' | 'admin';

interface Asked {
  readonly group: string;
  readonly operation: string;
  readonly access: Access;
}

const inGroups =
  (...groups: string[]) =>
  ({ group }: Asked) =>
    groups.includes(group);
const named =
  (...names: string[]) =>
  ({ group, operation }: Asked) =>
    names.includes(`${group}/${operation}`);
const reads = ({ access, group }: Asked) => access === 'read' && group !== 'datasubscriber' && group !== 'download';
const writes = ({ access }: Asked) => access === 'write';

const officeGroups = inGroups('contacts', 'appointments', 'proposal', 'invoice', 'payment', 'task', 'blogs');
const agentOperations = named(
  'appointments/update',
  'appointments/addtip',
  'appointments/feedback',
  'contacts/addnote',
  'contacts/upload',
  'contacts/logcall',
  'task/complete',
  'task/update',
);
const marketingGroups = inGroups('contacts', 'channels', 'blogs', 'settings');
const subscriberGroups = inGroups('datasubscriber', 'download');

const table: Record<Role, (asked: Asked) => boolean> = {
  Owner: () => true,
  Admin: ({ access }) => access !== 'admin',
  Office: (asked) => reads(asked) || (writes(asked) && officeGroups(asked)),
  ServiceAgent: (asked) => reads(asked) || agentOperations(asked),
  Marketing: (asked) => asked.access !== 'admin' && marketingGroups(asked),
  DataSubscriber: (asked) => reads(asked) || (asked.access !== 'admin' && subscriberGroups(asked)),
  ReadOnly: reads,
};

/** Whether a role may call an operation. Anyone may call test/echo, which is how a key is tried out. */
export const allows = (role: Role, asked: Asked): boolean => asked.group === 'test' || table[role](asked);
