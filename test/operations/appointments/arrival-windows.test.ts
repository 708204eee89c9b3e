import { beforeAll, describe, expect, test } from 'vitest';
import type { AppointmentRecord, AppointmentSlot } from '../../../lib/entities/appointments.ts';
import type { EventPayload } from '../../../lib/resources/events.ts';
import { findAppointment } from '../../../lib/store/appointments.ts';
import { bookingLink, offered, visitLinkIn } from '../../support/booking.ts';
import { openForms } from '../../support/booking-forms.ts';
import { type OpenedPage, hiddenFields, openPage, sendForm } from '../../support/pages.ts';
import { type Bookable, bookable, slotIn, slotsIn, weekdays } from '../../support/scheduling.ts';
import { putOrganizationSettings } from '../../support/settings.ts';
import { type TestAnswer, drainEvents, onStack, testTable } from '../../support/stack/stack.ts';
import { storeOf } from '../../../lib/store/store.ts';

/** 8:00 to 10:00, and 13:00 to 15:00. */
const ArrivalWindows = [
  { From: 480, Through: 600 },
  { From: 780, Through: 900 },
];

async function withWindows(agents = ['Ann'], more: object = {}, services: readonly object[] = []): Promise<Bookable> {
  const people = agents.map((Name) => ({ Name, Email: `${Name}@example.com`, TimeSlots: weekdays() }));
  const company = await bookable({ services: [offered, ...services], agents: people });
  await putOrganizationSettings(company, { ArrivalWindows, CancelHours: 1, ...more });
  return company;
}

/** Weekdays of February 2035 on which nobody has booked yet. */
let day = 4;
function nextDay(): string {
  do day++;
  while ((day - 3) % 7 < 2);
  return `2035-02-${String(day).padStart(2, '0')}`;
}

const search = (of: Bookable, TargetDate: string, more: object = {}): Promise<TestAnswer> =>
  of.call('appointments/slotsearch', {
    ContactId: of.contact,
    ServiceName: 'Lawn care',
    TargetDate,
    SlotWindowDays: 1,
    ...more,
  });

/** `08:00-10:00 at 08:00 for 2, Ann` */
const describeSlot = ({ DateTime, ArrivalFrom, ArrivalThrough, Capacity, ServiceAgentName }: AppointmentSlot): string =>
  `${ArrivalFrom?.slice(11, 16)}-${ArrivalThrough?.slice(11, 16)} at ${DateTime.slice(11, 16)} for ${Capacity}, ${ServiceAgentName}`;

const windowOn = (date: string, from = '08:00', through = '10:00') => ({
  ArrivalFrom: `${date}T${from}`,
  ArrivalThrough: `${date}T${through}`,
});

const stored = async (of: Bookable, id: number): Promise<AppointmentRecord> => {
  const found = await findAppointment(storeOf(testTable(), { account: of.accountId, organizationId: null }), id);
  if (!found) throw new Error('no visit');
  return found;
};

const update = (of: Bookable, AppointmentId: number, slot: object): Promise<TestAnswer> =>
  of.call('appointments/update', { AppointmentId, Slots: [slot] });

const clockOf = ({ DateTime }: AppointmentSlot): string => DateTime.slice(11, 16);

const words = ({ text }: OpenedPage): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

let company: Bookable;
beforeAll(async () => {
  company = await withWindows(['Ann', 'Ben']);
});

