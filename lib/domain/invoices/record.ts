import { type New, blankOf } from '../../entities/declaration/entity.ts';
import { type InvoiceLineRecord, type InvoiceRecord, invoiceEntity, invoiceLine } from '../../entities/invoices.ts';
import type { Invoice } from '../../resources/invoices.ts';
import type { Input } from '../../resources/resource.ts';
import { wholeSecond } from '../../shared/time/read-moments.ts';
import { toKeyText } from '../../shared/text/text.ts';

/** Statuses and types of an invoice, by their number (interface, section 8). */
export const InvoiceStatus = { Unapproved: 0, Open: 1, Paid: 2, Voided: 3 } as const;
export const InvoiceType = { Standard: 0, Deposit: 1, Recurring: 2, Credit: 3 } as const;
export const INVOICE_STATUSES = ['Unapproved', 'Open', 'Paid', 'Voided'] as const;
export const INVOICE_TYPES = ['Standard', 'Deposit', 'Recurring', 'Credit'] as const;

/** `undefined` leaves a field as it is, `null` clears it. Calculated fields are checked or ignored, never stored. */
export type InvoiceInput = Input<typeof Invoice>;

export type NewInvoice = Pick<InvoiceRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Number' | 'Zone' | 'Created'>;

/**
 * An open invoice without lines, dated when it is created, with the input applied; `withTotals` calculates its amounts.
 */
export const blankInvoice = (input: NewInvoice & Partial<InvoiceRecord>): InvoiceRecord =>
  invoiceEntity.blank({
    Date: wholeSecond(input.Created),
    Status: InvoiceStatus.Open,
    Total: 0,
    Paid: 0,
    BalanceDue: 0,
    ...input,
  });

/** Whether two numbers are the same to an organization: case, accents and space around them do not count. */
export const isSameNumber = (left: string, right: string): boolean =>
  toKeyText(left.trim()) === toKeyText(right.trim());

/** 1 × 0.00, untaxed, with the input applied. */
export const blankLine = (input: New<typeof invoiceLine>): InvoiceLineRecord => blankOf(invoiceLine, input);
