import ical, { type VEvent } from 'node-ical';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ServiceAgent } from '../../lib/entities/service-agents.ts';
import { DAY, toLocalDate } from '../../lib/shared/time/time.ts';
import {
  type OrganizationPage,
  type LinkedKind,
  listLinks,
  revokeLinks,
} from '../../lib/workflows/pages/revoke-links.ts';
import { bookingLink, linkContext } from '../support/booking.ts';
import { eraseNow } from '../support/erasures.ts';
import { importTool } from '../support/import-runs.ts';
import { mergesOf } from '../support/merges.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { onStack, testTable } from '../support/stack/stack.ts';

/** Calendars of service agents and organizations, read by a parser that is not ours. */

const ZONE = 'America/Chicago';
let company: Bookable;
const { run } = importTool();

beforeAll(async () => {
  company = await bookable({
    agents: ['Ann Lee', 'Ben, Ortiz'].map((Name) => ({
      Name,
      Email: `${Name.slice(0, 3)}@example.com`,
      TimeSlots: [{ StartMinute: 0, Minutes: 1440 }],
    })),
  });
  await company.call('contacts/addupdate', {
    Id: company.contact,
    Address1: '12 Main St; rear',
    Address2: 'Apt 4',
    City: 'Springfield',
    State: 'IL',
    Phone: '217-555-0134',
    AltPhone: '217-555-0135',
  });
});

/** A date so many days from now, as each test needs one of its own: visits do not meet. */
let day = 2;
beforeEach(() => {
  day++;
});
const dateIn = (days: number): string => toLocalDate(Date.now() + days * DAY, ZONE);

const book = async (agent: string, time = '09:00', more: object = {}) =>
  slotIn(await company.book(agent, `${dateIn(day)}T${time}`, { SkipConflictChecks: true, ...more }));

const agentsOf = async (options?: object): Promise<readonly ServiceAgent[]> =>
  (await company.call('serviceagents/all', {}, options)).body['Matches'] as ServiceAgent[];

const urlOf = async (agent: string): Promise<string> =>
  onStack((await agentsOf()).find(({ Name }) => Name === agent)?.CalendarUrl ?? '');

const ofOrganization = async (): Promise<string> =>
  onStack((await listLinks(linkContext(company), 'organization', 1)).calendar ?? '');

interface Read {
  readonly text: string;
  readonly events: readonly VEvent[];
  readonly headers: Headers;
}

