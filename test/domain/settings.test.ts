import { describe, expect, test } from 'vitest';
import {
  type Entry,
  type Setting,
  type SettingKind,
  campaignsToCreate,
  planSettings,
} from '../../lib/domain/settings.ts';
import { isEqual } from '../../lib/shared/objects.ts';

let lastId = 0;
const plan = (kind: SettingKind, stored: readonly Setting[], input: readonly Entry[]) => {
  const ids = Array.from({ length: kind === 'Channel' ? campaignsToCreate(stored, input) : 0 }, () => ++lastId);
  return planSettings(kind, stored, input, ids);
};

function planned(kind: SettingKind, stored: readonly Setting[], input: readonly Entry[]) {
  const result = plan(kind, stored, input);
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.errors));
  return result.entries;
}

const errors = (kind: SettingKind, stored: readonly Setting[], input: readonly Entry[]) => {
  const result = plan(kind, stored, input);
  return result.kind === 'invalid'
    ? result.errors.map(({ index, field, message }) => `${index} ${field} ${message}`)
    : [];
};

const samples: Readonly<Record<SettingKind, readonly Entry[]>> = {
  CancelReason: [{ Reason: 'Weather' }, { Reason: ' No access ' }],
  TaskCategory: [{ Name: 'Follow-up' }],
  LeadSourceCategory: [{ Name: 'Referral', Description: 'By a customer' }],
  Feature: [{ Name: 'Scheduling' }],
  NamedTaxRate: [{ Name: 'New York', TaxRate: 8.875 }, { Name: 'None' }],
  Channel: [
    {
      Name: 'Mail',
      Campaigns: [
        {
          Name: 'Spring',
          CampaignBudgets: [
            { Budget: 100, Year: 2026, Month: 3 },
            { Budget: 900, Type: 1, Year: 2026, Month: 5 },
          ],
          CampaignActuals: [{ Amount: 99.5, Year: 2026, Month: 3 }],
        },
        { Name: 'Fall', Active: false },
      ],
    },
    { Name: 'Radio' },
  ],
  CustomField: [
    { Name: 'Lawn size', Shortcode: 'lawn', Type: 1 },
    { Name: 'Gate', Type: 4, Options: [{ Label: 'Left' }, { Label: 'Right', Value: 'R' }] },
    { Name: 'Gate', TableType: 1 },
  ],
};

