import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callOperation } from '../../../functions/call-operation.ts';
import { DAY as DAY_MILLISECONDS } from '../../../lib/shared/time/time.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { askRoads } from '../../../lib/workflows/roads/ask-roads.ts';
import { layout } from '../../../lib/store/keys.ts';
import { NORTH, SOUTH, crossTown } from '../../support/day-plans.ts';
import { eraseNow } from '../../support/erasures.ts';
import { makeUser, signedIn } from '../../support/office.ts';
import { setClock, useRoads } from '../../support/roads.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';
import { apiEvent, invoke, invokeOffice } from '../../support/stack/invoke.ts';
import { testTable } from '../../support/stack/stack.ts';

/** Drives by a service of roads and addresses; the company starts in Springfield, its client lives in Sherman. */

const roads = useRoads();

const DAY = '2035-03-06';
/** From the center of 62701 to that of 62684: 8.2 miles, 21.3 minutes. */
const ESTIMATE = 22;
const NOT_ANSWERED = 'Drive times are estimates: the service of roads and addresses does not answer.';

let company: Bookable;
beforeEach(async () => {
  company = await bookable({ zip: NORTH });
});
afterEach(() => vi.useRealTimers());

type Answer = Awaited<ReturnType<typeof invoke>>;
const call = (operation: string, body: object): Promise<Answer> => invoke(operation, body, { key: company.key });
const search = (more: object = {}): Promise<Answer> =>
  call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    TargetDate: DAY,
    SlotWindowDays: 1,
    ...more,
  });
