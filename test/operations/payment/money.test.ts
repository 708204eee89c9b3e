import type { Proposal } from '../../../lib/entities/proposals.ts';
import { InvoiceStatus } from '../../../lib/entities/invoices.ts';
import type { AppointmentRecord } from '../../../lib/entities/appointments.ts';
import { beforeAll, expect, test } from 'vitest';
import { findAppointment } from '../../../lib/store/appointments.ts';
import { readInvoice } from '../../support/invoices.ts';
import { writeBook } from '../../support/price-book.ts';
import { chance } from '../../support/random/random-pricing.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';
import { storeOf } from '../../../lib/store/store.ts';

const SERVICES = [
  { Name: 'Plain', BasePrice: 39.99, UnitPrice: 4.125, BaseDuration: 30, Taxable: true },
  { Name: 'Least', UnitPrice: 3.335, MinimumCharge: 120, BaseDuration: 30, Taxable: true },
  {
    Name: 'Bands',
    BasePrice: 40,
    UnitPrice: 9,
    BaseDuration: 30,
    IsExcludeFromDiscounts: true,
    UnitPriceOverrideCustomFieldId: 2,
    PricingBands: [
      { AtLeast: 0, LessThan: 10, Price: 6.05 },
      { AtLeast: 10, LessThan: 20, Price: 5.005, IsOverageMode: true },
      { AtLeast: 20, Price: 99.9, IsExcludeQuantity: true },
    ],
  },
  {
    Name: 'Formula',
    BasePrice: 15,
    UnitPrice: 2,
    BaseDuration: 30,
    QuantityFormula: 'ceil(sqft / 333)',
    Taxable: true,
    PricingBands: [{ AtLeast: 2, Formula: 'base + unit * quantity / 3' }],
  },
  { Name: 'Counted', UnitPrice: 7.77, BaseDuration: 30, QuantityOverrideCustomFieldId: 3 },
].map((service) => ({ ...service, IsMigrateInvoice: true }));

const PARTS = [
  { Name: 'Screen', UnitPrice: 12.345, Taxable: true },
  { Name: 'Rail', UnitPrice: 0.0201, UnitOfMeasure: 'ft' },
  { Name: 'Range', UnitPrice: 15, UnitPriceMax: 40, RangePricing: true, Taxable: true },
  {
    Name: 'Many',
    UnitPrice: 5,
    QtyPricing: [
      { AtLeast: 0, LessThan: 10, Price: 5 },
      { AtLeast: 10, Price: 4.333, OverageMode: true },
    ],
  },
  { Name: 'Van', UnitPrice: 20, IsInternal: true },
  { Name: 'Outside', UnitPrice: 33.33, IsExcludedFromMinimum: true, IsExcludeFromDiscounts: true, Taxable: true },
  {
    Name: 'Kit',
    IsAssembly: true,
    IsAssemblySynchronizePricing: true,
    Taxable: true,
    AssemblyItems: [
      { PartName: 'Screen', Quantity: 2 },
      { PartName: 'Rail', Quantity: 49.9975 },
    ],
  },
  {
    Name: 'Set',
    UnitPrice: 80,
    IsAssembly: true,
    AssemblyItems: [
      { PartName: 'Kit', Quantity: 1 },
      { PartName: 'Many', Quantity: 3 },
    ],
  },
  { Name: 'Half', UnitPrice: 9.995, SyncQtyWithServiceQty: true },
];

let company: Bookable;
let parts: Record<string, number>;

beforeAll(async () => {
  company = await bookable({
    services: SERVICES,
    taxRate: { Name: 'Springfield', TaxRate: 8.875 },
    customFields: [
      ['sqft', 'Square feet'],
      ['each', 'Price of one'],
      ['count', 'Windows'],
    ].map(([Shortcode = '', Name = '']) => ({ Shortcode, Name, Type: 1 })),
  });
  const { book } = await writeBook(company.accountId, { parts: PARTS });
  parts = Object.fromEntries([...book.parts.values()].map(({ Name, Id }) => [Name, Id]));
  const CustomFields = [
    { Shortcode: 'sqft', Value: 2345 },
    { Shortcode: 'each', Value: 6.789 },
    { Shortcode: 'count', Value: 13.5 },
  ];
  await ok(company.call('contacts/addupdate', { Id: company.contact, CustomFields }));
});

interface Line {
  readonly PartId: number;
  readonly Quantity: number;
  readonly UnitPrice: number | null;
  readonly Discount: number | null;
}

/** Each service in turn, with some parts; the same for the same seed. */
function requestFor(seed: number): { ServiceId: number; Quantity: number; AddOnParts: Line[] } {
  const random = chance(seed);
  const pick = <Of>(of: readonly Of[]): Of => of[Math.floor(random() * of.length)] as Of;
  const quantity = (): number => pick([1, 2, 3, 7, 10, 12, 19, 25, 1.5, 0.3333, Number((random() * 30).toFixed(4))]);
  const lines = Array.from({ length: Math.floor(random() * 6) }, (): Line => {
    const { Name, RangePricing, IsExcludeFromDiscounts } = {
      RangePricing: false,
      IsExcludeFromDiscounts: false,
      ...pick(PARTS),
    };
    return {
      PartId: parts[Name] ?? 0,
      Quantity: quantity(),
      UnitPrice: RangePricing ? pick([15, 22.5, 39.9999]) : null,
      Discount: IsExcludeFromDiscounts ? null : pick([null, null, 4.25, 0.01]),
    };
  });
  return {
    ServiceId: company.services[SERVICES[seed % SERVICES.length]?.Name ?? ''] ?? 0,
    Quantity: quantity(),
    AddOnParts: lines,
  };
}

