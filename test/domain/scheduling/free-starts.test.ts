import { expect, test } from 'vitest';
import { findFreeStarts } from '../../../lib/domain/scheduling/free-starts.ts';
import { MAX_SLOTS, findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { agent, at, calendar, job, window, work } from '../../support/calendars.ts';

const THREE_DAYS = window('2027-06-01T04:00:00Z', { days: 3, granularity: 30 });

test('every start of every day is found once, with the nearest agent, however many agents are free', () => {
  const crowd = calendar({ agents: Array.from({ length: 60 }, (_, index) => agent(index + 1)) });
  expect(findSlots(crowd, work(), THREE_DAYS).slots).toHaveLength(MAX_SLOTS);
  const { starts } = findFreeStarts(crowd, work(), THREE_DAYS);
  // From 8:00 to 16:00, every 30 minutes.
  expect(starts).toHaveLength(3 * 17);
  expect(new Set(starts.map(({ start }) => start)).size).toBe(starts.length);
  expect(new Set(starts.map(({ agentId }) => agentId))).toEqual(new Set([1]));
});

test('days are found as one search finds them, and where none is free, why the first is not', () => {
  const jobs = [
    job('2027-06-02T12:00:00Z', '2027-06-02T21:00:00Z'),
    job('2027-06-03T14:00:00Z', '2027-06-03T15:30:00Z'),
  ];
  const one = calendar({ jobs });
  const { starts, reason } = findFreeStarts(one, work(), THREE_DAYS);
  expect(starts).toEqual(findSlots(one, work(), THREE_DAYS).slots);
  expect(reason).toBeNull();
  const full = findFreeStarts(one, work(), { ...THREE_DAYS, from: at('2027-06-02T12:00:00Z'), days: 1 });
  expect([full.starts, full.reason?.cause]).toEqual([[], 'booked']);
});
