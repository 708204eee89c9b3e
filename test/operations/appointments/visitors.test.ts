import type { AppointmentSlot } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable, slotsIn } from '../../support/scheduling.ts';
import { testTable } from '../../support/stack/stack.ts';

let company: Bookable;
/** The organization of the company, in Springfield, Illinois; Chatham is some 25 minutes away. */
let key: string;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Nia', Email: 'nia@example.com', TimeSlots: [{ StartMinute: 480, Minutes: 540 }] }],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
  });
  key = await company.newKey({ organizationId: 1 });
});

const request = { ServiceName: 'Lawn care', TargetDate: '2027-03-09', SlotWindowDays: 1 };
const search = async (more: object = {}, by = key): Promise<AppointmentSlot[]> => {
  const answer = await company.call('appointments/slotsearch', { ...request, ...more }, { key: by });
  expect(answer.status, answer.text).toBe(200);
  return slotsIn(answer);
};
const times = (slots: readonly AppointmentSlot[]): string[] => slots.map(({ DateTime }) => DateTime.slice(11, 16));
const quickbook = (slot: AppointmentSlot | undefined, more: object) =>
  company.call(
    'appointments/quickbook',
    { Name: 'Eve Moss', Email: 'eve@example.com', Service: 'Lawn care', ScheduledStart: slot?.DateTime, ...more },
    { key },
  );

describe('slotsearch for a visitor who is no contact yet', () => {
  test.each([{}, { ContactId: 0 }, { ContactId: 0, Zip: '', Address1: '', Slots: [], AddOnParts: [] }])(
    'without a place has the hours of the agents, without drives: %j',
    async (fields) => {
      const slots = await search(fields);
      expect(times(slots)).toEqual(expect.arrayContaining(['08:00', '16:00']));
      expect(slots[0]).toMatchObject({ ContactId: 0, AppointmentId: 0, Total: 50, DriveTimeMinutes: 0, Contact: null });
      expect(await search({ ...fields, IncludeContact: true })).toEqual(slots);
    },
  );

  test('with Zip has the drives from its centre, and quickbook books exactly these slots', async () => {
    const place = { Zip: '62629', Address1: '1 Oak Street', City: 'Chatham', State: 'IL', Country: 'US' };
    const slots = await search(place);
    expect(times(slots)[0]).toBe('08:30');
    expect(slots[0]?.DriveTimeMinutes).toBeGreaterThan(10);
    expectFailure(await quickbook({ ...slots[0], DateTime: '2027-03-09T08:00' } as AppointmentSlot, place), 409);
    const booked = await quickbook(slots[0], place);
    expect(booked.status, booked.text).toBe(200);
    expect(times(await search(place))).not.toContain('08:30');
    const nearby = await search();
    expect((await quickbook(nearby.at(-1), { Zip: '62701' })).status).toBe(200);
  });

  test('at a place that nobody serves or knows has no slot, and says why', async () => {
    const answer = await company.call('appointments/slotsearch', { ...request, Zip: 'nowhere' }, { key });
    expect([answer.status, slotsIn(answer)]).toEqual([200, []]);
    expect(answer.body['Message']).toContain('cannot be located');
  });

  test('holds a slot for quickbook', async () => {
    const answer = await company.call('appointments/slotsearch', { ...request, Zip: '62629', Hold: 1 }, { key });
    const [hold] = answer.body['Holds'] as { Handle: string }[];
    expect(times(await search({ Zip: '62629' }))).not.toContain(times(slotsIn(answer))[0]);
    const [held] = slotsIn(answer);
    expect((await quickbook(held, { Zip: '62629', HoldHandle: hold?.Handle })).status).toBe(200);
  });

  test('with a key of the account is in the organization that owns the postal code, else in the default one', async () => {
    const { accountId } = company;
    await testTable().commit(
      newOrganizationChanges(
        { account: accountId },
        { Id: 2, PublicName: 'Kolkata', Timezone: 'Asia/Kolkata', Country: 'IN' },
      ),
    );
    await testTable().update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
    const owned = await company.call('organizations/update', { OrganizationId: 2, PostalCodes: '700001' });
    expect(owned.status, owned.text).toBe(200);
    expect(await search({ Zip: '700 001' }, company.key)).toEqual([]);
    expect(times(await search({ Zip: '62701' }, company.key)).length).toBeGreaterThan(5);
    expect(times(await search({}, company.key)).length).toBeGreaterThan(5);
  });

  test('for a proposal needs its contact', async () => {
    const made = await company.call('proposal/create', { ContactId: company.contact, ServiceName: 'Lawn care' });
    const answer = await company.call('appointments/slotsearch', { ...request, RootProposalId: made.body['Id'] });
    expectFailure(answer, 400);
    expect(answer.text).toContain('ContactId');
  });
});
