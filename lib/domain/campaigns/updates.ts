import type { Campaign, CampaignUpdate, Channel } from '../../resources/channels.ts';
import { bytesOf } from '../sizes.ts';
import { fold } from '../words.ts';
import {
  actualOf, addressFault, amountFault, blankCampaign, monthFault, MONTHLY, MOST_CHANNEL_BYTES, withActual, withBudget, yearFault, YEARLY,
} from './figures.ts';

/** A row as it came: types are right, nothing else is known of it. */
export type UpdateRow = { readonly [Name in keyof CampaignUpdate]?: CampaignUpdate[Name] | null | undefined };

/** What becomes of all rows: each as it is answered, in order, and the channels that change. */
export interface PlannedUpdates {
  readonly rows: CampaignUpdate[];
  readonly channels: readonly Channel[];
}

type Outcome = { readonly campaign: Campaign; readonly before: Campaign | undefined } | { readonly refused: string };

const named = (campaigns: readonly Campaign[], name: string): Campaign | undefined => campaigns.find(({ Name }) => fold(Name) === fold(name));
const nameOf = (row: UpdateRow): string => row.CampaignName?.trim() ?? '';

/** How many ids a plan will take at most: one a name that its channel does not have. */
export function campaignNamesToMake(rows: readonly UpdateRow[], channels: readonly Channel[]): number {
  const known = new Map(channels.map(({ Id, Campaigns }) => [Id, new Set(Campaigns.map(({ Name }) => fold(Name)))]));
  const fresh = rows.filter((row) => !row.CampaignId && nameOf(row) && known.get(row.ChannelId ?? 0)?.has(fold(nameOf(row))) === false);
  return new Set(fresh.map((row) => `${row.ChannelId}#${fold(nameOf(row))}`)).size;
}

/** The campaign a row means: by Id, which its name must not contradict, else by name; `undefined` for one that is to be made. */
function campaignOf(row: UpdateRow, { Id, Campaigns }: Channel): { campaign: Campaign | undefined } | { refused: string } {
  const name = nameOf(row);
  if (!row.CampaignId) {
    if (!name) return { refused: 'CampaignId or CampaignName is required.' };
    return name.length > 200 ? { refused: 'CampaignName must be at most 200 characters.' } : { campaign: named(Campaigns, name) };
  }
  const campaign = Campaigns.find((each) => each.Id === row.CampaignId);
  if (!campaign) return { refused: `Channel ${Id} has no campaign ${row.CampaignId}.` };
  const other = name && fold(name) !== fold(campaign.Name);
  return other ? { refused: `CampaignName is not the name of campaign ${campaign.Id}, which is ${campaign.Name}.` } : { campaign };
}

/** Why the figures of a row cannot be taken, or `undefined`. */
function faultOf(row: UpdateRow, campaign: Campaign | undefined): string | undefined {
  const { BudgetAmount, ActualAmount, InvoiceUrl, Year, Month } = row;
  const type = row.BudgetType ?? MONTHLY;
  const ofMonth = (BudgetAmount != null && type === MONTHLY) || ActualAmount != null || Boolean(InvoiceUrl);
  const checks: readonly (readonly [string, string | undefined])[] = [
    ['BudgetType', type === MONTHLY || type === YEARLY ? undefined : 'must be 0 monthly or 1 yearly'],
    ['BudgetAmount', BudgetAmount == null ? undefined : amountFault(BudgetAmount)],
    ['ActualAmount', ActualAmount == null ? undefined : amountFault(ActualAmount)],
    ['InvoiceUrl', addressFault(InvoiceUrl ?? '')],
    ['Year', ofMonth || BudgetAmount != null ? yearFault(Year) : undefined],
    ['Month', ofMonth ? monthFault(Month) : undefined],
  ];
  const faults = checks.flatMap(([field, fault]) => (fault ? [`${field} ${fault}.`] : []));
  if (faults.length) return faults.join(' ');
  if (InvoiceUrl && ActualAmount == null && !actualOf(campaign, Year ?? 0, Month ?? 0)) return `InvoiceUrl needs ActualAmount: month ${Month} of ${Year} has none yet.`;
  const nothing = BudgetAmount == null && ActualAmount == null && InvoiceUrl == null;
  return nothing && campaign ? 'BudgetAmount, ActualAmount or InvoiceUrl is required.' : undefined;
}

