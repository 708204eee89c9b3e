import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { type Slot, findSlots } from '../../../lib/domain/scheduling/slots.ts';
import type { Job } from '../../../lib/domain/scheduling/calendar.ts';
import { HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { agent, at, away, calendar, job, shift, window, work } from '../../support/calendars.ts';
import { CHANGES, randomSearch } from '../../support/random/random-calendars.ts';

const DATE = '2026-06-01';
const busy = (from: string, until: string, agentId = 1): Job => ({
  ...job(`${DATE}T${from}-04:00`, `${DATE}T${until}-04:00`),
  agentId,
  appointmentId: 0,
  position: null,
  isPrivate: true,
});
const visit = (from: string, until: string, input: Partial<Job> = {}) =>
  job(`${DATE}T${from}-04:00`, `${DATE}T${until}-04:00`, input);
const MONDAY = window(`${DATE}T00:00-04:00`);
const startsOf = (slots: readonly Slot[]): string[] =>
  slots.map(({ start }) => new Date(start - 4 * HOUR).toISOString().slice(11, 16));
const search = (jobs: readonly Job[], input: Parameters<typeof work>[0] = {}) =>
  findSlots(calendar({ agents: [agent(1, { TimeSlots: [shift()] })], jobs }), work(input), MONDAY);

describe('a private event', () => {
  it('takes the starts whose visit it overlaps, and no others', () => {
    const free = startsOf(search([]).slots);
    const left = startsOf(search([busy('10:30', '12:00')]).slots);
    expect(free.filter((start) => !left.includes(start))).toEqual(['10:00', '11:00']);
  });

  it('leaves the drive from visit to visit as it is, because nobody knows where it is', () => {
    const far = { position: away(90) };
    const visits = [visit('08:00', '09:00', far)];
    const before = startsOf(search(visits).slots);
    expect(before[0]).toBe('11:00');
    // 9:00 to 9:15 would be a visit next door if it reset the drive.
    expect(startsOf(search([...visits, busy('09:00', '09:15')]).slots)).toEqual(before);
  });

  it('may overlap the buffers of a visit', () => {
    const buffers = { before: 30, after: 30 };
    expect(startsOf(search([busy('09:00', '10:00')], { buffers }).slots)).toContain('10:00');
  });

  it('across events that overlap is one time', () => {
    const events = [busy('09:00', '11:00'), busy('10:00', '12:00'), busy('09:30', '10:00')];
    expect(startsOf(search(events).slots)[1]).toBe('12:00');
  });
});

test('the refusal of a start names private events beside visits, with their times', () => {
  const jobs = [visit('09:00', '10:00'), busy('09:30', '11:00')];
  const own = calendar({ agents: [agent(1, { TimeSlots: [shift()] })], jobs });
  const check = checkSlot(own, work(), { agentId: 1, start: at(`${DATE}T09:30-04:00`) });
  expect(check).toMatchObject({ ok: false, rule: 'taken' });
  expect(check.ok ? '' : check.message).toMatch(
    /by appointment 17 and on Mon, Jun 1 2026 from 9:30 AM to 11:00 AM by a private event in the agent's own calendar\.$/,
  );
});

test.each([
  [[busy('00:00', '23:00')], '1 private event of 1 service agent leave no room'],
  [[visit('00:00', '12:00'), busy('12:00', '23:00'), busy('11:00', '23:00')], '1 appointment and 2 private events of'],
  [[visit('00:00', '23:00')], 'Fully booked on Mon, Jun 1 2026: 1 appointment of 1 service agent leave no room'],
])('an empty search says how many private events there are', (jobs, sentence) => {
  const { slots, reason } = search(jobs);
  expect(slots).toEqual([]);
  expect(reason?.message).toContain(sentence);
});

describe('random searches with private events', () => {
  test.each(CHANGES)('%s %s: have exactly the slots without them that overlap none of them', (...change) => {
    const times = fc.array(
      fc.record({
        from: fc.nat(2 * 1440),
        minutes: fc.integer({ min: 1, max: 400 }),
        agentId: fc.constantFrom(1, 2, 3),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(randomSearch(change), times, ({ calendar: own, work: visit, window: searched }, found) => {
        const events = found.map(({ from, minutes, agentId }): Job => {
          const start = searched.from + (from - 720) * MINUTE;
          return { appointmentId: 0, agentId, start, end: start + minutes * MINUTE, position: null, isPrivate: true };
        });
        const { arrivalWindows: _, ...exact } = searched;
        const without = findSlots(own, visit, exact).slots;
        if (without.length === 500) return;
        const isFree = ({ start, agentId }: Slot) =>
          events.every(
            (each) => each.agentId !== agentId || each.end <= start || start + visit.minutes * MINUTE <= each.start,
          );
        expect(findSlots({ ...own, jobs: [...own.jobs, ...events] }, visit, exact).slots).toEqual(
          without.filter(isFree),
        );
      }),
      { numRuns: 30 },
    );
  });
});
