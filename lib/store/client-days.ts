import { clientDayEntity } from '../entities/entries.ts';
import { layout } from './keys.ts';
import type { StoreReader } from './store.ts';

/** How many minutes of a day strangers have booked; changes of their visits update it (appointments.ts). */
export interface ClientDay {
  /** `2026-03-09` in the organization's time zone. */
  readonly date: string;
  readonly minutes: number;
}

export async function findClientDayMinutes(
  { table, account }: StoreReader,
  organizationId: number,
  day: string,
): Promise<number> {
  const item = await table.get(layout.clientDay.key({ account, organization: organizationId, day }));
  return item ? clientDayEntity.read(item).Minutes : 0;
}

/** Longer than strangers can book ahead. */
const MAX_DAYS = 500;

/** The days from a date on on which strangers have booked. */
export async function listClientDays(
  { table, account }: StoreReader,
  organizationId: number,
  from: string,
): Promise<ClientDay[]> {
  const partition = layout.clientDay.of({ account, organization: organizationId });
  const { items } = await table.query({ partition, from, to: '9999', limit: MAX_DAYS });
  return items.map((item) => ({ date: item.SK, minutes: clientDayEntity.read(item).Minutes }));
}
