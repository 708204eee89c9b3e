import { ProposalStatus } from '../../lib/entities/proposal-status.ts';
import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler } from '../../functions/workers/background-work.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import { scheduleVisits } from '../../lib/domain/subscriptions/visits.ts';
import { entityKindOf, recordActor } from '../../lib/events/change.ts';
import { type Actor, layout } from '../../lib/store/keys.ts';
import { add } from '../../lib/shared/money.ts';
import { queryAppointments } from '../../lib/store/appointments.ts';
import { asActor, openTable } from '../../lib/store/dynamodb/table.ts';
import { findProposal, proposalChanges } from '../../lib/store/sales/proposals.ts';
import { queueVisits } from '../../lib/workflows/proposals/accept-proposal.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { type FaultyEngine, atRandom, missedErrors, startFaultyEngine } from '../support/faults/faulty-engine.ts';
import { startBucket } from '../support/files.ts';
import { deliverAll, seeded, withDuplicates } from '../support/stream.ts';
import { TAX, pricedProposal, subscription } from '../support/subscriptions.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

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

let accounts = 0;

interface Sold {
  readonly account: string;
  readonly proposal: ProposalRecord;
  /** The stream records of the acceptance. */
  readonly records: DynamoDBRecord[];
}

/** A proposal as acceptance leaves it: its first visits queued in its transaction. A visit a day, 1,000.00 in all. */
async function sell(visits: number, actor?: Actor): Promise<Sold> {
  const account = `visits${++accounts}`;
  const now = new Date();
  const of = subscription({ VisitCount: visits, IntervalDays: 1, BasePrice: 1000, Taxable: true });
  const before = pricedProposal({ of, NamedTaxRate: TAX, Status: ProposalStatus.Accepted });
  await engine.records();
  const { changes, left, queued } = await queueVisits(
    accountStore(sound(), account),
    { proposal: before, series: undefined, from: 0 },
    now,
  );
  const after = { ...before, VisitsToQueue: left };
  const { change, record } = proposalChanges({ account }, { before: undefined, after, now });
  expect([queued, left]).toEqual([Math.min(visits, 40), Math.max(0, visits - 40)]);
  await (actor ? asActor(sound(), actor) : sound()).commit([change, ...changes]);
  return { account, proposal: record, records: await engine.records() };
}

async function appointmentsOf({ account, proposal }: Sold): Promise<AppointmentRecord[]> {
  const scope = { account: account, organizationId: null };
  const criteria = { contact: proposal.ContactId, date: {}, updated: {}, skip: 0, take: 500 };
  const { appointments } = await queryAppointments(storeOf(sound(), scope), criteria, new Date());
  return appointments;
}

/** Each visit is one queued appointment, on its date and at its price, and none is left to queue. */
async function expectQueued(soldProposal: Sold): Promise<void> {
  const { account, proposal } = soldProposal;
  const visits = scheduleVisits(proposal);
  const found = await appointmentsOf(soldProposal);
  expect(found.map(({ QueueDate, Total }) => [QueueDate, Total])).toEqual(
    visits.map(({ date, subtotal, tax }) => [date, add(subtotal, tax)]),
  );
  expect(new Set(found.map(({ Id }) => Id)).size).toBe(visits.length);
  expect(new Set(found.map(({ HashKey }) => HashKey)).size).toBe(visits.length);
  const { Id } = proposal;
  const sources = found.map(({ Status: status, ProposalId, RootProposalId }) => [status, ProposalId, RootProposalId]);
  expect(sources).toEqual(visits.map(() => [Status.Queued, Id, Id]));
  expect(add(...found.map(({ Total }) => Total))).toBe(add(proposal.Subtotal, proposal.Tax));
  const scope = { account: account, organizationId: null };
  expect((await findProposal(storeOf(sound(), scope), proposal.Id))?.VisitsToQueue).toBe(0);
}

/** Delivers records, and the records that follow from them, until none are left. */
async function deliverOn(
  records: DynamoDBRecord[],
  deliver: (records: DynamoDBRecord[]) => Promise<unknown>,
): Promise<void> {
  for (let next = records; next.length; next = await engine.records()) await deliver(next);
}

test('40 visits are queued by acceptance; the worker is not called', async () => {
  const soldProposal = await sell(40);
  line.requested();
  expect(await deliverAll(soldProposal.records, { worker: 'background-work' })).toEqual([]);
  expect(line.requested()).toEqual([]);
  await expectQueued(soldProposal);
});

test('365 visits are queued, 40 a transaction', async () => {
  const soldProposal = await sell(365);
  line.requested();
  await deliverOn(soldProposal.records, (records) => deliverAll(records, { worker: 'background-work' }));
  expect(line.requested().filter((operation) => operation === 'TransactWriteItems')).toHaveLength(9);
  await expectQueued(soldProposal);
});

