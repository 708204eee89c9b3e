import { describe, expect, test } from 'vitest';
import {
  type Field,
  anyValue,
  word,
  date,
  moment,
  decimal,
  dictionary,
  double,
  flag,
  id,
  int32,
  list,
  month,
  nested,
  nullable,
  required,
  resource,
  text,
  numbered,
  year,
} from '../../lib/resources/fields.ts';

const Sized = resource('Sized', () => ({ Name: required(text(3)), Size: nullable(int32(0, 9)) }));

/** The result of a request with `value`. */
const parse = (of: Field, value: unknown) =>
  resource('Probe', () => ({ Value: of }))
    .input()
    .safeParse({ Value: value });

const rows: [string, () => Field, readonly unknown[], readonly unknown[]][] = [
  ['text', () => text(3), ['', 'abc', '𝒳a'], ['abcd', 'a\0', '\ud800', 1, [], {}, true]],
  ['int32', () => int32(), [0, -(2 ** 31), 2 ** 31 - 1], [2 ** 31, -(2 ** 31) - 1, 1.5, '1', true, Infinity, NaN]],
  ['int32 with bounds', () => int32(0, 6), [0, 6], [-1, 7]],
  ['id', () => id(), [1, 2 ** 31 - 1], [-1, 2 ** 31, '7', 1.5]],
  ['year', () => year(), [1900, 2026], [26, 10_000]],
  ['month', () => month(), [1, 12], [13, -1]],
  ['decimal', () => decimal(), [0, -0.0001, 19.99, 0.1, 1e15], [0.00001, 1e15 + 1, Infinity, '1', 0.1 + 0.2]],
  ['double', () => double(), [0, 0.1 + 0.2, -1e15, 1e-15], [1e16, 1e-200, 1e200, Infinity, '1']],
  ['flag', () => flag(), [true, false], [0, 1, 'true']],
  ['moment', () => moment(), ['2026-03-08'], ['x'.repeat(65), 0, 1]],
  ['date', () => date(), ['2026-3-8'], ['x'.repeat(65), 1]],
  ['word', () => word(['Small', 'Large']), ['Large'], [1, 'Medium']],
  ['list', () => list(id(), 2), [[], [1, 2]], [[0], [1, 2, 3], [null], 1, {}]],
  [
    'anyValue',
    () => anyValue(),
    ['', 'a', 0, 1.5, false, ['a']],
    [{}, [1], '\ud800', 1e200, ['\0'], 'x'.repeat(10_001)],
  ],
  [
    'dictionary',
    () => dictionary(),
    [{}, { a: 'b', c: 1, d: true, e: null }],
    [[], { '': 1 }, { a: {} }, { a: '\0' }, { '\ud800': 1 }, 'a', { constructor: 1 }, JSON.parse('{"__proto__":1}')],
  ],
  [
    'nested',
    () => nested(Sized),
    [{ Name: 'a' }, { Name: 'a', Size: 9 }],
    [{}, { Name: '' }, { Name: 'a', Sise: 1 }, [], 'a'],
  ],
];

describe.each(rows)('%s', (_, of, good, bad) => {
  test.each(good.map((value) => [value]))('accepts %j unchanged', (value) => {
    expect(parse(of(), value)).toEqual({ success: true, data: { Value: value } });
  });

  test.each(bad.map((value) => [value]))('rejects %j', (value) => {
    expect(parse(of(), value).success).toBe(false);
  });
});

test('a word may be sent in any case, or as its index', () => {
  const size = numbered(['Small', 'Large']);
  expect(parse(size, 1).data).toEqual({ Value: 'Large' });
  expect(parse(size, 0).data).toEqual({ Value: 'Small' });
  expect(parse(size, ' lARGE').data).toEqual({ Value: 'Large' });
  expect(parse(size, 'medium').success).toBe(false);
  expect(parse(size, 2).success).toBe(false);
});

test('an empty text, null or nothing is missing in a required field, and "not given" in others', () => {
  expect(Sized.input().safeParse({ Size: 1 }).success).toBe(false);
  expect(Sized.input().safeParse({ Name: null }).success).toBe(false);
  expect(Sized.input().safeParse({ Name: 'a', Size: '' }).data).toEqual({ Name: 'a', Size: undefined });
  expect(parse(required(id()), 0).success).toBe(false);
});
