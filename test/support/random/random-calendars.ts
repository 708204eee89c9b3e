import fc from 'fast-check';
import type {
  AgentCalendar,
  BookingPeriod,
  Calendar,
  DayOff,
  Job,
  SearchWindow,
  Work,
} from '../../../lib/domain/scheduling/calendar.ts';
import { greatCircleDriving } from '../../../lib/domain/scheduling/plans.ts';
import { firstInstantAt } from '../../../lib/shared/time/time.ts';

/** A search as findSlots takes it. */
export interface Asked {
  readonly calendar: Calendar;
  readonly work: Work;
  readonly window: SearchWindow;
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/**
 * Days on which clocks change, an hour, half an hour, at midnight and over it, forward and back; and zones where they
 * never do.
 */
export const CHANGES: readonly (readonly [zone: string, date: string])[] = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24'],
  ['Africa/Cairo', '2026-10-30'],
  ['America/Havana', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['America/St_Johns', '2006-10-29'],
  ['Asia/Kathmandu', '2026-06-01'],
  ['UTC', '2026-06-01'],
  ['America/Phoenix', '2027-09-14'],
  ['Australia/Lord_Howe', '2027-04-04'],
];

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, otherwise: Value) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });

const category = fc.constantFrom('', 'Plumbing', 'Garden');
const code = fc.constantFrom('10001', '10002', '');
const position = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 6,
    arbitrary: fc.record({
      latitude: fc.integer({ min: 0, max: 8 }).map((step) => 40 + step / 20),
      longitude: fc.constantFrom(-74, -73.9, -73.7),
    }),
  },
);

const bufferMinutes = fc.constantFrom(0, 0, 5, 10, 15, 30, 60, 480);
const buffers = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.record({ before: bufferMinutes, after: bufferMinutes }) },
);

/** Bounds of what may be booked, in any order. */
const period = (moment: fc.Arbitrary<number>): fc.Arbitrary<BookingPeriod> =>
  fc.record({
    first: rarely(moment, 0),
    until: rarely(moment, Infinity),
    notice: fc.constant('Notice.'),
    horizon: fc.constant('Horizon.'),
  });

function slotRequest(zone: string, change: number): fc.Arbitrary<Asked> {
  const midnight = fc.integer({ min: -3, max: 4 }).map((days) => change + days * DAY);
  const date = midnight.map((at) => new Date(at).toISOString().slice(0, 10));
  const dates = rarely(
    fc.tuple(date, date).map(([one, other]) => [one < other ? one : other, one < other ? other : one] as const),
    ['', ''] as const,
  );
  const minute = fc.integer({ min: 0, max: 47 }).map((half) => half * 30);
  const moment = fc
    .tuple(midnight, fc.integer({ min: 0, max: 287 }))
    .map(([at, five]) => firstInstantAt(at, zone) + five * 5 * MINUTE);
  const timeSlot = fc
    .record({
      DayOfWeek: rarely(fc.integer({ min: 0, max: 6 }), null),
      StartMinute: minute,
      Minutes: fc.integer({ min: 1, max: 30 }),
      dates,
      ServiceCategoryName: rarely(category, ''),
      PostalCodes: rarely(fc.constantFrom('10001', '10002,10001'), ''),
    })
    .chain((slot) => fc.constantFrom(slot, slot, slot, slot, { ...slot, StartMinute: 0, Minutes: 48 }))
    .map(({ dates: [StartDate, EndDate], Minutes, ...slot }) => ({
      ...slot,
      Minutes: Math.min(Minutes * 30, 1440 - slot.StartMinute),
      NameOfDay: '',
      StartDate,
      EndDate,
    }));
  const dayOff: fc.Arbitrary<DayOff> = fc
    .record({
      from: midnight,
      days: fc.constantFrom(0, 0, 0, 1, 2),
      StartMinute: fc.option(minute, { freq: 2 }),
      Minutes: fc.option(fc.integer({ min: 1, max: 16 }), { freq: 4 }),
    })
    .map(({ from, days, StartMinute, Minutes }) => ({
      Name: 'Off',
      From: new Date(from).toISOString().slice(0, 10),
      Through: new Date(from + days * DAY).toISOString().slice(0, 10),
      StartMinute,
      Minutes: Minutes && Minutes * 30,
    }));
  const calendarOf = (id: number): fc.Arbitrary<AgentCalendar> =>
    fc
      .record({
        dates,
        TimeSlots: fc.array(timeSlot, { maxLength: 4 }),
        timeOff: rarely(fc.array(dayOff, { minLength: 1, maxLength: 2 }), []),
      })
      .map(({ dates: [StartDate, EndDate], TimeSlots, timeOff }) => ({
        agent: { Id: id, Name: `Agent ${id}`, StartDate, EndDate, TimeSlots },
        timeOff,
      }));
  const job: fc.Arbitrary<Job> = fc
    .record({
      appointmentId: fc.integer({ min: 1, max: 30 }),
      agentId: fc.integer({ min: 1, max: 3 }),
      start: moment,
      minutes: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 0, max: 24 }) },
        { weight: 1, arbitrary: fc.constantFrom(48, 96) },
      ),
      position,
      buffers,
    })
    .map(({ minutes, start, buffers: around, ...each }) => ({
      ...each,
      ...(around && { buffers: around }),
      start: start - (around?.before ?? 0) * MINUTE,
      end: start + (minutes * 15 + (around?.after ?? 0)) * MINUTE,
    }));
  return fc.record({
    calendar: fc.record({
      zone: fc.constant(zone),
      agents: fc
        .integer({ min: 0, max: 12 })
        .chain((count) => fc.tuple(...[1, 2, 3].slice(0, Math.ceil(count / 4)).map(calendarOf))),
      jobs: fc.oneof(fc.array(job, { maxLength: 8 }), fc.array(job, { minLength: 10, maxLength: 40 })),
      holidays: rarely(fc.array(dayOff, { maxLength: 2 }), []),
      postalCodes: rarely(fc.constantFrom('10001', '10002,10009'), ''),
      startPosition: position,
      driveTimes: fc.constantFrom(15, 30, 60).map(greatCircleDriving),
      drivesAddToBuffers: fc.boolean(),
    }),
    work: fc.record({
      category,
      postalCode: code,
      position,
      minutes: fc.constantFrom(15, 30, 45, 60, 90, 120, 240, 600, 1500),
      buffers,
      fixedLocation: rarely(fc.constant(true), false),
      seasonFirst: rarely(date, null),
      seasonLast: rarely(date, null),
      appointmentId: rarely(fc.integer({ min: 1, max: 30 }), undefined),
    }),
    window: fc.record({
      from: moment,
      days: fc.integer({ min: 1, max: 4 }),
      now: rarely(moment, 0),
      period: rarely(period(moment), undefined),
      granularity: fc.constantFrom(30, 30, 15, 20, 45, 60, 7),
      timeframe: rarely(
        fc.constantFrom({ from: 0, to: 720 }, { from: 720, to: 1020 }, { from: 1020, to: 1440 }, { from: 90, to: 185 }),
        { from: 0, to: 1440 },
      ),
    }),
  }) as fc.Arbitrary<Asked>;
}

/** A random search around one of the changes. */
export const randomSearch = (change: readonly [zone: string, date: string]): fc.Arbitrary<Asked> =>
  slotRequest(change[0], Date.parse(`${change[1]}T00:00Z`));
