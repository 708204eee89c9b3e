import { expect, test } from 'vitest';
import type { DataSubscriberEvent } from '../../../lib/resources/events.ts';
import { appendEvents, splitTransactions } from '../../../lib/store/events/events.ts';
import { readFeed } from '../../support/existing-programs/feed-reader.ts';
import { poster } from '../../support/existing-programs/post.ts';
import { bookable, slotIn } from '../../support/scheduling.ts';
import { type TestAccount, drainEvents, testAccount, testStack, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const feedKey = (account: TestAccount, feed: 'standard' | 'flat') =>
  account.newKey({ role: 'DataSubscriber', subscriber: feed, feed });

const programOf = async (account: TestAccount, feed: 'standard' | 'flat') =>
  poster(testStack().BaseUrl, await feedKey(account, feed));

test('one reader gets one transaction for a completed visit, with its subtotal before tax, in both shapes', async () => {
  const company = await bookable({
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, Taxable: true }],
    taxRate: { Name: 'County', TaxRate: 6 },
  });
  const person = {
    Name: 'Ann Lee',
    Email: 'ann.lee@example.com',
    Phone: '(217) 555-0143',
    AltPhone: '217-555-0144',
    Address1: '12 Main St',
    City: 'Springfield',
    State: 'IL',
    Zip: '62701',
    DigitalTrackingId: 'web-7',
  };
  await company.call('contacts/addupdate', { Id: company.contact, ...person });
  const { AppointmentId, Total } = slotIn(await company.book('Ann', '2035-03-05T23:00', { SkipConflictChecks: true }));
  expect(Total).toBe(53);
  const update = async (fields: object) =>
    expect((await company.call('appointments/update', { AppointmentId, ...fields })).status).toBe(200);
  await update({ UpdateNote: 'Gate code 12' });
  await update({ UpdateActuals: true, ActualStart: '2035-03-05T23:00', ActualFinish: '2035-03-05T23:50' });
  await company.call('appointments/tip', { AppointmentId, Tip: 5 });
  await drainEvents();

  const visit = {
    TransactionKind: 1,
    ContactId: company.contact,
    Name: person.Name,
    PriPhone: person.Phone,
    AltPhone: person.AltPhone,
    Email: person.Email,
    Address1: person.Address1,
    City: person.City,
    State: person.State,
    PostalCode: person.Zip,
    DigitalTrackingId: person.DigitalTrackingId,
    Subtotal: 50,
    LifetimeValue: 0,
  };
  expect(await readFeed(await programOf(company, 'flat'))).toEqual([{ ...visit, TransactionDate: '2035-3-5' }]);
  expect(await readFeed(await programOf(company, 'standard'))).toEqual([{ ...visit, TransactionDate: '2035-3-6' }]);
});

test('an invoice of a visit is a transaction of its own, and every event of an appointment has a subtotal', async () => {
  const company = await bookable({
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, Taxable: true, IsMigrateInvoice: true }],
    taxRate: { Name: 'County', TaxRate: 6 },
  });
  const { AppointmentId } = slotIn(await company.book('Ann', '2035-03-05T09:00'));
  const actuals = { UpdateActuals: true, ActualStart: '2035-03-05T09:00', ActualFinish: '2035-03-05T09:50' };
  await company.call('appointments/update', { AppointmentId, ...actuals });
  await company.call('appointments/queue', { ContactId: company.contact, ServiceId: company.services['Lawn care'] });
  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
  const ofAppointments = (body['Events'] as DataSubscriberEvent[]).filter(({ Payload }) =>
    Payload?.Kind.startsWith('appointment.'),
  );
  expect(ofAppointments.length).toBeGreaterThan(2);
  expect(new Set(ofAppointments.map(({ Payload }) => Payload?.Subtotal))).toEqual(new Set([50]));
  const flat = await readFeed(await programOf(company, 'flat'));
  expect(flat.map(({ TransactionKind, Subtotal }) => [TransactionKind, Subtotal]).sort()).toEqual([
    [0, 50],
    [1, 50],
  ]);
});

/** An account whose queue has events of these kinds, each about the contact of its id. */
async function accountWith(count: number, kindOf: (id: number) => string): Promise<TestAccount> {
  const account = await testAccount();
  const now = new Date();
  const event = (Id: number) => ({
    Kind: kindOf(Id),
    TransactionKind: 0,
    Id,
    OrganizationId: 1,
    ContactId: Id,
    At: now.toISOString(),
    TransactionDate: now.toISOString(),
    Changed: [],
    Data: null,
    Truncated: false,
  });
  const events = Array.from({ length: count }, (_, index) => ({
    change: `Contact.${index + 1}.1`,
    payload: JSON.stringify(event(index + 1)),
  }));
  for (const part of splitTransactions(events))
    await appendEvents(accountStore(testTable(), account.accountId), part, now, Date.now() + 30_000);
  return account;
}

test('a flat reader passes over thousands of other events in one call, and clears by position', async () => {
  const account = await accountWith(2_300, (id) => (id === 2_250 ? 'appointment.completed' : 'task.deleted'));
  const key = await feedKey(account, 'flat');
  const fetch = async (body: object = {}) => {
    const { Events, EventCount } = (await account.call('datasubscriber/fetch', body, { key })).body;
    return [(Events as DataSubscriberEvent[]).map(({ Id }) => Id), EventCount];
  };
  expect(await fetch()).toEqual([[2_250], 300]);
  expect(await fetch(), 'it is not cleared').toEqual([[2_250], 300]);
  expect(await fetch({ ClearThroughId: 2_250 })).toEqual([[], 0]);
});

test('a reader who clears after each fetch gets each event of its kinds once, and ends with an empty queue', async () => {
  const account = await accountWith(70, (id) => (id === 2 || id === 60 ? 'invoice.created' : 'contact.updated'));
  const program = await programOf(account, 'flat');
  expect((await readFeed(program)).map(({ ContactId }) => ContactId)).toEqual([2, 60]);
  expect(await readFeed(program)).toEqual([]);
});

test('Kinds of a flat reader choose among those of the feed', async () => {
  const account = await accountWith(3, (id) => ['invoice.created', 'invoice.paid', 'invoice.deleted'][id - 1] ?? '');
  const key = await feedKey(account, 'flat');
  const { body } = await account.call('datasubscriber/fetch', { Kinds: ['invoice.paid', 'invoice.deleted'] }, { key });
  expect((body['Events'] as DataSubscriberEvent[]).map(({ Payload }) => Payload?.Kind)).toEqual(['invoice.deleted']);
});
