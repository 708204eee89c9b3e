import { describe, expect, test } from 'vitest';
import { emptyBook } from '../../../lib/domain/pricebook/record.ts';
import type { BookInput } from '../../../lib/domain/pricebook/record.ts';
import type { PartEntry, ServiceEntry } from '../../../lib/resources/price-book.ts';
import { applyEntries, planErrors, findId, sample } from './book-plans.ts';

const service = (entry: ServiceEntry): BookInput => ({ services: [{ Name: 'New', ...entry }] });
const part = (entry: PartEntry): BookInput => ({ parts: [{ Name: 'New', ...entry }] });
const bands = (...PricingBands: NonNullable<ServiceEntry['PricingBands']>): BookInput => service({ PricingBands });
const line = (entry: object): BookInput => ({
  proposalTemplates: [{ Name: 'T', Service: 'Windows', ProposalTemplateLines: [entry] }],
});
const dimension = (entry: object): BookInput => ({ dimensions: [{ Name: 'Width', ...entry }] });
const category = (entry: object): BookInput => ({ revenueCategories: [{ Name: 'Brand', ...entry }] });

/** Entries for the sample book → the start of each error, in order; none where they are valid. */
const rows: [string, BookInput, ...string[]][] = [
  [
    'a band that is empty',
    bands({ AtLeast: 5, LessThan: 5 }),
    'Services[0].PricingBands[0].LessThan must be more than AtLeast, which is 5',
  ],
  ['a band upside down', bands({ AtLeast: 5, LessThan: 4 }), 'Services[0].PricingBands[0].LessThan must be more'],
  ['a band below zero', bands({ AtLeast: -1, LessThan: 4 }), 'Services[0].PricingBands[0].AtLeast must be at least 0'],
  [
    'bands that overlap',
    bands({ AtLeast: 0, LessThan: 10 }, { AtLeast: 9.99 }),
    'Services[0].PricingBands[1].AtLeast overlaps Services[0].PricingBands[0], which goes to 10',
  ],
  [
    'bands that overlap, whatever their order',
    bands({ AtLeast: 5 }, { AtLeast: 0, LessThan: 6 }),
    'Services[0].PricingBands[0].AtLeast overlaps Services[0].PricingBands[1]',
  ],
  [
    'a band inside another, not beside it',
    bands({ AtLeast: 0, LessThan: 100 }, { AtLeast: 1, LessThan: 2 }, { AtLeast: 50, LessThan: 60 }),
    'Services[0].PricingBands[1].AtLeast overlaps',
    'Services[0].PricingBands[2].AtLeast overlaps',
  ],
  [
    'two bands without end',
    bands({ AtLeast: 0 }, { AtLeast: 10 }),
    'Services[0].PricingBands[1].AtLeast overlaps Services[0].PricingBands[0], which has no end',
  ],
  ['bands that touch', bands({ AtLeast: 0, LessThan: 10 }, { AtLeast: 10 })],
  ['bands with a gap between', bands({ AtLeast: 0, LessThan: 10 }, { AtLeast: 20 })],
  ['bands in any order', bands({ AtLeast: 10 }, { AtLeast: 0, LessThan: 10 })],
  [
    'a price finer than decimals',
    bands({ Price: 0.00001 }),
    'Services[0].PricingBands[0].Price must have at most 4 decimals',
  ],
  [
    'more bands than a service may have',
    bands(...Array.from({ length: 101 }, (_, AtLeast) => ({ AtLeast, LessThan: AtLeast + 1 }))),
    'Services[0].PricingBands must have at most 100 elements',
  ],
  [
    'a formula that does not parse',
    bands({ Formula: 'base + ' }),
    'Services[0].PricingBands[0].Formula must be a formula. The formula ends',
  ],
  [
    'a formula with an unknown name',
    bands({ Formula: 'quantty * 2' }),
    'Services[0].PricingBands[0].Formula must be a formula. Unknown name "quantty" at character 1. Did you mean "quantity"?',
  ],
  [
    'a formula over a text field',
    bands({ Formula: 'color * 2' }),
    'Services[0].PricingBands[0].Formula must be a formula. Unknown name "color"',
  ],
  ['a formula over all it may read', bands({ Formula: 'max(base, unit * quantity) + windows' })],
  [
    'a QuantityFormula that does not parse',
    service({ QuantityFormula: '1 +* 2' }),
    'Services[0].QuantityFormula must be a formula.',
  ],
  ['a band Id of another service', bands({ Id: 99_999 }), 'Services[0].PricingBands[0].Id names an unknown band'],
  [
    'a quantity price that overlaps',
    part({ QtyPricing: [{ AtLeast: 0 }, { AtLeast: 3 }] }),
    'Parts[0].QtyPricing[1].AtLeast overlaps Parts[0].QtyPricing[0], which has no end',
  ],
  [
    'a quantity price formula',
    part({ QtyPricing: [{ Formula: 'nope' }] }),
    'Parts[0].QtyPricing[0].Formula must be a formula. Unknown name "nope"',
  ],
  [
    'a scheduling mode that does not exist',
    service({ SchedulingMode: 5 }),
    'Services[0].SchedulingMode must be 0 to 4',
  ],
  [
    'a season that ends before it starts',
    service({ SeasonStart: '2026-10-01', SeasonExpiration: '2026-09-30' }),
    'Services[0].SeasonExpiration ends the season before it starts',
  ],
  ['a season of one day', service({ SeasonStart: '2026-10-01', SeasonExpiration: '2026-10-01' })],
  ['an invalid moment', service({ SeasonStart: 'soon' }), 'Services[0].SeasonStart must be a date. Write a date'],
  [
    'a minimum below zero',
    service({ MinimumCharge: -1, MinimumSubtotal: -2 }),
    'Services[0].MinimumCharge must be at least 0',
    'Services[0].MinimumSubtotal must be at least 0',
  ],
  [
    'a custom field that does not exist',
    service({ QuantityOverrideCustomFieldId: 77 }),
    'Services[0].QuantityOverrideCustomFieldId names an unknown custom field of type Number: 77',
  ],
  [
    'a custom field that is text',
    service({ UnitPriceOverrideCustomField: 'color' }),
    'Services[0].UnitPriceOverrideCustomField names an unknown custom field',
  ],
  [
    'a custom field, as the base variant spells it',
    service({ CapacityDemandOverrdieCustomFieldId: 2 }),
    'Services[0].CapacityDemandOverrdieCustomFieldId names an unknown custom field',
  ],
  [
    'a part that does not exist',
    service({ LimitedPartIds: [findId(sample, 'parts', 'Kit'), 88_888] }),
    'Services[0].LimitedPartIds[1] names an unknown part: 88888',
  ],
  [
    'a part of a name that does not exist',
    service({ LimitedParts: ['Kit', 'Kat'] }),
    'Services[0].LimitedParts[1] names an unknown part: Kat',
  ],
  [
    'a service that does not exist',
    part({ LimitedServiceIds: [88_888] }),
    'Parts[0].LimitedServiceIds[0] names an unknown service: 88888',
  ],
  [
    'an Id that does not exist',
    { services: [{ Id: 88_888, Name: 'X' }], parts: [{ Id: 88_889 }] },
    'Services[0].Id names an unknown service: 88888',
    'Parts[0].Id names an unknown part: 88889',
  ],
  [
    'a revenue category that does not exist',
    service({ BrandingRevenueCategory: { Name: 'Commercial' } }),
    'Services[0].BrandingRevenueCategory.Name names an unknown branding revenue category: Commercial',
  ],
  [
    'a part category that does not exist',
    service({ QuantityOverridePartCategory: 'Wood' }),
    'Services[0].QuantityOverridePartCategory names an unknown part category: Wood',
  ],
  [
    'a name that is missing',
    { services: [{ BasePrice: 1 }], parts: [{ Name: '  ' }] },
    'Services[0].Name is required, or Id',
    'Parts[0].Name is required, or Id',
  ],
  [
    'a name that is cleared',
    { services: [{ Id: findId(sample, 'services', 'Gutters'), Name: '' }] },
    'Services[0].Name is required',
  ],
  [
    'a name that another record has',
    { services: [{ Id: findId(sample, 'services', 'Gutters'), Name: 'WINDOWS' }] },
    'Services[0].Name is already used by service',
  ],
  [
    'one record in two entries that differ',
    {
      parts: [
        { Name: 'screen', UnitPrice: 1 },
        { Name: 'Screen', UnitPrice: 2 },
      ],
    },
    'Parts[1] contradicts Parts[0], which names the same record',
  ],
  [
    'one record in two entries that agree',
    {
      parts: [
        { Name: 'Screen', UnitPrice: 1 },
        { Name: 'SCREEN ', UnitPrice: 1 },
      ],
    },
    'Parts[1] contradicts',
  ],
  [
    'one new record in two entries that agree',
    {
      parts: [
        { Name: 'Nail', QtyPricing: [{ AtLeast: 5 }] },
        { Name: 'Nail', QtyPricing: [{ AtLeast: 5 }] },
      ],
    },
  ],
  [
    'RangePricing without a maximum',
    part({ RangePricing: true, UnitPrice: 5 }),
    'Parts[0].UnitPriceMax is required with RangePricing',
  ],
  [
    'a maximum below the price',
    part({ RangePricing: true, UnitPrice: 5, UnitPriceMax: 4.99 }),
    'Parts[0].UnitPriceMax must be at least UnitPrice, which is 5',
  ],
  [
    'a price raised above the maximum',
    { parts: [{ Name: 'Screen', UnitPriceMax: 3 }] },
    'Parts[0].UnitPriceMax must be at least UnitPrice, which is 4',
  ],
  ['a range of one price', part({ RangePricing: true, UnitPrice: 5, UnitPriceMax: 5 })],
  [
    'a distribution that ends before it starts',
    part({ DistributionStart: '2026-05-02', DistributionEnd: '2026-05-01' }),
    'Parts[0].DistributionEnd must not be before DistributionStart',
  ],
  [
    'items without an assembly',
    part({ IsAssembly: false, AssemblyItems: [{ PartName: 'Screen', Quantity: 1 }] }),
    'Parts[0].IsAssembly must be true with AssemblyItems',
  ],
  [
    'an item of no quantity',
    part({ AssemblyItems: [{ PartName: 'Screen' }] }),
    'Parts[0].AssemblyItems[0].Quantity must be more than 0',
  ],
  [
    'an item of no part',
    part({ AssemblyItems: [{ Quantity: 1 }] }),
    'Parts[0].AssemblyItems[0].PartId is required, or PartName',
  ],
  [
    'an item twice',
    part({
      AssemblyItems: [
        { PartName: 'Screen', Quantity: 1 },
        { PartName: 'SCREEN', Quantity: 2 },
      ],
    }),
    'Parts[0].AssemblyItems[1].PartId repeats that of Parts[0].AssemblyItems[0]',
  ],
  [
    'an item that does not exist',
    part({ AssemblyItems: [{ PartId: 88_888, Quantity: 1 }] }),
    'Parts[0].AssemblyItems[0].PartId names an unknown part: 88888',
  ],
  [
    'an assembly of itself',
    part({ AssemblyItems: [{ PartName: 'New', Quantity: 1 }] }),
    'Parts[0].AssemblyItems[0].PartId makes an assembly contain itself: New → New',
  ],
  [
    'an assembly of what holds it',
    { parts: [{ Name: 'Screen', AssemblyItems: [{ PartName: 'Kit', Quantity: 1 }] }] },
    'Parts[0].AssemblyItems[0].PartId makes an assembly contain itself: Screen → Kit → Screen',
  ],
  [
    'a solution that does not exist',
    part({ SolutionPrices: [{ PartSolution: 'Kat', UnitPrice: 1 }] }),
    'Parts[0].SolutionPrices[0].PartSolution names an unknown part: Kat',
  ],
  [
    'a part template that does not exist',
    part({ PartTemplate: { OptionName: 'Doors' } }),
    'Parts[0].PartTemplate.OptionName names an unknown part template: Doors',
  ],
  [
    'a category id that does not exist',
    part({ PartCategoryId: 99_999 }),
    'Parts[0].PartCategoryId names an unknown part category: 99999',
  ],
  [
    'a part brought by a service',
    service({ AvailableParts: [{ Name: 'Wax', UnitPriceMax: -1 }] }),
    'Services[0].AvailableParts[0].UnitPriceMax must be at least UnitPrice, which is 0',
  ],
  [
    'a description too long to store',
    service({ CustomProperties: { a: 'x'.repeat(50_000) } }),
    'Services[0] is too large',
  ],
  [
    'a dimension upside down',
    dimension({ Minimum: 5, Maximum: 4 }),
    'Dimensions[0].Maximum must be at least Minimum, which is 5',
  ],
  ['a step of nothing', dimension({ Step: 0 }), 'Dimensions[0].Step must be more than 0'],
  [
    'a step that does not lead to the end',
    dimension({ Minimum: 0, Maximum: 1, Step: 0.3 }),
    'Dimensions[0].Step must lead from Minimum 0 to Maximum 1',
  ],
  ['a step that does, in decimals', dimension({ Minimum: 0, Maximum: 0.3, Step: 0.1 })],
  [
    'options out of bounds',
    dimension({ Minimum: 1, Maximum: 3, Step: 1, Options: ['0', '1', '2.5', '4', '1', 'many', ''] }),
    'Dimensions[0].Options[0] must be at least Minimum',
    'Dimensions[0].Options[2] must be a whole number of Steps',
    'Dimensions[0].Options[3] must be at most Maximum',
    'Dimensions[0].Options[4] repeats Options[1]',
    'Dimensions[0].Options[5] must be a number',
    'Dimensions[0].Options[6] must not be empty',
  ],
  ['options that are words', dimension({ Options: ['Oak', 'Pine'] })],
  [
    'a percentage over 100',
    category({ Percentage: 100.01 }),
    'BrandingRevenueCategories[0].Percentage must be 0 to 100',
  ],
  [
    'a minimum above the maximum',
    category({ Minimum: 10, Maximum: 5 }),
    'BrandingRevenueCategories[0].Maximum must be at least Minimum, which is 10',
  ],
  [
    'a template of no service',
    { proposalTemplates: [{ Name: 'T' }] },
    'ProposalTemplates[0].ServiceId is required, or Service',
  ],
  [
    'a template of a service that does not exist',
    { proposalTemplates: [{ Name: 'T', Service: 'Doors' }] },
    'ProposalTemplates[0].Service names an unknown service: Doors',
  ],
  [
    'a line of nothing',
    line({ Quantity: 1 }),
    'ProposalTemplates[0].ProposalTemplateLines[0].PartId is required, or Name',
  ],
  [
    'a line of a part that does not exist',
    line({ PartId: 88_888 }),
    'ProposalTemplates[0].ProposalTemplateLines[0].PartId names an unknown part: 88888',
  ],
  [
    'a line of a negative quantity',
    line({ Part: 'Kit', Quantity: -1 }),
    'ProposalTemplates[0].ProposalTemplateLines[0].Quantity must be at least 0',
  ],
  [
    'a line Id of another template',
    line({ Id: 99_999, Part: 'Kit' }),
    'ProposalTemplates[0].ProposalTemplateLines[0].Id names an unknown line',
  ],
];

