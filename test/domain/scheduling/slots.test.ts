import { describe, expect, test } from 'vitest';
import type { Calendar, SearchWindow, Work } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { toLocal } from '../../../lib/shared/time/time.ts';
import {
  HERE,
  NEW_YORK,
  agent,
  at,
  away,
  calendar,
  dayOff,
  job,
  shift,
  window,
  work,
} from '../../support/calendars.ts';

const MONDAY = '2026-06-01T00:00-04:00';

const search = (
  input: Partial<Calendar>,
  requirements: Partial<Work>,
  from: string,
  within: Partial<SearchWindow> = {},
) => findSlots(calendar(input), work(requirements), window(from, within)).slots;
const local = (slots: readonly { start: number }[], zone = NEW_YORK) => slots.map(({ start }) => toLocal(start, zone));
/** `8:00` … of a day. */
const times = (slots: readonly { start: number }[], zone = NEW_YORK) =>
  local(slots, zone).map((text) => text.slice(11, 16));

describe('a slot holds the whole duration', () => {
  test('from the first hour of work to where it just ends in time', () => {
    expect(times(search({}, { minutes: 120 }, MONDAY))).toEqual([
      '08:00',
      '09:00',
      '10:00',
      '11:00',
      '12:00',
      '13:00',
      '14:00',
      '15:00',
    ]);
  });

  test('and no break, though it may continue from shift to shift', () => {
    const split = (second: number) => ({
      agents: [agent(1, { TimeSlots: [shift({ Minutes: 240 }), shift({ StartMinute: second, Minutes: 120 })] })],
    });
    expect(times(search(split(780), { minutes: 120 }, MONDAY))).toEqual(['08:00', '09:00', '10:00', '13:00']);
    expect(times(search(split(720), { minutes: 120 }, MONDAY))).toEqual(['08:00', '09:00', '10:00', '11:00', '12:00']);
  });

  test('and no appointment, holiday or time off that begins after its start', () => {
    const threeHours = { minutes: 180 };
    expect(
      times(search({ jobs: [job('2026-06-01T12:00-04:00', '2026-06-01T13:00-04:00')] }, threeHours, MONDAY)),
    ).toEqual(['08:00', '09:00', '13:00', '14:00']);
    expect(times(search({ holidays: [dayOff('2026-06-01', { StartMinute: 720 })] }, threeHours, MONDAY))).toEqual([
      '08:00',
      '09:00',
    ]);
    expect(
      times(
        search(
          { agents: [agent(1, { timeOff: [dayOff('2026-06-01', { StartMinute: 660, Minutes: 30 })] })] },
          threeHours,
          MONDAY,
        ),
      ),
    ).toEqual(['08:00', '12:00', '13:00', '14:00']);
  });

  test('an appointment being rescheduled does not block itself', () => {
    const jobs = [job('2026-06-01T08:00-04:00', '2026-06-01T17:00-04:00', { appointmentId: 5 })];
    expect(search({ jobs }, {}, MONDAY)).toEqual([]);
    expect(search({ jobs }, { appointmentId: 5 }, MONDAY)).toHaveLength(9);
  });

  test('through midnight, for agents who work at night', () => {
    const agents = [
      agent(1, { TimeSlots: [shift({ StartMinute: 1320, Minutes: 120 }), shift({ StartMinute: 0, Minutes: 360 })] }),
    ];
    expect(times(search({ agents }, { minutes: 240 }, '2026-06-01T12:00-04:00', { days: 1 }))).toEqual([
      '22:00',
      '23:00',
    ]);
  });
});

