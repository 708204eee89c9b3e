import Big from 'big.js';
import type { Invoice, InvoiceLine } from '../../resources/invoices.ts';
import type { Input } from '../../resources/resource.ts';
import { type Json, canonical } from '../../shared/canonical-json.ts';
import { type FieldError, applyValue, applyText, prefixErrors } from '../../shared/field-errors.ts';
import { jsonByteLength, formatBytes } from '../../shared/limits.ts';
import { formatMoney } from '../../shared/money.ts';
import { parseMoment, wholeSecond } from '../../shared/read-moments.ts';
import type { Rate } from './tax-rate.ts';
import { type InvoiceLineRecord, type InvoiceRecord, InvoiceType, blankLine } from './record.ts';
import { INVOICE_STATUSES, INVOICE_TYPES, acceptsPayment } from './to-resource.ts';
import { withTotals } from './totals.ts';

/** An invoice as invoice/import takes it; what is worked out or derived of it is not laid over the one there is. */
export type InvoiceInput = Input<typeof Invoice>;

/** What an import draws on besides its request and the invoice there is. */
export interface InvoiceUpdate {
  readonly rate: Rate;
  /** Ids for the lines that have none. */
  readonly lineIds: readonly number[];
  readonly records: LineReferences;
  readonly now: number;
}

/** An item of the table holds 400 KB, also beside what a payment adds. */
const MAX_BYTES = 300_000;

