import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { codesOf } from '../../lib/api/document/failures.ts';
import { expectOrderly } from '../support/failed.ts';
import { nastyBodies, nastyTexts } from '../support/nasty.ts';
import { testAccount, type TestAccount } from '../support/stack.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);

/** Bodies an operation; every run has another seed, and BAD_INPUT_RUNS=1000 searches longer. */
const RUNS = Number(process.env['BAD_INPUT_RUNS'] ?? 60);

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
  await account.call('contacts/addupdate', { Name: 'José García', Phone: '(217) 555-0143' });
});

describe.each(operations)('%s, whatever it is sent', (name, operation) => {
  const codes = [200, ...codesOf(operation)];

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
      { numRuns: RUNS / 4 },
    );
  });

  test.each(nastyTexts(Object.keys(operation.request())[0] ?? 'Message'))('%s', async (_, body) => {
    const answer = await account.call(name, body);
    expectOrderly(answer);
    expect(codes).toContain(answer.status);
    if (answer.status !== 200) expect(answer.text.length).toBeLessThan(50_000);
  });

  test.each(['idempotency-key', 'x-forwarded-for', 'content-type', 'content-encoding', 'accept'])(
    'an odd header %s',
    async (header) => {
      for (const value of ['x'.repeat(300), 'a,b;c="', '%00', '-1', 'multipart/form-data; boundary=', '']) {
        expectOrderly(await account.call(name, operation.example, { headers: { [header]: value } }));
      }
    },
  );
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