test('a search has a slot of each window and agent, with its room; a client that ignores it books what it got', async () => {
  const date = nextDay();
  const slots = slotsIn(await search(company, date));
  expect(slots.map(describeSlot)).toEqual([
    '08:00-10:00 at 08:00 for 2, Ann',
    '08:00-10:00 at 08:00 for 2, Ben',
    '13:00-15:00 at 13:00 for 2, Ann',
    '13:00-15:00 at 13:00 for 2, Ben',
  ]);
  const [, , { DateTime = '', DateTimeFormatted = '' } = {}] = slots;
  expect(DateTimeFormatted).toMatch(/ 2035 1:00 PM to 3:00 PM$/);
  expect(slotsIn(await search(company, date, { Timeframe: 'Morning' }))).toHaveLength(2);

  const booked = slotIn(await company.book('Ann', DateTime));
  expect(booked).toMatchObject({ DateTime, DateTimeFormatted, Capacity: null });
  expect(booked).toMatchObject({ ArrivalFrom: slots[2]?.ArrivalFrom, ArrivalThrough: slots[2]?.ArrivalThrough });
  const again = await company.book('Ann', DateTime);
  expect([again.status, again.body['Code']]).toEqual([409, 'slot_taken']);
  const left = slotsIn(await search(company, date)).map(describeSlot);
  expect(left.slice(2)).toEqual(['13:00-15:00 at 13:00 for 2, Ben', '13:00-15:00 at 14:00 for 1, Ann']);

  const exact = slotIn(await company.book('Ben', `${date}T11:00`));
  expect(exact).toMatchObject({ ArrivalFrom: null, ArrivalThrough: null });
  expect(exact.DateTimeFormatted).toMatch(/ 11:00 AM$/);
  const within = { DateTime: `${date}T09:00`, ServiceAgentId: company.agents['Ben'] };
  const cleared = slotIn(await company.book('', '', { Slots: [{ ...within, ArrivalFrom: null }] }));
  expect(cleared).toMatchObject({ ArrivalFrom: null, DateTime: `${date}T09:00:00-06:00` });
});

describe('of callers who saw one window as many are booked as it has room for', () => {
  test('by book, each with the slot that it got', async () => {
    const date = nextDay();
    const [slot] = slotsIn(await search(company, date));
    const calls = Array.from({ length: 6 }, () =>
      company.call('appointments/book', { ContactId: company.contact, ServiceName: 'Lawn care', Slots: [slot] }),
    );
    const answers = await Promise.all(calls);
    const booked = answers.filter(({ status }) => status === 200);
    expect(booked.flatMap(slotsIn).map(clockOf).toSorted()).toEqual(['08:00', '09:00']);
    for (const { status, body } of answers.filter((answer) => !booked.includes(answer))) {
      expect([status, body['Code']]).toEqual([409, 'slot_taken']);
      expect(body['Message']).toMatch(/^No time is free in the arrival window .* 8:00 AM to 10:00 AM\./);
    }
    expect(slotsIn(await search(company, date)).map(describeSlot)).not.toContain('08:00-10:00 at 08:00 for 2, Ann');
  });

  test('by quickbook, of any agent', async () => {
    const date = nextDay();
    const calls = Array.from({ length: 8 }, (_, index) =>
      company.call('appointments/quickbook', {
        Name: `Lead ${index}`,
        Email: `${date}-${index}@example.com`,
        Zip: '62701',
        Service: 'Lawn care',
        ...windowOn(date),
      }),
    );
    const answers = await Promise.all(calls);
    const booked = answers.filter(({ status }) => status === 200);
    expect(booked).toHaveLength(4);
    expect(booked[0]?.body).toMatchObject({
      ArrivalFrom: `${date}T08:00:00-06:00`,
      ArrivalThrough: `${date}T10:00:00-06:00`,
    });
    const refused = answers.filter((answer) => !booked.includes(answer));
    expect(refused.map(({ body }) => body['Code'])).toEqual(Array.from({ length: 4 }, () => 'slot_taken'));
  });

  test('by the booking page, and the others are offered the nearest windows', async () => {
    const one = await withWindows();
    const forms = await openForms(await bookingLink(one), { service: one.services['Lawn care'] ?? 0, zip: '62701' });
    const [slot = 0, next] = forms.starts.slice(4);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => forms.send(index + 1, { slot: String(slot) })),
    );
    const booked = answers.filter(({ status }) => status === 200);
    expect(booked).toHaveLength(2);
    for (const answer of booked) expect(words(answer)).toMatch(/(8:00 AM to 10:00 AM|1:00 PM to 3:00 PM)/);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(4);
    for (const { text } of refused) {
      expect(text).toContain(`value="${next}"`);
      expect(text).not.toContain(`name="slot" value="${slot}"`);
    }
  });
});

