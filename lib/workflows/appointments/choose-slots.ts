import { buildCalendar, buildWork } from '../../domain/appointments/calendar.ts';
import { type Calendar, type Work, withBuffers } from '../../domain/scheduling/calendar.ts';
import { checkSlot, checkedSpan } from '../../domain/scheduling/check.ts';
import type { Slot } from '../../domain/scheduling/slots.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { type CalendarDays, type Hold, listCalendarDays, toJobs } from '../../store/calendars.ts';
import { randomHandle } from '../../store/dynamodb/records.ts';
import type { WriteContext } from '../context.ts';
import { loadPlaces } from '../roads/load-places.ts';
import { loadRoads } from '../roads/load-roads.ts';
import { placeOf } from './search-calendar.ts';
import type { PreparedSearch } from './search-slots.ts';

export interface HeldSlot {
  readonly slot: Slot;
  readonly hold: Hold;
}

interface Choice {
  readonly candidates: readonly Slot[];
  readonly count: number;
  readonly places: readonly number[];
  readonly until: number;
  readonly released: ReadonlySet<string>;
}

/** Candidates whose days are read in one round, at most two per start, and the maximum number of rounds. */
export const CANDIDATES = 20;
const CANDIDATES_OF_START = 2;
const MAX_ROUNDS = 5;

/**
 * The first candidates with different starts that are free in the current calendar and beside the ones already chosen,
 * so each can be booked whatever becomes of the others. `days` are the calendar days that this decision relies on.
 */
export async function chooseSlots(
  context: WriteContext,
  { organization, agents, service, contact, former, minutes }: PreparedSearch,
  { candidates, count, places, until, released }: Choice,
): Promise<{ readonly holds: readonly HeldSlot[]; readonly days: CalendarDays }> {
  const { store, caller, now } = context;
  const addresses = await loadPlaces(context, organization, [contact]);
  const position = addresses.of(contact);
  const work = buildWork(service, { minutes, zip: placeOf(contact), position, appointmentId: former?.Id });
  const holds: HeldSlot[] = [];
  const isHeld = ({ start }: Slot) => holds.some(({ hold }) => hold.start === start);
  const tried = new Set<Slot>();
  let days: CalendarDays = new Map();
  for (let round = 1; round <= MAX_ROUNDS && holds.length < count; round++) {
    const open = candidates.filter((slot) => !tried.has(slot) && !isHeld(slot));
    const next = [...Map.groupBy(open, ({ start }) => start).values()]
      .flatMap((ofStart) => ofStart.slice(0, CANDIDATES_OF_START))
      .slice(0, CANDIDATES);
    if (!next.length) break;
    const spans = next.map(({ agentId, start }) => ({
      agentId,
      ...checkedSpan(organization.Timezone, agents.get(agentId), start, work),
    }));
    // The first read decided about the earlier holds, so its version is the one to compare.
    days = new Map([...(await listCalendarDays(store, organization.Id, spans)), ...days]);
    const involved = new Set(next.map(({ agentId }) => agentId));
    const jobs = toJobs(days, { now, released });
    const calendar = buildCalendar(
      organization,
      [...agents.values()].filter(({ Id }) => involved.has(Id)),
      jobs,
      await loadRoads(context, addresses.start, { work: [position], jobs }),
    );
    for (const slot of next) {
      tried.add(slot);
      if (holds.length === count || isHeld(slot)) continue;
      const place = { until, key: caller.keyId, place: places[holds.length] ?? 0 };
      const held = holdSlot(calendar, work, slot, { taken: holds, ...place });
      if (held) holds.push(held);
    }
  }
  return { holds, days };
}

/** The slot with its hold; `undefined` if it is not free beside those already chosen. */
function holdSlot(
  calendar: Calendar,
  work: Work,
  slot: Slot,
  { taken, ...place }: Pick<Hold, 'until' | 'key' | 'place'> & { readonly taken: readonly HeldSlot[] },
): HeldSlot | undefined {
  const held = taken.map(({ hold }) => ({
    ...hold,
    ...withBuffers(hold, hold.buffers),
    appointmentId: 0,
    heldUntil: place.until,
  }));
  const check = checkSlot({ ...calendar, jobs: [...calendar.jobs, ...held] }, work, slot);
  if (!check.ok) return undefined;
  const { agentId, start } = slot;
  const end = start + work.minutes * MINUTE;
  return {
    slot: { ...slot, driveMinutes: check.driveMinutes, driveWarning: check.driveWarning },
    hold: { agentId, position: work.position, buffers: work.buffers, start, end, handle: randomHandle(22), ...place },
  };
}
