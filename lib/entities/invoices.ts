import { omit } from '../shared/objects.ts';
import { taxPart } from './tax-parts.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  type ObjectOf,
  date,
  decimal,
  flag,
  history,
  id,
  listOf,
  moment,
  number,
  numbers,
  object,
  text,
} from './declaration/fields.ts';

/** A line of a future invoice, after discounts and before tax. */
export const billedLine = {
  ServiceId: id({ nullable: true }),
  PartId: id({ nullable: true }),
  Description: text({ personal: 'named' }),
  Rate: number(),
  Qty: number({ absent: 1 }),
  /** Rate × Qty, rounded half-up to cents. */
  Extended: number(),
  Taxable: flag(),
  /** Its tax, if that does not follow from the tax rate: a share of a tax that is divided over visits. */
  Tax: number({ optional: true }),
};
export type BilledLine = ObjectOf<typeof billedLine>;

const untaxedLine = omit(billedLine, 'Tax');

/** A line as it is stored; Extended is Rate × Qty, rounded half-up to cents. */
export const invoiceLine = {
  Id: id(),
  ...untaxedLine,
  /** Its share of a tax that is divided over the visits of a subscription; valid for this amount and rate only. */
  TaxShare: object({ Extended: number(), TaxRate: number(), Tax: number() }, { optional: true }),
};
export type InvoiceLineRecord = ObjectOf<typeof invoiceLine>;

/** What an invoice has changed of a proposal; voiding the invoice reverts it. */
const invoicedProposal = {
  Id: id(),
  /** Whether it bills what the proposal sold. */
  Bills: flag(),
  /** The part of the proposal's deposit that the invoice takes off. */
  Credited: number(),
  /** The line that takes it off; absent if nothing is credited. */
  CreditLineId: id({ optional: true }),
};
export type InvoicedProposal = ObjectOf<typeof invoicedProposal>;

/** Statuses and types of an invoice, by their number (interface, section 8). */
export const InvoiceStatus = { Unapproved: 0, Open: 1, Paid: 2, Voided: 3 } as const;
export const InvoiceType = { Standard: 0, Deposit: 1, Recurring: 2, Credit: 3 } as const;
export const INVOICE_STATUSES = ['Unapproved', 'Open', 'Paid', 'Voided'] as const;
export const INVOICE_TYPES = ['Standard', 'Deposit', 'Recurring', 'Credit'] as const;

/** Not paid and not voided. */
export const isOpenInvoice = (status: number | undefined): boolean =>
  status === InvoiceStatus.Unapproved || status === InvoiceStatus.Open;

/** An invoice as it is stored; money with 2 decimals. */
export const invoiceEntity = entity(
  'Invoice',
  {
    Id: id({ resource: true, download: true }),
    OrganizationId: id(),
    ContactId: id({ resource: true }),
    /** Unique in the organization. */
    Number: text({ required: true, resource: true, download: true }),
    Zone: text({ required: true }),
    Date: moment({ required: true, resource: true, download: true }),
    /** Its Date where that was given as a date, whatever the zone of the organization becomes; else `''`. */
    Day: date(),
    DatePaid: moment({ nullable: true, resource: true, download: true }),
    /** See InvoiceStatus and InvoiceType in lib/domain/invoices/record.ts. */
    Status: number({ required: true }),
    InvoiceType: number(),
    ProposalId: id({ nullable: true, resource: true, download: true }),
    AppointmentId: id({ nullable: true, resource: true, download: true }),
    AssociatedAppointmentIds: numbers(),
    Proposals: listOf(invoicedProposal, { optional: true }),
    Subtotal: decimal({ resource: true, download: true }),
    Tax: decimal({ resource: true, download: true }),
    Total: decimal({ required: true, resource: true, download: true }),
    /** Payments less refunds. */
    Paid: decimal({ required: true, download: true }),
    /** Payments and refunds since they are counted; absent before the first. */
    PaymentCount: number({ optional: true }),
    /** Total − Paid; 0 once voided. */
    BalanceDue: decimal({ required: true, resource: true, download: true }),
    IncludedInEop: flag({ resource: true, download: true }),
    /** Percent. */
    TaxRate: decimal({ resource: true, download: true }),
    RateName: text({ resource: true, download: true }),
    /** What TaxRate is made of; empty where it is one tax. */
    TaxParts: listOf(taxPart, { resource: true }),
    Terms: text({ resource: true, download: true, personal: 'named' }),
    CustomerNotes: text({ resource: true, download: true, personal: 'written' }),
    /** Whether a client may pay it, while it is open. */
    CanAcceptClientPayment: flag({ absent: true }),
    Lines: listOf(invoiceLine),
    /** SHA-256 of the request that created it, which identifies a repeated import; `""` for one created here. */
    Fingerprint: text(),
    /** How often its links were revoked; absent before the first time. */
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
