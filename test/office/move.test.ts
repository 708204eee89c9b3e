import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Appointment } from '../../lib/entities/appointments.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { UserRecord } from '../../lib/entities/users.ts';
import { listNotices } from '../../lib/store/messages.ts';
import { accountStore } from '../../lib/store/store.ts';
import { turnMessages } from '../support/messages.ts';
import { type OfficeBrowser, makeUser, signedIn } from '../support/office.ts';
import { hiddenFields } from '../support/pages.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { drainEvents, testTable } from '../support/stack/stack.ts';

const DATE = '2035-03-05';

let company: Bookable;
let user: UserRecord;
let browser: OfficeBrowser;
let visit: number;

const agentIdOf = (name: string): number => company.agents[name] ?? 0;

beforeAll(async () => {
  company = await bookable();
  user = await makeUser(company, { role: 'Office', name: 'Olive Office' });
});
beforeEach(async () => {
  browser = await signedIn(company, user);
});

/** Each test has a day of its own. */
let days = 4;
let date = DATE;
const nextDay = async (time = '09:00', agent = 'Ann'): Promise<void> => {
  days += days % 7 === 2 ? 3 : 1;
  date = new Date(Date.UTC(2035, 2, days)).toISOString().slice(0, 10);
  visit = slotIn(await company.book(agent, `${date}T${time}`)).AppointmentId;
};

const visitOf = async (AppointmentId: number): Promise<Appointment> => {
  const { body } = await company.call('appointments/find', { AppointmentId });
  return (body['Slots'] as Appointment[])[0] as Appointment;
};
/** Where a visit is: `09:00 Ann`. */
const placeOf = async (id = visit): Promise<string> => {
  const { DateTime, ServiceAgentName } = await visitOf(id);
  return `${DateTime.slice(0, 10) === date ? '' : DateTime.slice(0, 10)}${DateTime.slice(11, 16)} ${ServiceAgentName}`;
};

/** What the script of the board asks for after a drop. */
const dropAddress = (time: string, agent: string, id = visit): string =>
  `/office/move/${id}?${new URLSearchParams({ date, time, agent: String(agentIdOf(agent)) })}`;

/** Opens what a drop shows, and what its form sends. */
async function dropped(by: OfficeBrowser, time: string, agent: string) {
  const page = await by.open(dropAddress(time, agent));
  expect(page.status).toBe(200);
  return { page, confirm: () => by.post(`/office/move/${visit}`, hiddenFields(page.text, 'move')) };
}

/** The row of an agent on the board of a page. */
const rowOf = (text: string, agent: string): string =>
  text.split('<section class="agent"').find((part) => part.includes(`<h2>${agent} `)) ?? '';

describe('a drop on the board', () => {
  beforeEach(() => nextDay());

  test('shows old and new time and technician, and moves the visit once it is confirmed', async () => {
    const { page, confirm } = await dropped(browser, '13:15', 'Ben');
    const [shown = ''] = /<section id="moving">[\s\S]*?<\/section>/.exec(page.text) ?? [];
    expect(shown).toMatch(/Now[\s\S]*9:00 AM[\s\S]*Ann[\s\S]*New[\s\S]*1:15 PM[\s\S]*Ben/);
    expect(await placeOf()).toBe('09:00 Ann');
    const answer = await confirm();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/office?date=${date}&done=moved`]);
    expect(await placeOf()).toBe('13:15 Ben');
    const { text } = await browser.open(`/office?date=${date}&done=moved`);
    expect(text).toContain('The visit is moved.');
    expect(rowOf(text, 'Ben')).toContain(`data-visit="${visit}"`);
  });

  test('on a taken time is refused with the sentence of the operation; the visit is where it was', async () => {
    await company.book('Ben', `${date}T13:00`);
    const answer = await (await dropped(browser, '13:30', 'Ben')).confirm();
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Nothing was changed');
    expect(answer.text).toMatch(/role="alert">[\s\S]*Ben[\s\S]*<\/div>/);
    expect(rowOf(answer.text, 'Ann')).toContain(`data-visit="${visit}"`);
    expect(rowOf(answer.text, 'Ben')).not.toContain(`data-visit="${visit}"`);
    expect(await placeOf()).toBe('09:00 Ann');
  });

  test('after somebody else moved the visit, in time or to a technician, is refused and shows where', async () => {
    const other = await signedIn(company, await makeUser(company, { role: 'Owner' }));
    for (const [time, agent, shown] of [
      ['11:00', 'Ann', '11:00 AM, Ann'],
      ['11:00', 'Ben', '11:00 AM, Ben'],
    ] as const) {
      const late = await dropped(browser, '15:00', 'Ann');
      expect((await (await dropped(other, time, agent)).confirm()).status).toBe(303);
      const answer = await late.confirm();
      expect([answer.status, answer.text.includes(shown)], answer.text).toEqual([409, true]);
      expect(await placeOf()).toBe(`${time} ${agent}`);
      expect(rowOf(answer.text, agent)).toContain(`data-visit="${visit}"`);
    }
  });

  test('of two people at once is done for one of them', async () => {
    const people = [browser, await signedIn(company, await makeUser(company, { role: 'Owner' }))];
    const drops = await Promise.all(people.map((each, index) => dropped(each, index ? '15:00' : '13:00', 'Ben')));
    const answers = await Promise.all(drops.map(({ confirm }) => confirm()));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const won = answers.findIndex(({ status }) => status === 303);
    expect(await placeOf()).toBe(`${won ? '15:00' : '13:00'} Ben`);
    expect(answers[1 - won]?.text).toContain('was changed since you saw it');
  });

  test('that is sent twice moves the visit once', async () => {
    const { confirm } = await dropped(browser, '13:00', 'Ann');
    expect([(await confirm()).status, (await confirm()).status]).toEqual([303, 303]);
    expect(await placeOf()).toBe('13:00 Ann');
  });

  test('leads to the usual message: the message worker finds where the visit was and where it is', async () => {
    await drainEvents();
    await turnMessages(company, true);
    const [from] = [(await visitOf(visit)).DateTime];
    await (await dropped(browser, '14:00', 'Ann')).confirm();
    await drainEvents();
    const [notice] = await listNotices(accountStore(testTable(), company.accountId), visit);
    expect(notice).toMatchObject({
      Was: { Start: Date.parse(from), Status: Status.Scheduled },
      Is: { Start: Date.parse((await visitOf(visit)).DateTime), Status: Status.Scheduled },
    });
    await turnMessages(company, false);
  });

  test.each([
    ['time', '24:00'],
    ['time', '9:00'],
    ['time', ''],
    ['date', '2035-02-30'],
    ['date', 'x'],
    ['agent', '0'],
    ['agent', '999999'],
    ['agent', 'constructor'],
  ])('at an address whose %s is %j is nowhere', async (name, value) => {
    const address = new URL(dropAddress('13:00', 'Ben'), browser.baseUrl);
    address.searchParams.set(name, value);
    expect((await browser.open(address.href)).status).toBe(404);
  });

  test('is not for those who may not move visits: they have no visit to drag, and no address', async () => {
    const agentId = agentIdOf('Ann');
    for (const role of ['ReadOnly', 'ServiceAgent'] as const) {
      const made = await makeUser(company, { role, ...(role === 'ServiceAgent' ? { agentId } : {}) });
      const own = await signedIn(company, made);
      const board = await own.open(`/office?date=${date}`);
      expect(board.text).toContain(`/office/visit/${visit}"`);
      expect(board.text).not.toMatch(/data-visit="\d/);
      expect((await own.open(dropAddress('13:00', 'Ann'))).status).toBe(404);
      const token = /name="token" value="([^"]+)"/.exec(board.text)?.[1] ?? '';
      const sent = { action: 'move', token, date, time: `${date}T19:00:00Z ${agentId}`, seen: '' };
      expect((await own.post(`/office/move/${visit}`, sent)).status).toBe(role === 'ReadOnly' ? 403 : 303);
    }
  });
});

