import { expect, test } from 'vitest';
import { type MadeVisit, completedSeries, soldSeries } from '../../../lib/domain/subscriptions/sold-series.ts';
import { scheduleVisits } from '../../../lib/domain/subscriptions/visits.ts';
import { dayNumber } from '../../../lib/shared/time/calendar-dates.ts';
import { pricedProposal, subscription } from '../../support/subscriptions.ts';

const monthly = { RecurringEventSetting_Type: 2, RecurringEventSetting_Frequency: 1 };
const proposal = pricedProposal({ of: subscription({ VisitCount: 4, ...monthly }) });
const now = new Date(5);
const planned = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01'];
const zone = 'America/New_York';

/** Two of each transaction; the second container had lower ids left. */
const made: MadeVisit[] = [11, 12, 3, 4].map((Id, place) => {
  const QueueDate = planned[place] ?? '';
  return { Id, Created: place < 2 ? 100 : 200, QueueDate, Start: null, Zone: zone };
});
const [first, second, third, fourth] = made as [MadeVisit, MadeVisit, MadeVisit, MadeVisit];
const days = (...dates: readonly string[]) => dates.map(dayNumber);
const complete = { ...soldSeries(proposal, scheduleVisits(proposal), 5), VisitIds: [11, 12, 3, 4] };

test.each([
  ['all visits, in the order in which they were made', undefined, [third, second, fourth, first], 0, complete],
  ['those that are made, where others are still queued', undefined, [first, second], 2, { VisitIds: [11, 12] }],
  ['those that a series lacks behind its own', { ...complete, VisitIds: [11, 12] }, made, 0, complete],
  [
    'the days of the others, where one became other work',
    undefined,
    [first, { ...third, Start: Date.parse('2026-05-09T14:00Z') }],
    1,
    { VisitIds: [11, 3], Days: days('2026-03-01', '2026-05-09', '2026-06-01'), Months: 0 },
  ],
  ['nothing where nothing lacks', complete, made, 0, undefined],
  ['nothing for a single visit', undefined, [first], 0, undefined],
] as const)('a series gets %s', (_, stored, visits, VisitsToQueue, expected) => {
  const series = completedSeries({ ...proposal, VisitsToQueue }, stored, visits, now);
  expect(series && { ...series, Created: 5 }).toEqual(expected && expect.objectContaining(expected));
});
