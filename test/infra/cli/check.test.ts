import { setTimeout as pause } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { createKey, listKeys, parseKey } from '../../../lib/store/requests/api-keys.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { toSequence } from '../../../lib/store/events/event-sequence.ts';
import { eventKey } from '../../../lib/store/events/event-sequence.ts';
import { appendEvents, findQueue } from '../../../lib/store/events/events.ts';
import { idKinds, layout, toKey } from '../../../lib/store/keys.ts';
import { findUsersByEmail } from '../../../lib/store/organizations/users.ts';
import { startSession } from '../../../lib/store/requests/sessions.ts';
import { HOUR } from '../../../lib/shared/time/time.ts';
import { expiryAt } from '../../../lib/store/sales/proposals.ts';
import { type CheckOptions, type Finding, checkTable } from '../../../lib/workflows/fsck/check-table.ts';
import { rebuildEvents } from '../../../lib/workflows/events/rebuild-events.ts';
import { omit } from '../../../lib/shared/objects.ts';
import { writePriceBook } from '../../../lib/workflows/pricebook/import-price-book.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';
import { invoke } from '../../support/stack/invoke.ts';
import { deliverAll } from '../../support/stream.ts';
import { accountStore } from '../../../lib/store/store.ts';

let engine: TestTable;
let account: string;
let key: string;

type Body = Record<string, unknown>;
async function call(operation: string, body: object): Promise<Body> {
  const answer = await invoke(operation, body, { key });
  expect([answer.status, answer.body['Message'] ?? ''], operation).toEqual([200, answer.body['Message'] ?? '']);
  return answer.body;
}

const SIGNATURE = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0L9 9"/></svg>';

beforeAll(async () => {
  engine = await startTable();
  const now = new Date();
  ({ account } = await writeAccount(openTable(), { name: 'Blue Sky', now }));
  ({ key } = await createKey(accountStore(openTable(), account), { role: 'Owner', name: 'test', rate: 100_000, now }));
  const TimeSlots = [0, 1, 2, 3, 4, 5, 6].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1440 }));
  await openTable().commit([
    { update: layout.account.key({ account }), set: { Proposals: { ExpireAfterDays: 30 } }, if: 'present' },
  ]);
  await call('organizations/update', {
    OrganizationId: 1,
    LocationId: 'L-1',
    PostalCodes: '62701,62702',
    StartAddress: { Zip: '62701' },
    ServiceAgents: [{ Name: 'Ann', Email: 'ann@example.com', TimeSlots }],
  });
  const scope = { account: account, organizationId: null, accountWide: true, now };
  await writePriceBook(accountStore(openTable(), scope.account), scope, {
    services: [{ Name: 'Windows', BasePrice: 100, BaseDuration: 60 }],
  });
  await call('accountingclasses/create', { Name: 'North', PostalCodes: ['62701', '62702'] });
  await call('user/create', { Name: 'Al Poe', Email: 'al@example.com' });
  await call('contacts/addupdate', {
    Name: 'Zoë Kern',
    Email: 'zoe@example.com',
    Phone: '(804) 555-0100',
    Zip: '62701',
  });
  await call('appointments/book', {
    ContactId: 1,
    ServiceId: 1,
    CallCenterTransactionId: 77,
    Slots: [{ DateTime: '2027-03-01T09:00', ServiceAgentId: 1 }],
  });
  await call('proposal/create', { ContactId: 1, ServiceId: 1, Status: 'Open' });
  await call('proposal/create', { ContactId: 1, ServiceId: 1, Status: 'Open', DepositRate: 10, DepositRequired: true });
  await call('proposal/accept', { ProposalId: 2, Name: 'Zoë', SignatureData: SIGNATURE });
  await call('payment/import', { Payment: { InvoiceId: 1, Amount: 4, Method: 'Check', TransactionId: 'T-1' } });
  await call('payment/import', { Payment: { ContactId: 1, Amount: 6 } });
  const records = await engine.records();
  await deliverAll(records);
  await deliverAll(records, { worker: 'background-work' });
});
afterAll(() => engine.stop());

