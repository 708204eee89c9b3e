import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProposalRecord, blankProposal } from '../../lib/domain/proposals/record.ts';
import { ProposalStatus as P } from '../../lib/domain/proposals/status.ts';
import type { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { contactSummaryChanges } from '../../lib/store/contact-summary.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/client.ts';
import { layout } from '../../lib/store/keys.ts';
import { findProposal, proposalWithParentChanges } from '../../lib/store/proposals.ts';
import { putContact, someContact } from '../support/contacts.ts';
import { type TestTable, startTable } from '../support/engine.ts';
import { drainEvents, expireItems, testAccount, testTable } from '../support/stack.ts';
import { deliverAll } from '../support/stream.ts';

const DAY = 86_400_000;
const NOW = Date.now();
const ORDER = 6;

const open = (input: Partial<ProposalRecord> = {}): ProposalRecord => ({
  ...blankProposal({
    Id: 5,
    OrganizationId: 1,
    ContactId: 7,
    HashKey: 'handle',
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
  const { record, changes, contactSummary } = await proposalWithParentChanges(table, account, { before, after, now });
  await table.commit([...changes, ...contactSummaryChanges(account, after.ContactId, contactSummary, now)]);
  return record;
}

const find = (table: TableWriter, account: string, id = 5) =>
  findProposal(table, { accountId: account, organizationId: null }, id);

describe('a proposal beyond its time', () => {
  let engine: TestTable;
  beforeAll(async () => {
    engine = await startTable();
  });
  afterAll(() => engine.stop());

  let accounts = 0;
  const table = () => openTable();
  async function newAccount(): Promise<string> {
    const account = `expiry${++accounts}`;
    await putContact(table(), account, someContact(7));
    return account;
  }

  /** Deletes the expiry item of the proposal, as the table does; the stream records of that. */
  async function removed(account: string): Promise<DynamoDBRecord[]> {
    await engine.records();
    await table().commit([{ remove: layout.proposalExpiry.key({ account, id: 5 }) }]);
    return engine.records();
  }
  const listed = async (account: string) =>
    Object.keys((await table().get(layout.contact.key({ account, id: 7 })))?.['OpenProposals'] as object);

  test('becomes Expired and leaves the list of its contact, with repeated records too', async () => {
    const account = await newAccount();
    const { V } = await store(table(), account, undefined, open());
    expect(await listed(account)).toEqual(['5']);
    const records = await removed(account);
    expect(await deliverAll([...records, ...records], { worker: 'proposal-work' })).toEqual([]);
    expect(await deliverAll(records, { worker: 'proposal-work' })).toEqual([]);
    expect(await find(table(), account)).toMatchObject({ Status: P.Expired, V: V + 1 });
    expect(await listed(account)).toEqual([]);
  });

  test('leaves the list also after a change in between', async () => {
    const account = await newAccount();
    const before = await store(table(), account, undefined, open());
    await store(table(), account, before, { ...before, Title: 'Front' }, NOW);
    await deliverAll(await removed(account), { worker: 'proposal-work' });
    expect([(await find(table(), account))?.Status, await listed(account)]).toEqual([P.Expired, []]);
  });

  test('is updated in the list of its parent', async () => {
    const account = await newAccount();
    const signed = open({ Id: ORDER, Status: P.Accepted, ExpiresAt: null });
    await store(table(), account, undefined, signed);
    await store(table(), account, undefined, open({ ChangeOrderForProposalId: ORDER }));
    const statuses = async () => (await find(table(), account, ORDER))?.ChangeOrders.map(({ Status }) => Status);
    expect(await statuses()).toEqual([P.Open]);
    await deliverAll(await removed(account), { worker: 'proposal-work' });
    expect(await statuses()).toEqual([P.Expired]);
  });

  test.each<[string, Partial<ProposalRecord>]>([
    ['was answered', { Status: P.Declined }],
    ['was accepted', { Status: P.Accepted, AcceptedAt: NOW }],
    ['was opened again', { OpenedAt: NOW, ExpiresAt: NOW + DAY }],
    ['now has no end', { ExpiresAt: null }],
  ])('is unchanged if it %s meanwhile', async (_, input) => {
    const account = await newAccount();
    const before = await store(table(), account, undefined, open());
    const after = await store(table(), account, before, { ...before, ...input });
    // The expiry of the first item; the one that replaces it has another.
    const first = { ...layout.proposalExpiry.key({ account, id: 5 }), Id: 5, TTL: Math.floor(NOW / 1000) - 60 };
    await table().commit([{ put: first }]);
    const records = await removed(account);
    expect(records).toHaveLength(1);
    expect(await deliverAll(records, { worker: 'proposal-work' })).toEqual([]);
    expect(await find(table(), account)).toMatchObject({ Status: after.Status, V: after.V });
  });

  test('reaches the worker by the table’s own deletions only', async () => {
    const account = await newAccount();
    await store(table(), account, undefined, open({ ExpiresAt: NOW + DAY }));
    const records = await removed(account);
    expect([records.length, records[0]?.userIdentity]).toEqual([1, undefined]);
  });

  test('has an expiry only while it is open, and keeps it through other changes', async () => {
    const account = await newAccount();
    const key = layout.proposalExpiry.key({ account, id: 5 });
    const internal = await store(table(), account, undefined, open({ Status: P.Internal, ExpiresAt: null }));
    expect(await table().get(key)).toBeUndefined();
    const opened = await store(table(), account, internal, { ...internal, Status: P.Open, ExpiresAt: NOW + DAY });
    expect(await table().get(key)).toMatchObject({ Id: 5, TTL: Math.ceil((NOW + DAY) / 1000) });
    await table().commit([{ remove: key }]);
    await store(table(), account, opened, { ...opened, Title: 'Front' });
    expect(await table().get(key)).toBeUndefined();
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
    { Kind: 'proposal.expired', Changed: ['Status'], Data: { Status: 'Expired' }, LifetimeValue: 0 },
  ]);
  expect(payloads.filter((each) => each?.Kind === 'contact.updated')).toMatchObject([
    { Changed: ['OpenProposals'], Data: { OpenProposals: [{ Id: 5 }] } },
    { Changed: ['OpenProposals'], Data: { OpenProposals: [] } },
  ]);
});
