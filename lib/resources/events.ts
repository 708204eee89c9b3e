import * as z from 'zod';
import {
  type Output,
  code,
  moment,
  decimal,
  described,
  field,
  flag,
  id,
  list,
  nested,
  nullable,
  resource,
  text,
} from './fields.ts';

const anyResource = () => field(z.record(z.string(), z.unknown()), z.record(z.string(), z.unknown()));

/** Who made a change; null if a record was removed outside the API. */
export const EventActor = resource('EventActor', () => ({
  Key: described(text(12), "The public part of the API key; empty for a command of the operator's tool or a worker."),
  Name: described(text(100), 'The name of the key, the command (`fs import`) or the worker (`background-work`).'),
}));

/** The content of an event, in the queue and in callbacks (interface, section 9). */
export const EventPayload = resource('EventPayload', () => ({
  Kind: described(
    text(100),
    'What happened: contact.created, appointment.completed, proposal.accepted, invoice.paid, payment.recorded, ' +
      'contact.deleted, ...',
  ),
  TransactionKind: nullable(
    code(['Invoice', 'Appointment', 'Proposal', 'Delete'], 'Delete is of any record, null stands for all others'),
  ),
  Id: described(id(), 'The record that changed.'),
  OrganizationId: nullable(id()),
  ContactId: nullable(id()),
  At: moment(),
  Actor: nested(EventActor),
  RequestId: described(
    text(64),
    'The X-Request-Id of the call that made the change. Work that continues later, like the visits of an accepted ' +
      'proposal, has the id of the call it follows from.',
  ),
  TransactionDate: described(
    nullable(moment()),
    'The Date of an invoice or proposal, the time or QueueDate of an appointment, the time of a deletion. This and ' +
      'the fields through ProposalId are null in events without TransactionKind. A key of the flat feed gets ' +
      'this and CustomerSince as Y-M-D of the organization, without zeros, and CreatedAt as YYYY-MM-DD HH:MM:SS.',
  ),
  Subtotal: described(
    nullable(decimal()),
    'Before tax, of the invoice, proposal or appointment; null for a deletion. Of an appointment whose tax is not ' +
      'stored, because it was imported or priced by an earlier version, it is the Total.',
  ),
  LifetimeValue: described(
    nullable(decimal()),
    'The payments of the contact, less refunds. This and the fields through CreatedAt describe the contact at ' +
      'the time the event was queued; null if it no longer exists.',
  ),
  CustomerSince: described(nullable(moment()), 'When the contact became a customer; null for a lead.'),
  ContactName: nullable(text()),
  ContactNickname: nullable(text()),
  ContactCompany: nullable(text()),
  ContactPhone: described(nullable(text()), 'As typed.'),
  ContactAltPhone: nullable(text()),
  Name: described(nullable(text()), 'The ContactName again: this and the fields below are as in the older feed.'),
  PriPhone: nullable(text()),
  AltPhone: nullable(text()),
  Email: nullable(text()),
  Address1: nullable(text()),
  Address2: nullable(text()),
  City: nullable(text()),
  State: nullable(text()),
  PostalCode: nullable(text()),
  DigitalTrackingId: nullable(text()),
  CreatedAt: described(nullable(text()), 'When the contact was made, in UTC.'),
  AppointmentId: described(nullable(id()), 'The record itself if it is an appointment, else null.'),
  InvoiceId: nullable(id()),
  ProposalId: nullable(id()),
  Changed: described(list(text(200)), 'Names of the changed fields; empty for created and deleted records.'),
  Data: nullable(described(anyResource(), 'The record as its own operation returns it; null if Truncated or deleted.')),
  Truncated: described(flag(), 'Data is left out because it exceeds 100 KB.'),
}));
export type EventPayload = Output<typeof EventPayload>;

/** Ids are a sequence without gaps in each account. */
export const DataSubscriberEvent = resource('DataSubscriberEvent', () => ({
  Id: id(),
  QueuedAt: moment(),
  Payload: nested(EventPayload),
}));
export type DataSubscriberEvent = Output<typeof DataSubscriberEvent>;
