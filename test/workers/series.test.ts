import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler } from '../../functions/workers/background-work.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import { DAY, HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { queryAppointments } from '../../lib/store/appointments.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { type FaultyEngine, atRandom, missedErrors, startFaultyEngine } from '../support/faults/faulty-engine.ts';
import { putSettings } from '../support/settings.ts';
import { pngUri } from '../support/signatures.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { deliverAll, seeded, withDuplicates } from '../support/stream.ts';
import { storeOf, accountStore } from '../../lib/store/store.ts';

/** SERIES_ROUNDS=40 for more. */
const ROUNDS = Number(process.env['SERIES_ROUNDS'] ?? 1);
/** Visits of a daily series, more than a run of the worker books at once; `npm run prove -- random` has twice as many. */
const VISITS = process.env['SERIES_ROUNDS'] ? 60 : 30;

let engine: TestTable;
let line: FaultyEngine;
beforeAll(async () => {
  engine = await startTable();
  line = await startFaultyEngine(engine.endpoint);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = line.endpoint;
});
afterAll(async () => {
  await line.stop();
  await engine.stop();
});

const sound = () => openTable({ endpoint: engine.endpoint });

interface Company {
  readonly accountId: string;
  readonly reason: number;
  call(operation: string, body: object): Promise<Record<string, unknown>>;
}

/** An agent who works day and night, a service of half an hour, and the same sold as 60 visits. */
async function company(): Promise<Company> {
  const now = new Date();
  const { account: accountId } = await writeAccount(sound(), { name: 'Series', now });
  const { key } = await createKey(accountStore(sound(), accountId), { role: 'Owner', name: 'test', now });
  const call: Company['call'] = async (operation, body) => {
    const answer = await invoke(operation, body, { key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const pool = { Name: 'Pool', BasePrice: 600, IsSubscription: true, IntervalDays: 7, VisitCount: 60 };
  const of = { account: accountId, organizationId: null, accountWide: true, now };
  await writePriceBook(accountStore(sound(), of.account), of, {
    services: [{ Name: 'Lawn', BasePrice: 50, BaseDuration: 30 }, pool],
  });
  const TimeSlots = [0, 1, 2, 3, 4, 5, 6].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1440 }));
  const ServiceAgents = [{ Name: 'Ben', Email: 'ben@example.com', TimeSlots }];
  await call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '62701' }, ServiceAgents });
  await call('contacts/addupdate', { Name: 'José García', Email: 'jose@example.com', Zip: '62701' });
  const [reason = 0] = await putSettings(accountId, 'CancelReason', [{ Reason: 'Rain' }], sound());
  return { accountId, reason, call };
}

const slot = (DateTime: string) => ({ Slots: [{ DateTime, ServiceAgentId: 1 }] });

async function bookDaily({ call }: Company, Count: number): Promise<void> {
  const repeat = { Repeat: 'daily', Count };
  await call('appointments/book', { ContactId: 1, ServiceName: 'Lawn', ...slot('2035-06-01T09:00Z'), ...repeat });
}

/** Those of the contact in the order in which they were made. */
async function visitsOf({ accountId }: Company): Promise<AppointmentRecord[]> {
  const criteria = { contact: 1, date: {}, updated: {}, skip: 0, take: 500 };
  const scope = { account: accountId, organizationId: null };
  const { appointments } = await queryAppointments(storeOf(sound(), scope), criteria, new Date());
  return appointments.toSorted((one, other) => one.Id - other.Id);
}

type Deliver = (records: DynamoDBRecord[]) => Promise<unknown>;
const deliver: Deliver = (records) => deliverAll(records, { worker: 'background-work' });

/** Delivers what is in the stream, and what follows from it, until nothing is left. */
async function deliverOn(how: Deliver = deliver): Promise<void> {
  for (let next = await engine.records(); next.length; next = await engine.records()) await how(next);
}

/** Nobody has two visits at a time, and the calendar is that of the visits: `fs check` finds nothing. */
async function expectSound(of: Company): Promise<void> {
  const times = (await visitsOf(of))
    .flatMap(({ Start, Duration, Status: status }) =>
      Start !== null && status !== Status.Canceled ? [[Start, Start + Duration * MINUTE] as const] : [],
    )
    .toSorted(([one], [other]) => one - other);
  times.slice(1).forEach(([start], index) => expect(start).toBeGreaterThanOrEqual(times[index]?.[1] ?? 0));
  const findings: unknown[] = [];
  const onFinding = (finding: unknown) => void findings.push(finding);
  const options = { accounts: [of.accountId], repair: false, now: () => new Date(), settleMilliseconds: 1 };
  await checkTable(sound(), openScan(), { ...options, onFinding });
  expect(findings).toEqual([]);
}

