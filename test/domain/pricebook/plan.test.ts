import { Service, ServiceDetailed } from '../../../lib/entities/services.ts';
import { Part, PartDetailed } from '../../../lib/entities/parts.ts';
import { Dimension, ProposalTemplate } from '../../../lib/entities/price-book.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { availableParts } from '../../../lib/domain/pricebook/availability.ts';
import {
  dimensionToResource,
  partToDetailedResource,
  partToResource,
} from '../../../lib/domain/pricebook/part-to-resource.ts';
import { bookToInput } from '../../../lib/domain/pricebook/export-book.ts';
import { type PriceBook, emptyBook } from '../../../lib/domain/pricebook/record.ts';
import { serviceToDetailedResource, serviceToResource } from '../../../lib/domain/pricebook/service-to-resource.ts';
import type { BookInput } from '../../../lib/domain/pricebook/record.ts';
import { PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../../lib/resources/price-book.ts';
import { outputsOf } from '../../support/random/outputs.ts';
import { applyEntries, customFields, planErrors, findId, sample, planEntries } from './book-plans.ts';

/** Bands of whole tens, some left out, in any order. */
const bands = fc
  .shuffledSubarray([0, 1, 2, 3, 4])
  .map((tens) =>
    tens.map((ten) => ({
      AtLeast: ten * 10,
      LessThan: ten === 4 ? null : ten * 10 + 7,
      Price: ten / 4,
      Formula: ten === 2 ? 'unit * windows' : '',
    })),
  );

/** The fields of a whole response that say nothing of other things. */
const alone = (fields: Record<string, unknown>, ...apart: string[]) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) =>
        !/Id$|^Id$|Ids$|Start$|Expiration$|End$|Parts$|^BrandingRevenueCategory$|Formula$|^SchedulingMode$|_Days$|_On$/.test(
          name,
        ) && !apart.includes(name),
    ),
  );

/** Days of the week exclude another interval. */
const onWeekdays = { IntervalDays: 0, RecurringEventSetting_Type: null };
const intervals = fc.constantFrom(
  {},
  { ...onWeekdays, RecurringEventSetting_Days: ['thursday', 'Mon'] },
  { ...onWeekdays, RecurringEventSetting_On: 'the last fri' },
);

const services = fc
  .tuple(outputsOf(Service), outputsOf(ServiceDetailed), bands, fc.boolean(), intervals)
  .map(([base, detailed, PricingBands, whole, interval]) => ({
    ...alone(base),
    ...(whole ? alone(detailed) : {}),
    PricingBands,
    MinimumCharge: 5,
    MinimumSubtotal: null,
    SeasonStart: '2026-03-01',
    SeasonExpiration: '2026-10-31',
    BrandingRevenueCategory: { Name: 'Residential' },
    QuantityOverrideCustomFieldId: 1,
    LimitedParts: ['Part 0', 'Part 1'],
    QuantityFormula: 'quantity + windows',
    ...interval,
  }));
const categories = fc.constantFrom(null, { Name: 'Wood' }, { Name: 'wood' }, { Name: 'Metal' });
const parts = fc
  .tuple(outputsOf(Part), outputsOf(PartDetailed), bands, categories)
  .map(([base, detailed, QtyPricing, PartCategory]) => ({
    ...alone(base, 'PartTemplate', 'SolutionPrices', 'AssemblyItems'),
    ...alone(detailed, 'SolutionPrices', 'AssemblyItems', 'PartSubcategory1', 'PartSubcategory2'),
    RangePricing: false,
    UnitPriceMax: null,
    IsAssembly: true,
    QtyPricing,
    PartCategory,
    PartTemplate: { OptionName: 'Screens' },
  }));

/** A book's worth of entries of all that a variant has, which name each other in every way there is. */
const givenBooks: fc.Arbitrary<BookInput> = fc
  .tuple(fc.array(services, { maxLength: 4 }), fc.array(parts, { minLength: 2, maxLength: 5 }))
  .map(([some, others]) => ({
    revenueCategories: [{ Name: 'Residential', Percentage: 6, MaximumPeriod: 'Month' as const }],
    partTemplates: [{ OptionName: 'Screens' }],
    services: some.map((entry, index) => ({ ...(entry as ServiceEntry), Name: `Service ${index}` })),
    parts: others.map((entry, index) => ({
      ...(entry as PartEntry),
      Name: `Part ${index}`,
      ...(index > 1
        ? {
            AssemblyItems: [{ PartName: 'Part 0', Quantity: 1.5 }],
            LimitedServices: some.length ? ['service 0'] : [],
            SolutionPrices: [{ PartSolution: 'Part 1', UnitPrice: 2 }],
          }
        : {}),
    })),
    dimensions: [{ Name: 'Length', Options: ['1', '2'], Parts: ['Part 1'] }],
    proposalTemplates: some.length
      ? [
          {
            Name: 'T',
            Service: 'Service 0',
            ProposalTemplateLines: [
              { Order: 2, Name: 'b' },
              { Order: 1, Part: 'Part 0' },
            ],
          },
        ]
      : [],
  }));

