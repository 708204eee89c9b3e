import { describe, expect, test } from 'vitest';
import type { ProposalInput, ProposalReferences } from '../../../lib/domain/proposals/input.ts';
import { isSameProposal } from '../../../lib/domain/proposals/price.ts';
import type { ProposalRecord } from '../../../lib/domain/proposals/record.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { part, partsOf, service, tier } from '../../support/pricing.ts';
import { NOW, around, changed, comesTo, echoed, made, tryChange, tryMake } from '../../support/proposals.ts';

const field = (Id: number, said: Partial<CustomField>): CustomField => ({
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
  ...said,
});
const parts = partsOf(
  { Name: 'Screen', UnitPrice: 20 },
  { Name: 'Kit', UnitPrice: 30, IsAssembly: true, AssemblyItems: [{ PartId: 1, Quantity: 2 }] },
  { Name: 'Frame', UnitPrice: 7, UnitPriceMax: 9, RangePricing: true },
);
const company = around({
  parts,
  userIds: new Set([4]),
  agentIds: new Set([6]),
  definitions: [field(1, {}), field(2, { TableType: 3, Type: 0 }), field(3, { TableType: 0 })],
  taxRates: [
    { Id: 1, Name: 'County', TaxRate: 8 },
    { Id: 2, Name: 'City', TaxRate: 10 },
  ],
});
const line = (Id: number, said: object = {}) => ({ Part: { Id }, ...said });
const option = (Name: string, Selected = false) => ({ ProposalOption: { Name, Selected } });

