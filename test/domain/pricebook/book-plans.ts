import { type BookPlan, type PlanScope, planBook } from '../../../lib/domain/pricebook/plan.ts';
import type { BookIdKind } from '../../../lib/domain/pricebook/id-kinds.ts';
import { type BookInput, type PriceBook, emptyBook } from '../../../lib/domain/pricebook/record.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';

const field = (Id: number, Name: string, Shortcode: string, Type: number): CustomField => ({
  Id,
  Name,
  Shortcode,
  Type,
  FormField: '',
  Value: null,
  TableType: 5,
  Phase: null,
  Required: false,
  HelpText: '',
  CustomFieldCategory: '',
  CheckboxListOptionId: null,
  CheckboxListOptionName: '',
  Options: [],
});

/** A number `windows` (1) and a text `color` (2). */
export const customFields = [field(1, 'Number of windows', 'windows', 1), field(2, 'Colour', 'color', 0)];

const scope = (over: Partial<PlanScope>): PlanScope => ({
  organizationId: null,
  accountWide: true,
  customFields,
  now: new Date('2026-11-21T12:00:00Z'),
  ids: {},
  ...over,
});

/** Ids above all that the book has. */
function newIds(book: PriceBook, needs: Partial<Record<BookIdKind, number>>): PlanScope['ids'] {
  const used = JSON.stringify(Object.values(book).map((records) => [...records.values()]));
  const last = Math.max(0, ...[...used.matchAll(/"\w*Id":(\d+)/g)].map(([, id]) => Number(id)));
  return Object.fromEntries(
    Object.entries(needs).map(([kind, count]) => [kind, Array.from({ length: count }, (_, index) => last + index + 1)]),
  );
}

/** Plans with as many ids as the plan needs. */
export function planEntries(book: PriceBook, input: BookInput, over: Partial<PlanScope> = {}): BookPlan {
  const trial = planBook(book, input, scope(over));
  return trial.kind === 'invalid' ? trial : planBook(book, input, scope({ ...over, ids: newIds(book, trial.needs) }));
}

/** The book after valid entries. */
export function applyEntries(book: PriceBook, input: BookInput, over: Partial<PlanScope> = {}): PriceBook {
  const plan = planEntries(book, input, over);
  if (plan.kind === 'invalid') throw new Error(JSON.stringify(plan.errors));
  return plan.book;
}

/** The errors of a plan, as `field message`. */
export function planErrors(book: PriceBook, input: BookInput, over: Partial<PlanScope> = {}): string[] {
  const plan = planEntries(book, input, over);
  return plan.kind === 'invalid' ? plan.errors.map(({ field, message }) => `${field} ${message}`) : [];
}

/**
 * A window cleaner's book: parts 1 Screen, 2 Track, 3 Kit (of both); service 4 Windows with a band, 5 Gutters; the
 * others by what they are.
 */
export const sample: PriceBook = applyEntries(emptyBook, {
  revenueCategories: [{ Name: 'Residential', Percentage: 6 }],
  partTemplates: [{ OptionName: 'Screens', Selected: true }],
  parts: [
    { Name: 'Screen', UnitPrice: 4, Category: 'Cleaning', PartTemplate: { OptionName: 'Screens' } },
    { Name: 'Track', UnitPrice: 2.5, QtyPricing: [{ AtLeast: 10, Price: 2 }], Category: 'cleaning' },
    {
      Name: 'Kit',
      AssemblyItems: [
        { PartName: 'Screen', Quantity: 2 },
        { PartName: 'track', Quantity: 1 },
      ],
    },
  ],
  services: [
    {
      Name: 'Windows',
      UnitPrice: 9,
      Duration: 60,
      PricingBands: [
        { AtLeast: 0, LessThan: 10, Price: 10 },
        { AtLeast: 10, Price: 8, Formula: 'base + windows * 2' },
      ],
    },
    { Name: 'Gutters', BasePrice: 150, BrandingRevenueCategory: { Name: 'residential' } },
  ],
  dimensions: [{ Name: 'Length', Minimum: 1, Maximum: 10, Step: 0.5, UnitOfMeasure: 'ft', Parts: ['Screen'] }],
  proposalTemplates: [
    {
      Name: 'Spring clean',
      Service: 'Windows',
      ProposalTemplateLines: [
        { Part: 'Screen', Quantity: 1 },
        { Name: 'Advice', Order: 9 },
      ],
    },
  ],
});

/** The id of a record by name. */
export const findId = (book: PriceBook, kind: keyof PriceBook, name: string): number =>
  [...book[kind].values()].find((record) => ('Name' in record ? record.Name : record.OptionName) === name)?.Id ?? 0;
