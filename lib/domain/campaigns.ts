import {
  Campaign,
  type CampaignActual,
  type CampaignBudget,
  type CampaignUpdate,
  type Channel,
} from '../resources/channels.ts';
import { emptyOf } from '../resources/fields.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import { jsonByteLength } from '../shared/objects.ts';
import { fold, formatBytes } from '../shared/text/text.ts';
import { normalizeWebAddress, webAddressError } from '../shared/web/web-addresses.ts';
import { LIST_LIMITS, totalBytes } from './list-limits.ts';

/** Values of BudgetType. */
const MONTHLY = 0;
const YEARLY = 1;

interface Period {
  readonly Year: number;
  readonly Month: number | null;
  /** The type of a budget. */
  readonly Type?: number;
}

/** Replaces the entry for the same period and sorts by time, a year before its months. */
function replacePeriod<Entry extends Period>(entries: readonly Entry[], entry: Entry): Entry[] {
  const others = entries.filter(
    ({ Type, Year, Month }) => Type !== entry.Type || Year !== entry.Year || Month !== entry.Month,
  );
  return [...others, entry].sort((left, right) => left.Year - right.Year || (left.Month ?? 0) - (right.Month ?? 0));
}

const replaceBudget = (campaign: Campaign, budget: CampaignBudget): Campaign => ({
  ...campaign,
  CampaignBudgets: replacePeriod(campaign.CampaignBudgets, budget),
});

const replaceActual = (campaign: Campaign, actual: CampaignActual): Campaign => ({
  ...campaign,
  CampaignActuals: replacePeriod(campaign.CampaignActuals, actual),
});

const findActual = (campaign: Campaign | undefined, { Year, Month }: Period): CampaignActual | undefined =>
  campaign?.CampaignActuals.find((actual) => actual.Year === Year && actual.Month === Month);

const newCampaign = (Id: number, Name: string): Campaign => ({ ...emptyOf(Campaign), Id, Name, Active: true });

const isInteger = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

const amountError = (amount: unknown) =>
  !(typeof amount === 'number' && amount >= 0 && amount <= 1e15 && Number(amount.toFixed(4)) === amount) &&
  'must be 0 or more, with at most 4 decimals';
const yearError = (year: unknown) => !isInteger(year, 1900, 9999) && 'must be a year from 1900 to 9999';
const monthError = (month: unknown) => !isInteger(month, 1, 12) && 'must be a month, 1 to 12';
const budgetTypeError = (type: number) => type !== MONTHLY && type !== YEARLY && 'must be 0 monthly or 1 yearly';

/**
 * A channel with its campaigns is one item of the table (at most 400 KB): about 3,000 months of budgets and actuals.
 */
export const MAX_CHANNEL_BYTES = 340_000;

/** An input of these fields: absent ones stay, `null` clears. */
type Draft<Of> = { readonly [Name in keyof Of]?: Of[Name] | null | undefined };

/** A campaign of a company file. Budgets and actuals replace those of the same period; others stay. */
export type CampaignInput = Omit<Draft<Campaign>, 'CampaignBudgets' | 'CampaignActuals'> & {
  readonly CampaignBudgets?: readonly Draft<CampaignBudget>[] | null | undefined;
  readonly CampaignActuals?: readonly Draft<CampaignActual>[] | null | undefined;
};

function toBudget(input: Draft<CampaignBudget>): { entry: CampaignBudget; errors: FieldError[] } {
  const { Budget, Type, Year, Month } = input;
  const isYearly = Type === YEARLY;
  const entry = {
    Budget: Budget ?? 0,
    Type: Type ?? MONTHLY,
    Year: Year ?? 0,
    Month: isYearly ? null : (Month ?? null),
  };
  const errors = collectErrors(
    ['Budget', amountError(entry.Budget), 'range'],
    ['Type', budgetTypeError(entry.Type), 'unknown_value'],
    ['Year', yearError(entry.Year), 'range'],
    ['Month', !isYearly && monthError(entry.Month), 'range'],
  );
  return { entry, errors };
}

