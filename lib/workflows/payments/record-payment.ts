import type { Context } from '../../api/context.ts';
import { save } from '../../api/operation.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import {
  type PaymentInput,
  type PaymentRecord,
  applyPayment,
  blankPayment,
  inputErrors,
  invoiceErrors,
  applyPaymentInput,
  paymentToResource,
} from '../../domain/payments.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { prefixErrors } from '../../shared/field-errors.ts';
import { subtract } from '../../shared/money.ts';
import { findOnlyOrganization } from '../../store/accounts.ts';
import { contactSummaryChanges } from '../../store/contact-summary.ts';
import { findContact } from '../../store/contacts.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { findInvoice, findInvoiceNumber, invoiceChanges } from '../../store/invoices.ts';
import { type UsedTransaction, findPayment, findTransaction, paymentChanges } from '../../store/payments.ts';

type Writing = Context<'table:write'>;

/** What of a new payment is at fault, whatever invoice it is of. */
const newFaults = (input: PaymentInput) => [
  ...(input.Amount === undefined || input.Amount === null ? [{ field: 'Amount', message: 'is required' }] : []),
  ...(input.InvoiceId || input.InvoiceNumber?.trim()
    ? []
    : [{ field: 'InvoiceId', message: 'or InvoiceNumber is required' }]),
  ...inputErrors(input, 'UTC'),
];

/** The payment that a TransactionId made, where it is asked for once more as it was then. */
async function repeated(
  { table, caller }: Writing,
  made: UsedTransaction,
  { InvoiceId, Amount, TransactionId }: { InvoiceId: number; Amount: number; TransactionId: string },
) {
  const isSame = made.InvoiceId === InvoiceId && made.Amount === Amount;
  const payment = isSame ? await findPayment(table, caller, made.Id) : undefined;
  if (payment) return save([], toPaymentAnswer(payment));
  throw conflict(
    `TransactionId ${JSON.stringify(TransactionId)} was used for a payment of another invoice or Amount. ` +
      'Repeat what was sent then, or use a new one for a new payment.',
  );
}

/** Records a new payment, in two rounds where its invoice is named by id. */
export async function recordPayment(context: Writing, input: PaymentInput) {
  const { table, caller, now } = context;
  const early = newFaults(input);
  if (early.length) throw invalid(...prefixErrors('Payment', early));
  const TransactionId = input.TransactionId?.trim() ?? '';
  const [invoice, made] = await Promise.all([
    findReferencedInvoice(context, input),
    TransactionId ? findTransaction(table, caller.accountId, TransactionId) : undefined,
    prefetchIds(table, caller.accountId, 'Payment', 1),
  ]);
  const errors = [...invoiceErrors(input, invoice), ...inputErrors(input, invoice.Zone)];
  if (errors.length) throw invalid(...prefixErrors('Payment', errors));
  const payment = applyPaymentInput(blankPayment(invoice, now), input, invoice.Zone);
  if (made) return repeated(context, made, payment);
  const applied = applyPayment(invoice, undefined, payment);
  if (applied.kind === 'refused') throw conflict(applied.message);
  const [Id = 0] = await reserveIds(table, caller.accountId, 'Payment', 1);
  const after = { ...payment, Id };
  return savedPayment(caller.accountId, { before: undefined, after }, { before: invoice, after: applied.invoice }, now);
}

type Reading = Context<'table:read'>;

/** The organization in which an InvoiceNumber counts: the key's, else the account's only one, else the contact's. */
async function organizationOf({ table, caller, now }: Reading, { ContactId }: PaymentInput): Promise<number> {
  const known = caller.organizationId ?? (await findOnlyOrganization(table, caller.accountId, now));
  if (known !== undefined) return known;
  if (!ContactId)
    throw invalid({
      field: 'Payment.InvoiceNumber',
      message: 'may be of several organizations of the account: name the invoice by InvoiceId, or its ContactId too',
    });
  const contact = await findContact(table, caller, ContactId);
  if (!contact) throw notFound('contact', 'Payment.ContactId', ContactId);
  return contact.OrganizationId;
}

/** The invoice that a payment names by its id, else by its number; 404 where there is none for the caller. */
export async function findReferencedInvoice(context: Reading, input: PaymentInput): Promise<InvoiceRecord> {
  const { table, caller } = context;
  const number = input.InvoiceNumber?.trim() ?? '';
  const id =
    input.InvoiceId || (await findInvoiceNumber(table, caller.accountId, await organizationOf(context, input), number));
  const invoice = id ? await findInvoice(table, caller, id) : undefined;
  if (!invoice)
    throw input.InvoiceId
      ? notFound('invoice', 'Payment.InvoiceId', input.InvoiceId)
      : notFound('invoice', 'Payment.InvoiceNumber', number);
  return invoice;
}

/** A thing as it was and as it is to be. */
interface Step<Thing, Was = Thing> {
  readonly before: Was;
  readonly after: Thing;
}

/** How a payment is answered. */
export const toPaymentAnswer = (payment: PaymentRecord) => ({
  Payment: paymentToResource(payment),
  PaymentId: payment.Id,
});

/** Saves a payment, its invoice where that changes with it, and what both change of the contact: all or nothing. */
export function savedPayment(
  account: string,
  payment: Step<PaymentRecord, PaymentRecord | undefined>,
  invoice: Step<InvoiceRecord> | undefined,
  now: Date,
) {
  const stored = paymentChanges(account, { ...payment, now });
  const told = invoice && invoiceChanges(account, { ...invoice, now });
  const paid = invoice ? subtract(invoice.after.Paid, invoice.before.Paid) : 0;
  const standing = invoice
    ? contactSummaryChanges(account, invoice.after.ContactId, { ...told?.contactSummary, paid }, now)
    : [];
  return save([...stored.changes, ...(told?.changes ?? []), ...standing], toPaymentAnswer(stored.record));
}
