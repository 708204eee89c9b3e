import type { Campaign, Channel } from '../../resources/channels.ts';
import { column, decimals, integers, texts } from './columns.ts';
import { defineKind, isOfYear } from './kind.ts';

interface BudgetRow {
  readonly channel: Channel;
  readonly campaign: Campaign;
  readonly Year: number;
  readonly Month: number | null;
  readonly Type: string;
  readonly Budget: number | null;
  readonly Actual: number | null;
  readonly InvoiceUrl: string;
}

/** A row for each budget, with the cost of its month, and one for each month with a cost but no monthly budget. */
function budgetRows(channel: Channel, campaign: Campaign): BudgetRow[] {
  const at = (year: number, month: number | null) => `${year}#${month}`;
  const actuals = new Map(campaign.CampaignActuals.map((actual) => [at(actual.Year, actual.Month), actual]));
  const budgets = campaign.CampaignBudgets.map(({ Budget, Type, Year, Month }): BudgetRow => {
    const actual = actuals.get(at(Year, Month));
    actuals.delete(at(Year, Month));
    return {
      channel,
      campaign,
      Year,
      Month,
      Type: Type === 1 ? 'Yearly' : 'Monthly',
      Budget,
      Actual: actual?.Amount ?? null,
      InvoiceUrl: actual?.InvoiceUrl ?? '',
    };
  });
  const others = [...actuals.values()].map(({ Amount, Year, Month, InvoiceUrl }): BudgetRow => ({
    channel,
    campaign,
    Year,
    Month,
    Type: '',
    Budget: null,
    Actual: Amount,
    InvoiceUrl,
  }));
  return [...budgets, ...others].sort((one, other) => one.Year - other.Year || (one.Month ?? 0) - (other.Month ?? 0));
}

/** The campaigns of all channels by id, each with its channel. */
interface CampaignRecord {
  readonly Id: number;
  readonly channel: Channel;
  readonly campaign: Campaign;
}

const campaignsOf = (channels: readonly Channel[]): CampaignRecord[] =>
  channels
    .flatMap((channel) => channel.Campaigns.map((campaign) => ({ Id: campaign.Id, channel, campaign })))
    .sort((one, other) => one.Id - other.Id);

export const campaignBudgets = defineKind<BudgetRow, CampaignRecord>({
  kind: 'campaignbudgets',
  rows: 'A budget of a campaign for a month or a year, or its cost in a month without budget.',
  settings: 'CampaignBudgets',
  source: 'Channel',
  entity: undefined,
  attributes: [],
  moments: {},
  organizationOf: () => null,
  fromChannels: campaignsOf,
  items: ({ channel, campaign }, filter) => budgetRows(channel, campaign).filter(({ Year }) => isOfYear(filter, Year)),
  columns: [
    column('integer')('Id', ({ item }) => item.campaign.Id, 'the id of the campaign'),
    column('integer')('CampaignId', ({ item }) => item.campaign.Id),
    column('text')('Campaign', ({ item }) => item.campaign.Name),
    column('flag')('Active', ({ item }) => item.campaign.Active),
    column('integer')('ChannelId', ({ item }) => item.channel.Id),
    column('text')('Channel', ({ item }) => item.channel.Name),
    ...integers<BudgetRow>('Year', 'Month'),
    column('text')('BudgetType', ({ item }) => item.Type, 'Monthly or Yearly'),
    ...decimals<BudgetRow>('Budget', 'Actual'),
    ...texts<BudgetRow>('InvoiceUrl'),
  ],
});

interface ChannelRow {
  readonly channel: Channel;
  readonly campaign: Campaign | undefined;
}

export const channelsCampaigns = defineKind<ChannelRow, Channel>({
  kind: 'channelscampaigns',
  rows: 'A campaign of a channel; a channel without campaigns has one row with empty campaign columns.',
  settings: 'ChannelsCampaigns',
  source: 'Channel',
  entity: undefined,
  attributes: [],
  moments: {},
  organizationOf: () => null,
  items: (channel) =>
    channel.Campaigns.length
      ? channel.Campaigns.toSorted((one, other) => one.Id - other.Id).map((campaign) => ({ channel, campaign }))
      : [{ channel, campaign: undefined }],
  columns: [
    column('integer')('Id', ({ item }) => item.channel.Id, 'the id of the channel'),
    column('integer')('ChannelId', ({ item }) => item.channel.Id),
    column('text')('Channel', ({ item }) => item.channel.Name),
    column('text')('ChannelDescription', ({ item }) => item.channel.Description),
    column('integer')('CampaignId', ({ item }) => item.campaign?.Id),
    column('text')('Campaign', ({ item }) => item.campaign?.Name),
    column('text')('CampaignDescription', ({ item }) => item.campaign?.Description),
    column('flag')('Active', ({ item }) => item.campaign?.Active),
  ],
});