const books = givenBooks.map((input) => ({ input, book: applyEntries(emptyBook, input) }));
const context = (book: PriceBook) => ({
  partName: (id: number) => book.parts.get(id)?.Name ?? '',
  partTemplates: book.partTemplates,
});
const changesOf = (book: PriceBook, input: BookInput) => {
  const plan = planEntries(book, input);
  return plan.kind === 'invalid' ? plan.errors : plan.changes;
};
const check = (property: (of: { input: BookInput; book: PriceBook }) => void) =>
  fc.assert(fc.property(books, property), { numRuns: Number(process.env['BOOK_PLANS'] ?? 25) });

describe('any valid price book', () => {
  test('does not change when its entries are applied again', () => {
    check(({ input, book }) => {
      expect(changesOf(book, input)).toEqual([]);
    });
  });

  test('gives resources of both variants exactly as the response schema', () => {
    check(({ book }) => {
      for (const part of book.parts.values()) {
        expect(
          Part.output()
            .strict()
            .parse(partToResource(part, context(book))),
        ).toBeTruthy();
        expect(PartDetailed.output().strict().parse(partToDetailedResource(part))).toBeTruthy();
      }
      for (const service of book.services.values()) {
        const own = availableParts(service, [...book.parts.values()]).map((part) =>
          partToResource(part, context(book)),
        );
        expect(Service.output().strict().parse(serviceToResource(service, own)).AvailableParts).toHaveLength(
          own.length,
        );
        expect(
          ServiceDetailed.output()
            .strict()
            .parse(serviceToDetailedResource(service, own, book)),
        ).toBeTruthy();
      }
      for (const dimension of book.dimensions.values())
        expect(Dimension.output().strict().parse(dimensionToResource(dimension))).toBeTruthy();
      for (const template of book.proposalTemplates.values())
        expect(ProposalTemplate.output().strict().parse(template)).toBeTruthy();
    });
  });

  test('does not change when its resources are sent back, in either variant', () => {
    check(({ book }) => {
      const all = [...book.parts.values()];
      const visible = all.map((part) => partToResource(part, context(book)));
      const own = (id: number) =>
        visible.filter((_, index) => availableParts(book.services.get(id) as never, all).includes(all[index] as never));
      const services = [...book.services.values()];
      expect(
        changesOf(book, {
          parts: visible,
          services: services.map((service) => serviceToResource(service, own(service.Id)) as ServiceEntry),
        }),
      ).toEqual([]);
      const detailed = services.map((service) => serviceToDetailedResource(service, own(service.Id), book));
      expect(changesOf(book, { parts: all.map(partToDetailedResource), services: detailed })).toEqual([]);
    });
  });

  test('exports entries without ids, which make the same export in another account', () => {
    check(({ book }) => {
      const input = bookToInput(book, customFields, null);
      // Custom properties have any names, also that one.
      const listed = JSON.stringify(input, (name, value: unknown) => (name === 'CustomProperties' ? {} : value));
      expect(listed).not.toMatch(/"Id"/);
      for (const entry of input.services ?? []) ServiceEntry.input().parse(entry);
      for (const entry of input.parts ?? []) PartEntry.input().parse(entry);
      for (const entry of input.proposalTemplates ?? []) ProposalTemplateEntry.input().parse(entry);
      expect(changesOf(book, input)).toEqual([]);
      expect(bookToInput(applyEntries(emptyBook, input), customFields, null)).toEqual(input);
    });
  });

  test('is written with items before the assemblies that contain them', () => {
    check(({ input }) => {
      const plan = planEntries(emptyBook, { ...input, parts: [...(input.parts ?? [])].reverse() });
      if (plan.kind === 'invalid') throw new Error('invalid');
      const seen = new Set<number>();
      for (const change of plan.changes) {
        if (change.kind === 'parts')
          for (const { PartId } of (change.after as unknown as { AssemblyItems: { PartId: number }[] }).AssemblyItems)
            expect(seen).toContain(PartId);
        if (change.kind === 'parts') seen.add(change.after.Id);
      }
    });
  });
});

