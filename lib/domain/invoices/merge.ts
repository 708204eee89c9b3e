import type { Invoice } from '../../resources/invoices.ts';
import type { Input } from '../../resources/resource.ts';
import type { Fault } from '../faults.ts';
import { parseMoment, wholeSecond } from '../moments-in.ts';
import { moneyText } from '../money-text.ts';
import { said, saidText } from '../said.ts';
import { bytesOf, bytesText } from '../sizes.ts';
import { mergeLines, type LineThings } from './lines.ts';
import { InvoiceType, type InvoiceRecord } from './record.ts';
import type { Rate } from './rates.ts';
import { withTotals } from './totals.ts';
import { acceptsPayment, INVOICE_STATUSES, INVOICE_TYPES } from './view.ts';

/** An invoice as invoice/import takes it; what is worked out or derived of it is not laid over the one there is. */
export type InvoiceInput = Input<typeof Invoice>;

/** What an import draws on besides its request and the invoice there is. */
export interface Merging {
  readonly rate: Rate;
  /** Ids for the lines that have none. */
  readonly lineIds: readonly number[];
  readonly things: LineThings;
  readonly now: number;
}

/** An item of the table holds 400 KB, also beside what a payment adds. */
const MOST_BYTES = 300_000;

function readDate({ Date, Zone }: InvoiceRecord, text: string | null | undefined): { at: number; faults: Fault[] } {
  if (!text) return { at: Date, faults: [] };
  const parsed = parseMoment(text, Zone);
  return parsed.ok
    ? { at: wholeSecond(parsed.at), faults: [] }
    : { at: Date, faults: [{ field: 'Date', message: `cannot be read: ${parsed.reason}` }] };
}

const isNew = ({ V }: InvoiceRecord): boolean => V === 0;

/** A list given empty is one that a client was not shown, or left as it began: it says nothing, `null` clears. */
function associated(
  { AssociatedAppointmentIds: before }: InvoiceRecord,
  { AssociatedAppointmentIds: listed }: InvoiceInput,
  own: number | null,
): readonly number[] {
  if (listed === null) return [];
  return listed?.length ? [...new Set(listed)].filter((id) => id !== own) : before.filter((id) => id !== own);
}

/** What is sent back as it was shown says nothing: of an invoice that is not open, false is shown whatever is kept. */
function mayAccept(before: InvoiceRecord, given: boolean | null | undefined): boolean {
  const isSaid = typeof given === 'boolean' && (isNew(before) || given !== acceptsPayment(before));
  return isSaid ? given : before.CanAcceptClientPayment;
}

const noLines = ({ Lines }: InvoiceRecord): Fault[] =>
  Lines.length ? [] : [{ field: 'Lines', message: 'must have at least one line' }];

/** Faults that are the whole invoice's. */
function faultsOf(invoice: InvoiceRecord): Fault[] {
  const { Total, InvoiceType: type } = invoice;
  const isCredit = type === InvoiceType.Credit;
  const total = `the total is ${moneyText(Total)}`;
  const all: readonly (false | Fault)[] = [
    isCredit && Total > 0 && { field: 'InvoiceType', message: `must not be Credit above 0: ${total}` },
    !isCredit && Total < 0 && { field: 'InvoiceType', message: `must be Credit below 0: ${total}` },
    bytesOf(invoice) > MOST_BYTES && {
      field: 'Lines',
      message: `make the invoice too large: at most ${bytesText(MOST_BYTES)} of JSON are kept`,
    },
  ];
  return [...noLines(invoice), ...all.filter((fault) => fault !== false)];
}

/**
 * An invoice (`V` 0: a new one) with what an import brings laid over it, and its figures worked out anew: `undefined`
 * leaves a field, `null` clears one that can be empty. Lines that are given, if any, are all there are from now on.
 * Figures, links, DatePaid and Contact are never taken from the request, since they follow from the rest.
 */
export function mergeInvoice(
  before: InvoiceRecord,
  given: InvoiceInput,
  { rate, lineIds, things, now }: Merging,
): { readonly invoice: InvoiceRecord; readonly faults: readonly Fault[] } {
  const date = readDate(before, given.Date);
  const merged = given.Lines?.length
    ? mergeLines(before.Lines, given.Lines, { ids: lineIds, things })
    : { lines: before.Lines, faults: [] };
  const AppointmentId = said(given.AppointmentId, before.AppointmentId, null);
  const laid: InvoiceRecord = {
    ...before,
    ...rate,
    Number: given.Number?.trim() || before.Number,
    Date: date.at,
    Status: given.Status ? INVOICE_STATUSES.indexOf(given.Status) : before.Status,
    InvoiceType: given.InvoiceType ? INVOICE_TYPES.indexOf(given.InvoiceType) : before.InvoiceType,
    ProposalId: said(given.ProposalId, before.ProposalId, null),
    AppointmentId,
    AssociatedAppointmentIds: associated(before, given, AppointmentId),
    IncludedInEop: given.IncludedInEop ?? before.IncludedInEop,
    Terms: saidText(given.Terms, before.Terms),
    CustomerNotes: saidText(given.CustomerNotes, before.CustomerNotes),
    CanAcceptClientPayment: mayAccept(before, given.CanAcceptClientPayment),
    Lines: merged.lines,
  };
  const faults = [...date.faults, ...merged.faults];
  if (faults.length) return { invoice: laid, faults: [...faults, ...noLines(laid)] };
  const invoice = withTotals(laid, isNew(before) ? laid.Date : now);
  return { invoice, faults: faultsOf(invoice) };
}
