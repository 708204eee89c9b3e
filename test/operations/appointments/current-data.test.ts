import { beforeEach, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { putSettings } from '../../support/settings.ts';
import { expectFailure } from '../../support/failed.ts';
import { testTable } from '../../support/stack/stack.ts';

let company: Bookable;
/** A queued and a booked appointment of Lawn care. */
let queued: number;
let booked: number;

const QUICK = { Email: 'jose@example.com', Service: 'Lawn care', ServiceAgentEmail: 'ann@example.com' };
const DAY = '2027-03-09';
const at = (time: string) => ({ DateTime: `${DAY}T${time}`, ServiceAgentId: company.agents['Ann'] });

/** Every write that places an appointment, at a time of the day. */
const writes: readonly [string, (time: string) => ReturnType<Bookable['call']>][] = [
  ['book', (time) => company.book('Ann', at(time).DateTime)],
  [
    'book by the name of the service',
    (time) => company.book('Ann', at(time).DateTime, { ServiceId: 0, ServiceName: 'Lawn care' }),
  ],
  ['book from the queue', (time) => company.book('Ann', at(time).DateTime, { AppointmentId: queued })],
  ['update', (time) => company.call('appointments/update', { AppointmentId: booked, Quantity: 2, Slots: [at(time)] })],
  ['quickbook', (time) => company.call('appointments/quickbook', { ...QUICK, ScheduledStart: at(time).DateTime })],
];

async function totalOf(answer: Awaited<ReturnType<Bookable['call']>>): Promise<number | null> {
  expect(answer.status, answer.text).toBe(200);
  const { AppointmentId } = answer.body;
  return slotIn(await company.call('appointments/find', { AppointmentId })).Total;
}

beforeEach(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() }],
    taxRate: { Name: 'Springfield', TaxRate: 10 },
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, Taxable: true }],
  });
  const { contact: ContactId } = company;
  queued = (await company.call('appointments/queue', { ContactId, ServiceName: 'Lawn care' })).body[
    'AppointmentId'
  ] as number;
  // Two bookings and a search, so that this process has read everything just before.
  booked = slotIn(await company.book('Ann', '2027-03-10T09:00')).AppointmentId;
  await company.book('Ann', '2027-03-10T10:00', { ServiceId: 0, ServiceName: 'Lawn care' });
  await company.call('appointments/slotsearch', { ContactId, ServiceId: 1, TargetDate: DAY });
});

describe.each(writes)('%s', (_, write) => {
  test('uses the hours of now', async () => {
    const [agent] = (await company.call('serviceagents/all')).body['Matches'] as { TimeSlots: object[] }[];
    const TimeSlots = weekdays({ StartMinute: 780, Minutes: 120 }).map((hours, index) => ({
      ...agent?.TimeSlots[index],
      ...hours,
    }));
    const ServiceAgents = [{ Id: company.agents['Ann'], TimeSlots }];
    const changed = await company.call('organizations/update', { OrganizationId: 1, ServiceAgents });
    expect(changed.status, changed.text).toBe(200);
    expectFailure(await write('09:00'), 409);
    expect((await write('13:00')).status).toBe(200);
  });

  test('uses the price, the tax and the length of a service that was changed just before', async () => {
    await writeBook(company.accountId, {
      services: [{ Name: 'Lawn care', BasePrice: 80, BaseDuration: 90, Taxable: true }],
    });
    await putSettings(company.accountId, 'NamedTaxRate', [{ Name: 'Springfield', TaxRate: 20 }]);
    expect(await totalOf(await write('09:00'))).toBe(96);
  });

  test('is 409 on a holiday that was added just before, also by another container', async () => {
    await testTable().update({
      update: layout.organization.key({ account: company.accountId, id: 1 }),
      set: { Holidays: [{ Date: DAY, Name: 'Day off' }] },
      add: { V: 1 },
    });
    const answer = await write('09:00');
    expectFailure(answer, 409);
    expect(answer.body['Message']).toContain('Day off');
  });
});

test('queue uses the price of now and knows a service that was renamed just before', async () => {
  const { contact: ContactId } = company;
  await writeBook(company.accountId, { services: [{ Id: 1, Name: 'Meadow care', BasePrice: 80, BaseDuration: 90 }] });
  expectFailure(await company.call('appointments/queue', { ContactId, ServiceName: 'Lawn care' }), 404);
  const answer = await company.call('appointments/queue', { ContactId, ServiceName: 'Meadow care' });
  expect(answer.body).toMatchObject({ Duration: '1 hr 30 min', ServiceName: 'Meadow care' });
});

test('cancel knows a reason that was added just before', async () => {
  expectFailure(await company.call('appointments/cancel', { AppointmentId: booked, CancelReasonId: 99 }), 400);
  const [CancelReasonId] = await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Sold the house' }]);
  const answer = await company.call('appointments/cancel', { AppointmentId: booked, CancelReasonId });
  expect(answer.status, answer.text).toBe(200);
});
