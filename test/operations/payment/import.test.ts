import type { Payment } from '../../../lib/entities/payments.ts';
import { type InvoiceRecord, InvoiceStatus, InvoiceType, type Invoice } from '../../../lib/entities/invoices.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { listInvoicePayments } from '../../../lib/store/sales/payments.ts';
import { ascending } from '../../support/random/ascending.ts';
import { expectFailure } from '../../support/failed.ts';
import { putInvoice, readInvoice } from '../../support/invoices.ts';
import {
  type CallOptions,
  type TestAccount,
  type TestAnswer,
  testAccount,
  testTable,
} from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const { Unapproved, Open, Paid, Voided } = InvoiceStatus;

let account: TestAccount;
/** Bound to the second organization, in Kolkata; the first is in New York. */
let kolkata: string;
let contacts: { springfield: number; kolkata: number };

beforeAll(async () => {
  account = await testAccount();
  const { accountId } = account;
  await testTable().commit(
    newOrganizationChanges(
      { account: accountId },
      { Id: 2, PublicName: 'Kolkata', Timezone: 'Asia/Kolkata', Country: 'IN' },
    ),
  );
  await testTable().update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
  kolkata = await account.newKey({ organizationId: 2 });
  contacts = {
    springfield: await createContact(account, 'Ana', { OrganizationId: 1 }),
    kolkata: await createContact(account, 'Bina', { OrganizationId: 2 }),
  };
});

async function createContact(of: TestAccount, Name: string, more: object = {}): Promise<number> {
  const answer = await of.call('contacts/addupdate', { Name, Email: `${Name}@example.com`, ...more });
  return (answer.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
}

const invoice = (total: number, input: Partial<InvoiceRecord> = {}) =>
  putInvoice(testTable(), account.accountId, total, { ContactId: contacts.springfield, ...input });
const indian = (total: number, input: Partial<InvoiceRecord> = {}) =>
  invoice(total, { ContactId: contacts.kolkata, OrganizationId: 2, Zone: 'Asia/Kolkata', ...input });
const invoiceNow = ({ Id }: InvoiceRecord) => readInvoice(testTable(), account.accountId, Id);
const contactNow = async (id: number) =>
  (await testTable().get(layout.contact.key({ account: account.accountId, id }))) as unknown as ContactRecord;

const put = (Payment: object, more: object = {}, options: CallOptions = {}) =>
  account.call('payment/import', { Payment, ...more }, options);
const paymentIn = ({ body }: TestAnswer): Payment => body['Payment'] as Payment;
const fieldsIn = ({ body }: TestAnswer): string[] => (body['Errors'] as { Field: string }[]).map(({ Field }) => Field);

async function paid(Payment: object, more: object = {}, options: CallOptions = {}): Promise<Payment> {
  const answer = await put(Payment, more, options);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body['PaymentId']).toBe(paymentIn(answer).Id);
  return paymentIn(answer);
}

/** What the invoice is now, and the amounts of its payments, as the table holds both copies of each. */
async function holds(of: InvoiceRecord, expected: object, amounts: readonly number[]): Promise<void> {
  expect(await invoiceNow(of)).toMatchObject(expected);
  const listed = await listInvoicePayments(accountStore(testTable(), account.accountId), of.Id);
  expect(ascending(listed.map(({ Amount }) => Amount))).toEqual(ascending(amounts));
  expect(listed.map(({ Id }) => Id)).toEqual(ascending(listed.map(({ Id }) => Id)));
  const kept = await testTable().getMany(
    listed.map(({ Id }) => layout.payment.key({ account: account.accountId, id: Id })),
  );
  for (const payment of listed) expect(kept.find(({ Id }) => Id === payment.Id)).toMatchObject({ ...payment });
}

