import type { AppointmentRecord } from '../../entities/appointments.ts';
import {
  type CheckoutRecord,
  type ClientPaymentRecord,
  type PaymentRecord,
  clientPaymentEntity,
} from '../../entities/payments.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../entities/invoices.ts';
import { Status } from '../../domain/appointments/record.ts';
import { applyPayment, blankPayment, blankUnapplied } from '../../domain/payments.ts';
import type { CheckoutPurpose, ProviderPayment } from '../../payments/provider.ts';
import { add, formatMoney, subtract } from '../../shared/money.ts';
import { currencyOf } from '../../shared/currency.ts';
import { wholeSecond } from '../../shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { clientPaymentChange, findClientPayment } from '../../store/client-payments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findTransaction } from '../../store/sales/payments.ts';
import type { WriteContext } from '../context.ts';
import { officeTaskChange } from '../pages/office-task.ts';
import { type MoneyMove, joinMoves, savePayments } from './save-payments.ts';

interface PaidCheckout {
  readonly purpose: CheckoutPurpose & { readonly page: CheckoutRecord['Page'] };
  readonly payment: ProviderPayment;
}

/** The destination of a part of the money. */
interface Applied {
  /** The payment that contains it, or 0 for a tip. */
  readonly paymentId: number;
  readonly amount: number;
  readonly move?: MoneyMove;
  /** What changes beside payments and invoices. */
  readonly changes?: readonly Change[];
}

/** The current state of what a client paid for. */
interface PaidRecord {
  /** 0 if it no longer exists. */
  readonly contactId: number;
  /** For example `invoice 1001`. */
  readonly name: string;
  readonly zone: string;
  /** Takes as much of an amount as it can; `undefined` if that is nothing. */
  apply(amount: number): Promise<Applied | undefined>;
}

/**
 * The changes that record money a client paid by the provider; none if it is recorded already. An invoice takes up to
 * its balance, a visit its tip. The rest is recorded as a payment without an invoice, with a task for the office: of
 * 150.00 for an invoice with 100.00 due, 100.00 is its payment and 50.00 is not applied. Money in another currency than
 * the organization's is not applied.
 */
export async function recordClientPayment(
  { purpose, payment }: PaidCheckout,
  context: WriteContext,
): Promise<readonly Change[]> {
  const { store, now } = context;
  if (await findClientPayment(store, payment.id)) return [];
  const [organization, paid] = await Promise.all([
    findOrganization(store, purpose.organization),
    purpose.page === 'invoice' ? findPaidInvoice(purpose, payment, context) : findTippedVisit(purpose, context),
  ]);
  if (!organization) return [];
  const amount = payment.cents / 100;
  const isForeign = payment.currency !== currencyOf(organization.Country);
  const applied = isForeign ? undefined : await paid.apply(amount);
  const rest = subtract(amount, applied?.amount ?? 0);
  const unapplied =
    rest > 0
      ? await recordUnapplied(
          {
            purpose,
            payment,
            paid,
            rest,
            SplitOf: applied?.paymentId || null,
            currency: isForeign ? payment.currency : '',
          },
          context,
        )
      : undefined;
  const parts = [applied, unapplied].filter((part) => part !== undefined);
  const record: ClientPaymentRecord = clientPaymentEntity.blank({
    Payment: payment.id,
    Page: purpose.page,
    RecordId: purpose.id,
    OrganizationId: purpose.organization,
    ContactId: paid.contactId,
    Amount: amount,
    Currency: payment.currency,
    Parts: parts.map((part) => ({ PaymentId: part.paymentId, Amount: part.amount, Refunded: 0 })),
    Created: now.getTime(),
  });
  return [
    clientPaymentChange(store, { before: undefined, after: record, now }),
    ...savePayments(joinMoves(parts.map(({ move }) => move)), context).changes,
    ...parts.flatMap(({ changes = [] }) => changes),
  ];
}

async function findPaidInvoice(
  { id, organization }: CheckoutPurpose,
  payment: ProviderPayment,
  context: WriteContext,
): Promise<PaidRecord> {
  const { store } = context;
  const found = await findInvoice(store, id);
  const invoice = found?.OrganizationId === organization ? found : undefined;
  if (!invoice) return { contactId: 0, name: `invoice ${id}`, zone: 'UTC', apply: () => Promise.resolve(undefined) };
  return {
    contactId: invoice.ContactId,
    name: `invoice ${invoice.Number}`,
    zone: invoice.Zone,
    apply: (amount) => payInvoice(invoice, amount, payment, context),
  };
}

