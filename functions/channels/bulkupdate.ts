import { operation, save } from '../../lib/api/operation.ts';
import { campaignNamesToCreate, planCampaignUpdates } from '../../lib/domain/campaigns.ts';
import { campaignUpdates } from '../../lib/resources/channels.ts';
import { required } from '../../lib/resources/fields.ts';
import { forbidden } from '../../lib/shared/failure.ts';
import { channelChanges, findChannels, splitTransactions } from '../../lib/store/channels.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';

export const bulkupdate = operation({
  name: 'channels/bulkupdate',
  summary: 'Sets budgets and actuals of campaigns, a row each, at most 1,000; campaigns that are new are made.',
  description:
    'A row names its campaign by CampaignId, or by CampaignName, which is made in the channel when it is new. BudgetAmount is for the month, or with ' +
    'BudgetType 1 for the year; ActualAmount and InvoiceUrl are for the month. What is null stays. Each row stands for itself: Results says Created ' +
    '(the campaign is new), Updated, or why nothing was done. The answer has the rows in the order of the request. For keys of the whole account.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ Updates: required(campaignUpdates()) }),
  response: () => ({ Updates: campaignUpdates() }),
  failures: ['invalid'],
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
  async run({ Updates }, { caller, table }) {
    const { accountId, organizationId } = caller;
    if (organizationId !== null)
      throw forbidden(
        `This key belongs to organization ${organizationId}; channels and their budgets are the account's.`,
      );
    const ids = Updates.flatMap(({ ChannelId }) => (ChannelId && ChannelId > 0 ? [ChannelId] : []));
    const read = await findChannels(table, accountId, ids);
    const channels = read.map(({ Value }) => Value);
    const needed = campaignNamesToCreate(Updates, channels);
    const { rows, channels: changed } = planCampaignUpdates(
      Updates,
      channels,
      needed ? await reserveIds(table, accountId, 'Campaign', needed) : [],
    );
    const transactions = splitTransactions(channelChanges(accountId, read, changed));
    // Rows are independent, so that more channels than one transaction takes may go in several; the answer is kept with the last.
    for (const changes of transactions.slice(0, -1)) await table.commit(changes);
    return save(transactions.at(-1) ?? [], { Updates: rows });
  },
});
