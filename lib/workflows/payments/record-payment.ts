import type { PaymentRecord } from '../../entities/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import {
  type PaidInvoice,
  type PaymentInput,
  applyPayment,
  applyPaymentInput,
  blankPayment,
  inputErrors,
  invoiceErrors,
  isSamePayment,
  missingFields,
  namesInvoice,
  touchesInvoice,
} from '../../domain/payments.ts';
import {
  type FieldError,
  InternalError,
  conflict,
  invalid,
  notFound,
  orNotFound,
  prefixErrors,
} from '../../shared/failure.ts';
import { subtract } from '../../shared/money.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/records.ts';
import { findInvoice, findInvoiceIdByNumber, invoiceChanges } from '../../store/sales/invoices.ts';
import { type TransactionUse, findPayment, findTransactions, paymentChanges } from '../../store/sales/payments.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext, WriteContext } from '../context.ts';

export interface RecordedPayment {
  readonly payment: PaymentRecord;
  readonly changes: readonly Change[];
}

/**
 * Records a payment or refund, and changes the balance of its invoice with it; one with a ContactId alone has no
 * invoice. A TransactionId that was used for the
 * same invoice and Amount returns the first payment. Throws conflict if the invoice does not take the amount. Two
 * rounds if a key of the organization names the invoice by its id.
 */
export async function recordPayment(input: PaymentInput, context: WriteContext): Promise<RecordedPayment> {
  throwErrors([...missingFields(input), ...inputErrors(input, 'UTC')]);
  const { table, caller, now } = context;
  const transactionId = input.TransactionId?.trim();
  const findUses = (organization: number) =>
    transactionId ? findTransactions(table, { account: caller.accountId, organization }, transactionId) : [];
  const [invoice, early] = await Promise.all([
    namesInvoice(input) ? findReferencedInvoice(input, context) : undefined,
    caller.organizationId === null ? undefined : findUses(caller.organizationId),
    prefetchIds(table, caller.accountId, 'Payment', 1),
  ]);
  const of = invoice ?? (await loadNoInvoice(input, context));
  throwErrors([...invoiceErrors(input, of), ...inputErrors(input, of.Zone)]);
  const payment = applyPaymentInput(blankPayment(of, now), input, of.Zone);
  const uses = early ?? (await findUses(of.OrganizationId));
  const recorded = uses.length ? await findRecordedPayment(payment, uses, context) : undefined;
  if (recorded) return { payment: recorded, changes: [] };
  const change = invoice && { before: invoice, after: payInvoice(invoice, undefined, payment) };
  const [Id = 0] = await reserveIds(table, caller.accountId, 'Payment', 1);
  return saveWithInvoice({ before: undefined, after: { ...payment, Id } }, change, context);
}

/** What a payment without an invoice is for: the contact alone. */
async function loadNoInvoice({ ContactId }: PaymentInput, context: ReadContext): Promise<PaidInvoice> {
  const contact = await loadContact(context, ContactId, 'Payment.ContactId');
  const { table, caller } = context;
  const { Timezone: Zone } = await getOrganization(table, caller.accountId, contact.OrganizationId);
  return { Id: 0, OrganizationId: contact.OrganizationId, ContactId: contact.Id, Number: '', Zone };
}

/**
 * Changes Reference, Method, Date or Amount of the payment that `field` of the request names. One that is applied to no
 * invoice is applied to the InvoiceId of the request.
 */
export async function changePayment(
  { id, field }: { readonly id: number; readonly field: string },
  input: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  const { before, invoice } = await loadPayment(id, field, input.InvoiceId, context);
  if (!before.InvoiceId) return applyToInvoice(before, invoice, input, context);
  throwErrors([...invoiceErrors(input, invoice, before), ...inputErrors(input, invoice.Zone)]);
  const after = applyPaymentInput(before, input, invoice.Zone);
  if (isSamePayment(before, after)) return { payment: before, changes: [] };
  const paidInvoice = touchesInvoice(invoice, before, after) ? payInvoice(invoice, before, after) : undefined;
  return saveWithInvoice({ before, after }, paidInvoice && { before: invoice, after: paidInvoice }, context);
}

/** Applies a payment that is applied to no invoice yet, whole. Throws conflict where the invoice does not take it. */
function applyToInvoice(
  before: PaymentRecord,
  invoice: InvoiceRecord,
  input: PaymentInput,
  context: WriteContext,
): RecordedPayment {
  throwErrors([...invoiceErrors(input, invoice), ...inputErrors(input, invoice.Zone)]);
  const { Id: InvoiceId, Number: InvoiceNumber, ContactId } = invoice;
  const applied = { ...before, InvoiceId, InvoiceNumber, ContactId };
  const after = applyPaymentInput(applied, { ...input, TransactionId: null }, invoice.Zone);
  return saveWithInvoice({ before, after }, { before: invoice, after: payInvoice(invoice, undefined, after) }, context);
}

function throwErrors(errors: readonly FieldError[]): void {
  if (errors.length) throw invalid(...prefixErrors('Payment', errors));
}