describe('entries of a price book', () => {
  test.each(rows)('%s', (_, input, ...errors) => {
    const found = planErrors(sample, input);
    expect(found.map((error, index) => error.slice(0, errors[index]?.length ?? Infinity))).toEqual(errors);
  });
});

test('a plan has all errors of all kinds at once', () => {
  const input: BookInput = {
    services: [
      { Name: 'A', SchedulingMode: 9, PricingBands: [{ AtLeast: 3, LessThan: 1, Formula: ')' }] },
      { BasePrice: 1 },
    ],
    parts: [{ Name: 'B', RangePricing: true }],
    dimensions: [{ Name: 'C', Step: -1 }],
    revenueCategories: [{ Name: 'D', Percentage: -1 }],
    proposalTemplates: [{ Name: 'E' }],
  };
  expect(planErrors(emptyBook, input).map((error) => error.split(' ')[0])).toEqual([
    'Services[1].Name',
    'BrandingRevenueCategories[0].Percentage',
    'Parts[0].UnitPriceMax',
    'Services[0].PricingBands[0].LessThan',
    'Services[0].PricingBands[0].Formula',
    'Services[0].SchedulingMode',
    'Dimensions[0].Step',
    'ProposalTemplates[0].ServiceId',
  ]);
});

describe('assemblies', () => {
  const chain = (depth: number): PartEntry[] =>
    Array.from({ length: depth + 1 }, (_, level) => ({
      Name: `L${level}`,
      ...(level ? { AssemblyItems: [{ PartName: `L${level - 1}`, Quantity: 1 }] } : {}),
    }));

  test('may be 5 deep', () => expect(planErrors(emptyBook, { parts: chain(5) })).toEqual([]));

  test('may not be deeper, counted with the assemblies that contain the changed one', () => {
    expect(planErrors(emptyBook, { parts: chain(6) })[0]).toBe(
      'Parts[1].AssemblyItems makes assemblies 6 deep; at most 5 are allowed',
    );
    const book = applyEntries(emptyBook, { parts: chain(5) });
    const deeper: BookInput = {
      parts: [{ Name: 'Screw' }, { Name: 'L0', AssemblyItems: [{ PartName: 'Screw', Quantity: 4 }] }],
    };
    expect(planErrors(book, deeper)).toEqual(['Parts[1].AssemblyItems makes assemblies 6 deep; at most 5 are allowed']);
  });
});

test('a list of the book has limited entries and bytes; a larger one may change but not grow', () => {
  const many = (count: number, Description = 'x'.repeat(9_000)) =>
    Array.from({ length: count }, (_, index) => ({ Name: `Service ${index}`, Description }));
  const limit = 'Services exceeds the limit of the price book: at most 1,000 and 660,000 bytes in all';
  expect(planErrors(emptyBook, { services: many(1_001, '') }).filter((error) => error === limit)).toHaveLength(1);
  expect(planErrors(emptyBook, { services: many(70) })).toEqual([limit]);
  const stored = applyEntries(emptyBook, { services: many(59) });
  const [first] = stored.services.values();
  if (!first) throw new Error('no service');
  const more = Array.from({ length: 20 }, (_, index) => ({ ...first, Id: 900 + index, Name: `More ${index}` }));
  const larger = {
    ...stored,
    services: new Map([...stored.services, ...more.map((each) => [each.Id, each] as const)]),
  };
  expect(planErrors(larger, { services: [{ Id: first.Id, Description: 'short' }] })).toEqual([]);
  expect(planErrors(larger, { services: [{ Name: 'One more' }] })).toEqual([limit]);
});
