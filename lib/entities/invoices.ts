import type { ObjectOf } from './declaration/field.ts';
import { Contact } from './contacts.ts';
import { type Output, described, extension, many, nested } from '../resources/fields.ts';
import { CLIENT_LINK } from '../resources/sentences.ts';
import { omit } from '../shared/objects.ts';
import { TaxPart, taxPart } from './tax-rates.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { reducedOf, resourceOf } from './declaration/resource.ts';
import {
  date,
  decimal,
  double,
  flag,
  given,
  history,
  id,
  ids,
  listOf,
  moment,
  number,
  numbered,
  object,
  text,
} from './declaration/fields.ts';

/** A line of a future invoice, after discounts and before tax. */
export const billedLine = {
  ServiceId: id({ nullable: true, resource: true }),
  PartId: id({ nullable: true, resource: true }),
  Description: text({ resource: true, personal: 'named' }),
  Rate: decimal({ resource: true }),
  Qty: double({ absent: 1, resource: true }),
  /** Rate × Qty, rounded half-up to cents. */
  Extended: decimal({ resource: true }),
  Taxable: flag({ resource: true }),
  /** Its tax, if that does not follow from the tax rate: a share of a tax that is divided among visits. */
  Tax: number({ optional: true }),
};
export type BilledLine = ObjectOf<typeof billedLine>;

const untaxedLine = omit(billedLine, 'Tax');

/** A line as stored; Extended is Rate × Qty, rounded half-up to cents. */
export const invoiceLine = {
  Id: id({ resource: true }),
  ...untaxedLine,
  Tax: given(
    decimal({
      nullable: true,
      extension: true,
      description: 'Of a visit of a subscription it may be a cent beside TaxRate.',
    }),
  ),
  /** Its share of a tax that is divided among the visits of a subscription; valid for this amount and rate only. */
  TaxShare: object({ Extended: number(), TaxRate: number(), Tax: number() }, { optional: true }),
};
export type InvoiceLineRecord = ObjectOf<typeof invoiceLine>;

/** What an invoice changed in a proposal; voiding the invoice reverts it. */
const invoicedProposal = {
  Id: id(),
  /** Whether it bills what the proposal sold. */
  Bills: flag(),
  /** The part of the proposal's deposit that the invoice deducts. */
  Credited: number(),
  /** The line that deducts it; absent if nothing is credited. */
  CreditLineId: id({ optional: true }),
};
export type InvoicedProposal = ObjectOf<typeof invoicedProposal>;

/** Statuses and types of an invoice by number (interface, section 8). */
export const InvoiceStatus = { Unapproved: 0, Open: 1, Paid: 2, Voided: 3 } as const;
export const InvoiceType = { Standard: 0, Deposit: 1, Recurring: 2, Credit: 3 } as const;
export const INVOICE_STATUSES = ['Unapproved', 'Open', 'Paid', 'Voided'] as const;
export const INVOICE_TYPES = ['Standard', 'Deposit', 'Recurring', 'Credit'] as const;

/** Not paid and not voided. */
export const isOpenInvoice = (status: number | undefined): boolean =>
  status === InvoiceStatus.Unapproved || status === InvoiceStatus.Open;

