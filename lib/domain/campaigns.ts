import type { Campaign, CampaignActual, CampaignBudget, CampaignUpdate, Channel } from '../resources/channels.ts';
import { jsonByteLength } from '../shared/limits.ts';
import { fold } from '../shared/text.ts';
import { isWebAddress } from '../shared/web-addresses.ts';

/** What kind of budget a number means. */
export const MONTHLY = 0;
export const YEARLY = 1;

interface Period {
  readonly Year: number;
  readonly Month: number | null;
}

const order = (left: Period, right: Period): number => left.Year - right.Year || (left.Month ?? 0) - (right.Month ?? 0);

/** The campaign with this budget in place of the one for the same time: of a month, or of a year. Ordered by time, a year's before its months'. */
export function setBudget(campaign: Campaign, budget: CampaignBudget): Campaign {
  const others = campaign.CampaignBudgets.filter(
    ({ Type, Year, Month }) => Type !== budget.Type || Year !== budget.Year || Month !== budget.Month,
  );
  return { ...campaign, CampaignBudgets: [...others, budget].sort(order) };
}

/** What is known of a month's actual. */
export const actualSpend = (campaign: Campaign | undefined, Year: number, Month: number): CampaignActual | undefined =>
  campaign?.CampaignActuals.find((actual) => actual.Year === Year && actual.Month === Month);

/** The campaign with this actual in place of the one of the same month, ordered by time. */
export function setActualSpend(campaign: Campaign, actual: CampaignActual): Campaign {
  const others = campaign.CampaignActuals.filter(({ Year, Month }) => Year !== actual.Year || Month !== actual.Month);
  return { ...campaign, CampaignActuals: [...others, actual].sort(order) };
}

/** A campaign that nothing is known of but its name; it is active. */
export const blankCampaign = (Id: number, Name: string): Campaign => ({
  Id,
  Name,
  Description: '',
  Active: true,
  CampaignBudgets: [],
  CampaignActuals: [],
});

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** Why a number is no amount of money spent or to be spent, or `undefined`. */
export const amountError = (amount: unknown): string | undefined =>
  typeof amount === 'number' && amount >= 0 && amount <= 1e15 && Number(amount.toFixed(4)) === amount
    ? undefined
    : 'must be 0 or more, with at most 4 decimals';

export const yearError = (year: unknown): string | undefined =>
  isWhole(year, 1900, 9999) ? undefined : 'must be a year from 1900 to 9999';
export const monthError = (month: unknown): string | undefined =>
  isWhole(month, 1, 12) ? undefined : 'must be a month, 1 to 12';

/** Why a text is no address of an invoice; `""` is none. */
export const webAddressError = (address: string): string | undefined =>
  address === '' || isWebAddress(address) ? undefined : 'must be an https or http address of at most 2048 characters';

/** Most bytes of JSON of a channel with all its campaigns: it is one item of the table, which holds 400 KB. About 3,000 months of budgets and actuals. */
export const MAX_CHANNEL_BYTES = 340_000;

/** What may be said of a thing: a field absent stays as it is, `null` clears it. */
type Given<Of> = { readonly [Name in keyof Of]?: Of[Name] | null | undefined };

/** A campaign as a company file brings it. Budgets and actuals replace those of the same time; the others stay. */
export type CampaignInput = Omit<Given<Campaign>, 'CampaignBudgets' | 'CampaignActuals'> & {
  readonly CampaignBudgets?: readonly Given<CampaignBudget>[] | null | undefined;
  readonly CampaignActuals?: readonly Given<CampaignActual>[] | null | undefined;
};

interface Fault {
  readonly field: string;
  readonly message: string;
}

type Check = readonly [field: string, message: string | undefined];
const faultsAt = (path: string, checks: readonly Check[]): Fault[] =>
  checks.flatMap(([field, message]) => (message ? [{ field: `${path}.${field}`, message }] : []));

function budgetOf(campaignInput: Given<CampaignBudget>, path: string): { budget: CampaignBudget; errors: Fault[] } {
  const budget = {
    Budget: campaignInput.Budget ?? 0,
    Type: campaignInput.Type ?? 0,
    Year: campaignInput.Year ?? 0,
    Month: campaignInput.Month ?? null,
  };
  const yearly = budget.Type === YEARLY;
  const errors = faultsAt(path, [
    ['Budget', amountError(budget.Budget)],
    ['Type', budget.Type === 0 || yearly ? undefined : 'must be 0 monthly or 1 yearly'],
    ['Year', yearError(budget.Year)],
    ['Month', yearly ? undefined : monthError(budget.Month)],
  ]);
  return { budget: { ...budget, Month: yearly ? null : budget.Month }, errors };
}

