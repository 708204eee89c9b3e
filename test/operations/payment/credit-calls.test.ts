import type { Contact } from '../../../lib/entities/contacts.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InvoiceRecord, Invoice } from '../../../lib/entities/invoices.ts';
import type { PaymentRecord, Payment, PaymentAllocation } from '../../../lib/entities/payments.ts';
import { COUNT, act, cents } from '../../support/credits/acts.ts';
import type { Act } from '../../support/credits/ledger.ts';
import { downloadRows } from '../../support/download-rows.ts';
import { putInvoice } from '../../support/invoices.ts';
import { type TestAnswer, testAccount, testTable } from '../../support/stack/stack.ts';

const RUNS = Number(process.env['CREDIT_CALL_RUNS'] ?? 1);
const AT_ONCE = 8;

/** A payment of an invoice, in whole cents: what it has there, and all that was paid with it, parts and credit. */
interface Made {
  readonly id: number;
  readonly invoice: number;
  has: number;
  readonly paid: { whole: number };
}
type Sent =
  | Exclude<Act, { readonly kind: 'spend' | 'change' }>
  | { readonly kind: 'change'; readonly made: Made; readonly amount: number };
const whole = (amount: number): number => Math.round(amount * 100);
const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

test(
  'whatever 8 calls at once pay, divide, keep, change, use, give back and void, contact, invoices, lists and downloads have the sums of what was answered',
  { timeout: 120_000 },
  async () => {
    const account = await testAccount();
    let clients = 0;

    const history = async (totals: readonly number[], rounds: readonly (readonly Act[])[]) => {
      const Email = `client${++clients}@example.com`;
      const made = await account.call('contacts/addupdate', { Name: `Client ${clients}`, Email });
      const ContactId = (made.body['Matches'] as Contact[])[0]?.Id ?? 0;
      const ids: number[] = [];
      for (const amount of totals)
        ids.push((await putInvoice(testTable(), account.accountId, amount / 100, { ContactId })).Id);
      /** By invoice, what it was paid; with 0 the credit. */
      const ledger = new Map<number, number>([0, ...ids].map((id) => [id, 0]));
      const payments: Made[] = [];
      let cash = 0;
      const give = (invoice: number, amount: number) => ledger.set(invoice, (ledger.get(invoice) ?? 0) + amount);
      /** Nothing says which of two changes of a payment at once came last: each is changed once a round. */
      const toSend = (round: readonly Act[]): Sent[] => {
        const left = new Set(payments);
        return round.flatMap((each): Sent[] => {
          if (each.kind === 'spend') return [];
          if (each.kind !== 'change') return [each];
          const made = payments[each.payment % payments.length];
          return made && left.delete(made) ? [{ kind: 'change', made, amount: each.amount }] : [];
        });
      };

      const send = (each: Sent): Promise<TestAnswer> => {
        if (each.kind === 'void')
          return account.call('invoice/import', { InvoiceId: ids[each.invoice], Invoice: { Status: 'Voided' } });
        if (each.kind === 'reprice') {
          const Lines = [{ Description: 'Work', Qty: 1, Rate: each.total / 100 }];
          return account.call('invoice/import', { InvoiceId: ids[each.invoice], Invoice: { Lines } });
        }
        const Amount = each.amount / 100;
        if (each.kind === 'keep') return account.call('payment/import', { Payment: { ContactId, Amount } });
        if (each.kind === 'divide') {
          const Allocations = each.parts.map(([index, part]) => ({ InvoiceId: ids[index], Amount: part / 100 }));
          return account.call('payment/import', { Payment: { Amount }, Allocations });
        }
        if (each.kind === 'change')
          return account.call('payment/import', { Payment: { Amount }, PaymentId: each.made.id });
        const Method = each.kind === 'byCredit' ? 'Credit' : 'Check';
        return account.call('payment/import', { Payment: { InvoiceId: ids[each.invoice], Amount, Method } });
      };
      /** A refund that takes off the credit too keeps that apart, unless it is divided. */
      const enterPayments = (parts: readonly (Payment | PaymentAllocation)[]): void => {
        const ofInvoices = parts.filter(({ InvoiceId }) => InvoiceId !== 0);
        const rest = whole(parts.find(({ InvoiceId }) => InvoiceId === 0)?.Amount ?? 0);
        const taken = total(ofInvoices.map(({ Amount }) => whole(Amount)));
        const paid = { whole: taken + (ofInvoices.length === 1 ? Math.max(0, rest) : rest) };
        for (const part of ofInvoices) {
          const id = 'PaymentId' in part ? part.PaymentId : (part as Payment).Id;
          payments.push({ id, invoice: part.InvoiceId, has: whole(part.Amount), paid });
        }
      };
      /** An Amount is all that was paid; what the payment has already changes nothing. */
      const enterChange = (
        { made, amount }: Extract<Sent, { readonly kind: 'change' }>,
        of: Payment,
        parts: readonly (Payment | PaymentAllocation)[],
      ): void => {
        const received = amount === made.has ? 0 : amount - made.paid.whole;
        let moved = 0;
        for (const part of parts.length > 1
          ? parts
          : [{ InvoiceId: of.InvoiceId, Amount: of.Amount, PaymentId: of.Id }]) {
          const { InvoiceId, Amount, PaymentId } = part as PaymentAllocation;
          const changed = InvoiceId ? payments.find(({ id }) => id === PaymentId) : undefined;
          const difference = whole(Amount) - (changed?.has ?? 0);
          give(InvoiceId, difference);
          moved += difference;
          if (changed) changed.has += difference;
        }
        expect(moved).toBe(received);
        cash += received;
        made.paid.whole += received;
      };
      /** Enters what was answered, which is what was asked for. */
      const enter = (each: Sent, { status, body, text }: TestAnswer): void => {
        expect([200, 400, 409, 503], text).toContain(status);
        if (status !== 200 || each.kind === 'void' || each.kind === 'reprice') return;
        const { Payment: of, Allocations } = body as unknown as { Payment: Payment; Allocations: PaymentAllocation[] };
        const parts = Allocations.length ? Allocations : [of];
        if (each.kind === 'change') return enterChange(each, of, parts);
        for (const { InvoiceId, Amount } of parts) give(InvoiceId, whole(Amount));
        if (each.kind !== 'byCredit') enterPayments(parts);
        const received = each.kind === 'byCredit' ? 0 : each.amount;
        expect(total(parts.map(({ Amount }) => whole(Amount)))).toBe(received);
        cash += received;
      };
      const compare = async (): Promise<void> => {
        const { body } = await account.call('contacts/locate', { IdSearch: ContactId });
        const credit = whole((body['Matches'] as Contact[])[0]?.CreditBalance ?? 0);
        expect(credit).toBe(ledger.get(0));
        expect(credit).toBeGreaterThanOrEqual(0);
        for (const InvoiceId of ids) {
          const answer = (await account.call('invoice/get', { InvoiceId })).body;
          const { Invoice: of, Payments } = answer as unknown as { Invoice: Invoice; Payments: Payment[] };
          const paid = total(Payments.map(({ Amount }) => whole(Amount)));
          const due = of.Status === 'Voided' ? 0 : whole(of.Total) - paid;
          expect([paid, whole(of.BalanceDue)]).toEqual([ledger.get(InvoiceId), due]);
          expect(due).toBeGreaterThanOrEqual(0);
        }
        const listed = await account.call('payment/query', { ContactId, Take: 500 });
        expect(total((listed.body['Payments'] as Payment[]).map(({ Amount }) => whole(Amount)))).toBe(cash);
      };

      for (const round of rounds) {
        const sent = toSend(round);
        const answers = await Promise.all(sent.map(send));
        for (const [index, answer] of answers.entries()) enter(sent[index] as Sent, answer);
        await compare();
      }
      const downloaded = ((await downloadRows(account, { Kind: 'payments' })) as PaymentRecord[]).filter(
        (each) => each.ContactId === ContactId,
      );
      for (const [id, amount] of ledger) {
        const ofInvoice = downloaded.filter(({ InvoiceId }) => InvoiceId === id);
        expect(total(ofInvoice.map(({ Amount }) => whole(Amount)))).toBe(amount);
      }
      const invoices = (await downloadRows(account, { Kind: 'invoices' })) as InvoiceRecord[];
      for (const { Id, Paid } of invoices.filter((each) => each.ContactId === ContactId))
        expect(whole(Paid)).toBe(ledger.get(Id));
      const contacts = (await downloadRows(account, { Kind: 'contacts' })) as { Id: number; CreditBalance: number }[];
      expect(whole(contacts.find(({ Id }) => Id === ContactId)?.CreditBalance ?? 0)).toBe(ledger.get(0));
    };

    const round = fc.array(act, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cents, { minLength: COUNT, maxLength: COUNT }),
        fc.array(round, { minLength: 4, maxLength: 6 }),
        history,
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
