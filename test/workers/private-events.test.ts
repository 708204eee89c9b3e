import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { ServiceAgent } from '../../lib/entities/service-agents.ts';
import type { Task } from '../../lib/entities/tasks.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';
import { DAY, HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import { fetchPublic } from '../../lib/shared/web/fetch-public.ts';
import type { OutgoingMessage } from '../../lib/shared/queues.ts';
import { agentCalendarsKey, calendarEntryKey, findAgentCalendars } from '../../lib/store/agent-calendars.ts';
import { listJobs } from '../../lib/store/calendars.ts';
import type { PatientTable } from '../../lib/store/dynamodb/table.ts';
import { accountStore } from '../../lib/store/store.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import type { FetchCalendar } from '../../lib/workflows/private-events/read-calendar.ts';
import { readCalendars } from '../../lib/workflows/private-events/read-calendars.ts';
import { sendDueCalendars } from '../../lib/workflows/private-events/send-due-calendars.ts';
import { bookingLink, linkContext, offered } from '../support/booking.ts';
import { someone, startsIn } from '../support/booking-forms.ts';
import { type Ended, runTool, withEnvironment } from '../support/cli.ts';
import { dying } from '../support/erasures.ts';
import { problemsOf, scan } from '../support/merges.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { bookSeries } from '../support/series.ts';
import { type FeedHost, calendarFile, event, startFeedHost } from '../support/calendar-feeds.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { type Bookable, bookable, slotIn, slotsIn, times, weekdays } from '../support/scheduling.ts';
import { type TestAnswer, onStack, testStack, testTable } from '../support/stack/stack.ts';

/** A Tuesday within a year from now, at which Ann and Ben work from 8:00 to 17:00 in Chicago. */
const TUESDAY = (() => {
  const at = new Date(Date.now() + 40 * DAY);
  while (at.getUTCDay() !== 2) at.setTime(at.getTime() + DAY);
  return at.toISOString().slice(0, 10);
})();
const compact = TUESDAY.replaceAll('-', '');
const chicago = (time: string) => `TZID=America/Chicago:${compact}T${time}00`;
const busy = (from: string, until: string, ...lines: readonly string[]) =>
  event(`DTSTART;${chicago(from)}`, `DTEND;${chicago(until)}`, ...lines);

let host: FeedHost;
let company: Bookable;
beforeAll(async () => {
  host = await startFeedHost(404);
});
afterAll(() => host.stop());
beforeEach(async () => {
  company = await bookable();
  host.requests.length = 0;
});

const store = () => accountStore(testTable(), company.accountId);
const place = (agent = 'Ann') => ({ OrganizationId: 1, AgentId: company.agents[agent] ?? 0 });

const runAt = (now: Date, agent: string, table: PatientTable) => {
  const message = { ...agentCalendarsKey(store(), place(agent)), receives: 1 };
  const fetch: FetchCalendar = (address, headers) =>
    fetchPublic(address, { headers, allowLoopback: true, maxBytes: 1024 * 1024, timeoutMilliseconds: 5_000 });
  return readCalendars(table, [message], { now }, { readKey: readCallbackKey, fetch });
};

/** Reads the calendars as the worker does, some time from now: again if the worker of the stack does at that moment. */
async function read(after = 0, agent = 'Ann'): Promise<void> {
  const now = new Date(Date.now() + after);
  const isLast = async () => {
    expect(await runAt(now, agent, testTable())).toEqual({ done: 1, failures: [] });
    const { Calendars = [] } = (await findAgentCalendars(store(), place(agent))) ?? {};
    return Calendars.every(({ TriedAt }) => TriedAt === now.getTime());
  };
  await expect.poll(isLast).toBe(true);
}

const setCalendars = (BusyFrom: readonly string[] | null, agent = 'Ann') =>
  company.call('organizations/update', { OrganizationId: 1, ServiceAgents: [{ Id: company.agents[agent], BusyFrom }] });

/** Gives Ann the calendar, and waits until the worker of the stack has read it. */
async function subscribe(file: string): Promise<void> {
  host.serve(file);
  const answer = await setCalendars([host.url]);
  expect(answer.status, answer.text).toBe(200);
  await expect.poll(async () => (await stateOf())?.Digest ?? '').not.toBe('');
}

const stateOf = async (agent = 'Ann') => (await findAgentCalendars(store(), place(agent)))?.Calendars[0];

const search = (more: object = {}) =>
  company.call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    TargetDate: TUESDAY,
    SlotWindowDays: 1,
    ...more,
  });
