import type { KeyEntry } from '../entities/api-keys.ts';
import type { AppointmentRecord } from '../entities/appointments.ts';
import type { StoredCall } from '../entities/calls.ts';
import type { StoredNote } from '../entities/contact-parts.ts';
import type { ContactRecord } from '../entities/contacts.ts';
import { type InvoiceRecord, InvoiceStatus } from '../entities/invoices.ts';
import type { MessageRecord, MessageState } from '../entities/messages.ts';
import type { OrganizationRecord } from '../entities/organizations.ts';
import type { PartRecord } from '../entities/parts.ts';
import type { PaymentRecord } from '../entities/payments.ts';
import { ProposalStatus, statusAt } from '../entities/proposal-status.ts';
import type { ProposalRecord } from '../entities/proposals.ts';
import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import type { ServiceRecord } from '../entities/services.ts';
import type { TaskRecord } from '../entities/tasks.ts';
import type { UploadRecord } from '../entities/uploads.ts';
import type { UserRecord } from '../entities/users.ts';
import { isEqual } from '../shared/objects.ts';
import { Status, arrivalOf } from './appointments/record.ts';

/** Whether a change is of a kind; a new record has no `before`. */
type When<RecordType> = (before: RecordType | undefined, after: RecordType) => boolean;

/**
 * The kinds of a noun by their second word, each with a sentence about what happens. A change is of the first kind
 * whose `when` holds; if none does, it is created, updated or deleted, or no event where the noun has no such kind.
 */
type KindsOf<RecordType> = Readonly<
  Record<string, string | { readonly means: string; readonly when: When<RecordType> }>
>;

const isNew = (before: object | undefined): boolean => before === undefined;

/** The appointment is new in one of the statuses, or changes to it. */
const appointmentIs =
  (...statuses: readonly number[]): When<AppointmentRecord> =>
  (before, after) =>
    before?.Status !== after.Status && statuses.includes(after.Status);

/** Clients do not see a start that moves within its arrival window. */
const timeOf = ({ Start, Duration, ServiceAgentId, AdditionalAgents, ...visit }: AppointmentRecord) => [
  arrivalOf(visit) ?? Start,
  Duration,
  ServiceAgentId,
  AdditionalAgents.map((agent) => [agent.ServiceAgentId, agent.StartMinute, agent.Duration]),
];

/**
 * The status that an operation returned with the change. An open proposal expires on its own: a change after that is
 * the event of its expiry, and the later change that stores the expiry is not an event.
 */
const currentStatus = (proposal: ProposalRecord): number => statusAt(proposal, proposal.Updated);

const proposalBecomes =
  (status: number): When<ProposalRecord> =>
  (before, after) => {
    if (!before || currentStatus(after) !== status) return false;
    // Voiding the invoice restores the former status: nobody accepts or schedules the proposal by that.
    if (before.Status === ProposalStatus.Invoiced && status !== ProposalStatus.Complete) return false;
    // Reopened before its expiry was stored: only the time differs.
    const isReopened = status === ProposalStatus.Open && before.OpenedAt !== after.OpenedAt;
    return currentStatus(before) !== status || isReopened;
  };

const invoiceBecomes =
  (status: number): When<InvoiceRecord> =>
  (before, after) =>
    before !== undefined && before.Status !== status && after.Status === status;

const messageBecomes =
  (state: MessageState): When<MessageRecord> =>
  (before, after) =>
    before?.State !== state && after.State === state;

const isCanceled: When<OrganizationRecord> = (before, after) =>
  before?.CancelDate === null && after.CancelDate !== null;

