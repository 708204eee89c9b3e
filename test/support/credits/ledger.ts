/**
 * A ledger of one client in whole cents, which shares no code with what it is compared with: what came in is what the
 * invoices have and the credit, after every act. It says of each act whether it is done.
 */

export interface LedgerInvoice {
  readonly total: number;
  readonly paid: number;
  readonly isVoided: boolean;
}

/** What came in at once: what each invoice is to get of it, if that was said, and what it left as credit. */
interface Money {
  readonly first: number;
  readonly shares: readonly number[];
  left: number;
}

export type Act =
  | { readonly kind: 'pay' | 'byCredit'; readonly invoice: number; readonly amount: number }
  | { readonly kind: 'divide'; readonly amount: number; readonly parts: readonly (readonly [number, number])[] }
  | { readonly kind: 'keep'; readonly amount: number }
  /** Of a payment of an invoice, in the order in which they came in: it was all of so much. */
  | { readonly kind: 'change'; readonly payment: number; readonly amount: number }
  | { readonly kind: 'void'; readonly invoice: number }
  | { readonly kind: 'reprice'; readonly invoice: number; readonly total: number }
  | { readonly kind: 'spend' };

export class Ledger {
  /** What came in, less what went back. */
  cash = 0;
  credit = 0;
  readonly invoices: LedgerInvoice[];
  /** What each payment of an invoice has there, and the money that it is of. */
  private readonly payments: { readonly index: number; has: number; readonly of: Money }[] = [];

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
    if (amount <= 0 || due === 0 || amount <= due) return this.divide(amount, [[index, amount]], false);
    return this.divide(amount, [[index, due]], false);
  }

  private payByCredit(index: number, amount: number): boolean {
    if (!this.takes(index, amount) || amount > this.credit) return false;
    this.give(index, amount);
    this.credit -= amount;
    return true;
  }

  /** Changes the payment of some money to what the client really paid. */
  private change(place: number, amount: number): boolean {
    const at = place % this.payments.length;
    const named = this.payments[at];
    if (!named || amount === named.has) return true;
    const { first, shares } = named.of;
    const parts = at === first ? this.payments.slice(first, first + Math.max(1, shares.length)) : [named];
    const before = parts.reduce((sum, { has }) => sum + has, named.of.left);
    if (at !== first) return false;
    if (amount === before) return true;
    if (shares.length && amount > 0 !== before > 0) return false;
    const gets: number[] = [];
    for (const [place, part] of parts.entries())
      gets.push(this.gets(part, amount - gets.reduce((sum, each) => sum + each, 0), shares[place]));
    const left = gets.reduce((rest, each) => rest - each, amount);
    if (!parts.every((part, place) => this.mayHave(part, gets[place] ?? 0))) return false;
    if (left < named.of.left && this.credit - named.of.left + left < 0) return false;
    for (const [place, part] of parts.entries()) {
      this.give(part.index, (gets[place] ?? 0) - part.has);
      part.has = gets[place] ?? 0;
    }
    this.credit += left - named.of.left;
    this.cash += amount - before;
    named.of.left = left;
    return true;
  }

  /** What an invoice gets of the rest of some money in place of what it has. */
  private gets({ index, has }: { index: number; has: number }, rest: number, share: number | undefined): number {
    const { total, paid, isVoided } = this.at(index);
    const [most, least] = isVoided ? [Infinity, -Infinity] : [total - (paid - has), has - paid];
    if (share === undefined) return rest > most && most > 0 ? most : rest;
    return share > 0 ? Math.min(rest, share, most) : Math.max(rest, share, least);
  }

  private mayHave({ index, has }: { index: number; has: number }, amount: number): boolean {
    const { total, paid, isVoided } = this.at(index);
    return amount === has || (!isVoided && paid - has + amount >= 0 && paid - has + amount <= total);
  }

  private divide(amount: number, parts: readonly (readonly [number, number])[], isAllocated = true): boolean {
    let rest = amount;
    for (const [index, part] of parts) {
      if (!this.takes(index, part)) return false;
      rest -= part;
    }
    if (rest < 0 && this.credit + rest < 0) return false;
    const of = { first: this.payments.length, shares: isAllocated ? parts.map(([, part]) => part) : [], left: rest };
    for (const [index, part] of parts) {
      this.give(index, part);
      this.payments.push({ index, has: part, of });
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
