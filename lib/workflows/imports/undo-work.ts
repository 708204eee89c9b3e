import { nouns } from '../../entities/nouns.ts';
import { timeReservations } from '../../domain/appointments/calendar.ts';
import { creditOf } from '../../domain/credits.ts';
import { isRunRequest } from '../../domain/imports/import-runs.ts';
import { applyPayment } from '../../domain/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { subtract } from '../../shared/money.ts';
import { omit } from '../../shared/objects.ts';
import { removedAppointmentChanges } from '../../store/appointments.ts';
import { listCalendarDays, timeReservationChanges } from '../../store/calendars.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { listRange } from '../../store/dynamodb/records.ts';
import { givenBack } from '../../store/import-runs.ts';
import { layout } from '../../store/keys.ts';
import { findInvoice, invoiceChanges, removedInvoiceChanges } from '../../store/sales/invoices.ts';
import { removedPaymentChanges } from '../../store/sales/payments.ts';
import { removedTaskChange, taskChanges } from '../../store/tasks.ts';
import { type OwnRecord, type UndoContext, type Undoing, left } from './undo-records.ts';

/** A change that the undo does not revert itself: an invoice is restored by undoing its payments. */
const notMade: Undoing = { kind: 'nothing' };

const removed = (...changes: readonly Change[]): Undoing => ({
  kind: 'changes',
  outcome: { kind: 'removed' },
  changes,
});

/** Removes a payment, which leaves its invoice and contact as if it had not been recorded. */
export async function undoPayment({ item, own }: OwnRecord, context: UndoContext): Promise<Undoing> {
  const { store, now } = context;
  if (!own.isNew) return notMade;
  const payment = nouns.Payment.read(item);
  const invoice = payment.InvoiceId ? await findInvoice(store, payment.InvoiceId) : undefined;
  const unpaid = invoice && withoutPayment(invoice, payment);
  if (typeof unpaid === 'string') return left(unpaid);
  const stored = invoice && unpaid && invoiceChanges(store, { before: invoice, after: unpaid, now });
  const paid = invoice && unpaid ? subtract(unpaid.Paid, invoice.Paid) : 0;
  const credit = subtract(0, creditOf(payment));
  const summary = { ...stored?.contactSummary, customer: false, paid, credit };
  return removed(
    ...removedPaymentChanges(store, payment),
    ...(stored?.changes ?? []),
    ...contactSummaryChanges(store, payment.ContactId, summary, now),
  );
}

/** The invoice without the part that a payment paid; a sentence if that is impossible. */
function withoutPayment(invoice: InvoiceRecord, payment: PaymentRecord): InvoiceRecord | string {
  const applied = applyPayment(invoice, payment, { ...payment, Amount: 0 });
  if (applied.kind === 'refused') return `cannot be taken off its invoice: ${applied.message}`;
  return { ...applied.invoice, PaymentCount: Math.max(0, (invoice.PaymentCount ?? 1) - 1) };
}

/** Removes an invoice that nobody paid. */
export async function undoInvoice({ item, own }: OwnRecord, context: UndoContext): Promise<Undoing> {
  const { store, caller, now, run } = context;
  const { account } = caller;
  const invoice = nouns.Invoice.read(item);
  if (!own.isNew) {
    if (!isRunRequest(own.by)) return notMade;
    const { changes } = invoiceChanges(store, { before: invoice, after: invoice, now });
    const returned = changes.map((change) => givenBack(change, run, own.by));
    return { kind: 'changes', outcome: { kind: 'nothing' }, changes: returned };
  }
  const { length } = await listRange(store.table, {
    partition: layout.invoicePayment.of({ account, id: invoice.Id }),
    from: 'PAYMENT#',
    to: 'PAYMENT#~',
    consistent: true,
    attributes: ['SK'],
  });
  if (length) return left(`has ${length === 1 ? 'a payment' : `${length} payments`}`);
  const summary = { invoices: { [invoice.Id]: undefined } };
  return removed(
    ...removedInvoiceChanges(store, invoice),
    ...contactSummaryChanges(store, invoice.ContactId, summary, now),
  );
}

/** Removes a proposal without files. */
export async function undoProposal({ item, own }: OwnRecord, context: UndoContext): Promise<Undoing> {
  const { store } = context;
  if (!own.isNew) return notMade;
  const { Id: id, V } = nouns.Proposal.read(item);
  const key = layout.proposal.key({ account: store.account, id });
  const items = await listRange(store.table, { partition: key.PK, consistent: true, attributes: ['SK'] });
  if (items.length > 1) return left('has files');
  return removed({ remove: key, if: { equals: { V } } });
}

/** Removes a task that the run made; restores any other. */
export async function undoTask({ item, own }: OwnRecord, context: UndoContext): Promise<Undoing> {
  const { store, now, run } = context;
  const before = nouns.Task.read(item);
  if (own.isNew) return removed(removedTaskChange(store, before));
  const after = nouns.Task.read({ ...omit(item, ...own.added), ...own.was });
  const { change } = taskChanges(store, { before, after, now });
  return { kind: 'changes', outcome: { kind: 'restored' }, changes: [givenBack(change, run, own.by)] };
}

/** Removes an appointment and frees its time. */
export async function undoAppointment({ item, own }: OwnRecord, context: UndoContext): Promise<Undoing> {
  const { store, now } = context;
  if (!own.isNew) return notMade;
  const appointment = nouns.Appointment.read(item);
  const { OrganizationId } = appointment;
  const before = timeReservations(appointment);
  const days = await listCalendarDays(store, OrganizationId, before);
  const update = { appointmentId: appointment.Id, before, after: [], watched: false, now };
  return removed(
    ...removedAppointmentChanges(store, appointment),
    ...timeReservationChanges(store, OrganizationId, days, update),
  );
}
