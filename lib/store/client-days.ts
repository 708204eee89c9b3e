import { clientDayEntity } from '../entities/entries.ts';
import type { TableReader } from './dynamodb/table.ts';
import { layout } from './keys.ts';

/** How many minutes of a day strangers have booked; changes of their visits count them (appointments.ts). */
export interface ClientDay {
  /** `2026-03-09` on the clock of the organization. */
  readonly date: string;
  readonly minutes: number;
}

interface ClientDayScope {
  readonly account: string;
  readonly organization: number;
}

export async function findClientDayMinutes(
  table: TableReader,
  { account, organization }: ClientDayScope,
  day: string,
): Promise<number> {
  const item = await table.get(layout.clientDay.key({ account, organization, day }));
  return item ? clientDayEntity.read(item).Minutes : 0;
}

/** Longer than a stranger books ahead. */
const MAX_DAYS = 500;

/** The days from a date on of which strangers have booked some. */
export async function listClientDays(
  table: TableReader,
  { account, organization }: ClientDayScope,
  from: string,
): Promise<ClientDay[]> {
  const partition = layout.clientDay.of({ account, organization });
  const { items } = await table.query({ partition, from, to: '9999', limit: MAX_DAYS });
  return items.map((item) => ({ date: item.SK, minutes: clientDayEntity.read(item).Minutes }));
}
