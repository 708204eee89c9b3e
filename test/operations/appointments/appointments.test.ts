import type { AppointmentSlot } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../lib/store/requests/caller.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { transactionalPuts } from '../../../lib/store/dynamodb/transactional-puts.ts';
import { layout } from '../../../lib/store/keys.ts';
import { searchSlots } from '../../../lib/workflows/appointments/search-slots.ts';
import { downloadRows } from '../../support/download-rows.ts';
import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable, slotIn, slotsIn, times, weekdays } from '../../support/scheduling.ts';
import { eventsOf } from '../../support/stack/branches.ts';
import { type TestAnswer, drainEvents, testTable } from '../../support/stack/stack.ts';
import { callerContext } from '../../../lib/workflows/context.ts';

let company: Bookable;
let admin: string;
let agentKey: string;

beforeAll(async () => {
  company = await bookable({
    agents: [
      { Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() },
      { Name: 'Ben', Email: 'ben@example.com', TimeSlots: weekdays() },
      { Name: 'Cy', Email: 'cy@example.com', TimeSlots: weekdays({ ServiceCategoryName: 'Trees' }) },
      {
        Name: 'Dee',
        Email: 'dee@example.com',
        TimeSlots: [0, 1].map((DayOfWeek) => ({
          DayOfWeek,
          StartMinute: 0,
          Minutes: 1440,
          ServiceCategoryName: 'Nights',
        })),
      },
    ],
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Mulch', BasePrice: 20, UnitPrice: 10, BaseDuration: 30, UnitDuration: 15 },
      { Name: 'Felling', Category: 'Trees', BasePrice: 400, BaseDuration: 600 },
      { Name: 'Watch', Category: 'Nights', BasePrice: 10, BaseDuration: 30 },
    ],
  });
  [admin, agentKey] = await Promise.all([company.newKey({ role: 'Admin' }), company.newKey({ role: 'ServiceAgent' })]);
});

const search = (more: object = {}) =>
  company.call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    SlotWindowDays: 1,
    ...more,
  });
const update = (AppointmentId: number, more: object, key = company.key) =>
  company.call('appointments/update', { AppointmentId, ...more }, { key });
const move = (id: number, DateTime: string, more: object = {}) => update(id, { Slots: [{ DateTime, ...more }] });
const find = async (AppointmentId: number): Promise<AppointmentSlot> =>
  slotIn(await company.call('appointments/find', { AppointmentId }));
const message = ({ body }: TestAnswer) => body['Message'] as string;
const booked = async (agent: string, at: string, more: object = {}) =>
  slotIn(await company.book(agent, at, more)).AppointmentId;

