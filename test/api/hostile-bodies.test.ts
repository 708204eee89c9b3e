import type { Context } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { groups } from '../../functions/index.ts';
import { nearest } from '../../lib/shared/text/suggestions.ts';
import { hostileBodies } from '../support/hostile-bodies.ts';
import { apiEvent } from '../support/stack/invoke.ts';

const operations = groups.flatMap(({ operations, handler }) =>
  operations.map((operation) => [operation.name, { operation, handler }] as const),
);

async function post(operation: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const handler = operations.find(([name]) => name === operation)?.[1].handler;
  const answer = await handler?.(apiEvent(operation, body, { headers }), {} as Context);
  return answer?.statusCode ?? 0;
}

beforeAll(() => {
  process.env['LOG_LEVEL'] = 'silent';
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a call without a valid key', () => {
  test.each(operations)('%s never parses a body', async (name) => {
    const parse = vi.spyOn(JSON, 'parse');
    const place = operations.findIndex(([operation]) => operation === name);
    // The pipeline is one for all: each operation gets another two of the bodies.
    const bodies = Object.values(hostileBodies).filter((_, index) => index % 6 === place % 6);
    for (const body of bodies) {
      expect([400, 401]).toContain(await post(name, body));
      expect(await post(name, body, { 'x-api-key': 'secret' })).toBe(401);
    }
    expect(parse).not.toHaveBeenCalled();
  });

  test('a body of more than 1 MB needs the key in the header', async () => {
    const long = JSON.stringify({ ApiKey: 'secret', Name: 'x'.repeat(1024 * 1024) });
    expect(await post('contacts/addupdate', long)).toBe(413);
    expect(await post('contacts/addupdate', long, { 'x-api-key': 'secret' })).toBe(401);
  });
});

test.each(operations)(
  '%s takes no more than its limit, 256 KB unless it states another',
  async (name, { operation }) => {
    const limit = operation.maxBody ?? 256 * 1024;
    const headers = { 'x-api-key': 'secret' };
    expect(await post(name, 'x'.repeat(limit), headers)).toBe(401);
    expect(await post(name, 'x'.repeat(limit + 1), headers)).toBe(413);
  },
);

test('looking for the nearest name costs nothing where the lengths differ too much', () => {
  const letters = Array.from({ length: 2_000 }, (_, index) => `a${index}`);
  expect(nearest('x'.repeat(64), letters)).toBeUndefined();
  expect(nearest('x'.repeat(65), letters)).toBeUndefined();
  expect(nearest('Emial', ['Name', 'Email'])).toBe('Email');
});
