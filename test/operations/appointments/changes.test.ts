import type { AppointmentRecord, AppointmentSlot } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { withLeadChanges } from '../../../lib/workflows/appointments/quickbook-appointment.ts';
import { fieldsOf } from '../../support/stack/branches.ts';
import { expectFailure } from '../../support/failed.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn, slotsIn, weekdays } from '../../support/scheduling.ts';
import { drainEvents } from '../../support/stack/stack.ts';

let company: Bookable;
let parts: Readonly<Record<string, number>>;
let withGate: number;

beforeAll(async () => {
  company = await bookable({
    agents: ['Ann', 'Ben', 'Cy'].map((Name) => ({ Name, TimeSlots: weekdays() })),
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Mulch', BasePrice: 20, UnitPrice: 10, BaseDuration: 30, UnitDuration: 15 },
      { Name: 'Fence', UnitPrice: 10, BaseDuration: 60, QuantityFormula: 'gates * 2' },
    ],
    customFields: [{ Name: 'Gates', Shortcode: 'gates', Type: 1 }],
  });
  withGate = company.services['Fence'] ?? 0;
  const { book } = await writeBook(company.accountId, {
    parts: [
      { Name: 'Rope', UnitPrice: 5 },
      { Name: 'Edge', UnitPrice: 8 },
    ],
  });
  parts = { Rope: findId(book, 'parts', 'Rope'), Edge: findId(book, 'parts', 'Edge') };
});

const update = (AppointmentId: number, more: object) => company.call('appointments/update', { AppointmentId, ...more });
const find = async (AppointmentId: number): Promise<AppointmentSlot> =>
  slotIn(await company.call('appointments/find', { AppointmentId }));
const booked = async (agent: string, at: string, more: object = {}) =>
  slotIn(await company.book(agent, at, more)).AppointmentId;
const searched = async (AppointmentId: number, more: object = {}) =>
  slotsIn(
    await company.call('appointments/slotsearch', {
      AppointmentId,
      TargetDate: '2027-03-09',
      SlotWindowDays: 1,
      ...more,
    }),
  )[0];

describe('slotsearch of an appointment', () => {
  test.each([{ ServiceName: 'Mulch' }, { ServiceId: 2 }, { Slots: [{ ServiceId: 2 }] }])(
    'for another service, %j, has the minutes and the price of that service',
    async (service) => {
      const id = await booked('Ann', '2027-03-08T09:00', { Duration: '150', SkipConflictChecks: true });
      expect(await searched(id)).toMatchObject({ ServiceName: 'Lawn care', Duration: 150, Total: 50 });
      expect(await searched(id, service)).toMatchObject({ ServiceName: 'Mulch', Duration: 45, Total: 30 });
    },
  );

  test('has the minutes and price of the booking that follows, also with a quantity and by queue', async () => {
    const id = await booked('Ann', '2027-03-08T12:00', { Duration: '150' });
    const slot = await searched(id, { ServiceName: 'Mulch', Quantity: 4 });
    expect(slot).toMatchObject({ Duration: 90, Total: 60 });
    const queued = await company.call('appointments/queue', { AppointmentId: id, ServiceName: 'Mulch' });
    expect(queued.body).toMatchObject({ ServiceName: 'Mulch', Duration: '45 min' });
    const again = await company.book('Ann', '2027-03-08T12:00', { AppointmentId: id, ServiceName: 'Lawn care' });
    expect(slotIn(again)).toMatchObject({ Duration: 60, Total: 50 });
  });

  test.each([{}, { Slots: [{ CustomProperties: {} }] }])(
    'is priced with its CustomProperties, with %j',
    async (more) => {
      const id = slotIn(
        await company.call('appointments/book', {
          ContactId: company.contact,
          ServiceId: withGate,
          SkipConflictChecks: true,
          Slots: [
            { DateTime: '2027-03-10T09:00', ServiceAgentId: company.agents['Cy'], CustomProperties: { gates: 3 } },
          ],
        }),
      ).AppointmentId;
      const { Total } = await find(id);
      expect(Total).toBe(60);
      expect((await searched(id, more))?.Total).toBe(Total);
      const other = await searched(id, { Slots: [{ CustomProperties: { gates: 5 } }] });
      expect(other?.Total).toBe(100);
    },
  );
});

