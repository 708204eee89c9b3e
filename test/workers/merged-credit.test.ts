import type { Payment } from '../../lib/entities/payments.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { layout } from '../../lib/store/keys.ts';
import { dying, toolTable } from '../support/erasures.ts';
import { mergesOf, problemsOf } from '../support/merges.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';

const RUNS = Number(process.env['MERGED_CREDIT_RUNS'] ?? 3);

let company: TestAccount;
let merges: ReturnType<typeof mergesOf>;
let names = 0;
beforeAll(async () => {
  company = await testAccount();
  merges = mergesOf(company);
});

const newContact = async (): Promise<number> =>
  (await merges.add({ Name: 'Ann', Email: `ann${++names}@example.com` })).Id;
const bill = async (ContactId: number, Rate: number): Promise<number> => {
  const Lines = [{ Description: 'Mowing', Rate, Qty: 1 }];
  return ((await merges.send('invoice/import', { Invoice: { ContactId, Lines } }))['Invoice'] as { Id: number }).Id;
};
const pay = (Payment: object, more: object = {}) => company.call('payment/import', { Payment, ...more });
const creditOf = async (id: number): Promise<number> =>
  Number((await testTable().get(layout.contact.key({ account: company.accountId, id })))?.['CreditBalance'] ?? 0);
const ownPayments = async (ContactId: number): Promise<Payment[]> =>
  (await merges.send('payment/query', { ContactId, Take: 500 }))['Payments'] as Payment[];
const total = (payments: readonly Payment[]) =>
  payments.reduce((sum, { Amount }) => sum + Math.round(Amount * 100), 0) / 100;

test('credit is used once its records have come, and no undo takes back what is used before that is given back', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  const invoice = await bill(kept, 30);
  await pay({ ContactId: kept, Amount: 5 });
  await pay({ ContactId: merged, Amount: 50 });
  await merges.send('contacts/merge', { ContactId: kept, MergeId: merged });
  const use = (Amount: number) => pay({ InvoiceId: invoice, Amount, Method: 'Credit' });
  const early = await use(3);
  expect([early.status, early.body['Message']]).toEqual([
    409,
    `Credit of contact ${kept} is on its way, as contacts are merged. Use it in two minutes.`,
  ]);
  await merges.finish(kept, merged, 8);
  expect((await use(30)).status).toBe(200);
  const refused = await company.call('contacts/unmerge', { MergeId: merged });
  expect([refused.status, refused.body['Message']]).toEqual([
    409,
    `Contact ${kept} has 25.00 of the 50.00 credit that came with contact ${merged}. Give back what was used, then undo ` +
      'the merge: payment/import with the invoice that it paid, a negative Amount and Method Credit.',
  ]);
  expect((await use(-25)).status).toBe(200);
  await merges.send('contacts/unmerge', { MergeId: merged });
  expect((await use(5)).status).toBe(409);
  await merges.finish(kept, merged, 8);
  expect([await creditOf(kept), await creditOf(merged)]).toEqual([0, 50]);
  expect(total(await ownPayments(merged))).toBe(50);
  expect(await problemsOf(company.accountId)).toEqual([]);
});

test('the credit of the contact that stays is never shown higher than both have while records move', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  const { PaymentId: received } = (await pay({ ContactId: merged, Amount: 126 })).body;
  const { PaymentId: givenBack } = (await pay({ ContactId: merged, Amount: -5 })).body;
  const movedAt = async (id: unknown): Promise<number> =>
    Number((await testTable().get(layout.payment.key({ account: company.accountId, id: Number(id) })))?.['Updated']);
  await merges.send('contacts/merge', { ContactId: kept, MergeId: merged });
  const shown = new Set<number>();
  for (let writes = 0; writes < 8; writes++) {
    await merges.goOn(kept, merged, dying(toolTable(), writes)).catch(() => undefined);
    shown.add(await creditOf(kept));
  }
  await merges.finish(kept, merged, 0);
  expect(await movedAt(givenBack)).toBeLessThanOrEqual(await movedAt(received));
  expect(Math.max(...shown)).toBeLessThanOrEqual(121);
  expect([await creditOf(kept), await creditOf(merged)]).toEqual([121, 0]);
});

