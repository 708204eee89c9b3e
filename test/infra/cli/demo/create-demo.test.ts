import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createDemo } from '../../../../infra/cli/demo/create-demo.ts';
import { type CompanyEntries, moveDates } from '../../../../infra/cli/demo/move-dates.ts';
import { Office } from '../../../../infra/cli/demo/office.ts';
import { plannedDays } from '../../../../infra/cli/demo/plan-work.ts';
import { planJobs } from '../../../../infra/cli/demo/year.ts';
import { StagedTable } from '../../../../infra/cli/staged-table.ts';
import { toLocalDate } from '../../../../lib/shared/time/time.ts';
import { listJobs } from '../../../../lib/store/calendars.ts';
import { listOrganizations } from '../../../../lib/store/organizations/organizations.ts';
import { listAgents } from '../../../../lib/store/organizations/service-agents.ts';
import { accountStore, type StoreWriter } from '../../../../lib/store/store.ts';
import { sampled } from '../../../support/sampled.ts';

const DAY = 86_400_000;
const FOLDER = join(import.meta.dirname, '../../../../infra/cli/demo');
/** `npm run prove -- random` makes demos at random times, and the whole one. */
const STARTS = Number(process.env['DEMO_STARTS'] ?? 0);

interface Hours {
  readonly category?: string;
  readonly from: string;
  readonly through: string;
}
interface Dated {
  readonly date: string;
  readonly name: string;
}
interface FileEntry {
  readonly name: string;
  readonly date: string;
  readonly due: string;
  readonly completed?: string;
  readonly subscription?: true;
  readonly seasonStart: string;
  readonly seasonExpiration: string;
  readonly holidays: readonly Dated[];
  readonly agents: readonly { readonly hours: readonly Hours[] }[];
  readonly campaigns: readonly { readonly actuals: readonly { readonly year: number; readonly month: number }[] }[];
}

