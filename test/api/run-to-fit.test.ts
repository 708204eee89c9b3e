import { describe, expect, test } from 'vitest';
import type { Context, Need } from '../../lib/api/context.ts';
import { named } from '../../lib/api/pipeline.ts';
import { operation } from '../../lib/api/operation.ts';
import { runToFit } from '../../lib/api/perform.ts';
import { int32, many, resource, text } from '../../lib/resources/fields.ts';
import { checkListBytes } from '../../lib/store/dynamodb/records.ts';

const Row = resource('Row', () => ({ Id: int32(), Content: text(1_000_000) }));

/** A list of so many rows of so many bytes, which is read as a repository reads one. */
const rowList = (rows: number, bytes: number) => {
  const sizes: number[] = [];
  const list = operation({
    title: 'List rows',
    summary: 'Lists rows.',
    access: 'read',
    needs: [],
    request: () => ({ Skip: int32(0), Take: int32(1, 500) }),
    response: () => ({ Count: int32(0), Rows: many(Row) }),
    example: {},
    async run({ Skip, Take }) {
      const [skip, take] = [Skip ?? 0, Take ?? 100];
      const size = Math.min(take, rows - skip);
      sizes.push(size);
      if (size > 100) checkListBytes(size, bytes);
      const Rows = Array.from({ length: size }, (_, row) => ({ Id: skip + row, Content: 'x'.repeat(bytes) }));
      return { Count: rows, Rows };
    },
  });
  return { list: named(list, 'test/rows'), sizes };
};

const context = {} as Context<Need>;

interface Answer {
  readonly Count: number;
  readonly Rows: readonly { readonly Id: number }[];
  readonly Message: string;
}

describe('an answer that would exceed 6 MB', () => {
  test('holds as many records as fit; 120 of 190 KB are not read at once', async () => {
    const { list, sizes } = rowList(120, 190_000);
    const ids: number[] = [];
    let pages = 0;
    for (let Skip = 0; Skip < 120;) {
      const { body, nextSkip } = await runToFit(list, { Skip, Take: 500 }, context);
      const { Count, Rows, Message } = JSON.parse(body) as Answer;
      ids.push(...Rows.map(({ Id }) => Id));
      Skip += Rows.length;
      expect(nextSkip).toBe(Skip < 120 ? Skip : undefined);
      pages++;
      expect(Count).toBe(120);
      expect(Message).toBe(
        Skip < 120 ? `The answer holds ${Rows.length} of 120 matches (6 MB). Continue with Skip ${Skip}.` : '',
      );
    }
    expect(ids).toEqual(Array.from({ length: 120 }, (_, id) => id));
    expect(pages).toBe(Math.ceil(120 / 32));
    expect(sizes.slice(0, 2)).toEqual([120, 32]);
  });

  test('is 413 where one record does not fit', async () => {
    await expect(runToFit(rowList(3, 6_400_000).list, { Take: 3 }, context)).rejects.toMatchObject({
      code: 'response_too_large',
    });
  });
});
