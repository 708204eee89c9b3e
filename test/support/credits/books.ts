import {
  creditOf,
  creditRefusal,
  divideAgain,
  dividePayment,
  excessChange,
  shareOf,
  spendCredit,
  toAllocations,
  wholeAmount,
  withExcess,
  withIds,
} from '../../../lib/domain/credits.ts';
import { withTotals } from '../../../lib/domain/invoices/record.ts';
import { importOutcome } from '../../../lib/domain/invoices/status.ts';
import { applyPayment, blankPayment } from '../../../lib/domain/payments.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../../lib/entities/invoices.ts';
import type { PaymentRecord } from '../../../lib/entities/payments.ts';
import { invoiceOver } from '../invoices.ts';
import type { Act } from './ledger.ts';

const NOW = new Date('2026-03-09T15:04:05Z');

const paymentOf = (of: InvoiceRecord, Amount: number, more: Partial<PaymentRecord> = {}): PaymentRecord => ({
  ...blankPayment(of, NOW),
  Amount,
  ...more,
});

/** What the rules of the domain make of the same acts, with the records that are stored. */
export class Books {
  readonly payments: PaymentRecord[] = [];
  readonly invoices: InvoiceRecord[];

  constructor(totals: readonly number[]) {
    this.invoices = totals.map((total, index) => invoiceOver(total / 100, { Id: index + 1, Date: index, V: 1 }));
  }

  credit = () => this.payments.reduce((sum, each) => sum + Math.round(creditOf(each) * 100), 0);

  private at = (index: number) => this.invoices[index] as InvoiceRecord;

  private record(of: PaymentRecord, shares: Parameters<typeof dividePayment>[1], isAllocated = false): boolean {
    const divided = dividePayment(of, shares);
    if (divided.kind === 'refused') return false;
    const taken = divided.parts.reduce((sum, part) => sum - creditOf(part), 0);
    if (taken > 0 && creditRefusal(1, this.credit() / 100, Math.round(taken * 100) / 100)) return false;
    for (const { before, after } of divided.invoices) this.invoices[before.Id - 1] = after;
    const next = this.payments.length + 1;
    const parts = withIds(
      divided.parts,
      divided.parts.map((_, index) => next + index),
      isAllocated,
    );
    this.payments.push(...parts);
    const amount = of.FromCredit ? 0 : of.Amount;
    const said = toAllocations(parts).reduce((sum, part) => sum + part.Amount * 100, 0);
    if (parts.length > 1 && Math.round(said) !== Math.round(amount * 100)) throw new Error(`${said} of ${amount}`);
    return true;
  }

  /** Changes a payment of an invoice. */
  private changePayment(place: number, amount: number): boolean {
    const ofInvoices = this.payments.filter(({ InvoiceId, FromCredit }) => InvoiceId && !FromCredit);
    const before = ofInvoices[place % ofInvoices.length];
    if (!before) return true;
    const of = (payment: PaymentRecord) => ({ payment, invoice: this.at(payment.InvoiceId - 1) });
    const ids = (before.Shares ?? [{ PaymentId: before.Id }]).map(({ PaymentId }) => PaymentId);
    const parts = ids.map((id) => of(this.payments[id - 1] as PaymentRecord));
    const Amount = amount === wholeAmount(parts) ? before.Amount : amount;
    if (Amount === before.Amount) return true;
    if (before.SplitOf || (before.Shares && Amount < 0 !== wholeAmount(parts) < 0)) return false;
    const single = () => [{ ...of(before), after: withExcess(of(before).invoice, before, { ...before, Amount }) }];
    const changed = before.Shares ? divideAgain(parts, { ...before, Amount }) : single();
    const excess = changed[0] && excessChange(before, changed[0].after, NOW);
    const moved = changed.filter(({ payment, after }) => payment.Amount !== after.Amount);
    const results = moved.map(({ payment, after, invoice }) => applyPayment(invoice, payment, after));
    if (excess && excess.Amount < 0 && creditRefusal(1, this.credit() / 100, -excess.Amount)) return false;
    if (results.some(({ kind }) => kind === 'refused')) return false;
    for (const result of results) if (result.kind === 'applied') this.invoices[result.invoice.Id - 1] = result.invoice;
    for (const { after } of changed) this.payments[after.Id - 1] = after;
    if (excess) this.payments.push({ ...excess, Id: this.payments.length + 1 });
    return true;
  }

  private change(index: number, after: InvoiceRecord, status?: string): boolean {
    const outcome = importOutcome(this.at(index), after, status);
    if (outcome.kind === 'changed') this.invoices[index] = after;
    return outcome.kind !== 'refused';
  }

  apply(act: Act): boolean {
    if (act.kind === 'change') return this.changePayment(act.payment, act.amount / 100);
    if (act.kind === 'void') {
      const voided = { ...this.at(act.invoice), Status: InvoiceStatus.Voided, BalanceDue: 0 };
      return this.at(act.invoice).Status !== InvoiceStatus.Voided && this.change(act.invoice, voided, 'Voided');
    }
    if (act.kind === 'reprice') {
      const before = this.at(act.invoice);
      const Lines = before.Lines.map((line) => ({ ...line, Rate: act.total / 100 }));
      const isFixed = before.Status === InvoiceStatus.Paid || before.Status === InvoiceStatus.Voided;
      return !isFixed && this.change(act.invoice, withTotals({ ...before, Lines }));
    }
    if (act.kind === 'spend') {
      const shares = spendCredit(this.credit() / 100, this.invoices);
      const total = shares.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;
      return !shares.length || this.record(paymentOf(this.at(0), total, { FromCredit: true }), shares, true);
    }
    const amount = act.amount / 100;
    if (act.kind === 'keep') return this.record(paymentOf(this.at(0), amount), []);
    if (act.kind === 'divide') {
      const shares = act.parts.map(([index, part]) => ({ invoice: this.at(index), amount: part / 100 }));
      return this.record(paymentOf(this.at(0), amount), shares, true);
    }
    const of = paymentOf(this.at(act.invoice), amount, { FromCredit: act.kind === 'byCredit' });
    return this.record(of, [shareOf(this.at(act.invoice), of)]);
  }
}
