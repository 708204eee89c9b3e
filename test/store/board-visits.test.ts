import { beforeAll, expect, test } from 'vitest';
import type { Appointment } from '../../lib/entities/appointments.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { DAY } from '../../lib/shared/time/time.ts';
import { listBoardVisits } from '../../lib/store/board-visits.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { attributes, layout } from '../../lib/store/keys.ts';
import { type StoreReader, storeOf } from '../../lib/store/store.ts';
import { BOARD_FACTS, type BoardVisit } from '../../lib/store/visit-facts.ts';
import { type Finding, checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { testTable } from '../support/stack/stack.ts';

const DATE = '2035-03-05';
const ZONE = 'America/Chicago';

let company: Bookable;
let ids: Readonly<Record<string, number>>;

const storeFor = (agent: number | null = null): StoreReader =>
  storeOf(testTable(), {
    account: company.accountId,
    organizationId: 1,
    agent: agent === null ? null : { id: agent, visitsFrom: Date.now() - 30 * DAY },
  });
const listDay = (store = storeFor()) =>
  listBoardVisits(store, parseTimeSpan(['from', 'through'], { from: DATE, through: DATE }, ZONE).span);
const keyOf = (id: number) => layout.appointment.key({ account: company.accountId, id });

const agentIdOf = (name: string): number => company.agents[name] ?? 0;

/** Visits of each kind on the day, and of days beside it. */
beforeAll(async () => {
  company = await bookable();
  const book = async (agent: string, time: string, more: object = {}) =>
    slotIn(await company.book(agent, time, more)).AppointmentId;
  const both = { DateTime: `${DATE}T11:00`, ServiceAgentId: agentIdOf('Ann') };
  const helped = await company.call('appointments/book', {
    ContactId: company.contact,
    ServiceId: Object.values(company.services)[0],
    Slots: [{ ...both, AdditionalServiceAgents: [{ ServiceAgent: { Id: agentIdOf('Ben') } }] }],
  });
  ids = {
    plain: await book('Ann', `${DATE}T08:00`, { Duration: '90' }),
    other: await book('Ben', `${DATE}T08:00`),
    started: await book('Ben', `${DATE}T10:00`),
    canceled: await book('Ben', `${DATE}T14:00`),
    helped: slotIn(helped).AppointmentId,
    before: await book('Ann', '2035-03-02T16:00'),
    after: await book('Ann', '2035-03-06T08:00'),
  };
  const queued = await company.call('appointments/queue', {
    ContactId: company.contact,
    ServiceId: Object.values(company.services)[0],
    QueueDate: DATE,
  });
  ids = { ...ids, queued: queued.body['AppointmentId'] as number };
  await company.call('appointments/cancel', { AppointmentId: ids['canceled'], CancelReasonId: 1 });
  const ActualStart = `${DATE}T10:05`;
  await company.call('appointments/update', { AppointmentId: ids['started'], UpdateActuals: true, ActualStart });
  const window = { ArrivalFrom: `${DATE}T08:00`, ArrivalThrough: `${DATE}T10:00` };
  const Slots = [{ DateTime: `${DATE}T08:00`, ServiceAgentId: agentIdOf('Ben'), ...window }];
  await company.call('appointments/update', { AppointmentId: ids['other'], Slots });
});

const momentOf = (text: string | null): number | null => (text ? Date.parse(text) : null);

/** What the operation answers of a visit. */
const asQueried = (visit: Appointment): BoardVisit => ({
  Id: visit.AppointmentId,
  At: Date.parse(visit.DateTime),
  Status: visit.Status ?? 0,
  ContactId: visit.ContactId,
  ServiceName: visit.ServiceName,
  Duration: visit.Duration ?? 0,
  DriveTimeMinutes: visit.DriveTimeMinutes,
  ArrivalFrom: momentOf(visit.ArrivalFrom),
  ArrivalThrough: momentOf(visit.ArrivalThrough),
  AgentIds: [visit.ServiceAgentId, ...visit.AdditionalServiceAgents.map(({ ServiceAgent }) => ServiceAgent?.Id ?? 0)]
    .filter(Boolean)
    .sort(),
});
const sorted = ({ visits }: { readonly visits: readonly BoardVisit[] }) =>
  visits.map((visit) => ({ ...visit, AgentIds: visit.AgentIds.toSorted() }));

async function queriedDay(): Promise<readonly BoardVisit[]> {
  const answer = await company.call('appointments/query', { FromDate: DATE, ThroughDate: DATE });
  return (answer.body['Appointments'] as Appointment[]).map(asQueried);
}

test('the board of a day has every visit of the day as appointments/query answers it, and no other', async () => {
  const board = await listDay();
  expect(board.isCut).toBe(false);
  const { before, after, ...ofDay } = ids;
  expect(board.visits.map(({ Id }) => Id).sort()).toEqual(Object.values(ofDay).sort());
  expect(sorted(board)).toEqual(await queriedDay());
  expect(board.visits.find(({ Id }) => Id === ids['other'])?.ArrivalThrough).toBe(Date.parse('2035-03-05T16:00Z'));
  expect(board.visits.map(({ Id }) => Id)).not.toContain(before);
  expect(board.visits.map(({ Id }) => Id)).not.toContain(after);
});

test('a service agent gets the own visits alone, also as an additional agent', async () => {
  const { visits } = await listDay(storeFor(agentIdOf('Ben')));
  expect(visits.map(({ Id }) => Id).sort()).toEqual(
    [ids['other'], ids['started'], ids['canceled'], ids['helped']].sort(),
  );
});

test('the board shows a visit that an earlier version wrote, and fs check finds nothing wrong with it', async () => {
  const expected = await listDay();
  for (const id of Object.values(ids)) {
    const item = await testTable().get(keyOf(id));
    const facts = Object.entries(item?.[attributes.facts] as object).filter(([name]) => !BOARD_FACTS.has(name));
    await testTable().update({
      update: keyOf(id),
      set: { [attributes.facts]: Object.fromEntries(facts) },
      add: { V: 1 },
    });
  }
  expect(sorted(await listDay())).toEqual(sorted(expected));
  expect(await checked()).toEqual([]);
});

test('fs check finds a visit whose board facts are wrong, and repairs it', async () => {
  const key = keyOf(ids['plain'] ?? 0);
  const item = await testTable().get(key);
  const facts = { ...(item?.[attributes.facts] as object), C: 999_999 };
  await testTable().update({ update: key, set: { [attributes.facts]: facts }, add: { V: 1 } });
  expect(await checked()).toEqual([`F differ from the record`]);
  await checked(true);
  expect(sorted(await listDay())).toEqual(await queriedDay());
});

/** What `fs check` says of the company's visits. */
async function checked(repair = false): Promise<string[]> {
  const findings: Finding[] = [];
  await checkTable(testTable(), openScan(), {
    accounts: [company.accountId],
    repair,
    now: () => new Date(),
    onFinding: (finding) => void findings.push(finding),
    settleMilliseconds: 1,
  });
  return findings.filter(({ key }) => key.SK === 'APPOINTMENT').map(({ message }) => message);
}
