import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY } from '../../lib/shared/time/time.ts';
import { findLastTurn, writeRetentionRules } from '../../lib/store/accounts/retention.ts';
import { callChange, listRecentCalls } from '../../lib/store/contacts/calls.ts';
import type { Change } from '../../lib/store/dynamodb/changes.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { accountOfKey, layout } from '../../lib/store/keys.ts';
import { applyRetention } from '../../lib/workflows/retention/apply-retention.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

let accounts: readonly string[] = [];
const now = new Date();

/** Old calls, each of another contact, which a run removes one after the other, and one of today. */
async function addCalls(account: string, count: number): Promise<void> {
  for (let id = 1; id <= count + 1; id++) {
    const call = {
      Text: '',
      Phone: '',
      Direction: '',
      DurationSeconds: null,
      Note: '',
      RecordingUrl: '',
      PhoneKey: '',
    };
    const Created = id > count ? now.getTime() : now.getTime() - 40 * DAY;
    const stored = { ...call, Id: id, OrganizationId: 1, ContactId: id, NoteId: null, Created, V: 0 };
    await openTable().commit([callChange({ account }, undefined, stored)]);
  }
}

const remaining = (account: string) =>
  listRecentCalls(accountStore(openTable(), account), { count: 1_000, isUnattached: false }).then(
    ({ length }) => length,
  );

beforeEach(async () => {
  for (const account of accounts) await writeRetentionRules(accountStore(openTable(), account), {});
  accounts = ['anna', 'bert', 'cleo'].map((name) => `${name}-${randomUUID()}`);
  for (const account of accounts) await writeRetentionRules(accountStore(openTable(), account), { CallDays: 30 });
  await openTable().putMany([], [layout.retentionProgress.key({})]);
});

const nameOf = (account: string): string => account.split('-')[0] ?? '';
const removedBy = (change: Change): string | undefined =>
  'remove' in change && 'PK' in change.remove ? accountOfKey(change.remove) : undefined;

/** The table as a worker has it, which names the account of each removal; a worker that throws there is dead. */
function watched(onRemoval: (account: string) => void): PatientTable {
  let isDead = false;
  const watch = (sound: PatientTable): PatientTable => {
    const alive = <Result>(request: () => Promise<Result>) =>
      isDead ? new Promise<Result>(() => undefined) : request();
    return {
      ...sound,
      until: (deadline) => watch(sound.until(deadline)),
      query: (range) => alive(() => sound.query(range)),
      update: (change) => alive(() => sound.update(change)),
      commit: (changes, options) =>
        alive(() => {
          try {
            for (const change of changes) {
              const account = removedBy(change);
              if (account) onRemoval(account);
            }
          } catch {
            isDead = true;
          }
          return alive(() => sound.commit(changes, options));
        }),
    };
  };
  return watch(openTable());
}

const run = (table: PatientTable, { forMilliseconds = 60_000, turnMilliseconds = 0 } = {}) =>
  applyRetention(table, {
    now,
    deadline: Date.now() + forMilliseconds,
    openFiles: () => Promise.reject(new Error('no files')),
    turnMilliseconds,
  });

test('accounts take turns: one with much to remove keeps no other waiting, and is finished in the same run', async () => {
  for (const [index, count] of [5, 1, 3].entries()) await addCalls(accounts[index] ?? '', count);
  const order: string[] = [];
  const outcome = await run(watched((account) => void order.push(nameOf(account))));
  expect(order).toEqual(['anna', 'bert', 'cleo', 'anna', 'cleo', 'anna', 'cleo', 'anna', 'anna']);
  expect(outcome).toEqual({ removed: 9, failures: [] });
  expect(await Promise.all(accounts.map(remaining))).toEqual([1, 1, 1]);
});

test('a run begins behind the account that had the last turn', async () => {
  for (const account of accounts) await addCalls(account, 2);
  const orders: string[][] = [];
  for (let left = 20; left > 0 && (await remaining(accounts[2] ?? '')) > 1; left--) {
    const order: string[] = [];
    // Lambda ends the worker at its second removal.
    const death = Promise.withResolvers<void>();
    const dying = watched((account) => {
      if (order.length) {
        death.resolve();
        throw new Error('killed');
      }
      order.push(nameOf(account));
    });
    await Promise.race([run(dying), death.promise]);
    orders.push(order);
  }
  // The turn that ended the worker counts as one: its account is not first again.
  expect(orders.slice(0, 4)).toEqual([['anna'], ['cleo'], ['bert'], ['anna']]);
  expect((await run(openTable())).failures).toEqual([]);
  expect(await Promise.all(accounts.map(remaining))).toEqual([1, 1, 1]);
});

test('an account whose removals fail stops nobody, and is named to the alarm', async () => {
  for (const account of accounts) await addCalls(account, 2);
  const table = watched(() => undefined);
  const failing = (sound: PatientTable): PatientTable => ({
    ...sound,
    until: (deadline) => failing(sound.until(deadline)),
    commit: (changes) =>
      changes.some((change) => removedBy(change) === accounts[0])
        ? Promise.reject(new Error('refused'))
        : sound.commit(changes),
  });
  const outcome = await run(failing(table));
  expect(outcome).toMatchObject({ removed: 4, failures: [{ message: 'refused' }] });
  expect(await Promise.all(accounts.map(remaining))).toEqual([3, 1, 1]);
});

test('a run that finds nothing due writes once, and ends where the next one begins', async () => {
  await run(openTable());
  const table = openTable();
  expect(await run(table)).toEqual({ removed: 0, failures: [] });
  expect(table.meter.usage.writeUnits).toBe(1);
  expect(await findLastTurn(table)).toBe(accounts[2]);
});

test('a run of no time removes nothing, and the next one does', async () => {
  await addCalls(accounts[1] ?? '', 2);
  expect(await run(openTable(), { forMilliseconds: -1 })).toEqual({ removed: 0, failures: [] });
  expect(await remaining(accounts[1] ?? '')).toBe(3);
  expect((await run(openTable())).removed).toBe(2);
});