test('a hold holds a real time within the window, and is booked with it', async () => {
  const date = nextDay();
  const ServiceAgentId = company.agents['Ann'];
  const slot = { ServiceAgentId, DateTime: `${date}T08:00`, ...windowOn(date) };
  const hold = async () => {
    const { body } = await search(company, date, { Hold: 1, Slots: [slot] });
    return { slot: slotsIn({ body } as never)[0], hold: (body['Holds'] as { Handle: string }[])[0] };
  };
  const [one, other] = [await hold(), await hold()];
  expect([one.slot, other.slot].map((each) => each && clockOf(each))).toEqual(['08:00', '09:00']);
  expect(other.slot).toMatchObject({ ArrivalFrom: `${date}T08:00:00-06:00` });
  expect((await hold()).hold).toBeUndefined();
  const request = { Slots: [other.slot], HoldHandle: other.hold?.Handle };
  const booked = slotIn(await company.book('Ann', '', request));
  expect(booked).toMatchObject({ DateTime: `${date}T09:00:00-06:00`, ArrivalThrough: `${date}T10:00:00-06:00` });
});

test('FirstAvailable books the first window, a window without a time its first free start', async () => {
  const date = nextDay();
  const lead = { Name: 'Lea Roth', Email: 'lea@example.com', Zip: '62701', Service: 'Lawn care' };
  const first = { ...lead, FirstAvailable: true, ScheduledStart: `${date}T08:30` };
  expect((await company.call('appointments/quickbook', first)).body).toMatchObject({
    ScheduledStart: `${date}T19:00:00Z`,
    ArrivalFrom: `${date}T13:00:00-06:00`,
  });
  const Slots = [{ ServiceAgentId: company.agents['Ann'], ...windowOn(date, '09:15', '11:00') }];
  expect(slotIn(await company.book('', '', { Slots }))).toMatchObject({ DateTime: `${date}T09:30:00-06:00` });
});

test.each([
  ['only one end', { ArrivalFrom: '2035-03-05T08:00' }, 'ArrivalThrough'],
  ['an end before its beginning', windowOn('2035-03-05', '10:00', '08:00'), 'ArrivalThrough'],
  ['two days', { ArrivalFrom: '2035-03-05T22:00', ArrivalThrough: '2035-03-06T02:00' }, 'ArrivalThrough'],
  ['a time outside of it', { DateTime: '2035-03-05T11:00', ...windowOn('2035-03-05') }, 'DateTime'],
  ['no time', { ArrivalFrom: 'soon', ArrivalThrough: '2035-03-06T02:00' }, 'ArrivalFrom'],
])('a window with %s is 400', async (_, slot, field) => {
  const Slots = [{ ServiceAgentId: company.agents['Ann'], ...slot }];
  const { status, body } = await company.book('', '', { Slots });
  expect([status, body['Errors']]).toMatchObject([400, [{ Field: `Slots[0].${field}` }]]);
});

test('a visit moves within its window without a word to its client, and out of it only with another window', async () => {
  const date = nextDay();
  const visit = slotIn(await company.book('Ann', `${date}T08:00`));
  const { AppointmentId: id } = visit;
  const link = onStack(visit.TrackingUrl);
  const calendar = async (): Promise<string> =>
    (await openPage(`${link}/visit.ics`)).text.replace(/DTSTAMP:.*\r\n/, '');
  const [page, file] = [words(await openPage(link)), await calendar()];
  expect(page).toContain('We arrive between 8:00 AM and 10:00 AM');
  expect(page).not.toContain('9:00 AM');
  expect(words(await openPage(`${link}?lang=es`))).toMatch(/Hora de llegada: de 8:00.a\.m\. a 10:00.a\.m\./);
  expect(file).toMatch(/DTSTART:\d+T140000Z\r\nDTEND:\d+T160000Z/);

  const moved = slotIn(await update(company, id, { DateTime: `${date}T09:30` }));
  expect(moved).toMatchObject({ DateTime: `${date}T09:30:00-06:00`, DateTimeFormatted: visit.DateTimeFormatted });
  expect([words(await openPage(link)), await calendar()]).toEqual([page, file]);
  const outside = await update(company, id, { DateTime: `${date}T10:00` });
  expect([outside.status, outside.body['Code']]).toEqual([409, 'outside_window']);
  expect(outside.body['Message']).toContain('8:00 AM to 10:00 AM');
  expect(outside.body['Message']).toContain('10:00 AM is outside');

  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 500 });
  const kinds = (body['Events'] as { Payload: EventPayload }[]).flatMap(({ Payload }) =>
    Payload.Id === id && Payload.Kind?.startsWith('appointment.') ? [Payload.Kind] : [],
  );
  expect(kinds).toEqual(['appointment.booked', 'appointment.updated']);

  const other = slotIn(await update(company, id, windowOn(date, '13:00', '15:00')));
  expect(other).toMatchObject({ DateTime: `${date}T13:00:00-06:00`, ArrivalFrom: `${date}T13:00:00-06:00` });
  const later = await calendar();
  expect(later).toMatch(/DTSTART:\d+T190000Z/);
  const sequence = (text: string): number => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]);
  expect(sequence(later)).toBeGreaterThan(sequence(file));

  const exact = slotIn(await update(company, id, { DateTime: `${date}T11:30`, ArrivalFrom: null }));
  expect(exact).toMatchObject({ DateTime: `${date}T11:30:00-06:00`, ArrivalFrom: null, ArrivalThrough: null });
  expect(words(await openPage(link))).toContain('11:30 AM to 12:30 PM');
  expect(sequence(await calendar())).toBeGreaterThan(sequence(later));
  expect(slotIn(await update(company, id, { DateTime: `${date}T09:00` })).ArrivalFrom).toBeNull();
});