function toActual(input: Draft<CampaignActual>): { entry: CampaignActual; errors: FieldError[] } {
  const { Amount, Year, Month, InvoiceUrl } = input;
  const url = normalizeWebAddress(InvoiceUrl?.trim() ?? '');
  const entry = { Amount: Amount ?? 0, Year: Year ?? 0, Month: Month ?? 0, InvoiceUrl: url };
  const errors = collectErrors(
    ['Amount', amountError(entry.Amount), 'range'],
    ['Year', yearError(entry.Year), 'range'],
    ['Month', monthError(entry.Month), 'range'],
    ['InvoiceUrl', webAddressError(entry.InvoiceUrl), 'format'],
  );
  return { entry, errors };
}

function applyCampaignInput(before: Campaign, input: CampaignInput): { campaign: Campaign; errors: FieldError[] } {
  const budgets = (input.CampaignBudgets ?? []).map(toBudget);
  const actuals = (input.CampaignActuals ?? []).map(toActual);
  const campaign = {
    ...before,
    Name: input.Name?.trim() || before.Name,
    Description: input.Description === undefined ? before.Description : (input.Description ?? ''),
    Active: input.Active ?? before.Active,
    CampaignBudgets: budgets.reduce((all, { entry }) => replacePeriod(all, entry), before.CampaignBudgets),
    CampaignActuals: actuals.reduce((all, { entry }) => replacePeriod(all, entry), before.CampaignActuals),
  };
  const errors = [
    ...budgets.flatMap(({ errors: own }, index) => prefixErrors(`CampaignBudgets[${index}]`, own)),
    ...actuals.flatMap(({ errors: own }, index) => prefixErrors(`CampaignActuals[${index}]`, own)),
  ];
  return { campaign, errors };
}

const findByName = (campaigns: readonly Campaign[], name: string): Campaign | undefined =>
  campaigns.find(({ Name }) => fold(Name) === fold(name));

const findCampaign = (campaigns: readonly Campaign[], { Id, Name }: CampaignInput): Campaign | undefined =>
  Id ? campaigns.find((campaign) => campaign.Id === Id) : findByName(campaigns, Name?.trim() ?? '');

/** How many of the input campaigns are new, by Id or name. */
export const countNewCampaigns = (before: readonly Campaign[], inputs: readonly CampaignInput[]): number =>
  inputs.filter((input) => !input.Id && !findCampaign(before, input)).length;

/** Upserts campaigns of a channel by Id, else by name; others stay. `ids` are for the new ones, in order. */
export function applyCampaignInputs(
  before: readonly Campaign[],
  inputs: readonly CampaignInput[],
  ids: readonly number[],
): { campaigns: Campaign[]; errors: FieldError[] } {
  const after = new Map(before.map((campaign) => [campaign.Id, campaign]));
  const errors: FieldError[] = [];
  const freeIds = [...ids];
  inputs.forEach((input, index) => {
    const path = `Campaigns[${index}]`;
    const existing = findCampaign([...after.values()], input);
    if (!existing && input.Id)
      errors.push({ field: `${path}.Id`, code: 'not_found', message: 'must be the Id of a campaign of the channel' });
    else if (!existing && !input.Name?.trim())
      errors.push({ field: `${path}.Name`, code: 'required', message: 'is required' });
    else {
      const result = applyCampaignInput(existing ?? newCampaign(freeIds.shift() ?? 0, ''), input);
      after.set(result.campaign.Id, result.campaign);
      errors.push(...prefixErrors(path, result.errors));
    }
  });
  const names = [...after.values()].map(({ Name }) => fold(Name));
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined)
    errors.push({ field: 'Campaigns', code: 'duplicate', message: `have two campaigns named ${duplicate}` });
  return { campaigns: [...after.values()], errors };
}