describe('payment/import', () => {
  test('stores every field, lowers the balance, and settles the invoice at zero', async () => {
    const of = await invoice(107.2);
    const first = await paid({
      InvoiceId: of.Id,
      Amount: 100,
      Method: ' Card ',
      Reference: ' Visa 4242 ',
      TransactionId: `ch_${of.Id}`,
      Date: '2026-03-09T10:00',
    });
    expect(first).toEqual({
      Id: expect.any(Number) as number,
      InvoiceId: of.Id,
      ContactId: contacts.springfield,
      InvoiceNumber: of.Number,
      Reference: 'Visa 4242',
      TransactionId: `ch_${of.Id}`,
      Date: '2026-03-09T14:00:00Z',
      Amount: 100,
      Method: 'Card',
      SplitOf: null,
    });
    await holds(of, { Paid: 100, BalanceDue: 7.2, Status: Open, DatePaid: null }, [100]);
    const second = await paid({ InvoiceId: of.Id, Amount: 7.2 });
    expect(second).toMatchObject({ Reference: '', TransactionId: '', Method: '' });
    expect(Math.abs(Date.parse(second.Date) - Date.now())).toBeLessThan(10_000);
    await holds(of, { Paid: 107.2, BalanceDue: 0, Status: Paid, DatePaid: Date.parse(second.Date) }, [100, 7.2]);
  });

  test('follows into the contact: what it has paid, and its list of open invoices', async () => {
    const ContactId = await createContact(account, 'Dora', { OrganizationId: 1 });
    const [one, other] = [await invoice(60, { ContactId }), await invoice(40, { ContactId })];
    const summary = async () => {
      const { LifetimeValue, OpenInvoices } = await contactNow(ContactId);
      return [LifetimeValue, Object.keys(OpenInvoices)];
    };
    await paid({ InvoiceId: one.Id, Amount: 59.9 });
    expect(await summary()).toEqual([59.9, [String(one.Id), String(other.Id)]]);
    const last = await paid({ InvoiceId: one.Id, Amount: 0.1 });
    expect(await summary()).toEqual([60, [String(other.Id)]]);
    await paid({ InvoiceId: one.Id, Amount: -10.01 });
    expect(await summary()).toEqual([49.99, expect.arrayContaining([String(one.Id), String(other.Id)])]);
    await paid({ Id: last.Id, Amount: 10.11 });
    expect(await summary()).toEqual([60, [String(other.Id)]]);
  });

  test('a refund opens the invoice again; a credit is settled by refunds', async () => {
    const of = await invoice(50);
    await paid({ InvoiceId: of.Id, Amount: 50 });
    await paid({ InvoiceId: of.Id, Amount: -12.5 });
    await holds(of, { Paid: 37.5, BalanceDue: 12.5, Status: Open, DatePaid: null }, [50, -12.5]);
    const credit = await invoice(-30, { InvoiceType: InvoiceType.Credit });
    await paid({ InvoiceId: credit.Id, Amount: -30, Date: '2026-03-10' });
    await holds(credit, { Paid: -30, BalanceDue: 0, Status: Paid, DatePaid: Date.UTC(2026, 2, 10, 4) }, [-30]);
  });

  test('more than nothing that is due, a refund of more than was paid, and what is Voided or Unapproved are 409, and nothing is changed', async () => {
    const of = await invoice(50);
    await paid({ InvoiceId: of.Id, Amount: 20 });
    const settled = await invoice(50);
    await paid({ InvoiceId: settled.Id, Amount: 50 });
    const over = await put({ InvoiceId: settled.Id, Amount: 50 });
    expectFailure(over, 409);
    expect(over.body['Message']).toBe(
      `Invoice ${settled.Id} has 0.00 due; a payment of 50.00 exceeds that. Record the other 50.00 as credit of the ` +
        `contact: a payment with ContactId ${of.ContactId} and InvoiceId 0.`,
    );
    const back = await put({ InvoiceId: of.Id, Amount: -20.01 });
    expectFailure(back, 409);
    expect(back.body['Message']).toBe(`Invoice ${of.Id} has 20.00 paid; a refund of 20.01 exceeds that.`);
    await holds(of, { Paid: 20, BalanceDue: 30 }, [20]);
    for (const Status of [Voided, Unapproved]) {
      const closed = await invoice(50, { Status });
      expectFailure(await put({ InvoiceId: closed.Id, Amount: 10 }), 409);
      await holds(closed, { Paid: 0, Status }, []);
    }
  });

  test.each<[object, string[]]>([
    [{}, ['Payment.InvoiceId']],
    [{ InvoiceId: 1, Amount: null }, ['Payment.Amount']],
    [{ InvoiceId: 1, Amount: 0 }, ['Payment.Amount']],
    [{ InvoiceId: 1, Amount: 0.001 }, ['Payment.Amount']],
    [{ InvoiceId: 1, Amount: 10.005 }, ['Payment.Amount']],
    [{ InvoiceId: 1, Amount: 1e16 }, ['Payment.Amount']],
    [{ InvoiceId: 1, Amount: 'ten' }, ['Payment.Amount']],
    [
      { InvoiceId: 0, InvoiceNumber: ' ', Amount: 1.234, Date: 'soon' },
      ['Payment.InvoiceId', 'Payment.Amount', 'Payment.Date'],
    ],
    [
      { InvoiceId: -1, Method: 'x'.repeat(101), Reference: 'x'.repeat(201) },
      ['Payment.InvoiceId', 'Payment.Reference', 'Payment.Method'],
    ],
    [{ InvoiceId: 1, Refrence: 'x' }, ['Payment.Refrence']],
  ])('refuses %j and names every invalid field', async (fields, invalidFields) => {
    const answer = await put({ Amount: 10, ...fields });
    expectFailure(answer, 400);
    expect(fieldsIn(answer)).toEqual(invalidFields);
  });

  test('a missing payment is 400; an invoice that does not exist is 404', async () => {
    for (const body of [{}, { Payment: null }, { Payment: '' }])
      expectFailure(await account.call('payment/import', body), 400);
    expectFailure(await put({ InvoiceId: 999_999, Amount: 10 }), 404);
    expectFailure(await put({ InvoiceNumber: 'none', ContactId: contacts.springfield, Amount: 10 }), 404);
    expectFailure(await put({ Amount: 10 }, { PaymentId: 999_999 }), 404);
  });

  test('fields of the invoice must match it', async () => {
    const of = await invoice(50);
    const answer = await put({
      InvoiceId: of.Id,
      InvoiceNumber: 'another',
      ContactId: contacts.kolkata,
      Amount: 10,
      Date: '2026-03-08T02:30',
    });
    expectFailure(answer, 400);
    expect(fieldsIn(answer)).toEqual(['Payment.InvoiceNumber', 'Payment.ContactId', 'Payment.Date']);
    await paid({
      InvoiceId: of.Id,
      InvoiceNumber: of.Number.toLowerCase(),
      ContactId: contacts.springfield,
      Amount: 10,
    });
  });

  test('Date is read in the zone of the organization', async () => {
    const [ours, theirs] = [await invoice(50), await indian(50)];
    for (const [Date, newYork, india] of [
      ['2026-03-09', '2026-03-09T04:00:00Z', '2026-03-08T18:30:00Z'],
      ['3/9/2026 4:30 PM', '2026-03-09T20:30:00Z', '2026-03-09T11:00:00Z'],
      ['2026-03-09T10:00:00-07:00', '2026-03-09T17:00:00Z', '2026-03-09T17:00:00Z'],
    ]) {
      expect((await paid({ InvoiceId: ours.Id, Amount: 1, Date })).Date).toBe(newYork);
      expect((await paid({ InvoiceId: theirs.Id, Amount: 1, Date })).Date).toBe(india);
    }
  });

  test('InvoiceNumber counts in the organization of the key, else in that of the contact; else it is 400', async () => {
    const [ours, theirs] = [await invoice(50, { Number: 'S-100' }), await indian(50, { Number: 'S-100' })];
    expect((await paid({ InvoiceNumber: ' s-100', Amount: 1 }, {}, { key: kolkata })).InvoiceId).toBe(theirs.Id);
    expect((await paid({ InvoiceNumber: 'S-100', ContactId: contacts.springfield, Amount: 1 })).InvoiceId).toBe(
      ours.Id,
    );
    const ambiguous = await put({ InvoiceNumber: 'S-100', Amount: 1 });
    expectFailure(ambiguous, 400);
    expect(fieldsIn(ambiguous)).toEqual(['Payment.InvoiceNumber']);
    expectFailure(await put({ InvoiceNumber: 'S-100', ContactId: 999_999, Amount: 1 }), 404);
    const single = await testAccount();
    const ContactId = await createContact(single, 'Carla');
    const only = await putInvoice(testTable(), single.accountId, 50, { ContactId, Number: 'S-100' });
    expect(
      paymentIn(await single.call('payment/import', { Payment: { InvoiceNumber: 'S-100', Amount: 1 } })).InvoiceId,
    ).toBe(only.Id);
  });

  test('without an invoice is recorded once for its contact, and applied to an invoice later', async () => {
    const of = await invoice(50);
    const TransactionId = `rest_${of.Id}`;
    const other = await createContact(account, 'Otto', { OrganizationId: 1 });
    await paid({ InvoiceId: of.Id, Amount: 50 });
    const rest = { ContactId: of.ContactId, InvoiceId: 0, Amount: 20, TransactionId, Date: '2026-03-09' };
    const made = await paid(rest);
    expect(made).toMatchObject({ ...rest, InvoiceNumber: '', Date: '2026-03-09T04:00:00Z' });
    expect((await paid(rest)).Id).toBe(made.Id);
    expectFailure(await put({ ...rest, ContactId: other }), 409);
    expectFailure(await put({ ...rest, Amount: 21 }), 409);
    expectFailure(await put({ ContactId: of.ContactId, Amount: 5 }, {}, { key: kolkata }), 404);

    const next = await invoice(60);
    await paid({ InvoiceId: next.Id }, { PaymentId: made.Id });
    await holds(next, { Paid: 20, BalanceDue: 40 }, [20]);
    expect((await paid(rest)).InvoiceId).toBe(next.Id);
  });

  test('a key of an organization does not reach the invoices and payments of another', async () => {
    const ours = await invoice(50);
    const made = await paid({ InvoiceId: ours.Id, Amount: 10, TransactionId: `own_${ours.Id}` });
    expectFailure(await put({ InvoiceId: ours.Id, Amount: 10 }, {}, { key: kolkata }), 404);
    expectFailure(
      await put({ InvoiceId: ours.Id, Amount: 10, TransactionId: made.TransactionId }, {}, { key: kolkata }),
      404,
    );
    expectFailure(await put({ Reference: 'x' }, { PaymentId: made.Id }, { key: kolkata }), 404);
    const theirs = await indian(50);
    const foreign = await put(
      { InvoiceId: theirs.Id, Amount: 10, TransactionId: made.TransactionId },
      {},
      { key: kolkata },
    );
    expect(paymentIn(foreign).Id).not.toBe(made.Id);
    await holds(ours, { Paid: 10 }, [10]);
    await holds(theirs, { Paid: 10 }, [10]);
  });
});

