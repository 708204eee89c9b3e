import { beforeAll, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import { DAY, HOUR, toLocalDate } from '../../lib/shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { layout } from '../../lib/store/keys.ts';
import { findOrganization, organizationChanges } from '../../lib/store/organizations/organizations.ts';
import { startsIn } from '../support/booking-forms.ts';
import { type OpenedPage, hiddenFields, openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable, slotIn, slotsIn, weekdays } from '../support/scheduling.ts';
import { drainEvents, onStack, testTable } from '../support/stack/stack.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

let company: Bookable;

async function setCancelHours(of: Bookable, CancelHours: number | null): Promise<void> {
  const before = await findOrganization(accountStore(testTable(), of.accountId), of.organizationId);
  if (!before) throw new Error('no organization');
  await testTable().commit(organizationChanges({ account: of.accountId }, before, { ...before, CancelHours }).changes);
}

/** Free starts that the office sees, from the day after tomorrow on. */
async function freeStarts(of: Bookable, more: object = {}): Promise<number[]> {
  const TargetDate = new Date(Date.now() + 2 * DAY).toISOString();
  const answer = await of.call('appointments/slotsearch', {
    ContactId: of.contact,
    ServiceId: Object.values(of.services)[0],
    TargetDate,
    ...more,
  });
  return [...new Set(slotsIn(answer).map(({ DateTime }) => Date.parse(DateTime)))];
}

const stored = async (of: Bookable, id: number): Promise<AppointmentRecord> => {
  const found = await findAppointment(storeOf(testTable(), { account: of.accountId, organizationId: null }), id);
  if (!found) throw new Error('no visit');
  return found;
};

async function change(of: Bookable, id: number, more: Partial<AppointmentRecord>): Promise<void> {
  const before = await stored(of, id);
  const { changes } = appointmentChanges(
    { account: of.accountId },
    { before, after: { ...before, ...more }, now: new Date() },
  );
  await testTable().commit(changes);
}

interface Visit {
  readonly id: number;
  readonly link: string;
  readonly start: number;
}

async function visitAt(of: Bookable, start: number, more: object = {}): Promise<Visit> {
  const { AppointmentId: id, TrackingUrl } = slotIn(await of.book('Ann', new Date(start).toISOString(), more));
  return { id, link: onStack(TrackingUrl), start };
}

const timesOf = ({ link }: Visit): Promise<OpenedPage> => openPage(`${link}?move=1`);

/** Sends the move as its form does, whether or not the page has it. */
const moveTo = async ({ link, start }: Visit, slot: number): Promise<OpenedPage> => {
  const token = hiddenFields((await openPage(link)).text, 'another-time')['token'] ?? '';
  return sendForm(link, { text: '' }, 'move', { token, start: String(start), slot: String(slot) });
};

const linesOf = (file: string, name: string): string[] =>
  file.split('\r\n').flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1)] : []));

async function calendarOf({ link }: Visit): Promise<{ uid: string; sequence: number; modified: string; text: string }> {
  const { text } = await openPage(`${link}/visit.ics`);
  const [uid = ''] = linesOf(text, 'UID');
  const [modified = ''] = linesOf(text, 'LAST-MODIFIED');
  return { uid, sequence: Number(linesOf(text, 'SEQUENCE')[0]), modified, text };
}

beforeAll(async () => {
  company = await bookable();
  await setCancelHours(company, 24);
});

