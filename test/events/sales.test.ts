import { ProposalStatus as P } from '../../lib/entities/proposal-status.ts';
import { type ProposalRecord, Proposal } from '../../lib/entities/proposals.ts';
import { type PaymentRecord, Payment } from '../../lib/entities/payments.ts';
import { type InvoiceRecord, InvoiceStatus as I, Invoice } from '../../lib/entities/invoices.ts';
import type { ContactRecord } from '../../lib/entities/contacts.ts';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankAppointment } from '../../lib/domain/appointments/record.ts';
import { blankInvoice } from '../../lib/domain/invoices/record.ts';
import { blankLine, blankProposal } from '../../lib/domain/proposals/record.ts';
import type { Change } from '../../lib/events/change.ts';
import { eventPayload, eventText } from '../../lib/events/event-text.ts';
import { eventContactId } from '../../lib/events/event.ts';
import { EventPayload } from '../../lib/resources/events.ts';
import { someContact } from '../support/contacts.ts';
import { changed, eventRelations } from '../support/events.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const common = { OrganizationId: 1, ContactId: 7, Zone: 'America/New_York', Created: NOW, Updated: NOW };
const invoice: InvoiceRecord = {
  ...blankInvoice({ Id: 3, Number: '3', Date: NOW, ...common }),
  Status: I.Open,
  CanAcceptClientPayment: false,
  Lines: [{ Id: 1, ServiceId: 2, PartId: null, Description: 'Mowing', Rate: 50, Qty: 2, Extended: 100, Taxable: true }],
  Subtotal: 100,
  Tax: 6,
  Total: 106,
  BalanceDue: 106,
  V: 1,
};
const payment: PaymentRecord = {
  Id: 9,
  OrganizationId: 1,
  ContactId: 7,
  InvoiceId: 3,
  InvoiceNumber: '3',
  Reference: 'Check 12',
  TransactionId: 't-1',
  Date: NOW,
  Day: '',
  Zone: '',
  Amount: 50,
  Method: 'Check',
  SplitOf: null,
  Created: NOW,
  Updated: NOW,
  V: 1,
};
const proposal: ProposalRecord = {
  ...blankProposal({ Id: 5, Date: '2026-11-20', ...common }),
  ServiceName: 'Mowing',
  Subtotal: 200,
  Tax: 12,
  V: 1,
};
const appointment = { ...blankAppointment({ Id: 4, HashKey: 'h', ...common }), V: 1 };

type InputOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Kinds = [kind: string, ...names: string[]];
const toKinds = (event: EventPayload | undefined): Kinds | undefined => event && [event.Kind, ...event.Changed];

describe('a change of an invoice', () => {
  test('that is new is invoice.created, with the invoice as invoice/get answers it', () => {
    const event = changed('Invoice', undefined, { ...invoice, AssociatedAppointmentIds: [4] } as InvoiceRecord);
    const about = { Id: 3, OrganizationId: 1, ContactId: 7 };
    expect(event).toMatchObject({ Kind: 'invoice.created', TransactionKind: 0, ...about });
    expect(Invoice.output().strict().parse(event?.Data)).toEqual(event?.Data);
    expect(event?.Data).toMatchObject({ Status: 'Open', Total: 106, AssociatedAppointmentIds: [4], Contact: null });
  });

  const paid = { Status: I.Paid, Paid: 106, BalanceDue: 0, DatePaid: NOW };
  test.each<[string, Partial<InvoiceRecord>, Partial<InvoiceRecord>, Kinds | undefined]>([
    ['its terms', {}, { Terms: '30 days' }, ['invoice.updated', 'DueDate', 'Terms']],
    ['a part of it paid', {}, { Paid: 6, BalanceDue: 100 }, ['invoice.updated', 'BalanceDue']],
    ['all of it paid', {}, paid, ['invoice.paid', 'BalanceDue', 'DatePaid', 'Status']],
    [
      'a refund',
      paid,
      { Status: I.Open, Paid: 56, BalanceDue: 50, DatePaid: null },
      ['invoice.reopened', 'BalanceDue', 'DatePaid', 'Status'],
    ],
    ['its approval', { Status: I.Unapproved }, { Status: I.Open }, ['invoice.approved', 'Status']],
    [
      'its approval where there is nothing to pay',
      { Status: I.Unapproved, Total: 0, BalanceDue: 0 },
      { Status: I.Paid },
      ['invoice.paid', 'Status'],
    ],
    [
      'its end',
      { CanAcceptClientPayment: true },
      { Status: I.Voided, BalanceDue: 0 },
      ['invoice.voided', 'BalanceDue', 'Status'],
    ],
    ['an appointment of it', {}, { AssociatedAppointmentIds: [4] }, ['invoice.updated', 'AssociatedAppointmentIds']],
    ['nothing that is shown', {}, { Fingerprint: 'x', Updated: NOW + 1 }, undefined],
  ])('that is %s says so and which fields changed', (_, before, after, expected) => {
    const previous = { ...invoice, ...before };
    expect(toKinds(changed('Invoice', previous, { ...previous, ...after }))).toEqual(expected);
  });
});

