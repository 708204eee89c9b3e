import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { failureCodes } from '../../lib/api/openapi/failures.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { expectOrderly } from '../support/failed.ts';
import { largeTexts, nastyBodies, nastyTexts, oddHeaders } from '../support/nasty.ts';
import { type TestAccount, testAccount } from '../support/stack.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);
const firsts = groups.flatMap(({ operations: [first] }) => (first ? [[first.name, first] as const] : []));

/** Bodies an operation; every run has another seed, and BAD_INPUT_RUNS=1000 searches longer. */
const RUNS = Number(process.env['BAD_INPUT_RUNS'] ?? 16);
const knownField = (operation: Operation): string => Object.keys(operation.request())[0] ?? 'Message';

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
  await account.call('contacts/addupdate', { Name: 'José García', Phone: '(217) 555-0143' });
});

/** Sends a body that is an orderly failure of those documented, or no failure at all. */
async function expectAnswered(operation: Operation, body: string | Uint8Array): Promise<void> {
  const answer = await account.call(operation.name, body);
  expectOrderly(answer);
  expect([200, ...failureCodes(operation)]).toContain(answer.status);
  if (answer.status !== 200) expect(answer.text.length).toBeLessThan(50_000);
}

describe.each(operations)('%s, whatever it is sent', (name, operation) => {
  const codes = [200, ...failureCodes(operation)];

  test('bodies that are nearly right never become a fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(nastyBodies(operation), async (body) => {
        const answer = await account.call(name, body);
        expectOrderly(answer);
        expect(codes).toContain(answer.status);
      }),
      { numRuns: RUNS },
    );
  });

  test('arbitrary JSON never becomes a fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ noUnicodeString: false, maxDepth: 6 }), async (text) =>
        expectOrderly(await account.call(name, text)),
      ),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });

  test.each(nastyTexts(knownField(operation)))('%s', (_, body) => expectAnswered(operation, body));

  // What no operation reads: each meets some of it, and every one of it many.
  test.each(oddHeaders(operations.findIndex(([of]) => of === name)))('an odd header %s', async (header, value) =>
    expectOrderly(await account.call(name, operation.example, { headers: { [header]: value } })),
  );
});

// Refused by size and form before any operation has a part in it, by the one handler of the group.
describe.each(firsts)('%s, whatever the size of what it is sent', (_, operation) => {
  test.each(largeTexts(knownField(operation)))('%s', (_, body) => expectAnswered(operation, body));
});

test('nothing of what was sent has changed what objects are', () => {
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

describe('paths that nobody serves', () => {
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
  ])('%s', async (path) => {
    const answer = await account.call(path, {});
    expectOrderly(answer);
    expect(answer.status).toBe(404);
    expect(answer.text.length).toBeLessThan(2_000);
  });
});