function actualGiven(campaignInput: Given<CampaignActual>, path: string): { actual: CampaignActual; errors: Fault[] } {
  const actual = {
    Amount: campaignInput.Amount ?? 0,
    Year: campaignInput.Year ?? 0,
    Month: campaignInput.Month ?? 0,
    InvoiceUrl: campaignInput.InvoiceUrl ?? '',
  };
  const errors = faultsAt(path, [
    ['Amount', amountError(actual.Amount)],
    ['Year', yearError(actual.Year)],
    ['Month', monthError(actual.Month)],
    ['InvoiceUrl', webAddressError(actual.InvoiceUrl)],
  ]);
  return { actual, errors };
}

function merged(before: Campaign, campaignInput: CampaignInput, path: string): { campaign: Campaign; errors: Fault[] } {
  const budgets = (campaignInput.CampaignBudgets ?? []).map((budget, index) =>
    budgetOf(budget, `${path}.CampaignBudgets[${index}]`),
  );
  const actuals = (campaignInput.CampaignActuals ?? []).map((actual, index) =>
    actualGiven(actual, `${path}.CampaignActuals[${index}]`),
  );
  const named: Campaign = {
    ...before,
    Name: campaignInput.Name?.trim() || before.Name,
    Description: campaignInput.Description === undefined ? before.Description : (campaignInput.Description ?? ''),
    Active: campaignInput.Active ?? before.Active,
  };
  const budgeted = budgets.reduce((campaign, { budget }) => setBudget(campaign, budget), named);
  const campaign = actuals.reduce((after, { actual }) => setActualSpend(after, actual), budgeted);
  return { campaign, errors: [...budgets, ...actuals].flatMap(({ errors }) => errors) };
}

const found = (campaigns: readonly Campaign[], { Id, Name }: CampaignInput): Campaign | undefined =>
  campaigns.find((campaign) => (Id ? campaign.Id === Id : fold(campaign.Name) === fold(Name?.trim() ?? '')));

/** How many of the given campaigns are not there yet, by Id or name. */
export const newCampaignNames = (before: readonly Campaign[], campaignInput: readonly CampaignInput[]): number =>
  campaignInput.filter((campaign) => !campaign.Id && !found(before, campaign)).length;

/** The campaigns of a channel after an upsert by Id, else by name; those not named stay. `ids` are for the new ones, in order. */
export function applyCampaignInputs(
  before: readonly Campaign[],
  campaignInput: readonly CampaignInput[],
  ids: readonly number[],
): { campaigns: Campaign[]; errors: Fault[] } {
  const after = new Map(before.map((campaign) => [campaign.Id, campaign]));
  const errors: Fault[] = [];
  const free = [...ids];
  campaignInput.forEach((input, index) => {
    const path = `Campaigns[${index}]`;
    const known = found([...after.values()], input);
    if (!known && input.Id) errors.push({ field: `${path}.Id`, message: `the channel has no campaign ${input.Id}` });
    else if (!known && !input.Name?.trim()) errors.push({ field: `${path}.Name`, message: 'is required' });
    else {
      const result = merged(known ?? blankCampaign(free.shift() ?? 0, ''), input, path);
      after.set(result.campaign.Id, result.campaign);
      errors.push(...result.errors);
    }
  });
  const names = [...after.values()].map(({ Name }) => fold(Name));
  const double = names.find((name, index) => names.indexOf(name) < index);
  if (double !== undefined) errors.push({ field: 'Campaigns', message: `two campaigns are named ${double}` });
  return { campaigns: [...after.values()], errors };
}

/** A row as it came: types are right, nothing else is known of it. */
export type UpdateRow = { readonly [Name in keyof CampaignUpdate]?: CampaignUpdate[Name] | null | undefined };

/** What becomes of all rows: each as it is answered, in order, and the channels that change. */
export interface PlannedUpdates {
  readonly rows: CampaignUpdate[];
  readonly channels: readonly Channel[];
}

type Outcome = { readonly campaign: Campaign; readonly before: Campaign | undefined } | { readonly refused: string };

const named = (campaigns: readonly Campaign[], name: string): Campaign | undefined =>
  campaigns.find(({ Name }) => fold(Name) === fold(name));
const nameOf = (row: UpdateRow): string => row.CampaignName?.trim() ?? '';

/** How many ids a plan will take at most: one a name that its channel does not have. */
export function campaignNamesToCreate(rows: readonly UpdateRow[], channels: readonly Channel[]): number {
  const known = new Map(channels.map(({ Id, Campaigns }) => [Id, new Set(Campaigns.map(({ Name }) => fold(Name)))]));
  const fresh = rows.filter(
    (row) => !row.CampaignId && nameOf(row) && known.get(row.ChannelId ?? 0)?.has(fold(nameOf(row))) === false,
  );
  return new Set(fresh.map((row) => `${row.ChannelId}#${fold(nameOf(row))}`)).size;
}