const slotsOf = async (agent: string): Promise<string[]> =>
  times(slotsIn(await search())).filter((slot) => slot.endsWith(agent));
const privateTimes = async (organization = 1) => {
  const { jobs } = await listJobs(store(), organization, [TUESDAY], { now: new Date() });
  return jobs.filter(({ isPrivate }) => isPrivate).map(({ start, end }) => (end - start) / MINUTE);
};
const tasks = async (): Promise<Task[]> =>
  (await company.call('task/query', { Category: 'Calendars', IncludeCompleted: true })).body['Tasks'] as Task[];

describe('a busy event of an own calendar', () => {
  test('is read at once, offers no slot of its agent, and one of other agents as before', async () => {
    const before = await slotsOf('Ben');
    await subscribe(calendarFile(busy('0900', '1030')));
    const slots = await slotsOf('Ann');
    expect(slots).toContain('08:00 Ann');
    expect(slots).toContain('10:30 Ann');
    for (const taken of ['08:30', '09:00', '09:30', '10:00']) expect(slots).not.toContain(`${taken} Ann`);
    expect(await slotsOf('Ben')).toEqual(before);
  });

  test('refuses a booking with a sentence that has its time and no title, and SkipConflictChecks books', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    const refused = await company.book('Ann', `${TUESDAY}T10:00`);
    expect(refused.status).toBe(409);
    expect(refused.body['Code']).toBe('slot_taken');
    expect(refused.body['Message']).toMatch(
      /^Slot taken: Ann is taken on .* from 9:00 AM to 10:30 AM by a private event in the agent's own calendar\.$/,
    );
    slotIn(await company.book('Ann', `${TUESDAY}T10:00`, { SkipConflictChecks: true }));
    slotIn(await company.book('Ben', `${TUESDAY}T10:00`));
  });

  test('refuses quickbook, a hold and a move of a visit, and leaves visits where they are', async () => {
    company = await bookable({ agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
    const visit = slotIn(await company.book('Ann', `${TUESDAY}T09:00`));
    const other = slotIn(await company.book('Ann', `${TUESDAY}T15:00`));
    await subscribe(calendarFile(busy('0900', '1030')));
    const DateTime = `${TUESDAY}T10:15`;
    const Slots = [{ DateTime, ServiceAgentId: company.agents['Ann'] }];
    const calls = {
      'appointments/quickbook': { Name: 'New Client', Zip: '62701', Service: 'Lawn care', ScheduledStart: DateTime },
      'appointments/update': { AppointmentId: other.AppointmentId, Slots },
    };
    for (const [path, body] of Object.entries(calls)) {
      const answer = await company.call(path, body);
      expect(answer.status, `${path} ${answer.text}`).toBe(409);
      expect(answer.text).toContain('private event');
      expect(answer.text).not.toContain('Confidential');
    }
    const held = await search({ Hold: 1, Slots });
    expect(held.body['Holds']).toEqual([]);
    // A change that does not move it is no new conflict with the private event.
    const noted = await company.call('appointments/update', { AppointmentId: visit.AppointmentId, Notes: 'Gate 12' });
    expect(noted.status, noted.text).toBe(200);
  });

  test('leaves no such time on the booking page and the page of a visit, and refuses whom it came before', async () => {
    company = await bookable({ services: [offered], agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
    await putOrganizationSettings(company, { CancelHours: 24 });
    const visit = slotIn(await company.book('Ann', `${TUESDAY}T15:00`));
    const visitPage = onStack(visit.TrackingUrl);
    const chosen = `${await bookingLink(company)}?service=${company.services['Lawn care']}&zip=62701&day=${TUESDAY}`;
    const at = (time: string) => Date.parse(visit.DateTime) - (15 - Number(time)) * HOUR;
    const movePage = () => openPage(`${visitPage}?move=1&from=${at('8')}`);
    const details = await openPage(`${chosen}&slot=${at('9')}`);
    const moves = await movePage();
    for (const page of [await openPage(chosen), moves]) expect(startsIn(page)).toContain(at('9'));
    await subscribe(calendarFile(busy('0900', '1030')));
    for (const page of [await openPage(chosen), await movePage()]) {
      expect(startsIn(page)).toContain(at('8'));
      expect(startsIn(page)).not.toContain(at('9'));
    }
    const booked = await sendForm(await bookingLink(company), details, 'book', someone());
    const moved = await sendForm(visitPage, moves, 'move', { slot: String(at('9')) });
    for (const { status, text } of [booked, moved]) {
      expect([status, text.includes('just taken')], text).toEqual([409, true]);
      expect(text).not.toContain('private');
    }
  });

  test('queues the visit of a series that would be then, and a task tells the office', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    const before = new Date(Date.parse(TUESDAY) - 7 * DAY).toISOString().slice(0, 10);
    const made = await bookSeries(company, `${before}T09:30`, { Repeat: 'weekly', Count: 3 });
    expect(made.map(({ Status: status }) => status)).toEqual([Status.Scheduled, Status.Queued, Status.Scheduled]);
    const { Tasks } = (await company.call('task/query', { ContactId: company.contact })).body;
    expect((Tasks as Task[]).map(({ Description }) => Description)).toEqual([
      expect.stringMatching(new RegExp(`waits for ${TUESDAY}`)),
    ]);
  });

  test('that fills the day is named by the explanation of an empty search', async () => {
    await subscribe(calendarFile(event(`DTSTART;VALUE=DATE:${compact}`)));
    const { body } = await search({ Slots: [{ ServiceAgentId: company.agents['Ann'] }] });
    expect(body['Slots']).toEqual([]);
    expect(body['Message']).toMatch(/^Fully booked on .*: 1 private event of 1 service agent leave no room for 1 hr/);
  });

  test('is moved and removed with the calendar; an unchanged one is not read again', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    await read(MINUTE);
    expect(host.requests.map(({ status }) => status).at(-1)).toBe(304);
    host.serve(calendarFile(busy('1300', '1400')));
    await read(2 * MINUTE);
    expect(await slotsOf('Ann')).toContain('09:00 Ann');
    expect(await slotsOf('Ann')).not.toContain('13:00 Ann');
    host.serve(calendarFile());
    await read(3 * MINUTE);
    expect(await privateTimes()).toEqual([]);
  });

  test('is never one of the visits of the company itself, moved or canceled as they may be', async () => {
    const uid = `UID:visit-${company.accountId}-17@fieldservice.example.com`;
    await subscribe(calendarFile(busy('0900', '1030', uid), busy('1100', '1200', 'UID:visit-other-17@example.com')));
    expect(await privateTimes()).toEqual([60]);
  });

  test('is none of the visits in the calendar of the agent here, canceled ones included', async () => {
    const [kept, canceled] = [
      slotIn(await company.book('Ann', `${TUESDAY}T09:00`)),
      slotIn(await company.book('Ann', `${TUESDAY}T13:00`)),
    ];
    await company.call('appointments/cancel', { AppointmentId: canceled.AppointmentId, CancelReasonId: 1 });
    const { calendar = '' } = await listLinks(linkContext(company), 'agent', company.agents['Ann'] ?? 0);
    const feed = await (await fetch(onStack(calendar))).text();
    for (const { AppointmentId } of [kept, canceled]) expect(feed).toContain(`-${AppointmentId}@`);
    await subscribe(feed);
    expect(await privateTimes()).toEqual([]);
    // Without what marks it as free, the canceled one blocks nothing either.
    host.serve(
      feed.replaceAll('TRANSP:TRANSPARENT', 'TRANSP:OPAQUE').replaceAll('STATUS:CANCELLED', 'STATUS:CONFIRMED'),
    );
    await read(MINUTE);
    expect(host.requests.at(-1)?.status).toBe(200);
    expect(await privateTimes()).toEqual([]);
    expect(await slotsOf('Ann')).toContain('13:00 Ann');
  });

  test('goes with an agent who leaves for another organization, and counts there from then on', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    const agent = { Name: 'Ann', Email: 'ann2@example.com', TimeSlots: weekdays(), BusyFrom: [host.url] };
    const made = await company.call('organizations/create', {
      Name: 'Elsewhere',
      Timezone: 'America/Chicago',
      StartAddress: { Zip: '62702' },
      ServiceAgents: [agent],
    });
    expect(made.status, made.text).toBe(200);
    const elsewhere = made.body['OrganizationId'] as number;
    const leave = [{ Id: company.agents['Ann'], EndDate: '2020-01-31' }];
    // An agent is of one organization: none takes that of another.
    const taken = await company.call('organizations/update', { OrganizationId: elsewhere, ServiceAgents: leave });
    expect(taken.status, taken.text).toBe(400);
    expect(taken.text).toContain('must be a service agent of the organization');
    await company.call('organizations/update', { OrganizationId: 1, ServiceAgents: leave });
    await read();
    await expect.poll(() => privateTimes(elsewhere)).toEqual([90]);
    expect(await privateTimes()).toEqual([]);
  });

  test('goes with the address, with the agent, and with the organization', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    await setCalendars([]);
    await read();
    expect(await privateTimes()).toEqual([]);
    expect(await findAgentCalendars(store(), place())).toBeUndefined();
    await subscribe(calendarFile(busy('0900', '1030')));
    expect(await privateTimes()).toEqual([90]);
    const EndDate = '2020-01-31';
    await company.call('organizations/update', { ServiceAgents: [{ Id: company.agents['Ann'], EndDate }] });
    await read();
    expect(await privateTimes()).toEqual([]);
    await company.call('organizations/update', { ServiceAgents: [{ Id: company.agents['Ann'], EndDate: null }] });
    await read();
    expect(await privateTimes()).toEqual([90]);
    await company.call('organizations/cancel', { OrganizationId: 1 });
    await read();
    expect(await privateTimes()).toEqual([]);
  });

  test('of a file with two calendars of an agent blocks once, and stays while one of them has it', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    const second = await startFeedHost(calendarFile(busy('0900', '1030'), busy('1400', '1500')));
    await setCalendars([`${host.url}`, second.url]);
    await read();
    expect(await slotsOf('Ann')).not.toContain('14:00 Ann');
    await setCalendars([second.url]);
    await read();
    expect(await privateTimes()).toEqual([90, 60]);
    await second.stop();
  });
});

