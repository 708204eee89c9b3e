import type { TableReader } from './client.ts';
import { numberKey } from './invoices.ts';

/** How many numbers are looked at at once, after the first. */
const TRIES = 20;

/**
 * The number of an invoice that is given none: its id, or, where some invoice of the organization has that as its
 * number, the first free of `<id>-2`, `<id>-3` and so on. One request of half a unit as a rule.
 */
export async function freeNumber(
  table: TableReader,
  account: string,
  organization: number,
  id: number,
): Promise<string> {
  const keyOf = (number: string) => numberKey(account, organization, number);
  if (!(await table.get(keyOf(String(id))))) return String(id);
  for (let first = 2; ; first += TRIES) {
    const numbers = Array.from({ length: TRIES }, (_, index) => `${id}-${first + index}`);
    const taken = new Set((await table.getMany(numbers.map(keyOf))).map(({ PK }) => PK));
    const free = numbers.find((number) => !taken.has(keyOf(number).PK));
    if (free) return free;
  }
}