describe('on days when clocks change, slots follow the clock', () => {
  const night = { agents: [agent(1, { TimeSlots: [shift({ StartMinute: 0, Minutes: 360 })] })] };

  test('New York springs forward: no 2:00, and 5 hours between 0:00 and 6:00', () => {
    expect(local(search(night, { minutes: 120 }, '2026-03-08T00:00-05:00'))).toEqual([
      '2026-03-08T00:00:00-05:00',
      '2026-03-08T01:00:00-05:00',
      '2026-03-08T03:00:00-04:00',
      '2026-03-08T04:00:00-04:00',
    ]);
  });

  test('New York falls back: 7 hours between 0:00 and 6:00, of two 1:00 the first', () => {
    expect(local(search(night, { minutes: 180 }, '2026-11-01T00:00-04:00'))).toEqual([
      '2026-11-01T00:00:00-04:00',
      '2026-11-01T01:00:00-04:00',
      '2026-11-01T02:00:00-05:00',
      '2026-11-01T03:00:00-05:00',
    ]);
  });

  test('an ordinary working day is the same before, on and after both', () => {
    for (const from of ['2026-03-07T00:00-05:00', '2026-10-31T00:00-04:00']) {
      const found = times(search({}, {}, from, { days: 3 }));
      expect(found).toHaveLength(27);
      expect(found.slice(0, 9)).toEqual([
        '08:00',
        '09:00',
        '10:00',
        '11:00',
        '12:00',
        '13:00',
        '14:00',
        '15:00',
        '16:00',
      ]);
      expect([found.slice(9, 18), found.slice(18)]).toEqual([found.slice(0, 9), found.slice(0, 9)]);
    }
  });

  test('Lord Howe changes half an hour', () => {
    const zone = 'Australia/Lord_Howe';
    const lordHowe = { ...night, zone };
    expect(local(search(lordHowe, { minutes: 270 }, '2026-10-04T00:00+10:30', { granularity: 30 }), zone)).toEqual([
      '2026-10-04T00:00:00+10:30',
      '2026-10-04T00:30:00+10:30',
      '2026-10-04T01:00:00+10:30',
    ]);
    expect(local(search(lordHowe, { minutes: 300 }, '2026-04-05T00:00+11:00', { granularity: 30 }), zone)).toEqual([
      '2026-04-05T00:00:00+11:00',
      '2026-04-05T00:30:00+11:00',
      '2026-04-05T01:00:00+11:00',
      '2026-04-05T01:30:00+11:00',
    ]);
  });
});

describe('able agents', () => {
  const ids = (slots: readonly { agentId: number }[]) => [...new Set(slots.map(({ agentId }) => agentId))];

  test('have hours for the category, in any case, or for all categories', () => {
    const agents = [
      agent(1, { TimeSlots: [shift({ ServiceCategoryName: 'plumbing' })] }),
      agent(2, { TimeSlots: [shift({ ServiceCategoryName: 'Garden' })] }),
      agent(3),
    ];
    expect(ids(search({ agents }, { category: 'Plumbing' }, MONDAY))).toEqual([1, 3]);
    expect(ids(search({ agents }, { category: '' }, MONDAY))).toEqual([3]);
  });

  test('serve the postal codes of their hours, else those of the organization', () => {
    const agents = [
      agent(1, { TimeSlots: [shift({ PostalCodes: '10001,10002' })] }),
      agent(2, { TimeSlots: [shift({ PostalCodes: '10003' })] }),
      agent(3),
    ];
    expect(ids(search({ agents }, { postalCode: '10002-1234' }, MONDAY))).toEqual([1, 3]);
    expect(ids(search({ agents, postalCodes: '10003,10004' }, { postalCode: '10002' }, MONDAY))).toEqual([1]);
    expect(ids(search({ agents, postalCodes: '10003,10004' }, { postalCode: '10004' }, MONDAY))).toEqual([3]);
  });

  test('need the category and the place in the same hours', () => {
    const agents = [
      agent(1, {
        TimeSlots: [
          shift({ ServiceCategoryName: 'Garden', PostalCodes: '10001' }),
          shift({ ServiceCategoryName: 'Plumbing', PostalCodes: '10002' }),
        ],
      }),
    ];
    expect(search({ agents }, { category: 'Plumbing', postalCode: '10001' }, MONDAY)).toEqual([]);
  });
});