describe('null in update', () => {
  const URLS = { NotificationUri: 'https://example.com/a', ThirdPartyUrl: 'https://example.com/b' };

  test.each([
    { Discount: null, NotificationUri: null, ThirdPartyUrl: null },
    { Slots: [{ Discount: null, NotificationUri: null, ThirdPartyUrl: null }] },
  ])('clears Discount and URLs: %j', async (cleared) => {
    const id = await booked('Ann', '2027-03-11T09:00', { Discount: 10, ...URLS, SkipConflictChecks: true });
    expect(await find(id)).toMatchObject({ Discount: 10, Total: 40, ...URLS });
    await update(id, { UpdateNote: 'Nothing else.', Slots: [{ NotificationUri: '', ThirdPartyUrl: '' }] });
    expect(await find(id)).toMatchObject({ Discount: 10, Total: 40, ...URLS });
    const blank = { Discount: null, Total: 50, NotificationUri: '', ThirdPartyUrl: '' };
    expect(slotIn(await update(id, cleared))).toMatchObject(blank);
    expect(await find(id)).toMatchObject(blank);
  });

  test('clears CustomProperties and ReworkForAppointmentId of a slot, which a found slot keeps', async () => {
    const rework = await booked('Ann', '2027-03-12T09:00');
    const id = await booked('Ann', '2027-03-12T11:00', {
      Slots: [
        {
          DateTime: '2027-03-12T11:00',
          ServiceAgentId: company.agents['Ann'],
          ReworkForAppointmentId: rework,
          CustomProperties: { gates: 1 },
        },
      ],
    });
    const kept = { ReworkForAppointmentId: rework, CustomProperties: { gates: 1 } };
    const slot = await searched(id, { TargetDate: '2027-03-15' });
    expect(slotIn(await update(id, { Slots: [slot] }))).toMatchObject(kept);
    expect(slotIn(await update(id, { Slots: [await find(id)] }))).toMatchObject(kept);
    expect(
      slotIn(await update(id, { Slots: [{ ReworkForAppointmentId: null, CustomProperties: null }] })),
    ).toMatchObject({ ReworkForAppointmentId: null, CustomProperties: {} });
  });
});

test('null clears CustomProperties also where a queued appointment is booked, and in a search', async () => {
  const slot = { DateTime: '2027-03-16T09:00', ServiceAgentId: company.agents['Ann'] };
  const id = await booked('Ann', '2027-03-16T09:00', { Slots: [{ ...slot, CustomProperties: { gates: 1 } }] });
  await company.call('appointments/queue', { AppointmentId: id });
  expect(await searched(id, { Slots: [{ CustomProperties: null }] })).toMatchObject({ CustomProperties: {} });
  expect(await searched(id)).toMatchObject({ CustomProperties: { gates: 1 } });
  const Slots = [{ ...slot, CustomProperties: null }];
  const again = await company.call('appointments/book', { AppointmentId: id, Slots });
  expect(again.status, again.text).toBe(200);
  expect(slotIn(again).CustomProperties).toEqual({});
});

describe('add-ons in update', () => {
  const line = (name: string, Quantity: number) => ({ PartId: parts[name], Quantity });
  const withRope = () => booked('Ben', '2027-03-11T09:00', { AddOnParts: [line('Rope', 2)], SkipConflictChecks: true });

  test('UpdateLines without AddOnParts changes nothing; an empty list and null remove all lines', async () => {
    for (const AddOnParts of [[], null]) {
      const id = await withRope();
      const before = await find(id);
      expect(before).toMatchObject({ Total: 60, AddOnParts: [{ PartId: parts['Rope'], Quantity: 2 }] });
      expect(slotIn(await update(id, { UpdateLines: true }))).toEqual(before);
      expect(slotIn(await update(id, { UpdateLines: true, AddOnParts }))).toMatchObject({ Total: 50, AddOnParts: [] });
    }
  });

  test('AddOnParts without UpdateLines are 400 and change nothing, in the slot too', async () => {
    const id = await withRope();
    const before = await find(id);
    for (const other of [[line('Edge', 1)], [line('Rope', 3)], [line('Rope', 2), line('Edge', 1)]]) {
      const answer = await update(id, { AddOnParts: other });
      expectFailure(answer, 400);
      expect(answer.body['Errors']).toMatchObject([{ Field: 'AddOnParts' }]);
      const inSlot = await update(id, { Slots: [{ AddOnParts: other }] });
      expectFailure(inSlot, 400);
      expect(inSlot.body['Errors']).toMatchObject([{ Field: 'Slots[0].AddOnParts' }]);
    }
    expect(await find(id)).toEqual(before);
    expect(slotIn(await update(id, { AddOnParts: [], Slots: [{ AddOnParts: [] }] }))).toEqual(before);
    expect(slotIn(await update(id, { AddOnParts: before.AddOnParts, Slots: [before] }))).toEqual(before);
    const replaced = await update(id, { UpdateLines: true, AddOnParts: [line('Edge', 1)], Slots: [before] });
    expect(slotIn(replaced)).toMatchObject({ Total: 58, AddOnParts: [{ PartId: parts['Edge'], Quantity: 1 }] });
  });
});