test('another agent within the window is a change that the client sees', async () => {
  const date = nextDay();
  const { AppointmentId: id } = slotIn(await company.book('Ann', `${date}T08:00`));
  await update(company, id, { DateTime: `${date}T09:00` });
  expect(await stored(company, id)).toMatchObject({ V: 2, UnseenChanges: 1 });
  await update(company, id, { DateTime: `${date}T08:30`, ServiceAgentId: company.agents['Ben'] });
  expect(await stored(company, id)).toMatchObject({ V: 3, UnseenChanges: 1, ServiceAgentName: 'Ben' });
});

test('clients are offered windows, and book, move and see them in both languages', async () => {
  const one = await withWindows(['Ann'], { ConfirmHours: 0 });
  const link = await bookingLink(one);
  const chosen = `${link}?service=${one.services['Lawn care']}&zip=62701`;
  const times = await openPage(chosen);
  expect(words(times)).toContain('We arrive within the time you choose.');
  expect(words(times)).toMatch(/(8:00 AM to 10:00 AM|1:00 PM to 3:00 PM)/);
  const spanish = words(await openPage(`${chosen}&lang=es`));
  expect(spanish).toContain('Llegamos dentro del horario que elija.');
  expect(spanish).toMatch(/(8:00.a\.m\. a 10:00.a\.m\.|1:00.p\.m\. a 3:00.p\.m\.)/);
  const forms = await openForms(link, { service: one.services['Lawn care'] ?? 0, zip: '62701' });
  const [slot = 0, next = 0] = forms.starts.slice(4);
  const booked = await forms.send(1, { slot: String(slot) });
  expect(booked.status).toBe(200);
  const visitLink = visitLinkIn(booked);
  expect(words(booked)).toMatch(/\d, (8:00 AM to 10:00 AM|1:00 PM to 3:00 PM)/);
  expect(words(await openPage(visitLink))).toMatch(/We arrive between (8:00 AM and 10:00 AM|1:00 PM and 3:00 PM)/);

  const offer = await openPage(`${visitLink}?move=1`);
  expect(words(offer)).toMatch(/Your visit \w+, \w+ \d+ \d+:00 [AP]M to \d+:00 [AP]M/);
  expect(offer.text).not.toContain(`name="slot" value="${slot}"`);
  expect(hiddenFields(offer.text, 'move')['start']).toBe(String(slot));
  const sent = await sendForm(visitLink, offer, 'move', { slot: String(next) });
  expect(sent.status).toBe(303);
  const { body } = await one.call('appointments/query', { FromDate: '2020-01-01' });
  const [visit] = body['Appointments'] as AppointmentSlot[];
  expect(Date.parse(visit?.ArrivalFrom ?? '')).toBe(next);
  expect((await sendForm(visitLink, offer, 'move', { slot: String(next + 1_800_000) })).status).toBe(409);

  const { body: found } = await one.call('contacts/locate', { IdSearch: visit?.ContactId });
  const [{ ClientUrl } = { ClientUrl: '' }] = found['Matches'] as { ClientUrl: string }[];
  expect(words(await openPage(onStack(ClientUrl)))).toMatch(/We arrive between \d+:00 [AP]M and/);
});