describe('drives fit', () => {
  test('from StartAddress after work begins, from the appointment before, and on to the next', () => {
    const jobs = [job('2026-06-01T10:00-04:00', '2026-06-01T12:00-04:00', { position: away(20) })];
    const found = (input: Partial<Calendar>) =>
      search({ jobs, startPosition: away(15), ...input }, {}, MONDAY, { granularity: 30 });
    expect(times(found({}))).toEqual(['08:30', '12:30', '13:00', '13:30', '14:00', '14:30', '15:00', '15:30', '16:00']);
    expect(found({}).map(({ driveMinutes }) => driveMinutes)).toEqual([15, 20, 20, 20, 20, 20, 20, 20, 20]);
    expect(found({}).map(({ driveWarning }) => driveWarning)).not.toContain(true);
    const further = [job('2026-06-01T10:00-04:00', '2026-06-01T12:00-04:00', { position: away(21) })];
    expect(
      found({ jobs: further })
        .filter(({ driveWarning }) => driveWarning)
        .map(({ start }) => toLocal(start, NEW_YORK).slice(11, 16)),
    ).toEqual(['08:30', '12:30']);
  });

  test('each day begins at StartAddress, however far the last appointment of yesterday was', () => {
    const jobs = [job('2026-06-01T16:00-04:00', '2026-06-01T17:00-04:00', { position: away(90) })];
    const [first] = search({ jobs, startPosition: away(5) }, {}, '2026-06-02T00:00-04:00');
    expect(first).toMatchObject({ start: at('2026-06-02T09:00-04:00'), driveMinutes: 5, driveWarning: false });
  });

  test('a night shift is one day: after midnight the drive is from the appointment before it', () => {
    const agents = [
      agent(1, { TimeSlots: [shift({ StartMinute: 1320, Minutes: 120 }), shift({ StartMinute: 0, Minutes: 360 })] }),
    ];
    const jobs = [job('2026-06-01T22:00-04:00', '2026-06-01T23:50-04:00', { position: away(25) })];
    const [first] = search({ agents, jobs, startPosition: away(5) }, {}, '2026-06-02T00:00-04:00', { granularity: 15 });
    expect(first).toMatchObject({ start: at('2026-06-02T00:15-04:00'), driveMinutes: 25, driveWarning: true });
  });

  test('of a crew that never closes begins at the appointment before, of the last seven days, in a search or a check', () => {
    const around = {
      agents: [agent(1, { TimeSlots: [shift({ StartMinute: 0, Minutes: 1440 })] })],
      jobs: [job('2026-06-01T10:00-04:00', '2026-06-01T11:00-04:00', { position: away(25) })],
      startPosition: away(5),
    };
    const noons = search(around, {}, MONDAY, { days: 10, timeframe: { from: 720, to: 780 } });
    expect(noons.map(({ driveMinutes }) => driveMinutes)).toEqual([25, 25, 25, 25, 25, 25, 25, 25, 5, 5]);
    for (const { start, driveMinutes } of noons)
      expect(checkSlot(calendar(around), work(), { agentId: 1, start })).toEqual({
        ok: true,
        driveMinutes,
        driveWarning: false,
      });
  });

  test('of two appointments that end at once the agent comes from the one that began last; of two that begin at once the lesser id is next', () => {
    const jobs = [
      job('2026-06-01T09:00-04:00', '2026-06-01T10:00-04:00', { appointmentId: 4, position: away(40) }),
      job('2026-06-01T08:00-04:00', '2026-06-01T10:00-04:00', { appointmentId: 5, position: away(20) }),
      job('2026-06-01T12:30-04:00', '2026-06-01T13:00-04:00', { appointmentId: 7, position: away(90) }),
      job('2026-06-01T12:30-04:00', '2026-06-01T17:00-04:00', { appointmentId: 6, position: away(30) }),
    ];
    expect(search({ jobs }, {}, MONDAY)).toEqual([
      { start: at('2026-06-01T11:00-04:00'), agentId: 1, agentName: 'Agent 1', driveMinutes: 40, driveWarning: true },
    ]);
  });

  test('an appointment at an unknown place, and an unknown StartAddress, have no distance', () => {
    const jobs = [job('2026-06-01T09:00-04:00', '2026-06-01T10:00-04:00', { position: null })];
    const found = search({ jobs, startPosition: null }, { position: away(45) }, MONDAY);
    expect(times(found).slice(0, 3)).toEqual(['08:00', '10:00', '11:00']);
    expect(found[0]?.driveMinutes).toBe(0);
  });

  test('nobody drives to a fixed location', () => {
    const jobs = [job('2026-06-01T09:00-04:00', '2026-06-01T10:00-04:00', { position: away(60) })];
    const found = search({ jobs, startPosition: away(30) }, { fixedLocation: true, position: null }, MONDAY);
    expect(times(found).slice(0, 3)).toEqual(['08:00', '10:00', '11:00']);
    expect(found.every(({ driveMinutes, driveWarning }) => driveMinutes === 0 && !driveWarning)).toBe(true);
  });
});