describe('a change of a payment', () => {
  test('that is new is payment.recorded, of no TransactionKind, with the payment', () => {
    const event = changed('Payment', undefined, payment);
    expect(event).toMatchObject({ Kind: 'payment.recorded', TransactionKind: null, Id: 9, ContactId: 7, Changed: [] });
    expect(Payment.output().strict().parse(event?.Data)).toEqual(event?.Data);
    expect(event?.Data).toMatchObject({ Amount: 50, TransactionId: 't-1', InvoiceId: 3 });
  });

  test('that is a new refund is payment.refunded', () => {
    const refund = { ...payment, Amount: -20 };
    expect(changed('Payment', undefined, refund)).toMatchObject({ Kind: 'payment.refunded', Data: { Amount: -20 } });
  });

  test('that is another reference is payment.updated', () => {
    expect(toKinds(changed('Payment', payment, { ...payment, Reference: 'Check 13' } as PaymentRecord))).toEqual([
      'payment.updated',
      'Reference',
    ]);
  });
});

describe('a change of a proposal', () => {
  test('is the same event whether its images share their lines or not', () => {
    const line = fc.record({ Quantity: fc.nat(3), LineDescription: fc.constantFrom('', 'Gate'), PartId: fc.nat(1) });
    const input = fc.record({
      Lines: fc.array(line, { maxLength: 3 }),
      Part: fc.boolean(),
      Options: fc.boolean(),
      Title: fc.constantFrom('', 'Fence'),
    });
    const quoted = ({ Lines, Part, Options, Title }: InputOf<typeof input>): ProposalRecord => ({
      ...proposal,
      Title,
      Lines: Lines.map((fields, index) => blankLine({ Id: index + 1, OptionId: 1, ...fields })),
      Book: { ...proposal.Book, Parts: Part ? [{ Id: 1, Name: 'Post' }] : [] },
      Options: Options ? [{ Id: 1, Name: 'Good', Selected: true }] : [],
    });
    fc.assert(
      fc.property(input, fc.option(input, { nil: {} }), (first, changes) => {
        const [before, after] = [quoted(first), quoted({ ...first, ...changes })];
        const created = [before, after].map((each) => changed('Proposal', undefined, each)?.Data ?? {});
        const [previous = {}, Data = {}] = created as Record<string, unknown>[];
        const Changed = Object.keys(Data).filter((name) => !isDeepStrictEqual(previous[name], Data[name]));
        const event = changed('Proposal', before, after);
        expect(event && { Changed: event.Changed, Data: event.Data }).toEqual(
          Changed.length ? { Changed: Changed.sort(), Data } : undefined,
        );
      }),
      { numRuns: 50 },
    );
  });

  test('that is new is proposal.created, with the proposal as proposal/details answers it, and more', () => {
    const open = { ...proposal, Status: P.Open, ExpiresAt: NOW + 1000 };
    const event = changed('Proposal', undefined, open);
    const about = { Id: 5, OrganizationId: 1, ContactId: 7 };
    expect(event).toMatchObject({ Kind: 'proposal.created', TransactionKind: 2, ...about });
    const { EvidenceSha256, ExpiresAt, ...visible } = event?.Data ?? {};
    expect(Proposal.output().strict().parse(visible)).toEqual(visible);
    expect([EvidenceSha256, ExpiresAt, visible]).toMatchObject([
      '',
      '2026-11-20T12:00:01Z',
      { Status: 'Open', Subtotal: 200, Contact: null },
    ]);
  });

  const edging = { ServiceId: 1, ServiceName: 'Edging' };
  const related = { Id: 6, ...edging, Date: '2026-11-20', Status: P.Open, Subtotal: 9, Tax: 0 };
  test.each<[string, Partial<ProposalRecord>, Partial<ProposalRecord>, Kinds | undefined]>([
    ['its title', {}, { Title: 'Front' }, ['proposal.updated', 'Title']],
    ['its opening', {}, { Status: P.Open, OpenedAt: NOW }, ['proposal.opened', 'Status']],
    [
      'its opening for a time',
      {},
      { Status: P.Open, OpenedAt: NOW, ExpiresAt: NOW + 1e6 },
      ['proposal.opened', 'ExpiresAt', 'Status'],
    ],
    [
      'its acceptance',
      { Status: P.Open },
      { Status: P.Accepted, AcceptedAt: NOW, EvidenceSha256: 'ab' },
      ['proposal.accepted', 'AcceptedDate', 'EvidenceSha256', 'Status'],
    ],
    ['a refusal', { Status: P.Open }, { Status: P.Declined }, ['proposal.declined', 'Status']],
    ['its expiry', { Status: P.Open }, { Status: P.Expired }, ['proposal.expired', 'Status']],
    ['the expiry of an internal one', {}, { Status: P.Expired }, ['proposal.expired', 'Status']],
    ['its opening again', { Status: P.Declined }, { Status: P.Open }, ['proposal.opened', 'Status']],
    ['its scheduling', { Status: P.Accepted }, { Status: P.Scheduled }, ['proposal.scheduled', 'Status']],
    ['its invoice', { Status: P.Scheduled }, { Status: P.Invoiced }, ['proposal.invoiced', 'Status']],
    ['voiding the invoice', { Status: P.Invoiced }, { Status: P.Accepted }, ['proposal.updated', 'Status']],
    ['voiding it once scheduled', { Status: P.Invoiced }, { Status: P.Scheduled }, ['proposal.updated', 'Status']],
    ['its end', { Status: P.Invoiced }, { Status: P.Complete }, ['proposal.completed', 'Status']],
    ['a new change order', { Status: P.Accepted }, { ChangeOrders: [related] }, ['proposal.updated', 'ChangeOrders']],
    [
      'a change order that is accepted',
      { ChangeOrders: [related] },
      { ChangeOrders: [{ ...related, Status: P.Accepted }] },
      ['proposal.updated', 'ChangeOrders'],
    ],
    [
      'what a change order comes to, which the list does not tell',
      { ChangeOrders: [related] },
      { ChangeOrders: [{ ...related, Subtotal: 10 }] },
      undefined,
    ],
    ['visits that were queued', { VisitsToQueue: 40 }, { VisitsToQueue: 0, Updated: NOW + 1 }, undefined],
  ])('that is %s says so and which fields changed', (_, before, after, expected) => {
    const previous = { ...proposal, ...before };
    expect(toKinds(changed('Proposal', previous, { ...previous, ...after }))).toEqual(expected);
  });

  describe('whose time runs out', () => {
    const open: ProposalRecord = { ...proposal, Status: P.Open, OpenedAt: NOW, ExpiresAt: NOW + 1000 };
    const late = NOW + 2000;

    test('is an event when it is written, once', () => {
      const expired = { ...open, Status: P.Expired, Updated: late };
      expect(toKinds(changed('Proposal', open, expired))).toEqual(['proposal.expired', 'Status']);
    });

    test('is an event with an earlier change, and not again', () => {
      const noted = { ...open, Title: 'Front', Updated: late, V: 2 };
      expect(toKinds(changed('Proposal', open, noted))).toEqual(['proposal.expired', 'Status', 'Title']);
      expect(changed('Proposal', noted, { ...noted, Status: P.Expired, Updated: late + 1 })).toBeUndefined();
    });

    test('and reopening is an event also where the expiry previous never written', () => {
      const again = { ...open, OpenedAt: late, ExpiresAt: late + 1000, Updated: late };
      expect(toKinds(changed('Proposal', open, again))).toEqual(['proposal.opened', 'ExpiresAt']);
    });
  });
});

