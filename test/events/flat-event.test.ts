import { expect, test } from 'vitest';
import { flatPayload, isFlatKind } from '../../lib/events/flat-event.ts';
import { noTransaction } from '../../lib/events/event-text.ts';
import { allEventKinds } from '../../lib/domain/event-kinds.ts';
import type { EventPayload } from '../../lib/resources/events.ts';

const payload = (fields: Partial<EventPayload>): EventPayload => ({
  Kind: 'appointment.completed',
  TransactionKind: 1,
  Id: 5,
  OrganizationId: 1,
  ContactId: 7,
  At: '2026-11-06T04:30:00Z',
  Actor: null,
  RequestId: '',
  ...noTransaction,
  Changed: [],
  Data: { AppointmentId: 5 },
  Truncated: false,
  ...fields,
});

test('the flat feed has a completed visit, a new invoice and deletions of what it is about', () => {
  expect(allEventKinds.filter(isFlatKind)).toEqual([
    'contact.deleted',
    'appointment.completed',
    'appointment.deleted',
    'proposal.deleted',
    'invoice.created',
    'invoice.deleted',
  ]);
});

test('dates of the flat feed are those of the organization, without zeros; everything else stays', () => {
  const standard = payload({
    TransactionDate: '2026-11-06T04:30:00Z',
    CustomerSince: '2025-03-01T05:00:00Z',
    CreatedAt: '2025-02-09T15:04:05Z',
    Name: 'Ann Lee',
    PostalCode: '02134',
  });
  expect(flatPayload(standard, 'America/New_York')).toEqual({
    ...standard,
    TransactionDate: '2026-11-5',
    CustomerSince: '2025-3-1',
    CreatedAt: '2025-02-09 10:04:05',
  });
  expect(flatPayload(payload({}), 'UTC')).toEqual(payload({}));
});