test('invoice/import makes what is paid, and invoice/get and contacts/locate tell what was', async () => {
  const single = await testAccount();
  const ContactId = await createContact(single, 'Ema');
  const Lines = [
    { Description: 'Windows', Rate: 50, Qty: 2, Taxable: true },
    { Description: 'Travel', Rate: 12.5, Qty: 1 },
  ];
  const made = await single.call('invoice/import', { Invoice: { ContactId, Number: '2026-1', TaxRate: 8.25, Lines } });
  const InvoiceId = made.body['InvoiceId'] as number;
  const result = async () =>
    (await single.call('invoice/get', { InvoiceId })).body as { Invoice: Invoice; Payments: Payment[] };
  const open = async () =>
    (
      (await single.call('contacts/locate', { IdSearch: ContactId })).body['Matches'] as {
        OpenInvoices: { Id: number }[];
      }[]
    )[0]?.OpenInvoices;
  expect([(await result()).Invoice.BalanceDue, await open()]).toMatchObject([120.75, [{ Id: InvoiceId }]]);
  for (const [Amount, Date] of [
    [100, '2026-03-09'],
    [20.75, '2026-03-10'],
  ]) {
    const answer = await single.call('payment/import', { Payment: { InvoiceNumber: '2026-1', Amount, Date } });
    expect(answer.status, answer.text).toBe(200);
  }
  const { Invoice, Payments } = await result();
  expect(Invoice).toMatchObject({
    Status: 'Paid',
    BalanceDue: 0,
    Total: 120.75,
    DatePaid: '2026-03-10T04:00:00Z',
    CanAcceptClientPayment: false,
  });
  expect(Payments).toEqual((await single.call('payment/query', { InvoiceId })).body['Payments']);
  expect([Payments.map(({ Amount }) => Amount), await open()]).toEqual([[100, 20.75], []]);
});

