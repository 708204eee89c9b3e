import type { Contact } from '../../../lib/entities/contacts.ts';
import type { Payment, PaymentAllocation } from '../../../lib/entities/payments.ts';
import { InvoiceStatus, InvoiceType } from '../../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { examineRecord } from '../../../lib/workflows/fsck/examine-records.ts';
import { expectFailure } from '../../support/failed.ts';
import { eraseNow } from '../../support/erasures.ts';
import { putInvoice, readInvoice } from '../../support/invoices.ts';
import { type CallOptions, type TestAccount, drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;
let names = 0;

beforeAll(async () => {
  account = await testAccount();
});

const newClient = async (): Promise<number> => {
  const { body } = await account.call('contacts/addupdate', { Name: 'Ana', Email: `ana${++names}@example.com` });
  return (body['Matches'] as Contact[])[0]?.Id ?? 0;
};
const invoice = async (ContactId: number, total: number, InvoiceType?: number) =>
  (await putInvoice(testTable(), account.accountId, total, { ContactId, ...(InvoiceType ? { InvoiceType } : {}) })).Id;
const now = (id: number) => readInvoice(testTable(), account.accountId, id);
const clientOf = async (IdSearch: number) =>
  ((await account.call('contacts/locate', { IdSearch })).body['Matches'] as Contact[])[0];
const creditOf = async (id: number) => (await clientOf(id))?.CreditBalance;
const put = (Payment: object, more: object = {}, options: CallOptions = {}) =>
  account.call('payment/import', { Payment, ...more }, options);

async function paid(Payment: object, more: object = {}) {
  const answer = await put(Payment, more);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as unknown as { Payment: Payment; PaymentId: number; Allocations: PaymentAllocation[] };
}
const refused = async (Payment: object, more: object = {}, status = 409): Promise<unknown> => {
  const answer = await put(Payment, more);
  expectFailure(answer, status);
  return answer.body['Message'];
};
const paymentsOf = async (ContactId: number) =>
  (await account.call('payment/query', { ContactId, Take: 500 })).body['Payments'] as Payment[];

/** Whether nothing is wrong with a contact and its payments. */
async function expectSound(contact: number): Promise<void> {
  // The lists of contacts with credit are written by a worker.
  await drainEvents();
  const { accountId } = account;
  const keys = [
    layout.contact.key({ account: accountId, id: contact }),
    ...(await paymentsOf(contact)).map(({ Id }) => layout.payment.key({ account: accountId, id: Id })),
  ];
  for (const key of keys) expect(await examineRecord(testTable(), key, new Date())).toEqual([]);
}

test('120.00 for an invoice with 100.00 due are 100.00 of it and 20.00 of credit, once for a TransactionId', async () => {
  const client = await newClient();
  const id = await invoice(client, 100);
  const body = { InvoiceId: id, Amount: 120, Method: 'Check', Reference: '77', TransactionId: `over_${id}` };
  const first = await paid(body);
  expect(first.Payment).toMatchObject({ ...body, Amount: 100, SplitOf: null });
  expect(first.Allocations).toEqual([
    { InvoiceId: id, Amount: 100, PaymentId: first.PaymentId },
    { InvoiceId: 0, Amount: 20, PaymentId: expect.any(Number) as number },
  ]);
  expect(await paid(body)).toEqual(first);
  expectFailure(await put({ ...body, Amount: 100 }), 409);
  expect([await creditOf(client), (await now(id)).Status]).toEqual([20, InvoiceStatus.Paid]);
  const kept = (await paymentsOf(client)).find(({ InvoiceId }) => InvoiceId === 0);
  const part = { Amount: 20, Method: 'Check', Reference: '77', TransactionId: '', SplitOf: first.PaymentId };
  expect(kept).toMatchObject(part);
  await expectSound(client);
});

describe('a changed payment', () => {
  test('is all that was paid: what its invoice does not take is credit, once however often it is repeated', async () => {
    const client = await newClient();
    const id = await invoice(client, 100);
    const { PaymentId } = await paid({ InvoiceId: id, Amount: 100, Method: 'Check', Reference: '77' });
    const change = async (Amount: number) => {
      const { Payment: of, Allocations } = await paid({ Amount }, { PaymentId });
      const parts = Allocations.map((part) => [part.InvoiceId, part.Amount]);
      return [of.Amount, parts, await creditOf(client), (await now(id)).BalanceDue];
    };
    const added = [
      [id, 100],
      [0, 20],
    ];
    expect(await change(120)).toEqual([100, added, 20, 0]);
    const kept = (await paymentsOf(client)).find(({ InvoiceId }) => InvoiceId === 0);
    expect(kept).toMatchObject({ Amount: 20, Method: 'Check', Reference: '77', TransactionId: '', SplitOf: PaymentId });
    expect(await change(120)).toEqual([100, [], 20, 0]);
    expect(await change(100)).toEqual([100, [], 20, 0]);
    expect(await change(130)).toMatchObject([100, { 1: [0, 10] }, 30, 0]);
    expect(await change(110)).toMatchObject([100, { 1: [0, -20] }, 10, 0]);
    expect(await change(90)).toMatchObject([90, { 1: [0, -10] }, 0, 10]);
    expect(await change(95)).toEqual([95, [], 0, 5]);
    await expectSound(client);
  });

  test('takes nothing off a credit that is used, nor changes that of a voided invoice', async () => {
    const client = await newClient();
    const [one, two] = [await invoice(client, 100), await invoice(client, 15)];
    const { PaymentId } = await paid({ InvoiceId: one, Amount: 120 });
    await paid({ InvoiceId: two, Amount: 15, Method: 'Credit' });
    expect(await refused({ Amount: 105 }, { PaymentId })).toBe(
      `Payment.Amount takes 15.00 off the credit that payment ${PaymentId} left, and contact ${client} has 5.00 of it: ` +
        'it must be at least 115.00.',
    );
    await paid({ Amount: 115 }, { PaymentId });
    expect(await creditOf(client)).toBe(0);
    await account.call('invoice/import', { InvoiceId: one, Invoice: { Status: 'Voided' } });
    for (const Amount of [90, 110, 130]) await refused({ Amount }, { PaymentId });
    await expectSound(client);
  });

  test('that is applied to an invoice leaves as credit what that does not take', async () => {
    const client = await newClient();
    const [one, two] = [await invoice(client, 30), await invoice(client, 10)];
    const { PaymentId } = await paid({ ContactId: client, Amount: 50 });
    await paid({ InvoiceId: two, Amount: 10, Method: 'Credit' });
    await refused({ InvoiceId: two }, { PaymentId });
    const applied = await paid({ InvoiceId: one }, { PaymentId });
    expect(applied.Payment).toMatchObject({ Id: PaymentId, InvoiceId: one, Amount: 30 });
    expect(applied.Allocations[1]).toMatchObject({ InvoiceId: 0, Amount: 20 });
    expect([await creditOf(client), (await now(one)).BalanceDue]).toEqual([10, 0]);
    await expectSound(client);
  });
});

describe('a changed payment of several invoices', () => {
  /** 110.00: 70.00 and 30.00 of two invoices over as much, and 10.00 of credit. */
  async function divided() {
    const client = await newClient();
    const [one, two] = [await invoice(client, 70), await invoice(client, 30)];
    const Allocations = [
      { InvoiceId: one, Amount: 70 },
      { InvoiceId: two, Amount: 30 },
    ];
    const { PaymentId, Allocations: parts } = await paid({ Amount: 110, Method: 'Check' }, { Allocations });
    const change = (Amount: number) => paid({ Amount }, { PaymentId });
    const state = async () => [(await now(one)).Paid, (await now(two)).Paid, await creditOf(client)];
    return { client, one, two, PaymentId, parts: parts.map((part) => part.PaymentId), change, state };
  }

  test('is all that was paid: the credit first, then the last invoice has less, and 110.00 is as at first', async () => {
    const { client, two, change, state } = await divided();
    const after = async (Amount: number) => {
      const { Payment: of } = await change(Amount);
      return [of.Amount, ...(await state())];
    };
    expect(await state()).toEqual([70, 30, 10]);
    expect(await after(110)).toEqual([70, 70, 30, 10]);
    expect(await after(105)).toEqual([70, 70, 30, 5]);
    expect(await after(130)).toEqual([70, 70, 30, 30]);
    expect(await after(95)).toEqual([70, 70, 25, 0]);
    expect((await now(two)).Status).toBe(InvoiceStatus.Open);
    expect(await after(60)).toEqual([60, 60, 0, 0]);
    expect(await after(110)).toEqual([70, 70, 30, 10]);
    expect((await now(two)).Status).toBe(InvoiceStatus.Paid);
    const amounts = (await paymentsOf(client)).map(({ Amount }) => Amount);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(110);
    await expectSound(client);
  });

  test('changes by its first payment alone: another Amount of a part, or another sign, is refused', async () => {
    const { client, PaymentId, parts, state } = await divided();
    for (const id of parts.slice(1)) {
      expect(await refused({ Amount: 50 }, { PaymentId: id })).toBe(
        `Payment ${id} is a part of payment ${PaymentId}: change the Amount of that one, which is all that was paid.`,
      );
      await paid({ Reference: `part ${id}` }, { PaymentId: id });
    }
    expect(await refused({ Amount: -110 }, { PaymentId }, 400)).toContain('must be above 0');
    expect(await state()).toEqual([70, 30, 10]);
    await expectSound(client);
  });

  test('takes back no credit that is used, and nothing of a voided invoice', async () => {
    const { client, two, PaymentId, change, state } = await divided();
    const third = await invoice(client, 6);
    await paid({ InvoiceId: third, Amount: 6, Method: 'Credit' });
    expect(await refused({ Amount: 95 }, { PaymentId })).toContain('it must be at least 106.00.');
    await change(106);
    await account.call('invoice/import', { InvoiceId: two, Invoice: { Status: 'Voided' } });
    expect(await state()).toEqual([70, 30, 0]);
    await paid({ InvoiceId: third, Amount: -6, Method: 'Credit' });
    expect(await refused({ Amount: 95 }, { PaymentId })).toContain(`Invoice ${two} is Voided`);
    await expectSound(client);
  });

  test('of one invoice that was allocated a part keeps the rest as credit', async () => {
    const client = await newClient();
    const id = await invoice(client, 200);
    const { PaymentId } = await paid({ Amount: 100 }, { Allocations: [{ InvoiceId: id, Amount: 30 }] });
    await paid({ Amount: 110 }, { PaymentId });
    expect([(await now(id)).Paid, await creditOf(client)]).toEqual([30, 80]);
    await expectSound(client);
  });

  test('that was by credit has the Amount that was sent, and no other', async () => {
    const { client, change } = await divided();
    await change(150);
    const Allocations = [];
    for (const Amount of [20, 10]) Allocations.push({ InvoiceId: await invoice(client, 40), Amount });
    const { PaymentId } = await paid({ Amount: 30, Method: 'Credit' }, { Allocations });
    await paid({ Amount: 30 }, { PaymentId });
    await refused({ Amount: 25 }, { PaymentId });
    expect(await creditOf(client)).toBe(20);
  });
});

describe('a payment without an invoice', () => {
  test('changes its Amount, Method, Reference and Date, with the credit, as far as that is there', async () => {
    const client = await newClient();
    const { PaymentId } = await paid({ ContactId: client, Amount: 50, Method: 'Cash', TransactionId: `c${client}` });
    const { Payment: changed } = await paid(
      { Amount: 40, Method: 'Check', Reference: '1204', Date: '2026-03-01' },
      { PaymentId },
    );
    const fields = { Id: PaymentId, InvoiceId: 0, Amount: 40, Method: 'Check', Reference: '1204' };
    expect(changed).toMatchObject({ ...fields, TransactionId: `c${client}`, SplitOf: null });
    expect(changed.Date.slice(0, 10)).toBe('2026-03-01');
    expect(await creditOf(client)).toBe(40);
    await paid({ InvoiceId: await invoice(client, 30), Amount: 30, Method: 'Credit' });
    expect(await refused({ Amount: 29 }, { PaymentId })).toBe(
      `Contact ${client} has 10.00 credit; 11.00 exceeds that.`,
    );
    await paid({ Amount: 30 }, { PaymentId });
    expect(await creditOf(client)).toBe(0);
    for (const wrong of [{ ContactId: await newClient() }, { TransactionId: 'other' }])
      await refused(wrong, { PaymentId }, 400);
    await refused({ Method: 'Credit' }, { PaymentId });
    await expectSound(client);
  });

  test('is applied by the number of an invoice too, and never to one of another contact', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const [own, foreign] = [await invoice(client, 20), await invoice(other, 20)];
    const { PaymentId } = await paid({ ContactId: client, Amount: 20 });
    expect(await refused({ InvoiceId: foreign }, { PaymentId })).toBe(
      `Payment ${PaymentId} is of contact ${client}, and invoice ${foreign} of contact ${other}. Pay it back to contact ` +
        `${client} (a negative Amount), and record a payment of contact ${other}.`,
    );
    expect([await creditOf(client), (await now(foreign)).Paid]).toEqual([20, 0]);
    const { Payment: applied } = await paid({ InvoiceNumber: (await now(own)).Number }, { PaymentId });
    expect(applied).toMatchObject({ InvoiceId: own, Amount: 20 });
    await refused(
      { InvoiceNumber: 'none' },
      { PaymentId: (await paid({ ContactId: client, Amount: 1 })).PaymentId },
      404,
    );
    await expectSound(client);
  });
});

