import { expect, test } from 'vitest';
import { compactBook, countItems, expandBook, fieldsRead, sortLines } from '../../../lib/domain/proposals/record.ts';
import { resolveNewReference, resolveReference } from '../../../lib/domain/proposals/references.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { band, part, partsOf, service, tier } from '../../support/pricing.ts';

const book = {
  service: service({
    BasePrice: 12.5,
    PricingBands: [band(0, null, 4, { Formula: 'unit * lawnarea' })],
    BasePriceOverrideCustomFieldId: 3,
  }),
  parts: partsOf(
    {
      UnitPrice: 7,
      QtyPricing: [tier(0, null, 2, { Formula: 'max(height, 2)' })],
      PartCategory: { Id: 1, Name: 'One' },
    },
    {},
  ),
  templates: new Map([[5, { Id: 5, OptionName: 'Bronze', Selected: true }]]),
  fields: [{ Id: 3, Shortcode: 'visit', Value: 80 }],
};

test('a book is stored without blank values and expands to the same book, except for versions', () => {
  expect(expandBook(compactBook(book))).toEqual(book);
  expect(compactBook({ ...book, service: { ...book.service, V: 17 } })).toEqual(compactBook(book));
  expect(compactBook(book).Parts[1]).toEqual({ Id: 2, Name: 'Part 2' });
});

test('the fields read are those of overrides, by id, and of formulas, by whole shortcode', () => {
  const fields = [
    { Id: 1, Shortcode: 'lawnarea' },
    { Id: 2, Shortcode: 'lawn' },
    { Id: 3, Shortcode: '' },
    { Id: 4, Shortcode: 'height' },
    { Id: 5, Shortcode: 'width' },
  ] as CustomField[];
  expect(fieldsRead(book, fields).map(({ Id }) => Id)).toEqual([1, 3, 4]);
});

test('items are counted at every level, and not for assemblies that are expanded already', () => {
  const parts = new Map([
    [
      1,
      part(1, {
        AssemblyItems: [
          { PartId: 2, Quantity: 1 },
          { PartId: 3, Quantity: 1 },
        ],
      }),
    ],
    [2, part(2, { AssemblyItems: [{ PartId: 3, Quantity: 1 }] })],
    [3, part(3)],
  ]);
  const line = (Id: number, PartId: number, AssemblyLineId: number | null = null) => ({ Id, PartId, AssemblyLineId });
  expect(countItems([line(1, 1), line(2, 2), line(3, 3)], parts)).toBe(4);
  expect(countItems([line(1, 1), line(2, 2, 1), line(3, 3, 1)], parts)).toBe(1);
});

test('counting ends for parts that contain themselves', () => {
  const parts = new Map([
    [1, part(1, { AssemblyItems: Array.from({ length: 30 }, () => ({ PartId: 1, Quantity: 1 })) })],
  ]);
  expect(countItems([{ Id: 1, PartId: 1, AssemblyLineId: null }], parts)).toBe(2_000);
});

test('lines are sorted by SortIndex, equal ones in the given order, items behind their assembly', () => {
  const line = (Id: number, SortIndex: number, AssemblyLineId: number | null = null) => ({
    Id,
    SortIndex,
    AssemblyLineId,
  });
  const ids = (lines: ReturnType<typeof line>[]) => sortLines(lines).map(({ Id }) => Id);
  expect(ids([line(1, 2), line(2, 1), line(3, 1), line(4, 9, 1), line(5, 0, 4), line(6, 3, 77)])).toEqual([
    2, 3, 1, 4, 5, 6,
  ]);
  expect(ids([line(1, 0, 2), line(2, 0, 1), line(3, 0)])).toEqual([3, 1, 2]);
});

test.each([
  [{ Id: 3, Name: 'state' }, {}],
  [{ Id: 3 }, {}],
  [{ Id: 0, Name: '' }, {}],
  [{ Id: 4, Name: 'State' }, { id: 4 }],
  [{ Id: 3, Name: ' City ' }, { name: 'City' }],
  [
    { Id: 4, Name: 'City' },
    { id: 4, name: 'City' },
  ],
])('with 3 State as current, %j refers to %j', (input, expected) => {
  expect(resolveNewReference(input, { Id: 3, Name: 'State' })).toEqual(expected);
});

test('an Id and a Name of two records are invalid, and so is an unknown record', () => {
  const records = [
    { Id: 3, Name: 'State' },
    { Id: 4, Name: 'City' },
  ];
  expect(resolveReference({ Id: 4, Name: 'city' }, null, records, 'rate')).toEqual({
    kind: 'found',
    record: records[1],
  });
  expect(resolveReference({ Id: 4, Name: 'State' }, null, records, 'rate')).toMatchObject({
    kind: 'invalid',
    error: { field: 'Name', code: 'mismatch' },
  });
  const unknown = (field: string) => ({ kind: 'invalid', error: { field, code: 'not_found' } });
  expect(resolveReference({ Id: 5 }, null, records, 'rate')).toMatchObject(unknown('Id'));
  expect(resolveReference({ Name: 'Town' }, null, records, 'rate')).toMatchObject(unknown('Name'));
});
