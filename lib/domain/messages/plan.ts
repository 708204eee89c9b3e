import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import { InvoiceStatus, InvoiceType } from '../../entities/invoices.ts';
import type { MessageNoun } from '../../entities/message-kinds.ts';
import type { KnownVisit } from '../../entities/messages.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { TaskRecord } from '../../entities/tasks.ts';
import { DAY, HOUR, SECOND, dayNumber, firstInstantAt } from '../../shared/time/time.ts';
import { Status } from '../appointments/record.ts';
import { IMPORT_ACTOR } from '../imports/import-actor.ts';
import { dueDate } from '../invoices/due-date.ts';
import { MAX_OVERDUE, type MessageSettings } from './settings.ts';
import { isSameVisit, knownVisitOf } from './known-visit.ts';
import { type Topic, VISIT_CHANGES } from './topics.ts';

/** Which changes of records may cause messages, and when. Whether they do is decided when they are due. */

/** Something to decide about at a moment. */
export interface PlannedMessage {
  readonly noun: MessageNoun;
  /** The id of the record; of a visit in a series that of the series. */
  readonly id: number;
  readonly topic: Topic;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** For a changed visit, its id, and what its client sees before the change (`null` for a new visit) and after it. */
  readonly visit?: {
    readonly id: number;
    readonly was: KnownVisit | null;
    readonly is: KnownVisit;
    readonly changed: number;
  };
}

/** A committed change of a record. */
export interface PlannedChange {
  readonly entity: string;
  readonly before: object | undefined;
  readonly after: object | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The key that made it; `''` for a page, a worker or a command, which the name then says. */
  readonly actor: { readonly key: string; readonly name: string };
}

const isCommand = ({ name }: PlannedChange['actor']): boolean => name.startsWith('fs ');

/** Reminders of invoices are sent at this hour of the organization's day. */
const MORNING = 9;

type Planner = (
  change: PlannedChange,
  before: never,
  after: never,
  settings: MessageSettings,
) => readonly PlannedMessage[];

const planners: Readonly<Record<string, Planner>> = {
  Appointment: planVisit,
  Proposal: planProposal,
  Invoice: planInvoice,
  Payment: planPayment,
  Task: planTask,
};

/** Whether changes of records of this kind may cause messages. */
export const mayNotify = (entity: string): boolean => Object.hasOwn(planners, entity);

/** What to decide about because of a change; nothing while messages are off. */
export function planMessages(change: PlannedChange, settings: MessageSettings): readonly PlannedMessage[] {
  const { entity, before, after } = change;
  const plan = planners[entity];
  return settings.isOn && plan && after ? plan(change, before as never, after as never, settings) : [];
}

function planVisit(
  { at, actor }: PlannedChange,
  before: AppointmentRecord | undefined,
  after: AppointmentRecord,
  settings: MessageSettings,
): PlannedMessage[] {
  if (after.Shadow) return [];
  const was = before ? knownVisitOf(before) : null;
  const is = knownVisitOf(after);
  const isNews = !isSameVisit(was, is);
  const reminders = isNews ? planReminders(after, at, settings) : [];
  if (actor.name === IMPORT_ACTOR) return reminders;
  const of = { noun: 'Appointment', id: after.Id } as const;
  const becomes = (status: number) => after.Status === status && before?.Status !== status;
  const planned: PlannedMessage[] = [...reminders];
  if (isNews)
    planned.push({
      ...of,
      id: after.SeriesId || after.Id,
      topic: VISIT_CHANGES,
      at: at + settings.delaySeconds * SECOND,
      visit: { id: after.Id, was, is, changed: at },
    });
  if (becomes(Status.Started)) planned.push({ ...of, topic: 'OnTheWay', at });
  const [hours] = settings.kinds.HowWasIt.hours;
  if (becomes(Status.Completed) && hours !== undefined)
    planned.push({ ...of, topic: 'HowWasIt', at: at + hours * HOUR });
  const isByStranger = !before && after.Network !== '';
  if (isByStranger) planned.push({ ...of, topic: 'Office', at });
  return planned;
}

/** The reminders of a booked visit that are not past. */
export function planReminders(visit: AppointmentRecord, now: number, settings: MessageSettings): PlannedMessage[] {
  const { Start } = knownVisitOf(visit);
  if (visit.Status !== Status.Scheduled || Start === null || visit.Shadow) return [];
  return settings.kinds.Reminder.hours
    .map((hours) => ({ hours, at: reminderAt(Start, hours) }))
    .filter(({ at }) => at > now)
    .map(({ hours, at }) => ({ noun: 'Appointment', id: visit.Id, topic: `Reminder-${hours}`, at }));
}

export const reminderAt = (start: number, hours: number): number => start - hours * HOUR;