/** Every kind of event, by the record that changed: its name, what it means and when it happens. */
const eventKinds = {
  contact: {
    created: 'A contact is added.',
    updated: 'Fields of a contact change.',
    merged: {
      means: 'A contact is merged into another one.',
      when: (before, after) => before?.MergedInto === undefined && after.MergedInto !== undefined,
    },
    unmerged: {
      means: 'The merge of a contact is undone.',
      when: (before, after) => before?.MergedInto !== undefined && after.MergedInto === undefined,
    },
    deleted: 'A contact is deleted, or the person is erased.',
  } satisfies KindsOf<ContactRecord>,
  note: {
    created: 'A note is added to a contact.',
    updated: 'A note of a contact changes.',
  } satisfies KindsOf<StoredNote>,
  upload: {
    created: 'A file is uploaded.',
    updated: 'What is known about a file changes.',
    deleted: 'A file is deleted.',
  } satisfies KindsOf<UploadRecord>,
  call: {
    logged: { means: 'A phone call is logged.', when: isNew },
    updated: 'Fields of a logged call change.',
    deleted: 'A logged call is deleted.',
  } satisfies KindsOf<StoredCall>,
  task: {
    created: 'A task is added.',
    updated: 'Fields of a task change.',
    completed: {
      means: 'A task is completed.',
      when: (before, after) => before?.CompletedAt === null && after.CompletedAt !== null,
    },
    deleted: 'A task is deleted.',
  } satisfies KindsOf<TaskRecord>,
  appointment: {
    queued: { means: 'An appointment becomes Queued: it waits for a time.', when: appointmentIs(Status.Queued) },
    booked: {
      means: 'An appointment becomes Scheduled or Tentative.',
      when: (before, after) =>
        before?.Status !== Status.Tentative && appointmentIs(Status.Scheduled, Status.Tentative)(before, after),
    },
    confirmed: {
      means: 'A Tentative appointment becomes Scheduled.',
      when: (before, after) => before?.Status === Status.Tentative && after.Status === Status.Scheduled,
    },
    rescheduled: {
      means: 'The time, length or agents of an appointment change, except a start within its arrival window.',
      when: (before, after) =>
        before?.Status === after.Status && after.Start !== null && !isEqual(timeOf(before), timeOf(after)),
    },
    started: { means: 'An appointment becomes Started.', when: appointmentIs(Status.Started) },
    completed: { means: 'An appointment becomes Completed.', when: appointmentIs(Status.Completed) },
    canceled: { means: 'An appointment becomes Canceled.', when: appointmentIs(Status.Canceled) },
    tipped: {
      means: 'The tip of an appointment changes.',
      when: (before, after) => before !== undefined && before.Tip !== after.Tip,
    },
    feedback: {
      means: 'The feedback of the client to an appointment changes.',
      when: (before, after) => before !== undefined && !isEqual(before.Feedback, after.Feedback),
    },
    updated: 'Other fields of an appointment change.',
    deleted: 'An appointment is deleted.',
  } satisfies KindsOf<AppointmentRecord>,
  proposal: {
    created: 'A proposal is added.',
    opened: { means: 'A proposal becomes Open, also once more.', when: proposalBecomes(ProposalStatus.Open) },
    accepted: { means: 'A proposal becomes Accepted.', when: proposalBecomes(ProposalStatus.Accepted) },
    declined: { means: 'A proposal becomes Declined.', when: proposalBecomes(ProposalStatus.Declined) },
    expired: { means: 'An Open proposal becomes Expired.', when: proposalBecomes(ProposalStatus.Expired) },
    scheduled: { means: 'A proposal becomes Scheduled.', when: proposalBecomes(ProposalStatus.Scheduled) },
    invoiced: { means: 'A proposal becomes Invoiced.', when: proposalBecomes(ProposalStatus.Invoiced) },
    completed: { means: 'A proposal becomes Complete.', when: proposalBecomes(ProposalStatus.Complete) },
    updated: 'Other fields of a proposal change, or its invoice is voided.',
    deleted: 'A proposal is deleted.',
  } satisfies KindsOf<ProposalRecord>,
  invoice: {
    created: 'An invoice is added.',
    approved: {
      means: 'An Unapproved invoice becomes Open.',
      when: (before, after) => before?.Status === InvoiceStatus.Unapproved && after.Status === InvoiceStatus.Open,
    },
    paid: { means: 'An invoice becomes Paid.', when: invoiceBecomes(InvoiceStatus.Paid) },
    reopened: { means: 'A Paid or Voided invoice becomes Open.', when: invoiceBecomes(InvoiceStatus.Open) },
    voided: { means: 'An invoice becomes Voided.', when: invoiceBecomes(InvoiceStatus.Voided) },
    updated: 'Other fields of an invoice change, such as BalanceDue by a part of it that is paid.',
    deleted: 'An invoice is deleted.',
  } satisfies KindsOf<InvoiceRecord>,
  payment: {
    recorded: { means: 'A payment is recorded.', when: (before, after) => isNew(before) && after.Amount >= 0 },
    refunded: {
      means: 'A refund is recorded: a payment with a negative Amount.',
      when: (before, after) => isNew(before) && after.Amount < 0,
    },
    updated: 'Fields of a payment change.',
    deleted: 'A payment is deleted.',
  } satisfies KindsOf<PaymentRecord>,
  message: {
    sent: { means: 'The service took an e-mail or a text.', when: messageBecomes('Sent') },
    delivered: { means: 'An e-mail or a text was delivered.', when: messageBecomes('Delivered') },
    bounced: { means: 'An e-mail came back.', when: messageBecomes('Bounced') },
    complained: { means: 'The receiver of an e-mail called it spam.', when: messageBecomes('Complained') },
    failed: { means: 'An e-mail or a text could not be sent or delivered.', when: messageBecomes('Failed') },
  } satisfies KindsOf<MessageRecord>,
  organization: {
    created: 'An organization is added.',
    updated: 'Fields of an organization change.',
    suspended: {
      means: 'An organization is suspended.',
      when: (before, after) => before?.Suspended === false && after.Suspended && !isCanceled(before, after),
    },
    canceled: { means: 'An organization gets a CancelDate.', when: isCanceled },
    reopened: {
      means: 'The suspension of an organization ends.',
      when: (before, after) => before?.Suspended === true && !after.Suspended,
    },
    deleted: 'An organization is deleted.',
  } satisfies KindsOf<OrganizationRecord>,
  serviceagent: {
    created: 'A service agent is added.',
    updated: 'Fields of a service agent change.',
    deleted: 'A service agent is deleted.',
  } satisfies KindsOf<ServiceAgentRecord>,
  user: {
    created: 'A user is added.',
    updated: 'Fields of a user change, or the second factor.',
    deleted: 'A user is deleted.',
  } satisfies KindsOf<UserRecord>,
  service: {
    created: 'A service is added.',
    updated: 'Fields of a service change.',
    deleted: 'A service is deleted.',
  } satisfies KindsOf<ServiceRecord>,
  part: {
    created: 'A part is added.',
    updated: 'Fields of a part change.',
    deleted: 'A part is deleted.',
  } satisfies KindsOf<PartRecord>,
  key: {
    created: 'An API key is made.',
    updated: 'Fields of an API key change.',
    rotated: {
      means: 'An API key gets a successor.',
      when: (before, after) => before?.ReplacedBy === undefined && after.ReplacedBy !== undefined,
    },
    revoked: {
      means: 'An API key is revoked.',
      when: (before, after) => before?.RevokedAt === null && after.RevokedAt !== null,
    },
    deleted: 'An API key is deleted.',
  } satisfies KindsOf<KeyEntry>,
} as const;
export type EventNoun = keyof typeof eventKinds;
export type EventKind = { [Noun in EventNoun]: `${Noun}.${keyof (typeof eventKinds)[Noun] & string}` }[EventNoun];

