import { describe, expect, test } from 'vitest';
import {
  type InvoiceInput,
  invoiceContent,
  applyInvoiceInput,
  lineReferences,
  countNewLines,
} from '../../../lib/domain/invoices/apply-input.ts';
import { resolveRate } from '../../../lib/domain/invoices/tax-rate.ts';
import {
  type InvoiceRecord,
  InvoiceStatus,
  InvoiceType,
  blankInvoice,
  blankLine,
} from '../../../lib/domain/invoices/record.ts';
import { importOutcome, isSameInvoice } from '../../../lib/domain/invoices/status.ts';
import { invoiceToResource } from '../../../lib/domain/invoices/to-resource.ts';
import { figureConflicts, withBalance, withTotals } from '../../../lib/domain/invoices/totals.ts';

const CREATED = Date.UTC(2026, 2, 9, 14, 0, 0, 250);
const NOW = Date.UTC(2026, 2, 10, 9);

const blank = blankInvoice({
  Id: 7,
  OrganizationId: 1,
  ContactId: 3,
  Number: '7',
  HashKey: 'h'.repeat(22),
  Zone: 'America/New_York',
  Created: CREATED,
});

/** 2 × 50.00 taxed at 8 % and 7.20: 100.00 + 7.20 + 8.00 = 115.20. */
const kept: InvoiceRecord = withTotals({
  ...blank,
  V: 1,
  TaxRate: 8,
  RateName: 'State',
  AppointmentId: 5,
  AssociatedAppointmentIds: [6],
  Lines: [
    blankLine({ Id: 1, ServiceId: 4, Description: 'Windows', Rate: 50, Qty: 2, Taxable: true }),
    blankLine({ Id: 2, Description: 'Travel', Rate: 7.2 }),
  ],
});

const records = {
  services: new Map([
    [4, 'Window cleaning'],
    [9, 'Gutters'],
  ]),
  parts: new Map([[8, 'Screen']]),
};

function merge(before: InvoiceRecord, input: InvoiceInput) {
  const { rate, errors } = resolveRate(before.V ? before : undefined, input, {
    rates: [
      { Id: 1, Name: 'State', TaxRate: 8 },
      { Id: 2, Name: 'Città', TaxRate: 9.5 },
    ],
    contactRateId: 2,
  });
  const merged = applyInvoiceInput(before, input, { rate, lineIds: [11, 12, 13], records, now: NOW });
  return { ...merged, errors: [...errors, ...merged.errors] };
}

test('an invoice is dated to the second, as it is shown, so that by date, then id is the order one sees', () => {
  expect(blank.Date).toBe(Date.UTC(2026, 2, 9, 14));
  expect(merge(blank, { Date: '2026-03-09T14:00:00.900Z', Lines: [{ Rate: 1 }] }).invoice.Date).toBe(
    Date.UTC(2026, 2, 9, 14),
  );
});

const changed = (input: InvoiceInput, before = kept): InvoiceRecord => {
  const { invoice, errors } = merge(before, input);
  expect(errors).toEqual([]);
  return invoice;
};

/** As a typed client sends back what it was answered. */
const answered = (invoice: InvoiceRecord, associated = true) => ({
  ...invoiceToResource(invoice, { baseUrl: 'https://example.com', contact: null, associated }),
  Contact: null,
});

