import type { PaymentRecord } from '../../lib/entities/payments.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../lib/entities/invoices.ts';
import type { ContactRecord } from '../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { add, subtract } from '../../lib/shared/money.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { listInvoicePayments } from '../../lib/store/sales/payments.ts';
import { mapWithConcurrency } from '../../lib/shared/promises.ts';
import { failingLines, faultyTableForTests } from '../support/faults/failing-lines.ts';
import { atRandom, missedErrors } from '../support/faults/faulty-engine.ts';
import { putInvoice, readInvoice } from '../support/invoices.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type TestAccount, type TestAnswer, testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/**
 * Every payment of a contact, after holding the account to what must be true whatever has happened: each
 * payment is stored and listed alike and no TransactionId occurs twice; what is paid of an invoice is the sum of its
 * payments, from 0 to its Total, and its status says so; the contact has paid the sum of all, has what is of no invoice
 * as credit, and lists the open ones.
 */
async function sound(
  table: TableWriter,
  account: string,
  contact: number,
  invoices: readonly InvoiceRecord[],
): Promise<PaymentRecord[]> {
  const all: PaymentRecord[] = [];
  const open: string[] = [];
  for (const { Id } of invoices) {
    const [invoice, payments] = [
      await readInvoice(table, account, Id),
      await listInvoicePayments(accountStore(table, account), Id),
    ];
    const sum = add(...payments.map(({ Amount }) => Amount));
    expect(sum).toBeGreaterThanOrEqual(0);
    const isPaid = sum === invoice.Total;
    expect(invoice).toMatchObject({
      Paid: sum,
      BalanceDue: subtract(invoice.Total, sum),
      Status: isPaid ? InvoiceStatus.Paid : InvoiceStatus.Open,
      DatePaid: isPaid ? expect.any(Number) : null,
    });
    expect(invoice.BalanceDue).toBeGreaterThanOrEqual(0);
    if (!isPaid) open.push(String(Id));
    all.push(...payments);
  }
  const last = ((await table.get(layout.lease.key({ account, kind: 'Payment' })))?.['Last'] ?? 0) as number;
  const stored = await table.getMany(range(last).map((index) => layout.payment.key({ account, id: index + 1 })));
  const plain = (payments: readonly object[]) =>
    new Map(
      (payments as PaymentRecord[]).map(({ Id, InvoiceId, Amount, TransactionId, V }) => [
        Id,
        [InvoiceId, Amount, TransactionId, V],
      ]),
    );
  const kept = (stored as unknown as PaymentRecord[]).filter(({ InvoiceId }) => InvoiceId === 0);
  expect(plain(stored)).toEqual(plain([...all, ...kept]));
  const transactions = all.flatMap(({ TransactionId }) => TransactionId || []);
  expect(new Set(transactions).size).toBe(transactions.length);
  const {
    LifetimeValue = 0,
    CreditBalance = 0,
    OpenInvoices,
  } = (await table.get(layout.contact.key({ account, id: contact }))) as unknown as ContactRecord;
  expect([LifetimeValue, CreditBalance, Object.keys(OpenInvoices).sort()]).toEqual([
    add(...all.map(({ Amount }) => Amount)),
    add(...kept.map(({ Amount }) => Amount)),
    open.sort(),
  ]);
  return [...all, ...kept];
}

