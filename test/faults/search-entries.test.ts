import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { contactEntity } from '../../lib/entities/contacts.ts';
import { HOUR } from '../../lib/shared/time/time.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { layout } from '../../lib/store/keys.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
import { settleEntries } from '../../lib/workflows/retention/settle-entries.ts';
import { contactItem } from '../support/contact-items.ts';
import type { Choose } from '../support/faults/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { expectFindable } from '../support/oracles/findable.ts';
import { invoke } from '../support/stack/invoke.ts';
import { accountStore } from '../../lib/store/store.ts';

const RUNS = Number(process.env['ENTRY_RUNS'] ?? 1);

let faulty: FaultyTable;
beforeAll(async () => {
  faulty = await startFaultyTable();
});
afterAll(() => faulty.stop());
afterEach(() => faulty.line.fail(undefined));

async function itemsOf(account: string): Promise<Item[]> {
  const found: Item[] = [];
  const scan = openScan({ endpoint: faulty.line.endpoint });
  for await (const items of scan({ accounts: [account], isWhole: true })) found.push(...items);
  return found;
}

const simple = (...texts: unknown[]): string[] => [
  ...new Set(
    texts
      .join(' ')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(Boolean),
  ),
];

/** What in the search lists is of no contact as it is stored: judged by the text of the keys, without the product's code. */
async function leftovers(account: string): Promise<string[]> {
  const items = await itemsOf(account);
  const contacts = new Map(
    items.filter((item) => item.SK === 'CONTACT' && item.PK.includes('#CONTACT#')).map((item) => [item['Id'], item]),
  );
  return items.flatMap((item) => {
    const [, , list = '', ...rest] = item.PK.split('#');
    const lists = ['NAME', 'ADDRESS', 'TAG', 'CATEGORY', 'TRACKING', 'CREATED', 'HASH', 'LINK', 'EMAIL', 'PHONE'];
    if (list === 'PENDINGENTRIES') return [`${item.PK} ${item.SK}`];
    if (!lists.includes(list)) return [];
    const contact = contacts.get(item['Id']);
    const [word = '', , , facts = ''] = item.SK.split('#');
    const isTrue =
      contact !== undefined &&
      contact['ErasedAt'] === undefined &&
      (list !== 'NAME' || isOfWords(word, facts, simple(contact['Name'], contact['Company']))) &&
      (list !== 'ADDRESS' || isOfWords(word, facts, simple(contact['Address1'], contact['City'], contact['Zip']))) &&
      (list !== 'TAG' || (contact['Tags'] as { Name: string }[]).some(({ Name }) => Name === rest[1])) &&
      (list !== 'HASH' || contact['Hash'] === rest[0]);
    return isTrue ? [] : [`${item.PK} ${item.SK}`];
  });
}

/** Whether a word and the facts behind it (`category:all words`) are those of a text. */
const isOfWords = (word: string, facts: string, words: readonly string[]): boolean =>
  words.includes(word) && simple(facts.split(':')[1]).toSorted().join() === words.toSorted().join();

async function problems(account: string, repair = false): Promise<string[]> {
  const found: string[] = [];
  await checkTable(openTable({ endpoint: faulty.line.endpoint }), openScan({ endpoint: faulty.line.endpoint }), {
    accounts: [account],
    repair,
    now: () => new Date(Date.now() + HOUR),
    onFinding: ({ key, message }) => found.push(`${key.PK} ${key.SK} ${message}`),
    settleMilliseconds: 0,
  });
  return found;
}

const settle = (since = 0) =>
  settleEntries(openTable({ endpoint: faulty.line.endpoint }), {
    now: new Date(Date.now() + since),
    deadline: Date.now() + 20_000,
  });

/** The process ends once it has sent so many batches: nothing that it sends later arrives. */
function killedAfter(batches: number): Choose {
  let left = batches;
  return (operation) => {
    if (left <= 0) return 'errorBefore';
    if (operation === 'BatchWriteItem') left--;
    return left < 0 ? 'errorBefore' : undefined;
  };
}

