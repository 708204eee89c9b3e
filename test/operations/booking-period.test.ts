import { beforeAll, expect, test } from 'vitest';
import type { SlotHold } from '../../lib/resources/appointments.ts';
import { DAY, HOUR, startOfDate, toLocalDate } from '../../lib/shared/time/time.ts';
import { bookingLink, offered } from '../support/booking.ts';
import { freeStarts, someone, startsIn } from '../support/booking-forms.ts';
import { hiddenFields, openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../support/scheduling.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { type TestAnswer, onStack } from '../support/stack/stack.ts';

/** Every minute of every day, so that what is not offered is not for the hours of somebody. */
const always = { TimeSlots: [{ StartMinute: 0, Minutes: 1440 }] };
const MINUTE = 60_000;

let company: Bookable;
beforeAll(async () => {
  company = await bookable({
    agents: ['Ann', 'Ben'].map((Name) => ({ Name, Email: `${Name}@example.com`, ...always })),
    services: [
      offered,
      { ...offered, Name: 'Inspection', MinimumNotice: 0, HorizonDays: 60 },
      { ...offered, Name: 'Planting', MinimumNotice: 30 * 1440 },
    ],
    organization: { OpenTimeGranularity: 60 },
  });
  await putOrganizationSettings(company, { MinimumNotice: 48 * 60, HorizonDays: 20, CancelHours: 1 });
});

const ahead = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const at = (DateTime: string) => ({ Slots: [{ DateTime, ServiceAgentId: company.agents['Ann'] }] });
const search = (of: Bookable, ServiceName: string, more: object = {}): Promise<TestAnswer> =>
  of.call('appointments/slotsearch', { ContactId: of.contact, ServiceName, ...more });

test('the booking page offers and books within notice and horizon, those of a service before its organization’s', async () => {
  const link = await bookingLink(company);
  const page = (service: string) => `${link}?service=${company.services[service]}&zip=62701`;
  const firstOf = async (service: string) => ((await freeStarts(page(service), 1))[0] ?? 0) - Date.now();
  const [lawn, inspection, planting] = await Promise.all(['Lawn care', 'Inspection', 'Planting'].map(firstOf));
  expect(lawn).toBeGreaterThan(48 * HOUR - 5 * MINUTE);
  expect(lawn).toBeLessThan(50 * HOUR);
  expect(inspection).toBeLessThan(2 * HOUR);
  // Its notice ends behind the horizon.
  expect(planting).toBeLessThan(0);

  const hour = Math.ceil(Date.now() / HOUR) * HOUR;
  const details = await openPage(`${page('Lawn care')}&slot=${hour + 3 * DAY}`);
  const fields = { ...hiddenFields(details.text, 'book'), ...someone() };
  const send = (slot: number) => sendForm(link, details, 'book', { ...fields, slot: String(slot) });
  // A millisecond beside a free time is no time that was offered.
  expect((await send(hour + 3 * DAY + 1)).status).toBe(400);
  for (const slot of [hour + 5 * HOUR, hour + 22 * DAY]) {
    const refused = await send(slot);
    expect(refused.status).toBe(409);
    expect(startsIn(refused).every((start) => start >= Date.now() + 47 * HOUR && start < hour + 22 * DAY)).toBe(true);
  }
  expect((await send(hour + 3 * DAY)).status).toBe(200);
});

test('a client moves a visit within notice and horizon', async () => {
  const { AppointmentId, TrackingUrl, DateTime } = slotIn(await company.book('Ann', ahead(5 * DAY)));
  const link = onStack(TrackingUrl);
  const offeredStarts = startsIn(await openPage(`${link}?move=1`));
  expect(Math.min(...offeredStarts)).toBeGreaterThan(Date.now() + 47 * HOUR);
  const token = hiddenFields((await openPage(link)).text, 'another-time')['token'] ?? '';
  const move = (slot: number) =>
    sendForm(link, { text: '' }, 'move', { token, start: String(Date.parse(DateTime)), slot: String(slot) });
  const hour = Math.ceil(Date.now() / HOUR) * HOUR;
  for (const slot of [hour + 10 * HOUR, hour + 22 * DAY]) expect((await move(slot)).status).toBe(409);
  expect((await move(hour + 4 * DAY)).status).toBe(303);
  // Keys go by no rule here.
  const moved = await company.call('appointments/update', { AppointmentId, ...at(ahead(10 * HOUR)) });
  expect(moved.status, moved.text).toBe(200);
  expect((await company.book('Ben', ahead(22 * DAY))).status).toBe(200);
});

test('keys go by notice and horizon where the organization says so', async () => {
  const limited = await bookable({
    agents: ['Ann', 'Ben'].map((Name) => ({ Name, Email: `${Name}@example.com`, ...always })),
    services: [offered, { ...offered, Name: 'Planting', MinimumNotice: 20 * 1440 }],
  });
  await putOrganizationSettings(limited, { MinimumNotice: 120, HorizonDays: 25, LimitKeys: true });
  const book = (start: string, more: object = {}) => limited.book('Ann', start, more);
  const lead = { Name: 'Lea Roth', Email: 'lea@example.com', Zip: '62701' };
  const quick = (more: object) => limited.call('appointments/quickbook', { ...lead, Service: 'Lawn care', ...more });

  for (const [answer, field, code, message] of [
    [await book(ahead(HOUR)), 'Slots[0].DateTime', 'too_soon', /is too soon\. The minimum notice is 2 hr: nothing can/],
    [await book(ahead(27 * DAY)), 'Slots[0].DateTime', 'too_far_ahead', /can be booked at most 25 days ahead: through/],
    [await quick({ ScheduledStart: ahead(HOUR) }), 'ScheduledStart', 'too_soon', /The minimum notice is 2 hr/],
  ] as const) {
    expect([answer.status, answer.body['Code']], answer.text).toEqual([409, code]);
    expect(answer.body['Message']).toMatch(message);
    expect(answer.body['Errors']).toEqual([{ Field: field, Code: 'range', Message: answer.body['Message'] }]);
  }
  expect((await book(ahead(HOUR), { SkipConflictChecks: true })).status).toBe(200);

  const [first] = slotsIn(await search(limited, 'Lawn care'));
  expect(Date.parse(first?.DateTime ?? '')).toBeGreaterThan(Date.now() + 119 * MINUTE);
  const none = await search(limited, 'Planting');
  expect([slotsIn(none), none.body['Message']]).toEqual([
    [],
    expect.stringMatching(/^The minimum notice is 20 days: nothing can be booked before /),
  ]);
  const far = await search(limited, 'Lawn care', { TargetDate: ahead(30 * DAY) });
  expect(far.body['Message']).toMatch(/^Visits can be booked at most 25 days ahead: through /);

  // The first free time is searched from the end of the notice on.
  const planted = await quick({ Service: 'Planting', FirstAvailable: true });
  expect(planted.status, planted.text).toBe(200);
  expect(Date.parse(planted.body['ScheduledStart'] as string)).toBeGreaterThan(Date.now() + 20 * DAY - HOUR);

  const slots = (start: string) => ({ Slots: [{ DateTime: start, ServiceAgentId: limited.agents['Ben'] }] });
  const refused = await search(limited, 'Lawn care', { Hold: 1, ...slots(ahead(HOUR)) });
  expect([refused.body['Holds'], refused.body['Message']]).toEqual([[], expect.stringContaining('is too soon.')]);
  // Who holds a time books it, though the notice has grown meanwhile.
  const start = ahead(3 * HOUR);
  const held = await search(limited, 'Lawn care', { Hold: 1, ...slots(start) });
  const [hold] = held.body['Holds'] as SlotHold[];
  await putOrganizationSettings(limited, { MinimumNotice: 600 });
  expect((await limited.book('Ben', start)).body['Code']).toBe('too_soon');
  expect((await limited.book('Ben', ahead(5 * HOUR), { HoldHandle: hold?.Handle })).body['Code']).toBe('too_soon');
  const booked = slotIn(await limited.book('Ben', start, { HoldHandle: hold?.Handle }));
  // A visit that stays where it is may change in all else.
  const changed = { AppointmentId: booked.AppointmentId, Duration: '1:30', UpdateNote: 'Gate code 4711' };
  expect((await limited.call('appointments/update', changed)).status).toBe(200);
});

test('a window that begins before the notice ends is offered, held, booked and moved into, from its first start', async () => {
  const people = ['Ann', 'Ben', 'Cat'].map((Name) => ({ Name, Email: `${Name}@example.com`, ...always }));
  const of = await bookable({ agents: people, services: [offered] });
  const date = toLocalDate(Date.now() + 4 * DAY, 'America/Chicago');
  const clock = (time: string) => startOfDate(date, 'America/Chicago') + Number(time.slice(0, 2)) * HOUR;
  const MinimumNotice = Math.ceil((clock('09') + 5 * MINUTE - Date.now()) / MINUTE);
  const ArrivalWindows = [8, 10].map((hour) => ({ From: hour * 60, Through: hour * 60 + 120 }));
  await putOrganizationSettings(of, {
    ArrivalWindows,
    MinimumNotice,
    LimitKeys: true,
    CancelHours: 1,
    ConfirmHours: 0,
  });
  const startOf = ({ DateTime }: { DateTime: string }) => DateTime.slice(0, 16);
  const window = { ArrivalFrom: `${date}T08:00`, ArrivalThrough: `${date}T10:00` };
  const of8 = `${date}T09:30`;

  const found = slotsIn(await search(of, 'Lawn care', { TargetDate: date, SlotWindowDays: 1 }));
  expect(found.filter(({ ArrivalFrom }) => ArrivalFrom?.startsWith(`${date}T08:00`)).map(startOf)).toEqual([
    of8,
    of8,
    of8,
  ]);

  const slot = (Name: string) => ({
    Slots: [{ ServiceAgentId: of.agents[Name], DateTime: `${date}T08:00`, ...window }],
  });
  const held = await search(of, 'Lawn care', { Hold: 1, ...slot('Ben') });
  expect(slotsIn(held).map(startOf)).toEqual([of8]);
  const Release = (held.body['Holds'] as SlotHold[]).map(({ Handle }) => Handle);
  expect((await of.call('appointments/slotsearch', { Release })).status).toBe(200);

  const booked = slotIn(await of.book('Ann', '', slot('Ann')));
  expect(startOf(booked)).toBe(of8);
  const quick = await of.call('appointments/quickbook', {
    Name: 'Lea Roth',
    Email: 'lea@example.com',
    Zip: '62701',
    Service: 'Lawn care',
    ...window,
  });
  expect([quick.status, Date.parse(String(quick.body['ScheduledStart']))]).toEqual([200, clock('09') + HOUR / 2]);

  const page = `${await bookingLink(of)}?service=${of.services['Lawn care']}&zip=62701&month=${date.slice(0, 7)}`;
  expect((await freeStarts(page, 1))[0]).toBe(clock('08'));
  const later = slotIn(await of.book('Cat', `${toLocalDate(Date.now() + 6 * DAY, 'America/Chicago')}T10:00`));
  const link = onStack(later.TrackingUrl);
  const offer = await openPage(`${link}?move=1`);
  expect(startsIn(offer)[0]).toBe(clock('08'));
  expect((await sendForm(link, offer, 'move', { slot: String(clock('08')) })).status).toBe(303);
  const { body } = await of.call('appointments/find', { AppointmentId: later.AppointmentId });
  expect((body['Slots'] as { DateTime: string }[]).map(startOf)).toEqual([of8]);
});