describe('what an appointment stores can be read back', () => {
  test('the date of a queued appointment, by find and query, in either style; sent back it changes nothing', async () => {
    const us = await company.newKey({ dateStyle: 'us' });
    const queued = await company.call('appointments/queue', {
      ContactId: company.contact,
      ServiceName: 'Lawn care',
      QueueDate: '2027-06-14',
      Notes: 'Key at the neighbours.',
    });
    const AppointmentId = queued.body['AppointmentId'] as number;
    const slot = await find(AppointmentId);
    const date = { DateTime: '2027-06-14T00:00:00-05:00', DateTimeFormatted: 'Mon, Jun 14 2027', Status: 0 };
    expect(slot).toMatchObject(date);
    const found = await company.call('appointments/query', { FromDate: '2027-06-14', ThroughDate: '2027-06-14' });
    expect(found.body['Appointments']).toMatchObject([{ AppointmentId, ...date }]);
    const inUs = await company.call('appointments/find', { AppointmentId }, { key: us });
    expect(slotIn(inUs)).toMatchObject({ DateTime: '6/14/2027 12:00:00 AM' });
    expect(slotIn(await update(AppointmentId, { Slots: [slot] }))).toEqual(slot);
    expectFailure(await update(AppointmentId, { Slots: [{ DateTime: '2027-06-14T09:00' }] }), 409);
    const confirmed = slotIn(await company.book('Ann', '2027-06-15T09:00', { AppointmentId }));
    expect(confirmed.DateTime).toBe('2027-06-15T09:00:00-05:00');
  });

  test('the notes of an appointment, by find', async () => {
    const AppointmentId = await booked('Cy', '2027-03-15T09:00', { Notes: 'Gate left.' });
    const noted = await update(AppointmentId, { UpdateNote: 'Dog.' });
    const found = await company.call('appointments/find', { AppointmentId });
    expect(found.body['Notes']).toMatch(/^Gate left\.\n.*: Dog\.$/);
    expect(found.body['Notes']).toBe(noted.body['Notes']);
    const several = await company.call('appointments/find', { ContactId: company.contact });
    expect(several.body['Notes']).toBe('');
  });

  test('both notes of quickbook, by find', async () => {
    const made = await company.call('appointments/quickbook', {
      Name: 'Nora Note',
      Email: 'nora@example.com',
      Zip: '62701',
      Service: 'Lawn care',
      ScheduledStart: '2027-03-16T09:00',
      CustomerNotes: 'Ring twice.',
      InternalNotes: 'Pays late.',
    });
    const { AppointmentId } = made.body;
    const found = await company.call('appointments/find', { AppointmentId });
    expect(found.body).toMatchObject({ Notes: 'Ring twice.', Message: 'Internal notes: Pays late.' });
    const notFound = await company.call('appointments/find', { AppointmentId: 9999 });
    expect(notFound.body).toMatchObject({ Notes: '', Message: '', Slots: [] });
  });
});

test('quickbook with more changes than a transaction can hold says so in a sentence', () => {
  const lead = Array.from({ length: 60 }, (_, id): Change => ({ put: { PK: 'lead', SK: `${id}` } }));
  const reservation = { appointment: {} as AppointmentRecord, changes: lead.slice(0, 38) };
  expect(withLeadChanges(lead, reservation).changes).toHaveLength(98);
  const message =
    'are too many for one booking together with the other fields of the contact. Call contacts/addupdate first, then ' +
    'quickbook with its ContactId.';
  expect(() => withLeadChanges(lead, { ...reservation, changes: lead })).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: `Tags ${message}`,
      errors: [{ field: 'Tags', code: 'limit', message }],
    }) as Error,
  );
});

test('an update that changes nothing of the appointment makes no event', async () => {
  const id = await booked('Cy', '2027-03-18T09:00');
  await drainEvents();
  const before = await company.call('datasubscriber/fetch', {});
  await update(id, { Slots: [{ Status: 1 }] });
  await drainEvents();
  expect((await company.call('datasubscriber/fetch', {})).body).toEqual(before.body);
});

describe('the fields of slotsearch in update', () => {
  test.each([{ TargetDate: '2027-03-17 13:30' }, { TargetDate: '', SearchDate: '3/17/2027 1:30 PM', Slots: [] }])(
    '%j move the visit there',
    async (when) => {
      const id = await booked('Ben', '2027-03-17T09:00', { SkipConflictChecks: true });
      const moved = await update(id, { ...when, SkipConflictChecks: true });
      expect(slotIn(moved)).toMatchObject({ DateTime: '2027-03-17T13:30:00-05:00', ServiceAgentName: 'Ben' });
      expect((await find(id)).DateTime).toBe('2027-03-17T13:30:00-05:00');
    },
  );

  test.each([{ TargetDate: '2027-03-18' }, { SearchDate: '3/18/2027' }, { Timeframe: 'Morning' }])(
    '%j are 400 and name Slots[0].DateTime',
    async (when) => {
      const id = await booked('Cy', '2027-03-17T09:00', { SkipConflictChecks: true });
      const answer = await update(id, when);
      expectFailure(answer, 400);
      expect(fieldsOf(answer)).toEqual(['Slots[0].DateTime']);
    },
  );

  test('yield to Slots[0].DateTime, and blanks of them change nothing', async () => {
    const id = await booked('Cy', '2027-03-19T09:00');
    const slot = { DateTime: '2027-03-19T11:00' };
    expect(slotIn(await update(id, { TargetDate: '2027-03-22', Timeframe: 'Morning', Slots: [slot] })).DateTime).toBe(
      '2027-03-19T11:00:00-05:00',
    );
    const blank = { TargetDate: null, SearchDate: '', Timeframe: 'Anytime', UpdateNote: 'Called.' };
    expect(slotIn(await update(id, blank)).DateTime).toBe('2027-03-19T11:00:00-05:00');
  });
});