/** Minutes of the first drive of a day, which is from StartAddress. */
async function firstDrive(more: object = {}): Promise<number> {
  const answer = await search(more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return slotsIn(answer as never)[0]?.DriveTimeMinutes ?? -1;
}
const driveOf = (answer: { readonly body: object }) => slotIn(answer as never).DriveTimeMinutes;
const bookingAt = (time: string) => ({
  ContactId: company.contact,
  ServiceName: 'Lawn care',
  Slots: [{ DateTime: `${DAY}T${time}`, ServiceAgentId: company.agents['Ann'] }],
});
const book = (time: string): Promise<Answer> => call('appointments/book', bookingAt(time));

describe('drives', () => {
  test('of a search and of the booking of its slot are those by road', async () => {
    expect(await firstDrive()).toBeGreaterThan(1.9 * ESTIMATE);
    const [slot] = slotsIn((await search()) as never);
    const booked = await book('10:00');
    expect(booked.status, JSON.stringify(booked.body)).toBe(200);
    expect(driveOf(booked)).toBe(slot?.DriveTimeMinutes);
    expect(booked.body['Message']).toBe('');
  });

  test('are asked of the service once a week', async () => {
    const before = await firstDrive();
    const asked = roads.drives;
    expect(asked).toBeGreaterThan(0);
    roads.factor = 3;
    expect(await firstDrive()).toBe(before);
    expect(roads.drives).toBe(asked);
    setClock(Date.now() + 8 * DAY_MILLISECONDS);
    expect(await firstDrive()).toBeGreaterThan(before);
    expect(roads.drives).toBe(2 * asked);
  });

  test('are asked in one request of the documented form, in a circle around all places', async () => {
    await firstDrive();
    expect(roads.matrices).toEqual([
      {
        Origins: [{ Position: [expect.closeTo(-89.6, 0), expect.closeTo(39.9, 1)] }],
        Destinations: expect.arrayContaining([{ Position: [expect.any(Number), expect.any(Number)] }]) as unknown,
        RoutingBoundary: { Geometry: { AutoCircle: { MaxRadius: 180_000, Margin: 20_000 } } },
        TravelMode: 'Car',
      },
    ]);
  });

  test('decide whether a slot is offered, and whether it can be booked', async () => {
    await company.book('Ann', `${DAY}T10:00`, { ContactId: (await newClient(SOUTH)).contact });
    const startsOf = async (): Promise<string[]> =>
      slotsIn((await search({ Slots: [{ ServiceAgentId: company.agents['Ann'] }] })) as never).map(({ DateTime }) =>
        DateTime.slice(11, 16),
      );
    const offered = await startsOf();
    // By road it is 47 minutes from Chatham to Sherman twice over: 12:30 is too soon after a visit until 11:00.
    expect(offered).not.toContain('12:00');
    expect((await book('12:00')).status).toBe(409);
    expect(offered.length).toBeGreaterThan(0);
    expect((await book(offered.at(-1) ?? '')).status).toBe(200);
  });

  test('of a preview are those of the booking', async () => {
    const request = bookingAt('10:00');
    const calling = {
      event: apiEvent('appointments/book', request),
      lambda: {} as Context,
      credential: company.key,
      requestId: 'preview',
    };
    const operation = 'appointments/book';
    const shown = await callOperation(calling, { operation, request, mode: { isPreview: true } });
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect(driveOf(shown)).toBeGreaterThan(1.9 * ESTIMATE);
    expect(driveOf(shown)).toBe(driveOf(await book('10:00')));
  });

  test('a plan of a day counts them, and applies as it was shown', async () => {
    const town = await crossTown();
    const plan = (more: object = {}) =>
      invoke('appointments/dayplan', { Date: '2035-03-05', ...more }, { key: town.key });
    const proposed = await plan();
    expect(proposed.status, JSON.stringify(proposed.body)).toBe(200);
    // By great circle it is 188 and 94.
    expect(proposed.body).toMatchObject({ DriveMinutesBefore: expect.closeTo(376, -2) as number, Moves: 2 });
    const applied = await plan({ Apply: true, Revision: proposed.body['Revision'] });
    expect(applied.body).toMatchObject({
      IsApplied: true,
      DriveMinutesAfter: proposed.body['DriveMinutesAfter'],
      Message: '',
    });
  });
});

/** Another client of the company. */
async function newClient(Zip: string, more: object = {}): Promise<{ contact: number }> {
  const made = await company.call('contacts/addupdate', {
    Name: `Client ${Zip}`,
    Email: 'c@example.com',
    Zip,
    ...more,
  });
  const [match] = made.body['Matches'] as { Id: number }[];
  return { contact: match?.Id ?? 0 };
}

describe('addresses', () => {
  const STREET = { Address1: '100 First Street', City: 'Sherman', State: 'IL' };
  /** Five miles north of the center of the postal code. */
  const FARM = { PlaceType: 'PointAddress', Position: [-89.6, 39.97] as const };
  const move = (more: object) => company.call('contacts/addupdate', { Id: company.contact, ...more });

  test('are located once, and again when they change', async () => {
    const center = await firstDrive();
    roads.places = { '100 First Street': FARM };
    await move(STREET);
    const there = await firstDrive();
    expect(there).toBeGreaterThan(center);
    expect(roads.addresses).toEqual([
      expect.objectContaining({
        QueryText: `100 First Street, Sherman, IL ${NORTH}`,
        IntendedUse: 'Storage',
        MaxResults: 1,
      }),
    ]);
    expect(await firstDrive()).toBe(there);
    expect(roads.addresses).toHaveLength(1);
    await move({ Address1: '7 Nowhere Lane' });
    expect(await firstDrive()).toBe(center);
    expect(await firstDrive()).toBe(center);
    expect(roads.addresses).toHaveLength(2);
  });

  test.each([
    ['a city', { PlaceType: 'Locality', Position: FARM.Position }],
    ['a street of the same name far away', { PlaceType: 'Street', Position: [-97, 33] as const }],
  ])('of which only %s is found are at the center of their postal code', async (_, place) => {
    const center = await firstDrive();
    roads.places = { '100 First Street': place };
    await move(STREET);
    expect(await firstDrive()).toBe(center);
  });

  test('where agents start are located too', async () => {
    const center = await firstDrive();
    roads.places = { '1 Depot Road': { PlaceType: 'Street', Position: [-89.65, 39.6] } };
    await company.call('organizations/update', {
      OrganizationId: 1,
      StartAddress: { Address1: '1 Depot Road', City: 'Springfield', State: 'IL', Zip: '62701' },
    });
    await vi.waitFor(async () => expect(await firstDrive()).toBeGreaterThan(center), { timeout: 20_000 });
  });

  test('of an erased client leave nothing', async () => {
    roads.places = { '100 First Street': FARM };
    await move(STREET);
    await firstDrive();
    const place = () => testTable().get(layout.contactPlace.key({ account: company.accountId, id: company.contact }));
    expect(await place()).toMatchObject({ Position: { latitude: 39.97, longitude: -89.6 } });
    expect((await eraseNow(company.accountId, company.contact)).unfinished).toEqual([]);
    expect(await place()).toBeUndefined();
  });
});

test('pages for clients never ask, because anyone can call them', async () => {
  const store = accountStore(testTable(), company.accountId);
  const context = { store, caller: accountCaller(company.accountId), now: new Date(), isClient: true };
  let asked = 0;
  expect(await askRoads(context, async () => ++asked)).toBeUndefined();
  expect(asked).toBe(0);
});

test('the page with the order of a day says that its drives are estimates', async () => {
  setClock('2030-01-01T12:00:00Z');
  roads.isDown = true;
  const town = await crossTown();
  const user = await makeUser(town, { role: 'Office', name: 'Olive Office' });
  const cookie = `office=${(await signedIn(town, user, new Date())).own.get('office')}`;
  const { text } = await invokeOffice('/office/dayplan?date=2035-03-05', { cookies: [cookie] });
  expect(text).toContain('188 min of driving, then 94');
  expect(text).toContain(NOT_ANSWERED);
});

test('without an answer the drives are estimates, the answer says so, and the service rests for a minute', async () => {
  const begin = Date.parse('2030-01-01T12:00:00Z');
  setClock(begin);
  roads.isDown = true;
  const answer = await search();
  expect(answer.body['Message']).toBe(NOT_ANSWERED);
  expect(slotsIn(answer as never)[0]?.DriveTimeMinutes).toBe(ESTIMATE);
  roads.isDown = false;
  expect((await search()).body['Message']).toBe(NOT_ANSWERED);
  expect(roads.matrices).toEqual([]);
  setClock(begin + 61_000);
  expect(await firstDrive()).toBeGreaterThan(1.9 * ESTIMATE);
});
