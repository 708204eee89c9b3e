import type { PaymentRecord, PaymentAllocation } from '../../entities/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import {
  type AllocationInput,
  type Share,
  allocationErrors,
  creditOf,
  dividePayment,
  isSameDivision,
  shareOf,
  toAllocations,
  withIds,
} from '../../domain/credits.ts';
import {
  type PaidInvoice,
  type PaymentInput,
  applyPaymentInput,
  blankPayment,
  inputErrors,
  invoiceErrors,
  isByCredit,
  missingFields,
  namesInvoice,
} from '../../domain/payments.ts';
import { type FieldError, conflict, invalid, orNotFound, prefixErrors } from '../../shared/failure.ts';
import { cents, fromCents, sum } from '../../shared/money.ts';
import { isMeant } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findContact, findErasedContact } from '../../store/contacts/contacts.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/records.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { type TransactionUse, findPayment, findTransaction } from '../../store/sales/payments.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { findNumberedInvoiceId } from '../invoices/numbered-invoice.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { checkCredit, savePayments } from './save-payments.ts';
import { organizationStore } from '../../store/store.ts';

export interface RecordedPayment {
  readonly payment: PaymentRecord;
  readonly changes: readonly Change[];
  /** How a payment was divided; empty for an undivided one. */
  readonly allocations: readonly PaymentAllocation[];
}

/**
 * Records a payment or refund, and changes the balances of its invoices with it: of the one that it names, or of those
 * in `allocations`. The rest becomes credit of the contact, as does a payment with only a ContactId; a payment by
 * credit reduces it. A TransactionId that was used for the same invoices and Amount returns the first payment. Throws
 * conflict if an invoice does not take its amount, or the credit is less. Two rounds if a key of the organization names
 * the invoice by its id.
 */
export async function recordPayment(
  sent: PaymentInput,
  context: WriteContext,
  allocations: readonly AllocationInput[] = [],
): Promise<RecordedPayment> {
  throwErrors([...missingFields(sent, allocations.length > 0), ...inputErrors(sent, 'UTC')]);
  const wrong = allocationErrors(sent, allocations);
  if (wrong.length) throw invalid(...wrong);
  const { store, caller, now } = context;
  const transactionId = sent.TransactionId?.trim();
  const findUse = (organization: number) =>
    transactionId ? findTransaction(store, organization, transactionId) : undefined;
  const [invoices, early] = await Promise.all([
    findPaidInvoices(sent, allocations, context),
    caller.organizationId === null ? undefined : findUse(caller.organizationId),
    prefetchIds(store, 'Payment', 1),
  ]);
  const of = invoices[0] ?? (await loadNoInvoice(sent, context));
  const input = await withMeantContact(sent, of.ContactId, context);
  throwErrors([...invoiceErrors(input, of), ...inputErrors(input, of.Zone)]);
  const payment = applyPaymentInput(
    { ...blankPayment(of, now), ...(isByCredit(input) ? { FromCredit: true } : {}) },
    input,
    of.Zone,
  );
  const use = caller.organizationId === null ? await findUse(of.OrganizationId) : early;
  const recorded = use && (await findRecordedPayment(payment, allocations, use, context));
  if (recorded) return { ...recorded, changes: [] };
  const shares = invoices.map((invoice, index) => {
    const amount = allocations[index]?.Amount;
    return amount ? { invoice, amount } : shareOf(invoice, payment);
  });
  return saveNewPayment(payment, { shares, isAllocated: allocations.length > 0 }, context);
}

/** Stores a new payment in its parts. Throws conflict if an invoice does not take its part, or the credit is less. */
export async function saveNewPayment(
  payment: PaymentRecord,
  { shares, isAllocated }: { readonly shares: readonly Share[]; readonly isAllocated: boolean },
  context: WriteContext,
): Promise<RecordedPayment> {
  const { store } = context;
  const divided = dividePayment(payment, shares);
  if (divided.kind === 'refused') throw conflict(divided.code, divided.message);
  const ids = await reserveIds(store, 'Payment', divided.parts.length);
  const parts = withIds(divided.parts, ids, isAllocated);
  const credit = sum(parts.map((part) => cents(creditOf(part))));
  if (credit < 0) await checkCredit(payment.ContactId, -fromCents(credit), context);
  const allocations = toAllocations(parts);
  const requested = allocations.length ? { Amount: payment.Amount, Allocations: allocations } : undefined;
  const { payments, changes } = savePayments(
    { payments: parts.map((after) => ({ before: undefined, after, requested })), invoices: divided.invoices },
    context,
  );
  return { payment: payments[0] ?? payment, changes, allocations };
}