describe('a calendar that cannot be read', () => {
  test('keeps its last times for a day; then they go, and the office has one task until it works again', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    host.serve(503);
    await read(10 * MINUTE);
    await read(23 * HOUR);
    expect(await privateTimes()).toEqual([90]);
    expect(await tasks()).toEqual([]);
    for (const late of [0, 10, 20]) await read(DAY + (15 + late) * MINUTE);
    expect(await privateTimes()).toEqual([]);
    const [task, ...others] = await tasks();
    expect(others).toEqual([]);
    expect(task?.Description).toContain('of Ann cannot be read since');
    expect(task?.Description).toContain('The host answered 503.');
    expect(task?.Description).not.toContain('private-token');
    host.serve(calendarFile(busy('0900', '1030')));
    await read(2 * DAY);
    expect(await privateTimes()).toEqual([90]);
    expect((await tasks()).map(({ CompletedAt }) => CompletedAt !== null)).toEqual([true]);
    host.serve(503);
    await read(3 * DAY);
    await read(4 * DAY + MINUTE);
    expect(await tasks()).toHaveLength(2);
  });

  test('is a task after an hour if it never could be read', async () => {
    host.serve('<html>Sign in</html>');
    await setCalendars([host.url]);
    await expect.poll(async () => (await stateOf())?.Reason).toBe('The answer is not an iCalendar file.');
    await read(50 * MINUTE);
    expect(await tasks()).toEqual([]);
    await read(61 * MINUTE);
    expect(await tasks()).toHaveLength(1);
  });
});

