import { expect, test } from 'vitest';
import { announcedState } from '../../../lib/domain/messages/announced.ts';
import { type MessageState, messageEntity } from '../../../lib/entities/messages.ts';

const BOOKED = '1 900 ';
const MOVED = '1 1000 ';

const message = (State: MessageState, stamp: string, more: object = {}) =>
  messageEntity.blank({
    Id: 1,
    OrganizationId: 1,
    ContactId: 1,
    Kind: 'VisitBooked',
    Channel: 'Email',
    State,
    Noun: 'Appointment',
    RecordId: 7,
    Due: 1,
    Created: 1,
    Visits: [
      { Id: 6, FormerStart: null },
      { Id: 7, FormerStart: null },
    ],
    Stamp: `1 800 , ${stamp}`,
    ...more,
  });

test.each([
  ['was sent as it is', [message('Sent', MOVED), message('Sent', BOOKED)], 'current'],
  ['waits as it is', [message('Waiting', MOVED)], 'current'],
  ['was delivered otherwise', [message('Delivered', BOOKED)], 'other'],
  [
    'was sent by one channel and suppressed in the other',
    [message('Suppressed', BOOKED), message('Sent', BOOKED)],
    'other',
  ],
  ['moved, and moved back after another message', [message('Sent', BOOKED), message('Sent', MOVED)], 'other'],
  ['waits otherwise', [message('Waiting', BOOKED)], 'never'],
  ['was suppressed', [message('Suppressed', BOOKED)], 'never'],
  ['failed, and may have been sent', [message('Failed', MOVED)], 'other'],
  ['has no message', [], 'other'],
  ['has a reminder alone', [message('Sent', MOVED, { Kind: 'Reminder' })], 'other'],
] as const)('a visit that %s', (_, messages, state) => {
  expect(announcedState(messages, 7, MOVED)).toBe(state);
});

test('a visit that no message is about', () => {
  expect(announcedState([message('Sent', MOVED)], 8, MOVED)).toBe('other');
});
