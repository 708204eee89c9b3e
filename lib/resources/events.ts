import * as z from 'zod';
import { datetime, described, field, flag, id, int32, list, nullable, text } from './fields.ts';
import { nested, resource, type Output } from './resource.ts';

const anyResource = () => field(z.record(z.string(), z.unknown()), z.record(z.string(), z.unknown()));

/** What an event says, in the queue and in callbacks (interface, section 9). */
export const EventPayload = resource('EventPayload', () => ({
  Kind: described(
    text(100),
    'What happened: contact.created, appointment.completed, payment.recorded, contact.deleted, ...',
  ),
  TransactionKind: nullable(
    described(int32(0, 3), '0 Invoice, 1 Appointment, 2 Proposal, 3 Delete; null for all else.'),
  ),
  Id: described(id(), 'The thing that changed.'),
  OrganizationId: nullable(id()),
  ContactId: nullable(id()),
  At: datetime(),
  Changed: described(list(text(200)), 'Names of the fields that changed.'),
  Data: nullable(described(anyResource(), 'The thing as its own operation returns it; null when Truncated.')),
  Truncated: described(flag(), 'Data would have been over 100 KB.'),
}));
export type EventPayload = Output<typeof EventPayload>;

/** An event of the queue; Id is a gap-free sequence an account. */
export const DataSubscriberEvent = resource('DataSubscriberEvent', () => ({
  Id: id(),
  QueuedAt: datetime(),
  Payload: nested(EventPayload),
}));
export type DataSubscriberEvent = Output<typeof DataSubscriberEvent>;