describe('the address of a calendar', () => {
  const agents = async (key?: string): Promise<ServiceAgent[]> =>
    (await company.call('serviceagents/all', {}, key ? { key } : {})).body['Matches'] as ServiceAgent[];

  test('is shown as its host alone, and only to the office and the agent itself; what is shown keeps it', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    const [ann] = await agents();
    expect(ann?.BusyFrom).toEqual([expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/…[0-9a-f]{8}$/)]);
    expect((await agents(await company.newKey({ role: 'ReadOnly' })))[0]?.BusyFrom).toEqual([]);
    const keyOf = (agentId = 0) => company.newKey({ role: 'ServiceAgent', organizationId: 1, agentId });
    expect((await agents(await keyOf(ann?.Id))).map(({ BusyFrom }) => BusyFrom)).toEqual([ann?.BusyFrom]);
    expect(await agents(await keyOf(company.agents['Ben']))).toMatchObject([{ Name: 'Ben', BusyFrom: [] }]);
    const kept = await setCalendars(ann?.BusyFrom ?? []);
    expect(kept.status, kept.text).toBe(200);
    await read();
    expect(await privateTimes()).toEqual([90]);
    const foreign = await setCalendars(ann?.BusyFrom ?? [], 'Ben');
    expect(foreign.status).toBe(400);
    expect(foreign.text).toContain('ServiceAgents[0].BusyFrom[0]');
  });

  test('is in no item of the table and in no event', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    const item = await testTable().get({
      PK: `A#${company.accountId}#AGENTS`,
      SK: `0000000001#${String(company.agents['Ann']).padStart(10, '0')}`,
    });
    expect(item?.['Calendars']).toHaveLength(1);
    expect(JSON.stringify(item)).not.toContain('private-token');
    const { text } = await company.call('datasubscriber/fetch', { MaxEvents: 100 });
    expect(text).not.toContain('private-token');
    expect(text).not.toContain('127.0.0.1:');
  });

  test('must be https on the public internet, and there are at most three', async () => {
    const addresses = ['http://example.com/a.ics', 'https://10.0.0.1/a.ics', 'ftp://example.com/a.ics', 'calendar'];
    for (const address of addresses) {
      const { status, text } = await setCalendars([address]);
      expect(status, address).toBe(400);
      expect(text).toContain('ServiceAgents[0].BusyFrom[0]');
    }
    const many = await setCalendars(['a', 'b', 'c', 'd'].map((name) => `https://example.com/${name}.ics`));
    expect(many.text).toContain('must have at most 3 addresses');
  });
});