function readDate(
  { Date, Zone }: InvoiceRecord,
  text: string | null | undefined,
): { at: number; errors: FieldError[] } {
  if (!text) return { at: Date, errors: [] };
  const parsed = parseMoment(text, Zone);
  return parsed.ok
    ? { at: wholeSecond(parsed.at), errors: [] }
    : { at: Date, errors: [{ field: 'Date', message: `cannot be read: ${parsed.reason}` }] };
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
function mayAccept(before: InvoiceRecord, input: boolean | null | undefined): boolean {
  const isSaid = typeof input === 'boolean' && (isNew(before) || input !== acceptsPayment(before));
  return isSaid ? input : before.CanAcceptClientPayment;
}

const noLines = ({ Lines }: InvoiceRecord): FieldError[] =>
  Lines.length ? [] : [{ field: 'Lines', message: 'must have at least one line' }];

/** Faults that are the whole invoice's. */
function faultsOf(invoice: InvoiceRecord): FieldError[] {
  const { Total, InvoiceType: type } = invoice;
  const isCredit = type === InvoiceType.Credit;
  const total = `the total is ${formatMoney(Total)}`;
  const all: readonly (false | FieldError)[] = [
    isCredit && Total > 0 && { field: 'InvoiceType', message: `must not be Credit above 0: ${total}` },
    !isCredit && Total < 0 && { field: 'InvoiceType', message: `must be Credit below 0: ${total}` },
    jsonByteLength(invoice) > MAX_BYTES && {
      field: 'Lines',
      message: `make the invoice too large: at most ${formatBytes(MAX_BYTES)} of JSON are kept`,
    },
  ];
  return [...noLines(invoice), ...all.filter((fault) => fault !== false)];
}

/**
 * An invoice (`V` 0: a new one) with what an import brings laid over it, and its figures worked out anew: `undefined`
 * leaves a field, `null` clears one that can be empty. Lines that are given, if any, are all there are from now on.
 * Figures, links, DatePaid and Contact are never taken from the request, since they follow from the rest.
 */
export function applyInvoiceInput(
  before: InvoiceRecord,
  input: InvoiceInput,
  { rate, lineIds, records, now }: InvoiceUpdate,
): { readonly invoice: InvoiceRecord; readonly errors: readonly FieldError[] } {
  const date = readDate(before, input.Date);
  const merged = input.Lines?.length
    ? applyInvoiceLines(before.Lines, input.Lines, { ids: lineIds, records })
    : { lines: before.Lines, errors: [] };
  const AppointmentId = applyValue(input.AppointmentId, before.AppointmentId, null);
  const laid: InvoiceRecord = {
    ...before,
    ...rate,
    Number: input.Number?.trim() || before.Number,
    Date: date.at,
    Status: input.Status ? INVOICE_STATUSES.indexOf(input.Status) : before.Status,
    InvoiceType: input.InvoiceType ? INVOICE_TYPES.indexOf(input.InvoiceType) : before.InvoiceType,
    ProposalId: applyValue(input.ProposalId, before.ProposalId, null),
    AppointmentId,
    AssociatedAppointmentIds: associated(before, input, AppointmentId),
    IncludedInEop: input.IncludedInEop ?? before.IncludedInEop,
    Terms: applyText(input.Terms, before.Terms),
    CustomerNotes: applyText(input.CustomerNotes, before.CustomerNotes),
    CanAcceptClientPayment: mayAccept(before, input.CanAcceptClientPayment),
    Lines: merged.lines,
  };
  const errors = [...date.errors, ...merged.errors];
  if (errors.length) return { invoice: laid, errors: [...errors, ...noLines(laid)] };
  const invoice = withTotals(laid, isNew(before) ? laid.Date : now);
  return { invoice, errors: faultsOf(invoice) };
}

export type LineInput = Input<typeof InvoiceLine>;

/** Names of the services and parts that lines are of; a line whose thing has none there is at fault. */
export interface LineReferences {
  readonly services: ReadonlyMap<number, string>;
  readonly parts: ReadonlyMap<number, string>;
}

/** A line comes to no more either way, so that sums of a thousand are exact to the cent. */
const MOST = 1e10;

/** How many of the lines are new and need an id. */
export const countNewLines = (input: readonly LineInput[]): number => input.filter(({ Id }) => !Id).length;

/** Ids of the services and parts that lines name and the lines there are do not, so that they are to be looked up. */
export function lineReferences(
  before: readonly InvoiceLineRecord[],
  input: readonly LineInput[],
): { readonly services: readonly number[]; readonly parts: readonly number[] } {
  const named = (of: 'ServiceId' | 'PartId') => {
    const known = new Set(before.map((line) => line[of]));
    return [...new Set(input.flatMap((line) => line[of] ?? []))].filter((id) => !known.has(id));
  };
  return { services: named('ServiceId'), parts: named('PartId') };
}

/** A line with what is given laid over it: `undefined` leaves a field, `null` clears it. */
function laid(line: InvoiceLineRecord, input: LineInput, name: string): InvoiceLineRecord {
  const { ServiceId, PartId, Description, Rate, Qty, Taxable } = input;
  return {
    ...line,
    ServiceId: applyValue(ServiceId, line.ServiceId, null),
    PartId: applyValue(PartId, line.PartId, null),
    Description: applyText(Description, line.Description || name),
    Rate: applyValue(Rate, line.Rate, 0),
    Qty: applyValue(Qty, line.Qty, 1),
    Taxable: applyValue(Taxable, line.Taxable, false),
  };
}

/** What cannot be of a line as it is given, and of what it comes to be. */
function lineFaults(
  { Id, ServiceId, PartId }: LineInput,
  line: InvoiceLineRecord,
  of: { readonly before: readonly InvoiceLineRecord[]; readonly records: LineReferences; readonly isKnown: boolean },
): FieldError[] {
  const { before, records, isKnown } = of;
  const isNamed = (id: number, field: 'ServiceId' | 'PartId', names: ReadonlyMap<number, string>) =>
    names.has(id) || before.some((other) => other[field] === id);
  const unknown = before.length
    ? `${Id} is no line of the invoice, or of one given twice`
    : 'is what a new line is given';
  const all: readonly (false | FieldError)[] = [
    !!Id && !isKnown && { field: 'Id', message: unknown },
    !!ServiceId &&
      !isNamed(ServiceId, 'ServiceId', records.services) && {
        field: 'ServiceId',
        message: `there is no service ${ServiceId}`,
      },
    !!PartId && !isNamed(PartId, 'PartId', records.parts) && { field: 'PartId', message: `there is no part ${PartId}` },
    new Big(line.Rate).times(line.Qty).abs().gt(MOST) && {
      field: 'Rate',
      message: `times Qty must be at most ${MOST} either way`,
    },
  ];
  return all.filter((fault) => fault !== false);
}

/**
 * The lines of an invoice as given, which are all there are from now on. One with the Id of a line there is keeps it
 * and what is not given of it; others get `ids` in turn, and are 1 × 0.00, untaxed, unless they say otherwise, with
 * the name of their part or service where they have no Description.
 */
export function applyInvoiceLines(
  before: readonly InvoiceLineRecord[],
  input: readonly LineInput[],
  { ids, records }: { readonly ids: readonly number[]; readonly records: LineReferences },
): { readonly lines: readonly InvoiceLineRecord[]; readonly errors: readonly FieldError[] } {
  const kept = new Map(before.map((line) => [line.Id, line]));
  const free = [...ids];
  const laidOver = input.map((line) => {
    const known = line.Id ? kept.get(line.Id) : undefined;
    if (known) kept.delete(known.Id);
    const name = records.parts.get(line.PartId ?? 0) ?? records.services.get(line.ServiceId ?? 0) ?? '';
    const merged = laid(known ?? blankLine({ Id: free.shift() ?? 0 }), line, name);
    return { merged, errors: lineFaults(line, merged, { before, records, isKnown: known !== undefined }) };
  });
  return {
    lines: laidOver.map(({ merged }) => merged),
    errors: laidOver.flatMap(({ errors }, index) => prefixErrors(`Lines[${index}]`, errors)),
  };
}

/**
 * What a request says of an invoice, as one text: two requests of the same content have the same, in whatever order
 * they say it, and with `null` for what they do not.
 */
export const invoiceContent = (input: InvoiceInput): string =>
  canonical(JSON.parse(JSON.stringify(input, (_, value: unknown) => value ?? undefined)) as Json);