describe('the event of a transaction', () => {
  const since = Date.UTC(2025, 2, 1);
  const client = someContact(7, {
    Nickname: 'Zoë',
    Company: 'Acme',
    Phone: '(804) 555-0100',
    Email: 'ann@example.com',
    Address1: '12 Main St',
    City: 'Springfield',
    State: 'IL',
    Zip: '62701',
    DigitalTrackingId: 'web-7',
    Created: Date.UTC(2025, 1, 1),
    IsCustomer: true,
    CustomerSince: since,
    LifetimeValue: 350.5,
  });
  const relations = eventRelations({ contacts: new Map([[7, client]]) });
  const contactFields = {
    LifetimeValue: 350.5,
    CustomerSince: '2025-03-01T00:00:00Z',
    ContactName: 'Contact 7',
    ContactNickname: 'Zoë',
    ContactCompany: 'Acme',
    ContactPhone: '(804) 555-0100',
    ContactAltPhone: '',
    Name: 'Contact 7',
    PriPhone: '(804) 555-0100',
    AltPhone: '',
    Email: 'ann@example.com',
    Address1: '12 Main St',
    Address2: '',
    City: 'Springfield',
    State: 'IL',
    PostalCode: '62701',
    DigitalTrackingId: 'web-7',
    CreatedAt: '2025-02-01T00:00:00Z',
  };
  const names = ['TransactionDate', 'Subtotal', ...Object.keys(contactFields)];
  const none = Object.fromEntries(names.map((name) => [name, null]));
  const billed = { ServiceId: 1, PartId: null, Description: '', Rate: 1, Qty: 1, Taxable: true };
  const lines = [0.1, 0.2].map((Extended) => ({ ...billed, Extended }));

  const [noon, midnight, december] = ['2026-11-20T12:00:00Z', '2026-11-20T05:00:00Z', '2026-12-01T05:00:00Z'];
  const booked = { ...appointment, Start: NOW, Total: 53 };
  const queued = { ...appointment, QueueDate: '2026-12-01' };
  const taxed = { ...booked, Subtotal: 50 };
  const billable = { ...booked, BilledLines: lines };
  test.each<[string, string, { Id: number; V: number }, string | null, number | null]>([
    ['an invoice', 'Invoice', invoice, noon, 100],
    ['a proposal, by the midnight of its zone', 'Proposal', proposal, midnight, 200],
    ['an appointment without tax', 'Appointment', booked, noon, 53],
    ['one with tax', 'Appointment', taxed, noon, 50],
    ['a queued one', 'Appointment', queued, december, 0],
    ['one of no date', 'Appointment', appointment, null, 0],
    ['one to be billed', 'Appointment', billable, noon, 0.3],
  ])('of %s tells date, subtotal and contact beside the Data', (_, entity, record, TransactionDate, Subtotal) => {
    const event = changed(entity, undefined, record, relations);
    expect(event).toMatchObject({ TransactionDate, Subtotal, ...contactFields });
    expect(EventPayload.output().strict().parse(event)).toEqual(event);
    expect(event && eventPayload(eventText(event))).toEqual(event);
  });

  test('that is a deletion has its own time and no subtotal', () => {
    expect(changed('Invoice', invoice, undefined, relations)).toMatchObject({
      Kind: 'invoice.deleted',
      TransactionKind: 3,
      TransactionDate: '2026-11-21T12:00:05Z',
      Subtotal: null,
      ...contactFields,
    });
  });

  test('has no fields of a deleted contact', () => {
    const known = { TransactionDate: noon, Subtotal: 100, ContactId: 7 };
    expect(changed('Invoice', undefined, invoice)).toMatchObject({ ...none, ...known });
    expect(changed('Contact', client, undefined)).toMatchObject({ ...none, TransactionDate: '2026-11-21T12:00:05Z' });
  });

  test('has LifetimeValue 0 without payments and CustomerSince null before the first invoice', () => {
    const lead = eventRelations({ contacts: new Map([[7, someContact(7)]]) });
    expect(changed('Invoice', undefined, invoice, lead)).toMatchObject({ LifetimeValue: 0, CustomerSince: null });
  });

  test('has them alone: for a payment, a contact and a note they are null', () => {
    const noted = { ...client, Notes: [{ Id: 1, Title: '', Body: 'x' }] };
    for (const event of [
      changed('Payment', undefined, payment, relations),
      changed('Contact', undefined, client, relations),
      changed('Contact', client, noted, relations),
    ]) {
      expect(event).toMatchObject(none);
      const text = event ? eventText(event) : '';
      expect(text, 'nor does the queue keep them').not.toMatch(/TransactionDate|ContactAltPhone|PriPhone/);
      expect(eventPayload(text)).toEqual(event);
    }
  });

  test('needs its contact; other events except deletions do not', () => {
    const at = new Date(NOW);
    const change = (entity: string, before: object | undefined, after: object | undefined) =>
      eventContactId({ account: 'acme', entity, id: 1, version: 1, at, before, after } as Change);
    expect(change('Invoice', undefined, invoice)).toBe(7);
    expect(change('Payment', payment, undefined)).toBe(7);
    expect(change('Payment', undefined, payment)).toBeNull();
    expect(change('Contact', undefined, client)).toBeNull();
    expect(change('Lease', undefined, {})).toBeNull();
  });
});

