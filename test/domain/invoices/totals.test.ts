import {
  type InvoiceLineRecord,
  type InvoiceRecord,
  InvoiceStatus,
  InvoiceType,
} from '../../../lib/entities/invoices.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankInvoice, blankLine, withBalance, withTotals } from '../../../lib/domain/invoices/record.ts';

const CREATED = Date.UTC(2026, 2, 9, 14);
const LATER = CREATED + 86_400_000;

type Spec = readonly [rate: number, quantity: number, taxable?: 'taxed' | ''];

const invoiceOf = (lines: readonly Spec[], input: Partial<InvoiceRecord> = {}): InvoiceRecord =>
  blankInvoice({
    Id: 7,
    OrganizationId: 1,
    ContactId: 3,
    Number: '7',
    Zone: 'America/New_York',
    Created: CREATED,
    Lines: lines.map(([Rate, Qty, taxable], index) =>
      blankLine({ Id: index + 1, Rate, Qty, Taxable: taxable === 'taxed' }),
    ),
    ...input,
  });

interface Case {
  readonly name: string;
  readonly lines: readonly Spec[];
  readonly rate?: number;
  readonly input?: Partial<InvoiceRecord>;
  readonly extended: readonly number[];
  readonly figures: readonly [subtotal: number, tax: number, total: number, due: number];
  readonly status?: keyof typeof InvoiceStatus;
}

const cases: readonly Case[] = [
  { name: 'one line: 100 × 1 = 100.00', lines: [[100, 1]], extended: [100], figures: [100, 0, 100, 100] },
  {
    name: '3 × 19.99 = 59.97 at 8.25 % = 4.947525 → 4.95, and 40.00 untaxed',
    lines: [
      [19.99, 3, 'taxed'],
      [40, 1],
    ],
    rate: 8.25,
    extended: [59.97, 40],
    figures: [99.97, 4.95, 104.92, 104.92],
  },
  {
    name: 'tax a line: 0.50 at 5 % = 0.025 → 0.03, twice is 0.06, not 5 % of 1.00',
    lines: [
      [0.5, 1, 'taxed'],
      [0.5, 1, 'taxed'],
    ],
    rate: 5,
    extended: [0.5, 0.5],
    figures: [1, 0.06, 1.06, 1.06],
  },
  {
    name: '19.995 × 1.5 = 29.9925 → 29.99',
    lines: [[19.995, 1.5]],
    extended: [29.99],
    figures: [29.99, 0, 29.99, 29.99],
  },
  {
    name: '1.005 × 1 = 1.005 → 1.01, where binary says 1.00',
    lines: [[1.005, 1]],
    extended: [1.01],
    figures: [1.01, 0, 1.01, 1.01],
  },
  {
    name: '0.333 × 1.5 = 0.4995 → 0.50, rounded once and not by way of 4 decimals',
    lines: [[0.333, 1.5]],
    extended: [0.5],
    figures: [0.5, 0, 0.5, 0.5],
  },
  {
    name: '0.1 × 0.04999 = 0.004999 → 0.00, not 0.0050 → 0.01',
    lines: [
      [0.1, 0.04999],
      [1, 1],
    ],
    extended: [0, 1],
    figures: [1, 0, 1, 1],
  },
  {
    name: 'ten lines of 0.10 and 0.20: 1.50',
    lines: Array.from({ length: 10 }, (_, index) => [index % 2 ? 0.1 : 0.2, 1] as const),
    extended: Array.from({ length: 10 }, (_, index) => (index % 2 ? 0.1 : 0.2)),
    figures: [1.5, 0, 1.5, 1.5],
  },
  {
    name: '100.00 at 8.875 % = 8.875 → 8.88',
    lines: [[100, 1, 'taxed']],
    rate: 8.875,
    extended: [100],
    figures: [100, 8.88, 108.88, 108.88],
  },
  {
    name: 'a rate without taxable lines taxes nothing',
    lines: [[100, 1]],
    rate: 8.875,
    extended: [100],
    figures: [100, 0, 100, 100],
  },
  {
    name: 'a discount line: 120.00 − 20.00, taxed 10 %: 12.00 − 2.00',
    lines: [
      [120, 1, 'taxed'],
      [-20, 1, 'taxed'],
    ],
    rate: 10,
    extended: [120, -20],
    figures: [100, 10, 110, 110],
  },
  {
    name: 'a refund mirrors its charge: −0.50 at 5 % = −0.025 → −0.03',
    lines: [[-0.5, 1, 'taxed']],
    rate: 5,
    input: { InvoiceType: InvoiceType.Credit },
    extended: [-0.5],
    figures: [-0.5, -0.03, -0.53, -0.53],
  },
  {
    name: '−1.005 × 1 → −1.01',
    lines: [[-1.005, 1]],
    input: { InvoiceType: InvoiceType.Credit },
    extended: [-1.01],
    figures: [-1.01, 0, -1.01, -1.01],
  },
  {
    name: 'a total of nothing is Paid',
    lines: [
      [50, 1],
      [-50, 1],
    ],
    extended: [50, -50],
    figures: [0, 0, 0, 0],
    status: 'Paid',
  },
  {
    name: 'an unapproved one of nothing is not',
    lines: [[0, 1]],
    input: { Status: InvoiceStatus.Unapproved },
    extended: [0],
    figures: [0, 0, 0, 0],
    status: 'Unapproved',
  },
  {
    name: '107.20 with 100.00 paid: 7.20 due',
    lines: [[107.2, 1]],
    input: { Paid: 100 },
    extended: [107.2],
    figures: [107.2, 0, 107.2, 7.2],
  },
  {
    name: '107.20 with 107.20 paid: Paid',
    lines: [[107.2, 1]],
    input: { Paid: 107.2 },
    extended: [107.2],
    figures: [107.2, 0, 107.2, 0],
    status: 'Paid',
  },
  {
    name: 'a voided one has nothing due, whatever it comes to',
    lines: [[107.2, 1]],
    input: { Status: InvoiceStatus.Voided, Paid: 7.2 },
    extended: [107.2],
    figures: [107.2, 0, 107.2, 0],
    status: 'Voided',
  },
  {
    name: 'a paid one that comes to more is open again: 120.00 − 107.20 = 12.80',
    lines: [[120, 1]],
    input: { Status: InvoiceStatus.Paid, Paid: 107.2, DatePaid: CREATED },
    extended: [120],
    figures: [120, 0, 120, 12.8],
  },
  {
    name: '10,000,000,000.00 at 100 %',
    lines: [[1e10, 1, 'taxed']],
    rate: 100,
    extended: [1e10],
    figures: [1e10, 1e10, 2e10, 2e10],
  },
];

