import { Payment } from '../entities/payments.ts';
import { Invoice } from '../entities/invoices.ts';
import { Appointment } from '../resources/appointments.ts';
import { Contact, Note } from '../resources/contacts.ts';
import {
  date,
  moment,
  described,
  dictionary,
  flag,
  id,
  int32,
  list,
  many,
  nullable,
  resource,
  text,
  without,
} from '../resources/fields.ts';
import { type EventNoun, eventKinds } from '../resources/event-kinds.ts';
import { OrganizationDetails, ServiceAgent, User, role } from '../resources/organizations.ts';
import { PartDetailed } from '../resources/parts.ts';
import { Proposal } from '../resources/proposals.ts';
import { ServiceDetailed } from '../resources/services.ts';
import { Task } from '../entities/tasks.ts';

/** A logged call. */
export const CallEventData = resource('CallEventData', () => ({
  Id: id(),
  OrganizationId: id(),
  ContactId: nullable(id()),
  NoteId: nullable(described(id(), 'The note of the contact that describes the call.')),
  Text: described(text(), 'The whole record as sent.'),
  Phone: text(),
  Direction: text(),
  DurationSeconds: nullable(int32(0)),
  Note: text(),
  RecordingUrl: text(),
  CreatedAt: moment(),
}));

/** A file of a contact, or of a proposal if it has a ProposalId. */
export const UploadEventData = resource('UploadEventData', () => ({
  Id: id(),
  ContactId: id(),
  ProposalId: nullable(id()),
  AppointmentId: nullable(id()),
  Filename: text(),
  Notes: text(),
  ContentType: described(text(), 'As found in the content.'),
  Bytes: int32(0),
  Width: described(int32(0), 'Pixels; 0 for a document.'),
  Height: described(int32(0), 'Pixels; 0 for a document.'),
  Path: described(text(), 'The path of the file, below the address of the API.'),
  CreatedAt: moment(),
  UpdatedAt: moment(),
}));

/** A proposal with the evidence of its acceptance. */
export const ProposalEventData = resource('ProposalEventData', () => ({
  ...Proposal.shape(),
  EvidenceSha256: described(text(), 'The SHA-256 of the accepted content; empty before.'),
  ExpiresAt: nullable(moment()),
}));

/** A day on which an organization does not work. */
export const EventHoliday = resource('EventHoliday', () => ({ Date: date(), Name: text() }));

/** An organization without its people, who have events of their own. */
export const OrganizationEventData = resource('OrganizationEventData', () => ({
  ...without(OrganizationDetails, 'Users', 'AccountManager'),
  OpenSince: nullable(moment()),
  SlotSearchWindowDays: int32(0),
  Holidays: described(many(EventHoliday), 'The days without work, from the company file.'),
}));

/** A service with all settings. AllAvailableParts is empty: parts have events of their own. */
export const ServiceEventData = resource('ServiceEventData', () => ({
  ...ServiceDetailed.shape(),
  BrandingRevenueCategoryId: nullable(id()),
  Category: text(),
  SelfSelect: nullable(flag()),
  RecurringDescription: text(),
  RecordWeatherData: flag(),
  CustomProperties: dictionary(),
}));

/** A part with all settings. */
export const PartEventData = resource('PartEventData', () => ({
  ...PartDetailed.shape(),
  RangePricing: flag(),
  SelfSelect: flag(),
  StoreItemId: nullable(id()),
  DistributionStart: nullable(moment()),
  DistributionEnd: nullable(moment()),
}));

/** An API key without its secret. */
export const KeyEventData = resource('KeyEventData', () => ({
  Id: id(),
  Public: described(text(12), 'The public part of the key.'),
  Name: text(),
  Role: role(),
  OrganizationId: nullable(id()),
  Rate: described(int32(), 'Calls a second.'),
  Burst: int32(),
  Allow: described(list(text()), 'Operations and groups that the key may call; all of its role if none.'),
  ReadOnly: flag(),
  Assistant: described(text(), 'What assistants may do with it: read or write.'),
  From: described(list(text()), 'Ranges of addresses where it may be used; any if none.'),
  Subscriber: text(),
  DateStyle: text(),
  Lenient: flag(),
  Channel: described(text(), 'The channel of new contacts without one.'),
  Campaign: described(text(), 'The campaign of new contacts without one.'),
  Feed: described(text(), 'Shape of events in datasubscriber/fetch: standard or flat.'),
  ReplacedBy: nullable(text()),
  CreatedAt: nullable(moment()),
  ExpiresAt: nullable(moment()),
  RevokedAt: nullable(moment()),
}));

const variant = (noun: EventNoun, { title }: { readonly title: string }) => ({
  values: eventKinds[noun],
  resource: title,
});

/** What Data of an event holds, by its Kind. */
export const eventVariants = {
  title: 'EventPayload',
  discriminator: 'Kind',
  field: 'Data',
  variants: {
    ContactEvent: variant('contact', Contact),
    NoteEvent: variant('note', Note),
    UploadEvent: variant('upload', UploadEventData),
    CallEvent: variant('call', CallEventData),
    TaskEvent: variant('task', Task),
    AppointmentEvent: variant('appointment', Appointment),
    ProposalEvent: variant('proposal', ProposalEventData),
    InvoiceEvent: variant('invoice', Invoice),
    PaymentEvent: variant('payment', Payment),
    OrganizationEvent: variant('organization', OrganizationEventData),
    ServiceAgentEvent: variant('serviceagent', ServiceAgent),
    UserEvent: variant('user', User),
    ServiceEvent: variant('service', ServiceEventData),
    PartEvent: variant('part', PartEventData),
    KeyEvent: variant('key', KeyEventData),
  },
};
