import type { Invoice } from '../../resources/invoices.ts';
import type { Input } from '../../resources/resource.ts';
import { wholeSecond } from '../../shared/time/read-moments.ts';
import { toKeyText } from '../../shared/text/text.ts';
import type { BilledLine } from '../pricing/billed-lines.ts';

/** Statuses and types of an invoice, by their number (interface, section 8). */
export const InvoiceStatus = { Unapproved: 0, Open: 1, Paid: 2, Voided: 3 } as const;
export const InvoiceType = { Standard: 0, Deposit: 1, Recurring: 2, Credit: 3 } as const;
export const INVOICE_STATUSES = ['Unapproved', 'Open', 'Paid', 'Voided'] as const;
export const INVOICE_TYPES = ['Standard', 'Deposit', 'Recurring', 'Credit'] as const;

/** `undefined` leaves a field as it is, `null` clears it. Calculated fields are checked or ignored, never stored. */
export type InvoiceInput = Input<typeof Invoice>;

/** A line as it is stored; Extended is Rate × Qty, rounded half-up to cents. */
export interface InvoiceLineRecord extends Omit<BilledLine, 'Tax'> {
  readonly Id: number;
  /** Its share of a tax that is divided over the visits of a subscription; valid for this amount and rate only. */
  readonly TaxShare?: { readonly Extended: number; readonly TaxRate: number; readonly Tax: number };
}

/** What an invoice has changed of a proposal; voiding the invoice reverts it. */
export interface InvoicedProposal {
  readonly Id: number;
  /** Whether it bills what the proposal sold. */
  readonly Bills: boolean;
  /** The part of the proposal's deposit that the invoice takes off. */
  readonly Credited: number;
  /** The line that takes it off; absent if nothing is credited. */
  readonly CreditLineId?: number;
}

/** An invoice as it is stored. Moments in milliseconds since 1970, money with 2 decimals. */
export interface InvoiceRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  /** Unique in the organization. */
  readonly Number: string;
  readonly Zone: string;
  readonly Date: number;
  readonly DatePaid: number | null;
  /** See InvoiceStatus and InvoiceType. */
  readonly Status: number;
  readonly InvoiceType: number;
  readonly ProposalId: number | null;
  readonly AppointmentId: number | null;
  readonly AssociatedAppointmentIds: readonly number[];
  readonly Proposals?: readonly InvoicedProposal[];
  readonly Subtotal: number;
  readonly Tax: number;
  readonly Total: number;
  /** Payments less refunds. */
  readonly Paid: number;
  /** Payments and refunds since they are counted; `undefined` before the first. */
  readonly PaymentCount?: number;
  /** Total − Paid; 0 once voided. */
  readonly BalanceDue: number;
  readonly IncludedInEop: boolean;
  /** Percent. */
  readonly TaxRate: number;
  readonly RateName: string;
  readonly Terms: string;
  readonly CustomerNotes: string;
  /** Whether a client may pay it, while it is open. */
  readonly CanAcceptClientPayment: boolean;
  readonly Lines: readonly InvoiceLineRecord[];
  /** SHA-256 of the request that created it, which identifies a repeated import; `""` for one created here. */
  readonly Fingerprint: string;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

export type NewInvoice = Pick<InvoiceRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Number' | 'Zone' | 'Created'>;

/**
 * An open invoice without lines, dated when it is created, with the input applied; `withTotals` calculates its amounts.
 */
export const blankInvoice = (input: NewInvoice & Partial<InvoiceRecord>): InvoiceRecord => ({
  Date: wholeSecond(input.Created),
  DatePaid: null,
  Status: InvoiceStatus.Open,
  InvoiceType: InvoiceType.Standard,
  ProposalId: null,
  AppointmentId: null,
  AssociatedAppointmentIds: [],
  Subtotal: 0,
  Tax: 0,
  Total: 0,
  Paid: 0,
  BalanceDue: 0,
  IncludedInEop: false,
  TaxRate: 0,
  RateName: '',
  Terms: '',
  CustomerNotes: '',
  CanAcceptClientPayment: true,
  Lines: [],
  Fingerprint: '',
  Updated: input.Created,
  V: 0,
  ...input,
});

/** 1 × 0.00, untaxed, with the input applied. */
export const blankLine = (input: Pick<InvoiceLineRecord, 'Id'> & Partial<InvoiceLineRecord>): InvoiceLineRecord => ({
  ServiceId: null,
  PartId: null,
  Description: '',
  Rate: 0,
  Qty: 1,
  Extended: 0,
  Taxable: false,
  ...input,
});

/** Whether two numbers are the same to an organization: case, accents and space around them do not count. */
export const isSameNumber = (left: string, right: string): boolean =>
  toKeyText(left.trim()) === toKeyText(right.trim());
