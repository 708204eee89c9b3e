import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FIGURE_MONTHS, monthSpan, monthsThrough } from '../../lib/domain/figures.ts';
import type { MonthFiguresRecord } from '../../lib/entities/figures.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { contactChanges } from '../../lib/store/contacts/contacts.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { findFiguresProgress, listFigures, writeFigures } from '../../lib/store/figures.ts';
import { layout } from '../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { accountStore } from '../../lib/store/store.ts';
import { toDate } from '../../lib/shared/time/time.ts';
import { countFigures } from '../../lib/workflows/figures/count-figures.ts';
import { someContact } from '../support/contacts.ts';
import { putInvoice } from '../support/invoices.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';

const ZONE = 'America/New_York';
const DAY = 24 * 60 * 60 * 1_000;
/** Noon in New York. */
const NOW = Date.parse('2026-11-20T17:00:00Z');

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

const table = (): PatientTable => openTable();
let accounts = 0;
let nights = 0;

/** Each test has an account and a night of its own. */
let account: string;
let now: number;
beforeEach(async () => {
  now = NOW + 400 * DAY * nights++;
  ({ account } = await writeAccount(table(), {
    account: `figures${String(++accounts).padStart(3, '0')}`,
    name: 'Spring',
    timeZone: ZONE,
    now: new Date(now),
  }));
  // The contact of the invoices, added long before.
  await addContacts(contactOf(1, now - 3_000 * DAY, ''));
});

const run = (at = now, milliseconds = 60_000) =>
  countFigures(table(), { now: new Date(at), deadline: Date.now() + milliseconds });

const figuresOf = (organization = 1, of = account): Promise<MonthFiguresRecord[]> =>
  listFigures(accountStore(table(), of), { organization, first: '2000-01', last: '2099-12' });

const monthAt = async (month: string, organization = 1) =>
  (await figuresOf(organization)).find(({ Month }) => Month === month);

const contactOf = (Id: number, Created: number, Channel: string, OrganizationId = 1) =>
  someContact(Id, { Created, Channel, OrganizationId, Email: `c${Id}@example.com` });

const addContacts = (...contacts: ReturnType<typeof contactOf>[]) =>
  table().commit(
    contactChanges(
      { account },
      contacts.map((after) => ({ before: undefined, after, guards: [] })),
      { now: new Date(now) },
    ),
  );

/** The month some months before the one of the test, and a day in it. */
const monthBefore = (ago: number): string => monthsThrough(new Date(now), ZONE, ago + 1)[ago] ?? '';
const dayIn = (month: string, day = 15): number => Date.parse(`${month}-${String(day).padStart(2, '0')}T17:00:00Z`);

