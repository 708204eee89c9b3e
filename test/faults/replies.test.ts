import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapWithConcurrency } from '../../lib/shared/promises.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';
import { parseKey } from '../../lib/store/requests/api-keys.ts';
import { each } from '../support/faults/failing-lines.ts';
import { type Fault, atRandom, errors, missedErrors, silences } from '../support/faults/faulty-engine.ts';
import { startDeafServer } from '../support/faults/deaf-server.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { TableClock } from '../support/faults/table-clock.ts';
import { expectFindable } from '../support/oracles/findable.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type Mutation, holdingsOf, prepare, someMutations } from '../support/oracles/mutations.ts';

let faulty: FaultyTable;
beforeAll(async () => {
  faulty = await startFaultyTable();
});
afterAll(() => faulty.stop());

const AT_ONCE = 12;
const MAX_REPEATS = 20;

interface Outcome {
  readonly mutation: Mutation;
  readonly status: number;
  readonly message: unknown;
}

/** Calls like a careful client: with an Idempotency-Key it repeats a 503. */
async function callCarefully(key: string, mutation: Mutation): Promise<Outcome> {
  const { idempotencyKey } = mutation;
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
  for (let repeat = 0; ; repeat++) {
    const { status, body } = await invoke(mutation.operation, mutation.body, { key, headers });
    if (status !== 503 || !idempotencyKey || repeat === MAX_REPEATS)
      return { mutation, status, message: body['Message'] };
  }
}

async function callAll(key: string, mutations: readonly Mutation[]): Promise<Outcome[]> {
  return mapWithConcurrency(mutations, AT_ONCE, (mutation) => callCarefully(key, mutation));
}

/** `npm run prove -- random`: here each of these is among some of each. */
const alone = [
  { name: 'a tenth of errors before the commit', shares: each(0.1, 'errorBefore') },
  { name: 'a tenth of errors after the commit', shares: each(0.1, 'errorAfter') },
  { name: 'a tenth of requests throttled', shares: each(0.1, 'throttled') },
  {
    name: 'a tenth of transactions in conflict and of batches done in part',
    shares: each(0.1, 'conflict', 'unprocessed'),
  },
];
const lines = [
  { name: 'a tenth of replies lost after the commit', shares: each(0.1, 'lostReply') },
  // A call of 25 contacts makes dozens of requests: a larger share would fail nearly every call.
  { name: 'some of each', shares: each(0.03, ...errors) },
  ...(process.env['FINDABLE_EVERY'] ? alone : []),
];

const SEED = Number(process.env['FAULT_SEED'] ?? 11);
/** Each line searches by a twelfth of the words, another one than the line before; FINDABLE_EVERY=1 by all. */
const FINDABLE_EVERY = Number(process.env['FINDABLE_EVERY'] ?? 12);

test.each(lines.map((line, index) => ({ ...line, seed: SEED + index })))(
  'with $name no effect is lost, repeated or wrongly rejected (seed $seed)',
  async ({ shares, seed }) => {
    const { accountId, key } = await faulty.newAccount();
    const mutations = someMutations(await prepare(key));
    faulty.line.fail(atRandom(seed, shares));
    const outcomes = await callAll(key, mutations);
    faulty.line.fail(undefined);
    expect(missedErrors(faulty.line, shares)).toEqual([]);

    const holdings = await holdingsOf(faulty.sound, accountId);
    const wrong = outcomes.filter(({ mutation, status }) => {
      const repeatable = mutation.idempotencyKey !== undefined;
      const [effects = 0, ...others] = mutation.made(holdings);
      const complete = others.every((count) => count === effects);
      return !complete || (status === 200 ? effects !== 1 : status !== 503 || repeatable || effects > 1);
    });
    expect(
      wrong.map(({ mutation, ...outcome }) => ({ ...outcome, ...mutation, made: mutation.made(holdings) })),
    ).toEqual([]);

    const ids = new Map(holdings.tags.map(({ Id, Name }) => [Name, Id]));
    expect(
      holdings.contacts.flatMap(({ Tags }) => Tags).filter(({ Id, Name }) => ids.get(Name) !== Id),
      'tags that do not exist',
    ).toEqual([]);
    const former = holdings.contacts.flatMap(({ Company }) =>
      Company.startsWith('After') ? [{ NameSearch: Company.replace('After', 'before') }] : [],
    );
    await expectFindable(key, holdings.contacts, former, { every: FINDABLE_EVERY, offset: seed });
  },
);

