import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { taskEntity } from '../../lib/entities/tasks.ts';
import { table } from '../../infra/table.ts';
import {
  type IndexedRecord,
  idInOrderKey,
  indexKeys,
  indexRanges,
  isDated,
  orderKeyIn,
} from '../../lib/store/indexes.ts';
import { indexLayout, momentKey } from '../../lib/store/keys.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/data-model.md'), 'utf8').replaceAll(/ +/g, ' ');
const moment = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2201, 0) });
const id = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const indexed = (input: Partial<IndexedRecord> = {}): IndexedRecord => ({
  account: 'a',
  organization: 3,
  contact: 7,
  kind: taskEntity,
  date: 1,
  updated: 2,
  id: 9,
  open: false,
  facts: { type: 1 },
  ...input,
});

describe('the keys of the indexes', () => {
  test.each(Object.entries(indexLayout))(
    '%s stands in docs/data-model.md with its keys',
    (index, { entity, partition, sort }) => {
      expect(page).toContain(`| ${index} ${entity} | \`${partition}\` | \`${sort}\` |`);
    },
  );

  test('are those of the table, and begin with the account', () => {
    expect(Object.keys(indexLayout)).toEqual(table.indexes.map(({ name }) => name));
    const keys = indexKeys(indexed());
    const parts = table.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
    expect(Object.keys(keys).sort()).toEqual([...parts, 'F'].sort());
    for (const { partitionKey } of table.indexes) expect(keys[partitionKey]).toMatch(/^A#a#/);
  });

  test('leave out a missing contact', () => {
    expect(Object.keys(indexKeys(indexed({ contact: null }))).filter((name) => name.startsWith('GSI4'))).toEqual([]);
  });

  test('order records by date, then id, undated ones last, in every index', () => {
    const record = fc.record({ date: fc.option(moment), id, updated: moment });
    fc.assert(
      fc.property(record, record, (one, other) => {
        const place = (input: Partial<IndexedRecord>) =>
          ['GSI1SK', 'GSI2SK', 'GSI3SK', 'GSI4SK'].map((name) => orderKeyIn(indexKeys(indexed(input))[name] as string));
        const order = (one.date ?? Infinity) - (other.date ?? Infinity) || one.id - other.id;
        const first = Number.isNaN(order) ? one.id - other.id : order;
        for (const [index, mine] of place(one).entries())
          expect(mine < (place(other)[index] as string)).toBe(first < 0);
        expect(place(one).map(idInOrderKey)).toEqual(place(one).map(() => one.id));
      }),
    );
  });

  test('a span of dates holds the places within it, both ends included', () => {
    const end = fc.option(moment, { nil: undefined });
    fc.assert(
      fc.property(end, end, fc.option(moment), id, (from, through, date, of) => {
        const open = from === undefined && through === undefined;
        const within = date === null ? open : date >= (from ?? -Infinity) && date <= (through ?? Infinity);
        expect(isDated(orderKeyIn(indexKeys(indexed({ date, id: of }))['GSI1SK'] as string), { from, through })).toBe(
          within,
        );
      }),
    );
  });
});

describe('the index that is read', () => {
  const [now, day] = [Date.UTC(2026, 2, 8), 86_400_000];
  /** The index of each alternative, with the number of its ranges. */
  const request = (input: object) =>
    indexRanges({ account: 'a', organization: null, kind: 'Task', ...input }).map(
      (ranges) => `${ranges.length} ${ranges[0]?.index}`,
    );

  test.each([
    ['nothing', {}, ['8 GSI1']],
    ['open work', { open: true }, ['8 GSI3']],
    ['open work in an organization', { open: true, organization: 3 }, ['1 GSI3', '1 GSI2']],
    ['open work of dates', { open: true, date: { from: now } }, ['8 GSI3', '8 GSI1']],
    ['dates', { date: { from: now } }, ['8 GSI1']],
    ['dates in an organization', { date: { from: now }, organization: 3 }, ['1 GSI2']],
    ['changes since yesterday', { updated: { from: now - day } }, ['16 GSI3']],
    ['open work changed since yesterday', { updated: { from: now - day }, open: true }, ['8 GSI3']],
    [
      'changes since yesterday in an organization',
      { updated: { from: now - day }, organization: 3 },
      ['9 GSI3', '1 GSI2'],
    ],
    [
      'changes since yesterday of what is due from today on',
      { updated: { from: now - day }, date: { from: now } },
      ['16 GSI3', '8 GSI1'],
    ],
    [
      'changes since ever of what is due today',
      { updated: { from: 0 }, date: { from: now, through: now + day - 1 } },
      ['16 GSI3', '8 GSI1'],
    ],
    ['a contact, with both', { contacts: [7], updated: { from: now }, date: { from: now } }, ['1 GSI4']],
  ])('for %s', (_, input, expected) => {
    expect(request(input)).toEqual(expected);
  });

  test('shards by id: each record is in one range', () => {
    fc.assert(
      fc.property(id, fc.boolean(), (of, open) => {
        const { GSI1PK, GSI3PK } = indexKeys(indexed({ id: of, open }));
        const partitions = (input: object) =>
          indexRanges({ account: 'a', organization: null, kind: 'Task', ...input })
            .flat()
            .map(({ partition }) => partition);
        expect([
          partitions({}).filter((partition) => partition === GSI1PK).length,
          partitions({ updated: { from: now } }).filter((partition) => partition === GSI3PK).length,
        ]).toEqual([1, 1]);
      }),
    );
    expect(momentKey(Date.UTC(1900, 0)) < momentKey(0)).toBe(true);
  });
});
