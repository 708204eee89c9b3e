import type { Proposal } from '../../lib/entities/proposals.ts';
import { expect, test } from 'vitest';
import type { EventPayload } from '../../lib/resources/events.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { runTool } from '../support/cli.ts';
import { type OpenedPage, openPage, sendForm } from '../support/pages.ts';
import { checkoutId, connectStripe } from '../support/payments.ts';
import { bookable } from '../support/scheduling.ts';
import { drainEvents, onStack, testTable } from '../support/stack/stack.ts';
import { callerContext } from '../../lib/workflows/context.ts';

/** The first address of a page that leads to a page of this kind. */
const linkIn = ({ text }: OpenedPage, page: string): string =>
  new RegExp(`href="([^"]*/c/${page}/[^"]+)"`).exec(text)?.[1] ?? '';

test('a stranger signs a proposal, pays its deposit, books a visit and follows it, and the events tell it in order', async () => {
  const service = { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true };
  const company = await bookable({ services: [service] });
  const stripe = await connectStripe(company);
  const { body } = await company.call('proposal/create', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    Title: 'New beds',
    Status: 'Open',
    DepositRequired: true,
    DepositRate: 50,
    ProposalLines: [
      { LineDescription: 'Plants', Quantity: 1, UnitPrice: 100, ProposalOption: { Name: 'Good', Selected: true } },
      { LineDescription: 'Shrubs', Quantity: 1, UnitPrice: 250, ProposalOption: { Name: 'Best' } },
    ],
  });
  const { Id, ClientUrl } = body as unknown as Proposal;
  const context = callerContext(testTable(), accountCaller(company.accountId, { role: 'Owner' }), new Date());
  const { booking = '' } = await listLinks(context, 'organization', company.organizationId);
  const bookingLink = onStack(booking);
  await drainEvents();
  const fetchEvents = async () =>
    (await company.call('datasubscriber/fetch', { EventCount: 1000 })).body['Events'] as {
      Id: number;
      Payload: EventPayload;
    }[];
  const { Id: last = 0 } = (await fetchEvents()).at(-1) ?? {};
  await company.call('datasubscriber/clear', { ClearThroughId: last });

  const page = await openPage(ClientUrl);
  const [, best = ''] = /name="option" value="(\d+)"[^>]*>\s*<strong>Best/.exec(page.text) ?? [];
  const chosen = `${ClientUrl}?choose=1&option=${best}`;
  expect((await sendForm(ClientUrl, await openPage(chosen), 'accept', { name: 'Ana Diaz' })).status).toBe(303);
  const deposit = await openPage(linkIn(await openPage(ClientUrl), 'invoice'));
  const paying = await sendForm(linkIn(await openPage(ClientUrl), 'invoice'), deposit, 'pay', {});
  const checkout = paying.headers.get('location') ?? '';
  await openPage(await stripe.press(checkout, 'card'));

  const step = `${bookingLink}?service=${company.services['Lawn care']}&zip=62701`;
  const [, slot = ''] = /name="slot" value="(\d+)"/.exec((await openPage(step)).text) ?? [];
  const booked = await sendForm(bookingLink, await openPage(`${step}&slot=${slot}`), 'book', {
    name: 'Luis Ortega',
    email: 'luis@example.com',
    phone: '217-555-0100',
    address: '5 Elm St',
    city: 'Springfield',
  });
  const visit = linkIn(booked, 'booked');
  expect((await openPage(visit)).text).toContain('Waiting to be confirmed');
  expect((await sendForm(visit, await openPage(visit), 'another-time', { message: 'Later, please' })).status).toBe(303);

  const hash = /[0-9a-f]{64}/.exec((await openPage(ClientUrl)).text)?.[0] ?? '';
  const verified = await runTool(['proposal', 'verify', String(Id), '--sha256', hash, '--account', company.accountId]);
  expect([verified.stderr, verified.code]).toEqual(['', 0]);
  expect(verified.stdout).toMatch(/verified/i);

  await drainEvents();
  const events = (await fetchEvents()).map(({ Payload }) => Payload);
  const told = events
    .filter(({ Kind }) => !/^contact\.updated|^invoice\.updated|^proposal\.updated/.test(Kind))
    .map(({ Kind, Actor }) => `${Kind} by ${Actor?.Name}`);
  expect(told).toEqual([
    'proposal.accepted by Client page',
    'invoice.created by Client page',
    'payment.recorded by Stripe',
    'invoice.paid by Stripe',
    'contact.created by Client page',
    'appointment.booked by Client page',
    'task.created by Client page',
  ]);
  const paid = events.find(({ Kind }) => Kind === 'payment.recorded');
  const session = await stripe.client.checkout.sessions.retrieve(checkoutId(checkout));
  expect(paid?.Data).toMatchObject({ Amount: 150, TransactionId: (session.payment_intent as { id: string }).id });
});