test.each(['credit', 'CREDIT', ' Credit '])(
  'a Method %j is stored as Credit, also of what it takes',
  async (Method) => {
    const client = await newClient();
    await paid({ ContactId: client, Amount: 10 });
    await paid({ InvoiceId: await invoice(client, 10), Amount: 10, Method });
    const methods = (await paymentsOf(client)).map((payment) => payment.Method);
    expect(methods.filter((method) => method === 'Credit')).toHaveLength(2);
  },
);

describe('a payment by credit', () => {
  test('pays an invoice, never above the credit or what is due, and changes neither Amount nor Method', async () => {
    const client = await newClient();
    const [one, two] = [await invoice(client, 30), await invoice(client, 50)];
    await paid({ ContactId: client, Amount: 45.5, Method: 'Cash' });
    expect(await refused({ InvoiceId: two, Amount: 45.51, Method: 'Credit' })).toBe(
      `Contact ${client} has 45.50 credit; 45.51 exceeds that.`,
    );
    expect(await refused({ InvoiceId: one, Amount: 30.01, Method: 'Credit' })).toBe(
      `Invoice ${one} has 30.00 due; a payment of 30.01 exceeds that.`,
    );
    await refused({ ContactId: client, Amount: 1, Method: 'Credit' }, {}, 400);
    const { Payment, Allocations } = await paid({ InvoiceId: one, Amount: 30, Method: 'credit' });
    expect(Allocations.map(({ InvoiceId, Amount }) => [InvoiceId, Amount])).toEqual([
      [one, 30],
      [0, -30],
    ]);
    expect([await creditOf(client), (await now(one)).BalanceDue]).toEqual([15.5, 0]);
    for (const change of [{ Amount: 20 }, { Method: 'Cash' }]) await refused({ Id: Payment.Id, ...change });
    const [, taken] = Allocations;
    await refused({ InvoiceId: two }, { PaymentId: taken?.PaymentId });
    await paid({ Id: Payment.Id, Reference: 'noted' });
    await expectSound(client);
  });

  test('below 0 gives back to the credit: of a voided invoice what was paid, of a credit invoice what it owes', async () => {
    const client = await newClient();
    const [one, memo] = [await invoice(client, 40), await invoice(client, -25, InvoiceType.Credit)];
    await paid({ InvoiceId: one, Amount: 40 });
    const voided = await account.call('invoice/import', { InvoiceId: one, Invoice: { Status: 'Voided' } });
    expect(voided.status, voided.text).toBe(200);
    expect(await creditOf(client)).toBe(0);
    await paid({ InvoiceId: one, Amount: -40, Method: 'Credit' });
    await paid({ InvoiceId: memo, Amount: -25, Method: 'Credit' });
    expect([await creditOf(client), (await now(one)).Paid, (await now(memo)).BalanceDue]).toEqual([65, 0, 0]);
    await expectSound(client);
  });

  test('uses no more than is there, 50 at once for as many invoices', async () => {
    const client = await newClient();
    const ids = await Promise.all(Array.from({ length: 50 }, () => invoice(client, 7)));
    await paid({ ContactId: client, Amount: 100 });
    const answers = await Promise.all(ids.map((InvoiceId) => put({ InvoiceId, Amount: 7, Method: 'Credit' })));
    const made = answers.filter(({ status }) => status === 200).length;
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(made).toBeLessThanOrEqual(14);
    const open = (await clientOf(client))?.OpenInvoices.length;
    expect([await creditOf(client), open]).toEqual([100 - 7 * made, 50 - made]);
    await expectSound(client);
  });
});

