import type { Appointment, AppointmentSlot } from '../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, toLocalDate } from '../../lib/shared/time/time.ts';
import { bookingLink, offered } from '../support/booking.ts';
import { freeStarts, linksIn, someone, startsIn } from '../support/booking-forms.ts';
import { type OpenedPage, hiddenFields, openPage, sendForm, sendFrom } from '../support/pages.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { putOrganizationSettings } from '../support/settings.ts';

const ZONE = 'America/Chicago';

let company: Bookable;
let link: string;

beforeAll(async () => {
  const services = [
    offered,
    { ...offered, Name: 'Window cleaning', UnitPrice: 12.5, BaseDuration: 90 },
    { ...offered, Name: 'Estimate', BasePrice: 0, BaseDuration: 30 },
  ];
  company = await bookable({ services });
  link = await bookingLink(company);
});

const chosen = (more = '', service = 'Lawn care'): string =>
  `${link}?service=${company.services[service]}&zip=62701${more}`;

const monthIn = (days: number): string => toLocalDate(Date.now() + days * DAY, ZONE).slice(0, 7);
const dateOf = (at: number): string => toLocalDate(at, ZONE);
const hrefOf = (path: string | undefined): string => new URL(path ?? '', link).href;
const daysIn = (page: OpenedPage): string[] =>
  linksIn(page, 'day=').map((path) => new URL(hrefOf(path)).searchParams.get('day') ?? '');

test('before the form the page says what a visit costs and how long it takes, and the zone of its times, in both languages', async () => {
  const first = (await openPage(`${link}?lang=en`)).text;
  expect(first).toContain('$50.00, about 1 hour<');
  expect(first).toContain('from $62.50, about 1 hour, 30 minutes<');
  expect(first).toContain('<strong>Estimate</strong> about 30 minutes<');
  const times = (await openPage(chosen('&lang=es', 'Window cleaning'))).text;
  for (const text of ['desde $62.50', 'aproximadamente 1 hora y 30 minutos', 'Zona horaria', 'hora central'])
    expect(times).toContain(text);
  const [slot] = startsIn({ text: times } as OpenedPage);
  expect((await openPage(chosen(`&slot=${slot}&lang=en`))).text).toContain('Central Time');
});

test('the days with free times of a month are links, others are not, and each day has the times that slotsearch finds', async () => {
  const month = monthIn(40);
  const page = await openPage(chosen(`&month=${month}`));
  const days = daysIn(page);
  expect(days.length).toBeGreaterThan(15);
  expect(new Set(days.map((day) => day.slice(0, 7)))).toEqual(new Set([month]));
  expect(days.map((day) => new Date(day).getUTCDay()).filter((day) => day === 0 || day === 6)).toEqual([]);
  const day = days[3] ?? '';
  const shown = await openPage(hrefOf(linksIn(page, `day=${day}`)[0]));
  expect(shown.text.match(/aria-current="date"/g)).toHaveLength(1);
  const { body } = await company.call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceId: company.services['Lawn care'],
    TargetDate: day,
    SlotWindowDays: 1,
  });
  const found = (body['Slots'] as AppointmentSlot[]).map(({ DateTime }) => Date.parse(DateTime));
  expect(startsIn(shown)).toEqual([...new Set(found)]);
  const busy = { SkipConflictChecks: true, Slots: undefined };
  for (const agent of ['Ann', 'Ben']) {
    const slots = [{ DateTime: `${day}T08:00`, ServiceAgentId: company.agents[agent], Duration: 540 }];
    expect((await company.book(agent, `${day}T08:00`, { ...busy, Slots: slots })).status).toBe(200);
  }
  const after = await openPage(chosen(`&day=${day}`));
  expect(daysIn(after)).toEqual(days.filter((each) => each !== day));
  expect(startsIn(after).map(dateOf)).not.toContain(day);
});

test('months lead to those beside them, from this one to 400 days ahead, and to no other', async () => {
  const monthsOf = async (month: string) =>
    linksIn(await openPage(chosen(`&month=${month}`)), 'month=').map((path) =>
      new URL(hrefOf(path)).searchParams.get('month'),
    );
  const [before, after] = [await monthsOf('2020-01'), await monthsOf('2099-12')];
  expect(before).toHaveLength(1);
  expect([...before, ...after].every((month) => month && month > monthIn(0) && month < monthIn(400))).toBe(true);
  expect(after).toHaveLength(1);
  expect(await monthsOf(before[0] ?? '')).toEqual([monthIn(0), expect.stringMatching(/^\d{4}-\d\d$/)]);
  for (const wrong of ['2027-13', '2027-02-30', "2027-01'<b>"])
    expect((await openPage(chosen(`&month=${wrong}&day=${wrong}&from=${wrong}`))).status).toBe(200);
});

test('a full month says so, leads to the next, and a search that begins at a day finds those after it', async () => {
  const summer = await bookable({
    services: [offered],
    agents: [{ Name: 'Ann', TimeSlots: weekdays({ StartDate: `${monthIn(70)}-01` }) }],
  });
  const address = `${await bookingLink(summer)}?service=${summer.services['Lawn care']}&zip=62701`;
  const none = await openPage(address);
  expect(none.text).toContain('Nothing is available in ');
  expect(linksIn(none, 'month=').length).toBeGreaterThan(0);
  expect(none.text).not.toContain('name="slot"');
  const [start = 0] = await freeStarts(address, 1);
  expect(dateOf(start) >= `${monthIn(70)}-01`).toBe(true);
  const from = `${monthIn(70)}-20`;
  expect(daysIn(await openPage(`${address}&month=${monthIn(70)}&from=${from}`))[0]?.localeCompare(from)).not.toBe(-1);
});

describe('where the organization shows who comes', () => {
  let team: Bookable;
  let address: string;

  beforeAll(async () => {
    const agents = ['Ann Miller', 'Ben Ortiz'].map((Name) => ({ Name, TimeSlots: weekdays() }));
    team = await bookable({ services: [offered], agents });
    address = await bookingLink(team);
    await putOrganizationSettings(team, { ShowTechnician: true, ConfirmHours: 0 });
  });

  test('each time has the first name of the agent, who is booked; another one is not sent instead', async () => {
    const times = `${address}?service=${team.services['Lawn care']}&zip=62701`;
    const page = await openPage(times);
    const [, slot = '', at = '', agent = ''] = /name="slot" value="((\d+)-(\d+))"/.exec(page.text) ?? [];
    expect(page.text).toContain('<small>Ann</small>');
    expect(page.text).not.toContain('Miller');
    const details = await openPage(`${times}&slot=${slot}`);
    expect(details.text).toContain('with Ann');
    const fields = hiddenFields(details.text, 'book');
    const booked = await sendForm(address, details, 'book', someone());
    expect(booked.text).toContain('with Ann');
    const { body } = await team.call('appointments/query', { FromDate: '2020-01-01' });
    const [visit] = body['Appointments'] as Appointment[];
    expect([Date.parse(visit?.DateTime ?? ''), visit?.ServiceAgentId]).toEqual([Number(at), Number(agent)]);
    const taken = await sendFrom('127.0.160.1', address, { ...fields, ...someone(), form: 'taken'.padEnd(22, '-') });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain(`value="${at}-${team.agents['Ben Ortiz']}"`);
    expect((await openPage(times)).text).toContain('<small>Ben</small>');
    const unknown = { ...fields, ...someone(), slot: `${at}-99`, form: 'nobody'.padEnd(22, '-') };
    expect((await sendFrom('127.0.160.1', address, unknown)).status).toBe(409);
  });
});
