import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyInvoiceInput } from '../../../lib/domain/invoices/apply-input.ts';
import {
  type InvoiceInput,
  blankInvoice,
  invoiceToResource,
  lineToResource,
} from '../../../lib/domain/invoices/record.ts';
import { completionInvoice } from '../../../lib/domain/invoices/completion.ts';
import { isSameInvoice } from '../../../lib/domain/invoices/status.ts';
import { NO_LINKS } from '../../../lib/domain/client-pages.ts';
import { visitAppointment } from '../../../lib/domain/subscriptions/visit-appointment.ts';
import { scheduleVisits } from '../../../lib/domain/subscriptions/visits.ts';
import type { InvoiceRecord } from '../../../lib/entities/invoices.ts';
import { proposal } from '../../support/random/subscriptions.ts';

const BILLS = Number(process.env['BILLS'] ?? 150);

const NOW = Date.UTC(2026, 2, 9, 14);
const takesPayments = () => true;

const blank = blankInvoice({ Id: 7, OrganizationId: 1, ContactId: 3, Number: '7', Zone: 'UTC', Created: NOW });

/** The invoice with an input applied, as invoice/import does. */
const apply = (input: InvoiceInput, before = blank) =>
  applyInvoiceInput(before, input, {
    rate: { TaxRate: input.TaxRate ?? before.TaxRate, RateName: '', TaxParts: [] },
    lineIds: (input.Lines ?? []).map((_, index) => index + 1),
    lineNames: { services: new Map(), parts: new Map() },
    takesPayments,
    now: NOW,
  });

const figures = ({ Subtotal, Tax, Total, BalanceDue }: InvoiceRecord) => ({ Subtotal, Tax, Total, BalanceDue });
const toResponse = (invoice: InvoiceRecord): InvoiceInput => ({
  ...invoiceToResource(invoice, { contact: null, associated: true, link: NO_LINKS, takesPayments }),
  Contact: null,
});
/** As another account imports it. */
const toNewInput = ({ Lines, TaxRate, Subtotal, Tax, Total }: InvoiceRecord): InvoiceInput => ({
  Lines: Lines.map((line) => ({ ...lineToResource(line, TaxRate), Id: 0, ServiceId: null, PartId: null })),
  TaxRate,
  Subtotal,
  Tax,
  Total,
});

const taxed = (...rates: number[]) => rates.map((Rate) => ({ Rate, Taxable: true }));
const tenLines = taxed(...Array.from({ length: 10 }, () => 11.11));

describe('an imported invoice has the amounts of its sender', () => {
  test.each<[string, InvoiceInput, [subtotal: number, tax: number, total: number]]>([
    ['with the tax of each line', { TaxRate: 6.35, Lines: tenLines, Tax: 7.1, Total: 118.2 }, [111.1, 7.1, 118.2]],
    [
      'with the tax of the sum',
      { TaxRate: 6.35, Lines: tenLines, Subtotal: 111.1, Tax: 7.05, Total: 118.15 },
      [111.1, 7.05, 118.15],
    ],
    ['with the tax of the sum, by its total', { TaxRate: 6.35, Lines: tenLines, Total: 118.15 }, [111.1, 7.05, 118.15]],
    ['with the tax of each line if it has none', { TaxRate: 6.35, Lines: tenLines }, [111.1, 7.1, 118.2]],
    [
      'one cent below that of each line',
      { TaxRate: 23, Lines: taxed(55.55, 11.11), Tax: 15.33 },
      [66.66, 15.33, 81.99],
    ],
    ['with more decimals', { TaxRate: 23, Lines: taxed(55.55, 11.11), Tax: 15.3318 }, [66.66, 15.33, 81.99]],
    // 10 % of 0.25 is 0.025; of 0.50 it is 0.05.
    ['with halves of taxes to the even cent', { TaxRate: 10, Lines: taxed(0.25, 0.25), Tax: 0.04 }, [0.5, 0.04, 0.54]],
    [
      'with the half of the sum to the even cent',
      { TaxRate: 10, Lines: taxed(0.2, 0.05), Tax: 0.02 },
      [0.25, 0.02, 0.27],
    ],
    // 2.5 hours of 18.05 are 45.125.
    [
      'with the half of an amount to the even cent',
      { Lines: [{ Rate: 18.05, Qty: 2.5, Extended: 45.12 }], Total: 45.12 },
      [45.12, 0, 45.12],
    ],
    // Each is 0.335, all three are 1.005.
    [
      'with amounts rounded on the sum',
      { Lines: [0.335, 0.335, 0.335].map((Rate) => ({ Rate })), Subtotal: 1.01 },
      [1.01, 0, 1.01],
    ],
    [
      'of a credit',
      { InvoiceType: 'Credit', TaxRate: 6.35, Lines: tenLines.map((line) => ({ ...line, Qty: -1 })), Tax: -7.05 },
      [-111.1, -7.05, -118.15],
    ],
  ])('%s', (_, input, [Subtotal, Tax, Total]) => {
    const { invoice, errors, conflicts } = apply(input);
    expect([errors, conflicts]).toEqual([[], []]);
    expect(figures(invoice)).toEqual({ Subtotal, Tax, Total, BalanceDue: Total });
  });

  test('until a line or the rate changes', () => {
    const stored = { ...apply({ TaxRate: 6.35, Lines: tenLines, Tax: 7.05 }).invoice, V: 1 };
    expect(figures(apply({ Terms: 'Net 30' }, stored).invoice)).toEqual(figures(stored));
    // 10 % of 11.11 is 1.11.
    expect(apply({ TaxRate: 10 }, stored).invoice.Tax).toBe(11.1);
    expect(apply({ Tax: 7.1 }, stored).invoice.Tax).toBe(7.1);
  });
});

