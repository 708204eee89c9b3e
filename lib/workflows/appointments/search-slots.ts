import { buildCalendar, buildWork } from '../../domain/appointments/time-reservations.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { checkSlot } from '../../domain/scheduling/check.ts';
import type { Timeframe } from '../../domain/scheduling/calendar.ts';
import { ANYTIME } from '../../domain/scheduling/hours.ts';
import { reachableSpan } from '../../domain/scheduling/days.ts';
import {
  DEFAULT_GRANULARITY,
  DEFAULT_WINDOW_DAYS,
  type SlotSearchResult,
  findSlots,
} from '../../domain/scheduling/slots.ts';
import { listJobs } from '../../store/calendars.ts';
import { type ReadContext, type BookingContext, loadPositions } from './booking-context.ts';

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
export async function searchSlots(
  { table, caller, now }: ReadContext,
  { organization, agents, service }: BookingContext,
  search: SlotSearch,
): Promise<SlotSearchResult> {
  const { zip, minutes, from, timeframe, agentId, appointmentId } = search;
  const days = search.days ?? (organization.SlotSearchWindowDays || DEFAULT_WINDOW_DAYS);
  const positionOf = await loadPositions();
  const work = buildWork(service, { minutes, zip, position: positionOf(zip), appointmentId });
  const place = { accountId: caller.accountId, organizationId: organization.Id };
  const jobs = await listJobs(table, place, reachableSpan(organization.Timezone, from, days, work));
  const searched = [...agents.values()].filter(({ Id }) => agentId === undefined || Id === agentId);
  const window = {
    from,
    days,
    now: now.getTime(),
    granularity: organization.OpenTimeGranularity ?? DEFAULT_GRANULARITY,
    timeframe,
  };
  return findSlots(buildCalendar(organization, searched, jobs, positionOf), work, window);
}

/** A start, and the agent who can do it then. */
export interface OpenSlot {
  readonly start: number;
  readonly agentId: number;
}

/** What is looked for: some work from a moment on, by one agent or any, with others at the same time. */
export interface OpenSlotInput {
  readonly contact: ContactRecord;
  readonly minutes: number;
  readonly from: number;
  /** At that moment only. */
  readonly fixed: boolean;
  readonly agentId: number | undefined;
  readonly others: readonly number[];
}

/** Where the work fits as the calendar is at this moment, the first place first; where there is none, why not. */
export async function findOpenSlots(
  { table, caller, now }: ReadContext,
  { organization, agents, service }: BookingContext,
  sought: OpenSlotInput,
): Promise<{ openings: OpenSlot[]; why: string }> {
  const { contact, minutes, from, fixed, agentId, others } = sought;
  const positionOf = await loadPositions();
  const work = buildWork(service, { minutes, zip: contact.Zip, position: positionOf(contact.Zip) });
  const days = fixed ? 1 : organization.SlotSearchWindowDays || DEFAULT_WINDOW_DAYS;
  const place = { accountId: caller.accountId, organizationId: organization.Id };
  const jobs = await listJobs(table, place, reachableSpan(organization.Timezone, from, days, work), {
    consistent: true,
  });
  const whole = buildCalendar(organization, agents.values(), jobs, positionOf);
  const calendar = {
    ...whole,
    agents: whole.agents.filter(({ agent }) =>
      agentId === undefined ? !others.includes(agent.Id) : agent.Id === agentId,
    ),
  };
  const window = {
    from,
    days,
    now: now.getTime(),
    granularity: organization.OpenTimeGranularity ?? DEFAULT_GRANULARITY,
    timeframe: ANYTIME,
  };
  const isFree = (opening: OpenSlot) =>
    others.every((other) => checkSlot(whole, work, { start: opening.start, agentId: other }).ok);
  if (!fixed) {
    const { slots, reason } = findSlots(calendar, work, window);
    const openings = slots.filter(isFree).map(({ start, agentId: id }) => ({ start, agentId: id }));
    return { openings, why: reason?.message ?? 'No time is free for all the agents asked for.' };
  }
  const checks = calendar.agents.map(({ agent }) => ({
    start: from,
    agentId: agent.Id,
    check: checkSlot(calendar, work, { start: from, agentId: agent.Id }),
  }));
  const refused = checks.flatMap(({ check }) => (check.ok ? [] : [check.message]));
  return {
    openings: checks.filter((each) => each.check.ok).filter(isFree),
    why: refused[0] ?? 'There is no service agent for it.',
  };
}