describe('appointments/slotsearch', () => {
  test('a slot can be booked once, and is not in the next search', async () => {
    const request = { TargetDate: '2027-03-09' };
    const before = slotsIn(await search(request));
    expect(times(before).slice(0, 3)).toEqual(['08:00 Ann', '08:00 Ben', '08:30 Ann']);
    const [offered] = before;
    expect(offered).toMatchObject({
      DateTime: '2027-03-09T08:00:00-06:00',
      DateTimeFormatted: 'Tue, Mar 9 2027 8:00 AM',
      Duration: 60,
      DurationFormatted: '1 hr',
      Total: 50,
      Status: null,
    });
    const body = { ContactId: company.contact, ServiceName: 'Lawn care', Slots: [offered] };
    const made = slotIn(await company.call('appointments/book', body));
    expect(made).toMatchObject({
      DateTime: offered?.DateTime,
      Status: 1,
      ServiceAgentName: 'Ann',
      Total: 50,
      Duration: 60,
    });
    expect([made.TrackingUrl, made.TipUrl]).toEqual([expect.stringContaining('/c/visit/'), '']);
    expect(times(slotsIn(await search(request))).slice(0, 3)).toEqual(['08:00 Ben', '08:30 Ben', '09:00 Ann']);
    expect(times(slotsIn(await search({ ...request, AppointmentId: made.AppointmentId })))[0]).toBe('08:00 Ann');
    const again = await company.call('appointments/book', body);
    expectFailure(again, 409);
    expect(message(again)).toMatch(/^Slot taken: Ann is taken/);
  });

  test('quantity, discount and duration change the price and the length', async () => {
    const mulch = { ServiceName: 'Mulch', TargetDate: '2027-03-10' };
    expect(slotsIn(await search({ ...mulch, Quantity: 4 }))[0]).toMatchObject({ Quantity: 4, Total: 60, Duration: 90 });
    expect(slotsIn(await search({ ...mulch, Quantity: 4, Discount: 5 }))[0]).toMatchObject({ Total: 55, Discount: 5 });
    expect(slotsIn(await search({ ...mulch, Duration: '2h' }))[0]).toMatchObject({ Duration: 120 });
    expect(times(slotsIn(await search({ ...mulch, Duration: '9:00' })))).toEqual(['08:00 Ann', '08:00 Ben']);
  });

  test.each([
    ['Morning', '08:00', '11:30'],
    ['Afternoon', '12:00', '16:00'],
    ['10:00-11:00', '10:00', '10:30'],
  ])('Timeframe %s is from %s to %s', async (Timeframe, first, last) => {
    const found = slotsIn(await search({ TargetDate: '2027-03-11', Timeframe })).map(({ DateTime }) =>
      DateTime.slice(11, 16),
    );
    expect([found[0], found.at(-1)]).toEqual([first, last]);
  });

  test('on days when clocks change, slots have the hours and offsets of the day', async () => {
    const watch = { ServiceName: 'Watch', Timeframe: '00:00-04:00' };
    const spring = slotsIn(await search({ ...watch, TargetDate: '2027-03-14' })).map(({ DateTime }) => DateTime);
    expect(spring).toEqual(
      ['00:00', '00:30', '01:00', '01:30']
        .map((time) => `2027-03-14T${time}:00-06:00`)
        .concat(['03:00', '03:30'].map((time) => `2027-03-14T${time}:00-05:00`)),
    );
    const fall = slotsIn(await search({ ...watch, TargetDate: '2027-11-07' })).map(({ DateTime }) => DateTime);
    expect(fall).toContain('2027-11-07T01:30:00-05:00');
    expect(fall).toContain('2027-11-07T02:00:00-06:00');
  });

  test.each([
    [
      { ServiceName: 'Felling', TargetDate: '2027-03-09' },
      /^The work takes 10 hr\. No start leaves more than 9 hr on /,
    ],
    [{ TargetDate: '2027-03-13' }, /None of the 2 service agents who can do this works on Sat, Mar 13 2027/],
    [{ TargetDate: '2020-03-09' }, /in the past/],
  ])('an empty answer to %j has the reason', async (request, why) => {
    const answer = await search(request);
    expect([answer.status, slotsIn(answer)]).toEqual([200, []]);
    expect(message(answer)).toMatch(why);
  });

  test('an address that cannot be located, or is too far away, is the reason', async () => {
    const add = async (Zip: string) =>
      (
        (await company.call('contacts/addupdate', { Name: `Far ${Zip}`, Email: `far${Zip}@example.com`, Zip })).body[
          'Matches'
        ] as { Id: number }[]
      )[0]?.Id;
    const nowhere = await search({ ContactId: await add('00001'), TargetDate: '2027-03-09' });
    expect([slotsIn(nowhere), message(nowhere)]).toEqual([[], expect.stringContaining('cannot be located')]);
    const far = await search({ ContactId: await add('10001'), TargetDate: '2027-03-09' });
    expect([slotsIn(far), message(far)]).toEqual([[], expect.stringContaining('too far away')]);
  });

  test.each([
    [{ ServiceName: '' }, 400, 'ServiceId'],
    [{ ServiceName: 'Nothing' }, 404, 'ServiceName'],
    [{ ContactId: 999 }, 404, 'ContactId'],
    [{ Timeframe: 'Noon' }, 400, 'Timeframe'],
    [{ TargetDate: 'soon' }, 400, 'TargetDate'],
    [{ SlotWindowDays: 61 }, 400, 'SlotWindowDays'],
    [{ Quantity: -1 }, 400, 'Quantity'],
    [{ Duration: 'long' }, 400, 'Duration'],
    [{ AddOnParts: [{ PartId: 9 }] }, 400, 'AddOnParts[0].PartId'],
  ])('%j fails with %i for %s', async (request, code, field) => {
    const answer = await search(request);
    expectFailure(answer, code);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toContain(field);
  });
});

