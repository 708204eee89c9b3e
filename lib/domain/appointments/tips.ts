import { fromCents, percentage, cents } from '../../shared/money.ts';

/** The most that one call of appointments/addtip accepts. */
export const MAX_TIP = 1_000_000;
/** The most that a client can tip at once on a page; protects against a misplaced decimal point. */
export const MAX_CLIENT_TIP = 1_000;
/** Providers accept no payment below this. */
export const MIN_CLIENT_TIP = 1;

const PERCENTS = [10, 15, 20] as const;

/** Amounts that a client can choose: 10, 15 and 20% of the price of the visit, if they can be paid. */
export const tipChoices = (total: number): { readonly percent: number; readonly amount: number }[] =>
  PERCENTS.map((percent) => ({ percent, amount: fromCents(percentage(percent)(cents(total))) })).filter(({ amount }) =>
    isTip(amount),
  );

const isTip = (amount: number): boolean => amount >= MIN_CLIENT_TIP && amount <= MAX_CLIENT_TIP;

/** The amount that a client typed: `7`, `7.50` or `7,50`; `undefined` unless it is from 1 to 1,000. */
export function parseTip(text: string): number | undefined {
  const [, whole, decimals = '0'] = /^\s*(\d{1,4})(?:[.,](\d{1,2}))?\s*$/.exec(text) ?? [];
  const amount = whole === undefined ? 0 : Number(`${whole}.${decimals}`);
  return isTip(amount) ? amount : undefined;
}