/** What goes wrong with one call. */
const faults = {
  none: () => undefined,
  killedBeforeEntries: () => killedAfter(0),
  killedAfterEntries: () => killedAfter(1),
  transactionsThrottled: (): Choose => (operation) => (operation === 'TransactWriteItems' ? 'throttled' : undefined),
  repliesLost: (): Choose => (operation) => (operation === 'TransactWriteItems' ? 'lostReply' : undefined),
  batchesInParts: (): Choose => (operation) => (operation === 'BatchWriteItem' ? 'unprocessed' : undefined),
  secondBatchOverloaded(): Choose {
    let batches = 0;
    return (operation) => (operation === 'BatchWriteItem' && batches++ > 0 ? 'throttled' : undefined);
  },
} satisfies Record<string, () => Choose | undefined>;
type FaultName = keyof typeof faults;

const names = ['Ana Diaz', 'Victimxq Person', 'Ben Okafor', 'Mia Moreau Lang'];
const streets = ['5 Oak', '77 Blueberry', '9 Maple'];
const contactInput = fc.record(
  {
    Name: fc.constantFrom(...names),
    Company: fc.constantFrom('', 'Acme', 'Northwind Trade'),
    Address1: fc.constantFrom(...streets),
    City: fc.constantFrom('Springfield', 'Shelby'),
    Tags: fc.subarray(['vip', 'late']),
  },
  { requiredKeys: ['Name'] },
);
const step = fc.record({
  /** The number of a contact that is changed, of those that exist; beyond them new ones are added. */
  target: fc.nat(5),
  inputs: fc.array(contactInput, { minLength: 1, maxLength: 3 }),
  fault: fc.constantFrom(...(Object.keys(faults) as FaultName[])),
  /** Whether another call changes the same contact at the same time. */
  races: fc.boolean(),
  settles: fc.constantFrom(false, false, true),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let emails = 0;
const phone = () => `+1 217 555 ${String(1_000 + emails)}`;

async function take({ target, inputs, fault, races, settles }: Step, account: string, key: string): Promise<void> {
  const items = await itemsOf(account);
  const ids = items.filter(({ SK, E }) => SK === 'CONTACT' && E === 'Contact').map(({ Id }) => Id as number);
  const id = ids[target];
  const matches = id
    ? [{ Id: id, ...inputs[0] }]
    : inputs.map((input) => ({ ...input, Email: `e${++emails}@example.com`, Phone: phone(), Zip: '62701' }));
  faulty.line.fail(faults[fault]());
  const other = { Matches: [id ? { Id: id, Name: 'Other Racer' } : { ...matches[0], Name: 'Other Racer' }] };
  await Promise.all([
    invoke('contacts/addupdate', { Matches: matches }, { key }),
    ...(races ? [invoke('contacts/addupdate', other, { key })] : []),
  ]);
  faulty.line.fail(undefined);
  if (settles) await settle();
}

describe('search entries', () => {
  test(
    'are exactly those of the contacts after any sequence of calls that are refused, killed, raced and overloaded',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
          const { accountId, key } = await faulty.newAccount();
          for (const each of steps) await take(each, accountId, key);
          await settle(HOUR);
          expect(await leftovers(accountId)).toEqual([]);
          expect(await problems(accountId)).toEqual([]);
          const contacts = (await itemsOf(accountId)).filter(({ SK, E }) => SK === 'CONTACT' && E === 'Contact');
          await expectFindable(
            key,
            contacts.map((item) => contactEntity.read(item)),
          );
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      // A run takes some 10 s: calls of throttled transactions use up their time.
    },
    300_000 + RUNS * 30_000,
  );

  test('that two killed calls put for the same contact are removed', async () => {
    const { accountId, key } = await faulty.newAccount();
    await invoke('contacts/addupdate', { Name: 'Ana Diaz', Email: 'twice@example.com' }, { key });
    for (let call = 0; call < 2; call++) {
      faulty.line.fail(faults.killedAfterEntries());
      await invoke('contacts/addupdate', { Email: 'twice@example.com', Name: 'Victimxq Person' }, { key });
      faulty.line.fail(undefined);
    }
    expect((await leftovers(accountId)).filter((place) => place.includes('#NAME#')).length).toBeGreaterThan(0);
    expect((await settle(HOUR)).failures).toEqual([]);
    expect(await leftovers(accountId)).toEqual([]);
  });

  test('of a call whose answer is too large are never written', async () => {
    const { accountId, key } = await faulty.newAccount();
    const large = Array.from({ length: 12 }, (_, index) => index + 1_000);
    const Body = 'x'.repeat(48_000);
    for (const id of large)
      await faulty.sound.putMany([
        contactItem(accountId, id, { NotePages: 12, Name: 'Large', Email: `large${id}@example.com` }),
        ...Array.from({ length: 12 }, (_, page) => ({
          ...layout.contactNotes.key({ account: accountId, id, page: page + 1 }),
          Notes: [{ Id: id * 100 + page, Title: '', Body }],
        })),
      ]);
    const before = (await itemsOf(accountId)).length;
    const Matches = [
      ...large.map((Id) => ({ Id, FlashMessage: 'x' })),
      ...Array.from({ length: 13 }, (_, index) => ({ Name: 'Victimxq Person', Email: `v${index}@example.com` })),
    ];
    const { status, body } = await invoke('contacts/addupdate', { Matches }, { key });
    expect([status, body['Message']]).toEqual([413, expect.stringContaining('Nothing was changed')]);
    const isWritten = ({ PK }: Item) => PK.includes('#NAME#') || PK.includes('#PENDINGENTRIES#');
    expect((await itemsOf(accountId)).filter(isWritten)).toEqual([]);
    // The id lease.
    expect((await itemsOf(accountId)).length - before).toBeLessThanOrEqual(1);
  });

  test('that cannot be compared in an hour are a failure of that run, behind which the rules are applied', async () => {
    faulty.line.fail(() => 'errorBefore');
    const { removed, failures } = await settle();
    faulty.line.fail(undefined);
    expect([removed, failures.length]).toEqual([0, 1]);
  });

  test('of a refused call are gone when it is answered', async () => {
    const { accountId, key } = await faulty.newAccount();
    faulty.line.fail(faults.transactionsThrottled());
    const person = { Name: 'Victimxq Person', Address1: '5 Oak', Email: 'v@example.com' };
    // The SDK waits at random between its attempts. Long waits use up the time of the call: whether the transaction was
    // made is not known then, and the entries stay for the worker.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.2);
    const { status } = await invoke('contacts/addupdate', person, { key });
    random.mockRestore();
    expect(status).toBe(503);
    faulty.line.fail(undefined);
    expect((await leftovers(accountId)).filter((place) => !place.includes('PENDINGENTRIES'))).toEqual([]);
  });

  test('that an earlier version has left are found and removed by fs check, and by an erasure of the same name', async () => {
    const { accountId, key } = await faulty.newAccount();
    const person = { Name: 'Victimxq Person', Address1: '5 Oak', Email: 'v@example.com' };
    await invoke('contacts/addupdate', person, { key });
    const real = await itemsOf(accountId);
    // The same entries, of a contact that was never made, and of one that has another name by now.
    const orphans = real
      .filter(({ PK }) => PK.includes('#NAME#') || PK.includes('#ADDRESS#'))
      .map((item) => ({ ...item, Id: 77, SK: item.SK.replace('#0000000001#', '#0000000077#') }));
    const stale = real.filter(({ PK }) => PK.includes('#NAME#')).map((item) => ({ ...item, SK: `zz${item.SK}` }));
    await faulty.sound.putMany([...orphans, ...stale]);
    expect((await problems(accountId)).length).toBe(orphans.length + stale.length);
    expect((await problems(accountId, true)).length).toBe(orphans.length + stale.length);
    expect((await leftovers(accountId)).filter((place) => !place.includes('PENDINGENTRIES'))).toEqual([]);
    expect(await problems(accountId)).toEqual([]);
    await faulty.sound.putMany(orphans);
    const patient = openTable({ endpoint: faulty.line.endpoint });
    const options = { account: accountId, contactId: 1, files: undefined, discardedPrefix: '' };
    const { unfinished } = await eraseContact(accountStore(patient, options.account), {
      ...options,
      settleMilliseconds: 0,
      patience: 1_000,
    });
    // Nothing delivers events here.
    expect(unfinished).toEqual([expect.stringContaining('event queue')]);
    const left = (await itemsOf(accountId)).filter(({ PK }) => PK.includes('#NAME#') || PK.includes('#ADDRESS#'));
    expect(left).toEqual([]);
  });
});