async function check(options: Partial<CheckOptions> = {}): Promise<Finding[]> {
  const findings: Finding[] = [];
  await checkTable(openTable(), openScan(), {
    repair: false,
    now: () => new Date(),
    onFinding: (finding) => void findings.push(finding),
    settleMilliseconds: 1,
    ...options,
  });
  return findings;
}

const describeFinding = ({ kind, key: { PK, SK }, repaired }: Finding): string =>
  `${kind} ${PK.replace(`A#${account}#`, '')} ${SK}${repaired ? ' repaired' : ''}`;

/** The item without what identifies the write that made it. */
function contentOf(item: Item | undefined): Body {
  const { V, W, A, F, GSI3SK, Updated, ...content } = item ?? ({} as Body);
  return content;
}

describe('fs check', { timeout: 60_000 }, () => {
  const table = () => openTable();

  test('finds nothing wrong in a company that only operations have written', async () => {
    expect((await check()).map(describeFinding)).toEqual([]);
  });

  test('finds nothing wrong in copies of records that an earlier version wrote', async () => {
    const copies = [
      ['Service', 'HorizonDays', layout.serviceEntry.key({ account, shard: 1, organization: 0, id: 1 })],
      ['Payment', 'InCredit', layout.invoicePayment.key({ account, id: 1, payment: 1 })],
    ] as const;
    for (const [name, later, update] of copies) {
      const copy = (await table().get(update)) as Item;
      await table().commit([{ update, set: { [name]: omit(copy[name] as Body, later) } }]);
    }
    expect((await check()).map(describeFinding)).toEqual([]);
  });

  interface Damage {
    readonly kind: string;
    readonly key: { readonly PK: string; readonly SK: string };
    /** Without it the item is removed. */
    readonly set?: Record<string, unknown>;
  }
  const damages = async (): Promise<Damage[]> => [
    {
      kind: 'guard',
      key: layout.userEmail.key({ account, organization: 1, email: 'al@example.com' }),
      set: { Id: 99 },
    },
    { kind: 'guard', key: layout.organizationLocation.key({ account, location: 'l-1' }) },
    { kind: 'guard', key: layout.transaction.key({ account, organization: 1, transaction: 'T-1' }) },
    { kind: 'guard', key: layout.callCenter.key({ account, organization: 1, transaction: 77 }) },
    { kind: 'guard', key: layout.invoiceNumber.key({ account, organization: 1, number: '1' }) },
    { kind: 'guard', key: layout.serviceName.key({ account, name: 'windows', organization: 0 }) },
    { kind: 'guard', key: await postalShare(), set: { Owners: {}, Classes: [] } },
    { kind: 'entry', key: layout.accountKey.key({ account, public: publicPart() }), set: { Role: 'ReadOnly' } },
    { kind: 'entry', key: layout.serviceEntry.key({ account, shard: 1, organization: 0, id: 1 }) },
    { kind: 'entry', key: layout.invoicePayment.key({ account, id: 1, payment: 1 }) },
    { kind: 'entry', key: await wordKey() },
    { kind: 'entry', key: await creditKey() },
    { kind: 'index', key: layout.proposal.key({ account, id: 2 }), set: { GSI1PK: 'elsewhere', F: { S: 9 } } },
    { kind: 'expiry', key: await expiryKey() },
  ];
  const summaries: Record<string, unknown>[] = [
    { OpenInvoices: {} },
    { OpenProposals: { 99: { Date: '2026-01-01', Service: 'x', HashKey: 'x' } } },
    { LifetimeValue: 400 },
  ];

  test('reports and repairs guards, entries of lists, index keys and expiries that are missing or wrong', async () => {
    const all = await damages();
    const before = await Promise.all(all.map(({ key: each }) => table().get(each)));
    expect(before.map((item) => item !== undefined)).toEqual(all.map(() => true));
    for (const { key: each, set } of all)
      await table().commit([set ? { update: each, set: { ...set } } : { remove: each }]);
    const found = await check();
    expect(found.map(describeFinding)).toEqual(
      expect.arrayContaining(
        all.map(({ kind, key: { PK, SK } }) => `${kind} ${PK.replace(`A#${account}#`, '')} ${SK}`),
      ),
    );
    expect(found.every(({ repaired }) => !repaired)).toBe(true);
    expect((await check({ repair: true })).filter(({ repaired }) => !repaired)).toEqual([]);
    expect((await check()).map(describeFinding)).toEqual([]);
    for (const [index, { key: each }] of all.entries()) {
      const { Fingerprint, Zone, ...rebuilt } = contentOf(before[index]);
      expect(contentOf(await table().get(each))).toMatchObject(rebuilt);
    }
  });

  test('reports and repairs the lists and sums of a contact, and the balance of an invoice', async () => {
    const keys = [layout.contact.key({ account, id: 1 }), layout.invoice.key({ account, id: 1 })] as const;
    const before = await Promise.all(keys.map((each) => table().get(each)));
    for (const set of summaries) {
      await table().update({ update: keys[0], set });
      expect((await check()).map(describeFinding)).toContain('summary CONTACT#0000000001 CONTACT');
    }
    await table().update({ update: keys[1], set: { Paid: 9, BalanceDue: 1 } });
    expect((await check()).map(({ message }) => message)).toContain('Paid is 9; its payments are 4');
    expect((await check({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect(await check()).toEqual([]);
    for (const [index, each] of keys.entries())
      expect(contentOf(await table().get(each))).toMatchObject(contentOf(before[index]));
  });

  test('finds nothing wrong with a session, nor with what is left of one that is over', async () => {
    const store = accountStore(table(), account);
    await call('organizations/update', {
      OrganizationId: 1,
      Users: [{ Name: 'Olive', Email: 'olive@example.com', Role: 'Office' }],
    });
    const [user] = await findUsersByEmail(store, ['olive@example.com']);
    if (!user) throw new Error('no user');
    const begin = async (hours: number) => {
      const session = await startSession(store, user, new Date(Date.now() - hours * HOUR));
      const parts = { account, public: parseKey(session)?.publicPart ?? '' };
      return [layout.apiKey.key(parts), layout.accountKey.key(parts)] as const;
    };
    const [running, ended, half, other] = [await begin(0), await begin(13), await begin(25), await begin(25)];
    await table().commit([{ remove: half[0] }, { remove: other[1] }]);
    expect(await check()).toEqual([]);
    const all = [...running, ...ended, ...half, ...other];
    await table().commit(all.map((each) => ({ remove: each })));
  });

  test('reports and repairs a key that its account does not list, and what lists nothing that exists', async () => {
    const entry = layout.accountKey.key({ account, public: publicPart() });
    const unknown = layout.accountKey.key({ account, public: 'ABCDEFGHIJKL' });
    const share = await postalShare();
    const before = (await table().get(share)) as Item;
    const Classes = [
      ...(before['Classes'] as object[]),
      { OrganizationId: 1, Id: 99, AccountingClass: 'Gone', TerritoryID: '', Codes: '62709' },
    ];
    await table().commit([{ remove: entry }, { put: { ...unknown, Id: 9, V: 1 } }]);
    await table().update({ update: share, set: { Owners: { ...(before['Owners'] as Body), 99: '62708' }, Classes } });
    expect((await check()).map(({ message }) => message).sort()).toEqual([
      `is missing for key ${publicPart()}, which works`,
      'is of a key that does not exist',
      'the postal codes of organization 99 differ from its list; ' +
        'the postal codes of accounting class 99 differ from its list',
    ]);
    expect((await check({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect(await check()).toEqual([]);
    expect((await listKeys(accountStore(table(), account))).map(({ Public }) => Public)).toEqual([publicPart()]);
    expect(contentOf(await table().get(share))).toEqual(contentOf(before));
  });

  const publicPart = () => parseKey(key)?.publicPart ?? '';
  const postalShare = async () => {
    for (let share = 0; share < 32; share++) {
      const item = await table().get(layout.postalShare.key({ account, share }));
      if ((item?.['Owners'] as Body | undefined)?.['1']) return layout.postalShare.key({ account, share });
    }
    throw new Error('no postal share');
  };
  const expiryKey = async () => {
    const proposal = await table().get(layout.proposal.key({ account, id: 1 }));
    return toKey(expiryAt({ account }, 1, proposal?.['ExpiresAt'] as number));
  };
  const wordKey = async () => {
    const { items } = await table().query({ partition: layout.contactName.of({ account, scope: 'ALL', start: 'k' }) });
    return { PK: items[0]?.PK ?? '', SK: items[0]?.SK ?? '' };
  };
  const creditKey = async () => {
    const { items } = await table().query({ partition: layout.contactCredit.of({ account, scope: 1 }) });
    return { PK: items[0]?.PK ?? '', SK: items[0]?.SK ?? '' };
  };
  const calendarDay = async () => {
    const { items } = await table().query({
      partition: layout.calendar.of({ account, organization: 1, week: '2027-03-01' }),
    });
    const [day] = items;
    if (!day) throw new Error('no calendar');
    return day;
  };

  test('reports and repairs reserved time without appointment, and an appointment without its time', async () => {
    const day = await calendarDay();
    const jobs = day['Jobs'] as object[];
    const other = { A: 99, S: Date.parse('2027-03-01T20:00Z'), E: Date.parse('2027-03-01T21:00Z') };
    for (const Jobs of [[...jobs, other], [], [other]]) {
      await table().update({ update: { PK: day.PK, SK: day.SK }, set: { Jobs }, add: { V: 1 } });
      expect((await check()).map(({ kind }) => kind)).toContain('calendar');
      expect((await check({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
      expect([await check(), (await calendarDay())['Jobs']]).toEqual([[], jobs]);
    }
  });

  test('reports and repairs time that an appointment left reserved on another day, over midnight too', async () => {
    const day = await calendarDay();
    const [S, E] = [Date.parse('2027-03-05T23:00Z'), Date.parse('2027-03-06T01:00Z')];
    const left = ['2027-03-05', '2027-03-06'].map((Day) => ({
      ...layout.calendar.key({ account, organization: 1, week: '2027-03-01', day: Day, agent: 1 }),
      Agent: 1,
      Day,
      Jobs: [{ A: 1, S, E }],
      V: 1,
    }));
    await table().putMany(left);
    const offered = async () => {
      const { Slots } = await call('appointments/slotsearch', { ContactId: 1, ServiceId: 1, TargetDate: '2027-03-05' });
      return (Slots as { DateTime: string }[]).map(({ DateTime }) => Date.parse(DateTime));
    };
    expect(await offered()).not.toContain(S);
    // Its parts of the table are checked side by side.
    const found = (await check()).map(({ kind, key: at }) => `${kind} ${at.SK}`);
    expect(found.toSorted()).toEqual(left.map(({ SK }) => `calendar ${SK}`));
    expect((await check({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect([await check(), (await calendarDay())['Jobs']]).toEqual([[], day['Jobs']]);
    expect(await offered()).toContain(S);
  });

  test('reports and repairs a gap in the events, events behind Last, days and cursors; readers then pass', async () => {
    const sequence = layout.sequence.key({ account });
    const { Last } = toSequence(await table().get(sequence));
    await table().commit([{ remove: eventKey({ account }, Last - 2) }]);
    expect((await check()).map(({ message }) => message)).toEqual([
      `events ${Last - 2} are missing: no reader passes them`,
    ]);
    expect((await check({ repair: true })).map(describeFinding)).toEqual(['sequence EVENTS SEQUENCE repaired']);
    const fetched = async () =>
      ((await call('datasubscriber/fetch', { EventCount: 1000 }))['Events'] as { Id: number }[]).map(({ Id }) => Id);
    const ids = await fetched();
    expect([ids.includes(Last - 2), ids.at(-1), ids.length]).toEqual([false, Last, Last - 1]);
    await table().update({ update: sequence, set: { Last: Last - 1, 'Cursor:test': Last } });
    expect((await check()).map(({ message }) => message)).toEqual([`the newest event is ${Last}, Last is ${Last - 1}`]);
    await check({ repair: true });
    await table().update({ update: sequence, set: { Days: {}, 'Cursor:test': Last + 5 } });
    expect((await check()).length).toBe(2);
    expect((await check({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect([await check(), await fetched()]).toEqual([[], ids]);
    await appendEvents(
      accountStore(table(), account),
      [{ change: 'Contact.1.99', payload: '{}' }],
      new Date(),
      Date.now() + 1e4,
    );
    expect(toSequence(await table().get(sequence)).Last).toBe(Last + 1);
    await table().commit([{ update: sequence, set: { Last } }, { remove: eventKey({ account }, Last + 1) }]);
  });

  test('reports a record that cannot be read, and goes on; items of an earlier version are not checked', async () => {
    const proposal = layout.proposal.key({ account, id: 1 });
    const { Date: date } = (await openTable().get(proposal)) as Item;
    const former = { PK: proposal.PK, SK: 'EXPIRY' };
    await openTable().putMany([{ ...former, Id: 1 }]);
    await openTable().update({ update: proposal, set: { Date: 'soon' } });
    expect((await check()).filter(({ kind }) => kind === 'record')).toMatchObject([
      { kind: 'record', key: proposal, message: 'cannot be read (Invalid time value)' },
    ]);
    await openTable().update({ update: proposal, set: { Date: date } });
    await openTable().putMany([], [former]);
    expect(await check()).toEqual([]);
  });

  test('reports ids of events and records of which few are left, before they end', async () => {
    const few = 'few';
    const root = layout.account.key({ account: few });
    await table().putMany([{ ...root, AccountId: few }]);
    const lease = layout.lease.key({ account: few, kind: 'Contact' });
    const last = Math.floor(0.9 * (2 ** 31 - 1));
    await table().update({ update: lease, set: { Last: last } });
    expect(await check({ accounts: [few] })).toEqual([]);
    await table().update({ update: lease, set: { Last: last + 1 } });
    const Last = 2 ** 31 - 3;
    await table().update({ update: layout.sequence.key({ account: few }), set: { Last, Absent: [[1, Last]] } });
    const found = await check({ accounts: [few] });
    expect(found.map(({ kind, message }) => `${kind} ${message}`).sort()).toEqual([
      'ids only 2 event ids are left of 2,147,483,647',
      'ids only 214,748,364 Contact ids are left of 2,147,483,647',
    ]);
    expect(found.map(({ repair }) => repair)).toEqual([undefined, undefined]);
    await table().putMany([], [root, lease, layout.sequence.key({ account: few })]);
  });

  test('reports nothing while operations write', async () => {
    const run = { isOver: false };
    const writing = (async () => {
      while (!run.isOver) {
        await call('proposal/create', { ContactId: 1, ServiceId: 1, Status: 'Open' });
        await call('payment/import', { Payment: { InvoiceId: 1, Amount: 0.01, Method: 'Check' } });
        await pause(50);
      }
    })();
    const found = await check({ repair: true, settleMilliseconds: 100 });
    run.isOver = true;
    await writing;
    expect(found).toEqual([]);
    await deliverAll(await engine.records());
  });
});

test(
  'events rebuild queues what never became an event, once; a late delivery adds nothing',
  { timeout: 60_000 },
  async () => {
    const since = new Date();
    const rebuild = () =>
      rebuildEvents(openTable(), openScan(), { since, account, now: () => new Date(), patience: 10_000 });
    const fetched = async () =>
      (await call('datasubscriber/fetch', { EventCount: 1000 }))['Events'] as { Id: number; Payload: Body }[];
    await deliverAll(await engine.records());
    const before = (await fetched()).length;
    expect([...(await rebuild())]).toEqual([]);

    await call('contacts/addupdate', { Name: 'Lost Lead', Email: 'lost@example.com' });
    await call('contacts/addupdate', { Id: 1, Company: 'Kern & Co' });
    await call('proposal/update', { Id: 1, Title: 'Front' });
    await call('organizations/update', { OrganizationId: 1, PrimaryPhone: '(804) 555-0199' });
    const late = await engine.records();
    const counts = { 'contact.created': 1, 'contact.updated': 1, 'organization.updated': 1, 'proposal.updated': 1 };
    expect(Object.fromEntries(await rebuild())).toEqual(counts);
    expect([...(await rebuild())]).toEqual([]);
    expect(await deliverAll(late)).toEqual([]);

    const events = (await fetched()).slice(before).map(({ Payload }) => Payload);
    expect(events).toHaveLength(4);
    const updated = events.find(({ Kind }) => Kind === 'contact.updated');
    expect(updated).toMatchObject({ Id: 1, Changed: ['Company'], Data: { Id: 1, Company: 'Kern & Co' } });
    expect(events.find(({ Kind }) => Kind === 'contact.created')).toMatchObject({ Data: { Name: 'Lost Lead' } });
  },
);

test(
  'a restore, step by step: no id is given out twice, subscribers go on, everything works',
  { timeout: 60_000 },
  async () => {
    const fetched = async () =>
      ((await call('datasubscriber/fetch', { EventCount: 1000 }))['Events'] as { Id: number; Payload: Body }[]).map(
        ({ Id, Payload }) => ({ Id, text: JSON.stringify(Payload) }),
      );
    const last = async (table = openTable()) => toSequence(await table.get(layout.sequence.key({ account }))).Last;

    // The backup; then the old table goes on, and a subscriber reads all of it.
    const folder = await mkdtemp(join(tmpdir(), 'backup-'));
    const restore = { at: new Date() };
    engine.backUp(join(folder, 'table.db'));
    const read = await fetched();
    const later = [
      await call('contacts/addupdate', { Name: 'Later', Email: 'later@example.com' }),
      await call('proposal/create', { ContactId: 1, ServiceId: 1, Status: 'Open' }),
    ];
    await deliverAll(await engine.records());
    const lost = (await fetched()).filter(({ Id }) => !read.some((event) => event.Id === Id));
    expect(lost.length).toBeGreaterThan(2);
    const newest = await last();

    // The restored table: check, repair, skip the ids; repeating it changes nothing.
    await engine.restore(join(folder, 'table.db'));
    await rm(folder, { recursive: true });
    const table = openTable();
    const options = { repair: true, restore };
    const kinds = (await check(options)).map(({ kind, repaired }) => `${kind} ${repaired}`);
    expect([new Set(kinds), kinds.length]).toEqual([new Set(['ids true']), 1 + idKinds.length]);
    expect(await check(options)).toEqual([]);

    // The stack on the restored table.
    expect(await fetched(), 'events of before the backup are the same').toEqual(read);
    await call('datasubscriber/clear', { ClearThroughId: newest });
    const queue = await findQueue(accountStore(table, account), 'default', new Date());
    expect(queue.next).toBe(newest + 1);
    const event = { change: 'Contact.9.1', payload: lost[0]?.text ?? '', committedAt: Date.now() };
    expect(await appendEvents(accountStore(table, account), [event], new Date(), Date.now() + 10_000)).toBe(1);
    expect(await appendEvents(accountStore(table, account), [event], new Date(), Date.now() + 10_000)).toBe(0);
    const [next, ...more] = await fetched();
    expect([more, next?.text]).toEqual([[], lost[0]?.text]);
    expect(next?.Id).toBeGreaterThan(newest + 50_000);
    const [contact] = (await call('contacts/addupdate', { Name: 'New', Email: 'new@example.com' }))[
      'Matches'
    ] as Body[];
    const [former] = (later[0]?.['Matches'] ?? []) as Body[];
    // The ids that this process had reserved before are used up by nobody else.
    expect(contact?.['Id']).not.toBe(former?.['Id']);
    const leases = await Promise.all(idKinds.map((kind) => table.get(layout.lease.key({ account, kind }))));
    expect(leases.every((lease) => (lease?.['Last'] as number) >= 100_000)).toBe(true);
    expect(await check({})).toEqual([]);
  },
);
