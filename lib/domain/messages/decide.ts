import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { MessageKind } from '../../entities/message-kinds.ts';
import type { KnownVisit } from '../../entities/messages.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { ProposalStatus, statusAt } from '../../entities/proposal-status.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { TaskRecord } from '../../entities/tasks.ts';
import { DAY, HOUR, MINUTE } from '../../shared/time/time.ts';
import { Status } from '../appointments/record.ts';
import { dueDate } from '../invoices/due-date.ts';
import { dueMoments, expiringAt, isToBePaid, reminderAt } from './plan.ts';
import type { MessageSettings } from './settings.ts';
import { isSameVisit, knownVisitOf } from './known-visit.ts';
import { type Topic, partsOfTopic } from './topics.ts';

/** Which message is sent about a record as it is now. */

/** A record that messages are about. */
export type MessageRecordOf =
  | { readonly noun: 'Appointment'; readonly record: AppointmentRecord }
  | { readonly noun: 'Proposal'; readonly record: ProposalRecord }
  | { readonly noun: 'Invoice'; readonly record: InvoiceRecord }
  | { readonly noun: 'Payment'; readonly record: PaymentRecord }
  | { readonly noun: 'Task'; readonly record: TaskRecord }
  | { readonly noun: 'Contact'; readonly record: ContactRecord };

/** The contact that a record belongs to; `null` for none. */
export const contactIdOf = (of: MessageRecordOf): number | null =>
  of.noun === 'Contact' ? of.record.Id : of.record.ContactId;

/** A visit with changes that its client does not know yet. */
export interface ChangedVisit {
  readonly visit: AppointmentRecord;
  readonly was: KnownVisit | null;
}

interface DecidedVisits {
  readonly kind: MessageKind;
  /** By start. */
  readonly visits: readonly { readonly visit: AppointmentRecord; readonly formerStart: number | null }[];
}

/**
 * The messages about changes of a visit, or of the visits of a series: one of each kind, about what differs between
 * what the client knew and now. A visit that was booked at 9:00 and moved to 10:00 before a message went out is booked
 * at 10:00; one that moved and moved back causes no message.
 */
export function decideVisits(changed: readonly ChangedVisit[], now: number): readonly DecidedVisits[] {
  const decided = changed.flatMap(({ visit, was }) => {
    const kind = kindOfChange(was, knownVisitOf(visit), now);
    if (!kind) return [];
    const formerStart = kind === 'VisitMoved' || kind === 'VisitCanceled' ? (was?.Start ?? null) : null;
    return [{ kind, visit, formerStart }];
  });
  const startOf = ({ visit, formerStart }: (typeof decided)[number]) => knownVisitOf(visit).Start ?? formerStart ?? 0;
  return [...Map.groupBy(decided, ({ kind }) => kind)].map(([kind, visits]) => ({
    kind,
    visits: visits
      .toSorted((one, other) => startOf(one) - startOf(other))
      .map(({ visit, formerStart }) => ({ visit, formerStart })),
  }));
}

const isBooked = ({ Status: status }: KnownVisit): boolean =>
  status === Status.Scheduled || status === Status.Tentative;

function kindOfChange(was: KnownVisit | null, is: KnownVisit, now: number): MessageKind | undefined {
  if (was && isSameVisit(was, is)) return undefined;
  const knew = was && isBooked(was) && was.Start !== null ? was : undefined;
  if (isBooked(is) && is.Start !== null) {
    if (is.Start <= now) return undefined;
    const isMoved = knew && (knew.Start !== is.Start || knew.Through !== is.Through);
    if (isMoved && knew.Status === is.Status) return 'VisitMoved';
    return is.Status === Status.Tentative ? 'VisitConfirm' : 'VisitBooked';
  }
  const isOff = is.Status === Status.Canceled || is.Status === Status.Queued;
  return isOff && knew && (knew.Start ?? 0) > now ? 'VisitCanceled' : undefined;
}

/** The kind of the message about a topic that is due, or `undefined` if the record no longer asks for it. */
export function decideTopic(
  of: MessageRecordOf,
  { topic, at }: { readonly topic: Topic; readonly at: number },
  settings: MessageSettings,
  now: number,
): MessageKind | undefined {
  const { kind, number } = partsOfTopic(topic);
  switch (of.noun) {
    case 'Appointment':
      return decideVisitTopic(of.record, { kind, hours: number, at }, settings, now);
    case 'Proposal':
      return decideProposalTopic(of.record, { kind, at }, settings, now);
    case 'Invoice':
      return decideInvoiceTopic(of.record, { topic, at }, settings);
    case 'Payment':
      return kind === (of.record.Amount > 0 ? 'Receipt' : 'Refund') ? kind : undefined;
    case 'Task':
      return kind === 'Office' ? kind : undefined;
    case 'Contact':
      return undefined;
  }
}