const FIRST = Date.parse('2035-06-01T09:00:00Z');
const daily = (count: number, from = FIRST) => Array.from({ length: count }, (_, day) => from + day * DAY);
const startsOf = (visits: readonly AppointmentRecord[]) => visits.map(({ Start }) => Start);

test(`${VISITS} visits, one canceled while the worker books and is killed: exactly ${VISITS}, one canceled`, async () => {
  const of = await company();
  const random = seeded(5);
  await bookDaily(of, VISITS);
  let canceled = 0;
  await deliverOn(async (records) => {
    // Runs out of time after each transaction, or dies before it can say what it did.
    const context = { getRemainingTimeInMillis: () => 0 };
    const twice = withDuplicates(records, 0.3, random);
    await deliverAll(twice, { worker: 'background-work', size: 2, killed: () => random() < 0.3 });
    await handler({ Records: records }, context);
    const made = await visitsOf(of);
    const [, , , fourth] = made;
    if (canceled || !fourth) return;
    canceled = fourth.Id;
    await of.call('appointments/cancel', { AppointmentId: canceled, CancelReasonId: of.reason });
  });
  const visits = await visitsOf(of);
  expect(visits.filter(({ Status: status }) => status === Status.Canceled).map(({ Id }) => Id)).toEqual([canceled]);
  expect(startsOf(visits)).toEqual(daily(VISITS));
  await expectSound(of);
});

test('a move onto each other, by four workers at once that lose replies and are killed: each visit moved once', async () => {
  const of = await company();
  await bookDaily(of, VISITS / 2);
  await deliverOn();
  const [first] = await visitsOf(of);
  const request = { AppointmentId: first?.Id, Scope: 'following', Slots: [{ DateTime: '2035-06-02T10:00Z' }] };
  await of.call('appointments/update', request);
  const shares = { lostReply: 0.05, errorBefore: 0.05, errorAfter: 0.05, throttled: 0.03, conflict: 0.05 };
  const random = seeded(9);
  line.fail(atRandom(3, shares));
  await deliverOn((records) =>
    Promise.all(
      [1, 2, 3, 4].map(() => deliverAll(records, { worker: 'background-work', killed: () => random() < 0.2 })),
    ),
  );
  line.fail(undefined);
  expect(missedErrors(line, shares)).toEqual([]);
  expect(startsOf(await visitsOf(of))).toEqual(daily(VISITS / 2, FIRST + DAY + HOUR));
  await expectSound(of);
});

test('a cancellation of what follows, in the midst of the booking: nothing of it is booked later', async () => {
  const of = await company();
  await bookDaily(of, VISITS);
  const batch = await engine.records();
  await handler({ Records: batch }, { getRemainingTimeInMillis: () => 0 });
  const made = await visitsOf(of);
  expect(made.length).toBeLessThan(VISITS);
  await of.call('appointments/cancel', { AppointmentId: made[1]?.Id, CancelReasonId: of.reason, Scope: 'following' });
  await deliverOn();
  await deliver(batch);
  const left = await visitsOf(of);
  expect(left.length).toBe(made.length);
  expect(left.filter(({ Status: status }) => status !== Status.Canceled).map(({ Id }) => Id)).toEqual([made[0]?.Id]);
  await expectSound(of);
});

test('60 visits of a subscription, whatever is canceled while they are queued: 60, with those canceled', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const of = await company();
    const random = seeded(100 + round);
    const sold = { ContactId: 1, ServiceName: 'Pool', Status: 'Open', Date: '2035-01-01' };
    const { Id } = await of.call('proposal/create', sold);
    await of.call('proposal/accept', { ProposalId: Id, Name: 'Ana Diaz', SignatureData: pngUri });
    const [one, last] = [Math.floor(random() * 38), 39];
    const cancel = async (place: number, Scope: string) => {
      const AppointmentId = (await visitsOf(of))[place]?.Id;
      await of.call('appointments/cancel', { AppointmentId, CancelReasonId: of.reason, Scope });
    };
    await Promise.all([
      cancel(one, 'this'),
      cancel(last, 'following'),
      deliverOn((records) => deliverAll(records, { worker: 'background-work', killed: () => random() < 0.3 })),
    ]);
    await deliverOn();
    const visits = await visitsOf(of);
    expect(visits).toHaveLength(60);
    const canceled = visits.flatMap(({ Status: status }, place) => (status === Status.Canceled ? [place] : []));
    expect(canceled).toEqual([one, ...Array.from({ length: 21 }, (_, place) => last + place)]);
    await expectSound(of);
  }
});
