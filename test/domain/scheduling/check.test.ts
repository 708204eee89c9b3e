import { describe, expect, test } from 'vitest';
import type { Calendar, Work } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { agent, at, away, calendar, dayOff, job, shift, work } from '../../support/calendars.ts';

const TEN = '2026-06-01T10:00-04:00';
const check = (input: Partial<Calendar>, requirements: Partial<Work> = {}, start = TEN, agentId = 1) =>
  checkSlot(calendar(input), work(requirements), { agentId, start: at(start) });

describe('a booking is refused', () => {
  const ann = (input: Parameters<typeof agent>[1] = {}) => ({ agents: [agent(1, { Name: 'Ann', ...input })] });
  const taken = [job('2026-06-01T10:30-04:00', '2026-06-01T12:00-04:00')];

  test.each([
    ['agent', {}, {}, TEN, 7, 'Service agent 7 not found.'],
    [
      'category',
      ann({ TimeSlots: [shift({ ServiceCategoryName: 'Garden' })] }),
      { category: 'Plumbing' },
      TEN,
      1,
      'Ann does not do services of the category Plumbing.',
    ],
    [
      'postalCode',
      ann({ TimeSlots: [shift({ PostalCodes: '10002' })] }),
      {},
      TEN,
      1,
      'The postal code 10001 is outside the postal codes of Ann for services without a category: 10002.',
    ],
    [
      'address',
      ann(),
      { position: null, postalCode: '' },
      TEN,
      1,
      'An address without a postal code cannot be located, so no drive there can be planned.',
    ],
    [
      'season',
      ann(),
      { seasonFirst: '2026-06-02' },
      TEN,
      1,
      'Mon, Jun 1 2026 is outside the season of the service, from Tue, Jun 2 2026.',
    ],
    [
      'hours',
      ann(),
      { minutes: 120 },
      '2026-06-01T16:00-04:00',
      1,
      "4:00 PM to 6:00 PM is outside Ann's working hours on Mon, Jun 1 2026: 8:00 AM to 5:00 PM.",
    ],
    [
      'hours',
      ann({ TimeSlots: [shift({ DayOfWeek: 0 })] }),
      {},
      TEN,
      1,
      'Ann does not work on Mon, Jun 1 2026 for this service and address.',
    ],
    ['hours', ann({ StartDate: '2026-07-01' }), {}, TEN, 1, 'Ann is a service agent only from 2026-07-01.'],
    ['hours', ann({ EndDate: '2026-05-31' }), {}, TEN, 1, 'Ann was a service agent only through 2026-05-31.'],
    [
      'hours',
      {
        ...ann({ timeOff: [dayOff('2026-06-01', { Name: '', StartMinute: 630, Minutes: 60 })] }),
        holidays: [dayOff('2026-06-01', { Name: 'Founders Day' })],
      },
      {},
      TEN,
      1,
      'Ann is off at that time: Founders Day, time off.',
    ],
    [
      'taken',
      { ...ann(), jobs: taken },
      {},
      TEN,
      1,
      'Ann is taken on Mon, Jun 1 2026 from 10:30 AM to 12:00 PM by appointment 17.',
    ],
    [
      'driving',
      { ...ann(), jobs: [job('2026-06-01T08:00-04:00', '2026-06-01T09:50-04:00', { position: away(30) })] },
      {},
      TEN,
      1,
      'Ann arrives at 10:20 AM on Mon, Jun 1 2026 at the earliest, driving from appointment 17, which ends at 9:50 AM.',
    ],
    [
      'driving',
      { ...ann(), startPosition: away(150) },
      {},
      TEN,
      1,
      'Ann arrives at 10:30 AM on Mon, Jun 1 2026 at the earliest, driving from the start address, leaving at 8:00 AM.',
    ],
    [
      'driving',
      { ...ann(), jobs: [job('2026-06-01T11:10-04:00', '2026-06-01T12:00-04:00', { position: away(30) })] },
      {},
      TEN,
      1,
      'Ann must leave 30 min before appointment 17 at 11:10 AM, and this work ends at 11:00 AM.',
    ],
    [
      'driving',
      { ...ann(), jobs: [job('2026-05-31T20:00-04:00', '2026-06-01T00:00-04:00', { position: away(660) })] },
      {},
      TEN,
      1,
      'Ann arrives at 11:00 AM on Mon, Jun 1 2026 at the earliest, driving from appointment 17, which ends at 12:00 AM.',
    ],
  ] as const)('%s %#', (rule, input, requirements, start, agentId, message) => {
    expect(check(input, requirements, start, agentId)).toEqual({ ok: false, rule, message });
  });
});

describe('a booking is accepted', () => {
  test('at a start off the grid', () => {
    expect(check({}, {}, '2026-06-01T10:07-04:00')).toEqual({ ok: true, driveMinutes: 0, driveWarning: false });
  });

  test('right before and after other appointments, with a drive warning', () => {
    const jobs = [
      job('2026-06-01T09:00-04:00', TEN),
      job('2026-06-01T11:00-04:00', '2026-06-01T12:00-04:00', { appointmentId: 18 }),
    ];
    expect(check({ jobs })).toEqual({ ok: true, driveMinutes: 0, driveWarning: true });
  });

  test('at the second occurrence of an hour, which a search does not offer', () => {
    const agents = [agent(1, { TimeSlots: [shift({ StartMinute: 0 })] })];
    expect(check({ agents }, {}, '2026-11-01T01:30-05:00')).toMatchObject({ ok: true });
  });

  test('over the appointment being rescheduled, and at the same time as those of other agents', () => {
    const jobs = [
      job(TEN, '2026-06-01T12:00-04:00', { appointmentId: 5 }),
      job(TEN, '2026-06-01T12:00-04:00', { agentId: 2 }),
    ];
    expect(check({ jobs }, { appointmentId: 5 })).toMatchObject({ ok: true });
    expect(check({ jobs })).toMatchObject({ ok: false, rule: 'taken' });
  });
});
