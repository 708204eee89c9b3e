import type { Campaign, CampaignActual, CampaignBudget } from '../../resources/channels.ts';
import { isWebAddress } from '../web-addresses.ts';

/** What kind of budget a number means. */
export const MONTHLY = 0;
export const YEARLY = 1;

interface Period {
  readonly Year: number;
  readonly Month: number | null;
}

const order = (left: Period, right: Period): number => left.Year - right.Year || (left.Month ?? 0) - (right.Month ?? 0);

/** The campaign with this budget in place of the one for the same time: of a month, or of a year. Ordered by time, a year's before its months'. */
export function withBudget(campaign: Campaign, budget: CampaignBudget): Campaign {
  const others = campaign.CampaignBudgets.filter(({ Type, Year, Month }) => Type !== budget.Type || Year !== budget.Year || Month !== budget.Month);
  return { ...campaign, CampaignBudgets: [...others, budget].sort(order) };
}

/** What is known of a month's actual. */
export const actualOf = (campaign: Campaign | undefined, Year: number, Month: number): CampaignActual | undefined =>
  campaign?.CampaignActuals.find((actual) => actual.Year === Year && actual.Month === Month);

/** The campaign with this actual in place of the one of the same month, ordered by time. */
export function withActual(campaign: Campaign, actual: CampaignActual): Campaign {
  const others = campaign.CampaignActuals.filter(({ Year, Month }) => Year !== actual.Year || Month !== actual.Month);
  return { ...campaign, CampaignActuals: [...others, actual].sort(order) };
}

/** A campaign that nothing is known of but its name; it is active. */
export const blankCampaign = (Id: number, Name: string): Campaign => ({ Id, Name, Description: '', Active: true, CampaignBudgets: [], CampaignActuals: [] });

const isWhole = (value: unknown, least: number, most: number): boolean => Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** Why a number is no amount of money spent or to be spent, or `undefined`. */
export const amountFault = (amount: unknown): string | undefined =>
  typeof amount === 'number' && amount >= 0 && amount <= 1e15 && Number(amount.toFixed(4)) === amount ? undefined : 'must be 0 or more, with at most 4 decimals';

export const yearFault = (year: unknown): string | undefined => (isWhole(year, 1900, 9999) ? undefined : 'must be a year from 1900 to 9999');
export const monthFault = (month: unknown): string | undefined => (isWhole(month, 1, 12) ? undefined : 'must be a month, 1 to 12');

/** Why a text is no address of an invoice; `""` is none. */
export const addressFault = (address: string): string | undefined =>
  address === '' || isWebAddress(address) ? undefined : 'must be an https or http address of at most 2048 characters';

/** Most bytes of JSON of a channel with all its campaigns: it is one item of the table, which holds 400 KB. About 3,000 months of budgets and actuals. */
export const MOST_CHANNEL_BYTES = 340_000;
