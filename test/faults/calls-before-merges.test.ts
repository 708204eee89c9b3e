import type { Contact } from '../../lib/entities/contacts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { findTask, taskChanges } from '../../lib/store/tasks.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { goOnWithMerge } from '../../lib/workflows/contacts/move-merged-records.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { weekdays } from '../support/scheduling.ts';
import { type FaultyEngine, startFaultyEngine } from '../support/faults/faulty-engine.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { deliverAll } from '../support/stream.ts';
import { storeOf, accountStore } from '../../lib/store/store.ts';

const now = new Date();
let engine: TestTable;
let line: FaultyEngine;
let account: string;
let key: string;

beforeAll(async () => {
  engine = await startTable();
  line = await startFaultyEngine(engine.endpoint);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = line.endpoint;
  ({ account } = await writeAccount(sound(), { name: 'Merges', now }));
  ({ key } = await createKey(accountStore(sound(), account), { role: 'Owner', name: 'test', rate: 100_000, now }));
  const of = { account: account, organizationId: null, accountWide: true, now };
  await writePriceBook(accountStore(sound(), of.account), of, {
    services: [{ Name: 'Lawn', BasePrice: 50, BaseDuration: 30 }],
  });
  const ServiceAgents = [{ Name: 'Ann', TimeSlots: weekdays() }];
  await call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '62701' }, ServiceAgents });
});
afterAll(async () => {
  await line.stop();
  await engine.stop();
});

const sound = () => openTable({ endpoint: engine.endpoint });

async function call(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await invoke(operation, body, { key });
  expect(answer.status, `${operation} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

let count = 0;
const newContact = async (): Promise<Contact> => {
  const Email = `${++count}@example.com`;
  const { Matches } = await call('contacts/addupdate', { Name: `Contact ${count}`, Email, Zip: '62701' });
  return (Matches as [Contact])[0];
};

const newInvoice = async (ContactId: number): Promise<number> => {
  const Invoice = { ContactId, Status: 'Open', Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] };
  return ((await call('invoice/import', { Invoice }))['Invoice'] as { Id: number }).Id;
};

/** Makes a call, and holds the first write of its record back until `meanwhile` is done. */
async function holdBack(
  operation: string,
  body: object,
  meanwhile: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const [reached, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  line.fail(async (request, text) => {
    if (!/^(Put|Transact)/.test(request) || !/#(TASK|APPOINTMENT|PAYMENT)#/.test(text)) return undefined;
    line.fail(undefined);
    reached.resolve();
    await isFree.promise;
    return undefined;
  });
  const answer = call(operation, body);
  await reached.promise;
  await meanwhile();
  isFree.resolve();
  return answer;
}

const goOn = (kept: Contact, merged: Contact, settleMilliseconds: number) =>
  goOnWithMerge(accountStore(sound(), account), layout.contactMerge.key({ account, id: kept.Id, merged: merged.Id }), {
    now: new Date(),
    deadline: Date.now() + 60_000,
    settleMilliseconds,
  });

interface Held {
  readonly contact: number;
  readonly invoice: number;
}

const slot = { Slots: [{ DateTime: '2035-03-05T09:00', ServiceAgentId: 1 }] };

type Call = readonly [operation: string, body: (of: Held) => object, kinds: Record<string, number>, sums: number[]];

/** Calls for a contact, the records that they make, and what the contact has then paid and as credit. */
const calls: readonly Call[] = [
  [
    'appointments/book',
    ({ contact: ContactId }) => ({ ContactId, ServiceName: 'Lawn', ...slot }),
    { APPOINTMENT: 1 },
    [0, 0],
  ],
  ['task/create', ({ contact: ContactId }) => ({ ContactId, Description: 'Call' }), { TASK: 1 }, [0, 0]],
  ['payment/import', ({ contact: ContactId }) => ({ Payment: { ContactId, Amount: 20 } }), { PAYMENT: 1 }, [0, 20]],
  // The invoice has moved meanwhile: the call does it all again.
  ['payment/import', ({ invoice: InvoiceId }) => ({ Payment: { InvoiceId, Amount: 40 } }), { PAYMENT: 1 }, [40, 0]],
  ['payment/import', ({ invoice: InvoiceId }) => ({ Payment: { InvoiceId, Amount: 130 } }), { PAYMENT: 2 }, [100, 30]],
];

test.each(calls)(
  '%s that read a contact before it was merged leaves its record with the one that stays',
  async (operation, body, kinds, sums) => {
    const [kept, merged] = [await newContact(), await newContact()];
    const of = { contact: merged.Id, invoice: await newInvoice(merged.Id) };
    await holdBack(operation, body(of), async () => {
      await call('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
      expect((await goOn(kept, merged, 600_000)).kind).toBe('waits');
    });
    const late = sums[0] ? {} : kinds;
    expect(await kindsOf(merged.Id)).toEqual(late);
    expect((await goOn(kept, merged, 0)).kind).toBe('done');
    expect([await kindsOf(kept.Id), await kindsOf(merged.Id)]).toEqual([{ INVOICE: 1, ...kinds }, {}]);
    expect([await sumsOf(kept.Id), await sumsOf(merged.Id)]).toEqual([sums, [0, 0]]);
    const { Matches } = await call('contacts/locate', { IdSearch: merged.Id });
    expect(Matches).toMatchObject([{ Id: kept.Id, Hash: kept.Hash }]);
    expect(await problems()).toEqual([]);
  },
);

test('a record that a version of before merges makes for a merged contact is found by the check, and moved', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  await call('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
  expect((await goOn(kept, merged, 0)).kind).toBe('done');
  const { TaskId } = await call('task/create', { ContactId: kept.Id, Description: 'Call' });
  const before = await findTask(storeOf(sound(), { account: account, organizationId: null }), Number(TaskId));
  const after = { ...before!, ContactId: merged.Id };
  await sound().commit([taskChanges({ account }, { before, after, now }).change]);
  const found = `: is merged into contact ${kept.Id}, and 1 record names it`;
  expect(await problems(true)).toEqual([expect.stringContaining(found)]);
  expect((await goOn(kept, merged, 0)).kind).toBe('done');
  expect([await kindsOf(kept.Id), await kindsOf(merged.Id)]).toEqual([{ TASK: 1 }, {}]);
  expect(await problems()).toEqual([]);
});

/** How many records of each kind name a contact. */
async function kindsOf(contact: number): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for await (const items of openScan({ endpoint: engine.endpoint })({ accounts: [account], isWhole: true }))
    for (const item of items) {
      const [, , kind = ''] = item.PK.split('#');
      if (item['ContactId'] === contact && item.SK === kind) kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
  return kinds;
}

/** What a contact has paid, and its credit. */
async function sumsOf(id: number): Promise<unknown[]> {
  const stored = await sound().get(layout.contact.key({ account, id }));
  return [stored?.['LifetimeValue'] ?? 0, stored?.['CreditBalance'] ?? 0];
}

async function problems(repair = false): Promise<string[]> {
  const changes = (await engine.records()).filter(({ dynamodb }) => dynamodb?.NewImage?.['CreditBalance']);
  expect(await deliverAll(changes, { worker: 'background-work' })).toEqual([]);
  const found: string[] = [];
  await checkTable(sound(), openScan({ endpoint: engine.endpoint }), {
    accounts: [account],
    repair,
    now: () => new Date(),
    settleMilliseconds: 200,
    onFinding: ({ kind, key: { PK, SK }, message }) => void found.push(`${kind} ${PK} ${SK}: ${message}`),
  });
  return found;
}
