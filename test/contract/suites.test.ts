import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resultsOf } from '../prove/suites.ts';

const root = join(import.meta.dirname, '..', '..');
const file = (name: string, status: string, tests: readonly [string, string][], message = '') => ({
  name: join(root, name),
  status,
  message,
  assertionResults: tests.map(([fullName, result]) => ({
    fullName,
    status: result,
    failureMessages: result === 'failed' ? ['Error: 1 is not 2\n    at one.test.ts:3'] : [],
  })),
});

it('a proof counts every test that ran, also those of one name in one file, and a file that does not load', () => {
  const { total, passed, failed } = resultsOf({
    testResults: [
      file('test/a.test.ts', 'failed', [
        ['adds', 'passed'],
        ['adds', 'passed'],
        ['divides', 'failed'],
        ['later', 'skipped'],
      ]),
      file('test/b.test.ts', 'passed', [['adds', 'passed']]),
      file('test/c.test.ts', 'failed', [], 'Error: no such module\n    at c.test.ts:1'),
    ],
  });
  expect(passed).toEqual(['test/a.test.ts: adds', 'test/a.test.ts: adds', 'test/b.test.ts: adds']);
  expect(failed).toEqual([
    { name: 'test/a.test.ts: divides', message: 'Error: 1 is not 2' },
    { name: 'test/c.test.ts', message: 'Error: no such module' },
  ]);
  expect(total).toBe(5);
});
