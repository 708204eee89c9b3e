import { MINUTE } from '../../shared/time/time.ts';
import {
  type Calendar,
  type LocalDay,
  type SearchWindow,
  type Work,
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
export const DEFAULT_GRANULARITY = 30;
export const DEFAULT_WINDOW_DAYS = 14;

/** A start at which an agent can do the work. */
export interface Slot {
  readonly start: number;
  readonly agentId: number;
  readonly agentName: string;
  readonly driveMinutes: number;
  readonly driveWarning: boolean;
}

/** At most 500 slots by time, then drive, then agent id; without any, the reason. */
export interface SlotSearchResult {
  readonly slots: readonly Slot[];
  readonly reason: Reason | null;
}

const byTime = (one: Slot, other: Slot): number =>
  one.start - other.start || one.driveMinutes - other.driveMinutes || one.agentId - other.agentId;

/** Index of the first of the sorted numbers that is at least `least`. */
function indexFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The slots of one agent on a day; `grid` holds the starts that the search allows on it. */
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
    // Drives cost more than the grid, so gaps without a start are skipped before.
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
 * When the work can be done: every start on the grid of a day, within window, period, timeframe and season, at which
 * - one agent's hours for the category and the address hold the whole duration,
 * - no appointment, time off or holiday overlaps,
 * - neither its buffers nor those of appointments are in another visit or its buffers, and
 * - the drives there and on to the next appointment fit.
 *
 * Hours 8:00–17:00, an appointment 10:00–12:00 that is 20 minutes from the address, StartAddress 15 minutes from it,
 * work of 60 minutes, a start every 30: 8:30, 12:30, 13:00 … 16:00. Not 8:00: the drive from StartAddress begins then;
 * not 9:00, as the next would be reached at 10:20. None has a warning: 8:30 has 15 minutes to spare before and 10
 * after, 12:30 has 10 before. With 21 minutes instead of 20 both would have one.
 *
 * An address that is not known is no slot, unless nobody drives; see DriveTimes for unknown addresses of other
 * appointments.
 */
export function findSlots(calendar: Calendar, work: Work, window: SearchWindow): SlotSearchResult {
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
  const { first = -Infinity, until = Infinity } = window.period ?? {};
  const earliest = Math.max(window.from, window.now, first);
  const isOpen = (at: number) => earliest <= at && at < until;
  const grids = days.map((day) =>
    isInSeason(day, work) ? gridStarts(day, window.granularity, window.timeframe).filter(isOpen) : [],
  );
  const slots: Slot[] = [];
  if (isReachable(calendar, work)) {
    for (const [index, day] of days.entries()) {
      const grid = grids[index] ?? [];
      if (grid.length) slots.push(...plans.flatMap((plan) => slotsOn(day, grid, plan, calendar, work)).sort(byTime));
      if (slots.length >= MAX_SLOTS) break;
    }
  }
  if (slots.length) return { slots: slots.slice(0, MAX_SLOTS), reason: null };
  return { slots: [], reason: explainNoSlots(calendar, work, window, { span, grids, able, plans }) };
}