describe('appointments/book', () => {
  test.each([
    ['2027-04-05T07:00', /outside Ann's working hours/],
    ['2027-04-05T16:30', /outside Ann's working hours/],
    ['2027-04-04T09:00', /Ann does not work on Sun/],
  ])('a start at %s is 409 with the rule it breaks', async (at, why) => {
    const answer = await company.book('Ann', at);
    expectFailure(answer, 409);
    expect(message(answer)).toMatch(why);
    expect(slotIn(await company.book('Ann', at, { SkipConflictChecks: true })).Status).toBe(1);
  });

  test('an appointment that runs into the next is 409, as is one that starts in it', async () => {
    await booked('Ben', '2027-04-06T10:00');
    for (const at of ['2027-04-06T09:30', '2027-04-06T10:00', '2027-04-06T10:30'])
      expectFailure(await company.book('Ben', at), 409);
    for (const at of ['2027-04-06T09:00', '2027-04-06T11:00']) expect((await company.book('Ben', at)).status).toBe(200);
  });

  test('the time of every agent is reserved', async () => {
    const { Ann, Ben } = company.agents;
    const Slots = [
      {
        DateTime: '2027-04-07T09:00',
        ServiceAgentId: Ann,
        AdditionalServiceAgents: [{ ServiceAgent: { Email: 'ben@example.com' }, StartMinute: 600, Duration: 120 }],
      },
    ];
    const made = slotIn(await company.book('Ann', '', { Slots }));
    expect(made.AdditionalServiceAgents).toMatchObject([
      { StartMinute: 600, Duration: 120, ServiceAgent: { Id: Ben, Name: 'Ben', Email: 'ben@example.com' } },
    ]);
    expectFailure(await company.book('Ben', '2027-04-07T11:00'), 409);
    expect((await company.book('Ben', '2027-04-07T09:00')).status).toBe(200);
    const twice = await company.book('Ann', '', {
      Slots: [
        { DateTime: '2027-04-08T09:00', ServiceAgentId: Ann, AdditionalServiceAgents: [{ ServiceAgent: { Id: Ann } }] },
      ],
    });
    expectFailure(twice, 400);
  });

  test.each([
    [{ Slots: [] }, 400, 'Slots[0].DateTime'],
    [{ Slots: [{ DateTime: '2027-04-05', ServiceAgentId: 1 }] }, 400, 'Slots[0].DateTime'],
    [{ Slots: [{ DateTime: '2027-03-14T02:30', ServiceAgentId: 1 }] }, 400, 'Slots[0].DateTime'],
    [{ Slots: [{ DateTime: '2027-04-05T09:00', ServiceAgentId: 99 }] }, 404, 'Slots[0].ServiceAgentId'],
    [{ NotificationUri: 'http://example.com/x' }, 400, 'NotificationUri'],
    [{ ThirdPartyUrl: 'javascript:alert(1)' }, 400, 'ThirdPartyUrl'],
    [{ AppointmentId: 9999 }, 404, 'AppointmentId'],
  ])('%j fails with %i for %s', async (more, code, field) => {
    const answer = await company.book('Ann', '2027-04-05T13:00', more);
    expectFailure(answer, code);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toContain(field);
  });

  test('moments are in the date style of the key', async () => {
    const us = await company.newKey({ dateStyle: 'us' });
    const made = slotIn(await company.book('Ann', '4/12/2027 9:00 AM', { IncludeContact: true }, { key: us }));
    expect(made).toMatchObject({
      DateTime: '4/12/2027 9:00:00 AM',
      DateTimeFormatted: 'Mon, Apr 12 2027 9:00 AM',
      Contact: { Id: company.contact, Name: 'José García' },
    });
    expect((await find(made.AppointmentId)).DateTime).toBe('2027-04-12T09:00:00-05:00');
  });
});

describe('appointments/update', () => {
  test('the old slot is released only when the new one is booked', async () => {
    const id = await booked('Ann', '2027-05-03T09:00');
    await booked('Ann', '2027-05-03T13:00');
    expectFailure(await move(id, '2027-05-03T12:30'), 409);
    expectFailure(await company.book('Ann', '2027-05-03T09:00'), 409);
    expect(slotIn(await move(id, '2027-05-03T09:30')).DateTime).toBe('2027-05-03T09:30:00-05:00');
    expect(slotIn(await move(id, '2027-05-04T09:00', { ServiceAgentId: company.agents['Ben'] })).ServiceAgentName).toBe(
      'Ben',
    );
    expect((await company.book('Ann', '2027-05-03T09:00')).status).toBe(200);
    expectFailure(await company.book('Ben', '2027-05-04T09:30'), 409);
  });

  test('another quantity changes price and length; otherwise the price stays fixed', async () => {
    const id = await booked('Ann', '2027-05-05T09:00', { ServiceId: company.services['Mulch'], Quantity: 2 });
    expect(await find(id)).toMatchObject({ Total: 40, Duration: 60 });
    expect(slotIn(await update(id, { Quantity: 6 }))).toMatchObject({ Total: 80, Duration: 120, Quantity: 6 });
    expect(slotIn(await update(id, { Duration: '45' }))).toMatchObject({ Total: 80, Duration: 45 });
    expect(slotIn(await update(id, { Discount: 10 }))).toMatchObject({ Total: 70, Duration: 45, Discount: 10 });
  });

  test('notes are appended with the time; an update without changes stores nothing', async () => {
    const id = await booked('Ann', '2027-05-06T09:00', { Notes: 'Gate left.' });
    const noted = await update(id, { UpdateNote: 'Dog in the yard.' }, agentKey);
    expect(noted.body['Notes']).toMatch(/^Gate left\.\n\w{3}, \w{3} \d+ \d{4} \d+:\d\d [AP]M: Dog in the yard\.$/);
    const slot = await find(id);
    expect(slotIn(await update(id, { Slots: [slot] }))).toEqual(slot);
  });

  test('actuals start and complete an appointment; the contact becomes a customer; only an Admin reopens it', async () => {
    const id = await booked('Ben', '2027-05-07T09:00');
    const started = slotIn(await update(id, { UpdateActuals: true, ActualStart: '2027-05-07T09:05' }, agentKey));
    expect(started).toMatchObject({ Status: 2, ActualStart: '2027-05-07T09:05:00-05:00', ActualDuration: null });
    expectFailure(await update(id, { UpdateActuals: true, ActualFinish: '2027-05-07T09:00' }), 400);
    expect(slotIn(await update(id, { UpdateActuals: true, ActualFinish: '2027-05-07T09:50' }))).toMatchObject({
      Status: 3,
      ActualDuration: 45,
    });
    const contact = await company.call('contacts/locate', { IdSearch: company.contact });
    expect((contact.body['Matches'] as { IsCustomer: boolean }[])[0]?.IsCustomer).toBe(true);
    const moving = await move(id, '2027-05-07T11:00');
    expectFailure(moving, 409);
    expect(message(moving)).toContain('Completed');
    expectFailure(await update(id, { Slots: [{ Status: 2 }] }, agentKey), 403);
    expect(slotIn(await update(id, { Slots: [{ Status: 2 }] }, admin)).Status).toBe(2);
    expectFailure(await update(id, { Slots: [{ Status: 0 }] }), 409);
  });

  test('a callback URL can be set, changed and cleared', async () => {
    const id = await booked('Ben', '2027-05-10T09:00', {
      NotificationUri: 'https://example.com/a',
      EnRouteUri: 'http://localhost:8080/b',
    });
    expect(await find(id)).toMatchObject({ NotificationUri: 'https://example.com/a' });
    const cleared = await update(id, { NotificationUri: null, ThirdPartyUrl: 'https://example.com/c' });
    expect(slotIn(cleared)).toMatchObject({ NotificationUri: '', ThirdPartyUrl: 'https://example.com/c' });
    expect(cleared.body['EnRouteUri']).toBe('http://localhost:8080/b');
  });
});

describe('appointments/cancel, appointments/queue', () => {
  test('cancel requires a reason and lists the reasons; a second cancel is 409', async () => {
    const id = await booked('Ann', '2027-05-11T09:00');
    for (const reason of [{}, { CancelReasonId: 99 }]) {
      const refused = await company.call('appointments/cancel', { AppointmentId: id, ...reason });
      expectFailure(refused, 400);
      expect(message(refused)).toContain('1 Customer canceled, 2 Customer not home, 3 Weather');
    }
    const canceled = await company.call('appointments/cancel', {
      AppointmentId: id,
      CancelReasonId: 3,
      UpdateNote: 'Storm.',
    });
    const cancellation = {
      CancelReasonId: 3,
      CancelReason: 'Weather',
      CanceledBy: expect.stringMatching(/./) as string,
      CanceledAt: expect.stringMatching(/T\d\d:\d\d:\d\d-0[56]:00$/) as string,
    };
    expect(slotIn(canceled)).toMatchObject({ Status: 4, ...cancellation });
    expect(canceled.body['CancelReasonId']).toBe(3);
    const again = await company.call('appointments/cancel', { AppointmentId: id, CancelReasonId: 3 });
    expectFailure(again, 409);
    expect(message(again)).toBe('The appointment is Canceled, which cannot become Canceled.');
    expect((await company.book('Ann', '2027-05-11T09:00')).status).toBe(200);
    const office = await company.newKey({ role: 'Office' });
    expectFailure(await update(id, { Slots: [{ Status: 1 }] }, agentKey), 403);
    expectFailure(await update(id, { Slots: [{ Status: 1 }] }, office), 409);
    expect(slotIn(await update(id, { Slots: [{ Status: 1, DateTime: '2027-05-11T13:00' }] }, office))).toMatchObject({
      Status: 1,
      CancelReasonId: null,
      CancelReason: '',
      CanceledBy: '',
      CanceledAt: null,
    });
  });

  test('find, query, events and the download have why, by whom and when it was canceled, and the notes of the office', async () => {
    const booking = await company.call('appointments/quickbook', {
      ContactId: company.contact,
      Service: 'Lawn care',
      ScheduledStart: '2027-05-25T09:00',
      InternalNotes: 'Dog in the yard',
    });
    const AppointmentId = booking.body['AppointmentId'] as number;
    const key = await company.newKey({ role: 'Office', name: 'Front desk' });
    await company.call('appointments/cancel', { AppointmentId, CancelReasonId: 2 }, { key });
    const shown = {
      CancelReasonId: 2,
      CancelReason: 'Customer not home',
      CanceledBy: 'Front desk',
      CanceledAt: expect.stringMatching(/T\d\d:\d\d:\d\d-0[56]:00$/) as string,
      InternalNotes: 'Dog in the yard',
    };
    const found = await company.call('appointments/find', { SearchDate: '2027-05-25', IncludeCompleted: true });
    expect(slotsIn(found)).toEqual([expect.objectContaining({ AppointmentId, ...shown })]);
    const queried = await company.call('appointments/query', { FromDate: '2027-05-25', ThroughDate: '2027-05-25' });
    expect(queried.body['Appointments']).toEqual([expect.objectContaining({ AppointmentId, ...shown })]);
    const events = (await eventsOf(company)).filter(({ Kind }) => Kind === 'appointment.canceled');
    expect(events.at(-1)?.Data).toMatchObject({ AppointmentId, ...shown });
    const rows = await downloadRows(company, {
      Kind: 'appointments',
      DateFrom: '2027-05-25',
      DateThrough: '2027-05-25',
      Appointments: { Canceled: true },
    });
    expect(rows).toEqual([
      expect.objectContaining({
        Id: AppointmentId,
        CancelReason: 'Customer not home',
        CanceledBy: 'Front desk',
        InternalNotes: 'Dog in the yard',
      }),
    ]);
  });

  test('a queued appointment takes no time, and can be booked from the queue', async () => {
    const body = {
      ContactId: company.contact,
      ServiceName: 'Lawn care',
      QueueDate: '5/12/2027',
      Demand: 3,
      Notes: 'When dry',
      CallCenterTransactionId: 601,
    };
    const queued = await company.call('appointments/queue', body);
    expect(queued.body).toMatchObject({
      QueueDate: '2027-05-12',
      Demand: 3,
      Duration: '1 hr',
      ServiceName: 'Lawn care',
    });
    expect((await company.call('appointments/queue', body)).body).toEqual(queued.body);
    const AppointmentId = queued.body['AppointmentId'] as number;
    expect(await find(AppointmentId)).toMatchObject({
      Status: 0,
      DateTime: '2027-05-12T00:00:00-05:00',
      ServiceAgentId: 0,
      Total: 50,
    });
    const made = await company.book('Ann', '2027-05-12T09:00', { AppointmentId, ContactId: 0, ServiceId: 0 });
    expect(slotIn(made)).toMatchObject({ AppointmentId, Status: 1, DateTime: '2027-05-12T09:00:00-05:00' });
    expect(made.body['Notes']).toBe('When dry');
    expectFailure(await company.book('Ann', '2027-05-12T11:00', { AppointmentId }), 409);
    expect((await company.call('appointments/queue', { AppointmentId })).body).toMatchObject({
      AppointmentId,
      QueueDate: '2027-05-12',
    });
    expect((await company.book('Ann', '2027-05-12T09:00')).status).toBe(200);
  });
});

describe('appointments/find, appointments/query', () => {
  test('by contact, day, agent and change, with exact counts and pages', async () => {
    const own = await bookable();
    const ids: number[] = [];
    for (const at of ['09:00', '10:00', '11:00', '13:00'])
      ids.push(slotIn(await own.book('Ann', `2027-06-01T${at}`)).AppointmentId);
    const { Ann, Ben } = own.agents;
    const helped = slotIn(
      await own.book('Ben', '', {
        Slots: [
          {
            DateTime: '2027-06-02T09:00',
            ServiceAgentId: Ben,
            AdditionalServiceAgents: [{ ServiceAgent: { Id: Ann } }],
          },
        ],
      }),
    ).AppointmentId;
    await own.call('appointments/cancel', { AppointmentId: ids[0], CancelReasonId: 1 });
    const idsIn = (answer: TestAnswer) =>
      ((answer.body['Appointments'] ?? answer.body['Slots']) as AppointmentSlot[]).map(
        ({ AppointmentId }) => AppointmentId,
      );
    const query = (request: object) => own.call('appointments/query', request);
    const page = await query({ FromDate: '2027-06-01', ThroughDate: '2027-06-01', Take: 2 });
    expect([page.body['Count'], idsIn(page)]).toEqual([4, ids.slice(0, 2)]);
    expect(idsIn(await query({ FromDate: '2027-06-01', ThroughDate: '2027-06-01', Take: 2, Skip: 2 }))).toEqual(
      ids.slice(2),
    );
    expect(idsIn(await query({ ServiceAgentId: Ann }))).toEqual([...ids, helped]);
    expect(idsIn(await query({ ServiceAgentId: Ben }))).toEqual([helped]);
    expect(idsIn(await query({ ContactId: own.contact, FromDate: '2027-06-02' }))).toEqual([helped]);
    expect((await query({ UpdatedFrom: new Date(Date.now() - 60_000).toISOString() })).body['Count']).toBe(5);
    const contacts = (await query({ IncludeContact: true })).body['Appointments'] as AppointmentSlot[];
    expect(new Set(contacts.map(({ Contact }) => Contact?.Name))).toEqual(new Set(['José García']));
    expect(idsIn(await own.call('appointments/find', { SearchDate: '2027-06-01' }))).toEqual(ids.slice(1));
    expect(idsIn(await own.call('appointments/find', { ContactId: own.contact, IncludeCompleted: true }))).toEqual([
      ...ids,
      helped,
    ]);
    expect(idsIn(await own.call('appointments/find', { AppointmentId: ids[0] }))).toEqual([ids[0]]);
    expect(idsIn(await own.call('appointments/find', { AppointmentId: 9999 }))).toEqual([]);
    expectFailure(await own.call('appointments/find', {}), 400);
    expectFailure(await query({ FromDate: '2027-06-02', ThroughDate: '2027-06-01' }), 400);
  });
});

describe('appointments/quickbook', () => {
  const lead = {
    Name: 'Ann Lee',
    Email: 'ann.lee@example.com',
    PriPhone: '(217) 555-0177',
    Zip: '62704',
    Service: 'lawn CARE',
    Unsubscribed: false,
    Tags: ['Web'],
  };
  const quickbook = (more: object) => company.call('appointments/quickbook', { ...lead, ...more });

  test('creates contact and appointment in one call, and finds the contact in the next call', async () => {
    const first = await quickbook({
      ScheduledStart: '2027-07-06T09:00',
      ServiceAgentEmail: 'BEN@example.com',
      CustomerNotes: 'Ring twice',
    });
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({
      ServiceAgentEmail: 'ben@example.com',
      ScheduledStart: '2027-07-06T14:00:00Z',
      Confirmed: true,
      Tentative: false,
      Duration: 60,
    });
    const { AppointmentId, TrackingUrl } = first.body;
    expect(TrackingUrl).toBe((await find(AppointmentId as number)).TrackingUrl);
    expect(TrackingUrl).toContain('/c/visit/');
    const second = await quickbook({ ScheduledStart: '2027-07-06T13:00', PriPhone: '', Name: '' });
    expect(second.body['ContactId']).toBe(first.body['ContactId']);
    const found = await company.call('contacts/locate', { EmailSearch: lead.Email });
    expect(found.body['Matches']).toMatchObject([{ Name: 'Ann Lee', Phone: '(217) 555-0177', Tags: ['Web'] }]);
  });

  test('a failed booking creates no contact', async () => {
    expectFailure(
      await quickbook({ Email: 'nobody@example.com', PriPhone: '', ScheduledStart: '2027-07-04T09:00' }),
      409,
    );
    expect((await company.call('contacts/locate', { EmailSearch: 'nobody@example.com' })).body['Matches']).toEqual([]);
  });

  test('a Tentative appointment takes its time until it is confirmed or released', async () => {
    const request = {
      ScheduledStart: '2027-07-07T09:00',
      ServiceAgentEmail: 'ann@example.com',
      Tentative: true,
      CallCenterTransactionId: 701,
    };
    const held = await quickbook(request);
    expect(held.body).toMatchObject({ Tentative: true, Confirmed: false });
    expect((await quickbook(request)).body).toEqual(held.body);
    expectFailure(await company.book('Ann', '2027-07-07T09:00'), 409);
    const id = held.body['AppointmentId'] as number;
    expect((await find(id)).Status).toBe(5);
    expect(slotIn(await update(id, { Slots: [{ Status: 1 }] })).Status).toBe(1);
  });

  test.each([
    [{ Service: 'Nothing', FirstAvailable: true }, 404],
    [{ ServiceAgentEmail: 'x@example.com', FirstAvailable: true }, 404],
    [{}, 400],
    [{ ScheduledStart: '2027-07-06' }, 400],
    [{ ContactId: 9999, FirstAvailable: true }, 404],
    [{ FirstAvailable: true, Tentative: true, Confirmed: true }, 400],
    [{ FirstAvailable: true, EnRouteUri: 'ftp://example.com' }, 400],
  ])('%j fails with %i', async (more, code) => {
    expectFailure(await quickbook(more), code);
  });
});

describe('appointments/addtip, appointments/feedback', () => {
  test('tips of a Started or Completed appointment are above 0 and add up exactly', async () => {
    const id = await booked('Ben', '2027-08-02T09:00');
    const tip = (Amount: number) => company.call('appointments/addtip', { AppointmentId: id, Amount });
    expectFailure(await tip(5), 409);
    await update(id, { UpdateActuals: true, ActualStart: '2027-08-02T09:00' });
    for (const amount of [0, -1, 0.00001]) expectFailure(await tip(amount), 400);
    expect((await tip(0.1)).body['Amount']).toBe(0.1);
    expect((await tip(0.2)).body['Amount']).toBe(0.3);
  });

  test('feedback by handle or id is replaced by a later one; contradictions fail', async () => {
    const made = slotIn(await company.book('Ben', '2027-08-03T09:00'));
    await drainEvents();
    const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
    const booking = (body['Events'] as { Payload: { Data: Record<string, unknown> | null } }[]).find(
      ({ Payload }) => Payload.Data?.['AppointmentId'] === made.AppointmentId,
    );
    const HashKey = booking?.Payload.Data?.['HashKey'];
    const give = (input: object) => company.call('appointments/feedback', { HashKey, ...input });
    expect((await give({ Score: 3, Negative: true, Note: 'Late', ContactMe: true })).body).toMatchObject({
      Id: made.AppointmentId,
      HashKey,
      Score: 3,
      Negative: true,
      Positive: null,
      ContactMe: true,
    });
    expect(
      (await company.call('appointments/feedback', { Id: made.AppointmentId, Score: 9, Positive: true })).body,
    ).toMatchObject({ Score: 9, Negative: null, Note: '' });
    for (const input of [{}, { Score: 11 }, { Positive: true, Negative: true }]) expectFailure(await give(input), 400);
    expectFailure(await company.call('appointments/feedback', { HashKey: 'x'.repeat(22), Score: 1 }), 404);
    expectFailure(await company.call('appointments/feedback', { Score: 1 }), 400);
  });
});

test('every change is one event of its kind', async () => {
  const own = await bookable();
  const { AppointmentId } = slotIn(await own.book('Ann', '2027-09-01T09:00'));
  const change = (more: object) => own.call('appointments/update', { AppointmentId, ...more });
  await change({ Slots: [{ DateTime: '2027-09-01T10:00' }] });
  await change({ UpdateNote: 'Noted' });
  await own.call('appointments/queue', { AppointmentId });
  await own.book('Ann', '2027-09-01T11:00', { AppointmentId });
  await change({ UpdateActuals: true, ActualStart: '2027-09-01T11:00' });
  await change({ UpdateActuals: true, ActualFinish: '2027-09-01T12:00' });
  await own.call('appointments/addtip', { AppointmentId, Amount: 5 });
  await own.call('appointments/feedback', { Id: AppointmentId, Score: 10 });
  const other = slotIn(await own.book('Ann', '2027-09-02T09:00')).AppointmentId;
  await own.call('appointments/cancel', { AppointmentId: other, CancelReasonId: 1 });
  await drainEvents();
  const { body } = await own.call('datasubscriber/fetch', { EventCount: 100 });
  const events = (
    body['Events'] as { Payload: { Kind: string; TransactionKind: number | null; Data: { DateTime: string } } }[]
  ).filter(({ Payload }) => Payload.Kind.startsWith('appointment.'));
  expect(events.map(({ Payload }) => Payload.Kind.slice(12))).toEqual([
    'booked',
    'rescheduled',
    'updated',
    'queued',
    'booked',
    'started',
    'completed',
    'tipped',
    'feedback',
    'booked',
    'canceled',
  ]);
  expect(new Set(events.map(({ Payload }) => Payload.TransactionKind))).toEqual(new Set([1]));
  expect(events[1]?.Payload.Data.DateTime).toBe('2027-09-01T10:00:00-05:00');
});

test('a key of another organization sees and changes nothing', async () => {
  const { AppointmentId } = slotIn(await company.book('Ben', '2027-10-04T09:00'));
  await company.call('organizations/create', { Name: 'Elsewhere' });
  const key = await company.newKey({ role: 'Owner', organizationId: 2 });
  const asElse = (operation: string, body: object) => company.call(`appointments/${operation}`, body, { key });
  for (const [operation, body] of [
    ['update', { UpdateNote: 'x' }],
    ['cancel', { CancelReasonId: 1 }],
    ['addtip', { Amount: 1 }],
    ['queue', {}],
  ] as const) {
    expectFailure(await asElse(operation, { AppointmentId, ...body }), 404);
  }
  expect(slotsIn(await asElse('find', { AppointmentId }))).toEqual([]);
  expect((await asElse('query', { FromDate: '2027-10-04' })).body['Count']).toBe(0);
});

describe('slotsearch in an organization of 90 agents with 12 appointments each day', () => {
  const AGENTS = 90;
  const DAYS = 18;
  const DAY = 86_400_000;
  const MONDAY = Date.UTC(2027, 2, 1);
  const CLOCK_8 = 14 * 3_600_000;
  let large: Bookable;

  beforeAll(async () => {
    const agents = Array.from({ length: AGENTS }, (_, index) => ({
      Name: `Agent ${index}`,
      Email: `${index}@example.com`,
      TimeSlots: weekdays(),
    }));
    large = await bookable({ agents });
    const days = Array.from({ length: DAYS }, (_, day) => MONDAY + day * DAY);
    const date = (at: number) => new Date(at).toISOString().slice(0, 10);
    const calendars = days.flatMap((at) =>
      Object.values(large.agents).map((agent) => ({
        ...layout.calendar.key({
          account: large.accountId,
          organization: large.organizationId,
          week: date(MONDAY + Math.floor((at - MONDAY) / DAY / 7) * 7 * DAY),
          day: date(at),
          agent,
        }),
        Agent: agent,
        Day: date(at),
        Jobs: Array.from({ length: 12 }, (_, place) => {
          const S = at + CLOCK_8 + place * 45 * 60_000;
          return { A: 1_000_000 + agent * 100 + place, S, E: S + 45 * 60_000, P: [39.8, -89.65] };
        }),
        V: 1,
      })),
    );
    await transactionalPuts(testTable()).putMany(calendars);
  });

  const searched = async (more: object) => {
    const table = openTable();
    const caller = { account: large.accountId, organizationId: null, dateStyle: 'iso' } as unknown as Caller;
    const request = { ContactId: large.contact, ServiceName: 'Lawn care', SlotWindowDays: 21, ...more };
    const { slots, message } = await searchSlots(request, callerContext(table, caller, new Date(MONDAY - 30 * DAY)));
    return { slots: slots.length, message, ...table.meter.usage };
  };

  test('costs at most 120 read units and 4 rounds, says how far it came, and goes on from there', async () => {
    await searched({ SlotWindowDays: 1, TargetDate: '2027-03-01' });
    const first = await searched({ TargetDate: '2027-03-01' });
    expect(first.message).toMatch(/^Fully booked .* The search stopped after \w+, Mar \d+ 2027, because/);
    expect([first.slots, first.rounds <= 4, first.readUnits > 80, first.readUnits <= 120]).toEqual([
      0,
      true,
      true,
      true,
    ]);
    const [, next = ''] = /Continue with TargetDate (2027-03-\d\d)/.exec(first.message) ?? [];
    expect(next > '2027-03-08').toBe(true);
    const second = await searched({ TargetDate: next });
    expect(second).toMatchObject({ slots: 500, message: expect.stringMatching(/^The search stopped at 500 slots/) });
    expect([second.rounds <= 4, second.readUnits <= 120]).toEqual([true, true]);
  });

  test('finds the days of one agent in a unit a day, whatever the others have', async () => {
    const Slots = [{ ServiceAgentId: large.agents['Agent 7'] }];
    const found = await searched({ TargetDate: '2027-03-01', Slots });
    expect([found.slots > 0, found.message, found.readUnits <= 20]).toEqual([true, '', true]);
  });
});