describe('a worker that dies', () => {
  test('at any write is made up for by the next run, and leaves nothing that a check finds', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    for (let writes = 0; writes < 5; writes++) {
      const hour = String(9 + writes);
      host.serve(calendarFile(busy(`${hour.padStart(2, '0')}00`, `${hour.padStart(2, '0')}45`)));
      await runAt(new Date(), 'Ann', dying(testTable(), writes));
      await read();
      expect(await privateTimes()).toEqual([45]);
      expect(await slotsOf('Ann')).not.toContain(`${hour.padStart(2, '0')}:00 Ann`);
    }
    await setCalendars([]);
    for (let writes = 0; writes < 3; writes++) await runAt(new Date(), 'Ann', dying(testTable(), writes));
    await read();
    expect(await privateTimes()).toEqual([]);
    expect(await problemsOf(company.accountId)).toEqual([]);
  });

  test('several at once, and bookings meanwhile, lose neither a visit nor a private event', async () => {
    await subscribe(calendarFile(busy('0900', '0930')));
    host.serve(calendarFile(busy('1300', '1400')));
    const run = () => runAt(new Date(), 'Ann', testTable());
    const work = [
      run(),
      run(),
      company.book('Ann', `${TUESDAY}T08:00`),
      run(),
      company.book('Ann', `${TUESDAY}T15:00`),
    ];
    const [, , first, , second] = await Promise.all(work);
    await read();
    expect(await privateTimes()).toEqual([60]);
    for (const answer of [first, second]) expect((answer as TestAnswer).status).toBe(200);
    const slots = await slotsOf('Ann');
    for (const taken of ['08:00', '13:00', '15:00']) expect(slots).not.toContain(`${taken} Ann`);
    expect(await problemsOf(company.accountId)).toEqual([]);
  });
});