describe('a change of a contact by what it owes and has paid', () => {
  const contact = someContact(7, { OpenInvoices: {}, OpenProposals: {} });
  const document = { Date: '2026-11-20', Service: 'Mowing' };

  test.each<[string, object, Kinds | undefined]>([
    ['what it has paid', { LifetimeValue: 50, Updated: NOW }, undefined],
    ['since when it is a customer', { CustomerSince: NOW }, undefined],
    ['that it is a customer', { IsCustomer: true, CustomerSince: NOW }, ['contact.updated', 'IsCustomer']],
    ['an open invoice', { OpenInvoices: { 3: document } }, ['contact.updated', 'OpenInvoices']],
    ['an open proposal', { OpenProposals: { 5: document } }, ['contact.updated', 'OpenProposals']],
    [
      'an acceptance with a deposit',
      { OpenInvoices: { 3: document }, OpenProposals: {}, IsCustomer: true, CustomerSince: NOW },
      ['contact.updated', 'IsCustomer', 'OpenInvoices'],
    ],
  ])('that is %s', (_, input, expected) => {
    expect(toKinds(changed<ContactRecord>('Contact', contact, { ...contact, ...input }))).toEqual(expected);
  });

  test('that is an invoice paid takes it off the list', () => {
    const owing = { ...contact, OpenInvoices: { 3: document } };
    const paid = { ...contact, LifetimeValue: 106 };
    expect(changed<ContactRecord>('Contact', owing, paid)).toMatchObject({
      Changed: ['OpenInvoices'],
      Data: { OpenInvoices: [] },
    });
  });
});
