import { expect, test } from 'vitest';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { HERE, agent, at, away, calendar, dayOff, job, shift, window, work } from '../../support/calendars.ts';

const MONDAY = '2026-06-01T00:00-04:00';
const plumbers = [
  agent(1, { TimeSlots: [shift({ ServiceCategoryName: 'Plumbing', PostalCodes: '10001' })] }),
  agent(2, { TimeSlots: [shift({ ServiceCategoryName: 'Plumbing', PostalCodes: '10002' })] }),
];
const busy = [
  job('2026-06-01T08:00-04:00', '2026-06-01T12:30-04:00'),
  job('2026-06-01T13:00-04:00', '2026-06-01T17:00-04:00', { appointmentId: 18 }),
];

test.each([
  ['agents', { agents: [] }, {}, {}, 'The organization has no service agents.'],
  [
    'category',
    { agents: plumbers },
    { category: 'Garden' },
    {},
    'None of the 2 service agents does services of the category Garden.',
  ],
  [
    'category',
    { agents: plumbers.slice(1) },
    {},
    {},
    'The only service agent does not do services without a category.',
  ],
  [
    'postalCode',
    { agents: plumbers },
    { category: 'Plumbing', postalCode: '10009' },
    {},
    'The postal code 10009 is outside the postal codes of all 2 service agents for services of the category Plumbing.',
  ],
  [
    'postalCode',
    { postalCodes: '10002' },
    { postalCode: '' },
    {},
    'An address without a postal code is outside the postal codes of the only service agent for services without a category.',
  ],
  [
    'address',
    {},
    { position: null, postalCode: '99999' },
    {},
    'The postal code 99999 cannot be located, so no drive there can be planned.',
  ],
  [
    'past',
    {},
    {},
    { now: at('2026-07-01T00:00-04:00') },
    'The days searched are in the past: the last is Mon, Jun 1 2026.',
  ],
  [
    'season',
    {},
    { seasonFirst: '2026-06-10', seasonLast: '2026-08-31' },
    { days: 2 },
    'The season of the service is from Wed, Jun 10 2026 through Mon, Aug 31 2026; the days searched are from Mon, Jun 1 2026 through Tue, Jun 2 2026.',
  ],
  [
    'hours',
    { holidays: [dayOff('2026-06-01')] },
    {},
    {},
    'The only service agent who can do this does not work on Mon, Jun 1 2026.',
  ],
  [
    'hours',
    {},
    {},
    { timeframe: { from: 1020, to: 1440 }, days: 14 },
    'The only service agent who can do this does not work from Mon, Jun 1 2026 through Sun, Jun 14 2026, between 17:00 and 24:00.',
  ],
  [
    'hours',
    { agents: [agent(1, { EndDate: '2026-06-04' }), agent(2, { EndDate: '2026-06-04' })] },
    { seasonFirst: '2026-06-10' },
    { days: 14 },
    'None of the 2 service agents who can do this works from Wed, Jun 10 2026 through Sun, Jun 14 2026.',
  ],
  [
    'hours',
    {},
    {},
    { now: at('2026-06-01T18:00-04:00') },
    'The only service agent who can do this does not work from Mon, Jun 1 2026 6:00 PM through Mon, Jun 1 2026.',
  ],
  [
    'duration',
    {},
    { minutes: 570 },
    {},
    'The work takes 9 hr 30 min. No start leaves more than 9 hr on Mon, Jun 1 2026.',
  ],
  [
    'duration',
    { startPosition: away(400) },
    { minutes: 180 },
    {},
    'The work takes 3 hr. No start leaves more than 2 hr after the first drive of 6 hr 40 min on Mon, Jun 1 2026.',
  ],
  // 36 degrees of latitude: 36 · 179.643 = 6,467.1 minutes.
  [
    'duration',
    {},
    { position: { ...HERE, latitude: 4 } },
    { days: 14 },
    'The address is too far away: the first drive of 107 hr 48 min from the start address leaves no time for the work from Mon, Jun 1 2026 through Sun, Jun 14 2026.',
  ],
  [
    'booked',
    { jobs: busy },
    {},
    {},
    'Fully booked on Mon, Jun 1 2026: 2 appointments of 1 service agent leave no room for 1 hr and the drives.',
  ],
  [
    'booked',
    { jobs: busy },
    { fixedLocation: true },
    {},
    'Fully booked on Mon, Jun 1 2026: 2 appointments of 1 service agent leave no room for 1 hr.',
  ],
] as const)('%s %#', (cause, input, requirements, within, message) => {
  expect(findSlots(calendar(input), work(requirements), window(MONDAY, within))).toEqual({
    slots: [],
    reason: { cause, message },
  });
});

test('the cause is the rule that leaves no agent', () => {
  const agents = [
    agent(1, { TimeSlots: [shift({ ServiceCategoryName: 'Garden' })] }),
    agent(2, { EndDate: '2026-05-31' }),
    agent(3, { TimeSlots: [] }),
  ];
  expect(findSlots(calendar({ agents }), work({ category: 'Plumbing' }), window(MONDAY)).reason).toMatchObject({
    cause: 'hours',
    message: expect.stringMatching(/^None of the 2 service agents who can do this works/),
  });
});

test('a search that finds slots has no reason', () => {
  expect(findSlots(calendar(), work(), window(MONDAY)).reason).toBeNull();
});