/** The campaign with the figures of a row; InvoiceUrl absent stays, and `""` takes it away. */
function withFigures(campaign: Campaign, { BudgetAmount, BudgetType, ActualAmount, InvoiceUrl, Year, Month }: UpdateRow): Campaign {
  const Type = BudgetType ?? MONTHLY;
  const time = { Year: Year ?? 0, Month: Month ?? 0 };
  const budgeted = BudgetAmount == null ? campaign : withBudget(campaign, { Budget: BudgetAmount, Type, Year: time.Year, Month: Type === YEARLY ? null : time.Month });
  const known = actualOf(budgeted, time.Year, time.Month);
  if (ActualAmount == null && (InvoiceUrl == null || !known)) return budgeted;
  return withActual(budgeted, { Amount: ActualAmount ?? known?.Amount ?? 0, ...time, InvoiceUrl: InvoiceUrl ?? known?.InvoiceUrl ?? '' });
}

function outcomeOf(row: UpdateRow, channel: Channel, newId: number): Outcome {
  const meant = campaignOf(row, channel);
  if ('refused' in meant) return meant;
  const refused = faultOf(row, meant.campaign);
  if (refused) return { refused };
  return { campaign: withFigures(meant.campaign ?? blankCampaign(newId, nameOf(row)), row), before: meant.campaign };
}

const answered = (row: UpdateRow, Results: string, campaign?: Campaign): CampaignUpdate => ({
  ChannelId: row.ChannelId ?? 0,
  CampaignId: campaign?.Id ?? row.CampaignId ?? null,
  CampaignName: campaign?.Name ?? row.CampaignName ?? '',
  Year: row.Year ?? 0,
  Month: row.Month ?? 0,
  BudgetAmount: row.BudgetAmount ?? null,
  BudgetType: row.BudgetType ?? null,
  ActualAmount: row.ActualAmount ?? null,
  InvoiceUrl: row.InvoiceUrl ?? '',
  Results,
});

/** The channel with a campaign in its place, or at the end. */
const withCampaign = ({ Campaigns, ...channel }: Channel, campaign: Campaign, made: boolean): Channel => ({
  ...channel,
  Campaigns: made ? [...Campaigns, campaign] : Campaigns.map((each) => (each.Id === campaign.Id ? campaign : each)),
});

/**
 * Applies the rows one after another, each for itself: one that cannot be done says why in Results and hinders no other. `ids` are for new campaigns,
 * as many as `campaignNamesToMake` says. A later row of the same call finds the campaign that an earlier one made.
 */
export function planUpdates(rows: readonly UpdateRow[], channels: readonly Channel[], ids: readonly number[]): PlannedUpdates {
  const free = [...ids];
  const state = new Map(channels.map((channel) => [channel.Id, { channel, bytes: bytesOf(channel), changed: false }]));
  const results = rows.map((row) => {
    if (!row.ChannelId) return answered(row, 'ChannelId is required.');
    const at = state.get(row.ChannelId);
    if (!at) return answered(row, `There is no channel ${row.ChannelId}.`);
    const outcome = outcomeOf(row, at.channel, free[0] ?? 0);
    if ('refused' in outcome) return answered(row, outcome.refused);
    const { campaign, before } = outcome;
    const bytes = at.bytes + bytesOf(campaign) - (before ? bytesOf(before) : -1);
    if (bytes > MOST_CHANNEL_BYTES) return answered(row, `Channel ${row.ChannelId} is full: with its campaigns it holds ${MOST_CHANNEL_BYTES} bytes.`);
    if (!before) free.shift();
    state.set(row.ChannelId, { channel: withCampaign(at.channel, campaign, !before), bytes, changed: true });
    return answered(row, before ? 'Updated' : 'Created', campaign);
  });
  return { rows: results, channels: [...state.values()].flatMap(({ channel, changed }) => (changed ? [channel] : [])) };
}
