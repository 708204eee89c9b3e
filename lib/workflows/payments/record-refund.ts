import type { ClientPaymentRecord } from '../../entities/payments.ts';
import { creditOf } from '../../domain/credits.ts';
import { applyPayment, blankPayment } from '../../domain/payments.ts';
import type { ProviderRefund } from '../../payments/provider.ts';
import { add, formatMoney, subtract } from '../../shared/money.ts';
import { wholeSecond } from '../../shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { clientPaymentChange, findClientPayment } from '../../store/client-payments.ts';
import { findCredit } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import type { WriteContext } from '../context.ts';
import { type paidFields, paymentTask, unappliedPayment } from './record-client-payment.ts';
import { type MoneyMove, joinMoves, savePayments } from './save-payments.ts';

type Part = ClientPaymentRecord['Parts'][number];

/** How much of an amount each part takes, in order, limited by its room. */
function spread(parts: readonly Part[], amount: number, roomOf: (part: Part) => number): number[] {
  let rest = amount;
  return parts.map((part) => {
    const taken = Math.max(0, Math.min(rest, roomOf(part)));
    rest = subtract(rest, taken);
    return taken;
  });
}

/** What a refund takes off the parts of a payment: first off the part that was not applied, which was recorded last. */
const takenOff = (parts: readonly Part[], amount: number): number[] =>
  spread(parts.toReversed(), amount, ({ Amount, Refunded }) => subtract(Amount, Refunded)).reverse();

/** What the parts get back from a failed refund, in the reverse order. */
const putBack = (parts: readonly Part[], amount: number): number[] => spread(parts, amount, ({ Refunded }) => Refunded);

/**
 * The changes that record a refund of a client's payment, or undo one that failed after it was recorded; none if that
 * is recorded already, or the payment belongs elsewhere. A refund comes off the invoice that has the payment now, or
 * off the tip. The part that they cannot give back, because the office recorded a refund itself, is recorded as a
 * refund without an invoice, with a task, and so is what an invoice does not take back.
 */
export async function recordRefund(
  { payment, refund }: { readonly payment: string; readonly refund: ProviderRefund },
  context: WriteContext,
): Promise<readonly Change[]> {
  const { store } = context;
  const before = await findClientPayment(store, payment);
  if (!before) return [];
  const { Refunds, FailedRefunds } = before;
  const isRecorded = Refunds.includes(refund.id);
  if (!refund.isFailed) {
    if (isRecorded) return [];
    return moveParts({ before, refund, after: { Refunds: [...Refunds, refund.id] } }, context);
  }
  if (!isRecorded || FailedRefunds.includes(refund.id)) return [];
  const { OrganizationId, ContactId } = before;
  const Description =
    `Stripe could not pay back ${formatMoney(refund.cents / 100)} of ${before.Payment} (${refund.id}): the client's ` +
    'bank refused it. The refund is undone here, and the client still waits for the money: pay it back another way.';
  const [changes, task] = [
    await moveParts({ before, refund, after: { FailedRefunds: [...FailedRefunds, refund.id] } }, context),
    await paymentTask({ OrganizationId, ContactId, Description }, context),
  ];
  return [...changes, task];
}

/** The changes that take money off the parts of a payment, or put back what a failed refund took. */
export async function moveParts(
  {
    before,
    refund,
    after,
  }: {
    readonly before: ClientPaymentRecord;
    readonly refund: Pick<ProviderRefund, 'id' | 'cents' | 'at' | 'isFailed'> & { readonly method?: string };
    readonly after: Partial<ClientPaymentRecord>;
  },
  context: WriteContext,
): Promise<readonly Change[]> {
  const { store, now } = context;
  const sum = refund.cents / 100;
  const moved = refund.isFailed
    ? putBack(before.Parts, sum)
    : takenOff(before.Parts, sum).map((amount) => subtract(0, amount));
  const Parts = before.Parts.map((part, index) => ({ ...part, Refunded: subtract(part.Refunded, moved[index] ?? 0) }));
  const name = refund.isFailed ? `${refund.id}-failed` : refund.id;
  const made: MovedMoney[] = [];
  for (const [index, { invoice, amount }] of (await groupByInvoice(before.Parts, moved, context)).entries()) {
    const fields = {
      TransactionId: index ? `${name}-${index + 1}` : name,
      Date: wholeSecond(refund.isFailed ? now.getTime() : refund.at),
      Method: refund.method ?? 'Refund',
      Reference: before.Payment,
    };
    made.push(await movePart({ before, fields, invoice, amount }, context));
  }
  const stored = { before, after: { ...before, ...after, Parts }, now };
  const money = joinMoves(made.map(({ move }) => move));
  return [
    clientPaymentChange(store, stored),
    ...savePayments({ ...money, mayOverdraw: true }, context).changes,
    ...made.flatMap(({ changes = [] }) => changes),
  ];
}

