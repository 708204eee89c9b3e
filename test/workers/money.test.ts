import { expect, test } from 'vitest';
import type { DataSubscriberEvent, EventPayload } from '../../lib/resources/events.ts';
import { parseKey } from '../../lib/store/requests/api-keys.ts';
import { layout } from '../../lib/store/keys.ts';
import { expiryAt } from '../../lib/store/sales/proposals.ts';
import { connectStripe } from '../support/payments.ts';
import { writeBook } from '../support/price-book.ts';
import { type TestAccount, drainEvents, testAccount, testTable } from '../support/stack/stack.ts';

const SIGNATURE =
  'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1 L8 8"/></svg>';

/** An account whose open proposals expire after 30 days, with a contact and a service of 100.00. */
async function someAccount(): Promise<TestAccount> {
  const account = await testAccount();
  await connectStripe(account);
  const { accountId } = account;
  const Proposals = { ExpireAfterDays: 30 };
  await testTable().commit([{ update: layout.account.key({ account: accountId }), set: { Proposals }, if: 'present' }]);
  await writeBook(accountId, { services: [{ Name: 'Windows', BasePrice: 100, BaseDuration: 60, Taxable: true }] });
  return account;
}

/** The events since the last call, which come one after another without gap. */
function reader(account: TestAccount): () => Promise<EventPayload[]> {
  let last = 0;
  return async () => {
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', { ClearThroughId: last });
    const events = body['Events'] as DataSubscriberEvent[];
    expect(events.map(({ Id }) => Id)).toEqual(events.map((_, index) => last + 1 + index));
    last += events.length;
    return events.flatMap(({ Payload }) => Payload ?? []);
  };
}

/** `invoice.paid 1 BalanceDue Status`; things of one transaction come in any order. */
const result = (events: readonly EventPayload[]): string[] =>
  events.map(({ Kind, Id, Changed }) => [Kind, Id, ...Changed].join(' ')).sort();

