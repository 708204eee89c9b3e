import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CustomFieldInput,
  customFieldsToResource,
  applyCustomFieldInputs,
} from '../../lib/domain/custom-fields.ts';
import { completeEntry } from '../../lib/domain/settings.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';

const options = [
  { Id: 1, Label: 'Small', Value: 'S' },
  { Id: 2, Label: 'Large', Value: 'L' },
  { Id: 3, Label: 'Other', Value: '' },
];
const define = (Id: number, Name: string, Type: number, more: Partial<CustomField> = {}): CustomField =>
  completeEntry('CustomField', { Id, Name, Shortcode: `code_${Id}`, Type, ...more });
const definitions = [
  define(1, 'Gate code', 0),
  define(2, 'Square feet', 1),
  define(3, 'Installed', 2),
  define(4, 'Has Dögs', 3),
  define(5, 'Size', 4, { Options: options }),
  define(6, 'Sizes', 5, { Options: options }),
  define(7, 'Directions', 6),
];
const merge = (input: CustomFieldInput[], values: { Id: number; Value: unknown }[] = []) =>
  applyCustomFieldInputs(values, input, definitions, 'US');

test.each<[CustomFieldInput]>([
  [{ Id: 4, Value: true }],
  [{ Shortcode: 'CODE_4', Value: true }],
  [{ Name: 'has dogs', Value: true }],
  [{ Id: 4, Name: 'anything', Shortcode: 'else', Value: true }],
])('%j names field 4', (input) => {
  expect(merge([input])).toEqual({ values: [{ Id: 4, Value: true }], errors: [] });
});

test.each<[CustomFieldInput]>([
  [{ Id: 99, Value: 1 }],
  [{ Shortcode: 'nope', Value: 1 }],
  [{ Name: 'Nope', Value: 1 }],
  [{ Value: 1 }],
  [{ Id: null, Name: '', Value: 1 }],
])('%j names no field', (input) => {
  expect(merge([{ Id: 1, Value: 'x' }, input]).errors).toEqual([
    {
      field: 'CustomFields[1]',
      code: 'not_found',
      message: expect.stringContaining('existing custom field') as string,
      remark: expect.stringContaining('its value 1 is not stored') as string,
    },
  ]);
});

describe('the value must fit the type', () => {
  test.each<[number, unknown[], unknown[]]>([
    [1, ['', '4711', '<script>', 7, true], [['a'], {}]],
    [2, [0, -1.5, 2_000_000, '2000', '1,234.5', ''], ['ten', true, ['1'], '1e3', '9999999999999999']],
    [3, ['2026-03-08', ' 3/8/2026', '2026-03-08T09:00:00Z', ''], ['soon', 'foo 1', '2026-02-30', 5, true]],
    [4, [true, false, 'True', 'no', 'ON', 1, 0, ' '], ['maybe', 2, ['true']]],
    [5, ['S', 'Large', 'Other', 's', ' OTHER'], ['M', ['S'], 1, true]],
    [6, [[], ['S'], ['S', 'Large', 'other'], 'S', ''], [['S', 'M'], [1], true, 'S, L']],
    [7, ['two\nlines', 7, false], [['a']]],
  ])('field %i accepts %j, but not %j', (Id, fit, unfit) => {
    expect(fit.filter((Value) => merge([{ Id, Value }]).errors.length)).toEqual([]);
    expect(unfit.filter((Value) => !merge([{ Id, Value }]).errors.length)).toEqual([]);
    expect(merge([{ Id, Value: unfit[0] }]).errors).toEqual([
      {
        field: 'CustomFields[0].Value',
        code: 'format',
        message: expect.stringMatching(/^must be/) as string,
        remark: expect.stringContaining(JSON.stringify(unfit[0])) as string,
      },
    ]);
  });

  test.each<[number, unknown, unknown]>([
    [1, 275, '275'],
    [1, false, 'false'],
    [2, '275', 275],
    [2, ' 1,234.50 ', 1234.5],
    [3, '3/8/2026 9:00 AM', '2026-03-08'],
    [4, 'True', true],
    [4, 0, false],
    [5, 'large', 'L'],
    [5, 'Large', 'Large'],
    [6, 's', ['S']],
  ])('field %i stores %j as %j', (Id, Value, stored) => {
    expect(merge([{ Id, Value }])).toEqual({ values: [{ Id, Value: stored }], errors: [] });
  });

  test.each(['US', 'DE'])('one comma in a number is read as people of %s write it', (country) => {
    const { values } = applyCustomFieldInputs([], [{ Id: 2, Value: '1,234' }], definitions, country);
    expect(values).toEqual(country === 'US' ? [{ Id: 2, Value: 1234 }] : []);
  });

  test.each([2, 3, 4, 5, 6])('an empty text for field %i is not given', (Id) => {
    const stored = [{ Id, Value: 'what it was' }];
    expect(merge([{ Id, Value: '' }], stored)).toEqual({ values: stored, errors: [] });
  });

  test('but a stored value may be sent back after its options have changed', () => {
    expect(
      merge(
        [
          { Id: 5, Value: 'Gone' },
          { Id: 6, Value: ['Gone'] },
        ],
        [
          { Id: 5, Value: 'Gone' },
          { Id: 6, Value: ['Gone'] },
        ],
      ).errors,
    ).toEqual([]);
  });
});

test('null removes the value, absent leaves it, others stay', () => {
  const was = [
    { Id: 1, Value: 'a' },
    { Id: 2, Value: 3 },
    { Id: 7, Value: 'z' },
  ];
  expect(merge([{ Id: 1, Value: null }, { Id: 2 }], was).values).toEqual([
    { Id: 2, Value: 3 },
    { Id: 7, Value: 'z' },
  ]);
});

test('complete fields sent back change nothing', () => {
  const value = fc.constantFrom(
    ...([
      [1, 'x'],
      [2, 4],
      [3, '2026-03-08'],
      [4, false],
      [5, 'L'],
      [6, ['S', 'L']],
      [7, ''],
    ] as const),
  );
  fc.assert(
    fc.property(fc.uniqueArray(value, { selector: ([Id]) => Id }), (pairs) => {
      const values = pairs.map(([Id, Value]) => ({ Id, Value }));
      expect(merge(customFieldsToResource(values, definitions), values)).toEqual({ values, errors: [] });
    }),
  );
});

test.each([
  ['2027-04-01'],
  ['4/1/2027'],
  ['2027-04-01T00:00:00Z'],
  ['2027-04-01T23:00:00-07:00'],
  ['2027-04-01T00:00+13:00'],
])('the date %s is stored as the calendar date 2027-04-01', (Value) => {
  expect(merge([{ Id: 3, Value }])).toEqual({ values: [{ Id: 3, Value: '2027-04-01' }], errors: [] });
});
