import type { Calendar, SearchWindow, Timeframe, Work } from '../../../lib/domain/scheduling/calendar.ts';
import { firstInstantAt } from '../../../lib/shared/time/time.ts';
import { naiveSlots } from './naive-slots.ts';

/**
 * Arrival windows as one would find them by hand: each exact start of the naive search goes into the windows that the
 * clock on the wall shows then; how many visits fit is found by booking one after the other until none is left.
 */
const MINUTE = 60_000;
const ALL_DAY = { from: 0, to: 1440 };

interface NaiveWindow {
  readonly start: number;
  readonly agentId: number;
  readonly from: number;
  readonly through: number;
  readonly capacity: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });

/** `2026-03-08` and the minutes after midnight that the clock shows. */
function wallClock(at: number, zone: string): { readonly date: string; readonly minute: number } {
  const clock = clocks.get(zone) ?? clockOf(zone);
  clocks.set(zone, clock);
  const text = clock.format(at);
  const [, date = '', hours, minutes] = /^(\S+) (\d\d):(\d\d)/.exec(text) ?? [];
  return { date, minute: Number(hours) * 60 + Number(minutes) };
}

/** In order, by the beginning of the window, then by start, drive and agent; `undefined` for more than one answer has. */
export function naiveWindows(
  calendar: Calendar,
  work: Work,
  { arrivalWindows, timeframe, ...window }: SearchWindow & { readonly arrivalWindows: readonly Timeframe[] },
): NaiveWindow[] | undefined {
  const { zone } = calendar;
  const startsOf = (agentId: number, jobs: Calendar['jobs']): number[] => {
    const agents = calendar.agents.filter(({ agent }) => agent.Id === agentId);
    const { slots } = naiveSlots({ ...calendar, agents, jobs }, work, { ...window, timeframe: ALL_DAY });
    return slots.map(({ start }) => start);
  };
  const { slots } = naiveSlots(calendar, work, { ...window, timeframe: ALL_DAY });
  if (slots.length >= 500) return undefined;
  const found = new Map<string, NaiveWindow & { readonly driveMinutes: number }>();
  for (const { start, agentId, driveMinutes } of slots) {
    const { date, minute } = wallClock(start, zone);
    const at = (clock: number) => firstInstantAt(Date.parse(`${date}T00:00Z`) + clock * MINUTE, zone);
    for (const { from, to } of arrivalWindows) {
      const key = `${date} ${from} ${to} ${agentId}`;
      const isOffered = timeframe.from <= from && to <= timeframe.to && at(from) >= Math.max(window.from, window.now);
      if (!isOffered || minute < from || minute >= to || found.has(key)) continue;
      const isInside = (other: number) => {
        const wall = wallClock(other, zone);
        return wall.date === date && from <= wall.minute && wall.minute < to;
      };
      let capacity = 0;
      const jobs = [...calendar.jobs];
      for (let next: number | undefined = start; next !== undefined; capacity++) {
        const { minutes, position, buffers } = work;
        const [before, after] = [buffers?.before ?? 0, buffers?.after ?? 0];
        const taken = { start: next - before * MINUTE, end: next + (minutes + after) * MINUTE };
        jobs.push({ ...taken, appointmentId: 1000 + capacity, agentId, position, ...(buffers && { buffers }) });
        next = startsOf(agentId, jobs).find(isInside);
      }
      found.set(key, { start, agentId, from: at(from), through: at(to), capacity, driveMinutes });
    }
  }
  return [...found.values()]
    .sort(
      (one, other) =>
        one.from - other.from ||
        one.start - other.start ||
        one.driveMinutes - other.driveMinutes ||
        one.agentId - other.agentId,
    )
    .map(({ driveMinutes: _, ...each }) => each);
}
