import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { testTable } from '../../support/stack/stack.ts';

let company: Bookable;
let otherContact: number;

beforeAll(async () => {
  company = await bookable({
    agents: ['Ann', 'Ben'].map((Name) => ({ Name, Email: `${Name}@example.com`, TimeSlots: weekdays() })),
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Mulch', BasePrice: 20, BaseDuration: 30 },
    ],
  });
  const made = await company.call('contacts/addupdate', { Name: 'Other', Email: 'other@example.com', Zip: '62701' });
  otherContact = (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
});

let transactions = 700;
const nextTransaction = () => ({ CallCenterTransactionId: transactions++ });
const slot = (DateTime: string, agent = 'Ann') => ({ DateTime, ServiceAgentId: company.agents[agent] });

describe('book with a CallCenterTransactionId that was used', () => {
  test.each<[string, () => object]>([
    ['contact', () => ({ ContactId: otherContact })],
    ['service', () => ({ ServiceId: company.services['Mulch'] })],
    ['time', () => ({ Slots: [slot('2027-03-09T11:00')] })],
    ['agent', () => ({ Slots: [slot('2027-03-09T09:00', 'Ben')] })],
    ['quantity', () => ({ Quantity: 3 })],
    ['length', () => ({ Duration: '90' })],
    ['note', () => ({ Notes: 'Ring twice.' })],
  ])('is 409 for another %s, and books nothing', async (_, other) => {
    const request = { ...nextTransaction(), SkipConflictChecks: true };
    const first = slotIn(await company.book('Ann', '2027-03-09T09:00', request));
    const before = (await company.call('appointments/query', {})).body['Count'];
    const answer = await company.book('Ann', '2027-03-09T09:00', { ...request, ...other() });
    expectFailure(answer, 409);
    expect(answer.body['Message']).toContain(`CallCenterTransactionId ${request.CallCenterTransactionId}`);
    expect(answer.body['Message']).toContain(`appointment ${first.AppointmentId}`);
    expect((await company.call('appointments/query', {})).body['Count']).toBe(before);
  });

  test.each([
    '2027-03-10T09:00',
    '2027-03-10T09:00:00-06:00',
    '2027-03-10T15:00:00Z',
    '2027-03-10T15:00:00.000Z',
    '3/10/2027 9:00 AM',
  ])('returns the first appointment for the same moment written as %s', async (DateTime) => {
    const request = { ...nextTransaction(), SkipConflictChecks: true };
    const first = slotIn(await company.book('Ben', '2027-03-10T15:00:00Z', request));
    expect(slotIn(await company.book('Ben', DateTime, request)).AppointmentId).toBe(first.AppointmentId);
  });

  test('returns the first appointment for the same slot with the fields of slotsearch, and the same length', async () => {
    const request = { ...nextTransaction(), Duration: '90' };
    const first = slotIn(await company.book('Ann', '2027-03-11T09:00', request));
    const answer = await company.book('Ann', '2027-03-11T09:00', {
      ...request,
      Duration: '1:30',
      IncludeContact: true,
      AddOnParts: [],
      Slots: [{ ...slot('2027-03-11T09:00'), DateTimeFormatted: 'Thu, Mar 11 2027 9:00 AM', ServiceAgentName: 'Ann' }],
    });
    expect(slotIn(answer).AppointmentId).toBe(first.AppointmentId);
  });

  test('returns the appointment as it is now, after it was moved and changed', async () => {
    const request = { ...nextTransaction(), Notes: 'Gate left.' };
    const { AppointmentId } = slotIn(await company.book('Ann', '2027-03-12T09:00', request));
    await company.call('appointments/update', {
      AppointmentId,
      Quantity: 2,
      Notes: 'Gate right.',
      Slots: [slot('2027-03-12T14:00', 'Ben')],
    });
    const again = slotIn(await company.book('Ann', '2027-03-12T09:00', request));
    expect(again).toMatchObject({ AppointmentId, DateTime: '2027-03-12T14:00:00-06:00', Quantity: 2 });
  });

  test('is judged when two calls at once want one time: the same call wins twice, another is 409', async () => {
    const same = nextTransaction();
    const answers = await Promise.all([1, 2].map(() => company.book('Ann', '2027-03-15T09:00', same)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map((answer) => slotIn(answer).AppointmentId)).size).toBe(1);
    const shared = nextTransaction();
    const rivals = await Promise.all(
      ['First', 'Second'].map((Notes) => company.book('Ann', '2027-03-15T11:00', { ...shared, Notes })),
    );
    expect(rivals.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(rivals.find(({ status }) => status === 409)?.body['Message']).toContain('CallCenterTransactionId');
  });

  test('returns the first appointment for any request if it was stored before requests were compared', async () => {
    const request = nextTransaction();
    const { AppointmentId } = slotIn(await company.book('Ann', '2027-03-16T09:00', request));
    const key = layout.callCenter.key({
      account: company.accountId,
      organization: 1,
      transaction: request.CallCenterTransactionId,
    });
    await testTable().commit([{ put: { ...key, Id: AppointmentId } }]);
    const again = await company.book('Ben', '2027-03-16T15:00', request);
    expect(slotIn(again).AppointmentId).toBe(AppointmentId);
  });

  test('is 409 for the call of another operation', async () => {
    const request = { ContactId: company.contact, ServiceName: 'Lawn care', ...nextTransaction() };
    expect((await company.call('appointments/queue', request)).status).toBe(200);
    expectFailure(await company.book('Ann', '2027-03-16T11:00', request), 409);
  });
});

test('queue: a repeat returns the first appointment, and another date, contact, service or demand is 409', async () => {
  const request = {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    QueueDate: '2027-03-09',
    ...nextTransaction(),
  };
  const first = await company.call('appointments/queue', request);
  expect(first.status, first.text).toBe(200);
  expect((await company.call('appointments/queue', { ...request, QueueDate: '3/9/2027' })).body).toEqual(first.body);
  for (const other of [
    { QueueDate: '2027-03-10' },
    { ContactId: otherContact },
    { ServiceName: 'Mulch' },
    { Demand: 3 },
  ])
    expectFailure(await company.call('appointments/queue', { ...request, ...other }), 409);
});

test('quickbook: a repeat returns the first appointment, and another contact, service or time is 409', async () => {
  const request = {
    Name: 'Ann Lee',
    Email: 'lee@example.com',
    Zip: '62701',
    Service: 'Lawn care',
    ServiceAgentEmail: 'Ann@example.com',
    ScheduledStart: '2027-03-17T15:00:00Z',
    ...nextTransaction(),
  };
  const first = await company.call('appointments/quickbook', request);
  expect(first.status, first.text).toBe(200);
  const again = await company.call('appointments/quickbook', {
    ...request,
    ScheduledStart: '2027-03-17T15:00:00.000Z',
  });
  expect(again.body).toEqual(first.body);
  for (const other of [
    { Name: 'Bob Lee', Email: 'bob@example.com' },
    { Service: 'Mulch' },
    { ScheduledStart: '2027-03-17T16:00:00Z' },
    { Tentative: true },
  ])
    expectFailure(await company.call('appointments/quickbook', { ...request, ...other }), 409);
  const found = await company.call('contacts/locate', { EmailSearch: 'bob@example.com' });
  expect(found.body['Matches']).toEqual([]);
});