describe('a server that stops answering', () => {
  const WITHIN = 8_000;
  const lines = new Map<string, (operation: string) => Fault | undefined>();
  let clock: TableClock;
  beforeAll(() => {
    faulty.line.fail((operation, body) => [...lines].find(([part]) => body.includes(part))?.[1](operation));
    clock = new TableClock(faulty.sound);
  });
  afterAll(() => {
    faulty.line.fail(undefined);
    return clock.stop();
  });

  const timed = async (key: string, operation: string, body: object, idempotencyKey?: string) => {
    const start = clock.now;
    const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
    const answer = await invoke(operation, body, { key, headers });
    return { ...answer, milliseconds: clock.now - start };
  };
  const contact = { Name: 'Ana Ruiz', Email: 'ana@example.com', Phone: '(217) 555-0101' };
  const firstNote = { ContactId: 1, Note: { Body: 'Called.' } };
  const note = { ContactId: 1, Note: { Body: 'Called back.' } };
  const isRepeated = ({ Body }: { Body: string }): boolean => Body === note.Note.Body;
  /** Once done, the account has this contact, or this note on it. */
  const writes = [
    { name: 'a transaction', operation: 'contacts/addupdate', body: contact, requests: /^TransactWriteItems$/ },
    { name: 'a single put', operation: 'contacts/addnote', body: note, requests: /^PutItem$/ },
  ];

  /** Whether an account has what a call needs; on a busy machine the table may be too late for that. */
  async function isPrepared(key: string, operation: string): Promise<boolean> {
    const calls: [operation: string, body: object][] = [
      ['contacts/addupdate', contact],
      // The first note of a contact is a transaction, which also enters its age; later ones are single puts.
      [operation, firstNote],
    ];
    // The key is known to the container from now on.
    const known: (typeof calls)[number] = ['contacts/locate', { IdSearch: 1 }];
    for (const [name, body] of operation === 'contacts/addnote' ? [...calls, known] : [known]) {
      const { status } = await invoke(name, body, { key });
      // Creation that is repeated may give the contact another id.
      if (status === 503 || status === 404) return false;
      expect([name, status]).toEqual([name, 200]);
    }
    return true;
  }

  async function prepared(operation: string) {
    let account = await faulty.newAccount();
    while (!(await isPrepared(account.key, operation))) account = await faulty.newAccount();
    const effects = async () => {
      const { contacts } = await holdingsOf(faulty.sound, account.accountId);
      return operation === 'contacts/addnote'
        ? contacts.flatMap(({ Notes }) => Notes).filter(isRepeated).length
        : contacts.length;
    };
    return { ...account, effects };
  }

  test.concurrent.each(silences)('before the key is read: 503 within 8 s (%s)', async (error) => {
    const { key } = await faulty.newAccount();
    lines.set(parseKey(key)?.publicPart ?? '', () => error);
    const { status, body, milliseconds } = await timed(key, 'contacts/locate', { IdSearch: 1 });
    expect([status, body['Code']]).toEqual([503, 'unavailable']);
    expect(milliseconds).toBeLessThan(WITHIN);
  });

  test.concurrent.each(silences.flatMap((error) => writes.map((write) => ({ ...write, error }))))(
    'during $name: 503 within 8 s, and a repeat with the Idempotency-Key finds it done once ($error)',
    async ({ error, operation, body }) => {
      const { accountId, key, effects } = await prepared(operation);
      lines.set(accountId, (request) => (/^(Put|TransactWrite)/.test(request) ? error : undefined));
      const first = await timed(key, operation, body, 'once');
      expect([first.status, first.milliseconds < WITHIN]).toEqual([503, true]);
      lines.delete(accountId);
      const again = await timed(key, operation, body, 'once');
      expect([again.status, await effects()]).toEqual([200, 1]);
    },
  );

  test.concurrent.each(silences.flatMap((error) => writes.map((write) => ({ ...write, error }))))(
    'once, at $name: it is repeated and found done, once ($error)',
    async ({ error, operation, body, requests }) => {
      const { accountId, key, effects } = await prepared(operation);
      let times = 0;
      lines.set(accountId, (request) => (requests.test(request) && ++times === 1 ? error : undefined));
      const { status, milliseconds } = await timed(key, operation, body);
      expect([times > 0, status, milliseconds < WITHIN]).toEqual([true, error === 'trickling' ? 503 : 200, true]);
      expect(await effects()).toBe(1);
    },
  );

  test.concurrent('again and again in one call: its rounds share the time', async () => {
    const { accountId, key } = await prepared('contacts/addnote');
    const tries = new Map<string, number>();
    lines.set(accountId, (request) => {
      tries.set(request, (tries.get(request) ?? 0) + 1);
      return request === 'PutItem' || tries.get(request) === 1 ? 'unanswered' : undefined;
    });
    const { status, milliseconds } = await timed(key, 'contacts/addnote', note);
    expect([status, milliseconds < WITHIN]).toEqual([503, true]);
  });

  test.concurrent('before the connection is made: 503 within 8 s', async () => {
    const deaf = await startDeafServer();
    try {
      const start = clock.now;
      await expect(openTable({ endpoint: deaf.endpoint }).get({ PK: 'A#1', SK: 'ITEM' })).rejects.toThrow(
        StoreUnavailable,
      );
      expect(clock.now - start).toBeLessThan(WITHIN);
    } finally {
      deaf.stop();
    }
  });
});
