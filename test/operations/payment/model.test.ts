import type { Payment } from '../../../lib/entities/payments.ts';
import { InvoiceStatus, InvoiceType } from '../../../lib/entities/invoices.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { putInvoice, readInvoice } from '../../support/invoices.ts';
import { type TestAccount, testAccount, testTable } from '../../support/stack/stack.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? 1);

/** What the model knows, in whole cents and days of March: an invoice is its total, what was paid, and what more was. */
interface Paid {
  readonly id: number;
  readonly invoice: Billed;
  /** As first requested, if it has a TransactionId. */
  readonly first: { readonly TransactionId: string; readonly cents: number } | undefined;
  cents: number;
  /** What it left as credit. */
  left: number;
  day: number;
  reference: string;
}
interface Billed {
  readonly id: number;
  readonly total: number;
  readonly paid: Paid[];
  /** What its payments left as credit, and what changes of them added and took off. */
  readonly credit: Pick<Paid, 'id' | 'cents' | 'day' | 'reference'>[];
  /** The day since which it is Paid. */
  since: number | undefined;
}
interface Act {
  readonly kind: 'pay' | 'repeat' | 'otherAmount' | 'otherInvoice' | 'change' | 'touch';
  readonly place: number;
  readonly cents: number;
  readonly day: number;
  readonly hasTransactionId: boolean;
}

const sum = (payments: readonly Pick<Paid, 'cents'>[]): number =>
  payments.reduce((whole, { cents }) => whole + cents, 0);
