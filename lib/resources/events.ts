import * as z from 'zod';
import { datetime, decimal, described, field, flag, id, int32, list, nullable, text } from './fields.ts';
import { type Output, nested, resource } from './resource.ts';

const anyResource = () => field(z.record(z.string(), z.unknown()), z.record(z.string(), z.unknown()));

/** What an event says, in the queue and in callbacks (interface, section 9). */
export const EventPayload = resource('EventPayload', () => ({
  Kind: described(
    text(100),
    'What happened: contact.created, appointment.completed, proposal.accepted, invoice.paid, payment.recorded, ' +
      'contact.deleted, ...',
  ),
  TransactionKind: nullable(
    described(int32(0, 3), '0 Invoice, 1 Appointment, 2 Proposal, 3 Delete, whatever was deleted; null for all else.'),
  ),
  Id: described(id(), 'The thing that changed.'),
  OrganizationId: nullable(id()),
  ContactId: nullable(id()),
  At: datetime(),
  TransactionDate: described(
    nullable(datetime()),
    'Of an invoice its Date, of an appointment its time or QueueDate, of a proposal its Date, of a deletion its ' +
      'moment. This and the eight fields below are of events with a TransactionKind, and null in all others.',
  ),
  Subtotal: described(
    nullable(decimal()),
    'Of the invoice or proposal, before tax; of an appointment only where an invoice is to be made of it.',
  ),
  LifetimeValue: described(
    nullable(decimal()),
    'What the contact has paid in all, less refunds. This and the six fields below are the contact as it was when ' +
      'the event was queued; null where it is gone.',
  ),
  CustomerSince: described(nullable(datetime()), 'When the contact became a customer; null while it is none.'),
  ContactName: nullable(text()),
  ContactNickname: nullable(text()),
  ContactCompany: nullable(text()),
  ContactPhone: described(nullable(text()), 'As typed, as all of the contact.'),
  ContactAltPhone: nullable(text()),
  Changed: described(list(text(200)), 'Names of the fields that changed; none of what is new or gone.'),
  Data: nullable(
    described(anyResource(), 'The thing as its own operation returns it; null when Truncated, and of what is gone.'),
  ),
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
