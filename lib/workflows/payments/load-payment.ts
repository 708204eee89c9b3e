import type { PaidPart } from '../../domain/credits.ts';
import { type PaymentInput, namesInvoice } from '../../domain/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { InternalError, notFound } from '../../shared/failure.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import type { ReadContext } from '../context.ts';
import { findReferencedInvoice } from './record-payment.ts';

/** Reads a payment and its invoice, or the one to which it is to be applied: in one round if the request has the id. */
export async function loadPayment(
  id: number,
  field: string,
  input: PaymentInput,
  context: ReadContext,
): Promise<{ readonly before: PaymentRecord; readonly invoice: InvoiceRecord | undefined }> {
  const { store } = context;
  const [before, expected] = await Promise.all([
    findPayment(store, id),
    input.InvoiceId ? findInvoice(store, input.InvoiceId) : undefined,
  ]);
  if (!before) throw notFound('payment', field, id);
  if (!before.InvoiceId) return { before, invoice: await findNewInvoice(before, expected, input, context) };
  const invoice = expected?.Id === before.InvoiceId ? expected : await findInvoice(store, before.InvoiceId);
  if (!invoice) throw new InternalError(`account ${store.account}: payment ${id} has no invoice ${before.InvoiceId}`);
  return { before, invoice };
}

/** The invoice to which a payment without one is to be applied; `undefined` if the request names none. */
async function findNewInvoice(
  { OrganizationId }: PaymentRecord,
  expected: InvoiceRecord | undefined,
  input: PaymentInput,
  context: ReadContext,
): Promise<InvoiceRecord | undefined> {
  if (!namesInvoice(input)) return undefined;
  const invoice = expected ?? (await findReferencedInvoice(input, context));
  if (invoice.OrganizationId === OrganizationId) return invoice;
  const { InvoiceId, InvoiceNumber } = input;
  throw InvoiceId
    ? notFound('invoice', 'Payment.InvoiceId', InvoiceId)
    : notFound('invoice', 'Payment.InvoiceNumber', InvoiceNumber ?? '');
}

/** A payment with its invoice, and the other parts of the same money that were allocated to invoices. */
export async function loadParts(first: PaidPart, context: ReadContext): Promise<readonly [PaidPart, ...PaidPart[]]> {
  const { store } = context;
  const { Id, Shares = [] } = first.payment;
  const others = await Promise.all(
    Shares.filter(({ PaymentId }) => PaymentId !== Id).map(async ({ PaymentId }) => {
      const payment = await findPayment(store, PaymentId);
      const invoice = payment && (await findInvoice(store, payment.InvoiceId));
      if (!payment || !invoice)
        throw new InternalError(`account ${store.account}: payment ${Id} has no part ${PaymentId}`);
      return { payment, invoice };
    }),
  );
  return [first, ...others];
}