describe('the dates of the demo', () => {
  const files = ['company.yaml', 'tasks.yaml'].map(
    (file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as CompanyEntries,
  );
  const entriesOf = (all: readonly CompanyEntries[], section: string) =>
    all.flatMap((file) => (file[section] ?? []) as readonly FileEntry[]);
  const listOf = (section: string) => entriesOf(files, section);
  const listAt = (now: Date, section: string) =>
    entriesOf(
      files.map((file) => moveDates(file, now)),
      section,
    );
  const written = new Date('2026-11-22T12:00:00Z');

  test('are those of its files on the day of which these are', () => {
    for (const section of ['tasks', 'blogs', 'services']) expect(listAt(written, section)).toEqual(listOf(section));
    const organizations = listAt(written, 'organizations');
    for (const [index, { holidays, agents }] of listOf('organizations').entries()) {
      expect(organizations[index]?.holidays).toEqual(expect.arrayContaining([...holidays]));
      const hours = agents.flatMap((agent) => agent.hours);
      expect(organizations[index]?.agents.flatMap((agent) => agent.hours)).toEqual(expect.arrayContaining(hours));
    }
  });

  test('move with the start: holidays and seasons around it, tasks on their weekdays, nothing done later', () => {
    const weekday = (date: string) => new Date(date.slice(0, 10)).getUTCDay();
    const starts = fc.date({ min: new Date('2026-03-01'), max: new Date('2041-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(starts, (now) => {
        const day = (offset: number) => new Date(now.getTime() + offset * DAY).toISOString().slice(0, 10);
        for (const { holidays, agents } of listAt(now, 'organizations')) {
          expect(new Set(holidays.map(({ date }) => date)).size).toBe(holidays.length);
          for (const name of new Set(holidays.map((holiday) => holiday.name)))
            expect(holidays.filter((holiday) => holiday.name === name && holiday.date >= day(0))).not.toEqual([]);
          for (const { date, name } of holidays)
            if (name === 'Thanksgiving Day')
              expect([weekday(date), Math.ceil(Number(date.slice(8)) / 7)]).toEqual([4, 4]);
          const seasons = agents.flatMap(({ hours }) => hours).filter(({ from }) => from);
          for (const { category } of seasons)
            expect(seasons.filter((season) => season.category === category && season.through >= day(0))).not.toEqual(
              [],
            );
        }
        for (const { name, subscription, seasonStart, seasonExpiration } of listAt(now, 'services'))
          if (seasonStart)
            expect([name, subscription ? seasonStart : seasonExpiration >= day(-14)]).toEqual([
              name,
              subscription ? expect.any(String) : true,
            ]);
        for (const [index, { due, completed }] of listAt(now, 'tasks').entries()) {
          expect(weekday(due)).toBe(weekday(listOf('tasks')[index]?.due ?? ''));
          if (completed) expect(completed < day(0)).toBe(true);
        }
        expect(listAt(now, 'tasks').filter(({ due }) => due > day(2)).length).toBeGreaterThan(6);
        for (const { date } of listAt(now, 'blogs')) expect(date < day(0) && date > day(-367)).toBe(true);
        for (const { actuals } of listAt(now, 'channels').flatMap(({ campaigns }) => campaigns))
          for (const { year, month } of actuals)
            expect(`${year}-${String(month).padStart(2, '0')}` < day(0).slice(0, 7)).toBe(true);
      }),
      { numRuns: STARTS || 5, examples: [[new Date('2040-11-23')]] },
    );
  });
});

/** A day with as much work is full, however few its jobs are: half a day of holiday lights, and a large lawn. */
const FULL_MINUTES = 6 * 60;

/**
 * Working days from two weeks back to two weeks ahead, without time off, that have fewer than 4 jobs of their agent and
 * are not full, or more than 6.
 */
async function wrongDays(store: StoreWriter, now: Date): Promise<string[]> {
  const organizations = await listOrganizations(store);
  const office = new Office(store, { organizations, now });
  const planned = await planJobs(office, store, { organizations, now }, 14);
  const wrong: string[] = [];
  for (const organization of organizations) {
    const { Id: organizationId, Timezone: zone, Holidays } = organization;
    const { jobs } = await listJobs(store, organizationId, plannedDays(now.getTime()), { now });
    const lasting = jobs.map(({ agentId, start, end }) => ({ agentId, start, minutes: (end - start) / 60_000 }));
    const all = [...lasting, ...planned.filter(({ fate }) => fate !== 'canceled')];
    const days = Array.from({ length: 29 }, (_, index) =>
      toLocalDate(Date.parse(toLocalDate(now.getTime(), zone)) + (index - 14) * DAY, 'UTC'),
    ).filter((date) => !Holidays.some((holiday) => holiday.Date === date));
    for (const { Id, Name, TimeSlots, TimeOff } of await listAgents(store, organizationId))
      for (const date of days) {
        const weekday = new Date(date).getUTCDay();
        const works = TimeSlots.some(
          ({ DayOfWeek, StartDate, EndDate }) =>
            DayOfWeek === weekday && StartDate <= date && date <= (EndDate || date),
        );
        const isOff = TimeOff.some(
          ({ From, Until }) => toLocalDate(From, zone) <= date && toLocalDate(Until - 1, zone) >= date,
        );
        const own = all.filter(({ agentId, start }) => agentId === Id && toLocalDate(start, zone) === date);
        const isFull = own.reduce((sum, { minutes }) => sum + minutes, 0) >= FULL_MINUTES;
        const isWrong = (own.length < 4 && !isFull) || own.length > 6;
        if (works && !isOff && isWrong) wrong.push(`${date} ${Name}: ${own.length}`);
      }
  }
  return wrong;
}

const starts = fc.date({ min: new Date('2026-03-01'), max: new Date('2041-01-01'), noInvalidDate: true });

describe('the calendars of the demo', () => {
  const random = STARTS ? fc.sample(starts, STARTS) : [];
  const chosen = [
    // Thanksgiving ahead, the end of summer time two weeks back; a Saturday in Richmond, a Sunday in UTC.
    new Date('2028-11-19T03:30:00Z'),
    // The last of February in Denver, the beginning of summer time ahead.
    new Date('2027-03-01T05:10:00Z'),
    // Thanksgiving while half a day of work is booked.
    new Date('2026-11-17T12:00:00Z'),
    // A holiday on which nobody works.
    new Date('2026-12-25T15:00:00Z'),
    // Two long jobs on a day; a long one on a day that is half off.
    new Date('2035-12-17T18:07:11.241Z'),
    new Date('2032-07-22T02:44:02.303Z'),
    // Shortly after midnight, two weeks before the second Friday of winter time.
    new Date('2034-10-27T04:44:00Z'),
    // Three days later shortly before midnight in Denver, two weeks after the last Saturday of summer time.
    new Date('2038-11-10T20:30:53Z'),
  ];
  test.each([...sampled(chosen, 0, 3), ...random])(
    'have 4 to 6 jobs of every agent, or a full day, on every working day for two weeks back and ahead: start %o',
    async (now) => {
      const table = new StagedTable();
      const { account: accountId } = await createDemo(table, { now, size: 'small' });
      expect(await wrongDays(accountStore(table, accountId), now)).toEqual([]);
      // The same company on another weekday.
      const later = new Date(now.getTime() + 3.4 * DAY);
      expect(await wrongDays(accountStore(table, accountId), later)).toEqual([]);
    },
  );
});

interface PlannedDriving {
  readonly DriveMinutesBefore: number;
  readonly DriveMinutesAfter: number;
}

const ACROSS_TOWN = [
  // A Sunday, a Tuesday in winter, and a Friday in summer: the next weekday is Monday, Wednesday and Monday.
  new Date('2026-11-29T20:00:00Z'),
  new Date('2027-02-02T15:00:00Z'),
  new Date('2027-07-16T15:00:00Z'),
  // Before the season of a service that is sold in that month.
  new Date('2027-03-31T15:26:24Z'),
];
test.each(STARTS ? [...ACROSS_TOWN, ...fc.sample(starts, STARTS)] : ACROSS_TOWN.slice(0, 1))(
  'the next weekday of Richmond crosses town: its plan saves at least 20 % of the driving, start %o',
  async (now) => {
    const table = new StagedTable();
    const { account } = await createDemo(table, { now, size: 'small' });
    const store = accountStore(table, account);
    const organizations = await listOrganizations(store);
    const [richmond] = organizations;
    const office = new Office(store, { organizations, now });
    const across = (await planJobs(office, store, { organizations, now }, 0)).filter(({ window }) => window);
    expect(across.length).toBeGreaterThanOrEqual(3);
    const iso = (at = 0) => new Date(at).toISOString();
    for (const { contact, offer, agentId, start, minutes, window } of across)
      await office.call('appointments/book', {
        ContactId: contact.id,
        ServiceName: offer.service,
        Duration: String(minutes),
        SkipConflictChecks: true,
        Slots: [
          {
            DateTime: iso(start),
            ServiceAgentId: agentId,
            ArrivalFrom: iso(window?.start),
            ArrivalThrough: iso(window?.end),
          },
        ],
      });
    const date = toLocalDate(across[0]?.start ?? 0, richmond?.Timezone ?? '');
    const plan = await office.call<PlannedDriving>('appointments/dayplan', {
      OrganizationId: richmond?.Id,
      Date: date,
    });
    expect(plan.DriveMinutesBefore).toBeGreaterThan(30);
    expect(plan.DriveMinutesAfter).toBeLessThan(plan.DriveMinutesBefore * 0.8);
  },
);

interface Slot {
  readonly DateTime: string;
  readonly ServiceAgentId: number;
  readonly DriveTimeMinutes: number;
  readonly DriveTimeWarning: boolean;
}

describe.runIf(STARTS)('the whole demo', () => {
  const now = new Date('2026-11-18T16:40:00Z');
  const table = new StagedTable();
  let accountId: string;
  beforeAll(async () => {
    ({ account: accountId } = await createDemo(table, { now }));
  });
  const listOf = <Fields>(entity: string) => table.items().filter(({ E }) => E === entity) as unknown as Fields[];
  const appointments = () =>
    listOf<{ Status: number; Start: number; ServiceAgentName: string; DriveTimeMinutes: number }>('Appointment');
  const invoices = () => listOf<{ Status: number; BalanceDue: number; Total: number }>('Invoice');
  const statusesOf = (records: readonly { readonly Status: number }[]) => new Set(records.map(({ Status }) => Status));

  test('books over no job, and shows conflicts and drives in a slot search', async () => {
    const store = accountStore(table, accountId);
    const organizations = await listOrganizations(store);
    const office = new Office(store, { organizations, now });
    const [richmond] = organizations;
    const contact = (await office.listContacts()).find(
      ({ organizationId, fields }) => organizationId === richmond?.Id && fields.has('gutter_feet'),
    );
    const work = { ContactId: contact?.id, ServiceName: 'Gutter Cleaning', Duration: '1:00' };
    const { Slots } = await office.call<{ Slots: Slot[] }>('appointments/slotsearch', { ...work, SlotWindowDays: 14 });
    expect(Slots.length).toBeGreaterThan(20);
    expect(Slots.filter(({ DriveTimeMinutes }) => DriveTimeMinutes > 0).length).toBeGreaterThan(Slots.length / 2);
    expect(Slots.filter(({ DriveTimeWarning }) => DriveTimeWarning).length).toBeGreaterThan(0);
    const { jobs } = await listJobs(store, richmond?.Id ?? 0, plannedDays(now.getTime()), { now });
    for (const { DateTime, ServiceAgentId } of Slots) {
      const start = Date.parse(DateTime);
      const isTaken = (job: (typeof jobs)[number]) =>
        job.agentId === ServiceAgentId && job.start < start + 60 * 60_000 && job.end > start;
      expect(jobs.filter(isTaken)).toEqual([]);
    }
    const taken = jobs.find(({ start }) => start > now.getTime() + DAY);
    const slot = { DateTime: new Date(taken?.start ?? 0).toISOString(), ServiceAgentId: taken?.agentId };
    await expect(office.call('appointments/book', { ...work, Slots: [slot] })).rejects.toThrow(/ is taken on /);
  });

  test('has appointments of every status, one Started now, and what is past done', () => {
    expect(statusesOf(appointments())).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    const scheduled = appointments().filter(({ Status }) => Status === 1 || Status === 5);
    expect(scheduled.filter(({ Start }) => Start < now.getTime())).toEqual([]);
  });

  test('has a year of completed jobs, most of them paid, some open', () => {
    const done = appointments().filter(({ Status }) => Status === 3);
    expect(done.length).toBeGreaterThan(1_000);
    expect(Math.min(...done.map(({ Start }) => Start))).toBeLessThan(now.getTime() - 350 * DAY);
    const open = invoices().filter(({ Status }) => Status === 1).length;
    expect(open).toBeGreaterThan(20);
    expect(open).toBeLessThan(invoices().length / 5);
    expect(listOf('Payment').length).toBeGreaterThan(800);
  });

  test('has about as many visits in each month of the year and on each working day, before today and after', () => {
    const visits = appointments().filter(({ Start, Status }) => Start > 0 && Status !== 4);
    const counts = (from: number, through: number, length: number) => {
      const starts = visits
        .map(({ Start }) => (Start - now.getTime()) / DAY)
        .filter((day) => day >= from && day < through);
      const groups = Object.values(Object.groupBy(starts, (day) => Math.floor((day - from) / length)));
      return groups.map((group) => group?.length ?? 0);
    };
    const months = counts(-360, 0, 30);
    expect(months).toHaveLength(12);
    const mean = months.reduce((sum, count) => sum + count, 0) / months.length;
    for (const count of months) expect(Math.abs(count / mean - 1)).toBeLessThan(0.2);
    // The last two and the next two weeks, beside the four weeks before; Thanksgiving falls into the second.
    for (const count of counts(-42, 14, 14)) expect(Math.abs(count / mean / (14 / 30) - 1)).toBeLessThan(0.3);
  });

  test('has customers to whom something was sold, leads to whom nothing was, and proposals of every status', () => {
    const contacts = listOf<{ Category: string; IsCustomer: boolean }>('Contact');
    expect(contacts.length).toBeGreaterThan(300);
    expect(contacts.filter(({ Category, IsCustomer }) => (Category === 'Customer') !== IsCustomer)).toEqual([]);
    expect(statusesOf(listOf('Proposal')).size).toBe(8);
  });
});