test("each change of money is one event that names its key and request, with the contact's lifetime value after it", async () => {
  const account = await someAccount();
  const events = reader(account);
  let answered: Record<string, unknown> = {};
  const done = async (operation: string, body: object): Promise<EventPayload[]> => {
    const answer = await account.call(operation, body);
    expect(answer.status, answer.text).toBe(200);
    answered = answer.body;
    const caused = await events();
    const by = { Actor: { Key: parseKey(account.key)?.publicPart, Name: 'test' } };
    for (const event of caused) expect(event).toMatchObject({ ...by, RequestId: answer.headers.get('x-request-id') });
    return caused;
  };
  await events();
  await done('contacts/addupdate', { Name: 'Zoë Kern', Company: 'Acme', Phone: '(804) 555-0100' });

  const made = { ContactId: 1, ServiceId: 1, Status: 'Open', DepositRate: 10, DepositRequired: true };
  const created = await done('proposal/create', made);
  expect(result(created)).toEqual(['contact.updated 1 OpenProposals', 'proposal.created 1']);
  const proposal = created.find(({ Kind }) => Kind === 'proposal.created');
  expect(proposal).toMatchObject({
    TransactionKind: 2,
    Subtotal: 100,
    LifetimeValue: 0,
    CustomerSince: null,
    ContactName: 'Zoë Kern',
    ContactCompany: 'Acme',
    ContactPhone: '(804) 555-0100',
    ContactAltPhone: '',
  });
  const { EvidenceSha256: _, ExpiresAt, ...visible } = proposal?.Data ?? {};
  const { ResultCode: __, Message: ___, ...details } = (await account.call('proposal/details', { Id: 1 })).body;
  expect(visible, 'as its own operation answers it').toEqual({ ...details, Contact: null });
  expect((Date.parse(ExpiresAt as string) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
  const stored = await testTable().get(layout.proposal.key({ account: account.accountId, id: 1 }));
  const expiry = expiryAt({ account: account.accountId }, 1, stored?.['ExpiresAt'] as number);
  expect(await testTable().get(expiry)).toMatchObject({ Account: account.accountId, Id: 1 });

  expect(result(await done('proposal/update', { Id: 1, Title: 'Front' }))).toEqual(['proposal.updated 1 Title']);
  const accepted = await done('proposal/accept', { ProposalId: 1, Name: 'Zoë', SignatureData: SIGNATURE });
  expect(result(accepted)).toEqual([
    'contact.updated 1 IsCustomer OpenInvoices OpenProposals',
    'invoice.created 1',
    'proposal.accepted 1 AcceptedDate EvidenceSha256 Status',
  ]);
  expect(await testTable().get(expiry), 'an answered proposal does not expire').toBeUndefined();
  for (const event of accepted.filter(({ TransactionKind }) => TransactionKind !== null))
    expect(event.CustomerSince).toMatch(/^\d{4}-/);

  const payment = { InvoiceId: 1, Amount: 10, TransactionId: 't-1' };
  const paid = await done('payment/import', { Payment: payment });
  expect(result(paid)).toEqual([
    'contact.updated 1 OpenInvoices',
    'invoice.paid 1 BalanceDue CanAcceptClientPayment DatePaid Status',
    'payment.recorded 1',
  ]);
  const invoice = paid.find(({ Kind }) => Kind === 'invoice.paid');
  expect(invoice).toMatchObject({ TransactionKind: 0, Subtotal: 10, LifetimeValue: 10 });
  const { Invoice } = (await account.call('invoice/get', { InvoiceId: 1 })).body as { Invoice: object };
  expect(invoice?.Data).toEqual(Invoice);
  expect(await done('payment/import', { Payment: payment }), 'the same payment again').toEqual([]);

  const refunded = await done('payment/import', { Payment: { InvoiceId: 1, Amount: -4.5 } });
  expect(result(refunded)).toEqual([
    'contact.updated 1 OpenInvoices',
    'invoice.reopened 1 BalanceDue CanAcceptClientPayment DatePaid Status',
    `payment.refunded ${answered['PaymentId']}`,
  ]);
  expect(result(await done('payment/import', { PaymentId: 1, Payment: { Reference: 'Check 12' } }))).toEqual([
    'payment.updated 1 Reference',
  ]);

  const order = await done('proposal/create', {
    ContactId: 1,
    ServiceId: 1,
    Status: 'Open',
    ChangeOrderForProposalId: 1,
  });
  const orderId = answered['Id'];
  expect(result(order)).toEqual([
    'contact.updated 1 OpenProposals',
    `proposal.created ${orderId}`,
    'proposal.updated 1 ChangeOrders',
  ]);
  expect(result(await done('proposal/update', { Id: orderId, Status: 'Declined' }))).toEqual([
    'contact.updated 1 OpenProposals',
    `proposal.declined ${orderId} Status`,
    'proposal.updated 1 ChangeOrders',
  ]);

  const Lines = [{ Description: 'Windows', Rate: 90, Qty: 1 }];
  const billed = { ContactId: 1, ProposalId: 1, Status: 'Unapproved', Lines };
  const imported = await done('invoice/import', { Invoice: billed });
  const { InvoiceId } = answered;
  expect(result(imported)).toEqual([`invoice.created ${InvoiceId}`]);
  const approved = await done('invoice/import', { InvoiceId, Invoice: { Status: 'Open' } });
  expect(result(approved)).toEqual([
    'contact.updated 1 OpenInvoices',
    `invoice.approved ${InvoiceId} CanAcceptClientPayment ClientPayUrl ClientPdfUrl Status`,
    'proposal.invoiced 1 Status',
  ]);
  expect(approved.find(({ Kind }) => Kind === 'invoice.approved')).toMatchObject({ Subtotal: 90, LifetimeValue: 5.5 });
  expect(result(await done('invoice/import', { InvoiceId, Invoice: { Status: 'Voided' } }))).toEqual([
    'contact.updated 1 OpenInvoices',
    `invoice.voided ${InvoiceId} BalanceDue CanAcceptClientPayment ClientPayUrl ClientPdfUrl Status`,
    'proposal.updated 1 Status',
  ]);
});