/** An agent who started this long ago is not on the way any more. */
const ON_THE_WAY = 30 * MINUTE;
/** A visit that is started this long after its time is written down later; nobody is on the way. */
const BELATED = 6 * HOUR;
/** The work of a visit that was completed later than this is not asked about. */
const RECENT = 14 * DAY;

function decideVisitTopic(
  visit: AppointmentRecord,
  { kind, hours, at }: { readonly kind: string; readonly hours: number; readonly at: number },
  { kinds }: MessageSettings,
  now: number,
): MessageKind | undefined {
  const { Status: status, Feedback } = visit;
  const { Start } = knownVisitOf(visit);
  switch (kind) {
    case 'Reminder': {
      const isOfThisTime = Start !== null && reminderAt(Start, hours) === at && now < Start;
      return status === Status.Scheduled && isOfThisTime && kinds.Reminder.hours.includes(hours) ? kind : undefined;
    }
    case 'OnTheWay':
      return status === Status.Started && !isTooLate(visit, kind, { now, due: at }) ? kind : undefined;
    case 'HowWasIt':
      return status === Status.Completed && Feedback === null && now - (Start ?? 0) < RECENT ? kind : undefined;
    case 'Office':
      return kind;
    default:
      return undefined;
  }
}

function decideProposalTopic(
  proposal: ProposalRecord,
  { kind, at }: { readonly kind: string; readonly at: number },
  settings: MessageSettings,
  now: number,
): MessageKind | undefined {
  const isOpen = statusAt(proposal, now) === ProposalStatus.Open;
  switch (kind) {
    case 'Proposal':
      return isOpen ? kind : undefined;
    case 'ProposalExpiring':
      return isOpen && expiringAt(proposal, settings) === at ? kind : undefined;
    case 'ProposalSigned':
      return proposal.AcceptedAt === null ? undefined : kind;
    case 'Office':
      return proposal.Status === ProposalStatus.Declined ? kind : undefined;
    default:
      return undefined;
  }
}

function decideInvoiceTopic(
  invoice: InvoiceRecord,
  { topic, at }: { readonly topic: Topic; readonly at: number },
  settings: MessageSettings,
): MessageKind | undefined {
  if (!isToBePaid(invoice)) return undefined;
  if (topic === 'Invoice' || topic === 'CardFailed') return topic;
  const isDue = dueMoments(invoice, settings).some((each) => each.topic === topic && each.at === at);
  return isDue ? (partsOfTopic(topic).kind as MessageKind) : undefined;
}

/**
 * The moment in the key of a message, by which a repeated decision finds it. A message that is sent once for a state of
 * a record has a moment of that state: a visit that is completed twice is asked about once.
 */
export function dueOf(of: MessageRecordOf, kind: MessageKind, at: number): number {
  if (of.noun === 'Appointment' && kind === 'HowWasIt') return (of.record.Start ?? at) + of.record.Duration * MINUTE;
  if (of.noun === 'Proposal' && kind === 'Proposal') return of.record.OpenedAt ?? at;
  if (of.noun === 'Proposal' && kind === 'ProposalSigned') return of.record.AcceptedAt ?? at;
  if (of.noun === 'Invoice' && kind === 'Invoice') return of.record.Created;
  return of.noun === 'Payment' ? of.record.Created : at;
}

/**
 * The state of a record that a message is about: a message is not sent once it differs. `''` for messages to the
 * office, which are about what happened.
 */
export function stampOf(of: MessageRecordOf, kind: MessageKind, now: number): string {
  if (kind === 'Office') return '';
  switch (of.noun) {
    case 'Appointment': {
      const { Status: status, Start, Through } = knownVisitOf(of.record);
      const rated = kind === 'HowWasIt' && of.record.Feedback ? ['rated'] : [];
      return [status, Start, Through, ...rated].join(' ');
    }
    case 'Proposal':
      if (kind === 'ProposalSigned') return 'signed';
      return [statusAt(of.record, now), ...(kind === 'ProposalExpiring' ? [of.record.ExpiresAt] : [])].join(' ');
    case 'Invoice':
      if (!isToBePaid(of.record)) return 'done';
      return ['to be paid', ...(kind === 'Invoice' ? [] : [dueDate(of.record)])].join(' ');
    default:
      return '';
  }
}

/** Whether a message about a visit that was due at a moment comes too late. */
export function isTooLate(
  visit: AppointmentRecord,
  kind: MessageKind,
  { now, due }: { readonly now: number; readonly due: number },
): boolean {
  const { Start } = knownVisitOf(visit);
  switch (kind) {
    case 'VisitBooked':
    case 'VisitConfirm':
    case 'VisitMoved':
    case 'Reminder':
      return (Start ?? 0) <= now;
    case 'VisitCanceled':
      return Start !== null && Start <= now;
    case 'OnTheWay':
      return (visit.ActualStart ?? Infinity) <= now || (Start ?? 0) + BELATED <= now || due + ON_THE_WAY <= now;
    default:
      return false;
  }
}
