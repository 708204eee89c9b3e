import { Note } from '../entities/contact-parts.ts';
import { ProposalEventData } from '../entities/proposals.ts';
import { ServiceAgent } from '../entities/service-agents.ts';
import { User } from '../entities/users.ts';
import { KeyEventData } from '../entities/api-keys.ts';
import { CallEventData } from '../entities/calls.ts';
import { UploadEventData } from '../entities/uploads.ts';
import { Contact } from '../entities/contacts.ts';
import { ContactMessage } from '../entities/messages.ts';
import { Payment } from '../entities/payments.ts';
import { Invoice } from '../entities/invoices.ts';
import { Appointment } from '../resources/appointments.ts';
import { moment, dictionary, flag, id, nullable, resource, text } from '../resources/fields.ts';
import { type EventNoun, eventKinds } from '../resources/event-kinds.ts';
import { OrganizationEventData } from '../entities/organizations.ts';
import { PartDetailed } from '../resources/parts.ts';
import { ServiceDetailed } from '../resources/services.ts';
import { Task } from '../entities/tasks.ts';

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

const variant = (noun: EventNoun, { title }: { readonly title: string }) => ({
  values: eventKinds[noun],
  resource: title,
});

/** The type of an event's Data, by its Kind. */
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
    MessageEvent: variant('message', ContactMessage),
    OrganizationEvent: variant('organization', OrganizationEventData),
    ServiceAgentEvent: variant('serviceagent', ServiceAgent),
    UserEvent: variant('user', User),
    ServiceEvent: variant('service', ServiceEventData),
    PartEvent: variant('part', PartEventData),
    KeyEvent: variant('key', KeyEventData),
  },
};
