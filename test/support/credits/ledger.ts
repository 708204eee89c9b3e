/**
 * A ledger of one client in whole cents, which shares no code with what it is compared with: what came in is what the
 * invoices have and the credit, after every act. It says of each act whether it is done.
 */

export interface LedgerInvoice {
  readonly total: number;
  readonly paid: number;
  readonly isVoided: boolean;
}

export type Act =
  | { readonly kind: 'pay' | 'byCredit'; readonly invoice: number; readonly amount: number }
  | { readonly kind: 'divide'; readonly amount: number; readonly parts: readonly (readonly [number, number])[] }
  | { readonly kind: 'keep'; readonly amount: number }
  /** Of a payment of an invoice, in the order in which they came in. */
  | { readonly kind: 'change'; readonly payment: number; readonly amount: number }
  | { readonly kind: 'void'; readonly invoice: number }
  | { readonly kind: 'reprice'; readonly invoice: number; readonly total: number }
  | { readonly kind: 'spend' };

export class Ledger {
  /** What came in, less what went back. */
  cash = 0;
  credit = 0;
  readonly invoices: LedgerInvoice[];
  /** What each payment of an invoice has there, and what it left as credit. */
  private readonly payments: { readonly index: number; has: number; left: number }[] = [];

  constructor(totals: readonly number[]) {
    this.invoices = totals.map((total) => ({ total, paid: 0, isVoided: false }));
  }

  due(index: number): number {
    const { total, paid, isVoided } = this.at(index);
    return isVoided ? 0 : total - paid;
  }

  private at(index: number): LedgerInvoice {
    const found = this.invoices[index];
    if (!found) throw new Error(`no invoice ${index}`);
    return found;
  }

  private set(index: number, changes: Partial<LedgerInvoice>): void {
    this.invoices[index] = { ...this.at(index), ...changes };
  }

  /** Whether an invoice takes an amount, or gives it back. */
  private takes(index: number, amount: number): boolean {
    return amount > 0 ? amount <= this.due(index) : -amount <= this.at(index).paid;
  }

  private give(index: number, amount: number): void {
    this.set(index, { paid: this.at(index).paid + amount });
  }

  /** Whether the act was done. */
  apply(act: Act): boolean {
    if (act.kind === 'pay') return this.pay(act.invoice, act.amount);
    if (act.kind === 'byCredit') return this.payByCredit(act.invoice, act.amount);
    if (act.kind === 'divide') return this.divide(act.amount, act.parts);
    if (act.kind === 'keep') return this.divide(act.amount, []);
    if (act.kind === 'change') return this.change(act.payment, act.amount);
    if (act.kind === 'void') return this.close(act.invoice);
    if (act.kind === 'reprice') return this.reprice(act.invoice, act.total);
    return this.spend();
  }

  private pay(index: number, amount: number): boolean {
    const due = this.due(index);
    if (amount <= 0 || due === 0 || amount <= due) return this.divide(amount, [[index, amount]]);
    return this.divide(amount, [[index, due]]);
  }

  private payByCredit(index: number, amount: number): boolean {
    if (!this.takes(index, amount) || amount > this.credit) return false;
    this.give(index, amount);
    this.credit -= amount;
    return true;
  }

  /** Changes a payment to what the client really paid. */
  private change(place: number, amount: number): boolean {
    const of = this.payments[place % this.payments.length];
    if (!of || amount === of.has || amount === of.has + of.left) return true;
    const { total, paid, isVoided } = this.at(of.index);
    if (isVoided) return false;
    const most = total - (paid - of.has);
    const has = amount > most && most > 0 ? most : amount;
    const left = amount - has;
    const isWithin = paid - of.has + has >= 0 && has <= most;
    if (!isWithin || (left < of.left && this.credit - of.left + left < 0)) return false;
    this.give(of.index, has - of.has);
    this.credit += left - of.left;
    this.cash += amount - of.has - of.left;
    Object.assign(of, { has, left });
    return true;
  }

  private divide(amount: number, parts: readonly (readonly [number, number])[]): boolean {
    let rest = amount;
    for (const [index, part] of parts) {
      if (!this.takes(index, part)) return false;
      rest -= part;
    }
    if (rest < 0 && this.credit + rest < 0) return false;
    const left = parts.length === 1 ? Math.max(0, rest) : 0;
    for (const [index, part] of parts) {
      this.give(index, part);
      this.payments.push({ index, has: part, left });
    }
    this.credit += rest;
    this.cash += amount;
    return true;
  }

  private close(index: number): boolean {
    if (this.at(index).isVoided) return false;
    this.set(index, { isVoided: true });
    return true;
  }

  private reprice(index: number, total: number): boolean {
    const { paid, isVoided } = this.at(index);
    if (isVoided || this.due(index) === 0 || total < paid) return false;
    this.set(index, { total });
    return true;
  }

  /** The oldest first. */
  private spend(): boolean {
    for (const index of this.invoices.keys()) {
      const amount = Math.min(this.credit, this.due(index));
      if (amount > 0) this.payByCredit(index, amount);
    }
    return true;
  }
}