describe('a TransactionId', () => {
  test('repeated gives the payment made first, as it is now, and does nothing, also where the invoice is paid', async () => {
    const of = await invoice(50);
    const body = { InvoiceId: of.Id, Amount: 50, TransactionId: `all_${of.Id}`, Reference: 'first' };
    const first = await paid(body);
    expect(
      await paid({ ...body, Reference: 'second', Date: '2026-01-01', TransactionId: ` ${body.TransactionId} ` }),
    ).toEqual(first);
    expect(
      await paid({ ...body, InvoiceId: undefined, InvoiceNumber: of.Number, ContactId: contacts.springfield }),
    ).toEqual(first);
    await paid({ Amount: 40, Reference: 'corrected' }, { PaymentId: first.Id });
    expect(await paid(body)).toEqual({ ...first, Amount: 40, Reference: 'corrected' });
    await holds(of, { Paid: 40, BalanceDue: 10, V: 3 }, [40]);
  });

  test('used for another invoice or Amount is 409', async () => {
    const [one, other] = [await invoice(50), await invoice(50)];
    const TransactionId = `twice_${one.Id}`;
    await paid({ InvoiceId: one.Id, Amount: 10, TransactionId });
    expectFailure(await put({ InvoiceId: one.Id, Amount: 11, TransactionId }), 409);
    expectFailure(await put({ InvoiceId: other.Id, Amount: 10, TransactionId }), 409);
    await paid({ InvoiceId: other.Id, Amount: 10, TransactionId: TransactionId.toUpperCase() });
    await holds(one, { Paid: 10 }, [10]);
    await holds(other, { Paid: 10 }, [10]);
  });

  test('may hold any characters', async () => {
    const of = await invoice(50);
    for (const TransactionId of ['a#b', 'a%23b', '#'.repeat(200), '世'.repeat(200)]) {
      const first = await paid({ InvoiceId: of.Id, Amount: 1, TransactionId });
      expect(first.TransactionId).toBe(TransactionId);
      expect(await paid({ InvoiceId: of.Id, Amount: 1, TransactionId })).toEqual(first);
    }
    await holds(of, { Paid: 4 }, [1, 1, 1, 1]);
  });
});

