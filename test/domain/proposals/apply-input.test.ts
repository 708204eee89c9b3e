import { userEntity } from '../../../lib/entities/users.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import { describe, expect, test } from 'vitest';
import type { ProposalInput, ProposalReferences } from '../../../lib/domain/proposals/input.ts';
import { isSameProposal } from '../../../lib/domain/proposals/price.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { part, partsOf, service, tier } from '../../support/pricing.ts';
import {
  NOW,
  references,
  updatedProposal,
  describeTotal,
  toInput,
  createdProposal,
  tryUpdate,
  tryCreate,
} from '../../support/proposals.ts';

const field = (Id: number, overrides: Partial<CustomField>): CustomField => ({
  Id,
  Name: `Field ${Id}`,
  Shortcode: `field${Id}`,
  FormField: '',
  Value: null,
  Type: 1,
  TableType: 2,
  Phase: null,
  Required: false,
  HelpText: '',
  CustomFieldCategory: '',
  CheckboxListOptionId: null,
  CheckboxListOptionName: '',
  Options: [],
  ...overrides,
});
const parts = partsOf(
  { Name: 'Screen', UnitPrice: 20 },
  { Name: 'Kit', UnitPrice: 30, IsAssembly: true, AssemblyItems: [{ PartId: 1, Quantity: 2 }] },
  { Name: 'Frame', UnitPrice: 7, UnitPriceMax: 9, RangePricing: true },
);
const company = references({
  parts,
  owners: [{ ...userEntity.blank({ Id: 4, OrganizationId: 1, Created: 0 }), Active: true }],
  agentIds: new Set([6]),
  definitions: [
    field(1, {}),
    field(2, { TableType: 3, Type: 0 }),
    field(3, { TableType: 0 }),
    field(4, { TableType: 3 }),
  ],
  taxRates: [
    { Id: 1, Name: 'County', TaxRate: 8, Parts: [] },
    { Id: 2, Name: 'City', TaxRate: 10, Parts: [] },
  ],
});
const line = (Id: number, overrides: object = {}) => ({ Part: { Id }, ...overrides });
const option = (Name: string, Selected = false) => ({ ProposalOption: { Name, Selected } });

/**
 * 100 + 2 × 20 (line 1) + 30 + 40 (line 2, 51) + of Good 7 (line 3), of Better 2 × 7 (line 4), the latter selected:
 * 224.00.
 */
const before = createdProposal(
  {
    ProposalLines: [
      line(1, { Quantity: 2 }),
      line(2),
      line(3, option('Good')),
      line(3, { Quantity: 2, ...option('Better', true) }),
    ],
  },
  company,
);
const later = { ...company, service: undefined };

test('the initial proposal of these tests: 100 + 40 + 30 + 40 + 14 = 224.00', () => {
  expect(describeTotal(before)).toBe('224.00 + 0.00');
  expect(before.Lines.map(({ Id }) => Id)).toEqual([1, 2, 51, 3, 4]);
});