/** 100 + 2 × 20 (line 1) + 30 + 40 (line 2, 51) + of Good 7 (line 3), of Better 2 × 7 (line 4), the latter selected: 224.00. */
const before = made(
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

test('the proposal that the others begin with: 100 + 40 + 30 + 40 + 14 = 224.00', () => {
  expect(comesTo(before)).toBe('224.00 + 0.00');
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
  [
    'Quantity 0 takes a line away: 40 less',
    { ProposalLines: [{ Id: 1, Quantity: 0 }] },
    '184.00 + 0.00',
    [2, 51, 3, 4],
  ],
  ['… an assembly with its items: 70 less', { ProposalLines: [{ Id: 2, Quantity: 0 }] }, '154.00 + 0.00', [1, 3, 4]],
  ['… and makes no new one', { ProposalLines: [line(1, { Quantity: 0 })] }, '224.00 + 0.00', [1, 2, 51, 3, 4]],
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
    'a line of no option any more: 7 more',
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
  const after = changed(before, input, later);
  expect([comesTo(after), after.Lines.map(({ Id }) => Id)]).toEqual([total, lines]);
});

const texts: [name: string, input: ProposalInput, said: Partial<ProposalRecord>][] = [
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
  ['owner and agent that there are', { OwnerUserId: 4, ServiceAgentId: 6 }, { OwnerUserId: 4, ServiceAgentId: 6 }],
  ['a date as people write it', { Date: '3/8/2027' }, { Date: '2027-03-08' }],
  ['a moment is the date it has there', { Date: '2027-03-08T02:00Z' }, { Date: '2027-03-07' }],
  [
    'an address that may be called',
    { DeliveryUri: 'https://example.com/told' },
    { DeliveryUri: 'https://example.com/told' },
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
  ['a quantity of 0 says nothing', { Quantity: 0 }, { RequestedQuantity: null }],
];
test.each(texts)('update: %s', (_name, input, said) => {
  expect(changed(before, input, later)).toMatchObject(said);
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
            { Id: 2, Value: 3 },
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
test.each(errors)('update refuses %j, and says of what', (input, fields) => {
  const answer = tryChange(before, input, later);
  expect('Id' in answer ? [] : answer.map(({ field: name }) => name).sort()).toEqual([...fields].sort());
});

describe('what was quoted stays quoted', () => {
  const dearer = {
    ...later,
    parts: new Map([...parts].map(([id, each]) => [id, { ...each, UnitPrice: each.UnitPrice * 2, UnitPriceMax: 40 }])),
  };

  test('a part that is dearer today: a line more of the one there is costs what it did, a new one what it does', () => {
    const one = made({ ProposalLines: [line(1, { Quantity: 2 })] }, company);
    expect(comesTo(changed(one, { ProposalLines: [line(1)] }, dearer))).toBe('160.00 + 0.00');
    expect(comesTo(changed(one, { ProposalLines: [line(3)] }, dearer))).toBe('154.00 + 0.00');
  });

  test('a service that is dearer today counts only where another is named', () => {
    const other = service({ Id: 2, Name: 'Doors', BasePrice: 300, Description: 'Each of them.' });
    expect(comesTo(changed(before, { Quantity: 2 }, later))).toBe('224.00 + 0.00');
    expect(changed(before, { ServiceId: 2 }, { ...later, service: other })).toMatchObject({
      ServiceId: 2,
      ServiceName: 'Doors',
      Description: 'Each of them.',
      Subtotal: 424,
    });
  });

  test('what a proposal says for itself stays when its service is another', () => {
    const own = made({ Description: 'Mine', Taxable: true }, company);
    const other = service({ Id: 2, Name: 'Doors', Description: 'Each of them.' });
    expect(changed(own, { ServiceId: 2 }, { ...later, service: other })).toMatchObject({
      Description: 'Mine',
      Taxable: true,
    });
  });

  test('another service that a line is not sold with is refused', () => {
    const other = service({ Id: 2, LimitedPartIds: [3] });
    expect(tryChange(before, { ServiceId: 2 }, { ...later, service: other })).toEqual([
      { field: 'ServiceId', message: 'is a service with which these parts are not sold: Screen, Kit' },
    ]);
  });

  test('a tax rate as it was, until another is named', () => {
    const taxed = made({ Taxable: true, NamedTaxRate: { Id: 1 } }, company);
    const raised = {
      ...later,
      taxRates: [
        { Id: 1, Name: 'County', TaxRate: 9 },
        { Id: 2, Name: 'City', TaxRate: 10 },
      ],
    };
    expect(comesTo(changed(taxed, { NamedTaxRate: { Id: 1, Name: 'County', TaxRate: 9 }, Quantity: 2 }, raised))).toBe(
      '100.00 + 8.00',
    );
    expect(comesTo(changed(taxed, { NamedTaxRate: { Id: 2 } }, raised))).toBe('100.00 + 10.00');
    expect(comesTo(changed(taxed, { NamedTaxRate: null }, raised))).toBe('100.00 + 0.00');
  });

  test('what the contact said in a field that the price reads', () => {
    const bySize = around({
      service: service({ UnitPrice: 2, QuantityOverrideCustomFieldId: 3 }),
      definitions: [field(3, { TableType: 0 })],
      contact: { ...company.contact, CustomFields: [{ Id: 3, Value: 12 }] },
    });
    const sized = made({}, bySize);
    const grown = {
      ...bySize,
      service: undefined,
      parts,
      contact: { ...bySize.contact, CustomFields: [{ Id: 3, Value: 99 }] },
    };
    expect(comesTo(sized)).toBe('24.00 + 0.00');
    expect(comesTo(changed(sized, { ProposalLines: [line(1)] }, grown))).toBe('44.00 + 0.00');
  });
});

describe('sending back what was answered', () => {
  const quantities = partsOf(
    { Name: 'Glass', UnitPrice: 5, QtyPricing: [tier(10, null, 4, { ExcludeQuantity: false })] },
    { Name: 'Clip', UnitPrice: 1, SyncQtyWithServiceQty: true },
  );
  test.each<[string, ProposalRecord, ProposalReferences]>([
    ['changes nothing', before, later],
    [
      '… of quantity prices and quantities that follow',
      made({ Quantity: 3, ProposalLines: [line(1, { Quantity: 12 }), line(2)] }, around({ parts: quantities })),
      later,
    ],
    [
      '… of custom fields, notes and a tax rate',
      made({ NamedTaxRate: { Id: 2 }, CustomFields: [{ Id: 1, Value: 3 }], ProposalNotes: [{ Note: 'One' }] }, company),
      later,
    ],
    [
      '… of internalized items of an option',
      made(
        { ProposalLines: [line(1, option('Good', true))] },
        around({
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
    expect(isSameProposal(record, changed(record, echoed(record, of), of))).toBe(true);
  });

  test('with one field changed changes that alone: the service’s quantity, and what follows it', () => {
    const follows = made({ Quantity: 3, ProposalLines: [line(2)] }, around({ parts: quantities }));
    const after = changed(follows, { ...echoed(follows, later), Quantity: 5 }, later);
    expect(after).toMatchObject({ RequestedQuantity: 5, Subtotal: 105 });
    expect(after.Lines).toMatchObject([{ RequestedQuantity: null, Quantity: 5 }]);
  });
});

describe('a new proposal', () => {
  test('may be what a quote answered: its line and option numbers are the request’s own', () => {
    const again = made({ ...echoed(before, later), Id: undefined } as ProposalInput, company);
    expect(comesTo(again)).toBe(comesTo(before));
    expect(again.Lines.map(({ Id, AssemblyLineId, OptionId }) => [Id, AssemblyLineId, OptionId])).toEqual([
      [1, null, null],
      [2, null, null],
      [3, 2, null],
      [4, null, 1],
      [5, null, 2],
    ]);
  });

  test('is as its service and its parts say where it says nothing', () => {
    const taxed = around({
      service: service({ Taxable: true, Description: 'All.' }),
      parts: partsOf({ Description: 'Of steel', Taxable: true, UnitCost: 3, IsInternal: true }),
    });
    expect(made({ Title: '', Description: '', ProposalLines: [line(1)] }, taxed)).toMatchObject({
      Description: 'All.',
      Taxable: true,
      Lines: [{ LineDescription: 'Of steel', Taxable: true, UnitCost: 3, IsInternal: true }],
    });
    expect(made({ Taxable: false, Description: 'Mine' }, taxed)).toMatchObject({ Description: 'Mine', Taxable: false });
  });

  test.each<[ProposalInput, string[]]>([
    [{ ProposalLines: [line(1)] }, ['ProposalLines[0].Part.Id']],
    [{ ProposalLines: [{ UnitPrice: 1, AssemblyLineId: 5 }] }, ['ProposalLines[0].AssemblyLineId']],
    [{ ProposalLines: [{ UnitPrice: 1, ProposalOption: { Id: 5 } }] }, ['ProposalLines[0].ProposalOption.Id']],
    [{ Quantity: -1 }, ['Quantity']],
  ])('refuses %j', (input, fields) => {
    const answer = tryMake(input, around({ service: service({ LimitedPartIds: [2] }), parts }));
    expect('Id' in answer ? [] : answer.map(({ field: name }) => name)).toEqual(fields);
  });
});
