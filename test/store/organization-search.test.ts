import { beforeAll, describe, expect, test } from 'vitest';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import {
  type OrganizationCriteria,
  newOrganizationChanges,
  searchOrganizations,
} from '../../lib/store/organizations/organizations.ts';
import { chunks } from '../../lib/store/dynamodb/table.ts';
import { loadOrganizationDetails } from '../../lib/workflows/organizations/load-organization.ts';
import { testAccount, testTable } from '../support/stack/stack.ts';
import { type CallerScope, accountStore, storeOf } from '../../lib/store/store.ts';
import { listReader } from '../support/list-readers.ts';

const COUNT = 600;
const everything: OrganizationCriteria = {
  publicName: undefined,
  internalName: undefined,
  locationId: undefined,
  postalCode: undefined,
  includeInactive: false,
};

describe(`${COUNT} organizations`, () => {
  let caller: CallerScope;
  beforeAll(async () => {
    const { accountId } = await testAccount({ organizationName: 'Zzz' });
    caller = { account: accountId, organizationId: null, reader: listReader('one') };
    const changes = Array.from({ length: COUNT - 1 }, (_, index) =>
      newOrganizationChanges(
        { account: accountId },
        { Id: index + 2, PublicName: `Green Lawn ${String(index).padStart(4, '0')}`, LocationID: `L${index}` },
      ),
    );
    const items = changes
      .flat()
      .map((change) => ('put' in change ? change.put : undefined))
      .filter((item): item is Item => item !== undefined);
    const patient = testTable().until(Date.now() + 60_000);
    for (const some of chunks(items, 500)) await patient.putMany(some);
  });

  /** The names on a page of 100, and its cost. */
  async function page(criteria: Partial<OrganizationCriteria>, skip: number) {
    const table = testTable();
    const { records: found } = await searchOrganizations(
      storeOf(table, caller),
      { ...everything, ...criteria },
      { skip, take: 100 },
    );
    await loadOrganizationDetails(accountStore(table, caller.account), found);
    const { rounds, readUnits } = table.meter.usage;
    return { names: found.map(({ PublicName }) => PublicName), rounds, readUnits };
  }

  test.each([
    ['all of them', {}],
    ['those of a name that all have', { publicName: 'green' }],
    ['those of a later word', { publicName: 'lawn' }],
  ])('%s: every page costs the same, and every organization is listed once', async (_, criteria) => {
    const pages = [];
    for (let skip = 0; skip < COUNT; skip += 100) pages.push(await page(criteria, skip));
    const names = pages.flatMap((one) => one.names);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe('publicName' in criteria ? COUNT - 1 : COUNT);
    expect(names).toEqual([...names].sort());
    for (const { rounds, readUnits } of pages)
      expect([rounds <= 4, readUnits <= 60], `${rounds} rounds, ${readUnits} units`).toEqual([true, true]);
    expect(Math.max(...pages.slice(1).map(({ readUnits }) => readUnits))).toBeLessThanOrEqual(
      (pages[1]?.readUnits ?? 0) + 10,
    );
  });

  test('one by LocationId takes two reads and no list', async () => {
    const { names, rounds, readUnits } = await page({ locationId: 'l77' }, 0);
    expect([names, rounds <= 3, readUnits <= 4]).toEqual([['Green Lawn 0077'], true, true]);
  });
});
