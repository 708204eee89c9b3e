import type { CostRow } from './cost-rows.ts';

const one = { OrganizationId: 1 };
const codes = Array.from({ length: 5_000 }, (_, index) => String(20_000 + index)).join(',');
const classCodes = (run: number) => Array.from({ length: 100 }, (_, index) => String(62_000 + run + index));

/** A user and a class, of which the second time, at another size of the account, there is one already. */
const peopled: CostRow['body'] = async (run, call) => {
  if (run === 0) await call('user/create', { Name: 'Ana Ruiz', Email: 'ana@example.com' });
  if (run === 0) await call('accountingclasses/create', { Name: 'North', PostalCodes: classCodes(0) });
  return one;
};

/**
 * What makes an organization, user or class is left out: the rows run again for every size, and would find more of them
 * each time.
 */
export const organizationRows: readonly CostRow[] = [
  {
    name: 'organizations/details',
    operation: 'organizations/details',
    body: peopled,
    budget: { rounds: 2, readUnits: 16, writeUnits: 0 },
  },
  {
    name: 'organizations/figures, 13 months',
    operation: 'organizations/figures',
    body: () => one,
    budget: { rounds: 2, readUnits: 5, writeUnits: 0 },
  },
  {
    name: 'organizations/query',
    operation: 'organizations/query',
    body: () => ({}),
    budget: { rounds: 3, readUnits: 6, writeUnits: 0 },
  },
  {
    name: 'datasubscriber/postalcodes',
    operation: 'datasubscriber/postalcodes',
    body: () => ({}),
    budget: { rounds: 2, readUnits: 6, writeUnits: 0 },
  },
  {
    name: 'datasubscriber/forecasts',
    operation: 'datasubscriber/forecasts',
    body: () => ({}),
    budget: { rounds: 3, readUnits: 6, writeUnits: 0 },
  },
  {
    name: 'organizations/update, a field',
    operation: 'organizations/update',
    body: (run) => ({ ...one, TaxpayerID: `00-${run}` }),
    budget: { rounds: 3, readUnits: 16, writeUnits: 8 },
  },
  {
    name: 'organizations/update, 5,000 postal codes',
    operation: 'organizations/update',
    body: async (_, call) => {
      await call('organizations/update', { ...one, PostalCodes: null });
      return { ...one, PostalCodes: codes };
    },
    budget: { rounds: 4, readUnits: 60, writeUnits: 200 },
  },
  {
    name: 'organizations/update, giving them up',
    operation: 'organizations/update',
    body: async (_, call) => {
      await call('organizations/update', { ...one, PostalCodes: codes });
      return { ...one, PostalCodes: null };
    },
    budget: { rounds: 4, readUnits: 60, writeUnits: 200 },
  },
  {
    name: 'serviceagents/all',
    operation: 'serviceagents/all',
    body: () => ({}),
    budget: { rounds: 1, readUnits: 6, writeUnits: 0 },
  },
  { name: 'user/all', operation: 'user/all', body: () => ({}), budget: { rounds: 1, readUnits: 2, writeUnits: 0 } },
  {
    name: 'users/bulkenablemfa',
    operation: 'users/bulkenablemfa',
    body: () => ({ UserIds: [1] }),
    budget: { rounds: 2, readUnits: 4, writeUnits: 4 },
  },
  {
    name: 'accountingclasses/update, 100 codes',
    operation: 'accountingclasses/update',
    body: (run) => ({ Name: 'North', PostalCodes: classCodes(run) }),
    budget: { rounds: 4, readUnits: 8, writeUnits: 16 },
  },
  {
    name: 'accountingclasses/get',
    operation: 'accountingclasses/get',
    body: () => ({}),
    budget: { rounds: 1, readUnits: 2, writeUnits: 0 },
  },
];
