import { beforeEach, expect, test } from 'vitest';
import type { Appointment } from '../../../lib/resources/appointments.ts';
import { migrateAccount } from '../../../lib/store/administration/migrations.ts';
import { attributes, layout } from '../../../lib/store/keys.ts';
import { findSoldSeries } from '../../../lib/store/series.ts';
import { writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, weekdays } from '../../support/scheduling.ts';
import { putSettings } from '../../support/settings.ts';
import { pngUri } from '../../support/signatures.ts';
import { drainEvents, testTable } from '../../support/stack/stack.ts';
import { itemsOf, kindOf } from '../../support/stored-records.ts';
import { accountStore } from '../../../lib/store/store.ts';

let company: Bookable;
let reason: number;
beforeEach(async () => {
  company = await bookable({ agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
  [reason = 0] = await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Rain' }]);
  const weekly = { BasePrice: 600, BaseDuration: 30, IsSubscription: true, IntervalDays: 7 };
  const services = [
    { Name: 'Pool', ...weekly, VisitCount: 60 },
    { Name: 'Lawn', ...weekly, VisitCount: 3 },
  ];
  await writeBook(company.accountId, { services });
});

const answerOf = async (operation: string, body: object) => {
  const answer = await company.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

async function sell(ServiceName: string): Promise<number> {
  const { Id } = await answerOf('proposal/create', {
    ContactId: company.contact,
    ServiceName,
    Status: 'Open',
    Date: '2035-01-01',
  });
  await answerOf('proposal/accept', { ProposalId: Id, Name: 'Ana Diaz', SignatureData: pngUri });
  return Number(Id);
}

/** In the order of their days. */
async function visitsOf(ProposalId: number): Promise<Appointment[]> {
  await drainEvents();
  const { Appointments } = await answerOf('appointments/query', { ContactId: company.contact, Take: 500 });
  return (Appointments as Appointment[])
    .filter((visit) => visit.ProposalId === ProposalId)
    .toSorted((one, other) => one.DateTime.localeCompare(other.DateTime));
}

const idsOf = (visits: readonly Appointment[]) => visits.map(({ AppointmentId }) => AppointmentId);
const series = (proposal: number) => findSoldSeries(accountStore(testTable(), company.accountId), proposal);
const migrate = (table = testTable()) => migrateAccount(accountStore(table, company.accountId));

/** The account as a version before series stored it, or of a proposal with a series that has its first visits only. */
async function storeAsEarlier({ first = 0 } = {}): Promise<void> {
  for (const { PK, SK, ...item } of await itemsOf(company)) {
    if (kindOf({ PK, SK, ...item }) === 'Series') {
      const VisitIds = (item['VisitIds'] as number[]).slice(0, first);
      const version = Number(item[attributes.version]) + 1;
      await testTable().commit([
        first ? { put: { PK, SK, ...item, VisitIds, [attributes.version]: version } } : { remove: { PK, SK } },
      ]);
    }
    if (kindOf({ PK, SK, ...item }) === 'Appointment')
      await testTable().commit([{ update: { PK, SK }, remove: ['SeriesId', 'MovedAt'], add: { V: 1 } }]);
  }
  const account = layout.account.key({ account: company.accountId });
  await testTable().update({ update: account, set: { Schema: 9 } });
}

const cancelFollowing = (AppointmentId = 0) =>
  company.call('appointments/cancel', { AppointmentId, CancelReasonId: reason, Scope: 'following' });

/** Waits until all visits from a place on are canceled, and none before it. */
const expectCanceledFrom = async (visits: readonly Appointment[], place: number): Promise<void> => {
  const states = async () => {
    const now = new Map((await visitsOf(visits[0]?.ProposalId ?? 0)).map((visit) => [visit.AppointmentId, visit]));
    return visits.map(({ AppointmentId }) => now.get(AppointmentId)?.Status);
  };
  const expected = visits.map(({ Status: status }, at) => (at < place ? status : 4));
  await expect.poll(states, { timeout: 20_000 }).toEqual(expected);
};

test('visits of subscriptions sold before series are canceled with those that follow after a migration that is killed', async () => {
  const [pool, lawn] = [await sell('Pool'), await sell('Lawn')];
  const [days, few] = [await visitsOf(pool), await visitsOf(lawn)];
  // A visit that is booked for another day keeps its place.
  const Slots = [{ DateTime: '2035-03-01T09:00', ServiceAgentId: company.agents['Ann'] }];
  await answerOf('appointments/book', { AppointmentId: days[58]?.AppointmentId, Slots });
  await storeAsEarlier();
  const refused = (await cancelFollowing(few[0]?.AppointmentId)).body['Errors'];
  expect(refused).toMatchObject([{ Field: 'Scope', Message: expect.stringContaining('npx fs account migrate') }]);

  let commits = 0;
  const dying = testTable();
  await expect(
    migrate({
      ...dying,
      commit: (changes) => (commits++ ? Promise.reject(new Error('killed')) : dying.commit(changes)),
    }),
  ).rejects.toThrow('killed');
  expect(await migrate()).toMatchObject({ kind: 'migrated', items: 1 });
  const stored = await Promise.all([series(pool), series(lawn)]);
  expect(stored.map((one) => one?.VisitIds)).toEqual([idsOf(days), idsOf(few)]);
  await testTable().update({ update: layout.account.key({ account: company.accountId }), set: { Schema: 9 } });
  expect(await migrate()).toMatchObject({ kind: 'migrated', items: 0 });
  expect(await Promise.all([series(pool), series(lawn)])).toEqual(stored);
  expect((await cancelFollowing(few[1]?.AppointmentId)).status).toBe(200);
  expect((await cancelFollowing(days[57]?.AppointmentId)).status).toBe(200);
  await expectCanceledFrom(few, 1);
  await expectCanceledFrom(days, 57);
});

test('a subscription whose later visits an earlier version queued is completed by the migration, and then changed', async () => {
  const pool = await sell('Pool');
  const days = await visitsOf(pool);
  await storeAsEarlier({ first: 40 });
  const late = (await cancelFollowing(days[50]?.AppointmentId)).body['Errors'];
  expect(late).toMatchObject([{ Message: expect.stringContaining('npx fs account migrate') }]);
  // Waits for the visits that the series lacks.
  expect((await cancelFollowing(days[30]?.AppointmentId)).status).toBe(200);
  expect(await migrate()).toMatchObject({ kind: 'migrated', items: 1 });
  expect((await series(pool))?.VisitIds).toEqual(idsOf(days));
  await expectCanceledFrom(days, 30);
});

test('a migration while the worker queues the visits leaves each in the series, in order', async () => {
  const pool = await sell('Pool');
  await storeAsEarlier();
  expect(await migrate()).toMatchObject({ kind: 'migrated' });
  await expect.poll(async () => (await visitsOf(pool)).length, { timeout: 20_000 }).toBe(60);
  expect((await series(pool))?.VisitIds).toEqual(idsOf(await visitsOf(pool)));
});