function planProposal(
  { at, actor }: PlannedChange,
  before: ProposalRecord | undefined,
  after: ProposalRecord,
  settings: MessageSettings,
): PlannedMessage[] {
  if (actor.name === IMPORT_ACTOR) return [];
  const of = { noun: 'Proposal', id: after.Id } as const;
  const isOpened = after.Status === ProposalStatus.Open && before?.OpenedAt !== after.OpenedAt;
  const expiring = expiringAt(after, settings);
  const isExpiryNew = before?.ExpiresAt !== after.ExpiresAt || before?.Status !== after.Status;
  return [
    ...(isOpened ? [{ ...of, topic: 'Proposal', at: at + settings.delaySeconds * SECOND } as const] : []),
    ...(expiring !== null && isExpiryNew && expiring > at
      ? [{ ...of, topic: 'ProposalExpiring', at: expiring } as const]
      : []),
    ...(after.AcceptedAt !== null && before && before.AcceptedAt === null
      ? [{ ...of, topic: 'ProposalSigned', at } as const]
      : []),
    // The client declined it; what the office does itself it knows.
    ...(after.Status === ProposalStatus.Declined && before?.Status !== after.Status && !actor.key && !isCommand(actor)
      ? [{ ...of, topic: 'Office', at } as const]
      : []),
  ];
}

/** When the client of an open proposal is warned that it expires soon; `null` for never. */
export const expiringAt = (
  { Status: status, ExpiresAt }: ProposalRecord,
  { kinds }: Pick<MessageSettings, 'kinds'>,
): number | null =>
  status === ProposalStatus.Open && ExpiresAt !== null ? ExpiresAt - kinds.ProposalExpiring.days * DAY : null;

/** Whether an invoice asks for money. */
export const isToBePaid = ({ Status: status, InvoiceType: type, BalanceDue }: InvoiceRecord): boolean =>
  status === InvoiceStatus.Open && type !== InvoiceType.Credit && BalanceDue > 0;

function planInvoice(
  { at, actor }: PlannedChange,
  before: InvoiceRecord | undefined,
  after: InvoiceRecord,
  settings: MessageSettings,
): PlannedMessage[] {
  if (actor.name === IMPORT_ACTOR || !isToBePaid(after) || after.Date < dayOf(settings.since)) return [];
  const of = { noun: 'Invoice', id: after.Id } as const;
  const isNew = !before || before.Status === InvoiceStatus.Unapproved;
  const isDueNew = isNew || !isToBePaid(before) || dueDate(before) !== dueDate(after);
  return [
    ...(isNew ? [{ ...of, topic: 'Invoice', at: at + settings.delaySeconds * SECOND } as const] : []),
    ...(isDueNew ? dueMoments(after, settings).filter((each) => each.at > at) : []).map((due) => ({ ...of, ...due })),
  ];
}

/** Invoices of the day on which messages were turned on are included. */
const dayOf = (since: number): number => since - DAY;

/** When the client of an invoice is reminded that it is due, and that it is overdue. */
export function dueMoments(invoice: InvoiceRecord, { kinds }: Pick<MessageSettings, 'kinds'>) {
  const due = dueDate(invoice);
  if (due === null) return [];
  const morning = (days: number) => firstInstantAt((dayNumber(due) + days) * DAY + MORNING * HOUR, invoice.Zone);
  const { InvoiceDue, InvoiceOverdue } = kinds;
  return [
    { topic: 'InvoiceDue' as const, at: morning(-InvoiceDue.days) },
    ...Array.from({ length: MAX_OVERDUE }, (_, index) => ({
      topic: `InvoiceOverdue-${index + 1}` as const,
      // The day after the due date is the first on which it is overdue.
      at: morning(1 + index * InvoiceOverdue.days),
    })),
  ];
}

function planPayment(
  { at, actor }: PlannedChange,
  before: PaymentRecord | undefined,
  payment: PaymentRecord,
  { since }: MessageSettings,
): PlannedMessage[] {
  const { Id: id, Amount, SplitOf, FromCredit, Date: date } = payment;
  const isMoney = SplitOf === null && !FromCredit && Amount !== 0;
  if (before || actor.name === IMPORT_ACTOR || !isMoney || date < dayOf(since)) return [];
  return [{ noun: 'Payment', id, topic: Amount > 0 ? 'Receipt' : 'Refund', at }];
}

/** Tasks that neither a key nor a command made come from clients, payment providers and workers. */
function planTask(
  { at, actor }: PlannedChange,
  before: TaskRecord | undefined,
  { Id: id }: TaskRecord,
): PlannedMessage[] {
  return before || actor.key || isCommand(actor) ? [] : [{ noun: 'Task', id, topic: 'Office', at }];
}