async function findReferencedInvoice(input: PaymentInput, context: ReadContext): Promise<InvoiceRecord> {
  const { table, caller } = context;
  if (input.InvoiceId)
    return orNotFound(
      await findInvoice(table, caller, input.InvoiceId),
      'invoice',
      'Payment.InvoiceId',
      input.InvoiceId,
    );
  const number = input.InvoiceNumber?.trim() ?? '';
  const organization = await resolveOrganization(input, context);
  const id = await findInvoiceIdByNumber(table, caller.accountId, { organization, number });
  const invoice = id && (await findInvoice(table, caller, id));
  return orNotFound(invoice || undefined, 'invoice', 'Payment.InvoiceNumber', number);
}

/** The organization that an InvoiceNumber belongs to: the key's, else the account's only one, else the contact's. */
async function resolveOrganization({ ContactId }: PaymentInput, context: ReadContext): Promise<number> {
  const { table, caller } = context;
  const only = caller.organizationId ?? (await findOnlyOrganization(table, caller.accountId));
  if (only !== undefined) return only;
  if (!ContactId)
    throw invalid({
      field: 'Payment.InvoiceNumber',
      code: 'ambiguous',
      message: 'may exist in several organizations of the account: add ContactId, or use InvoiceId',
    });
  return (await loadContact(context, ContactId, 'Payment.ContactId')).OrganizationId;
}

/**
 * The payment that a TransactionId recorded first in the organization of the invoice; 409 if it is for another invoice
 * or Amount, or without an invoice for another contact, or is gone.
 */
async function findRecordedPayment(
  { InvoiceId, ContactId, Amount, TransactionId, OrganizationId: organizationId }: PaymentRecord,
  uses: readonly TransactionUse[],
  { table, caller }: ReadContext,
): Promise<PaymentRecord | undefined> {
  const scope = { ...caller, organizationId };
  const payments = await Promise.all(uses.map(({ Id }) => findPayment(table, scope, Id)));
  const index = payments.findIndex((payment) => payment !== undefined);
  if (index < 0) {
    const lost = uses.find(({ isOfAccount }) => !isOfAccount);
    if (lost) throw conflict('already_exists', lostPaymentMessage(TransactionId, lost.Id));
    return undefined;
  }
  const [use, payment] = [uses[index], payments[index]];
  const isSame = use?.InvoiceId === InvoiceId && use.Amount === Amount;
  if (isSame && (InvoiceId || payment?.ContactId === ContactId)) return payment;
  throw conflict(
    'idempotency_mismatch',
    `TransactionId ${JSON.stringify(TransactionId)} was used for a payment of another invoice, contact or Amount. ` +
      'Repeat the first request exactly, or use a new TransactionId for a new payment.',
  );
}

const lostPaymentMessage = (transactionId: string, id: number): string =>
  `TransactionId ${JSON.stringify(transactionId)} was used for payment ${id}, which is not there any more. ` +
  'Use a new TransactionId for a new payment.';

/** Reads a payment and its invoice: in one round if the request repeats the InvoiceId. */
async function loadPayment(id: number, field: string, invoiceId: number | null | undefined, context: ReadContext) {
  const { table, caller } = context;
  const [before, expectedInvoice] = await Promise.all([
    findPayment(table, caller, id),
    invoiceId ? findInvoice(table, caller, invoiceId) : undefined,
  ]);
  if (!before) throw notFound('payment', field, id);
  if (!before.InvoiceId && (!expectedInvoice || expectedInvoice.OrganizationId !== before.OrganizationId))
    throw invoiceId
      ? notFound('invoice', 'Payment.InvoiceId', invoiceId)
      : invalid({
          field: 'Payment.InvoiceId',
          code: 'required',
          message: `is required: payment ${id} is applied to no invoice`,
        });
  const isExpected = !before.InvoiceId || expectedInvoice?.Id === before.InvoiceId;
  const invoice = isExpected ? expectedInvoice : await findInvoice(table, caller, before.InvoiceId);
  if (!invoice)
    throw new InternalError(`account ${caller.accountId}: payment ${id} has no invoice ${before.InvoiceId}`);
  return { before, invoice };
}

function payInvoice(invoice: InvoiceRecord, before: PaymentRecord | undefined, after: PaymentRecord): InvoiceRecord {
  const result = applyPayment(invoice, before, after);
  if (result.kind === 'refused') throw conflict(result.code, result.message);
  return result.invoice;
}

/** The payment, the invoice if it changes with it, and what both change of the contact: all or nothing. */
export function saveWithInvoice(
  payment: { readonly before: PaymentRecord | undefined; readonly after: PaymentRecord },
  invoice: { readonly before: InvoiceRecord; readonly after: InvoiceRecord } | undefined,
  { caller: { accountId }, now }: WriteContext,
): RecordedPayment {
  const { record, changes } = paymentChanges(accountId, { ...payment, now });
  if (!invoice) return { payment: record, changes };
  const { before, after } = invoice;
  const saved = invoiceChanges(accountId, { before, after, now });
  const summary = { ...saved.contactSummary, paid: subtract(after.Paid, before.Paid) };
  const contact = contactSummaryChanges(accountId, after.ContactId, summary, now);
  return { payment: record, changes: [...changes, ...saved.changes, ...contact] };
}