/** A payment with that contact, if it names one that was merged into the contact of its invoice. */
export async function withMeantContact(
  input: PaymentInput,
  contactId: number,
  { store }: ReadContext,
): Promise<PaymentInput> {
  if (!input.ContactId || !(await isMeant(store, input.ContactId, contactId))) return input;
  return { ...input, ContactId: contactId };
}

/** The contact of a payment without an invoice, which may be erased. Credit pays invoices only. */
async function loadNoInvoice(input: PaymentInput, context: ReadContext): Promise<PaidInvoice> {
  if (isByCredit(input))
    throw invalid({
      field: 'Payment.InvoiceId',
      code: 'required',
      message: 'is required in a payment by credit, or Allocations: the invoices that it pays',
    });
  const { store } = context;
  const id = input.ContactId ?? 0;
  const found = (await findContact(store, id)) ?? (await findErasedContact(store, id));
  const contact = orNotFound(found, 'contact', 'Payment.ContactId', id);
  const { Timezone: Zone } = await getOrganization(store, contact.OrganizationId);
  return { Id: 0, OrganizationId: contact.OrganizationId, ContactId: contact.Id, Number: '', Zone };
}

export function throwErrors(errors: readonly FieldError[]): void {
  if (errors.length) throw invalid(...prefixErrors('Payment', errors));
}

/** The invoices that a payment names, in order; 400 if they belong to several contacts. */
async function findPaidInvoices(
  input: PaymentInput,
  allocations: readonly AllocationInput[],
  context: ReadContext,
): Promise<readonly InvoiceRecord[]> {
  if (!allocations.length) return namesInvoice(input) ? [await findReferencedInvoice(input, context)] : [];
  const invoices = await Promise.all(
    allocations.map(async ({ InvoiceId }, index) => {
      const id = InvoiceId ?? 0;
      const invoice = await findInvoice(context.store, id);
      return orNotFound(invoice, 'invoice', `Allocations[${index}].InvoiceId`, id);
    }),
  );
  const [first] = invoices;
  const foreign = invoices.findIndex(
    ({ ContactId, OrganizationId }) => ContactId !== first?.ContactId || OrganizationId !== first.OrganizationId,
  );
  if (foreign > 0)
    throw invalid({
      field: `Allocations[${foreign}].InvoiceId`,
      code: 'mismatch',
      message: `is not an invoice of contact ${first?.ContactId}, as the first is`,
    });
  return invoices;
}

export async function findReferencedInvoice(input: PaymentInput, context: ReadContext): Promise<InvoiceRecord> {
  const { store } = context;
  if (input.InvoiceId)
    return orNotFound(await findInvoice(store, input.InvoiceId), 'invoice', 'Payment.InvoiceId', input.InvoiceId);
  const number = input.InvoiceNumber?.trim() ?? '';
  const names = { prefix: 'Payment.', instead: 'use InvoiceId' };
  const id = await findNumberedInvoiceId(input, names, context);
  const invoice = id && (await findInvoice(store, id));
  return orNotFound(invoice || undefined, 'invoice', 'Payment.InvoiceNumber', number);
}

/**
 * The payment that a TransactionId recorded first in the organization of the invoice; 409 if it is for another invoice
 * or Amount, or without an invoice for another contact, or is gone.
 */
async function findRecordedPayment(
  { InvoiceId, ContactId, Amount, TransactionId, OrganizationId: organizationId }: PaymentRecord,
  requested: readonly AllocationInput[],
  use: TransactionUse,
  { store }: ReadContext,
): Promise<Omit<RecordedPayment, 'changes'>> {
  const payment = await findPayment(organizationStore(store, organizationId), use.Id);
  if (!payment) throw conflict('already_exists', lostPaymentMessage(TransactionId, use.Id));
  const isSame = use.InvoiceId === InvoiceId && use.Amount === Amount && isSameDivision(use.Allocations, requested);
  if (isSame && (InvoiceId || payment.ContactId === ContactId)) return { payment, allocations: use.Allocations };
  throw conflict(
    'idempotency_mismatch',
    `TransactionId ${JSON.stringify(TransactionId)} was used for a payment of another invoice, contact or Amount. ` +
      'Repeat the first request exactly, or use a new TransactionId for a new payment.',
  );
}

const lostPaymentMessage = (transactionId: string, id: number): string =>
  `TransactionId ${JSON.stringify(transactionId)} was used for payment ${id}, which is not there any more. ` +
  'Use a new TransactionId for a new payment.';