describe('a night', () => {
  test('counts 13 months of an organization from its records, at first all of them', async () => {
    const [current, last] = [monthBefore(0), monthBefore(1)];
    await addContacts(contactOf(2, dayIn(current, 5), 'Web'), contactOf(3, dayIn(last), 'Mail', 2));
    await putInvoice(table(), account, 120.5, { Date: dayIn(current, 3) });
    await putInvoice(table(), account, 30, { Date: dayIn(current, 4), Day: `${current}-04` });
    await putInvoice(table(), account, 70, { Date: dayIn(last) });
    await putInvoice(table(), account, 999, { Date: dayIn(last), OrganizationId: 2 });
    expect(await run()).toMatchObject({ failures: [], isUnfinished: false });
    expect((await figuresOf()).map(({ Month }) => Month)).toEqual(
      monthsThrough(new Date(now), ZONE, FIGURE_MONTHS).toSorted(),
    );
    expect(await monthAt(current)).toMatchObject({
      Revenue: 150.5,
      Leads: 1,
      LeadsByChannel: [{ Channel: 'Web', Leads: 1 }],
      CountedAt: now,
    });
    expect(await monthAt(last)).toMatchObject({ Revenue: 70, Leads: 0 });
  });

  test('gives a day to its month in the zone of the organization, by the calendar date or the moment', async () => {
    const [current, last] = [monthBefore(0), monthBefore(1)];
    // 23:30 on the last day of the month in New York, where the UTC day is the next month's.
    const midnight = monthSpan(current, ZONE).from;
    await putInvoice(table(), account, 10, { Date: midnight - 30 * 60 * 1_000 });
    // A calendar date of the month before, which began later where the organization once was.
    const Day = toDate(monthSpan(last, ZONE).lastDay);
    await putInvoice(table(), account, 5, { Date: midnight + 60 * 60 * 1_000, Day });
    await run();
    expect((await monthAt(last))?.Revenue).toBe(15);
    expect((await monthAt(current))?.Revenue).toBe(0);
  });

  test('counts once: another run of the night reads one item and writes nothing', async () => {
    await run();
    const before = await figuresOf();
    const reader = table();
    await putInvoice(table(), account, 10, { Date: dayIn(monthBefore(0), 2) });
    expect(await countFigures(reader, { now: new Date(now + 1_000), deadline: Date.now() + 60_000 })).toEqual({
      done: 0,
      failures: [],
      isUnfinished: false,
    });
    expect([reader.meter.usage.rounds, reader.meter.usage.writeUnits]).toEqual([1, 0]);
    expect(await figuresOf()).toEqual(before);
  });

  test('and the next one counts again, also what is less than before', async () => {
    const invoice = await putInvoice(table(), account, 10, { Date: dayIn(monthBefore(1)) });
    await run();
    expect((await monthAt(monthBefore(1)))?.Revenue).toBe(10);
    await table().update({ update: layout.invoice.key({ account, id: invoice.Id }), set: { Status: 3 } });
    await run(now + DAY);
    expect(await monthAt(monthBefore(1))).toMatchObject({ Revenue: 0, CountedAt: now + DAY });
  });

  test('replaces what was stored, whatever it was', async () => {
    const month = monthBefore(0);
    await run();
    const stored = await monthAt(month);
    await writeFigures(accountStore(table(), account), { ...stored, Revenue: 77, Leads: 12 } as MonthFiguresRecord);
    await run(now + DAY);
    expect(await monthAt(month)).toMatchObject({ Revenue: 0, Leads: 0 });
  });

  test('that is interrupted goes on behind the organization that was counted last, and is finished', async () => {
    for (const Id of [2, 3, 4])
      await table().commit(newOrganizationChanges({ account }, { Id, PublicName: `Branch ${Id}`, Timezone: ZONE }));
    const runs: number[] = [];
    // Each run dies when it has counted one organization, and counts at a later time.
    for (let at = now; runs.length < 100; at += 1_000) {
      runs.push(at);
      let written = 0;
      const dying = (store: PatientTable): PatientTable => ({
        ...store,
        until: (deadline) => dying(store.until(deadline)),
        async update(change) {
          if (change.update.PK === layout.figuresProgress.key({}).PK && written++ > 0) throw new Error('killed');
          return store.update(change);
        },
      });
      const counting = countFigures(dying(table()), { now: new Date(at), deadline: Date.now() + 60_000 });
      const isDead = await counting.then(
        () => false,
        (error: Error) => error.message === 'killed',
      );
      if (!isDead) break;
    }
    const times = await Promise.all([1, 2, 3, 4].map(async (Id) => (await figuresOf(Id))[0]?.CountedAt ?? 0));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(new Set(times).size).toBeGreaterThanOrEqual(2);
    expect((await findFiguresProgress(table())).Account).toBe('');
    for (const Id of [1, 2, 3, 4]) expect(await figuresOf(Id)).toHaveLength(FIGURE_MONTHS);
  });

  test('leaves out canceled organizations', async () => {
    await table().commit(
      newOrganizationChanges({ account }, { Id: 2, PublicName: 'Closed', Timezone: ZONE, CancelDate: now - DAY }),
    );
    await run();
    expect(await figuresOf(2)).toEqual([]);
    expect(await figuresOf(1)).toHaveLength(FIGURE_MONTHS);
  });
});