describe('figures of an invoice', () => {
  test.each(cases)('$name', ({ lines, rate = 0, input = {}, extended, figures, status = 'Open' }) => {
    const invoice = withTotals(invoiceOf(lines, { TaxRate: rate, ...input }));
    expect(invoice.Lines.map(({ Extended }) => Extended)).toEqual(extended);
    expect([invoice.Subtotal, invoice.Tax, invoice.Total, invoice.BalanceDue]).toEqual(figures);
    expect(invoice.Status).toBe(InvoiceStatus[status]);
  });

  test('an invoice that is Paid at once has DatePaid from its date, the given moment, or before', () => {
    const nothing = invoiceOf([[0, 1]]);
    expect(withTotals(nothing).DatePaid).toBe(CREATED);
    expect(withTotals(nothing, LATER).DatePaid).toBe(LATER);
    expect(withTotals({ ...nothing, DatePaid: CREATED - 1 }, LATER).DatePaid).toBe(CREATED - 1);
  });
});

describe('an invoice after payments', () => {
  const open = withTotals(invoiceOf([[107.2, 1]]));

  test('is Paid when nothing is due, since that payment, and open again after a refund', () => {
    const part = withBalance(open, 100, LATER);
    expect(part).toMatchObject({ Paid: 100, BalanceDue: 7.2, Status: InvoiceStatus.Open, DatePaid: null });
    const paid = withBalance(part, 107.2, LATER);
    expect(paid).toMatchObject({ Paid: 107.2, BalanceDue: 0, Status: InvoiceStatus.Paid, DatePaid: LATER });
    expect(withBalance(paid, 57.2, LATER)).toMatchObject({
      Paid: 57.2,
      BalanceDue: 50,
      Status: InvoiceStatus.Open,
      DatePaid: null,
    });
  });

  test('of a credit, by refunds', () => {
    const credit = withTotals(invoiceOf([[-50, 1]], { InvoiceType: InvoiceType.Credit }));
    expect(withBalance(credit, -20, LATER)).toMatchObject({ BalanceDue: -30, Status: InvoiceStatus.Open });
    expect(withBalance(credit, -50, LATER)).toMatchObject({
      BalanceDue: 0,
      Status: InvoiceStatus.Paid,
      DatePaid: LATER,
    });
  });
});