describe('a new invoice', () => {
  test('has what it is given, and the rest as a new one has it', () => {
    const { invoice, errors } = merge(blank, {
      Date: '2026-03-11',
      Terms: ' Net 30 ',
      InvoiceType: 'Recurring',
      Status: 'Unapproved',
      Lines: [
        { ServiceId: 9, Rate: 10, Qty: 3, Taxable: true },
        { PartId: 8, ServiceId: 9 },
        { Description: ' Gate ', Rate: 1 },
      ],
    });
    expect(errors).toEqual([]);
    // 30.00 at the contact's 9.5 % = 2.85.
    expect(invoice).toMatchObject({
      Number: '7',
      Date: Date.UTC(2026, 2, 11, 4),
      Terms: 'Net 30',
      InvoiceType: InvoiceType.Recurring,
      Status: InvoiceStatus.Unapproved,
      TaxRate: 9.5,
      RateName: 'Città',
      Subtotal: 31,
      Tax: 2.85,
      Total: 33.85,
      BalanceDue: 33.85,
      CanAcceptClientPayment: true,
      DatePaid: null,
    });
    expect(invoice.Lines).toEqual([
      { Id: 11, ServiceId: 9, PartId: null, Description: 'Gutters', Rate: 10, Qty: 3, Extended: 30, Taxable: true },
      { Id: 12, ServiceId: 9, PartId: 8, Description: 'Screen', Rate: 0, Qty: 1, Extended: 0, Taxable: false },
      { Id: 13, ServiceId: null, PartId: null, Description: 'Gate', Rate: 1, Qty: 1, Extended: 1, Taxable: false },
    ]);
  });

  test.each<[string, InvoiceInput, string[]]>([
    ['no lines', {}, ['Lines']],
    ['a line with an Id', { Lines: [{ Id: 5, Rate: 1 }] }, ['Lines[0].Id']],
    [
      'a service and a part that are not there',
      { Lines: [{ ServiceId: 77 }, { PartId: 78 }] },
      ['Lines[0].ServiceId', 'Lines[1].PartId'],
    ],
    ['more than 10,000,000,000.00 a line', { Lines: [{ Rate: 1e6, Qty: 10_001 }] }, ['Lines[0].Rate']],
    ['a total below 0', { Lines: [{ Rate: -0.01 }] }, ['InvoiceType']],
    ['a credit above 0', { InvoiceType: 'Credit', Lines: [{ Rate: 0.01 }] }, ['InvoiceType']],
    ['a date that is none', { Date: 'soon', Lines: [{ Rate: 1 }] }, ['Date']],
    ['a rate that is no percentage', { TaxRate: 100.5, Lines: [{ Rate: 1 }] }, ['TaxRate']],
    ['a rate below 0', { TaxRate: -1, Lines: [{ Rate: 1 }] }, ['TaxRate']],
    ['a rate that the account does not have', { RateName: 'Elsewhere', Lines: [{ Rate: 1 }] }, ['RateName']],
    ['too much text', { Lines: Array.from({ length: 40 }, () => ({ Description: 'x'.repeat(10_000) })) }, ['Lines']],
  ])('is refused with %s', (_, input, fields) => {
    expect(merge(blank, input).errors.map(({ field }) => field)).toEqual(fields);
  });

  test.each<[string, InvoiceInput, { TaxRate: number; RateName: string }]>([
    ['the rate given', { TaxRate: 5 }, { TaxRate: 5, RateName: '' }],
    ['the rate given, with its name', { TaxRate: 5, RateName: 'Special' }, { TaxRate: 5, RateName: 'Special' }],
    ['the rate of that name, however written', { RateName: 'citta' }, { TaxRate: 9.5, RateName: 'Città' }],
    ["the contact's", {}, { TaxRate: 9.5, RateName: 'Città' }],
    ['0 where that is given', { TaxRate: 0 }, { TaxRate: 0, RateName: '' }],
  ])('is taxed at %s', (_, input, rate) => {
    expect(changed({ ...input, Lines: [{ Rate: 1 }] }, blank)).toMatchObject(rate);
  });
});