test('a visit of several technicians, or one that is started, cannot be dragged', async () => {
  await nextDay();
  const alone = visit;
  const Slots = [
    {
      DateTime: `${date}T13:00`,
      ServiceAgentId: agentIdOf('Ann'),
      AdditionalServiceAgents: [{ ServiceAgent: { Id: agentIdOf('Ben') } }],
    },
  ];
  const ServiceId = Object.values(company.services)[0];
  const team = slotIn(await company.call('appointments/book', { ContactId: company.contact, ServiceId, Slots }));
  const begun = slotIn(await company.book('Ben', `${date}T10:00`)).AppointmentId;
  const ActualStart = `${date}T10:00`;
  await company.call('appointments/update', { AppointmentId: begun, UpdateActuals: true, ActualStart });
  const { text } = await browser.open(`/office?date=${date}`);
  const dragged = [...text.matchAll(/data-visit="(\d+)"/g)].map(([, id]) => Number(id));
  expect(dragged).toEqual([alone]);
  expect(text).toContain(`/office/visit/${team.AppointmentId}"`);
});

test('the board shows a client under a new name at once', async () => {
  await nextDay();
  const Name = 'Xiomara Renamed';
  expect((await browser.open(`/office?date=${date}`)).text).not.toContain(Name);
  await company.call('contacts/addupdate', { Id: company.contact, Name });
  expect(rowOf((await browser.open(`/office?date=${date}`)).text, 'Ann')).toContain(Name);
});

describe('a visit with an arrival window', () => {
  beforeAll(async () => {
    const windows = [8, 10, 13].map((hour) => ({ From: hour * 60, Through: hour * 60 + 120 }));
    await putOrganizationSettings(company, { ArrivalWindows: windows });
  });

  test.each([
    ['11:00', '10 AM–12 PM', ['10:00', '12:00']],
    ['10:30', '10 AM–12 PM', ['10:00', '12:00']],
    ['13:45', '1–3 PM', ['13:00', '15:00']],
  ] as const)('that is dropped at %s has the window around that time', async (time, shown, window) => {
    await nextDay('10:00');
    expect((await visitOf(visit)).ArrivalFrom?.slice(11, 16)).toBe('10:00');
    const { page, confirm } = await dropped(browser, time, 'Ben');
    expect(page.text).toMatch(new RegExp(`New[\\s\\S]*The client expects ${shown}`));
    expect((await confirm()).status).toBe(303);
    const { ArrivalFrom, ArrivalThrough } = await visitOf(visit);
    expect([ArrivalFrom?.slice(11, 16), ArrivalThrough?.slice(11, 16)]).toEqual(window);
    expect(await placeOf()).toBe(`${time} Ben`);
  });

  test('that is dropped outside all windows has the exact time', async () => {
    await nextDay('10:00');
    const { page, confirm } = await dropped(browser, '15:30', 'Ann');
    expect(page.text.split('The client expects')).toHaveLength(2);
    expect((await confirm()).status).toBe(303);
    expect((await visitOf(visit)).ArrivalFrom).toBe(null);
    expect(await placeOf()).toBe('15:30 Ann');
  });
});
