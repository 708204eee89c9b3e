import { Appointment } from '../entities/appointments.ts';
import { ServiceEventData } from '../entities/services.ts';
import { PartEventData } from '../entities/parts.ts';
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
import { type EventNoun, kindsOf } from '../domain/event-kinds.ts';
import { OrganizationEventData } from '../entities/organizations.ts';
import { Task } from '../entities/tasks.ts';

const variant = (noun: EventNoun, { title }: { readonly title: string }) => ({
  values: kindsOf(noun),
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