describe('an invoice changed', () => {
  test('by what it was answered with is the same, also where lists were not shown', () => {
    for (const invoice of [
      kept,
      withBalance(kept, 115.2, NOW),
      withBalance({ ...kept, Status: InvoiceStatus.Voided }, 0, NOW),
      { ...kept, Status: InvoiceStatus.Unapproved },
    ])
      for (const input of [answered(invoice), answered(invoice, false)]) {
        const same = changed(input, invoice);
        expect(isSameInvoice(invoice, same)).toBe(true);
        expect(same).toEqual(invoice);
        expect(importOutcome(invoice, same, input.Status ?? undefined)).toEqual({ kind: 'same' });
        expect(figureConflicts(same, input)).toEqual([]);
      }
  });

  test('keeps what is not given, also of a line that is named by its Id', () => {
    // 3 × 50.00 at 8 % = 12.00; 7.20 goes, 5.00 comes: 155.00 + 12.00.
    const invoice = changed({ CustomerNotes: 'Thank you.', Lines: [{ Id: 1, Qty: 3 }, { Rate: 5 }] });
    expect(invoice.Lines).toEqual([
      { ...kept.Lines[0], Qty: 3, Extended: 150 },
      blankLine({ Id: 11, Rate: 5, Extended: 5 }),
    ]);
    expect(invoice).toMatchObject({
      Number: '7',
      Date: kept.Date,
      CustomerNotes: 'Thank you.',
      Subtotal: 155,
      Tax: 12,
      Total: 167,
      TaxRate: 8,
      RateName: 'State',
    });
  });

  test('loses what is null, where it can be empty', () => {
    const invoice = changed({
      AppointmentId: null,
      AssociatedAppointmentIds: null,
      Terms: null,
      Number: null,
      Date: null,
      Lines: null,
    });
    expect(invoice).toMatchObject({
      AppointmentId: null,
      AssociatedAppointmentIds: [],
      Terms: '',
      Number: '7',
      Date: kept.Date,
      Lines: kept.Lines,
    });
  });

  test.each<[string, InvoiceInput, { TaxRate: number; RateName: string }]>([
    ['another number loses the name of the old one', { TaxRate: 5 }, { TaxRate: 5, RateName: '' }],
    ['another name brings its number', { RateName: 'Città' }, { TaxRate: 9.5, RateName: 'Città' }],
    [
      'the same name leaves the number, whatever the account says of it now',
      { RateName: 'State' },
      { TaxRate: 8, RateName: 'State' },
    ],
    ["null asks for the contact's", { TaxRate: null }, { TaxRate: 9.5, RateName: 'Città' }],
    ['a name can be taken away', { RateName: '' }, { TaxRate: 8, RateName: '' }],
  ])('of its rate: %s', (_, input, rate) => {
    expect(changed(input)).toMatchObject(rate);
  });

  test('has no line twice, nor one that it does not have', () => {
    expect(merge(kept, { Lines: [{ Id: 1 }, { Id: 1 }, { Id: 3 }] }).errors.map(({ field }) => field)).toEqual([
      'Lines[1].Id',
      'Lines[2].Id',
    ]);
  });

  test('may keep a service that is no longer there', () => {
    const old = { ...kept, Lines: [blankLine({ Id: 1, ServiceId: 70, Rate: 1 })] };
    expect(merge(old, { Lines: [{ Id: 1, ServiceId: 70 }, { ServiceId: 70 }] }).errors).toEqual([]);
    expect(lineReferences(old.Lines, [{ ServiceId: 70, PartId: 8 }, { ServiceId: 4 }, { ServiceId: 4 }])).toEqual({
      services: [4],
      parts: [8],
    });
    expect(countNewLines([{ Id: 1 }, {}, { Id: undefined }])).toBe(2);
  });

  test('lists its own appointment first, and once', () => {
    expect(answered(kept).AssociatedAppointmentIds).toEqual([5, 6]);
    expect(changed({ AssociatedAppointmentIds: [8, 5, 8] }).AssociatedAppointmentIds).toEqual([8]);
  });
});

describe('what an import may make of an invoice', () => {
  const paid = withBalance(kept, 115.2, NOW);
  const partly = withBalance(kept, 100, NOW);
  const voided = withBalance({ ...kept, Status: InvoiceStatus.Voided }, 0, NOW);
  const unapproved = { ...kept, Status: InvoiceStatus.Unapproved };
  const outcome = (before: InvoiceRecord, input: InvoiceInput) =>
    importOutcome(before, changed(input, before), input.Status ?? undefined);

  test.each<[string, InvoiceRecord, InvoiceInput]>([
    ['an open one may be voided', kept, { Status: 'Voided' }],
    ['so may one with payments', partly, { Status: 'Voided' }],
    ['and a paid one', paid, { Status: 'Voided' }],
    ['an open one may wait for approval again', kept, { Status: 'Unapproved' }],
    ['which opens it', unapproved, { Status: 'Open' }],
    ['it may change while it waits', unapproved, { Terms: 'Net 30' }],
    ['and be voided', unapproved, { Status: 'Voided' }],
    // 92.80 at 8 % is 7.424 → 7.42 beside 0.00: 100.22.
    [
      'its total may fall to what is paid',
      partly,
      { Lines: [{ Id: 1, Rate: 92.8, Qty: 1, Taxable: false }, { Id: 2 }] },
    ],
  ])('%s', (_, before, input) => {
    expect(outcome(before, input)).toEqual({ kind: 'changed' });
  });

  test('a total that falls to what is paid is Paid, as of now', () => {
    expect(changed({ Lines: [{ Id: 1, Rate: 92.8, Qty: 1, Taxable: false }, { Id: 2 }] }, partly)).toMatchObject({
      Total: 100,
      BalanceDue: 0,
      Status: InvoiceStatus.Paid,
      DatePaid: NOW,
    });
  });

  test.each<[string, InvoiceRecord, InvoiceInput, RegExp]>([
    ['a paid one is not changed', paid, { Terms: 'Net 30' }, /Invoice 7 is Paid/],
    ['nor opened', paid, { Status: 'Open' }, /Invoice 7 is Paid/],
    ['nor changed as it is voided', paid, { Status: 'Voided', Terms: 'Net 30' }, /Invoice 7 is Paid/],
    ['a voided one is not changed', voided, { Terms: 'Net 30' }, /Invoice 7 is Voided/],
    ['nor opened', voided, { Status: 'Open' }, /Invoice 7 is Voided/],
    ['none is paid by saying so', kept, { Status: 'Paid' }, /payment\/import/],
    ['with payments it stays approved', partly, { Status: 'Unapproved' }, /100\.00 paid/],
    [
      'its total does not fall below what is paid',
      partly,
      { Lines: [{ Id: 1, Rate: 92.79, Qty: 1, Taxable: false }, { Id: 2 }] },
      /100\.00 paid.*99\.99/,
    ],
  ])('%s', (_, before, input, message) => {
    const refused = outcome(before, input);
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) as string });
  });

  test('voided, it has nothing due, and what was paid stays told', () => {
    expect(changed({ Status: 'Voided' }, partly)).toMatchObject({
      Status: InvoiceStatus.Voided,
      BalanceDue: 0,
      Paid: 100,
      Total: 115.2,
    });
  });
});

