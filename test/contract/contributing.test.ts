import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeBlocks } from '../support/documents/pages.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the operation that CONTRIBUTING shows is the one that is deployed', () => {
  const sample = codeBlocks(read('CONTRIBUTING.md')).find(({ text }) => text.startsWith('export const complete'));
  expect(read('functions/task/complete.ts')).toContain(sample?.text.trim() ?? 'no sample');
});