describe('the window', () => {
  test('nothing before from or now, on the grid from midnight', () => {
    expect(times(search({}, {}, '2026-06-01T13:10-04:00'))).toEqual(['14:00', '15:00', '16:00']);
    expect(times(search({}, {}, MONDAY, { now: at('2026-06-01T14:00-04:00') }))).toEqual(['14:00', '15:00', '16:00']);
    expect(times(search({}, { minutes: 400 }, MONDAY, { granularity: 45 }))).toEqual(['08:15', '09:00', '09:45']);
  });

  test('the start lies in the timeframe, the end may lie outside', () => {
    expect(times(search({}, { minutes: 120 }, MONDAY, { timeframe: { from: 600, to: 720 } }))).toEqual([
      '10:00',
      '11:00',
    ]);
  });

  test('days are those of the calendar, the first one included', () => {
    expect(
      local(search({}, { minutes: 540 }, '2026-06-01T08:00-04:00', { days: 3 })).map((text) => text.slice(0, 10)),
    ).toEqual(['2026-06-01', '2026-06-02', '2026-06-03']);
  });

  test('season: on its first and last day and between', () => {
    const season = { seasonFirst: '2026-06-02', seasonLast: '2026-06-03' };
    const found = local(search({}, { ...season, minutes: 540 }, MONDAY, { days: 5 }));
    expect(found.map((text) => text.slice(0, 10))).toEqual(['2026-06-02', '2026-06-03']);
  });

  test('by time, then drive, then id; 500 at most', () => {
    const agents = [agent(3), agent(1), agent(2)];
    const jobs = [
      job('2026-06-01T08:00-04:00', '2026-06-01T10:00-04:00', { agentId: 3, position: away(9) }),
      job('2026-06-01T08:00-04:00', '2026-06-01T10:00-04:00', { agentId: 1, position: HERE }),
    ];
    const found = search({ agents, jobs, startPosition: away(9) }, {}, MONDAY);
    expect(
      found
        .slice(0, 4)
        .map(({ start, agentId, driveMinutes }) => [toLocal(start, NEW_YORK).slice(11, 16), driveMinutes, agentId]),
    ).toEqual([
      ['09:00', 9, 2],
      ['10:00', 0, 1],
      ['10:00', 9, 2],
      ['11:00', 0, 1],
    ]);
    expect(search({ agents }, { minutes: 15 }, MONDAY, { days: 14, granularity: 15 })).toHaveLength(500);
  });
});

test('a postal code abroad is reachable at no distance if the organization lists it', () => {
  const abroad = { position: null, postalCode: 'A1B 1W3' };
  const served = findSlots(calendar({ postalCodes: 'A1A5T2,A1B1W3' }), work(abroad), window('2026-06-01T00:00-04:00'));
  expect(served.slots[0]).toMatchObject({ driveMinutes: 0 });
  const unlisted = findSlots(calendar({ postalCodes: '' }), work(abroad), window('2026-06-01T00:00-04:00'));
  expect(unlisted.reason).toMatchObject({ cause: 'address' });
});