async function read(url: string): Promise<Read> {
  const response = await fetch(url);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const events = Object.values(ical.sync.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT');
  return { text, events, headers: response.headers };
}

/** The event of a visit; `undefined` if the feed does not have it. */
const eventIn = ({ events }: Read, { AppointmentId }: { AppointmentId: number }): VEvent | undefined =>
  events.find(({ uid }) => uid.startsWith(`visit-${company.accountId}-${AppointmentId}@`));

const cancel = async (AppointmentId: number): Promise<void> => {
  const answer = await company.call('appointments/cancel', { AppointmentId, CancelReasonId: 1 });
  expect(answer.status, answer.text).toBe(200);
};

const revoke = async (kind: LinkedKind, id: number, pages?: readonly OrganizationPage[]): Promise<void> =>
  testTable().commit(await revokeLinks(linkContext(company), kind, id, pages));

/** A property that node-ical gives as text, or as text with parameters. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value && 'val' in value ? String(value.val) : String(value);

test('a visit has its time in the zone, place, client, phones, service and status', async () => {
  const visit = await book('Ann Lee');
  const feed = await read(await urlOf('Ann Lee'));
  const event = eventIn(feed, visit);
  expect(event?.start.toISOString()).toBe(new Date(visit.DateTime ?? '').toISOString());
  expect(event?.start.tz).toBe(ZONE);
  expect(Number(event?.end) - Number(event?.start)).toBe(60 * 60_000);
  expect(textOf(event?.summary)).toBe('Lawn care, José García');
  expect(textOf(event?.location)).toBe('12 Main St; rear, Apt 4, Springfield, IL 62701');
  expect(textOf(event?.description).split('\n')).toEqual(['José García', '217-555-0134', '217-555-0135', 'Scheduled']);
  expect(event?.status).toBe('CONFIRMED');
  expect(event?.transparency).toBe('OPAQUE');
  expect(feed.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(feed.text).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT15M\r\nX-PUBLISHED-TTL:PT15M\r\n');
  for (const line of feed.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

test('UID and SEQUENCE are those of the file of its client', async () => {
  const visit = await book('Ann Lee');
  await company.call('appointments/update', { AppointmentId: visit.AppointmentId, Notes: 'Gate code' });
  const file = await read(`${onStack(visit.TrackingUrl)}/visit.ics`);
  const event = eventIn(await read(await urlOf('Ann Lee')), visit);
  expect(event?.uid).toBe(file.events[0]?.uid);
  expect(Number(event?.sequence)).toBeGreaterThan(0);
  expect(event?.sequence).toBe(file.events[0]?.sequence);
});

test('a feed follows a move, to another time and to another agent', async () => {
  const visit = await book('Ann Lee');
  const url = await urlOf('Ann Lee');
  const before = eventIn(await read(url), visit);
  const moved = await company.call('appointments/update', {
    AppointmentId: visit.AppointmentId,
    Slots: [{ DateTime: `${dateIn(day)}T14:00`, ServiceAgentId: company.agents['Ann Lee'] }],
  });
  expect(moved.status, moved.text).toBe(200);
  const after = eventIn(await read(url), visit);
  expect(Number(after?.start) - Number(before?.start)).toBe(5 * 60 * 60_000);
  expect(Number(after?.sequence)).toBeGreaterThan(Number(before?.sequence));
  await company.call('appointments/update', {
    AppointmentId: visit.AppointmentId,
    Slots: [{ DateTime: `${dateIn(day)}T14:00`, ServiceAgentId: company.agents['Ben, Ortiz'] }],
  });
  expect(eventIn(await read(url), visit)).toBeUndefined();
  expect(eventIn(await read(await urlOf('Ben, Ortiz')), visit)?.uid).toBe(after?.uid);
});

test('a canceled visit is CANCELLED for its agents and the organization, takes no time, and is there once it is booked again', async () => {
  const visit = await book('Ann Lee');
  const { AppointmentId } = visit;
  await cancel(AppointmentId);
  for (const url of [await urlOf('Ann Lee'), await ofOrganization()]) {
    const event = eventIn(await read(url), visit);
    expect(event?.status).toBe('CANCELLED');
    expect(event?.transparency).toBe('TRANSPARENT');
    expect(textOf(event?.summary)).toBe('Canceled: Lawn care, José García');
    expect(textOf(event?.description)).not.toContain('217-555');
  }
  const again = await company.call('appointments/update', { AppointmentId, Slots: [{ Status: 1 }] });
  expect(again.status, again.text).toBe(200);
  const feed = await read(await urlOf('Ann Lee'));
  expect(feed.events.filter(({ uid }) => uid.includes(`-${AppointmentId}@`))).toHaveLength(1);
  expect(eventIn(feed, visit)?.status).toBe('CONFIRMED');
});

test('a visit in the queue is in no feed', async () => {
  const visit = await book('Ann Lee');
  const { AppointmentId } = visit;
  const queued = await company.call('appointments/queue', { AppointmentId, ContactId: company.contact });
  expect(queued.status, queued.text).toBe(200);
  for (const url of [await urlOf('Ann Lee'), await ofOrganization()])
    expect(eventIn(await read(url), visit)).toBeUndefined();
});

test('each agent of a visit sees its own time and the others; the organization has them as categories', async () => {
  const visit = await book('Ann Lee', '09:00', {
    Slots: [
      {
        DateTime: `${dateIn(day)}T09:00`,
        ServiceAgentId: company.agents['Ann Lee'],
        AdditionalServiceAgents: [
          { ServiceAgent: { Id: company.agents['Ben, Ortiz'] }, StartMinute: 600, Duration: 30 },
        ],
      },
    ],
  });
  const [ann, ben, all] = [
    eventIn(await read(await urlOf('Ann Lee')), visit),
    eventIn(await read(await urlOf('Ben, Ortiz')), visit),
    eventIn(await read(await ofOrganization()), visit),
  ];
  expect(Number(ben?.start) - Number(ann?.start)).toBe(60 * 60_000);
  expect(Number(ben?.end) - Number(ben?.start)).toBe(30 * 60_000);
  expect(textOf(ann?.description)).toContain('Agents: Ann Lee, Ben, Ortiz (10:00 AM to 10:30 AM)');
  expect(all?.start).toEqual(ann?.start);
  expect(all?.categories).toEqual(['Ann Lee', 'Ben, Ortiz']);
  expect(ann?.categories).toBeUndefined();
});

test('an organization decides whether phones and notes are shown', async () => {
  const visit = await book('Ann Lee', '09:00', { Notes: 'Gate code 1234,\r\nEND:VEVENT \\ "x"; 🌱' });
  const url = await urlOf('Ann Lee');
  expect(textOf(eventIn(await read(url), visit)?.description)).not.toContain('1234');
  await putOrganizationSettings(company, { Calendar: { Phones: false, Notes: true } });
  try {
    const feed = await read(url);
    const description = textOf(eventIn(feed, visit)?.description);
    expect(description).toContain('Gate code 1234,\nEND:VEVENT \\ "x"; 🌱');
    expect(feed.text).not.toContain('217-555');
  } finally {
    await putOrganizationSettings(company, { Calendar: null });
  }
});

test('an answer that a calendar has already is 304, until something changes', async () => {
  const visit = await book('Ann Lee');
  const url = await urlOf('Ann Lee');
  const tag = (await fetch(url)).headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  const known = await fetch(url, { headers: { 'If-None-Match': `"other", W/${tag}` } });
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', tag]);
  await cancel(visit.AppointmentId);
  expect((await fetch(url, { headers: { 'If-None-Match': tag } })).status).toBe(200);
});

test('a calendar may leave out the file, and ask in Spanish or by HEAD; another file and a form are 404', async () => {
  const visit = await book('Ann Lee');
  await cancel(visit.AppointmentId);
  const url = await urlOf('Ann Lee');
  expect((await read(url.replace('/visits.ics', ''))).text).toBe((await read(url)).text);
  expect(textOf(eventIn(await read(`${url}?lang=es`), visit)?.summary)).toBe('Cancelada: Lawn care, José García');
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(url.replace('visits.ics', 'visit.ics'))).status).toBe(404);
});

test('a revoked address is dead at once, and the next one works; that of the organization without its booking link', async () => {
  for (const kind of ['agent', 'organization'] as const) {
    const id = kind === 'agent' ? (company.agents['Ann Lee'] ?? 0) : 1;
    const linksNow = () => listLinks(linkContext(company), kind, id);
    const { calendar: before = '', booking = '' } = await linksNow();
    await read(onStack(before));
    await revoke(kind, id, ['calendar']);
    const dead = await fetch(onStack(before));
    expect([dead.status, dead.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(await dead.text()).toContain('Ask the office for a new address');
    const after = await linksNow();
    await read(onStack(after.calendar ?? ''));
    expect(after.booking ?? '').toBe(booking);
  }
});

test('fs links revoke with --page ends the calendar of an organization, and its booking link stays', async () => {
  const [calendar, booking] = [await ofOrganization(), await bookingLink(company)];
  const words = ['links', 'revoke', 'organization', '1', '--page', 'calendar', '--account', company.accountId];
  const ended = await run(...words);
  expect(ended.code, ended.stderr).toBe(0);
  expect((await fetch(calendar)).status).toBe(404);
  expect([await bookingLink(company), (await fetch(booking)).status]).toEqual([booking, 200]);
  await read(await ofOrganization());
});

test('nobody opens the calendar of another agent or organization with an address, nor makes one up', async () => {
  const url = await urlOf('Ann Lee');
  const handle = /calendar\/([^/]+)/.exec(url)?.[1] ?? '';
  const [account, ids, ...rest] = handle.split('-');
  for (const other of [
    `1.${(company.agents['Ben, Ortiz'] ?? 0).toString(36)}`,
    '1.0',
    ids?.replace('1.', '') ?? '',
    '2.1',
  ])
    expect((await fetch(url.replace(handle, [account, other, ...rest].join('-')))).status).toBe(404);
  expect((await fetch(url.replace('/calendar/', '/booking/'))).status).toBe(404);
});

test('roles that get links have the addresses of all, a key of an agent its own, and others none', async () => {
  const addresses = async (options: Parameters<Bookable['newKey']>[0]) => {
    const key = await company.newKey(options);
    const listed = (await agentsOf({ key })).map(({ CalendarUrl }) => CalendarUrl !== '');
    const details = await company.call('organizations/details', { OrganizationId: 1 }, { key });
    const shown = ((details.body['ServiceAgents'] ?? []) as ServiceAgent[]).map(
      ({ CalendarUrl }) => CalendarUrl !== '',
    );
    return [listed, ...(details.status === 200 ? [shown] : [])];
  };
  for (const role of ['Owner', 'Admin', 'Office'] as const)
    expect(await addresses({ role, organizationId: 1 })).toEqual([
      [true, true],
      [true, true],
    ]);
  for (const role of ['ReadOnly', 'ServiceAgent'] as const)
    for (const list of await addresses({ role, organizationId: 1 })) expect(list).toEqual([false, false]);
  const agentId = company.agents['Ben, Ortiz'] ?? 0;
  const key = await company.newKey({ role: 'ServiceAgent', organizationId: 1, agentId });
  const own = await agentsOf({ key });
  expect(own.map(({ Name }) => Name)).toEqual(['Ben, Ortiz']);
  expect(onStack(own[0]?.CalendarUrl ?? '')).toBe(await urlOf('Ben, Ortiz'));
});

test('a calendar ends with the last day of its agent, the sign-in of its user, and the organization', async () => {
  const own = await bookable();
  const urls = async () =>
    Object.fromEntries(
      ((await own.call('serviceagents/all')).body['Matches'] as ServiceAgent[]).map(({ Name, CalendarUrl }) => [
        Name,
        onStack(CalendarUrl),
      ]),
    );
  const { Ann = '', Ben = '' } = await urls();
  const [AnnId, BenId] = [own.agents['Ann'], own.agents['Ben']];
  const whole = onStack((await listLinks(linkContext(own), 'organization', 1)).calendar ?? '');
  const statuses = () => Promise.all([Ann, Ben, whole].map(async (url) => (await fetch(url)).status));
  const update = async (change: object) => {
    const answer = await own.call('organizations/update', { OrganizationId: 1, ...change });
    expect(answer.status, answer.text).toBe(200);
  };
  await update({ Users: [{ Name: 'Ben', Email: 'ben@example.com', Role: 'ServiceAgent', ServiceAgentId: BenId }] });
  expect(await statuses()).toEqual([200, 200, 200]);
  await update({ ServiceAgents: [{ Id: AnnId, EndDate: dateIn(0) }] });
  expect(await statuses()).toEqual([200, 200, 200]);
  await update({ ServiceAgents: [{ Id: AnnId, EndDate: dateIn(-1) }] });
  expect(await statuses()).toEqual([404, 200, 200]);
  await update({
    Users: [{ Name: 'Ben', Email: 'ben@example.com', Active: false }],
    ServiceAgents: [{ Id: BenId, MobilePhone: '217-555-0100' }],
  });
  expect(await statuses()).toEqual([404, 404, 200]);
  const ben = ((await own.call('serviceagents/all')).body['Matches'] as ServiceAgent[]).find(({ Id }) => Id === BenId);
  expect(ben?.MobilePhone).toContain('555-0100');
  await read((await urls())['Ben'] ?? '');
  expect((await own.call('organizations/cancel', { OrganizationId: 1 })).status).toBe(200);
  expect(await statuses()).toEqual([404, 404, 404]);
});

const newClient = (more: object) => mergesOf(company).add({ Zip: '62701', ...more });

test('a visit of a merged client is that of the one that is kept', async () => {
  const merges = mergesOf(company);
  const kept = await newClient({ Name: 'Kept Client', Phone: '217-555-0161' });
  const merged = await newClient({ Name: 'Merged Client', Phone: '217-555-0162', Address1: '9 Gone St' });
  const visit = await book('Ann Lee', '09:00', { ContactId: merged.Id });
  await merges.send('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
  await merges.finish(kept.Id, merged.Id, 0);
  for (const url of [await urlOf('Ann Lee'), await ofOrganization()]) {
    const event = eventIn(await read(url), visit);
    expect(textOf(event?.summary)).toBe('Lawn care, Kept Client');
    expect(textOf(event?.description)).toContain('217-555-0161');
  }
});

test('nothing of an erased client is in a calendar: its visits to come are canceled, those of the past have no name', async () => {
  const client = await newClient({ Name: 'Erased Client', Phone: '217-555-0171', Address1: '7 Erased St' });
  const visit = await book('Ann Lee', '09:00', { ContactId: client.Id, Notes: 'Erased Client has a dog' });
  const past = slotIn(
    await company.book('Ann Lee', `${dateIn(-day)}T09:00`, { ContactId: client.Id, SkipConflictChecks: true }),
  );
  await putOrganizationSettings(company, { Calendar: { Phones: true, Notes: true } });
  try {
    const urls = [await urlOf('Ann Lee'), await ofOrganization()];
    for (const url of urls) expect(textOf(eventIn(await read(url), visit)?.description)).toContain('has a dog');
    await eraseNow(company.accountId, client.Id);
    for (const url of urls) {
      const feed = await read(url);
      const text = feed.text.replaceAll('\r\n ', '');
      for (const part of ['Erased', '555-0171', 'a dog']) expect(text).not.toContain(part);
      const event = eventIn(feed, visit);
      expect([event?.status, textOf(event?.summary)]).toEqual(['CANCELLED', 'Canceled: Lawn care']);
      expect(textOf(eventIn(feed, past)?.summary)).toBe('Lawn care');
    }
  } finally {
    await putOrganizationSettings(company, { Calendar: null });
  }
});
