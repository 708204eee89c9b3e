import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Calendar, type Job, ANYTIME } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { agent, at, away, calendar, job, shift, work } from '../../support/calendars.ts';

const HALF_HOUR = 30 * 60_000;

/** NIGHTS=2000 for more. */
const RUNS = Number(process.env['NIGHTS'] ?? 100);

/** Saturday 22:00–24:00 and Sunday 0:00–5:00: one night, over midnight and the end of the week. */
const saturdayNight = [
  shift({ DayOfWeek: 6, StartMinute: 1320, Minutes: 120 }),
  shift({ DayOfWeek: 0, StartMinute: 0, Minutes: 300 }),
];

/**
 * The same time is a plain day shift in UTC, written out by hand: a night must be worked like that day. Clock times
 * that occur twice are offered once: those of `twice` are only in UTC.
 */
const nights = [
  { zone: 'America/New_York', date: '2026-06-07', from: 2, until: 9, twice: [] },
  { zone: 'America/New_York', date: '2026-03-08', from: 3, until: 9, twice: [] },
  { zone: 'America/New_York', date: '2026-11-01', from: 2, until: 10, twice: ['06:00', '06:30'] },
  { zone: 'America/Los_Angeles', date: '2026-03-08', from: 6, until: 12, twice: [] },
  { zone: 'America/Havana', date: '2026-03-08', from: 3, until: 9, twice: [] },
  { zone: 'America/Havana', date: '2026-11-01', from: 2, until: 10, twice: ['05:00', '05:30'] },
] as const;

const minutes = (hours: number): number => hours * 60;

describe.each(nights)('the night to $date in $zone', ({ zone, date, from, until, twice }) => {
  const begin = at(`${date}T00:00Z`) + from * 2 * HALF_HOUR;
  const end = at(`${date}T00:00Z`) + until * 2 * HALF_HOUR;
  const day = [shift({ StartMinute: minutes(from), Minutes: minutes(until - from), StartDate: date, EndDate: date })];
  const length = (end - begin) / 300_000;

  const jobs: fc.Arbitrary<Job[]> = fc.array(
    fc
      .record({
        start: fc.integer({ min: 0, max: length - 3 }),
        length: fc.integer({ min: 3, max: 18 }),
        drive: fc.constantFrom(5, 20, 50),
        appointmentId: fc.integer({ min: 1, max: 9 }),
      })
      .map(({ start, drive, appointmentId, ...rest }) => ({
        appointmentId,
        agentId: 1,
        position: away(drive),
        start: begin + start * 300_000,
        end: Math.min(begin + (start + rest.length) * 300_000, end),
      })),
    { maxLength: 4 },
  );

  test(`has the slots of a day shift: starts, drives and warnings, in ${RUNS} random nights`, () => {
    const search = fc.record({
      jobs,
      minutes: fc.constantFrom(30, 60, 90, 240),
      startDrive: fc.constantFrom(5, 25, 70),
      drive: fc.constantFrom(5, 30),
    });
    fc.assert(
      fc.property(search, ({ jobs: taken, startDrive, drive, ...rest }) => {
        const visit = work({ ...rest, position: away(drive) });
        const inZone = (name: string, TimeSlots: Calendar['agents'][number]['agent']['TimeSlots']) =>
          calendar({ zone: name, agents: [agent(1, { TimeSlots })], jobs: taken, startPosition: away(startDrive) });
        const window = { from: begin, days: 2, now: 0, granularity: 30, timeframe: ANYTIME };
        const expected = findSlots(inZone('UTC', day), visit, window).slots.filter(
          ({ start }) => !twice.some((time) => start === at(`${date}T${time}Z`)),
        );
        const night = inZone(zone, saturdayNight);
        expect(findSlots(night, visit, window).slots).toEqual(expected);
        const booked = Array.from({ length: (end - begin) / HALF_HOUR }, (_, index) => begin + index * HALF_HOUR);
        for (const start of booked) {
          const candidate = { agentId: 1, start };
          const same = checkSlot(inZone('UTC', day), visit, candidate);
          expect(checkSlot(night, visit, candidate).ok, new Date(start).toISOString()).toBe(same.ok);
        }
      }),
      { numRuns: RUNS, seed: 10 },
    );
  });

  test('holds 60 minutes from half an hour before midnight, and a drive then begins at the appointment before', () => {
    const midnight = zone === 'America/Los_Angeles' ? at(`${date}T08:00Z`) : begin + 4 * HALF_HOUR;
    const night = calendar({
      zone,
      agents: [agent(1, { TimeSlots: saturdayNight })],
      jobs: [job(new Date(begin).toISOString(), new Date(midnight - HALF_HOUR).toISOString(), { position: away(20) })],
      startPosition: away(90),
    });
    expect(checkSlot(night, work(), { agentId: 1, start: midnight - HALF_HOUR })).toMatchObject({ rule: 'driving' });
    const check = checkSlot(night, work({ position: away(20) }), { agentId: 1, start: midnight - HALF_HOUR });
    expect(check).toMatchObject({ ok: true, driveMinutes: 0 });
    expect(checkSlot(night, work(), { agentId: 1, start: midnight })).toMatchObject({ ok: true, driveMinutes: 20 });
  });
});

/** Monday 6:00–8:00 and 22:00–24:00, Tuesday 0:00–5:00. */
const splitDay = [
  shift({ DayOfWeek: 1, StartMinute: 360, Minutes: 120 }),
  shift({ DayOfWeek: 1, StartMinute: 1320, Minutes: 120 }),
  shift({ DayOfWeek: 2, StartMinute: 0, Minutes: 300 }),
];

test('the drive of a night begins with the first hours of the day on which the night began, before and after midnight', () => {
  const night = calendar({ agents: [agent(1, { TimeSlots: splitDay })], startPosition: away(129) });
  const window = { from: at('2026-06-01T00:00-04:00'), days: 2, now: 0, granularity: 30, timeframe: ANYTIME };
  const { slots } = findSlots(night, work(), window);
  const evening = at('2026-06-01T22:00-04:00');
  expect(slots.map(({ start }) => start)).toEqual(
    Array.from({ length: 13 }, (_, index) => evening + index * HALF_HOUR),
  );
});

test('an appointment of the day on which a night began is the one before, on both sides of midnight', () => {
  const morning = job('2026-06-01T06:00-04:00', '2026-06-01T07:00-04:00', { position: away(30) });
  const night = calendar({ agents: [agent(1, { TimeSlots: splitDay })], jobs: [morning] });
  for (const start of ['2026-06-01T23:30-04:00', '2026-06-02T00:00-04:00'])
    expect(checkSlot(night, work(), { agentId: 1, start: at(start) })).toMatchObject({ ok: true, driveMinutes: 30 });
});

test('a refusal names the whole night, not its half of one day', () => {
  const night = calendar({ agents: [agent(1, { TimeSlots: saturdayNight })] });
  expect(checkSlot(night, work({ minutes: 360 }), { agentId: 1, start: at('2026-06-06T23:30-04:00') })).toEqual({
    ok: false,
    rule: 'hours',
    message: "11:30 PM to 5:30 AM is outside Agent 1's working hours on Sat, Jun 6 2026: 10:00 PM to 5:00 AM.",
  });
  expect(checkSlot(night, work(), { agentId: 1, start: at('2026-06-07T04:30-04:00') })).toEqual({
    ok: false,
    rule: 'hours',
    message: "4:30 AM to 5:30 AM is outside Agent 1's working hours on Sun, Jun 7 2026: 10:00 PM to 5:00 AM.",
  });
});