/** A row of channels/bulkupdate, with checked types but unchecked values. */
export type UpdateRow = Draft<CampaignUpdate>;

const rowName = (row: UpdateRow): string => row.CampaignName?.trim() ?? '';

/** The most ids that a plan takes: one for each name that its channel does not have. */
export function campaignNamesToCreate(rows: readonly UpdateRow[], channels: readonly Channel[]): number {
  const names = new Map(channels.map(({ Id, Campaigns }) => [Id, new Set(Campaigns.map(({ Name }) => fold(Name)))]));
  const created = rows.filter(
    (row) => !row.CampaignId && rowName(row) && names.get(row.ChannelId ?? 0)?.has(fold(rowName(row))) === false,
  );
  return new Set(created.map((row) => `${row.ChannelId}#${fold(rowName(row))}`)).size;
}

interface Invalid {
  readonly error: string;
}

/** The campaign of a row: by Id, with which its name must agree, else by name; `undefined` for a new one. */
function rowCampaign(row: UpdateRow, { Id, Campaigns }: Channel): { campaign: Campaign | undefined } | Invalid {
  const name = rowName(row);
  if (!row.CampaignId) {
    if (!name) return { error: 'CampaignId or CampaignName is required.' };
    if (name.length > 200) return { error: 'CampaignName must be at most 200 characters.' };
    return { campaign: findByName(Campaigns, name) };
  }
  const campaign = Campaigns.find((each) => each.Id === row.CampaignId);
  if (!campaign) return { error: `Channel ${Id} has no campaign ${row.CampaignId}.` };
  if (name && fold(name) !== fold(campaign.Name))
    return { error: `CampaignName is not the name of campaign ${campaign.Id}, which is ${campaign.Name}.` };
  return { campaign };
}

/** The amounts of a row by period; `null` leaves an amount as it is. */
const rowPeriods = ({ BudgetType, Year, Month }: UpdateRow) => {
  const Type = BudgetType ?? MONTHLY;
  const month = { Year: Year ?? 0, Month: Month ?? 0 };
  return { month, budget: { Type, Year: month.Year, Month: Type === YEARLY ? null : month.Month } };
};

function amountsError(row: UpdateRow, campaign: Campaign | undefined): string | undefined {
  const { BudgetAmount, ActualAmount, InvoiceUrl, Year, Month } = row;
  const { month, budget } = rowPeriods(row);
  const needsMonth = (BudgetAmount != null && budget.Type === MONTHLY) || ActualAmount != null || Boolean(InvoiceUrl);
  const errors = collectErrors(
    ['BudgetType', budgetTypeError(budget.Type), 'unknown_value'],
    ['BudgetAmount', BudgetAmount != null && amountError(BudgetAmount), 'range'],
    ['ActualAmount', ActualAmount != null && amountError(ActualAmount), 'range'],
    ['InvoiceUrl', webAddressError(InvoiceUrl?.trim() ?? ''), 'format'],
    ['Year', (needsMonth || BudgetAmount != null) && yearError(Year), 'range'],
    ['Month', needsMonth && monthError(Month), 'range'],
  );
  if (errors.length) return errors.map(({ field, message }) => `${field} ${message}.`).join(' ');
  if (InvoiceUrl && ActualAmount == null && !findActual(campaign, month))
    return `InvoiceUrl needs an ActualAmount in month ${Month} of ${Year}.`;
  const hasAmount = BudgetAmount != null || ActualAmount != null || InvoiceUrl != null;
  return campaign && !hasAmount ? 'BudgetAmount, ActualAmount or InvoiceUrl is required.' : undefined;
}

