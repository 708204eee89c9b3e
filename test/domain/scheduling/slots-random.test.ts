import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { type Slot, findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { naiveSlots } from '../../support/oracles/naive-slots.ts';
import { CHANGES, randomSearch } from '../../support/random/random-calendars.ts';

/** Searches around each of 13 changes of clocks: a sample, of which `npm run prove -- random` makes 10,000. */
const RUNS = Number(process.env['SEARCHES'] ?? 30);

describe(`${RUNS} random searches around a change of clocks`, () => {
  const causes = new Map<string, number>();

  const changes = CHANGES.map(([zone, date], seed) => ({ zone, date, seed }));
  test.each(changes)('$zone $date: all of a search equals that of the naive search', ({ zone, date, seed }) => {
    fc.assert(
      fc.property(randomSearch([zone, date]), ({ calendar, work, window }) => {
        const { slots, reason } = findSlots(calendar, work, window);
        const cause = reason?.cause ?? null;
        expect({ slots, cause }).toEqual(naiveSlots(calendar, work, window));
        causes.set(cause ?? 'slots', (causes.get(cause ?? 'slots') ?? 0) + 1);
      }),
      { numRuns: RUNS, seed },
    );
  });

  test('what is compared are slots and every cause of none: not one empty answer with another', () => {
    for (const cause of ['agents', 'category', 'postalCode', 'address', 'season', 'hours', 'duration', 'booked'])
      expect(causes.get(cause) ?? 0, cause).toBeGreaterThan(0);
    expect(causes.get('slots')).toBeGreaterThan((CHANGES.length * RUNS) / 5);
  });
});

describe('a check follows the rules of the search', () => {
  test.each(CHANGES)(
    '%s %s: a slot can be booked, with the same drive; a start on the grid that is no slot cannot',
    (...change) => {
      fc.assert(
        fc.property(randomSearch(change), ({ calendar, work, window }) => {
          const all = { ...window, timeframe: { from: 0, to: 1440 }, now: 0, granularity: 30 };
          const { slots } = findSlots(calendar, work, all);
          if (slots.length === 500) return;
          const key = ({ start, agentId }: Pick<Slot, 'start' | 'agentId'>) => `${start} ${agentId}`;
          const offered = new Map(slots.map((slot) => [key(slot), slot]));
          // Every half hour there is, those that are no start of the grid (second occurrences) aside.
          const grid = findSlots(
            {
              ...calendar,
              jobs: [],
              holidays: [],
              agents: [{ agent: { Id: 1, Name: '', StartDate: '', EndDate: '', TimeSlots: [always] }, timeOff: [] }],
            },
            anything,
            all,
          ).slots;
          for (const { start } of grid.slice(0, 100)) {
            for (const { agent } of calendar.agents) {
              const candidate = { start, agentId: agent.Id };
              const slot = offered.get(key(candidate));
              const check = checkSlot(calendar, work, candidate);
              expect(check.ok, check.ok ? 'booked what is not offered' : check.message).toBe(slot !== undefined);
              if (check.ok)
                expect(check).toEqual({ ok: true, driveMinutes: slot?.driveMinutes, driveWarning: slot?.driveWarning });
            }
          }
        }),
        { numRuns: Math.ceil(RUNS / 5), seed: 5 },
      );
    },
  );
});

const always = {
  DayOfWeek: null,
  NameOfDay: '',
  StartMinute: 0,
  Minutes: 1440,
  StartDate: '',
  EndDate: '',
  ServiceCategoryName: '',
  PostalCodes: '',
};
const anything = {
  category: '',
  fixedLocation: true,
  seasonFirst: null,
  seasonLast: null,
  minutes: 1,
  postalCode: '',
  position: null,
};