async function payInvoice(
  invoice: InvoiceRecord,
  amount: number,
  payment: ProviderPayment,
  context: WriteContext,
): Promise<Applied | undefined> {
  const { store, now } = context;
  const { OrganizationId: organization } = invoice;
  // The office may have imported it by its TransactionId before its webhook came.
  const imported = await findTransaction(store, organization, payment.id);
  if (imported) return { paymentId: imported.Id, amount: Math.min(amount, imported.Amount) };
  const due = invoice.Status === InvoiceStatus.Open ? Math.min(amount, invoice.BalanceDue) : 0;
  if (due <= 0) return undefined;
  const [Id = 0] = await reserveIds(store, 'Payment', 1);
  const excess = due < amount ? { Excess: subtract(amount, due) } : {};
  const after = { ...blankPayment(invoice, now), ...paidFields(payment), Id, Amount: due, ...excess };
  const result = applyPayment(invoice, undefined, after);
  if (result.kind === 'refused') return undefined;
  const invoices = [{ before: invoice, after: result.invoice }];
  return { paymentId: Id, amount: due, move: { payments: [{ before: undefined, after }], invoices } };
}

export const paidFields = ({ id, at, method, reference }: ProviderPayment) => ({
  TransactionId: id,
  Date: wholeSecond(at),
  Method: method,
  Reference: reference,
});

async function findTippedVisit({ id, organization }: CheckoutPurpose, context: WriteContext): Promise<PaidRecord> {
  const found = await findAppointment(context.store, id);
  const visit = found?.OrganizationId === organization ? found : undefined;
  return {
    contactId: visit?.ContactId ?? 0,
    name: `a tip for appointment ${id}`,
    zone: visit?.Zone ?? 'UTC',
    apply: (amount) => Promise.resolve(visit && tip(visit, amount, context)),
  };
}

function tip(before: AppointmentRecord, amount: number, { store, now }: WriteContext): Applied | undefined {
  if (before.Status !== Status.Started && before.Status !== Status.Completed) return undefined;
  const after = { ...before, Tip: add(before.Tip, amount) };
  const { changes } = appointmentChanges(store, { before, after, now });
  return { paymentId: 0, amount, changes };
}

interface Unapplied {
  readonly purpose: CheckoutPurpose;
  readonly payment: ProviderPayment;
  readonly paid: Pick<PaidRecord, 'contactId' | 'name' | 'zone'>;
  readonly rest: number;
  readonly SplitOf: number | null;
  /** The currency of the money, if it is not the organization's. */
  readonly currency: string;
}

/** A payment without an invoice, which is credit of the contact, and the task to refund or use it. */
async function recordUnapplied(
  { purpose, payment, paid, rest, SplitOf, currency }: Unapplied,
  context: WriteContext,
): Promise<Applied> {
  const [Id = 0] = await reserveIds(context.store, 'Payment', 1);
  const isWhole = rest === payment.cents / 100;
  const fields = { ...paidFields(payment), TransactionId: isWhole ? payment.id : `${payment.id}-unapplied` };
  const { contactId: ContactId, zone: Zone } = paid;
  const InCredit = !currency && ContactId > 0;
  const at = { Id, OrganizationId: purpose.organization, ContactId, Zone, Amount: rest, SplitOf, InCredit };
  const sum = currency ? `${formatMoney(rest)} ${currency}` : formatMoney(rest);
  const Description =
    `A client paid ${sum} for ${paid.name}, which does not take it.${InCredit ? ' It is credit of the client.' : ''} ` +
    `Refund it at Stripe (${payment.id}), or apply payment ${Id} to another invoice: payment/import with PaymentId ` +
    `${Id} and the InvoiceId.`;
  const task = await paymentTask({ OrganizationId: purpose.organization, ContactId, Description }, context);
  return { paymentId: Id, amount: rest, move: unappliedPayment(at, fields, context), changes: [task] };
}

/** Money without an invoice; below 0 for a refund. */
export const unappliedPayment = (
  at: Pick<PaymentRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Zone' | 'Amount' | 'InCredit'> &
    Partial<Pick<PaymentRecord, 'SplitOf'>>,
  fields: ReturnType<typeof paidFields>,
  { now }: WriteContext,
): MoneyMove => ({ payments: [{ before: undefined, after: blankUnapplied({ ...at, ...fields }, now) }], invoices: [] });

/** The change that asks the office to look at a payment by tomorrow. */
export const paymentTask = (
  task: { readonly OrganizationId: number; readonly ContactId: number; readonly Description: string },
  { store, now }: WriteContext,
): Promise<Change> =>
  officeTaskChange({ store, now }, { ...task, ContactId: task.ContactId || null, Category: 'Payments' });
