import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { toKeyText } from '../../lib/shared/text/text.ts';
import { type Key, layout } from '../../lib/store/keys.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { contactIn } from '../support/stack/branches.ts';
import { type TestAnswer, testTable } from '../support/stack/stack.ts';

/** The id of a record that does not exist. */
const GONE = 99;

let company: Bookable;
let contact: number;
let invoice: number;

const importInvoice = (Number: string) =>
  company.call('invoice/import', {
    Invoice: { ContactId: contact, Number, Status: 'Open', Lines: [{ Description: 'Work', Qty: 1, Rate: 100 }] },
  });

beforeAll(async () => {
  company = await bookable({ agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
  contact = contactIn(await company.call('contacts/addupdate', { Name: 'Ida', Zip: '62701' })).Id;
  invoice = ((await importInvoice('9000')).body['Invoice'] as Invoice).Id ?? 0;
});

const organization = () => ({ account: company.accountId, organization: 1 });

/** Has the text or id belong to a record that does not exist, as after a restore of a part of the table. */
const leaveGuard = (key: Key, fields: object = {}): Promise<void> =>
  testTable().commit([{ put: { ...key, ...fields, Id: GONE } }]);

test('the name of an accounting class that is gone is free, for a new class and for one that is renamed', async () => {
  const guard = (name: string) => layout.accountingClassName.key({ ...organization(), name: toKeyText(name) });
  await leaveGuard(guard('Denver North'));
  await leaveGuard(guard('Denver South'));
  const made = await company.call('accountingclasses/create', { Name: 'Denver North' });
  expect(made.status, made.text).toBe(200);
  const [{ Id: AccountingClassId }] = made.body['Matches'] as [{ Id: number }];
  expect(await testTable().get(guard('Denver North'))).toMatchObject({ Id: AccountingClassId });
  const renamed = await company.call('accountingclasses/update', { AccountingClassId, Name: 'Denver South' });
  expect(renamed.status, renamed.text).toBe(200);
  expect(await testTable().get(guard('Denver South'))).toMatchObject({ Id: AccountingClassId });
});

/** What must not be done twice is refused at once, because whether it was done is not known. */
const refused: Readonly<Record<string, { guard: () => Key; create: () => Promise<TestAnswer> }>> = {
  'user/create': {
    guard: () => layout.userEmail.key({ ...organization(), email: 'bo@example.com' }),
    create: () => company.call('user/create', { Name: 'Bo Roe', Email: 'bo@example.com' }),
  },
  'organizations/create': {
    guard: () => layout.organizationLocation.key({ ...organization(), location: toKeyText('L77') }),
    create: () => company.call('organizations/create', { Name: 'Salem', LocationId: 'L77' }),
  },
  'invoice/import': {
    guard: () => layout.invoiceNumber.key({ ...organization(), number: '9001' }),
    create: () => importInvoice('9001'),
  },
  'payment/import': {
    guard: () => layout.transaction.key({ ...organization(), transaction: 'T9' }),
    create: () => {
      const Payment = { InvoiceId: invoice, Amount: 1, Method: 'Cash', TransactionId: 'T9' };
      return company.call('payment/import', { Payment });
    },
  },
  'appointments/queue': {
    guard: () => layout.callCenter.key({ ...organization(), transaction: 7 }),
    create: () => {
      const work = { ContactId: contact, ServiceName: 'Lawn care', QueueDate: '2027-03-01' };
      return company.call('appointments/queue', { ...work, CallCenterTransactionId: 7 });
    },
  },
};

describe.each(Object.keys(refused))('%s', (name) => {
  test('answers at once that an id of the caller belongs to a record that is gone', async () => {
    const { guard, create } = refused[name] as (typeof refused)[string];
    await leaveGuard(guard(), { InvoiceId: invoice, Amount: 1 });
    const { status, body } = await create();
    expect(status).toBe(409);
    expect(body['Message']).toContain(String(GONE));
  });
});
