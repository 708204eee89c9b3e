import { wholeSecond } from '../../shared/read-moments.ts';
import type { InvoicedProposal } from './proposal-effects.ts';

/** Statuses and types of an invoice, by their number (interface, section 8). */
export const InvoiceStatus = { Unapproved: 0, Open: 1, Paid: 2, Voided: 3 } as const;
export const InvoiceType = { Standard: 0, Deposit: 1, Recurring: 2, Credit: 3 } as const;

/** A line as it is kept; Extended is Rate × Qty, rounded half-up to cents. */
export interface InvoiceLineRecord {
  readonly Id: number;
  readonly ServiceId: number | null;
  readonly PartId: number | null;
  readonly Description: string;
  readonly Rate: number;
  readonly Qty: number;
  readonly Extended: number;
  readonly Taxable: boolean;
  /** Its share of a tax that is divided over the visits of a subscription; while it comes to that much at that rate. */
  readonly TaxShare?: { readonly Extended: number; readonly TaxRate: number; readonly Tax: number };
}

/** An invoice as it is kept. Moments in milliseconds since 1970, money with 2 decimals. */
export interface InvoiceRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  /** Unique in the organization. */
  readonly Number: string;
  /** The public handle: 22 unguessable characters. */
  readonly HashKey: string;
  readonly Zone: string;
  readonly Date: number;
  readonly DatePaid: number | null;
  /** See InvoiceStatus and InvoiceType. */
  readonly Status: number;
  readonly InvoiceType: number;
  readonly ProposalId: number | null;
  readonly AppointmentId: number | null;
  readonly AssociatedAppointmentIds: readonly number[];
  /** What it changed of proposals; absent for nothing. */
  readonly Proposals?: readonly InvoicedProposal[];
  readonly Subtotal: number;
  readonly Tax: number;
  readonly Total: number;
  /** What has been paid, less refunds. */
  readonly Paid: number;
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
  /**
   * SHA-256 of the request that made it, so that the same Number with the same content is the same invoice; `""` for
   * one made here.
   */
  readonly Fingerprint: string;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

/** What an invoice must have from the beginning. */
export type NewInvoice = Pick<
  InvoiceRecord,
  'Id' | 'OrganizationId' | 'ContactId' | 'Number' | 'HashKey' | 'Zone' | 'Created'
>;

/**
 * An open invoice of no lines, dated when it was made, with all that is given laid over it; its figures are
 * withTotals's.
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

/** One of something that costs nothing and is not taxed, with what is given laid over it. */
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