/** The payments and invoices that change with a refund, and what changes beside them. */
interface MovedMoney {
  readonly move?: MoneyMove;
  readonly changes?: readonly Change[];
}

/** `tip`, `credit`, or the id of the invoice that has the payment now: 0 for none. */
type Holder = number | 'tip' | 'credit';

async function groupByInvoice(
  parts: readonly Part[],
  moved: readonly number[],
  { store }: WriteContext,
): Promise<{ readonly invoice: Holder; readonly amount: number }[]> {
  const holders = await Promise.all(
    parts.map(async ({ PaymentId }): Promise<Holder> => {
      if (!PaymentId) return 'tip';
      const payment = await findPayment(store, PaymentId);
      return creditOf(payment) ? 'credit' : (payment?.InvoiceId ?? 0);
    }),
  );
  const amounts = new Map<Holder, number>();
  for (const [index, holder] of holders.entries())
    amounts.set(holder, add(amounts.get(holder) ?? 0, moved[index] ?? 0));
  return [...amounts].filter(([, amount]) => amount !== 0).map(([invoice, amount]) => ({ invoice, amount }));
}

interface MovedPart {
  readonly before: ClientPaymentRecord;
  readonly fields: ReturnType<typeof paidFields>;
  readonly invoice: Holder;
  /** Below 0 for a refund. */
  readonly amount: number;
}

async function movePart(part: MovedPart, context: WriteContext): Promise<MovedMoney> {
  const { before, fields, invoice: holder, amount } = part;
  if (holder === 'tip') return { changes: await moveTip(before, amount, context) };
  if (holder === 'credit') return moveCredit(part, context);
  const [Id = 0] = await reserveIds(context.store, 'Payment', 1);
  const invoice = holder ? await findInvoice(context.store, holder) : undefined;
  if (invoice) {
    const after = { ...blankPayment(invoice, context.now), ...fields, Id, Amount: amount };
    const result = applyPayment(invoice, undefined, after);
    if (result.kind === 'applied')
      return {
        move: { payments: [{ before: undefined, after }], invoices: [{ before: invoice, after: result.invoice }] },
      };
  }
  const { OrganizationId, ContactId } = before;
  const zone = invoice?.Zone ?? 'UTC';
  const InCredit = invoice !== undefined && amount > 0;
  const at = { Id, OrganizationId, ContactId, Zone: zone, Amount: amount, InCredit };
  const move = unappliedPayment(at, fields, context);
  if (!invoice) return { move };
  const Description =
    amount < 0
      ? `Stripe took back ${formatMoney(-amount)} of a payment of invoice ${invoice.Number} ` +
        `(${fields.TransactionId}), which has less paid. Compare its payments with those at Stripe.`
      : `${formatMoney(amount)} of a refund that failed (${fields.TransactionId}) are payment ${Id} of no invoice: ` +
        `invoice ${invoice.Number} does not take them back. Compare its payments with those at Stripe.`;
  const task = await paymentTask({ OrganizationId, ContactId, Description }, context);
  return { move, changes: [task] };
}

/**
 * Takes a refund off the credit, or puts it back. If the credit was used meanwhile, it becomes negative, with a task.
 */
async function moveCredit({ before, fields, amount }: MovedPart, context: WriteContext): Promise<MovedMoney> {
  const { store } = context;
  const { OrganizationId, ContactId } = before;
  const [[Id = 0], credit] = await Promise.all([reserveIds(store, 'Payment', 1), findCredit(store, ContactId)]);
  const at = { Id, OrganizationId, ContactId, Zone: 'UTC', Amount: amount, InCredit: true };
  const move = unappliedPayment(at, fields, context);
  const left = add(credit.balance, amount);
  if (amount > 0 || left >= 0) return { move };
  const Description =
    `Stripe took back ${formatMoney(-amount)} of credit (${fields.TransactionId}) that paid an invoice already: the ` +
    `credit of the client is ${formatMoney(left)} now. Ask for the difference.`;
  return { move, changes: [await paymentTask({ OrganizationId, ContactId, Description }, context)] };
}

async function moveTip(
  { RecordId }: ClientPaymentRecord,
  amount: number,
  { store, now }: WriteContext,
): Promise<readonly Change[]> {
  const before = await findAppointment(store, RecordId);
  if (!before) return [];
  const after = { ...before, Tip: Math.max(0, add(before.Tip, amount)) };
  return appointmentChanges(store, { before, after, now }).changes;
}