/** An invoice as stored; money with 2 decimals. */
export const invoiceEntity = entity(
  'Invoice',
  {
    Id: id({ resource: true, shownNullable: true, download: true }),
    OrganizationId: id(),
    Number: text({
      max: 100,
      required: true,
      resource: true,
      download: true,
      description: 'Unique in the organization.',
    }),
    Zone: text({ required: true }),
    Date: moment({ required: true, resource: true, download: true }),
    /**
     * The Date, if it was given as a calendar date; unaffected by changes of the organization's time zone. Otherwise
     * `''`.
     */
    Day: date(),
    DatePaid: moment({ nullable: true, resource: true, readOnly: true, download: true }),
    Status: numbered(INVOICE_STATUSES, {
      required: true,
      resource: true,
      download: true,
      description: '0 Unapproved, 1 Open, 2 Paid, 3 Voided.',
    }),
    InvoiceType: numbered(INVOICE_TYPES, {
      resource: true,
      download: true,
      description: '0 Standard, 1 Deposit, 2 Recurring, 3 Credit.',
    }),
    ContactId: id({ resource: true }),
    ProposalId: id({ nullable: true, resource: true, download: true }),
    AppointmentId: id({ nullable: true, resource: true, download: true }),
    Proposals: listOf(invoicedProposal, { optional: true }),
    Subtotal: decimal({ resource: true, download: true }),
    Tax: decimal({ resource: true, download: true }),
    Total: decimal({ required: true, resource: true, download: true }),
    /** Payments minus refunds. */
    Paid: decimal({ required: true, download: true }),
    /** Number of payments and refunds since they are counted; absent before the first. */
    PaymentCount: number({ optional: true }),
    /** Total − Paid; 0 once voided. */
    BalanceDue: decimal({ required: true, resource: true, readOnly: true, download: true }),
    IncludedInEop: flag({ resource: true, download: true, description: 'Counted in an end-of-period closing.' }),
    TaxRate: double({ resource: true, download: true, description: 'Percent.' }),
    RateName: text({ max: 100, resource: true, download: true }),
    Terms: text({ max: 1000, resource: true, download: true, personal: 'named' }),
    CustomerNotes: text({ resource: true, download: true, personal: 'written' }),
    /** Whether clients may pay it while it is open; its resource says whether the client can. */
    CanAcceptClientPayment: flag({
      absent: true,
      resource: true,
      description:
        'Whether the client can pay on the page now: a provider is connected, the invoice is Open, and you allow it.',
    }),
    ClientPayUrl: given(
      text({ max: 2048, readOnly: true, description: `The page of an Open or Paid invoice. ${CLIENT_LINK}` }),
    ),
    ClientPdfUrl: given(text({ max: 2048, readOnly: true, description: `The invoice as a PDF. ${CLIENT_LINK}` })),
    AssociatedAppointmentIds: ids({ resource: true }),
    /** The taxes that make up TaxRate; empty for a single tax. */
    TaxParts: listOf(taxPart, { resource: true }),
    DueDate: given(
      date({
        nullable: true,
        readOnly: true,
        extension: true,
        description: 'By Date and Terms, such as `Net 15`; null where they name no days.',
      }),
    ),
    Lines: listOf(invoiceLine),
    Contact: given(),
    /** SHA-256 of the request that created it, which identifies repeated imports; `""` if it was created here. */
    Fingerprint: text(),
    /** How often its links were revoked; absent until the first time. */
    LinksRevoked: number({ optional: true }),
    ...history,
  },
  {
    listed: {
      facts: { status: 'S', type: 'T' },
      entry: ({ Date: date, Day: day, Zone: zone, Status: status, InvoiceType: type }) => ({
        date,
        day,
        zone,
        open: isOpenInvoice(status),
        facts: { status, type },
      }),
    },
  },
);
export type InvoiceRecord = RecordOf<typeof invoiceEntity>;

/** A line; Extended is Rate × Qty, rounded half-up to 2 decimals. */
export const InvoiceLine = /* @__PURE__ */ resourceOf({ name: 'InvoiceLine', declared: invoiceLine });
export type InvoiceLine = Output<typeof InvoiceLine>;

/** A new line in invoice/import; InvoiceLine is accepted too. */
export const InvoiceLineReduced = /* @__PURE__ */ reducedOf(InvoiceLine, {
  title: 'InvoiceLineReduced',
  without: ['Id'],
});

export const Invoice = /* @__PURE__ */ resourceOf(invoiceEntity, { computed: ['TaxParts', 'Contact'] }, () => ({
  Lines: many(InvoiceLine),
  TaxParts: extension(described(many(TaxPart), 'The parts of Tax, where the rate has several.')),
  Contact: nested(Contact),
}));
export type Invoice = Output<typeof Invoice>;
