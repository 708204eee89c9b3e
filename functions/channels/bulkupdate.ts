import { operation, save } from '../../lib/api/operation.ts';
import { campaignNamesToCreate, planCampaignUpdates } from '../../lib/domain/campaigns.ts';
import { campaignUpdates } from '../../lib/resources/channels.ts';
import { required } from '../../lib/resources/fields.ts';
import { forbidden } from '../../lib/shared/failure.ts';
import { channelTransactions, listChannels } from '../../lib/store/organizations/channels.ts';
import { reserveIds } from '../../lib/store/dynamodb/records.ts';

export const bulkupdate = operation({
  title: 'Change channels',
  summary: 'Sets budgets and actuals of campaigns in up to 1,000 rows; creates campaigns with new names.',
  rules: [
    'A row names its campaign by CampaignId, or by CampaignName, which creates the campaign if the channel does not ' +
      'have it.',
    'BudgetAmount is for the month, or with BudgetType 1 for the year. ActualAmount and InvoiceUrl are for the ' +
      'month.',
    'A field that is null stays as it is.',
    'Rows are independent, and the response has them in the same order.',
    'Results is Created (a new campaign), Updated, or the reason why the row is invalid.',
    'Only keys of the whole account may call it.',
  ],
  access: 'write',
  maxBody: 1 * 1024 * 1024,
  request: () => ({ Updates: required(campaignUpdates()) }),
  response: () => ({ Updates: campaignUpdates() }),
  document: () => ({ fields: { Updates: 'Required in a row: ChannelId, CampaignId or CampaignName, and Year.' } }),
  example: {
    Updates: [
      {
        ChannelId: 1,
        CampaignName: 'Spring postcards',
        Year: 2026,
        Month: 3,
        BudgetAmount: 1500,
        BudgetType: 0,
        ActualAmount: 1432.5,
      },
    ],
  },
  async run({ Updates }, { store, caller }) {
    const { organizationId } = caller;
    if (organizationId !== null)
      throw forbidden(
        'organization_forbidden',
        `This key belongs to organization ${organizationId}; channels belong to the account.`,
      );
    const read = await listChannels(store);
    const channels = read.map(({ Value }) => Value);
    const newCount = campaignNamesToCreate(Updates, channels);
    const newIds = newCount ? await reserveIds(store, 'Campaign', newCount) : [];
    const plan = planCampaignUpdates(Updates, channels, newIds);
    const transactions = channelTransactions(store, read, plan.channels);
    // Rows are independent, so they may need several transactions. The response is saved with the last one.
    for (const changes of transactions.slice(0, -1)) await store.table.commit(changes);
    return save(transactions.at(-1) ?? [], { Updates: plan.rows });
  },
});
