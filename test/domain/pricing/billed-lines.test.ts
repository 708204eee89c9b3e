import { describe, expect, it } from 'vitest';
import { billedLines, toBilledLine } from '../../../lib/domain/pricing/discounts-and-tax.ts';
import { blankInvoice, blankLine, withTotals } from '../../../lib/domain/invoices/record.ts';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest, PriceBreakdown } from '../../../lib/domain/pricing/types.ts';
import { lines, part, request } from '../../support/pricing.ts';
import { randomRequest } from '../../support/random/random-pricing.ts';

const REQUESTS = Number(process.env['PRICING_REQUESTS'] ?? 250);

const pricedOf = (input: PriceRequest): PriceBreakdown => {
  const answer = price(input);
  if (Array.isArray(answer)) throw new Error(JSON.stringify(answer));
  return answer;
};

const billed = (input: PriceRequest) =>
  billedLines(pricedOf(input), { ...input, taxable: input.taxable ?? input.service.Taxable });

/** The invoice of what was input for, as it is made. */
const invoiceOf = (input: PriceRequest) =>
  withTotals(
    blankInvoice({
      Id: 1,
      OrganizationId: 1,
      ContactId: 1,
      Number: '1',
      Zone: 'UTC',
      Created: 0,
      TaxRate: input.taxRate ?? 0,
      Lines: billed(input).map((line, index) => blankLine({ Id: index + 1, ...line })),
    }),
  );

const of = { ServiceId: null, PartId: 1, Description: 'Sealing', taxable: false };

describe('a billed line', () => {
  it.each([
    [
      { quantity: 3, unitPrice: 19.99, net: 59.97 },
      { Rate: 19.99, Qty: 3 },
    ],
    [
      { quantity: 1, unitPrice: 35, net: 31.42 },
      { Rate: 31.42, Qty: 1 },
    ],
    [
      { quantity: 2, unitPrice: 22.5, net: 35.91 },
      { Rate: 17.955, Qty: 2 },
    ],
    [
      { quantity: 3, unitPrice: 40, net: 100 },
      { Rate: 33.3333, Qty: 3 },
    ],
    [
      { quantity: 0, unitPrice: 12, net: 0 },
      { Rate: 12, Qty: 0 },
    ],
    [
      { quantity: 1.5, unitPrice: -20, net: -30 },
      { Rate: -20, Qty: 1.5 },
    ],
    // 0.0001 for one would be 0.70 for 7,000 and 0.0002 1.40: nothing between.
    [
      { quantity: 7_000, unitPrice: 1, net: 1 },
      { Rate: 1, Qty: 1, Description: 'Sealing (7000)' },
    ],
    [
      { quantity: 7_000, unitPrice: 1, net: 1, UnitOfMeasure: 'ft' },
      { Rate: 1, Qty: 1, Description: 'Sealing (7000 ft)' },
    ],
    [
      { quantity: 12, unitPrice: undefined, net: 100 },
      { Rate: 100, Qty: 1, Description: 'Sealing (12)' },
    ],
    [
      { quantity: 1, unitPrice: undefined, net: 100 },
      { Rate: 100, Qty: 1 },
    ],
  ])('of %j is %j', (input, expected) => {
    expect(toBilledLine({ ...of, ...input })).toEqual({
      ServiceId: null,
      PartId: 1,
      Description: 'Sealing',
      Taxable: false,
      Extended: input.net,
      ...expected,
    });
  });
});

describe('the lines of an invoice', () => {
  it('are the service with its minimum, and every line that counts, free ones too', () => {
    const input = request(
      { Name: 'Windows', UnitPrice: 5, MinimumCharge: 70, Taxable: true },
      {
        parts: new Map([
          [1, part(1, { UnitPrice: 8, Taxable: true })],
          [2, part(2, { UnitPrice: 3 })],
          [3, part(3, { UnitPrice: 9, IsInternal: true })],
          [4, part(4, { UnitPrice: 4 })],
        ]),
        quantity: 12,
        lines: lines({ quantity: 1.5 }, { optionId: 1 }, {}, { isZeroPrice: true }),
        taxRate: 8.25,
      },
    );
    // 12 × 5.00 = 60.00 and 12.00 are more than 70.00: nothing is added. Tax 4.95 and 0.99.
    expect(billed(input)).toEqual([
      { ServiceId: 1, PartId: null, Description: 'Windows', Rate: 5, Qty: 12, Extended: 60, Taxable: true },
      { ServiceId: null, PartId: 1, Description: 'Part 1', Rate: 8, Qty: 1.5, Extended: 12, Taxable: true },
      { ServiceId: null, PartId: 4, Description: 'Part 4', Rate: 0, Qty: 1, Extended: 0, Taxable: false },
    ]);
    expect(invoiceOf(input)).toMatchObject({ Subtotal: 72, Tax: 5.94, Total: 77.94, BalanceDue: 77.94 });
  });

  it('say what the request said they are', () => {
    const input = request({ Name: 'Windows' }, { lines: [{ unitPrice: 5, quantity: 2 }, { unitPrice: 1 }] });
    const details = billedLines(pricedOf(input), { ...input, taxable: false, descriptions: ['Ladder', undefined] });
    expect(details.map(({ Description }) => Description)).toEqual(['Windows', 'Ladder', '']);
  });

  it('come to the total, and each to the tax, of what was priced, whatever it is', () => {
    for (let seed = 1; seed <= REQUESTS; seed++) {
      const input = randomRequest(seed);
      const result = pricedOf(input);
      const invoice = invoiceOf(input);
      expect([seed, invoice.Subtotal, invoice.Tax, invoice.Total]).toEqual([
        seed,
        result.net,
        result.tax,
        result.total,
      ]);
      const taxes = [result.service.tax, ...result.lines.filter(({ counts }) => counts).map(({ tax }) => tax)];
      expect(invoice.Lines.map((line) => withTotals({ ...invoice, Lines: [line] }).Tax)).toEqual(taxes);
      expect(invoice.Lines.map(({ Extended }) => Extended)).toEqual(billed(input).map(({ Extended }) => Extended));
    }
  });
});
