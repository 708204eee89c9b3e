import { NO_LINKS } from '../../../lib/domain/client-pages.ts';
import { type InvoiceRecord, InvoiceStatus, InvoiceType } from '../../../lib/entities/invoices.ts';
import { describe, expect, test } from 'vitest';
import { applyInvoiceInput, countNewLines, newReferences } from '../../../lib/domain/invoices/apply-input.ts';
import {
  type InvoiceInput,
  blankInvoice,
  blankLine,
  invoiceToResource,
  withBalance,
  withTotals,
} from '../../../lib/domain/invoices/record.ts';
import { importOutcome, isSameInvoice } from '../../../lib/domain/invoices/status.ts';
import { resolveTaxRate } from '../../../lib/domain/invoices/tax-rate.ts';

/** A provider is connected. */
const takesPayments = () => true;

const CREATED = Date.UTC(2026, 2, 9, 14, 0, 0, 250);
const NOW = Date.UTC(2026, 2, 10, 9);

const blank = blankInvoice({
  Id: 7,
  OrganizationId: 1,
  ContactId: 3,
  Number: '7',
  Zone: 'America/New_York',
  Created: CREATED,
});

/** 2 × 50.00 taxed at 8 % and 7.20: 100.00 + 7.20 + 8.00 = 115.20. */
const open: InvoiceRecord = withTotals({
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

const lineNames = {
  services: new Map([
    [4, 'Window cleaning'],
    [9, 'Gutters'],
  ]),
  parts: new Map([[8, 'Screen']]),
};

function apply(before: InvoiceRecord, input: InvoiceInput) {
  const { rate, errors } = resolveTaxRate(before.V ? before : undefined, input, {
    rates: [
      { Id: 1, Name: 'State', TaxRate: 8, Parts: [] },
      { Id: 2, Name: 'Città', TaxRate: 9.5, Parts: [] },
    ],
    contactRateId: 2,
  });
  const applied = applyInvoiceInput(before, input, { rate, lineIds: [11, 12, 13], lineNames, takesPayments, now: NOW });
  return { ...applied, errors: [...errors, ...applied.errors] };
}

test('an invoice is dated to the second, so that responses are in the order of date and id', () => {
  expect(blank.Date).toBe(Date.UTC(2026, 2, 9, 14));
  expect(apply(blank, { Date: '2026-03-09T14:00:00.900Z', Lines: [{ Rate: 1 }] }).invoice.Date).toBe(
    Date.UTC(2026, 2, 9, 14),
  );
});

const changed = (input: InvoiceInput, before = open): InvoiceRecord => {
  const { invoice, errors, conflicts } = apply(before, input);
  expect([errors, conflicts]).toEqual([[], []]);
  return invoice;
};

/** A response, as a typed client sends it back. */
const toResponse = (invoice: InvoiceRecord, associated = true) => ({
  ...invoiceToResource(invoice, { contact: null, associated, link: NO_LINKS, takesPayments }),
  Contact: null,
});

describe('a new invoice', () => {
  test('has the values of its input, and defaults for the rest', () => {
    const { invoice, errors } = apply(blank, {
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
      'a service and a part that do not exist',
      { Lines: [{ ServiceId: 77 }, { PartId: 78 }] },
      ['Lines[0].ServiceId', 'Lines[1].PartId'],
    ],
    ['more than 10,000,000,000.00 a line', { Lines: [{ Rate: 1e6, Qty: 10_001 }] }, ['Lines[0].Rate']],
    ['a total below 0', { Lines: [{ Rate: -0.01 }] }, ['InvoiceType']],
    ['a credit above 0', { InvoiceType: 'Credit', Lines: [{ Rate: 0.01 }] }, ['InvoiceType']],
    ['an invalid date', { Date: 'soon', Lines: [{ Rate: 1 }] }, ['Date']],
    ['a rate that is no percentage', { TaxRate: 100.5, Lines: [{ Rate: 1 }] }, ['TaxRate']],
    ['a rate below 0', { TaxRate: -1, Lines: [{ Rate: 1 }] }, ['TaxRate']],
    ['a rate that the account does not have', { RateName: 'Elsewhere', Lines: [{ Rate: 1 }] }, ['RateName']],
    ['too much text', { Lines: Array.from({ length: 40 }, () => ({ Description: 'x'.repeat(10_000) })) }, ['Lines']],
  ])('is refused with %s', (_, input, fields) => {
    expect(apply(blank, input).errors.map(({ field }) => field)).toEqual(fields);
  });

  test.each<[string, InvoiceInput, { TaxRate: number; RateName: string }]>([
    ['the rate of its input', { TaxRate: 5 }, { TaxRate: 5, RateName: '' }],
    ['the rate of its input, with its name', { TaxRate: 5, RateName: 'Special' }, { TaxRate: 5, RateName: 'Special' }],
    [
      'the rate of that name, whatever its case and accents',
      { RateName: 'citta' },
      { TaxRate: 9.5, RateName: 'Città' },
    ],
    ["the contact's", {}, { TaxRate: 9.5, RateName: 'Città' }],
    ['0 if its input has that', { TaxRate: 0 }, { TaxRate: 0, RateName: '' }],
  ])('is taxed at %s', (_, input, rate) => {
    expect(changed({ ...input, Lines: [{ Rate: 1 }] }, blank)).toMatchObject(rate);
  });
});

describe('a changed invoice', () => {
  test('is the same after a response is sent back, also one without lists', () => {
    for (const invoice of [
      open,
      withBalance(open, 115.2, NOW),
      withBalance({ ...open, Status: InvoiceStatus.Voided }, 0, NOW),
      { ...open, Status: InvoiceStatus.Unapproved },
    ])
      for (const input of [toResponse(invoice), toResponse(invoice, false)]) {
        const same = changed(input, invoice);
        expect(isSameInvoice(invoice, same)).toBe(true);
        expect(same).toEqual(invoice);
        expect(importOutcome(invoice, same, input.Status ?? undefined)).toEqual({ kind: 'same' });
      }
  });

  test('keeps absent fields, also of a line with an Id', () => {
    // 3 × 50.00 at 8 % = 12.00; 7.20 goes, 5.00 comes: 155.00 + 12.00.
    const invoice = changed({ CustomerNotes: 'Thank you.', Lines: [{ Id: 1, Qty: 3 }, { Rate: 5 }] });
    expect(invoice.Lines).toEqual([
      { ...open.Lines[0], Qty: 3, Extended: 150 },
      blankLine({ Id: 11, Rate: 5, Extended: 5 }),
    ]);
    expect(invoice).toMatchObject({
      Number: '7',
      Date: open.Date,
      CustomerNotes: 'Thank you.',
      Subtotal: 155,
      Tax: 12,
      Total: 167,
      TaxRate: 8,
      RateName: 'State',
    });
  });

  test('loses what is null, if it can be empty', () => {
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
      Date: open.Date,
      Lines: open.Lines,
    });
  });

  test.each<[string, InvoiceInput, { TaxRate: number; RateName: string }]>([
    ['another number removes the name of the old one', { TaxRate: 5 }, { TaxRate: 5, RateName: '' }],
    ['another name brings its number', { RateName: 'Città' }, { TaxRate: 9.5, RateName: 'Città' }],
    [
      'the same name keeps the number, whatever the rate of the account is now',
      { RateName: 'State' },
      { TaxRate: 8, RateName: 'State' },
    ],
    ["null takes the contact's", { TaxRate: null }, { TaxRate: 9.5, RateName: 'Città' }],
    ['a name can be removed', { RateName: '' }, { TaxRate: 8, RateName: '' }],
  ])('%s', (_, input, rate) => {
    expect(changed(input)).toMatchObject(rate);
  });

  test('cannot have a line twice, nor a line of another invoice', () => {
    expect(apply(open, { Lines: [{ Id: 1 }, { Id: 1 }, { Id: 3 }] }).errors.map(({ field }) => field)).toEqual([
      'Lines[1].Id',
      'Lines[2].Id',
    ]);
  });

  test('may keep a service that no longer exists', () => {
    const old = { ...open, Lines: [blankLine({ Id: 1, ServiceId: 70, Rate: 1 })] };
    expect(apply(old, { Lines: [{ Id: 1, ServiceId: 70 }, { ServiceId: 70 }] }).errors).toEqual([]);
    expect(newReferences(old.Lines, [{ ServiceId: 70, PartId: 8 }, { ServiceId: 4 }, { ServiceId: 4 }])).toEqual({
      services: [4],
      parts: [8],
    });
    expect(countNewLines([{ Id: 1 }, {}, { Id: undefined }])).toBe(2);
  });

  test('lists its own appointment first, and once', () => {
    expect(toResponse(open).AssociatedAppointmentIds).toEqual([5, 6]);
    expect(changed({ AssociatedAppointmentIds: [8, 5, 8] }).AssociatedAppointmentIds).toEqual([8]);
  });
});

describe('an import', () => {
  const paid = withBalance(open, 115.2, NOW);
  const partly = withBalance(open, 100, NOW);
  const voided = withBalance({ ...open, Status: InvoiceStatus.Voided }, 0, NOW);
  const unapproved = { ...open, Status: InvoiceStatus.Unapproved };
  const outcome = (before: InvoiceRecord, input: InvoiceInput) =>
    importOutcome(before, changed(input, before), input.Status ?? undefined);

  test.each<[string, InvoiceRecord, InvoiceInput]>([
    ['voids an open invoice', open, { Status: 'Voided' }],
    ['voids one with payments', partly, { Status: 'Voided' }],
    ['voids a paid one', paid, { Status: 'Voided' }],
    ['makes an open one Unapproved', open, { Status: 'Unapproved' }],
    ['opens an Unapproved one', unapproved, { Status: 'Open' }],
    ['changes an Unapproved one', unapproved, { Terms: 'Net 30' }],
    ['voids an Unapproved one', unapproved, { Status: 'Voided' }],
    // 92.80 at 8 % is 7.424 → 7.42 beside 0.00: 100.22.
    ['lowers the total to what is paid', partly, { Lines: [{ Id: 1, Rate: 92.8, Qty: 1, Taxable: false }, { Id: 2 }] }],
  ])('%s', (_, before, input) => {
    expect(outcome(before, input)).toEqual({ kind: 'changed' });
  });

  test('that lowers the total to what is paid makes the invoice Paid now', () => {
    expect(changed({ Lines: [{ Id: 1, Rate: 92.8, Qty: 1, Taxable: false }, { Id: 2 }] }, partly)).toMatchObject({
      Total: 100,
      BalanceDue: 0,
      Status: InvoiceStatus.Paid,
      DatePaid: NOW,
    });
  });

  test.each<[string, InvoiceRecord, InvoiceInput, RegExp]>([
    ['changes no paid invoice', paid, { Terms: 'Net 30' }, /Invoice 7 is Paid/],
    ['opens no paid one', paid, { Status: 'Open' }, /Invoice 7 is Paid/],
    ['changes none while voiding it', paid, { Status: 'Voided', Terms: 'Net 30' }, /Invoice 7 is Paid/],
    ['changes no voided one', voided, { Terms: 'Net 30' }, /Invoice 7 is Voided/],
    ['opens no voided one', voided, { Status: 'Open' }, /Invoice 7 is Voided/],
    ['makes none Paid by its Status', open, { Status: 'Paid' }, /payment\/import/],
    ['makes none with payments Unapproved', partly, { Status: 'Unapproved' }, /100\.00 paid/],
    [
      'lowers no total below what is paid',
      partly,
      { Lines: [{ Id: 1, Rate: 92.79, Qty: 1, Taxable: false }, { Id: 2 }] },
      /100\.00 paid.*99\.99/,
    ],
  ])('%s', (_, before, input, message) => {
    const refused = outcome(before, input);
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) as string });
  });

  test('that voids leaves nothing due, and Paid as it was', () => {
    expect(changed({ Status: 'Voided' }, partly)).toMatchObject({
      Status: InvoiceStatus.Voided,
      BalanceDue: 0,
      Paid: 100,
      Total: 115.2,
    });
  });
});