const changes: [name: string, input: ProposalInput, total: string, lines: number[]][] = [
  ['nothing', {}, '224.00 + 0.00', [1, 2, 51, 3, 4]],
  [
    'a line’s quantity: 3 × 20 = 60, 20 more',
    { ProposalLines: [{ Id: 1, Quantity: 3 }] },
    '244.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  [
    'null leaves the quantity to the part: 1 × 20, 20 less',
    { ProposalLines: [{ Id: 1, Quantity: null }] },
    '204.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  ['a new line: 20 more', { ProposalLines: [line(1)] }, '244.00 + 0.00', [1, 2, 51, 3, 4, 101]],
  [
    'a new line by the name of its part',
    { ProposalLines: [{ Part: { Name: ' scréen ' } }] },
    '244.00 + 0.00',
    [1, 2, 51, 3, 4, 101],
  ],
  [
    'a new assembly with its item: 30 + 2 × 20 = 70 more',
    { ProposalLines: [line(2)] },
    '294.00 + 0.00',
    [1, 2, 51, 3, 4, 101, 151],
  ],
  [
    'a line of its own price: 12.25 more',
    { ProposalLines: [{ UnitPrice: 12.25 }] },
    '236.25 + 0.00',
    [1, 2, 51, 3, 4, 101],
  ],
  ['Quantity 0 removes a line: 40 less', { ProposalLines: [{ Id: 1, Quantity: 0 }] }, '184.00 + 0.00', [2, 51, 3, 4]],
  ['… an assembly with its items: 70 less', { ProposalLines: [{ Id: 2, Quantity: 0 }] }, '154.00 + 0.00', [1, 3, 4]],
  ['… and adds no new line', { ProposalLines: [line(1, { Quantity: 0 })] }, '224.00 + 0.00', [1, 2, 51, 3, 4]],
  [
    'two assemblies: 2 × 30 + 4 × 20 = 140, 70 more',
    { ProposalLines: [{ Id: 2, Quantity: 2 }] },
    '294.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  [
    'an item by itself: 5 × 20, 60 more',
    { ProposalLines: [{ Id: 51, Quantity: 5 }] },
    '284.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  ['a discount: 5 less', { ProposalLines: [{ Id: 1, Discount: 5 }] }, '219.00 + 0.00', [1, 2, 51, 3, 4]],
  ['an internal line: 40 less', { ProposalLines: [{ Id: 1, IsInternal: true }] }, '184.00 + 0.00', [1, 2, 51, 3, 4]],
  ['another order', { ProposalLines: [{ Id: 1, SortIndex: 9 }] }, '224.00 + 0.00', [2, 51, 3, 4, 1]],
  ['the other option, by name: 7 for 14', { SelectedSolution: { Name: 'good' } }, '217.00 + 0.00', [1, 2, 51, 3, 4]],
  ['… by id', { SelectedSolution: { Id: 1 } }, '217.00 + 0.00', [1, 2, 51, 3, 4]],
  [
    '… by the flags of lines',
    {
      ProposalLines: [
        { Id: 3, ProposalOption: { Id: 1, Selected: true } },
        { Id: 4, ProposalOption: { Id: 2, Selected: false } },
      ],
    },
    '217.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  [
    '… by both',
    { SelectedSolution: { Id: 1 }, ProposalLines: [{ Id: 3, ProposalOption: { Id: 1, Selected: true } }] },
    '217.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  [
    'both options by flags: 7 + 14',
    { ProposalLines: [{ Id: 3, ProposalOption: { Id: 1, Selected: true } }] },
    '231.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  ['null selects none: 14 less', { SelectedSolution: null }, '210.00 + 0.00', [1, 2, 51, 3, 4]],
  [
    'null removes a line from its option: 7 more',
    { ProposalLines: [{ Id: 3, ProposalOption: null }] },
    '231.00 + 0.00',
    [1, 2, 51, 3, 4],
  ],
  [
    'a tax rate, by name, on a taxed service: 10 % of 100',
    { NamedTaxRate: { Name: 'City' }, Taxable: true },
    '224.00 + 10.00',
    [1, 2, 51, 3, 4],
  ],
  [
    'a tax rate, by id: 8 % of 100',
    { NamedTaxRate: { Id: 1, Name: '' }, Taxable: true },
    '224.00 + 8.00',
    [1, 2, 51, 3, 4],
  ],
];

test.each(changes)('update: %s', (_name, input, total, lines) => {
  const after = updatedProposal(before, input, later);
  expect([describeTotal(after), after.Lines.map(({ Id }) => Id)]).toEqual([total, lines]);
});

const texts: [name: string, input: ProposalInput, overrides: Partial<ProposalRecord>][] = [
  [
    'texts are trimmed',
    { Title: ' Front ', CustomerNotes: 'Gate', Description: 'Upstairs' },
    { Title: 'Front', CustomerNotes: 'Gate', Description: 'Upstairs' },
  ],
  [
    'null clears',
    { Description: null, DepositRate: null, OwnerUserId: null },
    { Description: '', DepositRate: null, OwnerUserId: null },
  ],
  [
    'deposit and plans',
    {
      DepositRate: 12.5,
      DepositRequired: true,
      PaymentPlanRequired: false,
      IncludePaymentPlans: true,
      DistributeParts: true,
    },
    {
      DepositRate: 12.5,
      DepositRequired: true,
      PaymentPlanRequired: false,
      IncludePaymentPlans: true,
      DistributeParts: true,
    },
  ],
  ['an existing owner and agent', { OwnerUserId: 4, ServiceAgentId: 6 }, { OwnerUserId: 4, ServiceAgentId: 6 }],
  ['a date as people write it', { Date: '3/8/2027' }, { Date: '2027-03-08' }],
  ['a moment is its date in the organization’s zone', { Date: '2027-03-08T02:00Z' }, { Date: '2027-03-07' }],
  [
    'an allowed callback address',
    { DeliveryUri: 'https://example.com/callback' },
    { DeliveryUri: 'https://example.com/callback' },
  ],
  [
    'a note',
    { ProposalNotes: [{ Note: ' Call first ' }] },
    { ProposalNotes: [{ Id: 101, Note: 'Call first', CreatedAt: NOW }] },
  ],
  [
    'a custom field by its name',
    { CustomFields: [{ Name: 'field 1', Value: 3 }] },
    { CustomFields: [{ Id: 1, Value: 3 }] },
  ],
  ['a quantity of 0 is ignored', { Quantity: 0 }, { RequestedQuantity: null }],
];
test('numbers in custom fields of a proposal and of its lines are read as in its country', () => {
  const inputOf = (Value: string): ProposalInput => ({
    CustomFields: [{ Id: 1, Value }],
    ProposalLines: [{ Id: 1, CustomFields: [{ Id: 4, Value }] }],
  });
  expect(updatedProposal(before, inputOf('1,5'), { ...company, country: 'DE' })).toMatchObject({
    CustomFields: [{ Id: 1, Value: 1.5 }],
    Lines: expect.arrayContaining([
      expect.objectContaining({ Id: 1, CustomFields: [{ Id: 4, Value: 1.5 }] }),
    ]) as unknown,
  });
  expect(updatedProposal(before, inputOf('1,500'), company)).toMatchObject({ CustomFields: [{ Id: 1, Value: 1500 }] });
});

test.each(texts)('update: %s', (_name, input, overrides) => {
  expect(updatedProposal(before, input, later)).toMatchObject(overrides);
});

const errors: [input: ProposalInput, fields: string[]][] = [
  [{ ProposalLines: [{ Id: 77 }, { Id: 1 }, { Id: 1 }] }, ['ProposalLines[0].Id', 'ProposalLines[2].Id']],
  [
    { ProposalLines: [line(77), { Part: { Name: 'Door' } }, { Id: 1, Part: { Id: 3 } }] },
    ['ProposalLines[0].Part.Id', 'ProposalLines[1].Part.Name', 'ProposalLines[2].Part.Id'],
  ],
  [
    { ProposalLines: [line(1, { Quantity: -1 }), { Id: 3, UnitPrice: 12 }] },
    ['ProposalLines[1].UnitPrice', 'ProposalLines[0].Quantity'],
  ],
  [
    { ProposalLines: [{ Id: 1, MaxDiscount: 2, Discount: 3 }, line(1, { MaxDiscount: -1 })] },
    ['ProposalLines[1].MaxDiscount', 'ProposalLines[0].Discount'],
  ],
  [
    {
      ProposalLines: [
        { Id: 1, AssemblyLineId: 77 },
        { Id: 1, CustomFields: [{ Id: 1, Value: 3 }] },
      ],
    },
    ['ProposalLines[0].AssemblyLineId', 'ProposalLines[1].Id'],
  ],
  [{ ProposalLines: [{ Id: 2, AssemblyLineId: 51 }] }, ['ProposalLines']],
  [
    {
      ProposalLines: [
        {
          Id: 1,
          CustomFields: [
            { Id: 1, Value: 3 },
            { Id: 2, Value: ['3'] },
          ],
        },
      ],
    },
    ['ProposalLines[0].CustomFields[0]', 'ProposalLines[0].CustomFields[1].Value'],
  ],
  [{ ProposalLines: [{ Id: 1, ProposalOption: { Id: 77 } }] }, ['ProposalLines[0].ProposalOption.Id']],
  [{ ProposalLines: [{ Id: 3, ProposalOption: { Id: 1, Name: 'better' } }] }, ['ProposalLines[0].ProposalOption.Name']],
  [{ SelectedSolution: { Name: 'Worst' } }, ['SelectedSolution.Name']],
  [{ SelectedSolution: { Id: 1, Name: 'Worst' } }, ['SelectedSolution.Name']],
  [{ SelectedSolution: { Id: 1 }, ProposalLines: [line(1, option('Best', true))] }, ['SelectedSolution']],
  [
    { SelectedSolution: null, ProposalLines: [{ Id: 3, ProposalOption: { Id: 1, Selected: true } }] },
    ['SelectedSolution'],
  ],
  [{ NamedTaxRate: { Id: 9 } }, ['NamedTaxRate.Id']],
  [{ NamedTaxRate: { Id: 1, Name: 'City' } }, ['NamedTaxRate.Name']],
  [
    { DepositRate: 101, OwnerUserId: 5, ServiceAgentId: 5, Date: 'soon', DeliveryUri: 'ftp://example.com' },
    ['Date', 'OwnerUserId', 'ServiceAgentId', 'DepositRate', 'DeliveryUri'],
  ],
  [
    { DepositRate: -1, ProposalNotes: [{ Id: 8, Note: 'No' }, { Note: ' ' }], CustomFields: [{ Id: 3, Value: 1 }] },
    ['DepositRate', 'ProposalNotes[0].Id', 'ProposalNotes[1].Note', 'CustomFields[0]'],
  ],
  [{ ProposalNotes: [{ Note: 'x'.repeat(350_000) }] }, ['ProposalLines']],
];
test.each(errors)('update rejects %j with the invalid fields', (input, fields) => {
  const answer = tryUpdate(before, input, later);
  expect('Id' in answer ? [] : answer.map(({ field: name }) => name).sort()).toEqual([...fields].sort());
});

describe('quoted prices stay', () => {
  const dearer = {
    ...later,
    parts: new Map([...parts].map(([id, each]) => [id, { ...each, UnitPrice: each.UnitPrice * 2, UnitPriceMax: 40 }])),
  };

  test('a second line of a quoted part has the quoted price, a new part the price of today', () => {
    const one = createdProposal({ ProposalLines: [line(1, { Quantity: 2 })] }, company);
    expect(describeTotal(updatedProposal(one, { ProposalLines: [line(1)] }, dearer))).toBe('160.00 + 0.00');
    expect(describeTotal(updatedProposal(one, { ProposalLines: [line(3)] }, dearer))).toBe('154.00 + 0.00');
  });

  test('the service price of today applies only to another service', () => {
    const other = service({ Id: 2, Name: 'Doors', BasePrice: 300, Description: 'Each of them.' });
    expect(describeTotal(updatedProposal(before, { Quantity: 2 }, later))).toBe('224.00 + 0.00');
    expect(updatedProposal(before, { ServiceId: 2 }, { ...later, service: other })).toMatchObject({
      ServiceId: 2,
      ServiceName: 'Doors',
      Description: 'Each of them.',
      Subtotal: 424,
    });
  });

  test('own values of a proposal stay when its service changes', () => {
    const own = createdProposal({ Description: 'Mine', Taxable: true }, company);
    const other = service({ Id: 2, Name: 'Doors', Description: 'Each of them.' });
    expect(updatedProposal(own, { ServiceId: 2 }, { ...later, service: other })).toMatchObject({
      Description: 'Mine',
      Taxable: true,
    });
  });

  test('a service with which a part is not sold is rejected', () => {
    const other = service({ Id: 2, LimitedPartIds: [3] });
    expect(tryUpdate(before, { ServiceId: 2 }, { ...later, service: other })).toEqual([
      {
        field: 'ServiceId',
        code: 'mismatch',
        message: 'is a service with which these parts are not sold: Screen, Kit',
      },
    ]);
  });

  test('the quoted tax rate stays until another is requested', () => {
    const taxed = createdProposal({ Taxable: true, NamedTaxRate: { Id: 1 } }, company);
    const raised = {
      ...later,
      taxRates: [
        { Id: 1, Name: 'County', TaxRate: 9, Parts: [] },
        { Id: 2, Name: 'City', TaxRate: 10, Parts: [] },
      ],
    };
    expect(
      describeTotal(
        updatedProposal(taxed, { NamedTaxRate: { Id: 1, Name: 'County', TaxRate: 9, Parts: [] }, Quantity: 2 }, raised),
      ),
    ).toBe('100.00 + 8.00');
    expect(describeTotal(updatedProposal(taxed, { NamedTaxRate: { Id: 2 } }, raised))).toBe('100.00 + 10.00');
    expect(describeTotal(updatedProposal(taxed, { NamedTaxRate: null }, raised))).toBe('100.00 + 0.00');
  });

  test('contact values that the price depends on stay as quoted', () => {
    const bySize = references({
      service: service({ UnitPrice: 2, QuantityOverrideCustomFieldId: 3 }),
      definitions: [field(3, { TableType: 0 })],
      contact: { ...company.contact, CustomFields: [{ Id: 3, Value: 12 }] },
    });
    const sized = createdProposal({}, bySize);
    const grown = {
      ...bySize,
      service: undefined,
      parts,
      contact: { ...bySize.contact, CustomFields: [{ Id: 3, Value: 99 }] },
    };
    expect(describeTotal(sized)).toBe('24.00 + 0.00');
    expect(describeTotal(updatedProposal(sized, { ProposalLines: [line(1)] }, grown))).toBe('44.00 + 0.00');
  });
});

describe('sending back the answer', () => {
  const quantities = partsOf(
    { Name: 'Glass', UnitPrice: 5, QtyPricing: [tier(10, null, 4, { ExcludeQuantity: false })] },
    { Name: 'Clip', UnitPrice: 1, SyncQtyWithServiceQty: true },
  );
  test.each<[string, ProposalRecord, ProposalReferences]>([
    ['changes nothing', before, later],
    [
      '… of quantity prices and quantities that follow',
      createdProposal(
        { Quantity: 3, ProposalLines: [line(1, { Quantity: 12 }), line(2)] },
        references({ parts: quantities }),
      ),
      later,
    ],
    [
      '… of custom fields, notes and a tax rate',
      createdProposal(
        { NamedTaxRate: { Id: 2 }, CustomFields: [{ Id: 1, Value: 3 }], ProposalNotes: [{ Note: 'One' }] },
        company,
      ),
      later,
    ],
    [
      '… of internalized items of an option',
      createdProposal(
        { ProposalLines: [line(1, option('Good', true))] },
        references({
          parts: new Map([
            [
              1,
              part(1, {
                IsAssembly: true,
                IsInternalizeAssemblyItems: true,
                AssemblyItems: [{ PartId: 2, Quantity: 1 }],
              }),
            ],
            [2, part(2)],
          ]),
        }),
      ),
      later,
    ],
  ])('%s', (_name, record, of) => {
    expect(isSameProposal(record, updatedProposal(record, toInput(record, of), of))).toBe(true);
  });

  test('with one field changed changes that field only: the service’s quantity, and what depends on it', () => {
    const follows = createdProposal({ Quantity: 3, ProposalLines: [line(2)] }, references({ parts: quantities }));
    const after = updatedProposal(follows, { ...toInput(follows, later), Quantity: 5 }, later);
    expect(after).toMatchObject({ RequestedQuantity: 5, Subtotal: 105 });
    expect(after.Lines).toMatchObject([{ RequestedQuantity: null, Quantity: 5 }]);
  });
});

describe('a new proposal', () => {
  test('accepts the answer of a quote: line and option numbers are the request’s own', () => {
    const again = createdProposal({ ...toInput(before, later), Id: undefined } as ProposalInput, company);
    expect(describeTotal(again)).toBe(describeTotal(before));
    expect(again.Lines.map(({ Id, AssemblyLineId, OptionId }) => [Id, AssemblyLineId, OptionId])).toEqual([
      [1, null, null],
      [2, null, null],
      [3, 2, null],
      [4, null, 1],
      [5, null, 2],
    ]);
  });

  test('takes defaults from its service and its parts', () => {
    const taxed = references({
      service: service({ Taxable: true, Description: 'All.' }),
      parts: partsOf({ Description: 'Of steel', Taxable: true, UnitCost: 3, IsInternal: true }),
    });
    expect(createdProposal({ Title: '', Description: '', ProposalLines: [line(1)] }, taxed)).toMatchObject({
      Description: 'All.',
      Taxable: true,
      Lines: [{ LineDescription: 'Of steel', Taxable: true, UnitCost: 3, IsInternal: true }],
    });
    expect(createdProposal({ Taxable: false, Description: 'Mine' }, taxed)).toMatchObject({
      Description: 'Mine',
      Taxable: false,
    });
  });

  test.each<[ProposalInput, string[]]>([
    [{ ProposalLines: [line(1)] }, ['ProposalLines[0].Part.Id']],
    [{ ProposalLines: [{ UnitPrice: 1, AssemblyLineId: 5 }] }, ['ProposalLines[0].AssemblyLineId']],
    [{ ProposalLines: [{ UnitPrice: 1, ProposalOption: { Id: 5 } }] }, ['ProposalLines[0].ProposalOption.Id']],
    [{ Quantity: -1 }, ['Quantity']],
  ])('rejects %j', (input, fields) => {
    const answer = tryCreate(input, references({ service: service({ LimitedPartIds: [2] }), parts }));
    expect('Id' in answer ? [] : answer.map(({ field: name }) => name)).toEqual(fields);
  });
});
