import { type Json, canonical, omit } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { formatMoment, startOfDate, toLocalDate } from '../../shared/time/time.ts';
import type { InvoiceInput } from './record.ts';

/** Recognizes a repeated import of an invoice. */

/** Fields of a new invoice that are not stored; the Id of `Contact` becomes ContactId. */
const NO_CONTENT = ['Id', 'Contact', 'DatePaid', 'DueDate', 'BalanceDue', 'ClientPayUrl', 'ClientPdfUrl'] as const;

/**
 * The content of a new invoice as it is read: its Date is compared as a date or moment regardless of notation, and
 * fields that only answers have are ignored.
 */
export const contentAsRead = (input: InvoiceInput, zone: string): InvoiceInput => ({
  ...omit(input, ...NO_CONTENT),
  ContactId: input.ContactId || input.Contact?.Id,
  Number: input.Number?.trim(),
  Date: input.Date && dateAsRead(input.Date, zone),
  Lines: input.Lines?.map((line) => omit(line, 'Id')),
});

/** The first instant of a day means that day, because many programs write dates with 0:00. */
function dateAsRead(text: string, zone: string): string {
  const read = parseMoment(text, zone);
  if (!read.ok) return text;
  const date = toLocalDate(read.at, zone);
  return read.at === startOfDate(date, zone) ? date : formatMoment(read.at, 'UTC', 'iso');
}

/** An input as text, the same for equal content: the order of fields does not matter, and `null` equals absent. */
export const invoiceContent = (input: InvoiceInput): string =>
  canonical(JSON.parse(JSON.stringify(input, (_, value: unknown) => value ?? undefined)) as Json);
