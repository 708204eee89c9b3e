import type { ProposalTemplate } from '../../../lib/entities/price-book.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandTemplate } from '../../../lib/domain/proposals/quote.ts';

type Line = ProposalTemplate['ProposalTemplateLines'][number];

const line = (overrides: Partial<Line> = {}): Line => ({
  Id: 7,
  Option: '',
  Quantity: null,
  Name: '',
  Description: '',
  ProposalTemplateId: 3,
  PartId: 5,
  Order: 1,
  IsInternal: false,
  IsZeroPrice: false,
  QtyIsPercent: false,
  ...overrides,
});

const template = (lines: readonly Line[], overrides: Partial<ProposalTemplate> = {}): ProposalTemplate => ({
  Id: 3,
  Name: 'Spring',
  IsActive: true,
  Quantity: null,
  ServiceId: 9,
  ServiceDescription: '',
  CustomerNote: '',
  OrganizationId: 0,
  CreatedAt: '2026-03-08T00:00:00Z',
  UpdatedAt: '2026-03-08T00:00:00Z',
  ProposalTemplateLines: [...lines],
  ...overrides,
});

const linesOf = (lines: readonly Line[], quantity = 1) => expandTemplate(template(lines), quantity).lines;

test('a template sets the description, the note and the quantity', () => {
  const overrides = { Quantity: 6, ServiceDescription: 'A complete system', CustomerNote: 'Prices hold for 30 days.' };
  expect(expandTemplate(template([], overrides), 6)).toEqual({
    quantity: 6,
    description: 'A complete system',
    customerNotes: 'Prices hold for 30 days.',
    lines: [],
  });
});

test('a line has its part, order and flags, and its place as id', () => {
  const [first, second] = linesOf([
    line({ Order: 10, IsInternal: true }),
    line({ Id: 8, PartId: 6, Order: 20, IsZeroPrice: true, Quantity: 2 }),
  ]);
  expect(first).toEqual({
    id: 1,
    partId: 5,
    quantity: null,
    option: '',
    description: '',
    notes: '',
    sortIndex: 10,
    isInternal: true,
    isZeroPrice: false,
  });
  expect(second).toMatchObject({ id: 2, partId: 6, quantity: 2, sortIndex: 20, isInternal: false, isZeroPrice: true });
});

test.each([
  // Percent of the quantity of the proposal: 25 % of 12 windows are 3.
  [12, 25, true, 3],
  [12, 150, true, 18],
  [5000, 0.5, true, 25],
  // 0.3333 × 7 × 0.01 = 0.023331, four decimals.
  [7, 0.3333, true, 0.0233],
  [12, 0, true, 0],
  [12, 25, false, 25],
])('of %d, a line of %d (percent: %s) is %d', (quantity, input, QtyIsPercent, expected) => {
  expect(linesOf([line({ Quantity: input, QtyIsPercent })], quantity)[0]?.quantity).toBe(expected);
});

test('a line without a quantity leaves it to the part, percent or not', () => {
  expect(linesOf([line({ QtyIsPercent: true }), line()], 12).map(({ quantity }) => quantity)).toEqual([null, null]);
});

test('a line is described by its name, else by its description; with both, the description is its note', () => {
  const visible = ({ description, notes }: { description: string; notes: string }) => [description, notes];
  const [references, described, both, neither] = linesOf([
    line({ Name: 'Edging' }),
    line({ Description: 'Steel, 4 in' }),
    line({ Name: 'Edging', Description: 'Steel, 4 in' }),
    line(),
  ]);
  expect([references, described, both, neither].map((each) => each && visible(each))).toEqual([
    ['Edging', ''],
    ['Steel, 4 in', ''],
    ['Edging', 'Steel, 4 in'],
    ['', ''],
  ]);
});

test('option names that differ in case, accents or blanks only are one option, written as the first', () => {
  const options = ['Éco', ' eco ', 'Best', '', 'ECO', 'best', '  '].map((Option) => line({ Option }));
  expect(linesOf(options).map(({ option }) => option)).toEqual(['Éco', 'Éco', 'Best', '', 'Éco', 'Best', '']);
});

test('every line of a template appears once, in order, with a quantity of at most 4 decimals', () => {
  const quantities = fc.option(fc.integer({ min: 0, max: 10_000_000 }).map((n) => n / 10_000));
  const any = fc.array(
    fc
      .record({
        Quantity: quantities,
        QtyIsPercent: fc.boolean(),
        PartId: fc.nat(9),
        Option: fc.constantFrom('', 'Good', 'Best'),
      })
      .map(line),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(
      any,
      fc.integer({ min: 0, max: 100_000_000 }).map((n) => n / 10_000),
      (input, quantity) => {
        const made = linesOf(input, quantity);
        expect(made.map(({ id, partId, option }) => [id, partId, option])).toEqual(
          input.map(({ PartId, Option }, index) => [index + 1, PartId, Option]),
        );
        for (const [index, { quantity: of }] of made.entries()) {
          const { Quantity, QtyIsPercent } = input[index] as Line;
          if (Quantity === null) expect(of).toBeNull();
          else expect(of).toBeCloseTo(QtyIsPercent ? (quantity * Quantity) / 100 : Quantity, 3);
          if (of !== null) expect(Number(of.toFixed(4))).toBe(of);
        }
      },
    ),
  );
});
