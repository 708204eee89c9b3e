import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Calendar } from '../../../lib/domain/scheduling/calendar.ts';
import { strangerMinutes } from '../../../lib/domain/scheduling/stranger-share.ts';

const zone = 'America/New_York';
/** A Monday at noon. */
const MONDAY = Date.parse('2026-03-09T16:00:00Z');
/** A Sunday whose 2:00–3:00 does not exist. */
const SUNDAY = Date.parse('2026-03-08T16:00:00Z');

type Agent = Calendar['agents'][number];

const agent = (Id: number, DayOfWeek: number, StartMinute: number, Minutes: number): Agent => {
  const limits = { NameOfDay: '', StartDate: '', EndDate: '', ServiceCategoryName: '', PostalCodes: '' };
  return {
    agent: { Id, Name: 'Ann', StartDate: '', EndDate: '', TimeSlots: [{ DayOfWeek, StartMinute, Minutes, ...limits }] },
    timeOff: [],
  };
};
const off = { Name: '', From: '2026-03-09', Through: '2026-03-09', StartMinute: null, Minutes: null };
const ann = agent(1, 1, 480, 540);
const ben = agent(2, 1, 540, 61);

test.each<[name: string, agents: Agent[], holidays: Calendar['holidays'], at: number, share: number, minutes: number]>([
  ['half of nine hours', [ann], [], MONDAY, 50, 270],
  ['half of the time of all agents, rounded down', [ann, ben], [], MONDAY, 50, 300],
  ['time off does not count', [ann, { ...ben, timeOff: [off] }], [], MONDAY, 100, 540],
  ['a holiday leaves one minute, so that a first visit fits', [ann], [off], MONDAY, 50, 1],
  ['a day without hours too', [ann], [], SUNDAY, 50, 1],
  ['an hour that the clock leaves out does not count', [agent(1, 0, 0, 480)], [], SUNDAY, 100, 420],
])('%s', (_, agents, holidays, at, share, minutes) => {
  expect(strangerMinutes({ agents, holidays, zone }, at, share)).toBe(minutes);
});

test('a greater share is never less, and no moment of a day differs', () => {
  const calendar = { agents: [ann, ben], holidays: [], zone };
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.nat(1439), (one, other, minute) => {
      const at = Date.parse('2026-03-09T04:00:00Z') + minute * 60_000;
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(strangerMinutes(calendar, at, less)).toBeLessThanOrEqual(strangerMinutes(calendar, MONDAY, more));
    }),
  );
});