describe('an invoice resource', () => {
  test('is complete', () => {
    expect(toResponse(open)).toEqual({
      Id: 7,
      Number: '7',
      Date: '2026-03-09T14:00:00Z',
      DatePaid: null,
      DueDate: null,
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
      ClientPayUrl: '',
      ClientPdfUrl: '',
      Lines: [
        { ...open.Lines[0], Tax: 8 },
        { ...open.Lines[1], Tax: 0 },
      ],
      Contact: null,
      AssociatedAppointmentIds: [5, 6],
      TaxParts: [],
    });
  });

  test.each([true, false])(
    'CanAcceptClientPayment null changes nothing of %s and is an error of an update',
    (value) => {
      const { errors } = apply({ ...open, CanAcceptClientPayment: value }, { CanAcceptClientPayment: null });
      expect(errors).toEqual([
        { field: 'CanAcceptClientPayment', code: 'fixed', message: 'must be true or false; it cannot be cleared' },
      ]);
    },
  );

  test('accepts payments of its client only while it is open, has something due and allows them', () => {
    const accepts = (invoice: InvoiceRecord) => toResponse(invoice).CanAcceptClientPayment;
    expect(accepts(withBalance(open, 115.2, NOW))).toBe(false);
    expect(accepts({ ...open, Status: InvoiceStatus.Unapproved })).toBe(false);
    expect(accepts(changed({ CanAcceptClientPayment: false }))).toBe(false);
    const credit = changed({ InvoiceType: 'Credit', TaxRate: 0, Lines: [{ Rate: -5 }] });
    expect([credit.Total, accepts(credit)]).toEqual([-5, false]);
  });
});
