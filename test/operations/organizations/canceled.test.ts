import { beforeAll, describe, expect, test } from 'vitest';
import { findId, writeBook } from '../../support/price-book.ts';
import { weekdays } from '../../support/scheduling.ts';
import { svgUri } from '../../support/signatures.ts';
import { type TestAccount, type TestAnswer, testAccount } from '../../support/stack/stack.ts';

/** What is made in organization 2 while it is open; organization 1 is the default one. */
let account: TestAccount;
let made: Record<'contact' | 'visit' | 'queued' | 'proposal' | 'invoice', number>;
let service: number;
let ownKey: string;

const idIn = ({ body }: TestAnswer, name: string): number => body[name] as number;
const firstIn = ({ body }: TestAnswer) =>
  (body['Matches'] as { readonly Id: number; readonly OrganizationId: number }[])[0];
const visitOf = (hour: string) => ({ DateTime: `2027-03-09T${hour}:00`, ServiceAgentId: 1 });
const call = (operation: string, body: object) => account.call(operation, body);
const accept = (ProposalId: number) => call('proposal/accept', { ProposalId, Name: 'Zoë', SignatureData: svgUri });

beforeAll(async () => {
  account = await testAccount();
  const agent = { Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() };
  const created = await call('organizations/create', {
    Name: 'Springfield',
    Timezone: 'America/Chicago',
    StartAddress: { Zip: '62701' },
    PostalCodes: '62701',
    ServiceAgents: [agent],
  });
  ownKey = await account.newKey({ organizationId: 2 });
  const { book } = await writeBook(account.accountId, {
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
  });
  service = findId(book, 'services', 'Lawn care');
  const found = await call('contacts/addupdate', {
    Name: 'Zoë Kern',
    Email: 'zoe@example.com',
    Zip: '62701',
    OrganizationId: 2,
  });
  const contact = firstIn(found)?.Id ?? 0;
  const work = { ContactId: contact, ServiceId: service };
  made = {
    contact,
    visit: idIn(await call('appointments/book', { ...work, Slots: [visitOf('09')] }), 'AppointmentId'),
    queued: idIn(await call('appointments/queue', work), 'AppointmentId'),
    proposal: idIn(await call('proposal/create', { ...work, Status: 'Open' }), 'Id'),
    invoice: idIn(
      await call('invoice/import', {
        Invoice: {
          ContactId: contact,
          Number: 'A1',
          Status: 'Open',
          Lines: [{ Description: 'Lawn', Rate: 5, Qty: 2 }],
        },
      }),
      'InvoiceId',
    ),
  };
  const canceled = await call('organizations/cancel', { OrganizationId: idIn(created, 'OrganizationId') });
  if (canceled.body['OrganizationId'] !== 2 || !Object.values(made).every(Boolean)) throw new Error(canceled.text);
});

const CANCELED = 'Organization 2 is canceled';