const ok = async (answer: Promise<TestAnswer>): Promise<TestAnswer> => {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
  return answer;
};

const cents = (amount: number | null): number => Math.round((amount ?? -1) * 100);
const totalOf = ({ Subtotal, Tax }: Pick<Proposal, 'Subtotal' | 'Tax'>): number => cents(Subtotal) + cents(Tax);

const SIGNATURE =
  'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1 L 8 8" stroke="black"/></svg>';

async function appointment(id: number): Promise<AppointmentRecord> {
  const found = await findAppointment(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);
  if (!found) throw new Error(`no appointment ${id}`);
  return found;
}

test.each(Array.from({ length: 8 }, (_, index) => index + 1))(
  'the same costs the same to the cent wherever it is priced: request %i',
  async (seed) => {
    const { ServiceId, Quantity, AddOnParts } = requestFor(seed);
    const of = { ContactId: company.contact, ServiceId, Quantity, AddOnParts, Duration: '30' };
    const ProposalLines = AddOnParts.map(({ PartId, ...line }) => ({ Part: { Id: PartId }, ...line }));
    const offer = { Quantity, ProposalLines };
    const day = `2027-04-${String(4 + seed + 2 * Math.floor(seed / 6)).padStart(2, '0')}`;
    const at = (hour: number) => ({
      Slots: [{ DateTime: `${day}T${String(hour).padStart(2, '0')}:00`, ServiceAgentId: company.agents['Ann'] }],
    });

    const [found, quoted, created, booked, plain] = await Promise.all([
      ok(company.call('appointments/slotsearch', { ...of, TargetDate: day, SlotWindowDays: 1 })),
      ok(company.call('proposal/quote', { ContactId: company.contact, ServiceId, Proposal: offer })),
      ok(
        company.call('proposal/create', {
          ContactId: company.contact,
          ServiceId,
          ...offer,
          Status: 'Open',
          DepositRate: 100,
          DepositRequired: true,
        }),
      ),
      ok(company.call('appointments/book', { ...of, ...at(9) })),
      ok(company.call('appointments/book', { ...of, Quantity: 1, AddOnParts: [], ...at(11) })),
    ]);
    const total = cents(slotsIn(found)[0]?.Total ?? null);
    const id = slotIn(booked).AppointmentId;
    const proposalId = created.body['Id'] as number;
    const [updated, completed, accepted] = await Promise.all([
      ok(
        company.call('appointments/update', {
          AppointmentId: slotIn(plain).AppointmentId,
          Quantity,
          AddOnParts,
          UpdateLines: true,
          Duration: '30',
        }),
      ),
      ok(company.call('appointments/update', { AppointmentId: id, Slots: [{ Status: 3 }] })),
      ok(company.call('proposal/accept', { ProposalId: proposalId, Name: 'José García', SignatureData: SIGNATURE })),
    ]);
    expect(accepted.body['ResultCode']).toBe(0);
    const invoice = await readInvoice(testTable(), company.accountId, completed.body['InvoiceId'] as number);
    const quote = quoted.body['Proposal'] as Proposal;
    expect({
      quote: totalOf(quote),
      create: totalOf(created.body as unknown as Proposal),
      book: cents(slotIn(booked).Total),
      update: cents(slotIn(updated).Total),
      invoice: cents(invoice.Total),
      tax: cents(invoice.Tax),
      subtotal: cents(invoice.Subtotal),
    }).toEqual({
      quote: total,
      create: total,
      book: total,
      update: total,
      invoice: total,
      tax: cents(quote.Tax),
      subtotal: cents(quote.Subtotal),
    });

    // What is booked of it is what was sold. The deposit was over all of it: nothing is left to pay.
    const [open] = slotsIn(
      await ok(
        company.call('appointments/slotsearch', {
          ContactId: company.contact,
          RootProposalId: proposalId,
          TargetDate: day,
          SlotWindowDays: 1,
        }),
      ),
    );
    const soldProposal = await ok(
      company.call('appointments/book', { ContactId: company.contact, ...at(13), RootProposalId: proposalId }),
    );
    expect([cents(open?.Total ?? null), cents(slotIn(soldProposal).Total)]).toEqual([total, total]);
    await ok(
      company.call('appointments/update', {
        AppointmentId: slotIn(soldProposal).AppointmentId,
        Slots: [{ Status: 3 }],
      }),
    );
    const last = await readInvoice(
      testTable(),
      company.accountId,
      (await appointment(slotIn(soldProposal).AppointmentId)).InvoiceId,
    );
    expect([last.Total, last.BalanceDue, last.Status, last.Tax]).toEqual([0, 0, InvoiceStatus.Paid, quote.Tax]);
  },
);
