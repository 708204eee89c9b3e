import { describe, expect, test } from 'vitest';
import type { Calendar, Work } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { HERE, agent, at, away, calendar, job, shift, window, work } from '../../support/calendars.ts';

const DAY = '2026-06-01';
const moment = (time: string) => `${DAY}T${time}-04:00`;

/** A visit from 10:00 to 11:00 with buffers, as the calendar has it. */
const visit = (buffers: { before: number; after: number }, input: object = {}) => ({
  ...job(moment('10:00'), moment('11:00'), input),
  start: at(moment('10:00')) - buffers.before * 60_000,
  end: at(moment('11:00')) + buffers.after * 60_000,
  buffers,
});

/** The starts of an hour of work every 5 minutes, on a day of 8:00 to 14:00. */
function starts(input: Partial<Calendar>, requirements: Partial<Work> = {}): string[] {
  const agents = [agent(1, { TimeSlots: [shift({ Minutes: 360 })] })];
  const { slots } = findSlots(
    calendar({ agents, ...input }),
    work(requirements),
    window(moment('00:00'), { granularity: 5 }),
  );
  return slots.map(({ start }) => new Date(start - 4 * 3_600_000).toISOString().slice(11, 16));
}

/** The last start before the visit, and the first one after it. */
function around(input: Partial<Calendar>, requirements: Partial<Work> = {}): (string | undefined)[] {
  const found = starts(input, requirements);
  return [found.findLast((time) => time < '10:00'), found.find((time) => time > '10:00')];
}

const none = { before: 0, after: 0 };
const own = { before: 10, after: 5 };
const other = { before: 15, after: 30 };

describe('the last start before a visit from 10:00 to 11:00, and the first after it', () => {
  test.each([
    ['no buffers', none, none, 0, ['09:00', '11:00'], ['09:00', '11:00']],
    ['those of the visit', other, none, 0, ['08:45', '11:30'], ['08:45', '11:30']],
    ['those of the work', none, own, 0, ['08:55', '11:10'], ['08:55', '11:10']],
    ['those of both, which do not overlap', other, own, 0, ['08:40', '11:40'], ['08:40', '11:40']],
    ['and a drive that is shorter', other, own, 15, ['08:40', '11:40'], ['08:25', '11:55']],
    ['and a drive that is longer', other, own, 60, ['08:00', '12:00'], [undefined, '12:40']],
    ['of none, and a drive', none, none, 20, ['08:40', '11:20'], ['08:40', '11:20']],
  ] as const)('%s', (_, theirs, buffers, minutes, driveWithin, driveBesides) => {
    const jobs = [visit(theirs, { position: minutes ? away(minutes) : HERE })];
    expect(around({ jobs }, { buffers })).toEqual(driveWithin);
    expect(around({ jobs, drivesAddToBuffers: true }, { buffers })).toEqual(driveBesides);
  });

  test('at a fixed location nobody drives, and the buffers are kept', () => {
    const jobs = [visit(other, { position: away(60) })];
    const requirements = { buffers: own, fixedLocation: true };
    expect(around({ jobs, drivesAddToBuffers: true }, requirements)).toEqual(['08:40', '11:40']);
  });
});

test('buffers may be outside working hours and in time off, the visit may not', () => {
  const long = { before: 480, after: 480 };
  const found = starts({}, { buffers: long });
  expect([found[0], found.at(-1)]).toEqual(['08:00', '13:00']);
  const evening = [visit({ before: 0, after: 0 }), job(moment('15:00'), moment('16:00'))];
  expect(starts({ jobs: evening }, { buffers: { before: 0, after: 180 } }).at(-1)).toBe('11:00');
});

test('the first drive of the day takes working time, and the buffer before it need not', () => {
  const requirements = { buffers: { before: 30, after: 0 } };
  for (const drivesAddToBuffers of [false, true])
    expect(starts({ startPosition: away(20), drivesAddToBuffers }, requirements)[0]).toBe('08:20');
});

test('a visit does not block itself with its buffers', () => {
  const jobs = [visit(other, { appointmentId: 5 })];
  expect(starts({ jobs }, { appointmentId: 5, buffers: other })).toContain('10:05');
});

describe('a refusal says which minutes are kept free', () => {
  const taken = 'Agent 1 is taken on Mon, Jun 1 2026 from 10:00 AM to 11:00 AM by appointment 17';
  test.each([
    ['taken', { jobs: [visit(other)] }, {}, '09:00', `${taken}, with 15 min before and 30 min after it.`],
    [
      'taken',
      { jobs: [visit(none)] },
      { buffers: own },
      '09:00',
      `${taken}, and this work keeps 10 min before and 5 min after it free.`,
    ],
    [
      'driving',
      { jobs: [visit(other, { position: away(60) })], drivesAddToBuffers: true },
      { buffers: own },
      '08:30',
      'Agent 1 must leave 1 hr and 20 min of buffers before appointment 17 at 10:00 AM, and this work ends at 9:30 AM.',
    ],
    [
      'driving',
      { jobs: [visit(other, { position: away(60) })], drivesAddToBuffers: true },
      { buffers: own },
      '12:00',
      'Agent 1 arrives at 12:40 PM on Mon, Jun 1 2026 at the earliest, driving from appointment 17, ' +
        'which ends at 11:00 AM, with 40 min of buffers.',
    ],
  ] as const)('%s %#', (rule, input, requirements, start, message) => {
    const candidate = { agentId: 1, start: at(moment(start)) };
    expect(checkSlot(calendar(input), work(requirements), candidate)).toEqual({ ok: false, rule, message });
  });

  test('and so does a search without slots', () => {
    const agents = [agent(1, { TimeSlots: [shift({ StartMinute: 600, Minutes: 150 })] })];
    const input = calendar({ agents, jobs: [visit(other)] });
    const { reason } = findSlots(input, work({ buffers: own }), window(moment('00:00')));
    expect(reason).toEqual({
      cause: 'booked',
      message:
        'Fully booked on Mon, Jun 1 2026: 1 appointment of 1 service agent leave no room for 1 hr with 10 min before ' +
        'and 5 min after it and the drives.',
    });
  });
});