describe('applying entries to a book', () => {
  test('an absent field stays, null clears it, a list replaces the earlier one', () => {
    const Id = findId(sample, 'services', 'Windows');
    const was = sample.services.get(Id);
    const kept = applyEntries(sample, { services: [{ Id, Description: 'Inside and out' }] }).services.get(Id);
    expect(kept).toEqual({ ...was, Description: 'Inside and out' });
    const cleared = applyEntries(sample, {
      services: [{ Id, UnitPrice: null, Duration: null, PricingBands: [] }],
    }).services.get(Id);
    expect(cleared).toEqual({ ...was, UnitPrice: 0, BaseDuration: 0, PricingBands: [] });
  });

  test('bands keep their ids by AtLeast, and are in its order', () => {
    const Id = findId(sample, 'services', 'Windows');
    const [low, high] = sample.services.get(Id)?.PricingBands ?? [];
    const PricingBands = [
      { AtLeast: 10, LessThan: 50, Price: 7 },
      { AtLeast: 50, Price: 6 },
      { AtLeast: 0, LessThan: 10, Price: 10 },
    ];
    const bands = applyEntries(sample, { services: [{ Id, PricingBands }] }).services.get(Id)?.PricingBands;
    expect(bands?.map(({ Id, AtLeast, Price }) => [Id, AtLeast, Price])).toEqual([
      [low?.Id, 0, 10],
      [high?.Id, 10, 7],
      [expect.any(Number), 50, 6],
    ]);
    expect(bands?.[1]?.Formula).toBe(high?.Formula);
  });

  test('a season is stored as its calendar dates, and shown as their midnights of UTC', () => {
    const [service] = [
      ...applyEntries(emptyBook, {
        services: [{ Name: 'Mowing', SeasonStart: '2026-03-08', SeasonExpiration: '10/31/2026' }],
      }).services.values(),
    ];
    expect([service?.SeasonStart, service?.SeasonExpiration]).toEqual(['2026-03-08', '2026-10-31']);
    const resource = { SeasonStart: '2026-03-08T00:00:00Z', SeasonExpiration: '2026-10-31T00:00:00Z' };
    expect(service && serviceToResource(service, [])).toMatchObject(resource);
    expect(service && serviceToDetailedResource(service, [], { revenueCategories: new Map() })).toMatchObject(resource);
  });

  test('a category name, ignoring case, is one category', () => {
    const [screen, track] = [...sample.parts.values()];
    expect(screen?.PartCategory).toEqual({ Id: expect.any(Number), Name: 'Cleaning' });
    expect(track?.PartCategory).toEqual(screen?.PartCategory);
  });

  test('the template of a part has the Selected of the part', () => {
    const Id = findId(sample, 'parts', 'Screen');
    const book = applyEntries(sample, { parts: [{ Id, PartTemplate: { OptionName: 'screens', Selected: false } }] });
    const screen = book.parts.get(Id);
    expect(screen?.PartTemplateOptionSelectedOverride).toBe(false);
    expect(screen && partToResource(screen, context(book)).PartTemplate?.Selected).toBe(false);
    expect(applyEntries(book, { partTemplates: [{ OptionName: 'Screens', Selected: false }] }).parts.get(Id)).toEqual(
      screen,
    );
  });

  test('UpdatedAt is the moment of a change, not of an unchanged entry', () => {
    const now = new Date('2027-01-01T00:00:00Z');
    const same = applyEntries(sample, { proposalTemplates: [{ Name: 'Spring clean', IsActive: true }] }, { now });
    expect([...same.proposalTemplates.values()]).toEqual([...sample.proposalTemplates.values()]);
    const other = applyEntries(
      sample,
      {
        proposalTemplates: [{ Name: 'Spring clean', IsActive: false }],
        revenueCategories: [{ Name: 'Residential', Percentage: 7 }],
      },
      { now },
    );
    expect([...other.proposalTemplates.values()][0]).toMatchObject({
      CreatedAt: '2026-11-21T12:00:00Z',
      UpdatedAt: '2027-01-01T00:00:00Z',
    });
    expect([...other.revenueCategories.values()][0]).toMatchObject({
      CreatedAt: '2026-11-21T12:00:00Z',
      UpdatedAt: '2027-01-01T00:00:00Z',
      Percentage: 7,
    });
  });
});

describe('the parts in the entry of a service', () => {
  const names = (book: PriceBook, service: string) =>
    availableParts(book.services.get(findId(book, 'services', service)) as never, [...book.parts.values()]).map(
      ({ Name }) => Name,
    );

  test('become its parts; other services do not get a new one', () => {
    const book = applyEntries(sample, {
      services: [{ Name: 'Windows', AvailableParts: [{ Name: 'Screen' }, { Name: 'Wax', UnitPrice: 3 }] }],
    });
    expect(names(book, 'Windows')).toEqual(['Screen', 'Wax']);
    expect(names(book, 'Gutters')).toEqual(['Screen', 'Track', 'Kit']);
    const both = applyEntries(book, { services: [{ Name: 'Gutters', AvailableParts: [{ Name: 'WAX' }] }] });
    expect([names(both, 'Windows'), names(both, 'Gutters')]).toEqual([['Screen', 'WAX'], ['WAX']]);
  });

  test('limit nothing where the list is empty, or the service has these parts already', () => {
    const id = findId(sample, 'services', 'Windows');
    expect(changesOf(sample, { services: [{ Id: id, AvailableParts: [] }] })).toEqual([]);
    const all = [...sample.parts.values()].map(({ Id }) => ({ Id }));
    expect(changesOf(sample, { services: [{ Id: id, AvailableParts: all }] })).toEqual([]);
  });
});

