import { describe, expect, test } from 'vitest';
import type { Context, Need } from '../../lib/api/context.ts';
import { named } from '../../lib/api/group.ts';
import { type Access, operation } from '../../lib/api/operation.ts';
import { runOperation } from '../../lib/api/perform.ts';
import { int32, many, resource, text } from '../../lib/resources/fields.ts';
import { checkListBytes } from '../../lib/store/dynamodb/records.ts';

const Row = resource('Row', () => ({ Id: int32(), Content: text(10_000_000) }));
const rowsOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, row) => ({ Id: row, Content: 'x'.repeat(bytes) }));

const fields = {
  title: 'List rows',
  summary: 'Lists rows.',
  needs: [],
  response: () => ({ Count: int32(0), Rows: many(Row) }),
  example: {},
};

/** Pages of a list of rows, which is read as a repository reads one. */
const pages = (rows: number, bytes: number) =>
  named(
    operation({
      ...fields,
      access: 'read',
      request: () => ({ Skip: int32(0), Take: int32(1, 500) }),
      async run({ Skip, Take }) {
        const size = Math.min(Take ?? 100, rows - (Skip ?? 0));
        if (size > 100) checkListBytes(size, bytes);
        return { Count: rows, Rows: rowsOf(size, bytes) };
      },
    }),
    'test/rows',
  );

const whole = (access: Access, ifTooLarge?: string) =>
  named(
    operation({
      ...fields,
      access,
      ...(ifTooLarge ? { ifTooLarge } : {}),
      async run() {
        return { Count: 2, Rows: rowsOf(2, 4_000_000) };
      },
    }),
    'test/rows',
  );

const run = async (list: ReturnType<typeof named>, request: object) => {
  const { body, nextSkip } = await runOperation(list, request, {} as Context<Need>);
  return { rows: (JSON.parse(body) as { Rows: unknown[] }).Rows.length, nextSkip };
};

describe('an answer that would exceed 6 MB is 413', () => {
  test('and says which Take fits, which does', async () => {
    const list = pages(120, 90_000);
    const message = 'The answer would exceed 6 MB. Ask for at most 69 records with Take.';
    await expect(run(list, { Take: 100 })).rejects.toMatchObject({ code: 'response_too_large', message });
    expect(await run(list, { Take: 69 })).toEqual({ rows: 69, nextSkip: 69 });
    expect(await run(list, { Take: 69, Skip: 69 })).toEqual({ rows: 51, nextSkip: undefined });
  });

  test('before more than 16 MB of records are read', async () => {
    const message = 'The answer would exceed 6 MB. Ask for at most 32 records with Take.';
    await expect(run(pages(500, 190_000), { Take: 500 })).rejects.toMatchObject({ message });
    expect(await run(pages(500, 190_000), { Take: 32 })).toEqual({ rows: 32, nextSkip: 32 });
  });

  test('and says what else lists less where it has no pages, or one record does not fit', async () => {
    const call = (list: ReturnType<typeof named>, request = {}) => run(list, request).catch(({ message }) => message);
    expect([
      await call(pages(3, 3_500_000), { Take: 3 }),
      await call(pages(3, 6_400_000), { Take: 1 }),
      await call(whole('read')),
      await call(whole('read', 'Name one by Id.')),
      await call(whole('write')),
    ]).toEqual([
      'The answer would exceed 6 MB. Ask for at most 1 record with Take.',
      'The answer would exceed 6 MB. Ask for less.',
      'The answer would exceed 6 MB. Ask for less.',
      'The answer would exceed 6 MB. Name one by Id.',
      'The answer would exceed 6 MB. Nothing was changed. Send fewer records.',
    ]);
  });
});