test('a client moves a visit to a time that slotsearch finds for it, and its calendar file changes with it', async () => {
  const free = await freeStarts(company);
  const visit = await visitAt(company, free[4] ?? 0);
  const before = await calendarOf(visit);
  expect((await openPage(visit.link)).text).toContain('You can choose another time until');

  const page = await timesOf(visit);
  const offered = startsIn(page);
  const found = await freeStarts(company, { AppointmentId: visit.id, TargetDate: undefined });
  expect(offered).toEqual(found.filter((start) => start !== visit.start).slice(0, offered.length));
  expect(offered.length).toBeGreaterThan(10);
  const to = free[9] ?? 0;
  const later = startsIn(await openPage(`${visit.link}?move=1&from=${to}&lang=es`));
  expect(later[0]).toBe(to);

  const unchosen = await sendForm(visit.link, page, 'move', {});
  expect([unchosen.status, unchosen.text.includes('role="alert"')]).toEqual([400, true]);
  const sent = await sendForm(visit.link, page, 'move', { slot: String(to) });
  expect(sent.status).toBe(303);
  const after = await openPage(new URL(sent.headers.get('location') ?? '', visit.link).href);
  expect(after.text).toContain('Your visit has been moved.');
  const moved = await stored(company, visit.id);
  expect(moved).toMatchObject({ Start: to, Status: Status.Scheduled, ServiceAgentName: 'Ann', Duration: 60 });
  expect(await freeStarts(company)).toContain(visit.start);

  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 500 });
  const event = (body['Events'] as { Payload: EventPayload }[]).find(
    ({ Payload }) => Payload.Kind === 'appointment.rescheduled' && Payload.Id === visit.id,
  );
  expect(event?.Payload.Actor).toMatchObject({ Name: 'Client page' });

  const changed = await calendarOf(visit);
  expect(changed.uid).toBe(before.uid);
  expect(changed.sequence).toBeGreaterThan(before.sequence);
  expect(changed.modified >= before.modified).toBe(true);
  expect(changed.text).toContain('METHOD:PUBLISH');
  expect(changed.text).toContain(`DTSTART:${new Date(to).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')}`);
  const cancelReason = 'My plans changed';
  expect((await sendForm(visit.link, after, 'cancel', { cancelReason })).status).toBe(303);
  const canceled = await calendarOf(visit);
  expect(canceled.text).toContain('STATUS:CANCELLED');
  expect(canceled.sequence).toBeGreaterThan(changed.sequence);
  expect((await openPage(visit.link)).text).toContain('Update your calendar');
});

test('a form that is sent three times moves once, and one of a tab that shows an older time changes nothing', async () => {
  const [one = 0, other = 0, third = 0] = (await freeStarts(company)).filter((_, index) => index % 3 === 0);
  const visit = await visitAt(company, one);
  const page = await timesOf(visit);
  const { V } = await stored(company, visit.id);
  const answers = await Promise.all([1, 2, 3].map(() => sendForm(visit.link, page, 'move', { slot: String(other) })));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await stored(company, visit.id)).toMatchObject({ Start: other, V: V + 1 });
  const late = await sendForm(visit.link, page, 'move', { slot: String(third) });
  expect([late.status, late.text.includes('Nothing was changed')]).toEqual([409, true]);
  expect(await stored(company, visit.id)).toMatchObject({ Start: other, V: V + 1 });
});