test('for the worker, following from the request of the acceptance, also where its own changes invoke it again', async () => {
  const RequestId = 'acceptance';
  const soldProposal = await sell(100, { Key: 'abcdefghijkl', Name: 'Office', RequestId });
  const written: DynamoDBRecord[] = [];
  await deliverOn(soldProposal.records, async (records) => {
    written.push(...records);
    await deliverAll(records, { worker: 'background-work' });
  });
  const actors = written.filter((record) => entityKindOf(record)).map((record) => recordActor(record));
  expect(actors.filter((actor) => actor?.Name === 'Office')).toHaveLength(42);
  const byWorker = { Key: '', Name: 'background-work', RequestId };
  expect(actors.filter((actor) => actor?.Name !== 'Office')).toEqual(Array.from({ length: 64 }, () => byWorker));
});

test('each once, with repeated records and a worker that is killed after its work and before its report', async () => {
  const random = seeded(7);
  const soldProposal = await sell(130);
  const all = [...soldProposal.records];
  await deliverOn(soldProposal.records, async (records) => {
    all.push(...records);
    const twice = withDuplicates(records, 0.4, random);
    await deliverAll(twice, { worker: 'background-work', size: 3, killed: () => random() < 0.4 });
  });
  await deliverAll(all, { worker: 'background-work' });
  await expectQueued(soldProposal);
});

test('each once, by four concurrent workers', async () => {
  const soldProposal = await sell(120);
  await deliverOn(soldProposal.records, (records) =>
    Promise.all([1, 2, 3, 4].map(() => deliverAll(records, { worker: 'background-work' }))),
  );
  await expectQueued(soldProposal);
});

test('by a worker that runs out of time after each transaction: its own changes invoke it again', async () => {
  const soldProposal = await sell(130);
  const sizes: number[] = [];
  await deliverOn(soldProposal.records, async (Records) => {
    await handler({ Records }, { getRemainingTimeInMillis: () => 0 });
    sizes.push((await appointmentsOf(soldProposal)).length);
  });
  expect(sizes).toEqual([80, 120, 130, 130]);
  await expectQueued(soldProposal);
});

test('each once, with lost replies, errors before and after the work, throttling and conflicts', async () => {
  const soldProposal = await sell(120);
  const shares = { lostReply: 0.1, errorBefore: 0.05, errorAfter: 0.1, throttled: 0.05, conflict: 0.1 };
  line.fail(atRandom(11, shares));
  await deliverOn(soldProposal.records, (records) =>
    Promise.all([1, 2].map(() => deliverAll(records, { worker: 'background-work' }))),
  );
  line.fail(undefined);
  expect(missedErrors(line, shares)).toEqual([]);
  await expectQueued(soldProposal);
});

test('by the next worker after one that died half way', async () => {
  const soldProposal = await sell(160);
  let transactions = 0;
  // The reply of the second transaction is lost; then the table is unavailable until the worker runs out of time.
  line.fail((operation) => {
    if (operation === 'TransactWriteItems') transactions++;
    return transactions < 2 ? undefined : 'errorAfter';
  });
  const context = { getRemainingTimeInMillis: () => 6_500 };
  expect(await handler({ Records: soldProposal.records }, context)).toEqual({ batchItemFailures: [] });
  line.fail(undefined);
  expect(await appointmentsOf(soldProposal)).toHaveLength(120);
  const waiting = [...soldProposal.records, ...(await engine.records())];
  await deliverOn(waiting, (records) => deliverAll(records, { worker: 'background-work' }));
  await expectQueued(soldProposal);
});

test('with the table unavailable nothing is lost, and the batch is repeated', async () => {
  const soldProposal = await sell(50);
  line.fail(() => 'errorBefore');
  const visitRecords = soldProposal.records.filter(({ dynamodb }) => dynamodb?.NewImage?.['VisitsToQueue']);
  const itemIdentifier = visitRecords[0]?.dynamodb?.SequenceNumber;
  const context = { getRemainingTimeInMillis: () => 0 };
  expect(await handler({ Records: visitRecords }, context)).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  line.fail(undefined);
  await deliverOn(visitRecords, (records) => deliverAll(records, { worker: 'background-work' }));
  await expectQueued(soldProposal);
});

test('a deleted proposal and one with a wrong VisitsToQueue do not stop others; the wrong one is kept whole', async () => {
  const [gone, wrong, right] = [await sell(50), await sell(50), await sell(50)];
  const keyOf = ({ account, proposal }: Sold) => layout.proposal.key({ account, id: proposal.Id });
  await sound().commit([{ remove: keyOf(gone) }]);
  await sound().commit([{ update: keyOf(wrong), set: { VisitsToQueue: 51 }, add: { V: 1 }, if: 'present' }]);
  const files = await startBucket();
  await deliverAll([...gone.records, ...wrong.records, ...right.records], { worker: 'background-work' });
  const parked = await Promise.all((await files.list('parked/background-work/')).map((key) => files.get(key)));
  const keys = parked.map((text) => (JSON.parse(text) as { Record: DynamoDBRecord }).Record.dynamodb?.Keys?.['PK']?.S);
  expect(keys).toEqual([keyOf(wrong).PK]);
  expect(await appointmentsOf(wrong)).toHaveLength(40);
  await expectQueued(right);
});
