import { expect, test } from 'vitest';
import { group } from '../../lib/api/pipeline.ts';
import { operation } from '../../lib/api/operation.ts';

const definition = {
  title: 'Answer nothing',
  summary: 'Answers nothing.',
  access: 'read',
  request: () => ({}),
  response: () => ({}),
  example: {},
} as const;
const served = operation({ ...definition, needs: [], run: () => Promise.resolve({}) });
const draft = operation({ ...definition, needs: ['table:write'] });

test('what has no run() is no operation of its group, and its function gets no permission for it', () => {
  const { operations, needs } = group('test', 'Tests.', { served, draft });
  expect(operations.map(({ name }) => name)).toEqual(['test/served']);
  expect(needs).toEqual([]);
});
