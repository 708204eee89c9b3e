import { type InvoiceChange, creditOf, creditRefusal } from '../../domain/credits.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { conflict } from '../../shared/failure.ts';
import { add, subtract } from '../../shared/money.ts';
import { type ContactSummary, contactSummaryChanges, findCredit } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { invoiceChanges } from '../../store/sales/invoices.ts';
import { type PaymentWrite, paymentChanges } from '../../store/sales/payments.ts';
import type { ReadContext, WriteContext } from '../context.ts';

export interface MoneyMove {
  readonly payments: readonly PaymentWrite[];
  readonly invoices: readonly InvoiceChange[];
  /** Whether the credit of a contact may become negative, because a provider has already taken the money back. */
  readonly mayOverdraw?: boolean;
}

/** Combines several moves into one, because a transaction changes each contact once. */
export const joinMoves = (moves: readonly (MoneyMove | undefined)[]): MoneyMove => ({
  payments: moves.flatMap((move) => move?.payments ?? []),
  invoices: moves.flatMap((move) => move?.invoices ?? []),
});

/**
 * Stores payments, the invoices that change with them, and the effects of both on their contacts: all or nothing. The
 * commit fails if a contact has less credit than is taken off it.
 */
export function savePayments(
  { payments, invoices, mayOverdraw = false }: MoneyMove,
  { caller: { account }, now }: Pick<WriteContext, 'caller' | 'now'>,
): { readonly payments: readonly PaymentRecord[]; readonly changes: readonly Change[] } {
  /** A transaction can change a contact only once. */
  const summaries = new Map<number, ContactSummary>();
  const addTo = (contact: number, { invoices: open, paid = 0, credit = 0 }: ContactSummary) => {
    const { invoices: others, paid: paidBefore = 0, credit: creditBefore = 0 } = summaries.get(contact) ?? {};
    summaries.set(contact, {
      invoices: { ...others, ...open },
      paid: add(paidBefore, paid),
      credit: add(creditBefore, credit),
      mayOverdraw,
    });
  };
  const stored = payments.map((payment) => {
    const { before, after } = payment;
    if (before && creditOf(before)) addTo(before.ContactId, { credit: subtract(0, creditOf(before)) });
    if (creditOf(after)) addTo(after.ContactId, { credit: creditOf(after) });
    return paymentChanges({ account }, { ...payment, now });
  });
  const saved = invoices.map(({ before, after }) => {
    const { changes, contactSummary } = invoiceChanges({ account }, { before, after, now });
    addTo(after.ContactId, { ...contactSummary, paid: subtract(after.Paid, before.Paid) });
    return changes;
  });
  const contacts = [...summaries].flatMap(([id, summary]) => contactSummaryChanges({ account }, id, summary, now));
  return {
    payments: stored.map(({ record }) => record),
    changes: [...stored.flatMap(({ changes }) => changes), ...saved.flat(), ...contacts],
  };
}

/**
 * Throws conflict, with the sentence of `refusal`, if a contact has less credit than is to be used, and while a merge
 * moves records.
 */
export async function checkCredit(
  contact: number,
  amount: number,
  { store }: ReadContext,
  refusal = (balance: number) => creditRefusal(contact, balance, amount),
): Promise<void> {
  const { balance, isHeld } = await findCredit(store, contact);
  const refused = balance < amount ? refusal(balance) : undefined;
  if (refused) throw conflict(refused.code, refused.message);
  if (isHeld)
    throw conflict(
      'not_ready',
      `Credit of contact ${contact} is on its way, as contacts are merged. Use it in two minutes.`,
    );
}
