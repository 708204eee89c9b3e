import { MINUTE } from '../../shared/time/time.ts';
import { arrivalWindowsOn, isWithin } from './arrival-windows.ts';
import {
  type Calendar,
  type Interval,
  type LocalDay,
  type SearchWindow,
  type Work,
  ANYTIME,
  gridStarts,
  isInSeason,
  visitSpan,
} from './calendar.ts';
import {
  type AgentPlan,
  agentPlanner,
  daysBack,
  findAbleAgents,
  isReachable,
  isTightDrive,
  startRangeIn,
} from './plans.ts';
import { type Reason, explainNoSlots } from './explain.ts';

export const MAX_SLOTS = 500;
export const DEFAULT_WINDOW_DAYS = 14;

/** A start at which an agent can do the work. */
export interface Slot {
  /** The arrival window that the slot stands for; absent for an exact time. */
  readonly arrival?: Interval | undefined;
  /** How many consecutive visits of this work the agent can start in the window. */
  readonly capacity?: number;
  readonly start: number;
  readonly agentId: number;
  readonly agentName: string;
  readonly driveMinutes: number;
  readonly driveWarning: boolean;
}

/** At most 500 slots sorted by time, then drive, then agent id; if there are none, the reason. */
export interface SlotSearchResult {
  readonly slots: readonly Slot[];
  readonly reason: Reason | null;
}

const byTime = (one: Slot, other: Slot): number =>
  one.start - other.start || one.driveMinutes - other.driveMinutes || one.agentId - other.agentId;

type OfferedSlot = Pick<Slot, 'start' | 'arrival'>;

/** The start that a client sees: the exact one, or the beginning of its window. */
export const offeredStart = ({ start, arrival }: OfferedSlot): number => arrival?.start ?? start;

/** The same, with the end of the window unless the time is exact. */
export const offeredTime = (slot: OfferedSlot) => ({ start: offeredStart(slot), through: slot.arrival?.end });

const byWindow = (one: Slot, other: Slot): number => offeredStart(one) - offeredStart(other) || byTime(one, other);

/** The index of the first of the sorted numbers that is at least `least`. */
function indexFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The slots of one agent on a day; `grid` has the starts that the search allows. */
function slotsOn(
  day: LocalDay,
  grid: readonly number[],
  { agent, working, gaps }: AgentPlan,
  calendar: Calendar,
  work: Work,
): Slot[] {
  const { start, end } = day;
  const found: Slot[] = [];
  for (const gap of gaps) {
    if (gap.end <= start) continue;
    if (gap.start >= end) break;
    // Drives cost more to compute than the grid, so gaps without a start are skipped first.
    const first = grid[indexFrom(grid, gap.start)];
    if (first === undefined || first + work.minutes * MINUTE > gap.end) continue;
    const range = startRangeIn(gap, working, day, calendar, work);
    for (
      let index = indexFrom(grid, range.first);
      index < grid.length && (grid[index] as number) <= range.last;
      index++
    ) {
      const at = grid[index] as number;
      found.push({
        start: at,
        agentId: agent.Id,
        agentName: agent.Name,
        driveMinutes: range.drive,
        driveWarning: isTightDrive(at, range, work),
      });
    }
  }
  return found;
}

/**
 * Combines the slots of one agent on a day to one per window. 8:00–10:00 with the starts 8:00, 8:30 … 9:30 and work of
 * 60 minutes has room for two visits: 8:00 and 9:00. All are at the address of the work, so nobody drives between them.
 */
function windowSlots(slots: readonly Slot[], windows: readonly Interval[], { minutes, buffers }: Work): Slot[] {
  const apart = (minutes + (buffers?.before ?? 0) + (buffers?.after ?? 0)) * MINUTE;
  return windows.flatMap((window) => {
    const own = slots.filter(({ start }) => isWithin(start, window));
    const [first] = own;
    let [capacity, next] = [0, -Infinity];
    for (const { start } of own) {
      if (start < next) continue;
      capacity++;
      next = start + apart;
    }
    return first ? [{ ...first, arrival: window, capacity }] : [];
  });
}

/** The starts that a search allows on a day, and the arrival windows that contain them, if there are any. */
function offeredOn(day: LocalDay, work: Work, search: SearchWindow) {
  const { granularity, timeframe, arrivalWindows } = search;
  const { first = -Infinity, until = Infinity } = search.period ?? {};
  const earliest = Math.max(search.from, search.now, first);
  const isOpen = (at: number) => earliest <= at && at < until;
  if (!isInSeason(day, work)) return { grid: [] };
  if (!arrivalWindows?.length) return { grid: gridStarts(day, granularity, timeframe).filter(isOpen) };
  const begin = Math.max(search.from, search.now);
  const windows = arrivalWindowsOn(day, arrivalWindows, timeframe).filter(({ start }) => begin <= start);
  const grid = gridStarts(day, granularity, ANYTIME).filter(isOpen);
  return { grid: grid.filter((at) => windows.some((window) => isWithin(at, window))), windows };
}

/**
 * Finds when the work can be done: every start on the grid of a day, within window, period, timeframe and season, at
 * which
 * - one agent's hours for the category and the address contain the whole duration,
 * - no appointment, time off or holiday overlaps,
 * - neither its buffers nor those of appointments overlap another visit or its buffers, and
 * - the drives there and on to the next appointment fit.
 *
 * Hours 8:00–17:00, an appointment 10:00–12:00 that is 20 minutes from the address, StartAddress 15 minutes from it,
 * work of 60 minutes, a start every 30: 8:30, 12:30, 13:00 … 16:00. Not 8:00: the drive from StartAddress begins then;
 * not 9:00, because the next appointment would be reached at 10:20. None has a warning: 8:30 has 15 minutes to spare
 * before and 10 after, 12:30 has 10 before. With 21 minutes instead of 20 both would have one.
 *
 * An unknown address has no slots, unless nobody drives; see DriveTimes for unknown addresses of other appointments.
 *
 * If arrival windows are offered, there is one slot per window and agent, if the window has not begun and lies in the
 * timeframe. Its start is the first in the window that `accepts` allows and the notice permits: with the first
 * permitted start at 9:05, that of 8:00–10:00 is 9:30.
 */
export function findSlots(
  calendar: Calendar,
  work: Work,
  window: SearchWindow,
  accepts: (slot: Slot) => boolean = () => true,
): SlotSearchResult {
  const { zone, agents } = calendar;
  const back = daysBack(
    zone,
    agents.map(({ agent }) => agent),
    window.from,
  );
  const span = visitSpan(zone, window.from, window.days, work, back);
  const { days, around } = span;
  const able = findAbleAgents(work, calendar);
  const plans = able.forAddress.map(agentPlanner(around, calendar, work));
  const offered = days.map((day) => offeredOn(day, work, window));
  const slots: Slot[] = [];
  if (isReachable(calendar, work)) {
    for (const [index, day] of days.entries()) {
      const { grid = [], windows } = offered[index] ?? {};
      if (!grid.length) continue;
      const found = plans.map((plan) => slotsOn(day, grid, plan, calendar, work));
      if (windows)
        slots.push(...found.flatMap((own) => windowSlots(own.filter(accepts), windows, work)).sort(byWindow));
      else slots.push(...found.flat().sort(byTime));
      if (slots.length >= MAX_SLOTS) break;
    }
  }
  if (slots.length) return { slots: slots.slice(0, MAX_SLOTS), reason: null };
  const grids = offered.map(({ grid }) => grid);
  return { slots: [], reason: explainNoSlots(calendar, work, window, { span, grids, able, plans }) };
}
