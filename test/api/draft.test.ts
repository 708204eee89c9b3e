import { expect, test } from 'vitest';
import { group } from '../../lib/api/group.ts';
import { operation } from '../../lib/api/operation.ts';

const definition = {
  title: 'Answer nothing',
  summary: 'Answers nothing.',
  access: 'read',
  request: () => ({}),
  response: () => ({}),
  example: {},
  run: () => Promise.reject(new Error('to be written')),
} as const;
const served = operation({ ...definition, name: 'test/served', needs: [] });
const draft = operation({ ...definition, name: 'test/draft', needs: ['table:write'], draft: true });

test('a draft is no operation of its group, and its function gets no permission for it', () => {
  const { operations, needs } = group('test', 'Tests.', [served, draft]);
  expect(operations.map(({ name }) => name)).toEqual(['test/served']);
  expect(needs).toEqual([]);
});