/** Applies the amounts of a row to the campaign; an absent InvoiceUrl stays, `""` removes it. */
function applyAmounts(campaign: Campaign, row: UpdateRow): Campaign {
  const { BudgetAmount, ActualAmount, InvoiceUrl } = row;
  const { month, budget } = rowPeriods(row);
  const budgeted = BudgetAmount == null ? campaign : replaceBudget(campaign, { Budget: BudgetAmount, ...budget });
  const actual = findActual(budgeted, month);
  if (ActualAmount == null && (InvoiceUrl == null || !actual)) return budgeted;
  return replaceActual(budgeted, {
    Amount: ActualAmount ?? actual?.Amount ?? 0,
    ...month,
    InvoiceUrl: InvoiceUrl == null ? (actual?.InvoiceUrl ?? '') : normalizeWebAddress(InvoiceUrl.trim()),
  });
}

type RowResult = { readonly campaign: Campaign; readonly before: Campaign | undefined } | Invalid;

function applyRow(row: UpdateRow, channel: Channel, newId: number): RowResult {
  const target = rowCampaign(row, channel);
  if ('error' in target) return target;
  const before = target.campaign;
  const error = amountsError(row, before);
  return error ? { error } : { campaign: applyAmounts(before ?? newCampaign(newId, rowName(row)), row), before };
}

const rowToResource = (row: UpdateRow, Results: string, campaign?: Campaign): CampaignUpdate => ({
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

const withCampaign = ({ Campaigns, ...channel }: Channel, campaign: Campaign, isNew: boolean): Channel => ({
  ...channel,
  Campaigns: isNew ? [...Campaigns, campaign] : Campaigns.map((each) => (each.Id === campaign.Id ? campaign : each)),
});

/**
 * Applies the rows in order, each on its own: an invalid row gets its reason in Results and does not affect the others.
 * A later row finds the campaign that an earlier one created. `ids` are for new campaigns, as many as
 * `campaignNamesToCreate` counts. `channels` must be all channels of the account, because their total is limited.
 * Returns the rows for the response, and the changed channels.
 */
export function planCampaignUpdates(
  rows: readonly UpdateRow[],
  channels: readonly Channel[],
  ids: readonly number[],
): { readonly rows: CampaignUpdate[]; readonly channels: readonly Channel[] } {
  const freeIds = [...ids];
  const states = new Map(
    channels.map((channel) => [channel.Id, { channel, bytes: jsonByteLength(channel), isChanged: false }]),
  );
  let allBytes = totalBytes(channels);
  const results = rows.map((row) => {
    if (!row.ChannelId) return rowToResource(row, 'ChannelId is required.');
    const state = states.get(row.ChannelId);
    if (!state) return rowToResource(row, `There is no channel ${row.ChannelId}.`);
    const result = applyRow(row, state.channel, freeIds[0] ?? 0);
    if ('error' in result) return rowToResource(row, result.error);
    const { campaign, before } = result;
    // A new campaign also adds a comma.
    const addedBytes = jsonByteLength(campaign) - (before ? jsonByteLength(before) : -1);
    const bytes = state.bytes + addedBytes;
    if (bytes > MAX_CHANNEL_BYTES) {
      const limit = formatBytes(MAX_CHANNEL_BYTES);
      return rowToResource(row, `Channel ${row.ChannelId} is full: with its campaigns it has at most ${limit}.`);
    }
    if (addedBytes > 0 && allBytes + addedBytes > LIST_LIMITS.channels.bytes) {
      const limit = formatBytes(LIST_LIMITS.channels.bytes);
      return rowToResource(
        row,
        `The channels of the account are full: with their campaigns they have at most ${limit}.`,
      );
    }
    allBytes += addedBytes;
    if (!before) freeIds.shift();
    states.set(row.ChannelId, { channel: withCampaign(state.channel, campaign, !before), bytes, isChanged: true });
    return rowToResource(row, before ? 'Updated' : 'Created', campaign);
  });
  return {
    rows: results,
    channels: [...states.values()].flatMap(({ channel, isChanged }) => (isChanged ? [channel] : [])),
  };
}
