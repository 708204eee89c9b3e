import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { failureStatuses } from '../../lib/api/openapi/failures.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { expectOrderly } from '../support/failed.ts';
import {
  largeTexts,
  malformedTexts,
  manyFields,
  nastyBodies,
  nastyTexts,
  oddHeaders,
} from '../support/random/nasty.ts';
import { sampled } from '../support/sampled.ts';
import { type TestAccount, testAccount } from '../support/stack/stack.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);
const firstOperations = sampled(
  groups.flatMap(({ operations: [first] }) => (first ? [[first.name, first] as const] : [])),
);

/** Bodies per operation. Every run has another seed; BAD_INPUT_RUNS=1000 searches longer. */
const RUNS = Number(process.env['BAD_INPUT_RUNS'] ?? 2);
const knownField = (operation: Operation): string => Object.keys(operation.request())[0] ?? 'Message';

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
  const { status } = await account.call('contacts/addupdate', { Name: 'José García', Phone: '(217) 555-0143' });
  if (status !== 200) throw new Error(`contacts/addupdate answers ${status}.`);
});

/** Expects success or a documented failure. */
async function expectDocumented(operation: Operation, body: unknown): Promise<void> {
  const answer = await account.call(operation.name, body);
  expectOrderly(answer);
  expect([200, ...failureStatuses(operation)]).toContain(answer.status);
  if (answer.status !== 200) expect(answer.text.length).toBeLessThan(50_000);
}

describe.each(operations)('%s with bad input', (name, operation) => {
  test('nearly valid bodies never cause an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(nastyBodies(operation), (body) => expectDocumented(operation, body)),
      { numRuns: RUNS },
    );
  });

  test('arbitrary JSON never causes an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ noUnicodeString: false, maxDepth: 6 }), async (text) =>
        expectOrderly(await account.call(name, text)),
      ),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });

  const place = operations.findIndex(([each]) => each === name);
  test.each(sampled(nastyTexts(knownField(operation)), place))('%s', (_, body) => expectDocumented(operation, body));
});

// The pipeline rejects these before an operation runs: once a group.
describe.each(firstOperations)('the pipeline with bad input, tried with %s', (name, operation) => {
  test.each(malformedTexts)('%s is 400', async (_, body) => {
    const answer = await account.call(name, body);
    expectOrderly(answer);
    expect(answer.status).toBe(400);
  });

  test.each(oddHeaders(firstOperations.findIndex(([first]) => first === name)))(
    'an odd header %s',
    async (header, value) =>
      expectOrderly(await account.call(name, operation.example, { headers: { [header]: value } })),
  );

  test('10,000 unknown fields', () => expectDocumented(operation, manyFields(10_000)));
});

// The gateway and the pipeline refuse these by their size alone.
describe.each(firstOperations.slice(0, 2))('bodies of megabytes, tried with %s', (_name, operation) => {
  test.each(largeTexts(knownField(operation)))('%s', (_, body) => expectDocumented(operation, body));
});

test('no input has polluted the prototype of objects', () => {
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

describe('unknown paths', () => {
  test.each([
    '',
    '/',
    'contacts',
    'contacts/',
    'contacts//locate',
    'contacts/locate/',
    'contacts/locate/1',
    'contacts/%2e%2e/test',
    'contacts/__proto__',
    'contacts/constructor',
    'contacts/%00',
    'contacts/%ff',
    'contacts/%',
    `contacts/${'x'.repeat(3_000)}`,
    'nothing/at-all',
    '%2F%2F',
    'contacts/LOCATE',
  ])('%s is 404', async (path) => {
    const answer = await account.call(path, {});
    expectOrderly(answer);
    expect(answer.status).toBe(404);
    expect(answer.text.length).toBeLessThan(2_000);
  });
});
