import { wholeSecond } from '../moments-in.ts';
import { InvoiceStatus, InvoiceType, type InvoiceLineRecord, type InvoiceRecord } from './record.ts';

/** What an invoice must have from the beginning. */
export type GivenInvoice = Pick<
  InvoiceRecord,
  'Id' | 'OrganizationId' | 'ContactId' | 'Number' | 'HashKey' | 'Zone' | 'Created'
>;

/**
 * An open invoice of no lines, dated when it was made, with all that is given laid over it; its figures are
 * withTotals's.
 */
export const blankInvoice = (given: GivenInvoice & Partial<InvoiceRecord>): InvoiceRecord => ({
  Date: wholeSecond(given.Created),
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
  Updated: given.Created,
  V: 0,
  ...given,
});

/** One of something that costs nothing and is not taxed, with what is given laid over it. */
export const blankLine = (given: Pick<InvoiceLineRecord, 'Id'> & Partial<InvoiceLineRecord>): InvoiceLineRecord => ({
  ServiceId: null,
  PartId: null,
  Description: '',
  Rate: 0,
  Qty: 1,
  Extended: 0,
  Taxable: false,
  ...given,
});
