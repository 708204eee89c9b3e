import { expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { allows, mayCall } from '../../lib/api/callers/keys.ts';
import { roles } from '../../lib/shared/roles.ts';
import { permissions } from '../support/stack/permissions.ts';
import contract from './contract.json' with { type: 'json' };

test.each(permissions.map((permission) => [permission.name, permission] as const))(
  '%s is open to the roles of the table and to no others',
  (name, { access, roles: expected }) => {
    const [group = '', operation = ''] = name.split('/');
    expect(roles.filter((role) => allows(role, { group, operation, access }))).toEqual(expected);
  },
);

test.each(permissions.map((permission) => [permission.name, permission] as const))(
  "%s is open to a service agent's key as the table decides, and to no other role of such a key",
  (name, { access, agentKey }) => {
    const [group = '', operation = ''] = name.split('/');
    const target = { group, operation, access };
    expect(['visits', 'company', '-']).toContain(agentKey);
    expect(mayCall({ Role: 'ServiceAgent', AgentId: 7 }, target)).toBe(agentKey !== '-');
    expect(roles.filter((role) => agentKey === '-' && mayCall({ Role: role, AgentId: 7 }, target))).toEqual([]);
  },
);

test('the table has every operation of the contract, and our own', () => {
  const served = groups.flatMap((group) => group.operations).map(({ name }) => name);
  const names = new Set([...Object.keys(contract.operations), ...served]);
  expect(permissions.map(({ name }) => name)).toEqual([...names].toSorted());
});

test('every operation declares the access of the table', () => {
  const operations = groups.flatMap((group) => group.operations);
  expect(operations.length).toBeGreaterThan(60);
  const access = new Map(permissions.map((permission) => [permission.name, permission.access]));
  expect(operations.map((operation) => [operation.name, operation.access])).toEqual(
    operations.map(({ name }) => [name, access.get(name)]),
  );
});