describe('a canceled organization gets nothing new, by keys of the account', () => {
  const work = () => ({ ContactId: made.contact, ServiceId: service });

  test.each<[string, () => object]>([
    ['appointments/book', () => ({ ...work(), Slots: [visitOf('11')] })],
    ['appointments/queue', work],
    [
      'appointments/quickbook',
      () => ({ ContactId: made.contact, Service: 'Lawn care', ScheduledStart: '2027-03-09T13:00' }),
    ],
    ['proposal/create', work],
    ['proposal/accept', () => ({ ProposalId: made.proposal, Name: 'Zoë', SignatureData: svgUri })],
  ])('%s is 409', async (operation, body) => {
    const answer = await call(operation, body());
    expect([answer.status, answer.body['Message']]).toEqual([
      409,
      expect.stringContaining(`${CANCELED} and takes no new`),
    ]);
  });

  test('slotsearch finds no slot for new work, and says why', async () => {
    const { status, body } = await call('appointments/slotsearch', { ...work(), TargetDate: '2027-03-09' });
    expect([status, body['Slots'], body['Message']]).toEqual([200, [], `${CANCELED} and takes no new appointments.`]);
  });

  test('a lead of its postal code goes to the default organization, and the message says why', async () => {
    const lead = { Name: 'New Lead', Email: 'lead@example.com', Zip: '62701', DistributeLead: true };
    const answer = await call('contacts/addupdate', lead);
    expect([answer.status, firstIn(answer)?.OrganizationId], answer.text).toEqual([200, 1]);
    expect(answer.body['Message']).toBe(`${CANCELED} and owns postal code 62701; the lead goes to organization 1.`);
  });

  test('quickbook books a new lead of its postal code in the default organization', async () => {
    const lead = { Name: 'Quick', Email: 'quick@example.com', Zip: '62701', Service: 'Lawn care', Tentative: true };
    await call('organizations/update', {
      OrganizationId: 1,
      ServiceAgents: [{ Name: 'Ben', Email: 'ben@example.com', TimeSlots: weekdays() }],
    });
    const answer = await call('appointments/quickbook', { ...lead, ScheduledStart: '2027-03-09T09:00' });
    expect([answer.status, answer.body['ServiceAgentEmail']], answer.text).toEqual([200, 'ben@example.com']);
  });

  test('a new contact that names it is 400', async () => {
    const answer = await call('contacts/addupdate', { Name: 'Named', Email: 'named@example.com', OrganizationId: 2 });
    expect([answer.status, (answer.body['Errors'] as object[])[0]]).toEqual([
      400,
      {
        Field: 'OrganizationId',
        Code: 'inactive',
        Message: `must be the Id of an existing organization that is open. ${CANCELED}`,
      },
    ]);
  });
});

describe('what a canceled organization has is finished by keys of the account', () => {
  test('contacts are found and changed', async () => {
    expect(firstIn(await call('contacts/locate', { IdSearch: made.contact }))?.OrganizationId).toBe(2);
    expect((await call('contacts/addupdate', { Id: made.contact, FlashMessage: 'Moved' })).status).toBe(200);
  });

  test('appointments are found, moved, booked from the queue and canceled', async () => {
    const found = await call('appointments/find', { ContactId: made.contact });
    expect((found.body['Slots'] as object[]).length).toBe(2);
    const search = { AppointmentId: made.visit, TargetDate: '2027-03-09', SlotWindowDays: 1 };
    expect(((await call('appointments/slotsearch', search)).body['Slots'] as object[]).length).toBeGreaterThan(0);
    const moved = await call('appointments/update', { AppointmentId: made.visit, Slots: [visitOf('14')] });
    expect(moved.status, moved.text).toBe(200);
    const booked = await call('appointments/book', { AppointmentId: made.queued, Slots: [visitOf('10')] });
    expect(booked.status, booked.text).toBe(200);
    expect((await call('appointments/cancel', { AppointmentId: made.queued, CancelReasonId: 1 })).status).toBe(200);
  });

  test('proposals are read, changed and declined, and invoices are paid', async () => {
    expect((await call('proposal/details', { Id: made.proposal })).status).toBe(200);
    const declined = await call('proposal/update', { Id: made.proposal, Title: 'Closed', Status: 'Declined' });
    expect(declined.status, declined.text).toBe(200);
    const paid = await call('payment/import', {
      Payment: { InvoiceId: made.invoice, Amount: 10, TransactionId: 'P1' },
    });
    expect(paid.status, paid.text).toBe(200);
  });

  test('its own keys are 403', async () => {
    const { status } = await account.call('contacts/locate', { IdSearch: made.contact }, { key: ownKey });
    expect(status).toBe(403);
  });
});

test('reopened, it takes new work', async () => {
  expect((await call('organizations/update', { OrganizationId: 2, OpenSince: '2027-01-01' })).status).toBe(200);
  expect((await call('proposal/create', { ContactId: made.contact, ServiceId: service })).status).toBe(200);
  const again = idIn(
    await call('proposal/create', { ContactId: made.contact, ServiceId: service, Status: 'Open' }),
    'Id',
  );
  const accepted = await accept(again);
  expect(accepted.status, accepted.text).toBe(200);
});
