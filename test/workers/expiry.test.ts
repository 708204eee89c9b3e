import { ProposalStatus as P } from '../../lib/entities/proposal-status.ts';
import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blankProposal } from '../../lib/domain/proposals/record.ts';
import type { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { contactSummaryChanges } from '../../lib/store/contacts/contacts.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/table.ts';
import { StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';
import { layout, toKey } from '../../lib/store/keys.ts';
import {
  EXPIRY_SHARDS,
  expiryAt,
  findProposal,
  hourAt,
  proposalWithParentChanges,
  writePostponedExpiry,
} from '../../lib/store/sales/proposals.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';
import { putContact, someContact } from '../support/contacts.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { drainEvents, expireItems, testAccount, testTable } from '../support/stack/stack.ts';
import { seeded } from '../support/stream.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NOW = Date.now();
const ORDER = 6;

const open = (input: Partial<ProposalRecord> = {}): ProposalRecord => ({
  ...blankProposal({
    Id: 5,
    OrganizationId: 1,
    ContactId: 7,
    Zone: 'America/New_York',
    Date: '2026-11-01',
    Created: NOW - 3 * DAY,
  }),
  Status: P.Open,
  OpenedAt: NOW - 3 * DAY,
  ExpiresAt: NOW - DAY,
  ServiceName: 'Mowing',
  ...input,
});

/** Stores a proposal as an operation would have at that moment. */
async function store(
  table: TableWriter,
  account: string,
  before: ProposalRecord | undefined,
  after: ProposalRecord,
  at = NOW - 2 * DAY,
): Promise<ProposalRecord> {
  const now = new Date(at);
  const { record, changes, contactSummary } = await proposalWithParentChanges(accountStore(table, account), {
    before,
    after,
    now,
  });
  await table.commit([...changes, ...contactSummaryChanges({ account }, after.ContactId, contactSummary, now)]);
  return record;
}

const find = (table: TableWriter, account: string, id = 5) =>
  findProposal(storeOf(table, { account: account, organizationId: null }), id);

describe('a proposal beyond its time', () => {
  let engine: TestTable;
  beforeAll(async () => {
    engine = await startTable();
  });
  afterAll(() => engine.stop());

  let accounts = 0;
  const table = (): TableWriter => openTable();
  async function newAccount(): Promise<string> {
    const account = `expiry${++accounts}`;
    await putContact(table(), account, someContact(7));
    return account;
  }

  /** One run of the schedule at that moment. */
  const run = (at = NOW, writer = table(), seconds = 20) =>
    expireProposals(writer, { now: new Date(at), deadline: Date.now() + seconds * 1_000 });

  /** Every entry of the list in these hours: account and proposal. */
  async function entries(from: number, through: number): Promise<string[]> {
    const found: string[] = [];
    for (let hour = hourAt(from); hour <= hourAt(through); hour++)
      for (let shard = 0; shard < EXPIRY_SHARDS; shard++) {
        const { items } = await table().query({ partition: layout.proposalExpiry.of({ hour, shard }) });
        found.push(...items.map(({ Account, Id }) => `${String(Account)} ${String(Id)}`));
      }
    return found.sort();
  }
  const listed = async (account: string) =>
    Object.keys((await table().get(layout.contact.key({ account, id: 7 })))?.['OpenProposals'] as object);

  test('becomes Expired with the next run and leaves the list of its contact; another run adds nothing', async () => {
    const account = await newAccount();
    const { V } = await store(table(), account, undefined, open({ ExpiresAt: NOW + HOUR }));
    expect([await run(NOW + HOUR - 1), (await find(table(), account))?.Status]).toEqual([
      { expired: 0, failures: [], isUnfinished: false },
      P.Open,
    ]);
    expect(await listed(account)).toEqual(['5']);
    expect(await run(NOW + HOUR)).toEqual({ expired: 1, failures: [], isUnfinished: false });
    expect(await run(NOW + HOUR)).toEqual({ expired: 0, failures: [], isUnfinished: false });
    expect(await find(table(), account)).toMatchObject({ Status: P.Expired, V: V + 1 });
    expect([await listed(account), await entries(NOW, NOW + 2 * HOUR)]).toEqual([[], []]);
  });

  test('leaves the list also after a change in between', async () => {
    const account = await newAccount();
    const before = await store(table(), account, undefined, open());
    await store(table(), account, before, { ...before, Title: 'Front' }, NOW);
    await run(NOW + HOUR);
    expect([(await find(table(), account))?.Status, await listed(account)]).toEqual([P.Expired, []]);
  });

  test('is updated in the list of its parent', async () => {
    const account = await newAccount();
    const signed = open({ Id: ORDER, Status: P.Accepted, ExpiresAt: null });
    await store(table(), account, undefined, signed);
    await store(table(), account, undefined, open({ ChangeOrderForProposalId: ORDER }));
    const statuses = async () => (await find(table(), account, ORDER))?.ChangeOrders.map(({ Status }) => Status);
    expect(await statuses()).toEqual([P.Open]);
    await run(NOW + HOUR);
    expect(await statuses()).toEqual([P.Expired]);
  });

  test.each<[string, Partial<ProposalRecord>]>([
    ['was answered', { Status: P.Declined }],
    ['was accepted', { Status: P.Accepted, AcceptedAt: NOW }],
    ['was opened again', { OpenedAt: NOW, ExpiresAt: NOW + 5 * DAY }],
    ['now has no end', { ExpiresAt: null }],
  ])('is unchanged if it %s meanwhile, whether or not its entry stayed', async (_, input) => {
    const account = await newAccount();
    const before = await store(table(), account, undefined, open({ ExpiresAt: NOW + DAY }));
    const after = await store(table(), account, before, { ...before, ...input });
    expect(await entries(NOW + DAY - HOUR, NOW + DAY), 'the same transaction removes it').toEqual([]);
    await writePostponedExpiry(table(), { ...expiryAt({ account }, 5, NOW), Account: account }, NOW + HOUR);
    expect(await run(NOW + 2 * HOUR)).toEqual({ expired: 0, failures: [], isUnfinished: false });
    expect(await find(table(), account)).toMatchObject({ Status: after.Status, V: after.V });
    expect(await entries(NOW, NOW + 2 * HOUR)).toEqual([]);
    const isLater = after.Status === P.Open && after.ExpiresAt !== null;
    expect(await entries(NOW + 5 * DAY, NOW + 5 * DAY)).toEqual(isLater ? [`${account} 5`] : []);
    await table().commit([{ remove: toKey(expiryAt({ account }, 5, NOW + 5 * DAY)) }]);
  });

  test('has an entry only while it is open, which moves with its time and stays through other changes', async () => {
    const account = await newAccount();
    const list = async () => [await entries(NOW + DAY, NOW + DAY), await entries(NOW + 2 * DAY, NOW + 2 * DAY)];
    const internal = await store(table(), account, undefined, open({ Status: P.Internal, ExpiresAt: null }));
    expect(await list()).toEqual([[], []]);
    const opened = await store(table(), account, internal, { ...internal, Status: P.Open, ExpiresAt: NOW + DAY });
    expect(await list()).toEqual([[`${account} 5`], []]);
    const titled = await store(table(), account, opened, { ...opened, Title: 'Front' });
    expect(await list()).toEqual([[`${account} 5`], []]);
    const later = await store(table(), account, titled, { ...titled, ExpiresAt: NOW + 2 * DAY });
    expect(await list()).toEqual([[], [`${account} 5`]]);
    await store(table(), account, later, { ...later, Status: P.Declined });
    expect(await list()).toEqual([[], []]);
  });

  test('expires late after missed runs, and each run reads a bounded list', async () => {
    const account = await newAccount();
    await run(NOW + 6 * HOUR);
    await store(table(), account, undefined, open({ ExpiresAt: NOW + 10 * HOUR }));
    const late = openTable();
    expect(await run(NOW + 20 * HOUR, late)).toMatchObject({ expired: 1, isUnfinished: false });
    const next = openTable();
    expect(await run(NOW + 20 * HOUR, next)).toMatchObject({ expired: 0 });
    expect([next.meter.usage.requests, next.meter.usage.readUnits]).toEqual([17, 9]);
  });

  test('expires exactly once however often a run is killed, with lost replies and an unavailable table', async () => {
    const START = NOW + 24 * HOUR;
    await run(START);
    const account = await newAccount();
    for (let Id = 10; Id < 22; Id++)
      await store(table(), account, undefined, open({ Id, ExpiresAt: START + Id * MINUTE }));
    const random = seeded(11);
    const unsteady: TableWriter = {
      ...table(),
      async commit(changes) {
        if (random() < 0.2) throw new StoreUnavailable('away');
        await table().commit(changes);
        if (random() < 0.2) throw new StoreUnavailable('the reply is lost');
        if (random() < 0.1) throw new Error('killed');
      },
      async query(range) {
        if (random() < 0.1) throw new StoreUnavailable('away');
        return table().query(range);
      },
    };
    for (let runs = 0; runs < 3; runs++) await run(START + 2 * HOUR, unsteady).catch(() => undefined);
    await run(START + 4 * HOUR);
    const found = await Promise.all(Array.from({ length: 12 }, (_, index) => find(table(), account, 10 + index)));
    expect(found.map((each) => [each?.Status, each?.V])).toEqual(found.map(() => [P.Expired, 2]));
    expect(await listed(account)).toEqual([]);
  });

  test('waits for a table that is away until the run has to end, and expires with the next one', async () => {
    const START = NOW + 30 * HOUR;
    await run(START);
    const account = await newAccount();
    await store(table(), account, undefined, open({ ExpiresAt: START + HOUR }));
    const away: TableWriter = { ...table(), query: () => Promise.reject(new StoreUnavailable('away')) };
    expect(await run(START + HOUR, away, 0.05)).toEqual({ expired: 0, failures: [], isUnfinished: true });
    expect(await run(START + HOUR)).toMatchObject({ expired: 1, isUnfinished: false });
  });

  test('does not wait for one that cannot expire, which is tried again an hour later', async () => {
    const START = NOW + 36 * HOUR;
    await run(START);
    const account = await newAccount();
    await store(table(), account, undefined, open({ Id: 13, ExpiresAt: START + MINUTE }));
    await store(table(), account, undefined, open({ Id: 21, ExpiresAt: START + 2 * MINUTE }));
    const broken: TableWriter = {
      ...table(),
      get: (key, options) =>
        key.PK.endsWith('PROPOSAL#0000000013') ? Promise.reject(new Error('broken')) : table().get(key, options),
    };
    const first = await run(START + HOUR, broken);
    expect([first.expired, first.failures, first.isUnfinished]).toEqual([1, [new Error('broken')], false]);
    expect(await run(START + HOUR + HOUR / 2)).toMatchObject({ expired: 0 });
    expect(await run(START + 2 * HOUR)).toMatchObject({ expired: 1, failures: [] });
  });
});

test('an open proposal expires by itself in the stack: one event, and it leaves the list of open ones', async () => {
  const account = await testAccount();
  const contact = await account.call('contacts/addupdate', { Name: 'Zoë Kern', Email: 'zoe@example.com' });
  const [{ Id: ContactId = 0 } = {}] = contact.body['Matches'] as { Id: number }[];
  await store(testTable(), account.accountId, undefined, open({ ContactId }));
  await expireItems();
  await drainEvents();
  const { body } = await account.call('datasubscriber/fetch');
  const payloads = (body['Events'] as DataSubscriberEvent[]).map(({ Payload }) => Payload);
  expect(payloads.filter((each) => each?.Kind.startsWith('proposal.'))).toMatchObject([
    { Kind: 'proposal.created', Data: { Status: 'Open' }, ContactName: 'Zoë Kern' },
    {
      Kind: 'proposal.expired',
      Actor: { Key: '', Name: 'proposal-expiry' },
      Changed: ['Status'],
      Data: { Status: 'Expired' },
      LifetimeValue: 0,
    },
  ]);
  expect(payloads.filter((each) => each?.Kind === 'contact.updated')).toMatchObject([
    { Changed: ['OpenProposals'], Data: { OpenProposals: [{ Id: 5 }] } },
    { Changed: ['OpenProposals'], Data: { OpenProposals: [] } },
  ]);
});