describe('Allocations', () => {
  test('divide one payment over invoices, all or nothing; what they leave is credit', async () => {
    const client = await newClient();
    const [one, two] = [await invoice(client, 60), await invoice(client, 50)];
    const parts = (first: number, second: number) => ({
      Allocations: [
        { InvoiceId: one, Amount: first },
        { InvoiceId: two, Amount: second },
      ],
    });
    const body = { Amount: 120, TransactionId: `parts_${one}` };
    expect(await refused(body, parts(60, 50.01))).toMatch(new RegExp(`^Invoice ${two} has 50.00 due`));
    expect((await now(one)).Paid).toBe(0);
    const made = await paid(body, parts(60, 50));
    expect(made.Allocations.map(({ InvoiceId, Amount }) => [InvoiceId, Amount])).toEqual([
      [one, 60],
      [two, 50],
      [0, 10],
    ]);
    expect(await paid(body, parts(60, 50))).toEqual(made);
    await refused(body, parts(50, 60));
    await refused({ ...body, InvoiceId: one });
    const foreign = await invoice(await newClient(), 10);
    await refused(
      { Amount: 5 },
      {
        Allocations: [
          { InvoiceId: one, Amount: 2 },
          { InvoiceId: foreign, Amount: 2 },
        ],
      },
      400,
    );
    await refused({ Amount: 5 }, { Allocations: [{ InvoiceId: 999_999, Amount: 2 }] }, 404);
    await refused({ Id: made.PaymentId }, parts(1, 1), 400);
    await paid({ Amount: -80, Method: 'Check' }, parts(-30, -45));
    expect([await creditOf(client), (await now(one)).Paid, (await now(two)).Paid]).toEqual([5, 30, 5]);
    await expectSound(client);
  });

  test('are 20 at most, in one transaction with an Idempotency-Key', async () => {
    const client = await newClient();
    const ids = await Promise.all(Array.from({ length: 21 }, () => invoice(client, 1)));
    const of = (count: number) => ({ Allocations: ids.slice(0, count).map((InvoiceId) => ({ InvoiceId, Amount: 1 })) });
    expectFailure(await put({ Amount: 21 }, of(21)), 400);
    const options = { headers: { 'idempotency-key': `twenty-${client}` } };
    const answers = await Promise.all(
      [1, 2].map(() => put({ Amount: 30, TransactionId: `t${client}` }, of(20), options)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([await creditOf(client), (await clientOf(client))?.OpenInvoices.length]).toEqual([10, 1]);
  });
});

test('credit is paid back without an invoice, and a payment without one is applied only while it is there', async () => {
  const client = await newClient();
  const id = await invoice(client, 100);
  const { PaymentId } = await paid({ ContactId: client, Amount: 20 });
  await refused({ ContactId: client, Amount: -20.01 });
  await paid({ ContactId: client, Amount: -5, Method: 'Check' });
  expect(await refused({ InvoiceId: id }, { PaymentId })).toBe(
    `Contact ${client} has 15.00 credit; 20.00 exceeds that.`,
  );
  await paid({ ContactId: client, Amount: 5 });
  await paid({ InvoiceId: id }, { PaymentId });
  expect([await creditOf(client), (await now(id)).Paid]).toEqual([0, 20]);
  await expectSound(client);
});

test('the credit of an erased contact is paid back, and its import is repeated', async () => {
  const client = await newClient();
  const body = { ContactId: client, Amount: 30, TransactionId: `erased_${client}` };
  const { PaymentId } = await paid(body);
  await eraseNow(account.accountId, client);
  expect((await paid(body)).PaymentId).toBe(PaymentId);
  expect(await refused({ ContactId: client, Amount: -31 })).toContain('has 30.00 credit');
  await paid({ ContactId: client, Amount: -30 });
  await expectSound(client);
});