test('the visits of a series have windows, and move with it to those of the organization', async () => {
  const one = await withWindows();
  const slot = { DateTime: '2035-02-05T08:00', ServiceAgentId: one.agents['Ann'] };
  const made = await one.call('appointments/book', {
    ContactId: one.contact,
    ServiceName: 'Lawn care',
    Slots: [slot],
    Repeat: 'weekly',
    Count: 3,
  });
  const { AppointmentId } = slotIn(made);
  const visits = async (): Promise<string[]> => {
    await drainEvents();
    const { body } = await one.call('appointments/find', { ContactId: one.contact });
    return slotsIn({ body } as never).map(
      ({ DateTime, ArrivalFrom }) => `${DateTime.slice(5, 16)} in ${ArrivalFrom?.slice(11, 16)}`,
    );
  };
  await expect
    .poll(visits, { timeout: 30_000 })
    .toEqual(['02-05T08:00 in 08:00', '02-12T08:00 in 08:00', '02-19T08:00 in 08:00']);
  const moved = await one.call('appointments/update', {
    AppointmentId,
    Scope: 'following',
    Slots: [{ DateTime: '2035-02-06T13:00', ...windowOn('2035-02-06', '13:00', '15:00') }],
  });
  expect(moved.status, moved.text).toBe(200);
  await expect
    .poll(visits, { timeout: 30_000 })
    .toEqual(['02-06T13:00 in 13:00', '02-13T13:00 in 13:00', '02-20T13:00 in 13:00']);
});

test('a service of exact times is searched, held, booked, shown and moved without windows', async () => {
  const one = await withWindows(['Ann'], { ConfirmHours: 0 }, [{ ...offered, Name: 'Estimate', ExactTimes: true }]);
  const { body: found } = await one.call('services/details', { Id: one.services['Estimate'] });
  expect(found['Matches']).toMatchObject([{ ExactTimes: true }]);
  const ServiceName = 'Estimate';
  const slots = slotsIn(await search(one, '2035-03-05', { ServiceName }));
  expect(slots.map(({ ArrivalFrom, Capacity }) => ArrivalFrom ?? Capacity)).toEqual(slots.map(() => null));
  expect(slots.map(clockOf)).toEqual(expect.arrayContaining(['08:30', '11:00']));
  const held = await search(one, '2035-03-05', { ServiceName, Hold: 1, Slots: [slots[0]] });
  expect(slotsIn(held)).toMatchObject([{ DateTime: slots[0]?.DateTime, ArrivalFrom: null }]);
  const { body: none } = await search(one, '2035-03-04', { ServiceName });
  expect(none['Message']).not.toContain('window');

  const lead = { Name: 'Lea Roth', Email: 'lea@example.com', Zip: '62701', Service: ServiceName };
  const first = { ...lead, FirstAvailable: true, ScheduledStart: '2035-03-06T08:30' };
  const { body: quick } = await one.call('appointments/quickbook', first);
  expect(quick).toMatchObject({ ScheduledStart: '2035-03-06T14:30:00Z', ArrivalFrom: null });
  const DateTime = '2035-03-07T09:00';
  const visit = slotIn(await one.book('Ann', DateTime, { ServiceId: one.services[ServiceName] }));
  expect(visit).toMatchObject({ ArrivalFrom: null, DateTimeFormatted: 'Wed, Mar 7 2035 9:00 AM' });
  expect(words(await openPage(onStack(visit.TrackingUrl)))).not.toContain('arrive between');
  const later = slotIn(await update(one, visit.AppointmentId, { DateTime: '2035-03-07T13:30' }));
  expect(later).toMatchObject({ DateTime: '2035-03-07T13:30:00-06:00', ArrivalFrom: null });

  const forms = await openForms(await bookingLink(one), { service: one.services['Estimate'] ?? 0, zip: '62701' });
  expect(forms.starts.length).toBeGreaterThan(20);
  const booked = await forms.send(1, { slot: String(forms.starts[7]) });
  expect(booked.status).toBe(200);
  expect(words(booked)).not.toMatch(/8:00 AM to 10:00 AM|1:00 PM to 3:00 PM/);
  const offer = await openPage(`${visitLinkIn(booked)}?move=1`);
  expect(words(offer)).not.toMatch(/8:00 AM to 10:00 AM/);
  const sent = await sendForm(visitLinkIn(booked), offer, 'move', { slot: String(forms.starts[9]) });
  expect(sent.status).toBe(303);
  expect(slotIn(await one.book('Ann', '2035-03-08T09:00')).ArrivalFrom).toBe('2035-03-08T08:00:00-06:00');
});
