import type { Contact } from '../../../../lib/entities/contacts.ts';
import { parseCalendarDate } from '../../../../lib/shared/time/read-moments.ts';
import { InvalidArgumentError } from 'commander';

type Address = Pick<Contact, 'Address1' | 'Address2' | 'City' | 'State' | 'Zip'>;

/** `12 Main St, Apt 4, Richmond, VA 23220`. */
export const addressText = ({ Address1, Address2, City, State, Zip }: Address): string =>
  [Address1, Address2, City, [State, Zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');

/** The person's name, else the company's. */
export const nameText = ({ Name, Company }: Pick<Contact, 'Name' | 'Company'>): string =>
  [Name, Company].filter(Boolean).join(', ');

/** `9:05` for `2026-03-09T09:05:00-05:00`, on the organization's clock; `''` without a time. */
export const clockText = (moment: string | null): string =>
  (/T(\d\d:\d\d)/.exec(moment ?? '')?.[1] ?? '').replace(/^0/, '');

/** `2026-03-09` for a moment or a date. */
export const dayText = (moment: string | null): string => (moment ?? '').slice(0, 10);

export const moneyText = (amount: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The current date of this computer, or that of some days later. */
export function today(daysLater = 0): string {
  const now = new Date();
  now.setDate(now.getDate() + daysLater);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** A day in an option: `2026-03-09`, or `today`. */
export function dayOption(text: string): string {
  if (text.toLowerCase() === 'today') return today();
  const parsed = parseCalendarDate(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.reason);
  return parsed.date;
}
