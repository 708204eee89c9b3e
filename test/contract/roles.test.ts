import { expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import type { Access } from '../../lib/api/operation.ts';
import { allows } from '../../lib/api/roles.ts';
import { type Role, roles } from '../../lib/store/caller.ts';
import contract from './contract.json' with { type: 'json' };

const everyone = roles;
const office: Role[] = ['Owner', 'Admin', 'Office'];
const readers: Role[] = ['Owner', 'Admin', 'Office', 'ServiceAgent', 'DataSubscriber', 'ReadOnly'];

/** Section 2 of docs/interface.md, an operation a line. */
const table: [operation: string, access: Access, may: readonly Role[]][] = [
  ['test/echo', 'read', everyone],
  ['contacts/locate', 'read', everyone],
  ['contacts/listtags', 'read', everyone],
  ['contacts/addupdate', 'write', [...office, 'Marketing']],
  ['contacts/addtags', 'write', [...office, 'Marketing']],
  ['contacts/removetags', 'write', [...office, 'Marketing']],
  ['contacts/addnote', 'write', [...office, 'ServiceAgent', 'Marketing']],
  ['contacts/logcall', 'write', [...office, 'ServiceAgent', 'Marketing']],
  ['contacts/upload', 'write', [...office, 'ServiceAgent', 'Marketing']],
  ['datasubscriber/fetch', 'read', ['Owner', 'Admin', 'DataSubscriber']],
  ['datasubscriber/clear', 'write', ['Owner', 'Admin', 'DataSubscriber']],
  ['datasubscriber/forecasts', 'read', ['Owner', 'Admin', 'DataSubscriber']],
  ['download/startdownload', 'write', ['Owner', 'Admin', 'DataSubscriber']],
  ['appointments/query', 'read', readers],
  ['appointments/book', 'write', office],
  ['appointments/cancel', 'write', office],
  ['appointments/queue', 'write', office],
  ['appointments/quickbook', 'write', office],
  ['appointments/update', 'write', [...office, 'ServiceAgent']],
  ['appointments/addtip', 'write', [...office, 'ServiceAgent']],
  ['appointments/feedback', 'write', [...office, 'ServiceAgent']],
  ['proposal/create', 'write', office],
  ['proposal/update', 'write', office],
  ['proposal/accept', 'write', office],
  ['invoice/import', 'write', office],
  ['payment/import', 'write', office],
  ['task/create', 'write', office],
  ['task/update', 'write', [...office, 'ServiceAgent']],
  ['task/complete', 'write', [...office, 'ServiceAgent']],
  ['blogs/find', 'read', everyone],
  ['channels/bulkupdate', 'write', ['Owner', 'Admin', 'Marketing']],
  ['settings/features', 'read', everyone],
  ['accountingclasses/create', 'write', ['Owner', 'Admin']],
  ['accountingclasses/update', 'write', ['Owner', 'Admin']],
  ['organizations/update', 'write', ['Owner', 'Admin']],
  ['organizations/query', 'read', readers],
  ['organizations/create', 'admin', ['Owner']],
  ['organizations/cancel', 'admin', ['Owner']],
  ['users/bulkenablemfa', 'admin', ['Owner']],
  ['users/bulkdisablemfa', 'admin', ['Owner']],
  ['users/bulkresetmfa', 'admin', ['Owner']],
  ['user/create', 'write', ['Owner', 'Admin']],
];

test.each(table)('%s is open to the roles that the interface names', (name, access, may) => {
  expect(contract.operations).toHaveProperty([name]);
  const [group = '', operation = ''] = name.split('/');
  const allowed = roles.filter((role) => allows(role, { group, operation, access }));
  expect(allowed).toEqual(roles.filter((role) => may.includes(role)));
});

test('the table tells of every operation that writes, as its definition says', () => {
  const told = new Map(table.map(([name, access]) => [name, access]));
  const untold = groups
    .flatMap((group) => group.operations)
    .filter(({ name, access }) => access !== (told.get(name) ?? 'read'));
  expect(untold.map(({ name, access }) => `${name} ${access}`)).toEqual([]);
});
