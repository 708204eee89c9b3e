import { buildCalendar } from '../../domain/appointments/calendar.ts';
import { strangerMinutes } from '../../domain/scheduling/stranger-share.ts';
import type { Holiday, OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import { conflict } from '../../shared/failure.ts';
import { startOfDate, toLocalDate } from '../../shared/time/time.ts';
import { findClientDayMinutes, listClientDays } from '../../store/client-days.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import type { StoreReader } from '../../store/store.ts';

/** The days on which strangers have booked the share that an organization offers them. */

type Agents = ReadonlyMap<number, ServiceAgentRecord>;

const limitAt = (organization: OrganizationRecord, agents: Agents, at: number): number =>
  strangerMinutes(buildCalendar(organization, agents.values(), []), at, organization.StrangerShare);

interface FullDaySearch {
  readonly from: number;
  /** The agents of the organization, read in parallel. */
  readonly loading: Promise<{ readonly agents: Agents }>;
}

/** Full days from a moment on, in the form in which a search excludes holidays. One request. */
export async function findFullDays(
  store: StoreReader,
  organization: OrganizationRecord,
  { from, loading }: FullDaySearch,
): Promise<Holiday[]> {
  const { Id, Timezone } = organization;
  const days = await listClientDays(store, Id, toLocalDate(from, Timezone));
  const { agents } = await loading;
  const isFull = ({ date, minutes }: (typeof days)[number]) =>
    minutes >= limitAt(organization, agents, startOfDate(date, Timezone));
  return days.filter(isFull).map(({ date }) => ({ Date: date, Name: '' }));
}

/** The limit of a day's minutes: its visits must be below it to add one. Throws conflict for a full day. */
export async function requireStrangerDay(
  store: StoreReader,
  organization: OrganizationRecord,
  start: number,
): Promise<number> {
  const { Id, Timezone } = organization;
  const day = toLocalDate(start, Timezone);
  const [agents, minutes] = await Promise.all([agentsOf(store, Id), findClientDayMinutes(store, Id, day)]);
  const limit = limitAt(organization, agents, start);
  if (minutes >= limit) throw conflict('slot_taken', `Strangers have booked their share of ${day}.`);
  return limit;
}