describe('planning a small list', () => {
  test.each(Object.entries(samples) as [SettingKind, Entry[]][])(
    '%s: new entries get ids, and the second time nothing changes',
    (kind, input) => {
      const first = planned(kind, [], input);
      expect(first.map(({ change, after }) => [change, after.Id, after.V, after.Value['Id']])).toEqual(
        input.map((_, index) => ['created', index + 1, 1, index + 1]),
      );
      const stored = first.map(({ after }) => after);
      const second = planned(kind, stored, input);
      expect(second.map(({ change, changed }) => [change, changed])).toEqual(input.map(() => ['same', []]));
      expect(campaignsToCreate(stored, input)).toBe(0);
      expect(
        planned(
          kind,
          stored,
          stored.map(({ Value }) => Value),
        ).map(({ change }) => change),
      ).toEqual(input.map(() => 'same'));
    },
  );

  test('entries are found by id, else by name without case; absent stays, null clears, others stay', () => {
    const stored = planned(
      'LeadSourceCategory',
      [],
      [
        { Name: 'Web', Description: 'a' },
        { Name: 'Phone', Description: 'b' },
      ],
    ).map(({ after }) => after);
    const [renamed, cleared] = planned('LeadSourceCategory', stored, [
      { Id: 1, Name: 'Internet' },
      { Name: 'PHONE', Description: null },
    ]);
    expect([renamed?.changed, renamed?.after.V, renamed?.after.Value]).toEqual([
      ['Name'],
      2,
      { Id: 1, Name: 'Internet', Description: 'a', Campaigns: [] },
    ]);
    expect([cleared?.changed, cleared?.after.Value['Description']]).toEqual([['Name', 'Description'], '']);
  });

  test('an entry stored before versions existed is completed when read, without a write', () => {
    const old: Setting = { Kind: 'LeadSourceCategory', Id: 4, V: 0, Value: { Id: 4, Name: 'Web' } };
    expect(
      planned('LeadSourceCategory', [old], [{ Name: 'web ' }]).map(({ change, changed }) => [change, changed]),
    ).toEqual([['updated', ['Name']]]);
    expect(planned('LeadSourceCategory', [old], [{ Name: 'Web' }])[0]?.change).toBe('same');
    expect(planned('LeadSourceCategory', [old], [{ Name: 'Mail' }])[0]?.after.Id).toBe(5);
  });

  test('campaigns are upserted one by one, each with its months', () => {
    const stored = planned('Channel', [], samples.Channel).map(({ after }) => after);
    const [mail] = planned('Channel', stored, [
      {
        Name: 'Mail',
        Campaigns: [
          {
            Name: 'spring',
            CampaignBudgets: [
              { Budget: 150, Year: 2026, Month: 3 },
              { Budget: 50, Year: 2026, Month: 1 },
            ],
          },
          { Name: 'New' },
        ],
      },
    ]);
    const campaigns = mail?.after.Value['Campaigns'] as { Id: number; Name: string; CampaignBudgets: unknown[] }[];
    const spring = campaigns[0]?.Id ?? 0;
    expect(campaigns.map(({ Id, Name }) => [Id - spring, Name])).toEqual([
      [0, 'spring'],
      [1, 'Fall'],
      [2, 'New'],
    ]);
    expect(campaigns[0]?.CampaignBudgets).toEqual([
      { Budget: 900, Type: 1, Year: 2026, Month: null },
      { Budget: 50, Type: 0, Year: 2026, Month: 1 },
      { Budget: 150, Type: 0, Year: 2026, Month: 3 },
    ]);
  });

  test('options keep their ids by value or label', () => {
    const stored = planned('CustomField', [], samples.CustomField).map(({ after }) => after);
    const [gate] = planned('CustomField', stored, [
      { Name: 'Gate', Options: [{ Label: 'Right', Value: 'R' }, { Label: 'None' }] },
    ]);
    expect(gate?.after.Value['Options']).toEqual([
      { Id: 2, Label: 'Right', Value: 'R' },
      { Id: 3, Label: 'None', Value: '' },
    ]);
  });

  test.each<[string, SettingKind, readonly Entry[], readonly string[]]>([
    ['no name', 'CancelReason', [{ Reason: '  ' }], ['0 Reason is required']],
    [
      'two of one name',
      'Feature',
      [{ Name: 'Tasks' }, { Name: 'TASKS' }],
      ['0 Name is used by another feature', '1 Name is used by another feature'],
    ],
    [
      'an unknown id',
      'NamedTaxRate',
      [{ Name: 'a' }, { Id: 9, Name: 'b' }],
      ['1 Id must be the Id of an existing tax rate'],
    ],
    [
      'a rate over 100',
      'NamedTaxRate',
      [{ Name: 'a', TaxRate: 101 }],
      ['0 TaxRate must be a percentage from 0 to 100'],
    ],
    [
      'a missing month',
      'Channel',
      [{ Name: 'a', Campaigns: [{ Name: 'b', CampaignBudgets: [{ Budget: 1, Year: 2026 }] }] }],
      ['0 Campaigns[0].CampaignBudgets[0].Month must be a month, 1 to 12'],
    ],
    [
      'two campaigns of one name',
      'Channel',
      [{ Name: 'a', Campaigns: [{ Name: 'b' }, { Name: '' }] }],
      ['0 Campaigns[1].Name is required'],
    ],
    [
      'a script link',
      'Channel',
      [
        {
          Name: 'a',
          Campaigns: [
            { Name: 'b', CampaignActuals: [{ Amount: 1, Year: 2026, Month: 1, InvoiceUrl: 'javascript:alert(1)' }] },
          ],
        },
      ],
      ['0 Campaigns[0].CampaignActuals[0].InvoiceUrl must begin with https:// or http://'],
    ],
    [
      'a dropdown without options',
      'CustomField',
      [{ Name: 'a', Type: 4 }],
      ['0 Options must hold at least one option'],
    ],
    [
      'a name that formulas cannot read',
      'CustomField',
      [{ Name: 'a', Type: 1, Shortcode: '2 b' }],
      ['0 Shortcode must be letters, digits and _, and not start with a digit, because formulas read the field by it'],
    ],
    [
      'two of one shortcode',
      'CustomField',
      [
        { Name: 'a', Shortcode: 'x' },
        { Name: 'b', Shortcode: 'X' },
      ],
      ['0 Shortcode x is used by another custom field', '1 Shortcode X is used by another custom field'],
    ],
  ])('%s is invalid, with the path of the field', (_, kind, input, expected) => {
    expect(errors(kind, [], input)).toEqual(expected);
  });

  test('a name used by another entry and an entry that comes twice are invalid', () => {
    const stored = planned('Feature', [], [{ Name: 'a' }, { Name: 'b' }]).map(({ after }) => after);
    expect(errors('Feature', stored, [{ Id: 1, Name: 'B' }])).toEqual(['0 Name is used by another feature']);
    expect(errors('Feature', stored, [{ Name: 'a' }, { Id: 1, Name: 'c' }])).toEqual(['1 Name repeats feature 1']);
    expect(
      planned('Feature', stored, [
        { Id: 1, Name: 'b' },
        { Id: 2, Name: 'a' },
      ]).map(({ after }) => after.Value['Name']),
    ).toEqual(['b', 'a']);
  });

  test('a list has at most 1,000 entries', () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ Name: `n${index}` }));
    expect(planned('Feature', [], many.slice(1))).toHaveLength(1000);
    expect(errors('Feature', [], many)).toEqual([
      '1000  exceeds the limit of feature entries in an account: at most 1,000 and 480,000 bytes in all',
    ]);
  });

  test('a list has at most 480,000 bytes, all channels 960,000; a larger one may change but not grow', () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ Name: `Field ${index}`, HelpText: 'x'.repeat(9_800) }));
    const stored = planned('CustomField', [], fields(45)).map(({ after }) => after);
    expect(errors('CustomField', stored, fields(47).slice(45))).toEqual([]);
    expect(errors('CustomField', stored, fields(50).slice(45))).toEqual([
      '4  exceeds the limit of custom field entries in an account: at most 1,000 and 480,000 bytes in all',
    ]);
    const larger = stored.concat(
      stored.map((setting) => ({
        ...setting,
        Id: setting.Id + 100,
        Value: { ...setting.Value, Id: setting.Id + 100, Name: `${setting.Id}` },
      })),
    );
    expect(errors('CustomField', larger, [{ Id: 1, HelpText: '' }])).toEqual([]);
    expect(errors('CustomField', larger, [{ Name: 'One more' }])).toHaveLength(1);
    const channels = Array.from({ length: 110 }, (_, index) => ({ Name: `c${index}`, Description: 'x'.repeat(9_800) }));
    expect(errors('Channel', [], channels)).toHaveLength(1);
    expect(errors('Channel', [], channels.slice(20))).toEqual([]);
  });
});

describe('alike', () => {
  test.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: undefined }, { b: undefined }, false],
    [{}, [], false],
    [null, {}, false],
    ['1', 1, false],
  ])('%j and %j: %s', (left, right, same) => {
    expect(isEqual(left, right)).toBe(same);
  });
});