describe('what a check of the table finds and repairs', () => {
  const repair = () =>
    checkTable(testTable(), scan(), {
      accounts: [company.accountId],
      repair: true,
      now: () => new Date(),
      settleMilliseconds: 50,
      onFinding: () => undefined,
    });

  test('times of a calendar that nobody has, and agents whose calendars nobody reads', async () => {
    await subscribe(calendarFile(busy('0900', '1030')));
    await testTable().putMany([], [agentCalendarsKey(store(), place())]);
    const problems = await problemsOf(company.accountId);
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(['calendar', 'entry']);
    await repair();
    // The stream sends the new item to the queue, and the times are there again.
    await expect.poll(() => privateTimes()).toEqual([90]);
    expect(await problemsOf(company.accountId)).toEqual([]);
    await testTable().putMany([], [calendarEntryKey(store(), place())]);
    expect((await problemsOf(company.accountId)).join()).toContain('entry DUE#CALENDARS-');
    await repair();
    expect(await problemsOf(company.accountId)).toEqual([]);
  });
});

test('the schedule sends every agent with own calendars to the queue, of all accounts', async () => {
  await subscribe(calendarFile(busy('0900', '1030')));
  const sent: OutgoingMessage[] = [];
  const send = (messages: readonly OutgoingMessage[]) => {
    sent.push(...messages);
    return Promise.resolve([]);
  };
  const options = { now: new Date(), deadline: Date.now() + 60_000 };
  const outcome = await sendDueCalendars(testTable(), options, send);
  expect(outcome.failures).toEqual([]);
  const own = sent.filter(({ message }) => message.PK.includes(company.accountId));
  expect(own).toEqual([{ queue: 'calendars', message: agentCalendarsKey(store(), place()) }]);
});

/** Runs a command of the tool for the company, in a folder with its files. */
async function tool(words: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'private-events-'));
  const own = {
    'local.json': JSON.stringify({ ...testStack(), AccountId: company.accountId }),
    'callback-key': await readCallbackKey(),
    ...files,
  };
  for (const [name, text] of Object.entries(own)) writeFileSync(join(folder, name), text);
  const placed = words.map((word) => (word in files ? join(folder, word) : word));
  const ended = await withEnvironment({ FS_DATA: folder }, () => runTool(placed));
  rmSync(folder, { recursive: true });
  return ended;
}

test('the company file sets addresses, and an export has only what answers show, which an import keeps', async () => {
  host.serve(calendarFile(busy('0900', '1030')));
  const file = `organizations:\n  - name: Springfield\n    agents:\n      - { name: Ann, busyFrom: ["${host.url}"] }\n`;
  const imported = await tool(['import', 'company.yaml'], { 'company.yaml': file });
  expect(imported.code, imported.stderr).toBe(0);
  await expect.poll(async () => (await stateOf())?.Digest ?? '').not.toBe('');
  expect(await privateTimes()).toEqual([90]);
  const exported = await tool(['export']);
  expect(exported.stdout).toMatch(/busyFrom: \[ https:\/\/127\.0\.0\.1:\d+\/…[0-9a-f]{8}/);
  expect(exported.stdout).not.toContain('private-token');
  const again = await tool(['import', 'company.yaml'], { 'company.yaml': exported.stdout });
  expect(again.code, again.stderr).toBe(0);
  await read();
  expect(await privateTimes()).toEqual([90]);
  const wrong = await tool(['import', 'company.yaml'], { 'company.yaml': file.replace(host.url, 'http://10.0.0.1/') });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr + wrong.stdout).toContain('busyFrom');
});

test('fs agents calendars lists each with its host, its last success, what is busy, and why it fails', async () => {
  await subscribe(calendarFile(busy('0900', '1030')));
  host.serve(404);
  await read();
  const { stdout } = await tool(['agents', 'calendars', '--json']);
  expect(JSON.parse(stdout)).toEqual([
    {
      AgentId: company.agents['Ann'],
      Name: 'Ann',
      Calendar: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/…[0-9a-f]{8}$/) as string,
      ReadAt: expect.stringMatching(/Z$/) as string,
      NextRead: expect.stringMatching(/Z$/) as string,
      BusyTimes: 1,
      BusyHours: 1.5,
      FailingSince: expect.stringMatching(/Z$/) as string,
      Reason: 'The host answered 404.',
    },
  ]);
  expect(stdout).not.toContain('private-token');
});
