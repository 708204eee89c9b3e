import type { Contact } from '../../lib/entities/contacts.ts';
import type { Payment } from '../../lib/entities/payments.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { putInvoice, readInvoice } from '../support/invoices.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { deliverAll, seeded, withDuplicates } from '../support/stream.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
let account: string;
let key: string;

beforeAll(async () => {
  engine = await startTable();
  const now = new Date();
  ({ account } = await writeAccount(openTable(), { name: 'Blue Sky', now }));
  ({ key } = await createKey(accountStore(openTable(), account), { role: 'Owner', name: 'test', rate: 100_000, now }));
});
afterAll(() => engine.stop());

const setting = (ApplyCredit: boolean) =>
  openTable().commit([{ update: layout.organization.key({ account, id: 1 }), set: { ApplyCredit }, if: 'present' }]);

async function call(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await invoke(operation, body, { key });
  expect([answer.status, answer.body['Message'] ?? '']).toEqual([200, answer.body['Message'] ?? '']);
  return answer.body;
}

const newClient = async (name: string): Promise<number> =>
  ((await call('contacts/addupdate', { Name: name, Email: `${name}@example.com` }))['Matches'] as Contact[])[0]?.Id ??
  0;
const bill = async (ContactId: number, total: number, day: number) =>
  (await putInvoice(openTable(), account, total, { ContactId, Date: Date.UTC(2026, 2, day) })).Id;
const pay = (Payment: object) => call('payment/import', { Payment });
const dueOf = (ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await readInvoice(openTable(), account, id)).BalanceDue));
const creditOf = async (IdSearch: number) =>
  ((await call('contacts/locate', { IdSearch }))['Matches'] as Contact[])[0]?.CreditBalance;
const listed = async () =>
  ((await call('contacts/locate', { HasCredit: true }))['Matches'] as Contact[]).map(({ Id }) => Id);
const byCredit = async (ContactId: number) =>
  ((await call('payment/query', { ContactId, Take: 500 }))['Payments'] as Payment[]).filter(
    ({ Method }) => Method === 'Credit',
  );

/** Delivers what happened, and what follows from it, until nothing is left: twice, late, and to workers that die. */
async function deliver(seed: number): Promise<void> {
  const random = seeded(seed);
  for (let records = await engine.records(); records.length; records = await engine.records()) {
    const dead = await deliverAll(withDuplicates(records, 0.5, random), {
      worker: 'background-work',
      size: 3,
      killed: () => random() < 0.3,
    });
    expect(dead).toEqual([]);
  }
}

test.each([1, 2, 3])(
  'credit pays the oldest open invoices, once, also where workers are killed (seed %d)',
  async (seed) => {
    await setting(true);
    const client = await newClient(`Ana${seed}`);
    const paid = await bill(client, 100, 1);
    const later = [await bill(client, 30, 9), await bill(client, 20, 5), await bill(client, 50, 7)];
    await pay({ InvoiceId: paid, Amount: 165 });
    await deliver(seed);
    expect(await dueOf(later)).toEqual([30, 0, 5]);
    expect(await creditOf(client)).toBe(0);
    await pay({ ContactId: client, Amount: 100 });
    await deliver(seed);
    const next = await bill(client, 70, 10);
    await deliver(seed);
    expect([await dueOf([...later, next]), await creditOf(client)]).toEqual([[0, 0, 0, 5], 0]);
    const uses = await byCredit(client);
    expect([uses.reduce((sum, { Amount }) => sum + Amount, 0), uses.filter(({ Amount }) => Amount < 0).length]).toEqual(
      [0, 3],
    );
  },
);

test('credit of 45 invoices pays 20 a transaction, until all are paid', async () => {
  await setting(true);
  const client = await newClient('Bea');
  for (let day = 1; day <= 45; day++) await bill(client, 1, day);
  await engine.records();
  await pay({ ContactId: client, Amount: 50 });
  await deliver(4);
  expect(await creditOf(client)).toBe(5);
  expect((await byCredit(client)).filter(({ Amount }) => Amount < 0).map(({ Amount }) => Amount)).toEqual([
    -20, -20, -5,
  ]);
});

test('without the setting credit stays until it is used', async () => {
  await setting(false);
  const client = await newClient('Cleo');
  await pay({ ContactId: client, Amount: 50 });
  const open = await bill(client, 20, 1);
  await deliver(5);
  expect([await dueOf([open]), await creditOf(client)]).toEqual([[20], 50]);
});

test.each([1, 2, 3])(
  'whoever has credit is listed, and nobody else, also where workers are killed (seed %d)',
  async (seed) => {
    await setting(false);
    const random = seeded(seed);
    const clients: number[] = [];
    for (let count = 0; count < 4; count++) clients.push(await newClient(`Dora${seed}${count}`));
    const balances = new Map(clients.map((client) => [client, 0]));
    for (let count = 0; count < 24; count++) {
      const client = clients[Math.floor(random() * clients.length)] ?? 0;
      const balance = balances.get(client) ?? 0;
      const amount = balance > 0 && random() < 0.7 ? -balance : 10;
      await pay({ ContactId: client, Amount: amount });
      balances.set(client, balance + amount);
      if (random() < 0.4) await deliver(seed);
    }
    await deliver(seed);
    const expected = clients.filter((client) => balances.get(client)).toReversed();
    expect((await listed()).filter((client) => clients.includes(client))).toEqual(expected);
  },
);