test('a payment that was applied to an invoice of the contact that stays is not taken from it by an undo', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  const invoice = await bill(kept, 50);
  const { PaymentId } = (await pay({ ContactId: merged, Amount: 50 })).body;
  await merges.send('contacts/merge', { ContactId: kept, MergeId: merged });
  await merges.finish(kept, merged, 4);
  expect((await pay({ InvoiceId: invoice }, { PaymentId })).status).toBe(200);
  expect((await company.call('contacts/unmerge', { MergeId: merged })).status).toBe(409);
  await pay({ ContactId: kept, Amount: 50 });
  await merges.send('contacts/unmerge', { MergeId: merged });
  await merges.finish(kept, merged, 4);
  expect((await ownPayments(kept)).map(({ Amount }) => Amount)).toEqual([50, 50]);
  expect(await ownPayments(merged)).toEqual([]);
  expect(await problemsOf(company.accountId)).toEqual([]);
});

/** What happens to one of the two contacts: credit comes, or some of it pays its invoice or comes back from that. */
interface Act {
  readonly of: 0 | 1;
  readonly kind: 'keep' | 'use' | 'giveBack' | 'over';
  readonly amount: number;
}
const acts = fc.array(
  fc.record<Act>({
    of: fc.constantFrom(0, 1),
    kind: fc.constantFrom('keep', 'use', 'use', 'giveBack', 'over'),
    amount: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 2, maxLength: 6 },
);

test(
  'whatever is kept and used before, during and after a merge and its undo, no credit is below 0, and each is the sum of its payments',
  { timeout: 120_000 },
  async () => {
    const history = async (before: readonly Act[], during: readonly Act[], after: readonly Act[], late: Act[]) => {
      const ids = [await newContact(), await newContact()] as const;
      const invoices = [await bill(ids[0], 500), await bill(ids[1], 500)] as const;
      let received = 0;
      const perform = async ({ of, kind, amount }: Act): Promise<void> => {
        const [InvoiceId, ContactId] = [invoices[of], ids[of]];
        const [Payment, cash] = {
          keep: [{ ContactId, Amount: amount }, amount] as const,
          over: [{ ContactId, Amount: -amount }, -amount] as const,
          use: [{ InvoiceId, Amount: amount, Method: 'Credit' }, 0] as const,
          giveBack: [{ InvoiceId, Amount: -amount, Method: 'Credit' }, 0] as const,
        }[kind];
        const answer = await pay(Payment);
        expect([200, 409], answer.text).toContain(answer.status);
        received += answer.status === 200 ? cash : 0;
      };
      const atOnce = (all: readonly Act[]) => Promise.all(all.map(perform));
      const [kept, merged] = ids;
      await atOnce(before);
      await merges.send('contacts/merge', { ContactId: kept, MergeId: merged });
      await Promise.all([atOnce(during), merges.finish(kept, merged, 5)]);
      // The calls of this test did not wait for the worker, nor the worker for them.
      await merges.finish(kept, merged, 0);
      await atOnce(after);
      const undone = await company.call('contacts/unmerge', { MergeId: merged });
      expect([200, 409], undone.text).toContain(undone.status);
      if (undone.status === 200) await Promise.all([atOnce(late), merges.finish(kept, merged, 5)]);
      const credits = [await creditOf(kept), await creditOf(merged)];
      expect(Math.min(...credits)).toBeGreaterThanOrEqual(0);
      const payments = (
        await Promise.all([ownPayments(kept), undone.status === 200 ? ownPayments(merged) : []])
      ).flat();
      expect(total(payments)).toBe(received);
      expect(credits.reduce((sum, each) => sum + each, 0)).toBe(
        total(payments.filter(({ InvoiceId }) => InvoiceId === 0)),
      );
    };
    await fc.assert(fc.asyncProperty(acts, acts, acts, acts, history), { numRuns: RUNS, endOnFailure: true });
    expect(await problemsOf(company.accountId)).toEqual([]);
  },
);
