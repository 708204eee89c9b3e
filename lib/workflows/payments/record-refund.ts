import type { ClientPaymentRecord } from '../../entities/client-payments.ts';
import { applyPayment, blankPayment } from '../../domain/payments.ts';
import type { ProviderRefund } from '../../payments/provider.ts';
import { add, formatMoney, subtract } from '../../shared/money.ts';
import { wholeSecond } from '../../shared/time/read-moments.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { clientPaymentChange, findClientPayment } from '../../store/client-payments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import type { WriteContext } from '../context.ts';
import { paymentTask, unappliedPayment } from './record-client-payment.ts';
import { saveWithInvoice } from './record-payment.ts';

type Part = ClientPaymentRecord['Parts'][number];

/** Takes a refund off the parts of a payment, first off what was not applied, which was recorded last. */
function takeOff(parts: readonly Part[], amount: number): { readonly parts: Part[]; readonly taken: number[] } {
  let rest = amount;
  const taken = parts.toReversed().map(({ Amount, Refunded }) => {
    const part = Math.max(0, Math.min(rest, subtract(Amount, Refunded)));
    rest = subtract(rest, part);
    return part;
  });
  taken.reverse();
  const after = parts.map((part, index) => ({ ...part, Refunded: add(part.Refunded, taken[index] ?? 0) }));
  return { parts: after, taken };
}

/**
 * The changes that record a refund of a client's payment; none where it is recorded, or the payment is not ours. It
 * comes off the invoice that has the payment now, or off the tip. What they cannot give back, because the office
 * recorded a refund itself, is recorded as a refund of no invoice, with a task.
 */
export async function recordRefund(
  { payment, refund }: { readonly payment: string; readonly refund: ProviderRefund },
  context: WriteContext,
): Promise<readonly Change[]> {
  const { table, caller, now } = context;
  const before = await findClientPayment(table, caller.accountId, payment);
  if (!before || before.Refunds.includes(refund.id)) return [];
  const { parts, taken } = takeOff(before.Parts, refund.cents / 100);
  const byInvoice = await groupByInvoice(before.Parts, taken, context);
  const changes: Change[] = [];
  for (const [index, { invoice, amount }] of byInvoice.entries()) {
    const transaction = index ? `${refund.id}-${index + 1}` : refund.id;
    changes.push(...(await refundPart({ before, refund, transaction, invoice, amount }, context)));
  }
  const after = { ...before, Parts: parts, Refunds: [...before.Refunds, refund.id] };
  return [clientPaymentChange(caller.accountId, { before, after, now }), ...changes];
}

/** `tip`, or the id of the invoice that has the payment now: 0 for none. */
type Holder = number | 'tip';

async function groupByInvoice(
  parts: readonly Part[],
  taken: readonly number[],
  { table, caller }: WriteContext,
): Promise<{ readonly invoice: Holder; readonly amount: number }[]> {
  const holders = await Promise.all(
    parts.map(async ({ PaymentId }): Promise<Holder> => {
      if (!PaymentId) return 'tip';
      return (await findPayment(table, caller, PaymentId))?.InvoiceId ?? 0;
    }),
  );
  const amounts = new Map<Holder, number>();
  for (const [index, holder] of holders.entries())
    amounts.set(holder, add(amounts.get(holder) ?? 0, taken[index] ?? 0));
  return [...amounts].filter(([, amount]) => amount > 0).map(([invoice, amount]) => ({ invoice, amount }));
}

interface RefundedPart {
  readonly before: ClientPaymentRecord;
  readonly refund: ProviderRefund;
  readonly transaction: string;
  readonly invoice: Holder;
  readonly amount: number;
}

async function refundPart(part: RefundedPart, context: WriteContext): Promise<readonly Change[]> {
  const { before, refund, transaction, invoice: holder, amount } = part;
  if (holder === 'tip') return refundTip(before, amount, context);
  const fields = {
    TransactionId: transaction,
    Date: wholeSecond(refund.at),
    Method: 'Refund',
    Reference: before.Payment,
  };
  const [Id = 0] = await reserveIds(context.table, context.caller.accountId, 'Payment', 1);
  const invoice = holder ? await findInvoice(context.table, context.caller, holder) : undefined;
  if (invoice) {
    const after = { ...blankPayment(invoice, context.now), ...fields, Id, Amount: -amount };
    const result = applyPayment(invoice, undefined, after);
    if (result.kind === 'applied')
      return saveWithInvoice({ before: undefined, after }, { before: invoice, after: result.invoice }, context).changes;
  }
  const { OrganizationId, ContactId } = before;
  const zone = invoice?.Zone ?? 'UTC';
  const changes = unappliedPayment({ Id, OrganizationId, ContactId, Zone: zone, Amount: -amount }, fields, context);
  if (!invoice) return changes;
  const Description =
    `Stripe refunded ${formatMoney(amount)} of a payment of invoice ${invoice.Number} (${refund.id}), which has less ` +
    'paid. Compare its payments with those at Stripe.';
  const task = await paymentTask({ OrganizationId, ContactId, Description }, context);
  return [...changes, task];
}

async function refundTip(
  { RecordId }: ClientPaymentRecord,
  amount: number,
  { table, caller, now }: WriteContext,
): Promise<readonly Change[]> {
  const before = await findAppointment(table, caller, RecordId);
  if (!before) return [];
  const after = { ...before, Tip: Math.max(0, subtract(before.Tip, amount)) };
  return appointmentChanges(caller.accountId, { before, after, now }).changes;
}