describe('an amount that no rounding gives is named with what it would have to be', () => {
  test.each<[string, InvoiceInput, string[]]>([
    ['between both', { TaxRate: 6.35, Lines: tenLines, Tax: 7.08 }, ['Tax must be 7.10 or 7.05, not 7.08']],
    [
      'of the tax, and so of the total',
      { TaxRate: 6.35, Lines: tenLines, Tax: 7.08, Total: 118.18 },
      ['Tax must be 7.10 or 7.05, not 7.08', 'Total must be 118.20 or 118.15, not 118.18'],
    ],
    [
      'of the total beside a right tax',
      { TaxRate: 6.35, Lines: tenLines, Tax: 7.05, Total: 9 },
      ['Total must be 118.15, not 9.00'],
    ],
    [
      'two cents beside both',
      { TaxRate: 8, Lines: [{ Rate: 50, Qty: 2, Taxable: true }, { Rate: 7.2 }], Tax: 8.02 },
      ['Tax must be 8.00, not 8.02'],
    ],
    [
      'one cent beside both, with a total of another tax',
      { TaxRate: 8, Lines: [{ Rate: 50, Qty: 2, Taxable: true }, { Rate: 7.2 }], Tax: 8.01, Total: 115.2 },
      ['Tax must be 8.00, not 8.01'],
    ],
    [
      'in every place',
      {
        TaxRate: 8,
        Lines: [
          { Rate: 100, Taxable: true },
          { Rate: 7.2, Extended: 7 },
        ],
        Subtotal: 107.2101,
        Tax: 7.98,
        Total: 0,
      },
      [
        'Lines[1].Extended must be 7.20, not 7.00',
        'Subtotal must be 107.20, not 107.2101',
        'Tax must be 8.00, not 7.98',
        'Total must be 115.20, not 0.00',
      ],
    ],
  ])('%s', (_, input, conflicts) => {
    expect(apply(input).conflicts).toEqual(conflicts);
  });
});

/** A quotient of whole numbers, rounded in a way of its own: up where the rest is more than a half, or a half that is. */
const divide = (numerator: bigint, denominator: bigint, isHalfUp: (below: bigint) => boolean): bigint => {
  const size = numerator < 0n ? -numerator : numerator;
  const [below, twice] = [size / denominator, (size % denominator) * 2n];
  const rounded = twice > denominator || (twice === denominator && isHalfUp(below)) ? below + 1n : below;
  return numerator < 0n ? -rounded : rounded;
};
const HALVES: readonly ((below: bigint) => boolean)[] = [() => true, (below) => below % 2n === 1n];
const total = (all: readonly bigint[]): bigint => all.reduce((whole, each) => whole + each, 0n);

/** A sender's invoice: lines of whole cents, taxed at thousandths of a percent. */
const sender = fc.record({
  amounts: fc.array(fc.integer({ min: -50_000, max: 500_000 }), { minLength: 1, maxLength: 12 }),
  percent: fc.integer({ min: 0, max: 30_000 }),
});
/** Taxes in cents, by line and by sum, with halves up and to even. */
const taxesOf = (amounts: readonly number[], percent: number): bigint[] => {
  const exact = amounts.map((amount) => BigInt(amount) * BigInt(percent));
  return HALVES.flatMap((isHalfUp) => [
    total(exact.map((tax) => divide(tax, 100_000n, isHalfUp))),
    divide(total(exact), 100_000n, isHalfUp),
  ]);
};
const inputOf = (amounts: readonly number[], percent: number, tax: bigint): InvoiceInput => {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    InvoiceType: whole + Number(tax) < 0 ? 'Credit' : 'Standard',
    TaxRate: percent / 1000,
    Lines: taxed(...amounts.map((amount) => amount / 100)),
    Subtotal: whole / 100,
    Tax: Number(tax) / 100,
    Total: (whole + Number(tax)) / 100,
  };
};