test('of 20 clients who want one time one moves, and the others keep theirs and are offered the nearest', async () => {
  const one = await bookable({ agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
  await setCancelHours(one, 24);
  const hours = (await freeStarts(one)).filter((start) => start % HOUR === 0);
  const [wanted = 0, ...starts] = hours.slice(0, 21);
  const visits: Visit[] = [];
  for (const start of starts) visits.push(await visitAt(one, start));
  const pages = await Promise.all(visits.map(timesOf));
  const answers = await Promise.all(
    visits.map(({ link }, index) => sendForm(link, pages[index] as OpenedPage, 'move', { slot: String(wanted) })),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  for (const answer of refused) {
    expect(answer.text).toContain('That time was just taken');
    expect(startsIn(answer)).toHaveLength(8);
    expect(startsIn(answer)).not.toContain(wanted);
  }
  const after = await Promise.all(visits.map(async ({ id }) => (await stored(one, id)).Start));
  expect(after.filter((start) => start === wanted)).toHaveLength(1);
  expect(after.filter((start, index) => start === starts[index])).toHaveLength(19);
  const [next = 0] = startsIn(refused[0] as OpenedPage);
  const loser = visits[answers.indexOf(refused[0] as OpenedPage)] as Visit;
  const again = await sendForm(loser.link, refused[0] as OpenedPage, 'move', { slot: String(next) });
  expect(again.status).toBe(303);
});

test.each([
  ['where the organization lets no client cancel', null, {}],
  ['later than it lets clients cancel', 8_000, {}],
  ['once it is under way', 24, { Status: Status.Started }],
  ['once it is finished', 24, { Status: Status.Completed }],
  ['once it is canceled', 24, { Status: Status.Canceled }],
  [
    'with a crew that has times of its own',
    24,
    {
      AdditionalAgents: [
        {
          ServiceAgentId: 2,
          Name: 'Ben',
          StartMinute: 600,
          Duration: 30,
          ActualStartMinute: null,
          ActualDuration: null,
        },
      ],
    },
  ],
])('no client moves a visit %s, whatever the form sends', async (_, hours, more) => {
  const [start = 0, slot = 0] = (await freeStarts(company)).filter((__, index) => index % 3 === 0);
  const visit = await visitAt(company, start);
  const token = hiddenFields((await openPage(visit.link)).text, 'another-time')['token'] ?? '';
  await change(company, visit.id, more);
  await setCancelHours(company, hours);
  const sent = await sendForm(visit.link, { text: '' }, 'move', { token, start: String(start), slot: String(slot) });
  await setCancelHours(company, 24);
  expect(sent.status).toBe(409);
  expect(await stored(company, visit.id)).toMatchObject({ Start: start });
  await change(company, visit.id, { Status: Status.Scheduled, AdditionalAgents: [] });
  await company.call('appointments/cancel', { AppointmentId: visit.id, CancelReasonId: 1 });
});

test('a visit that waits to be confirmed stays Tentative, and moves only to times after it would be released', async () => {
  const free = await freeStarts(company);
  const visit = await visitAt(company, free[20] ?? 0);
  const HeldUntil = free[10] ?? 0;
  await change(company, visit.id, { Status: Status.Tentative, HeldUntil });
  const [first = 0, second = 0] = startsIn(await timesOf(visit));
  expect(first).toBe(HeldUntil);
  expect((await moveTo(visit, free[9] ?? 0)).status).toBe(409);
  expect((await moveTo(visit, second)).status).toBe(303);
  expect(await stored(company, visit.id)).toMatchObject({ Start: second, Status: Status.Tentative, HeldUntil });
});

test('a crew moves together, to times at which all of it is free', async () => {
  const [start = 0, busy = 0, free = 0] = (await freeStarts(company)).filter((__, index) => index % 4 === 0);
  const crew = { AdditionalServiceAgents: [{ ServiceAgent: { Id: company.agents['Ben'] } }] };
  const DateTime = new Date(start).toISOString();
  const Slots = [{ DateTime, ServiceAgentId: company.agents['Ann'], ...crew }];
  const visit = await visitAt(company, start, { Slots });
  slotIn(await company.book('Ben', new Date(busy).toISOString()));
  const offered = startsIn(await timesOf(visit));
  expect(offered).toContain(free);
  expect(offered).not.toContain(busy);
  expect((await moveTo(visit, busy)).status).toBe(409);
  expect((await moveTo(visit, free)).status).toBe(303);
  expect(await stored(company, visit.id)).toMatchObject({
    Start: free,
    ServiceAgentName: 'Ann',
    AdditionalAgents: [{ Name: 'Ben' }],
  });
});

test('a link searches and moves a limited number of times a day', async () => {
  const [start = 0] = await freeStarts(company);
  const visit = await visitAt(company, start);
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) statuses.push((await moveTo(visit, 60_000)).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 409), 429]);
});

test('the visit of a stranger moves to no day of which strangers have booked their share', async () => {
  const of = await bookable();
  await setCancelHours(of, 24);
  const dayOf = (at: number) => toLocalDate(at, 'America/Chicago');
  const starts = await freeStarts(of);
  const [own = 0] = starts;
  const full = starts.find((start) => dayOf(start) !== dayOf(own)) ?? 0;
  const visit = await visitAt(of, own);
  const key = layout.clientDay.key({ account: of.accountId, organization: of.organizationId, day: dayOf(full) });
  await testTable().update({ update: key, add: { Minutes: 2_000 } });
  await change(of, visit.id, { Network: '0123456789abcdef' });
  const offered = startsIn(await timesOf(visit)).map(dayOf);
  expect(offered).toContain(dayOf(own));
  expect(offered).not.toContain(dayOf(full));
  expect((await moveTo(visit, full)).status).toBe(409);
  await change(of, visit.id, { Network: '' });
  expect((await moveTo(visit, full)).status).toBe(303);
});