/** `task` → task.created, task.updated, … */
export const kindsOf = (noun: EventNoun): readonly EventKind[] =>
  Object.keys(eventKinds[noun]).map((name) => `${noun}.${name}` as EventKind);

export const eventNouns = Object.keys(eventKinds) as readonly EventNoun[];
export const allEventKinds: readonly EventKind[] = eventNouns.flatMap(kindsOf);

/** What each kind means, in the order of the nouns. */
export const kindMeanings = (): Record<string, string> =>
  Object.fromEntries(
    eventNouns.flatMap((noun) =>
      Object.entries(eventKinds[noun] as KindsOf<never>).map(([name, kind]) => [
        `${noun}.${name}`,
        typeof kind === 'string' ? kind : kind.means,
      ]),
    ),
  );

/**
 * The kind of a change of one record: without `before` it is new, without `after` it is deleted. `undefined` for a
 * change that is no event.
 */
export function kindOfChange(
  noun: EventNoun,
  before: object | undefined,
  after: object | undefined,
): EventKind | undefined {
  const kinds: KindsOf<never> = eventKinds[noun];
  const isKind = (name: string): boolean => {
    const kind = kinds[name];
    return typeof kind === 'object' && kind.when(before as never, after as never);
  };
  const usual = !after ? 'deleted' : before ? 'updated' : 'created';
  const name = (after && Object.keys(kinds).find(isKind)) ?? usual;
  return Object.hasOwn(kinds, name) ? (`${noun}.${name}` as EventKind) : undefined;
}
