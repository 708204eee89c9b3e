import { type Calendar, type SearchWindow, type Work, dayAfter, dayAt } from './calendar.ts';
import type { Reason } from './explain.ts';
import { MAX_SLOTS, type Slot, findSlots, offeredStart } from './slots.ts';

/** Starts by day, each once with the agent who comes; if the first day has none, the reason. */
export interface FreeStarts {
  readonly starts: readonly Slot[];
  readonly reason: Reason | null;
}

/**
 * The starts that findSlots finds on each day of a window, however many agents are free: each with the nearest agent.
 */
export function findFreeStarts(calendar: Calendar, work: Work, window: SearchWindow): FreeStarts {
  const starts: Slot[] = [];
  let reason: Reason | null = null;
  let day = dayAt(window.from, calendar.zone);
  for (let count = 0; count < window.days; count++, day = dayAfter(day)) {
    let from = Math.max(window.from, day.start);
    let found = findSlots(calendar, work, { ...window, from, days: 1 });
    reason ??= found.reason;
    starts.push(...firstOfEach(found.slots));
    while (found.slots.length === MAX_SLOTS) {
      const last = found.slots.at(-1);
      from = (last ? offeredStart(last) : from) + 1;
      found = findSlots(calendar, work, { ...window, from, days: 1 });
      starts.push(...firstOfEach(found.slots));
    }
  }
  return { starts, reason: starts.length ? null : reason };
}

const firstOfEach = (slots: readonly Slot[]): Slot[] =>
  slots.filter((slot, index) => {
    const before = slots[index - 1];
    return !before || offeredStart(slot) !== offeredStart(before);
  });
