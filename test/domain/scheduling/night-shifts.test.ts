import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Calendar, type Job, ANYTIME } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { agent, at, away, calendar, job, shift, work } from '../../support/calendars.ts';

const HALF_HOUR = 30 * 60_000;

/** NIGHTS=2000 for more. */
const RUNS = Number(process.env['NIGHTS'] ?? 50);

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

/** A run of hours of three days, and a visit on the first of them: whenever the agent starts, the visit is before it. */
test.each([
  ['America/Phoenix', '2027-09-12', '-07:00', ['2027-09-13T23:30-07:00', '2027-09-14T00:00-07:00']],
  // Clocks go back by half an hour at 2:00.
  [
    'Australia/Lord_Howe',
    '2027-04-02',
    '+11:00',
    ['2027-04-04T00:00+11:00', '2027-04-04T01:30+11:00', '2027-04-04T02:00+10:30', '2027-04-04T23:30+10:30'],
  ],
  // Clocks go forward, and back, at midnight.
  ['Africa/Cairo', '2027-04-28', '+02:00', ['2027-04-29T23:30+02:00', '2027-04-30T01:00+03:00']],
  ['America/Havana', '2027-03-12', '-05:00', ['2027-03-13T23:30-05:00', '2027-03-14T01:00-04:00']],
  ['America/Havana', '2027-11-05', '-04:00', ['2027-11-06T23:30-04:00', '2027-11-07T00:00-04:00']],
  ['Africa/Cairo', '2027-10-26', '+03:00', ['2027-10-28T23:30+03:00', '2027-10-29T00:00+02:00']],
])(
  'the drive of a run of days in %s is from the visit before, on both sides of midnight',
  (zone, day, offset, starts) => {
    const dates = { StartDate: day, EndDate: new Date(Date.parse(day) + 3 * 86_400_000).toISOString().slice(0, 10) };
    const run = calendar({
      zone,
      agents: [agent(1, { TimeSlots: [shift({ StartMinute: 0, Minutes: 1440, ...dates })] })],
      jobs: [job(`${day}T10:00${offset}`, `${day}T11:00${offset}`, { position: away(30) })],
      startPosition: away(90),
    });
    const window = { from: at(`${day}T00:00${offset}`), days: 4, now: 0, granularity: 30, timeframe: ANYTIME };
    const offered = new Map(findSlots(run, work(), window).slots.map((slot) => [slot.start, slot.driveMinutes]));
    // The visit is left at 11:00, and the first start before it needs the drive from StartAddress.
    expect(offered.get(at(`${day}T01:30${offset}`))).toBe(90);
    for (const start of starts.map(at)) {
      expect(offered.get(start), new Date(start).toISOString()).toBe(30);
      expect(checkSlot(run, work(), { agentId: 1, start })).toMatchObject({ ok: true, driveMinutes: 30 });
    }
  },
);

test('where a run of hours begins at midnight, its first drive is from the start address and takes time of the run', () => {
  const monday = shift({ DayOfWeek: 1, StartMinute: 540, Minutes: 480 });
  const tuesday = shift({ DayOfWeek: 2, StartMinute: 0, Minutes: 300 });
  const run = calendar({
    agents: [agent(1, { TimeSlots: [monday, tuesday] })],
    jobs: [job('2026-06-01T09:00-04:00', '2026-06-01T10:00-04:00', { position: away(90) })],
    startPosition: away(20),
  });
  expect(checkSlot(run, work(), { agentId: 1, start: at('2026-06-02T00:00-04:00') })).toMatchObject({
    rule: 'driving',
  });
  const first = checkSlot(run, work(), { agentId: 1, start: at('2026-06-02T00:20-04:00') });
  expect(first).toMatchObject({ ok: true, driveMinutes: 20 });
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
