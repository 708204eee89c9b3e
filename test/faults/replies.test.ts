import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapWithConcurrency } from '../../lib/shared/concurrency.ts';
import { each } from '../support/failing-lines.ts';
import { atRandom, errors } from '../support/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../support/faulty-table.ts';
import { expectFindable } from '../support/findable.ts';
import { invoke } from '../support/invoke.ts';
import { type Mutation, holdingsOf, prepare, someMutations } from '../support/mutations.ts';

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

const lines = [
  { name: 'a tenth of replies lost after the commit', shares: each(0.1, 'lostReply') },
  { name: 'a tenth of errors before the commit', shares: each(0.1, 'errorBefore') },
  { name: 'a tenth of errors after the commit', shares: each(0.1, 'errorAfter') },
  { name: 'a tenth of requests throttled', shares: each(0.1, 'throttled') },
  {
    name: 'a tenth of transactions in conflict and of batches done in part',
    shares: each(0.1, 'conflict', 'unprocessed'),
  },
  // A call of 25 contacts makes dozens of requests: a larger share would fail nearly every call.
  { name: 'some of each', shares: each(0.03, ...errors) },
];

const SEED = Number(process.env['FAULT_SEED'] ?? 11);

test.each(lines.map((line, index) => ({ ...line, seed: SEED + index })))(
  'with $name no effect is lost, repeated or wrongly rejected (seed $seed)',
  async ({ shares, seed }) => {
    const { accountId, key } = await faulty.newAccount();
    const mutations = someMutations(await prepare(key));
    const before = { ...faulty.line.befallen };
    faulty.line.fail(atRandom(seed, shares));
    const outcomes = await callAll(key, mutations);
    faulty.line.fail(undefined);
    const befallen = errors.reduce((sum, kind) => sum + faulty.line.befallen[kind] - before[kind], 0);
    expect(befallen).toBeGreaterThan(5);

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
    await expectFindable(key, holdings.contacts, former);
  },
  60_000,
);