/** The campaign a row means: by Id, which its name must not contradict, else by name; `undefined` for one that is to be made. */
function campaignOf(
  row: UpdateRow,
  { Id, Campaigns }: Channel,
): { campaign: Campaign | undefined } | { refused: string } {
  const name = nameOf(row);
  if (!row.CampaignId) {
    if (!name) return { refused: 'CampaignId or CampaignName is required.' };
    return name.length > 200
      ? { refused: 'CampaignName must be at most 200 characters.' }
      : { campaign: named(Campaigns, name) };
  }
  const campaign = Campaigns.find((each) => each.Id === row.CampaignId);
  if (!campaign) return { refused: `Channel ${Id} has no campaign ${row.CampaignId}.` };
  const other = name && fold(name) !== fold(campaign.Name);
  return other
    ? { refused: `CampaignName is not the name of campaign ${campaign.Id}, which is ${campaign.Name}.` }
    : { campaign };
}

/** Why the figures of a row cannot be taken, or `undefined`. */
function faultOf(row: UpdateRow, campaign: Campaign | undefined): string | undefined {
  const { BudgetAmount, ActualAmount, InvoiceUrl, Year, Month } = row;
  const type = row.BudgetType ?? MONTHLY;
  const ofMonth = (BudgetAmount != null && type === MONTHLY) || ActualAmount != null || Boolean(InvoiceUrl);
  const checks: readonly (readonly [string, string | undefined])[] = [
    ['BudgetType', type === MONTHLY || type === YEARLY ? undefined : 'must be 0 monthly or 1 yearly'],
    ['BudgetAmount', BudgetAmount == null ? undefined : amountError(BudgetAmount)],
    ['ActualAmount', ActualAmount == null ? undefined : amountError(ActualAmount)],
    ['InvoiceUrl', webAddressError(InvoiceUrl ?? '')],
    ['Year', ofMonth || BudgetAmount != null ? yearError(Year) : undefined],
    ['Month', ofMonth ? monthError(Month) : undefined],
  ];
  const errors = checks.flatMap(([field, fault]) => (fault ? [`${field} ${fault}.`] : []));
  if (errors.length) return errors.join(' ');
  if (InvoiceUrl && ActualAmount == null && !actualSpend(campaign, Year ?? 0, Month ?? 0))
    return `InvoiceUrl needs ActualAmount: month ${Month} of ${Year} has none yet.`;
  const nothing = BudgetAmount == null && ActualAmount == null && InvoiceUrl == null;
  return nothing && campaign ? 'BudgetAmount, ActualAmount or InvoiceUrl is required.' : undefined;
}

/** The campaign with the figures of a row; InvoiceUrl absent stays, and `""` takes it away. */
function withFigures(
  campaign: Campaign,
  { BudgetAmount, BudgetType, ActualAmount, InvoiceUrl, Year, Month }: UpdateRow,
): Campaign {
  const Type = BudgetType ?? MONTHLY;
  const time = { Year: Year ?? 0, Month: Month ?? 0 };
  const budgeted =
    BudgetAmount == null
      ? campaign
      : setBudget(campaign, {
          Budget: BudgetAmount,
          Type,
          Year: time.Year,
          Month: Type === YEARLY ? null : time.Month,
        });
  const known = actualSpend(budgeted, time.Year, time.Month);
  if (ActualAmount == null && (InvoiceUrl == null || !known)) return budgeted;
  return setActualSpend(budgeted, {
    Amount: ActualAmount ?? known?.Amount ?? 0,
    ...time,
    InvoiceUrl: InvoiceUrl ?? known?.InvoiceUrl ?? '',
  });
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
export function planCampaignUpdates(
  rows: readonly UpdateRow[],
  channels: readonly Channel[],
  ids: readonly number[],
): PlannedUpdates {
  const free = [...ids];
  const state = new Map(
    channels.map((channel) => [channel.Id, { channel, bytes: jsonByteLength(channel), changed: false }]),
  );
  const results = rows.map((row) => {
    if (!row.ChannelId) return answered(row, 'ChannelId is required.');
    const at = state.get(row.ChannelId);
    if (!at) return answered(row, `There is no channel ${row.ChannelId}.`);
    const outcome = outcomeOf(row, at.channel, free[0] ?? 0);
    if ('refused' in outcome) return answered(row, outcome.refused);
    const { campaign, before } = outcome;
    const bytes = at.bytes + jsonByteLength(campaign) - (before ? jsonByteLength(before) : -1);
    if (bytes > MAX_CHANNEL_BYTES)
      return answered(row, `Channel ${row.ChannelId} is full: with its campaigns it holds ${MAX_CHANNEL_BYTES} bytes.`);
    if (!before) free.shift();
    state.set(row.ChannelId, { channel: withCampaign(at.channel, campaign, !before), bytes, changed: true });
    return answered(row, before ? 'Updated' : 'Created', campaign);
  });
  return { rows: results, channels: [...state.values()].flatMap(({ channel, changed }) => (changed ? [channel] : [])) };
}