const amounts = fc.integer({ min: -100_000, max: 1_000_000 }).map((whole) => whole / 10_000);
const line = fc.record({
  Rate: amounts,
  Qty: fc.double({ min: 0, max: 500, noNaN: true, noDefaultInfinity: true }),
  Taxable: fc.boolean(),
});
const invoices = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    rate: fc.integer({ min: 0, max: 100_000 }).map((whole) => whole / 1000),
    status: fc.constantFrom(0, 1, 2, 3),
  })
  .map(({ lines, rate, status }) =>
    invoiceOf([], {
      TaxRate: rate,
      Status: status,
      Lines: lines.map((input, index): InvoiceLineRecord => blankLine({ Id: index + 1, ...input })),
    }),
  );

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (all: readonly number[]): number => all.reduce((whole, amount) => whole + cents(amount), 0);

describe('any invoice', () => {
  test('is the sum of its lines, with no more than two decimals anywhere', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const { Lines, Subtotal, Tax, Total, BalanceDue } = withTotals(invoice);
        expect(cents(Subtotal)).toBe(sum(Lines.map(({ Extended }) => Extended)));
        expect(cents(Total)).toBe(cents(Subtotal) + cents(Tax));
        for (const figure of [Subtotal, Tax, Total, BalanceDue, ...Lines.map(({ Extended }) => Extended)])
          expect(figure).toBe(Number(figure.toFixed(2)));
      }),
    );
  });

  test('has the same figures whatever the order of its lines, and worked out again', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const once = withTotals(invoice);
        const { Subtotal, Tax, Total } = withTotals({ ...invoice, Lines: [...invoice.Lines].reverse() });
        expect([Subtotal, Tax, Total]).toEqual([once.Subtotal, once.Tax, once.Total]);
        expect(withTotals(once)).toEqual(once);
      }),
    );
  });

  test('of n times the same lines comes to n times as much', () => {
    fc.assert(
      fc.property(invoices, fc.integer({ min: 2, max: 9 }), (invoice, times) => {
        const once = withTotals(invoice);
        const many = withTotals({ ...invoice, Lines: Array.from({ length: times }, () => invoice.Lines).flat() });
        expect([many.Subtotal, many.Tax, many.Total].map(cents)).toEqual(
          [once.Subtotal, once.Tax, once.Total].map((figure) => cents(figure) * times),
        );
      }),
    );
  });

  test('has nothing due exactly when it is Paid or Voided, or of nothing and yet to be approved; DatePaid exactly when it is Paid', () => {
    fc.assert(
      fc.property(invoices, fc.boolean(), (invoice, isAllPaid) => {
        const fresh = withTotals({ ...invoice, DatePaid: null });
        const { Status, Total, Paid, BalanceDue, DatePaid } = withBalance(fresh, isAllPaid ? fresh.Total : 0, LATER);
        if (Status === InvoiceStatus.Voided) expect([BalanceDue, DatePaid]).toEqual([0, fresh.DatePaid]);
        else {
          expect(cents(BalanceDue)).toBe(cents(Total) - cents(Paid));
          expect(DatePaid !== null).toBe(Status === InvoiceStatus.Paid);
          if (Status !== InvoiceStatus.Unapproved) expect(BalanceDue === 0).toBe(Status === InvoiceStatus.Paid);
        }
      }),
    );
  });
});

/** Half away from zero, of whole numbers. */
const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
};

test('figures are those of whole-number arithmetic', () => {
  const whole = fc.record({
    rate: fc.integer({ min: -1e7, max: 1e8 }),
    quantity: fc.integer({ min: 0, max: 5e6 }),
    taxed: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(whole, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 100_000 }),
      (lines, percent) => {
        const invoice = withTotals(
          invoiceOf(
            lines.map(({ rate, quantity, taxed }) => [rate / 10_000, quantity / 10_000, taxed ? 'taxed' : ''] as const),
            { TaxRate: percent / 1000 },
          ),
        );
        const nets = lines.map(({ rate, quantity }) => halfUp(BigInt(rate) * BigInt(quantity), 1_000_000n));
        const tax = lines.reduce(
          (all, { taxed }, index) => all + (taxed ? halfUp((nets[index] ?? 0n) * BigInt(percent), 100_000n) : 0n),
          0n,
        );
        expect(invoice.Lines.map(({ Extended }) => BigInt(cents(Extended)))).toEqual(nets);
        expect(BigInt(cents(invoice.Tax))).toBe(tax);
      },
    ),
    { numRuns: 500 },
  );
});
