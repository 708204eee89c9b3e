import type { Campaign, CampaignActual, CampaignBudget } from '../../resources/channels.ts';
import { fold } from '../words.ts';
import { addressFault, amountFault, blankCampaign, monthFault, withActual, withBudget, yearFault, YEARLY } from './figures.ts';

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
const faultsAt = (path: string, checks: readonly Check[]): Fault[] => checks.flatMap(([field, message]) => (message ? [{ field: `${path}.${field}`, message }] : []));

function budgetOf(given: Given<CampaignBudget>, path: string): { budget: CampaignBudget; faults: Fault[] } {
  const budget = { Budget: given.Budget ?? 0, Type: given.Type ?? 0, Year: given.Year ?? 0, Month: given.Month ?? null };
  const yearly = budget.Type === YEARLY;
  const faults = faultsAt(path, [
    ['Budget', amountFault(budget.Budget)],
    ['Type', budget.Type === 0 || yearly ? undefined : 'must be 0 monthly or 1 yearly'],
    ['Year', yearFault(budget.Year)],
    ['Month', yearly ? undefined : monthFault(budget.Month)],
  ]);
  return { budget: { ...budget, Month: yearly ? null : budget.Month }, faults };
}

function actualGiven(given: Given<CampaignActual>, path: string): { actual: CampaignActual; faults: Fault[] } {
  const actual = { Amount: given.Amount ?? 0, Year: given.Year ?? 0, Month: given.Month ?? 0, InvoiceUrl: given.InvoiceUrl ?? '' };
  const faults = faultsAt(path, [
    ['Amount', amountFault(actual.Amount)],
    ['Year', yearFault(actual.Year)],
    ['Month', monthFault(actual.Month)],
    ['InvoiceUrl', addressFault(actual.InvoiceUrl)],
  ]);
  return { actual, faults };
}

function merged(before: Campaign, given: CampaignInput, path: string): { campaign: Campaign; faults: Fault[] } {
  const budgets = (given.CampaignBudgets ?? []).map((budget, index) => budgetOf(budget, `${path}.CampaignBudgets[${index}]`));
  const actuals = (given.CampaignActuals ?? []).map((actual, index) => actualGiven(actual, `${path}.CampaignActuals[${index}]`));
  const named: Campaign = {
    ...before,
    Name: given.Name?.trim() || before.Name,
    Description: given.Description === undefined ? before.Description : (given.Description ?? ''),
    Active: given.Active ?? before.Active,
  };
  const budgeted = budgets.reduce((campaign, { budget }) => withBudget(campaign, budget), named);
  const campaign = actuals.reduce((after, { actual }) => withActual(after, actual), budgeted);
  return { campaign, faults: [...budgets, ...actuals].flatMap(({ faults }) => faults) };
}

const found = (campaigns: readonly Campaign[], { Id, Name }: CampaignInput): Campaign | undefined =>
  campaigns.find((campaign) => (Id ? campaign.Id === Id : fold(campaign.Name) === fold(Name?.trim() ?? '')));

/** How many of the given campaigns are not there yet, by Id or name. */
export const newCampaigns = (before: readonly Campaign[], given: readonly CampaignInput[]): number =>
  given.filter((campaign) => !campaign.Id && !found(before, campaign)).length;

/** The campaigns of a channel after an upsert by Id, else by name; those not named stay. `ids` are for the new ones, in order. */
export function mergeCampaigns(before: readonly Campaign[], given: readonly CampaignInput[], ids: readonly number[]): { campaigns: Campaign[]; faults: Fault[] } {
  const after = new Map(before.map((campaign) => [campaign.Id, campaign]));
  const faults: Fault[] = [];
  const free = [...ids];
  given.forEach((input, index) => {
    const path = `Campaigns[${index}]`;
    const known = found([...after.values()], input);
    if (!known && input.Id) faults.push({ field: `${path}.Id`, message: `the channel has no campaign ${input.Id}` });
    else if (!known && !input.Name?.trim()) faults.push({ field: `${path}.Name`, message: 'is required' });
    else {
      const result = merged(known ?? blankCampaign(free.shift() ?? 0, ''), input, path);
      after.set(result.campaign.Id, result.campaign);
      faults.push(...result.faults);
    }
  });
  const names = [...after.values()].map(({ Name }) => fold(Name));
  const double = names.find((name, index) => names.indexOf(name) < index);
  if (double !== undefined) faults.push({ field: 'Campaigns', message: `two campaigns are named ${double}` });
  return { campaigns: [...after.values()], faults };
}