const fits = ({ total, paid }: Billed, cents: number, but?: Paid): boolean => {
  const left = sum(paid) - (but?.cents ?? 0) + cents;
  return left >= Math.min(0, total) && left <= Math.max(0, total);
};
const settle = (invoice: Billed, day: number): void => {
  invoice.since = sum(invoice.paid) === invoice.total ? day : undefined;
};
const dateOf = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`;

const act: fc.Arbitrary<Act> = fc.record({
  // Most of what happens to invoices is that they are paid.
  kind: fc.constantFrom('pay', 'pay', 'pay', 'repeat', 'otherAmount', 'otherInvoice', 'change', 'change', 'touch'),
  place: fc.nat(30),
  cents: fc.oneof(
    fc.integer({ min: 1, max: 6_000 }),
    fc.integer({ min: -3_000, max: -1 }),
    fc.constantFrom(1_000, -1_000, 5_000),
  ),
  day: fc.integer({ min: 1, max: 31 }),
  hasTransactionId: fc.boolean(),
});

let transactions = 0;

/** Applies one action to the API and to the model, and compares the response with the model. */
async function perform(
  { kind, place, cents, day, hasTransactionId }: Act,
  { call }: TestAccount,
  invoices: readonly Billed[],
): Promise<void> {
  const all = invoices.flatMap(({ paid }) => paid).sort((one, other) => one.id - other.id);
  const of = kind === 'pay' ? undefined : all[place % all.length];
  const put = async (Payment: object, fine: boolean) => {
    const answer = await call('payment/import', { Payment });
    expect([kind, answer.status], answer.text).toEqual([kind, fine ? 200 : 409]);
    return answer.body as unknown as { Payment: Payment; Allocations: { Amount: number; PaymentId: number }[] };
  };
  if (!of) {
    const invoice = invoices[place % invoices.length] as Billed;
    const first = hasTransactionId ? { TransactionId: `model-${++transactions}`, cents } : undefined;
    const due = invoice.total - sum(invoice.paid);
    const taken = invoice.total > 0 && due > 0 ? Math.min(due, cents) : cents;
    const fine = fits(invoice, taken);
    const { Payment: made, Allocations } = await put(
      {
        InvoiceId: invoice.id,
        Amount: cents / 100,
        Date: dateOf(day),
        Reference: `day ${day}`,
        ...(first ? { TransactionId: first.TransactionId } : {}),
      },
      fine,
    );
    if (!fine) return;
    const [, rest] = Allocations;
    expect(rest?.Amount ?? 0).toBe((cents - taken) / 100);
    const dated = { day, reference: `day ${day}` };
    if (rest) invoice.credit.push({ id: rest.PaymentId, cents: cents - taken, ...dated });
    invoice.paid.push({ id: made.Id, invoice, first, cents: taken, left: cents - taken, ...dated });
    return settle(invoice, day);
  }
  const { invoice } = of;
  if (kind === 'change' || kind === 'touch') {
    const amount = kind === 'change' ? { Amount: cents / 100 } : {};
    const isSame = kind === 'touch' || cents === of.cents || cents === of.cents + of.left;
    const room = invoice.total - sum(invoice.paid) + of.cents;
    const kept = isSame ? of.cents : invoice.total > 0 && room > 0 ? Math.min(room, cents) : cents;
    const left = isSame ? of.left : cents - kept;
    const isUsed = left < of.left && sum(invoice.credit) < of.left - left;
    const fine = isSame || (fits(invoice, kept, of) && !isUsed);
    const changed = { day, reference: `changed ${cents}` };
    const { Allocations } = await put({ Id: of.id, Date: dateOf(day), Reference: changed.reference, ...amount }, fine);
    if (!fine) return;
    const [, rest] = Allocations ?? [];
    expect(rest?.Amount ?? 0).toBe((left - of.left) / 100);
    if (rest) invoice.credit.push({ id: rest.PaymentId, cents: left - of.left, ...changed });
    const amountChanged = kept !== of.cents;
    if (amountChanged || invoice.since === of.day) settle(invoice, amountChanged ? ((of.cents = kept), day) : day);
    Object.assign(of, { left, ...changed });
    return;
  }
  if (!of.first) return;
  const other = invoices.find(({ id }) => id !== invoice.id);
  const again = {
    InvoiceId: kind === 'otherInvoice' ? other?.id : invoice.id,
    Amount: (kind === 'otherAmount' ? of.first.cents + 1 || 1 : of.first.cents) / 100,
    TransactionId: of.first.TransactionId,
  };
  const repeated = await put(again, kind === 'repeat');
  if (kind === 'repeat') expect(repeated.Payment).toMatchObject({ Id: of.id, Amount: of.cents / 100 });
}

test(
  'whatever is paid, refunded, repeated and changed in whatever order, invoices, payments and contact are what the model says',
  { timeout: 300_000 },
  async () => {
    const account = await testAccount();
    const table = testTable();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40, size: 'max' }), async (acts) => {
        const made = await account.call('contacts/addupdate', {
          Name: 'Ana',
          Email: `ana${++transactions}@example.com`,
        });
        const ContactId = (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
        const billed = async (total: number): Promise<Billed> => {
          const type = total < 0 ? InvoiceType.Credit : InvoiceType.Standard;
          return {
            id: (await putInvoice(table, account.accountId, total / 100, { ContactId, InvoiceType: type })).Id,
            total,
            paid: [],
            credit: [],
            since: undefined,
          };
        };
        const invoices = [await billed(10_000), await billed(5_000), await billed(-4_000)];
        for (const each of acts) await perform(each, account, invoices);

        const expected = (payments: readonly (Billed['credit'][number] & { readonly invoice?: Billed })[]) =>
          payments
            .toSorted((one, other) => one.day - other.day || one.id - other.id)
            .map(({ id, invoice, cents, day, reference }) => [
              id,
              invoice?.id ?? 0,
              cents / 100,
              dateOf(day),
              reference,
            ]);
        const found = async (criteria: object) => {
          const { body } = await account.call('payment/query', { Take: 500, ...criteria });
          return (body['Payments'] as Payment[]).map(({ Id, InvoiceId, Amount, Date, Reference }) => [
            Id,
            InvoiceId,
            Amount,
            Date,
            Reference,
          ]);
        };
        for (const { id, total, paid, since } of invoices) {
          const isPaid = sum(paid) === total;
          expect(await readInvoice(table, account.accountId, id)).toMatchObject({
            Paid: sum(paid) / 100,
            BalanceDue: (total - sum(paid)) / 100,
            Status: isPaid ? InvoiceStatus.Paid : InvoiceStatus.Open,
            DatePaid: since === undefined ? null : Date.parse(dateOf(since)),
          });
          expect(await found({ InvoiceId: id })).toEqual(expected(paid));
        }
        const all = invoices.flatMap(({ paid }) => paid);
        const credit = invoices.flatMap((invoice) => invoice.credit);
        expect(await found({ ContactId })).toEqual(expected([...all, ...credit]));
        const {
          LifetimeValue = 0,
          CreditBalance = 0,
          OpenInvoices,
        } = (await table.get(
          layout.contact.key({ account: account.accountId, id: ContactId }),
        )) as unknown as ContactRecord;
        expect([
          LifetimeValue,
          CreditBalance,
          Object.keys(OpenInvoices)
            .map(Number)
            .sort((one, other) => one - other),
        ]).toEqual([
          sum(all) / 100,
          sum(credit) / 100,
          invoices.filter(({ total, paid }) => sum(paid) !== total).map(({ id }) => id),
        ]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