describe('an existing payment', () => {
  test('is changed by PaymentId or Payment.Id: Reference, Method, Date and Amount; absent fields stay', async () => {
    const of = await invoice(100);
    const made = await paid({ InvoiceId: of.Id, Amount: 60, Method: 'Card', Reference: 'a', Date: '2026-03-01' });
    expect(await paid({ Reference: ' b ' }, { PaymentId: made.Id })).toEqual({ ...made, Reference: 'b' });
    expect(await paid({ Id: made.Id, Method: null, Date: '2026-03-02' })).toEqual({
      ...made,
      Reference: 'b',
      Method: '',
      Date: '2026-03-02T05:00:00Z',
    });
    await holds(of, { Paid: 60, V: of.V + 1 }, [60]);
    await paid({ Id: made.Id, Amount: 100 }, { PaymentId: made.Id });
    await holds(of, { Paid: 100, BalanceDue: 0, Status: Paid, DatePaid: Date.UTC(2026, 2, 2, 5) }, [100]);
    await paid({ Id: made.Id, Date: '2026-03-03' });
    await holds(of, { Status: Paid, DatePaid: Date.UTC(2026, 2, 3, 5) }, [100]);
    await paid({ Id: made.Id, Amount: -0.5 + 1 });
    await holds(of, { Paid: 0.5, BalanceDue: 99.5, Status: Open, DatePaid: null }, [0.5]);
  });

  test('sent back as it was answered is not changed', async () => {
    const of = await invoice(100);
    const made = await paid({ InvoiceId: of.Id, Amount: 60, TransactionId: `same_${of.Id}` });
    const item = () => testTable().get(layout.payment.key({ account: account.accountId, id: made.Id }));
    const before = await item();
    expect(await paid(made)).toEqual(made);
    expect(await paid(made, { PaymentId: made.Id })).toEqual(made);
    expect(await item()).toEqual(before);
  });

  test('stays within what its invoice allows, and stays with its invoice', async () => {
    const [of, other] = [await invoice(100), await invoice(100)];
    const made = await paid({ InvoiceId: of.Id, Amount: 60 });
    await paid({ InvoiceId: of.Id, Amount: 30 });
    const below = await put({ Id: made.Id, Amount: -30.01 });
    expectFailure(below, 409);
    expect(below.body['Message']).toBe(
      `Changing 60.00 to -30.01 would make -0.01 the amount paid of invoice ${of.Id}; it must be from 0.00 to 100.00.`,
    );
    const changed = await put({
      Id: made.Id,
      InvoiceId: other.Id,
      InvoiceNumber: other.Number,
      ContactId: contacts.kolkata,
      TransactionId: 'new',
      Amount: 0,
    });
    expectFailure(changed, 400);
    expect(fieldsIn(changed)).toEqual([
      'Payment.InvoiceId',
      'Payment.InvoiceNumber',
      'Payment.ContactId',
      'Payment.TransactionId',
      'Payment.Amount',
    ]);
    expectFailure(await put({ Id: made.Id }, { PaymentId: made.Id + 1 }), 400);
    await holds(of, { Paid: 90 }, [60, 30]);
  });

  test('of a voided invoice can be refunded, never above its amount, also by concurrent calls', async () => {
    const of = await invoice(100);
    await paid({ InvoiceId: of.Id, Amount: 60 });
    expect((await account.call('invoice/import', { InvoiceId: of.Id, Invoice: { Status: 'Voided' } })).status).toBe(
      200,
    );
    expectFailure(await put({ InvoiceId: of.Id, Amount: 10 }), 409);
    const answers = await Promise.all(Array.from({ length: 4 }, () => put({ InvoiceId: of.Id, Amount: -25 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const { LifetimeValue } = await contactNow(of.ContactId);
    await paid({ InvoiceId: of.Id, Amount: -10 });
    await holds(of, { Paid: 0, Status: Voided, BalanceDue: 0 }, [60, -25, -25, -10]);
    expect((await contactNow(of.ContactId)).LifetimeValue).toBe((LifetimeValue ?? 0) - 10);
  });

  test('of a voided invoice keeps its amount', async () => {
    const of = await invoice(100);
    const made = await paid({ InvoiceId: of.Id, Amount: 60 });
    await testTable().update({
      update: layout.invoice.key({ account: account.accountId, id: of.Id }),
      set: { Status: Voided, BalanceDue: 0 },
      add: { V: 1 },
    });
    expectFailure(await put({ Id: made.Id, Amount: 50 }), 409);
    expect(await paid({ Id: made.Id, Reference: 'returned by bank' })).toMatchObject({
      Amount: 60,
      Reference: 'returned by bank',
    });
    await holds(of, { Paid: 60, Status: Voided, BalanceDue: 0 }, [60]);
  });
});

describe('payment/query', () => {
  let full: TestAccount;
  const ids: Record<string, number> = {};
  const invoices: Record<string, number> = {};
  const names = new Map<number, string>();

  beforeAll(async () => {
    full = await testAccount();
    const people = { ana: await createContact(full, 'Ana'), ben: await createContact(full, 'Ben') };
    Object.assign(ids, people);
    invoices['one'] = (await putInvoice(testTable(), full.accountId, 100, { ContactId: people.ana })).Id;
    invoices['two'] = (await putInvoice(testTable(), full.accountId, 100, { ContactId: people.ben })).Id;
    const pay = async (Reference: string, InvoiceId: number | undefined, Amount: number, Date: string) => {
      const answer = await full.call('payment/import', { Payment: { InvoiceId, Amount, Date, Reference } });
      return paymentIn(answer).Id;
    };
    const payment = await pay('', invoices['one'], 20, '2026-03-10');
    ids['night'] = await pay('night', invoices['two'], 30, '2026-03-09T23:59:59');
    ids['morning'] = await pay('morning', invoices['one'], 40, '2026-03-09T00:00');
    const refund = await pay('', invoices['one'], -5, '2026-03-10');
    const [late, later] = ascending([payment, refund]);
    Object.assign(ids, { late, later });
    for (const name of ['night', 'morning', 'late', 'later']) names.set(ids[name] ?? 0, name);
  });

  const pageOf = async (request: object) => {
    const answer = await full.call('payment/query', request);
    expect(answer.status, answer.text).toBe(200);
    return {
      count: answer.body['Count'],
      found: (answer.body['Payments'] as Payment[]).map(({ Id }) => names.get(Id)),
    };
  };

  const one = () => ({ InvoiceId: invoices['one'] });
  test.each<[() => object, string[]]>([
    [() => ({}), ['morning', 'night', 'late', 'later']],
    [() => ({ FromDate: '2026-03-09', ThroughDate: '2026-03-09' }), ['morning', 'night']],
    [() => ({ FromDate: '3/10/2026' }), ['late', 'later']],
    [() => ({ ThroughDate: '2026-03-09T00:00' }), ['morning']],
    [() => ({ CreatedFrom: '2026-01-01', CreatedThrough: '2100-01-01' }), ['morning', 'night', 'late', 'later']],
    [() => ({ CreatedFrom: '2100-01-01' }), []],
    [() => ({ CreatedThrough: '2020-01-01' }), []],
    [() => ({ ContactId: ids['ben'] }), ['night']],
    [() => ({ ContactId: ids['ana'], FromDate: '2026-03-10' }), ['late', 'later']],
    [() => ({ ContactId: 999_999 }), []],
    [one, ['morning', 'late', 'later']],
    [() => ({ ...one(), FromDate: '2026-03-10', CreatedFrom: '2020-01-01' }), ['late', 'later']],
    [() => ({ ...one(), CreatedFrom: '2100-01-01' }), []],
    [() => ({ ...one(), ContactId: ids['ben'] }), []],
    [() => ({ InvoiceId: 999_999 }), []],
    [
      () => ({ InvoiceId: 0, ContactId: 0, FromDate: '', CreatedThrough: null, Skip: 0 }),
      ['morning', 'night', 'late', 'later'],
    ],
  ])('answers what meets every criterion, by date, then id: %#', async (request, expected) => {
    expect(await pageOf(request())).toEqual({ count: expected.length, found: expected });
  });

  test('gives complete payments, by pages that tell one number', async () => {
    const [{ Payments }, of] = [
      (await full.call('payment/query', one())).body as { Payments: Payment[] },
      invoices['one'] ?? 0,
    ];
    expect(Payments[0]).toEqual({
      SplitOf: null,
      Id: ids['morning'],
      InvoiceId: of,
      ContactId: ids['ana'],
      InvoiceNumber: `N-${of}`,
      Reference: 'morning',
      TransactionId: '',
      Date: '2026-03-09T04:00:00Z',
      Amount: 40,
      Method: '',
    });
    expect(await pageOf({ Skip: 1, Take: 2 })).toEqual({ count: 4, found: ['night', 'late'] });
    expect(await pageOf({ Skip: 3, Take: 2 })).toEqual({ count: 4, found: ['later'] });
    expect(await pageOf({ ...one(), Skip: 1, Take: 1 })).toEqual({ count: 3, found: ['late'] });
    expect(await pageOf({ ...one(), Skip: 9 })).toEqual({ count: 3, found: [] });
  });

  test.each([
    [{ FromDate: 'then', CreatedThrough: 'now' }, ['FromDate', 'CreatedThrough']],
    [{ FromDate: '2026-03-10', ThroughDate: '2026-03-09' }, ['ThroughDate']],
    [{ Skip: -1, Take: 501 }, ['Skip', 'Take']],
    [{ InvoiceId: 'A-1' }, ['InvoiceId']],
  ])('refuses %j and names the invalid fields', async (request, invalidFields) => {
    const answer = await full.call('payment/query', request);
    expectFailure(answer, 400);
    expect(fieldsIn(answer)).toEqual(invalidFields);
  });

  test('a key of an organization sees the payments of its own invoices alone', async () => {
    const [ours, theirs] = [await invoice(50), await indian(50)];
    const [mine, own] = [
      await paid({ InvoiceId: ours.Id, Amount: 10 }),
      await paid({ InvoiceId: theirs.Id, Amount: 10 }),
    ];
    const seen = async (request: object) =>
      (
        (await account.call('payment/query', { Take: 500, ...request }, { key: kolkata })).body['Payments'] as Payment[]
      ).map(({ Id }) => Id);
    expect(await seen({ InvoiceId: ours.Id })).toEqual([]);
    expect(await seen({ InvoiceId: theirs.Id })).toEqual([own.Id]);
    expect(await seen({ ContactId: contacts.springfield })).toEqual([]);
    const all = await seen({});
    expect([all.includes(own.Id), all.includes(mine.Id)]).toEqual([true, false]);
  });
});