describe('whatever rule a sender rounds by', () => {
  test('its invoice has its amounts, also sent back and in another account; its lines add up to them', () => {
    fc.assert(
      fc.property(sender, fc.nat(3), ({ amounts, percent }, rule) => {
        const tax = taxesOf(amounts, percent)[rule] ?? 0n;
        const input = inputOf(amounts, percent, tax);
        const { invoice, errors, conflicts } = apply(input);
        expect([errors, conflicts]).toEqual([[], []]);
        expect(invoice).toMatchObject({ Subtotal: input.Subtotal, Tax: input.Tax, Total: input.Total });

        const taxes = invoice.Lines.map((line) =>
          Math.round(apply({}, { ...invoice, Lines: [line] }).invoice.Tax * 100),
        );
        expect(total(taxes.map(BigInt))).toBe(tax);
        for (const [index, of] of taxes.entries())
          expect(Math.abs(of * 100_000 - (amounts[index] ?? 0) * percent)).toBeLessThan(100_000);

        const stored = { ...invoice, V: 1 };
        const repeated = apply(toResponse(stored), stored);
        expect([repeated.conflicts, isSameInvoice(stored, repeated.invoice)]).toEqual([[], true]);
        expect(figures(apply({ InvoiceType: input.InvoiceType, ...toNewInput(invoice) }).invoice)).toEqual(
          figures(invoice),
        );
      }),
      { numRuns: BILLS },
    );
  });

  test('any other tax is a conflict, but for a cent beside the tax of the sum', () => {
    fc.assert(
      fc.property(sender, fc.integer({ min: -20, max: 20 }), ({ amounts, percent }, beside) => {
        const possible = taxesOf(amounts, percent);
        const tax = (possible[1] ?? 0n) + BigInt(beside);
        const isTaxed = percent > 0 && amounts.reduce((sum, amount) => sum + amount, 0) !== 0;
        const isClose = isTaxed && Math.abs(Number(tax - (possible[1] ?? 0n))) <= 1;
        expect(apply(inputOf(amounts, percent, tax)).conflicts.length === 0).toBe(possible.includes(tax) || isClose);
      }),
      { numRuns: BILLS },
    );
  });
});

/** The invoices of a proposal's visits as another account imports them. */
const exported = proposal.map((of) =>
  scheduleVisits(of).map((visit) => {
    const appointment = visitAppointment(of, visit, { Id: 1, HashKey: 'h', now: 0 });
    const lineIds = appointment.BilledLines.map((_, index) => index + 1);
    return completionInvoice(appointment, { Id: 7, Number: '7', lineIds, now: NOW }).invoice;
  }),
);

describe('the invoice of a subscription visit, whose tax is a share of a divided one', () => {
  test('has the same amounts in another account', () => {
    fc.assert(
      fc.property(exported, (invoices) => {
        for (const invoice of invoices) {
          const { invoice: imported, errors, conflicts } = apply(toNewInput(invoice));
          expect([errors, conflicts]).toEqual([[], []]);
          expect(figures(imported)).toEqual(figures(invoice));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('has a tax of a line that is at most a cent beside its rate; any other is ignored', () => {
    const sent = (Tax: number, Id = 0): InvoiceInput => ({
      TaxRate: 10,
      Lines: [{ Id, Rate: 10, Taxable: true, Tax }],
    });
    const { invoice } = apply({ ...sent(1.01), Tax: 1.01, Total: 11.01 });
    expect(figures(invoice)).toMatchObject({ Tax: 1.01, Total: 11.01 });
    const stored = { ...invoice, V: 1 };
    expect(apply({ ...sent(1.02, 1), Tax: 1.02 }, stored).conflicts).toEqual(['Tax must be 1.01 or 1.00, not 1.02']);
    expect(apply({ ...sent(7, 1), Tax: 1 }, stored).conflicts).toEqual([]);
    expect(apply({ ...sent(1.01), Tax: 1.02 }).conflicts).toEqual(['Tax must be 1.00 or 1.01, not 1.02']);
  });
});