describe('an organization', () => {
  const own = { organizationId: 7, accountWide: false };

  test('means its own service where one of all has the same name', () => {
    const book = applyEntries(sample, { services: [{ Name: 'Doors', BasePrice: 1 }] }, own);
    const doors = book.services.get(findId(book, 'services', 'Doors'));
    expect(doors?.OrganizationId).toBe(7);
    const wide = applyEntries(book, { services: [{ Name: 'doors', BasePrice: 2 }] });
    expect(
      [...wide.services.values()]
        .filter(({ Name }) => /doors/i.test(Name))
        .map(({ OrganizationId, BasePrice }) => [OrganizationId, BasePrice]),
    ).toEqual([
      [7, 1],
      [null, 2],
    ]);
    const changed = applyEntries(wide, { services: [{ Name: 'Doors', BasePrice: 3 }] }, own);
    expect(changed.services.get(doors?.Id ?? 0)?.BasePrice).toBe(3);
  });

  test('that names a service of all makes one of its own and leaves that of all unchanged', () => {
    const book = applyEntries(
      sample,
      {
        services: [{ Name: 'gutters', BasePrice: 99 }],
        proposalTemplates: [
          { Name: 'Spring clean', Service: 'Gutters' },
          { Name: 'Fall', Service: 'Windows' },
        ],
      },
      own,
    );
    expect(
      [...book.services.values()]
        .filter(({ Name }) => /gutters/i.test(Name))
        .map(({ OrganizationId, BasePrice }) => [OrganizationId, BasePrice]),
    ).toEqual([
      [null, 150],
      [7, 99],
    ]);
    expect([...book.proposalTemplates.values()].map(({ Name, OrganizationId }) => [Name, OrganizationId])).toEqual([
      ['Spring clean', 0],
      ['Spring clean', 7],
      ['Fall', 7],
    ]);
    expect(changesOf(book, bookToInput(book, customFields, null))).toEqual([]);
    const plan = planEntries(book, bookToInput(book, customFields, 7), own);
    expect(plan.kind === 'ready' && plan.changes).toEqual([]);
    const other = applyEntries(book, { proposalTemplates: [{ Name: 'Spring clean', Service: 'Windows' }] });
    expect([...other.proposalTemplates.values()]).toEqual([...book.proposalTemplates.values()]);
    const ServiceId = [...book.services.values()].find(({ OrganizationId }) => OrganizationId === 7)?.Id ?? 0;
    expect(planErrors(book, { proposalTemplates: [{ Name: 'T', ServiceId }] })).toEqual([
      'ProposalTemplates[0].ServiceId names a service of organization 7 alone',
    ]);
  });

  test('cannot change what belongs to all with a key of its own, but can send it back unchanged', () => {
    const Id = findId(sample, 'services', 'Gutters');
    expect(planErrors(sample, { services: [{ Id, BasePrice: 150 }] }, own)).toEqual([]);
    expect(planErrors(sample, { services: [{ Id, BasePrice: 1 }] }, own)).toEqual([
      `Services[0] changes service ${Id} of the whole account. Use a key of the account`,
    ]);
    expect(planErrors(sample, { services: [{ Name: 'Doors', AvailableParts: [{ Name: 'Wax' }] }] }, own)).toEqual([
      'Services[0].AvailableParts[0] makes a new part of the whole account. Use a key of the account',
    ]);
    expect(planErrors(sample, { services: [{ Id, BasePrice: 1 }] }, { organizationId: 7, accountWide: true })).toEqual(
      [],
    );
  });

  test('cannot name services of another', () => {
    const book = applyEntries(sample, { services: [{ Name: 'Doors' }] }, own);
    const Id = findId(book, 'services', 'Doors');
    const other = { organizationId: 8, accountWide: false };
    expect(planErrors(book, { services: [{ Id }] }, other)).toEqual([`Services[0].Id names an unknown service: ${Id}`]);
    expect(applyEntries(book, { services: [{ Name: 'Doors' }] }, other).services.size).toBe(book.services.size + 1);
  });
});