describe('concurrent payments', () => {
  let account: TestAccount;
  let contact: number;

  beforeAll(async () => {
    account = await testAccount();
    const made = await account.call('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' });
    contact = (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  });

  const all: InvoiceRecord[] = [];
  const invoice = async (total: number) => {
    const made = await putInvoice(testTable(), account.accountId, total, { ContactId: contact });
    all.push(made);
    return made;
  };
  const atOnce = (
    count: number,
    payment: (index: number) => object,
    headers: (index: number) => Record<string, string> = () => ({}),
  ) =>
    Promise.all(
      range(count).map((index) =>
        account.call('payment/import', { Payment: payment(index) }, { headers: headers(index) }),
      ),
    );
  const statuses = (answers: readonly TestAnswer[]) =>
    Object.fromEntries([200, 409].map((code) => [code, answers.filter(({ status }) => status === code).length]));
  const paymentsOf = async ({ Id }: InvoiceRecord) =>
    (await sound(testTable(), account.accountId, contact, all)).filter(({ InvoiceId }) => InvoiceId === Id);

  test('50 that together pay an invoice exactly are all recorded, and it is Paid', async () => {
    const of = await invoice(50);
    expect(statuses(await atOnce(50, () => ({ InvoiceId: of.Id, Amount: 1 })))).toEqual({ 200: 50, 409: 0 });
    expect(await paymentsOf(of)).toHaveLength(50);
    expect(await readInvoice(testTable(), account.accountId, of.Id)).toMatchObject({
      Paid: 50,
      Status: InvoiceStatus.Paid,
    });
  });

  test('of 50 of which 12 fit, 12 are recorded, one is divided, and the others find nothing due', async () => {
    const of = await invoice(100);
    const answers = await atOnce(50, () => ({ InvoiceNumber: of.Number, Amount: 7.77 }));
    expect(statuses(answers)).toEqual({ 200: 13, 409: 37 });
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body['Message']);
    expect(new Set(refused)).toEqual(
      new Set([expect.stringContaining(`Invoice ${of.Id} has 0.00 due; a payment of 7.77 exceeds that.`)]),
    );
    expect(await paymentsOf(of)).toHaveLength(13);
  });

  test('30 payments and refunds leave the sum of those that were recorded', async () => {
    const of = await invoice(60);
    const answers = await atOnce(30, (index) => ({ InvoiceId: of.Id, Amount: index % 2 ? -11.11 : 20.01 }));
    const { 200: made, 409: refused = 0 } = statuses(answers);
    expect(refused + (made ?? 0)).toBe(30);
    expect(await paymentsOf(of)).toHaveLength(made ?? 0);
  });

  test('20 with one TransactionId, and 20 with one Idempotency-Key, record one payment each and return it', async () => {
    const of = await invoice(100);
    const answers = [
      await atOnce(20, () => ({ InvoiceId: of.Id, Amount: 10, TransactionId: 'twenty' })),
      await atOnce(
        20,
        () => ({ InvoiceId: of.Id, Amount: 10 }),
        () => ({ 'idempotency-key': 'twenty' }),
      ),
    ];
    for (const twenty of answers)
      expect([statuses(twenty), new Set(twenty.map(({ text }) => text)).size]).toEqual([{ 200: 20, 409: 0 }, 1]);
    expect(await paymentsOf(of)).toHaveLength(2);
  });

  test('20 with one TransactionId for two invoices pay one of them, once', async () => {
    const [one, other] = [await invoice(100), await invoice(100)];
    const answers = await atOnce(20, (index) => ({
      InvoiceId: (index % 2 ? one : other).Id,
      Amount: 10,
      TransactionId: 'either',
    }));
    expect(statuses(answers)).toEqual({ 200: 10, 409: 10 });
    expect([...(await paymentsOf(one)), ...(await paymentsOf(other))]).toHaveLength(1);
  });

  test('10 changes of one payment all succeed, one after another', async () => {
    const of = await invoice(100);
    const [made] = await atOnce(1, () => ({ InvoiceId: of.Id, Amount: 50 }));
    const Id = made?.body['PaymentId'];
    expect(statuses(await atOnce(10, (index) => ({ Id, Amount: 40 + index, Reference: `change ${index}` })))).toEqual({
      200: 10,
      409: 0,
    });
    const [payment] = await paymentsOf(of);
    expect(payment).toMatchObject({ V: 11, Reference: `change ${(payment?.Amount ?? 0) - 40}` });
  });

  test('20 of one contact, each of its own invoice, do not wait for one another', async () => {
    const invoices = await Promise.all(range(20).map(() => invoice(10.1)));
    expect(statuses(await atOnce(20, (index) => ({ InvoiceId: invoices[index]?.Id, Amount: 10.1 })))).toEqual({
      200: 20,
      409: 0,
    });
    await paymentsOf(invoices[0] as InvoiceRecord);
  });
});

describe('over a failing connection', () => {
  const { table: faultyTable } = faultyTableForTests();
  const AT_ONCE = 8;
  const MAX_REPEATS = 20;
  const SEED = Number(process.env['FAULT_SEED'] ?? 23);

  test.each(failingLines(0).map((line, index) => ({ ...line, seed: SEED + index })))(
    'with $name no payment is lost, doubled or falsely refused (seed $seed)',
    async ({ shares, seed }) => {
      const faulty = faultyTable();
      const { accountId, key } = await faulty.newAccount();
      const call = (body: object, headers: Record<string, string> = {}) =>
        invoke('payment/import', body, { key, headers });
      const contact = await invoke('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' }, { key });
      expect(contact.status).toBe(200);
      const invoices = await Promise.all(range(3).map(() => putInvoice(faulty.sound, accountId, 100.5)));

      /**
       * Like a careful client: repeats a 503 with its TransactionId or Idempotency-Key until it gets another response.
       */
      const pay = async (index: number) => {
        const references = ['TransactionId', 'Idempotency-Key', 'neither'][index % 3];
        const Payment = {
          InvoiceId: invoices[Math.floor(index / 3) % 3]?.Id,
          Amount: 6.7,
          Reference: `payment ${index}`,
          ...(references === 'TransactionId' ? { TransactionId: `t${index}` } : {}),
        };
        for (let repeat = 0; ; repeat++) {
          const { status } = await call(
            { Payment },
            references === 'Idempotency-Key' ? { 'idempotency-key': `k${index}` } : {},
          );
          if (status !== 503 || references === 'neither' || repeat === MAX_REPEATS)
            return { index, named: references, status };
        }
      };
      faulty.line.fail(atRandom(seed, shares));
      const outcomes = await mapWithConcurrency(range(27), AT_ONCE, pay);
      faulty.line.fail(undefined);
      expect(missedErrors(faulty.line, shares)).toEqual([]);

      const all = await sound(faulty.sound, accountId, 1, invoices);
      const wrong = outcomes.filter(({ index, named: references, status }) => {
        const made = all.filter(({ Reference }) => Reference === `payment ${index}`).length;
        return status === 200 ? made !== 1 : status !== 503 || references !== 'neither' || made > 1;
      });
      expect(wrong).toEqual([]);
    },
  );
});