describe('figures that a caller gives', () => {
  test('agree to the cent, and are told with both where they do not', () => {
    expect(
      figureConflicts(kept, { Subtotal: 107.2, Tax: 8, Total: 115.2, Lines: [{ Extended: 100 }, { Extended: 7.21 }] }),
    ).toEqual([]);
    expect(figureConflicts(kept, { Subtotal: 107.19, Tax: 8.01, Total: 115.19 })).toEqual([]);
    expect(figureConflicts(kept, { Subtotal: 107.2101, Tax: 7.98, Total: 0, Lines: [{}, { Extended: 7 }] })).toEqual([
      'Lines[1].Extended is given as 7.00 and comes to 7.20',
      'Subtotal is given as 107.2101 and comes to 107.20',
      'Tax is given as 7.98 and comes to 8.00',
      'Total is given as 0.00 and comes to 115.20',
    ]);
  });
});

test('the same content is the same text, in whatever order it comes and with null for what it lacks', () => {
  const one: InvoiceInput = { ContactId: 1, Number: 'A', Lines: [{ Rate: 1, Qty: 2 }] };
  const other: InvoiceInput = {
    Terms: null,
    Lines: [{ Qty: 2, Rate: 1, PartId: undefined }],
    Number: 'A',
    ContactId: 1,
  };
  expect(invoiceContent(other)).toBe(invoiceContent(one));
  expect(invoiceContent({ ...one, Lines: [{ Rate: 1, Qty: 3 }] })).not.toBe(invoiceContent(one));
});

describe('an invoice as it is told', () => {
  test('is complete', () => {
    expect(answered(kept)).toEqual({
      Id: 7,
      Number: '7',
      Date: '2026-03-09T14:00:00Z',
      DatePaid: null,
      Status: 'Open',
      InvoiceType: 'Standard',
      ContactId: 3,
      ProposalId: null,
      AppointmentId: 5,
      Subtotal: 107.2,
      Tax: 8,
      Total: 115.2,
      BalanceDue: 115.2,
      IncludedInEop: false,
      TaxRate: 8,
      RateName: 'State',
      Terms: '',
      CustomerNotes: '',
      CanAcceptClientPayment: true,
      ClientPayUrl: `https://example.com/client/invoice/${kept.HashKey}/pay`,
      ClientPdfUrl: `https://example.com/client/invoice/${kept.HashKey}/pdf`,
      Lines: kept.Lines,
      Contact: null,
      AssociatedAppointmentIds: [5, 6],
    });
  });

  test('takes payments of its client only while it is open, has something due, and was not said otherwise', () => {
    const shown = (invoice: InvoiceRecord) => answered(invoice).CanAcceptClientPayment;
    expect(shown(withBalance(kept, 115.2, NOW))).toBe(false);
    expect(shown({ ...kept, Status: InvoiceStatus.Unapproved })).toBe(false);
    expect(shown(changed({ CanAcceptClientPayment: false }))).toBe(false);
    const credit = changed({ InvoiceType: 'Credit', TaxRate: 0, Lines: [{ Rate: -5 }] });
    expect([credit.Total, shown(credit)]).toEqual([-5, false]);
  });
});
