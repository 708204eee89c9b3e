import { calendarOf, workOf } from '../../lib/domain/appointments/calendar.ts';
import { DEFAULT_GRANULARITY, DEFAULT_WINDOW_DAYS, findSlots, type SlotAnswer } from '../../lib/domain/scheduling/slots.ts';
import { reachOf } from '../../lib/domain/scheduling/span.ts';
import type { Timeframe } from '../../lib/domain/scheduling/timeframe.ts';
import { readJobs } from '../../lib/store/calendars.ts';
import type { Asking, Home } from './home.ts';
import { positions } from './positions.ts';

/** What slots are searched for, and where in time. */
export interface SlotSearch {
  readonly zip: string;
  readonly minutes: number;
  readonly from: number;
  /** As the organization says when not given. */
  readonly days: number | undefined;
  readonly timeframe: Timeframe;
  /** This agent alone. */
  readonly agentId: number | undefined;
  /** The appointment being moved. */
  readonly appointmentId: number | undefined;
}

/** The slots as the calendar is or was a second ago. One round: a Query a week, side by side. */
export async function searchSlots({ table, caller, now }: Asking, { organization, agents, service }: Home, search: SlotSearch): Promise<SlotAnswer> {
  const { zip, minutes, from, timeframe, agentId, appointmentId } = search;
  const days = search.days ?? (organization.SlotSearchWindowDays || DEFAULT_WINDOW_DAYS);
  const positionOf = await positions();
  const work = workOf(service, { minutes, zip, position: positionOf(zip), appointmentId });
  const place = { accountId: caller.accountId, organizationId: organization.Id };
  const jobs = await readJobs(table, place, reachOf(organization.Timezone, from, days, work));
  const searched = [...agents.values()].filter(({ Id }) => agentId === undefined || Id === agentId);
  const window = { from, days, now: now.getTime(), granularity: organization.OpenTimeGranularity ?? DEFAULT_GRANULARITY, timeframe };
  return findSlots(calendarOf(organization, searched, jobs, positionOf), work, window);
}
