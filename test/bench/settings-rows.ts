import type { CostRow } from './cost-rows.ts';

const read = { rounds: 1, writeUnits: 0 };
const list = (operation: string, readUnits: number): CostRow => ({
  name: operation,
  operation,
  body: () => ({}),
  budget: { ...read, readUnits },
});

/** The radius is measured from a start address, which the account has from then on. */
const located: CostRow['body'] = async (run, call) => {
  if (run === 0) await call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '62701' }, Radius: 40 });
  return {};
};

/** A year of budgets of every campaign of every channel. */
const budgets = (run: number) =>
  Array.from({ length: 480 }, (_, index) => ({
    ChannelId: 1 + (index % 8),
    CampaignName: `Campaign ${Math.floor(index / 8) % 5}`,
    Year: 2027,
    Month: 1 + Math.floor(index / 40),
    BudgetAmount: run,
  }));

export const settingsRows: readonly CostRow[] = [
  ...['settings/channels', 'settings/channelcampaigns', 'channels/campaigns', 'channels/all'].map((operation) =>
    list(operation, 30),
  ),
  ...[
    'settings/features',
    'settings/leadsourcecategories',
    'settings/namedtaxrates',
    'cancelreasons/all',
    'customfields/all',
  ].map((operation) => list(operation, 1)),
  {
    name: 'settings/radiuscities',
    operation: 'settings/radiuscities',
    body: located,
    budget: { ...read, readUnits: 2 },
  },
  {
    name: 'settings/radiuspostalcodes',
    operation: 'settings/radiuspostalcodes',
    body: located,
    budget: { ...read, readUnits: 2 },
  },
  {
    name: 'channels/bulkupdate, one row',
    operation: 'channels/bulkupdate',
    body: (run) => ({ Updates: budgets(run).slice(0, 1) }),
    // Twice 5 KB and 1 KB: the channel and the revision of the lists are one transaction.
    budget: { rounds: 2, readUnits: 24, writeUnits: 12 },
  },
  {
    name: 'channels/bulkupdate, 480 rows',
    operation: 'channels/bulkupdate',
    body: (run) => ({ Updates: budgets(run) }),
    budget: { rounds: 2, readUnits: 24, writeUnits: 110 },
  },
  {
    name: 'blogs/find of 200, 100 shown',
    operation: 'blogs/find',
    body: () => ({}),
    budget: { rounds: 2, readUnits: 120, writeUnits: 0 },
  },
  {
    name: 'blogs/find by a word',
    operation: 'blogs/find',
    body: () => ({ NameSearch: '150' }),
    budget: { rounds: 2, readUnits: 10, writeUnits: 0 },
  },
  {
    name: 'blogs/get by id',
    operation: 'blogs/get',
    body: () => ({ IdSearch: '1' }),
    budget: { ...read, readUnits: 1 },
  },
  {
    name: 'blogs/get by slug',
    operation: 'blogs/get',
    body: () => ({ IdSearch: 'article-0' }),
    budget: { rounds: 2, readUnits: 2, writeUnits: 0 },
  },
];
