import {
  type InvoiceLineRecord,
  type InvoiceRecord,
  INVOICE_STATUSES,
  INVOICE_TYPES,
  InvoiceType,
  type InvoiceLine,
} from '../../entities/invoices.ts';
import Big from 'big.js';
import { type Input, applyText, applyValue } from '../../resources/fields.ts';
import { jsonByteLength } from '../../shared/objects.ts';
import { type FieldError, prefixErrors } from '../../shared/failure.ts';
import { formatBytes } from '../../shared/text/text.ts';
import { formatMoney } from '../../shared/money.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import type { TakesPayments } from '../client-pages.ts';
import { toRecordDate } from '../record-dates.ts';
import { withGivenAmounts } from './given-amounts.ts';
import { type InvoiceInput, acceptsPayment, blankLine } from './record.ts';
import { isNew } from './status.ts';
import type { TaxRate } from './tax-rate.ts';

type LineInput = Input<typeof InvoiceLine>;

/** Names of services and parts by id; a line may only refer to these, or to one that the invoice already has. */
export interface LineNames {
  readonly services: ReadonlyMap<number, string>;
  readonly parts: ReadonlyMap<number, string>;
}

export interface InvoiceUpdate {
  readonly rate: TaxRate;
  /** Ids for new lines. */
  readonly lineIds: readonly number[];
  readonly lineNames: LineNames;
  readonly takesPayments: TakesPayments;
  readonly now: number;
}

interface AppliedInput {
  readonly invoice: InvoiceRecord;
  readonly errors: readonly FieldError[];
  /** Amounts of the input that no rounding rule gives, each with the expected value. */
  readonly conflicts: readonly string[];
}

/** An item of the table has at most 400 KB; the rest is reserved for what payments add. */
const MAX_BYTES = 300_000;
/** Keeps sums of a thousand lines exact to the cent. */
const MAX_LINE_AMOUNT = 1e10;

/**
 * Applies an input to the invoice (`V` 0 for a new one) and calculates its amounts. Lines in the input replace all
 * lines. Amounts come from the input if a rounding rule gives them; `conflicts` lists the others. Links, DatePaid and
 * Contact are derived and not taken from an input.
 */
export function applyInvoiceInput(
  before: InvoiceRecord,
  input: InvoiceInput,
  { rate, lineIds, lineNames, takesPayments, now }: InvoiceUpdate,
): AppliedInput {
  const date = readDate(before, input.Date);
  const lines = input.Lines?.length
    ? applyLines(before.Lines, input.Lines, lineIds, lineNames)
    : { lines: before.Lines, errors: [] };
  const AppointmentId = applyValue(input.AppointmentId, before.AppointmentId, null);
  const applied: InvoiceRecord = {
    ...before,
    ...rate,
    Number: input.Number?.trim() || before.Number,
    Date: date.at,
    Day: date.Day,
    Status: input.Status ? INVOICE_STATUSES.indexOf(input.Status) : before.Status,
    InvoiceType: input.InvoiceType ? INVOICE_TYPES.indexOf(input.InvoiceType) : before.InvoiceType,
    ProposalId: applyValue(input.ProposalId, before.ProposalId, null),
    AppointmentId,
    AssociatedAppointmentIds: applyAssociated(before, input.AssociatedAppointmentIds, AppointmentId),
    IncludedInEop: applyValue(input.IncludedInEop, before.IncludedInEop, false),
    Terms: applyText(input.Terms, before.Terms),
    CustomerNotes: applyText(input.CustomerNotes, before.CustomerNotes),
    CanAcceptClientPayment: applyCanAccept(before, input.CanAcceptClientPayment, takesPayments),
    Lines: lines.lines,
  };
  const errors = [...date.errors, ...lines.errors, ...clientPaymentErrors(before, input)];
  if (errors.length) return { invoice: applied, errors: [...errors, ...missingLines(applied)], conflicts: [] };
  const { invoice, conflicts } = withGivenAmounts(before, applied, input, isNew(before) ? applied.Date : now);
  return { invoice, errors: [...missingLines(invoice), ...totalErrors(invoice)], conflicts };
}

function readDate(
  { Date, Day, Zone }: InvoiceRecord,
  text: string | null | undefined,
): { readonly at: number; readonly Day: string; readonly errors: readonly FieldError[] } {
  const before = { at: Date, Day, Zone };
  if (!text) return { ...before, errors: [] };
  const parsed = parseMoment(text, Zone);
  return parsed.ok
    ? { ...toRecordDate(parsed, Zone, before), errors: [] }
    : { ...before, errors: [{ field: 'Date', code: 'format', message: `cannot be read: ${parsed.reason}` }] };
}

/** An empty list changes nothing, because responses without these ids contain one; `null` clears. */
function applyAssociated(
  { AssociatedAppointmentIds: before }: InvoiceRecord,
  input: readonly number[] | null | undefined,
  own: number | null,
): readonly number[] {
  if (input === null) return [];
  return input?.length ? [...new Set(input)].filter((id) => id !== own) : before.filter((id) => id !== own);
}

const clientPaymentErrors = (before: InvoiceRecord, { CanAcceptClientPayment }: InvoiceInput): FieldError[] =>
  CanAcceptClientPayment === null && !isNew(before)
    ? [{ field: 'CanAcceptClientPayment', code: 'fixed', message: 'must be true or false; it cannot be cleared' }]
    : [];

/**
 * A value that equals the last response changes nothing: false is what an invoice always returns if it is not open, or
 * if its organization has no provider.
 */
function applyCanAccept(
  before: InvoiceRecord,
  input: boolean | null | undefined,
  takesPayments: TakesPayments,
): boolean {
  const isChange = typeof input === 'boolean' && (isNew(before) || input !== acceptsPayment(before, takesPayments));
  return isChange ? input : before.CanAcceptClientPayment;
}

const missingLines = ({ Lines }: InvoiceRecord): FieldError[] =>
  Lines.length ? [] : [{ field: 'Lines', code: 'required', message: 'must have at least one line' }];

function totalErrors(invoice: InvoiceRecord): FieldError[] {
  const isCredit = invoice.InvoiceType === InvoiceType.Credit;
  const total = formatMoney(invoice.Total);
  const errors: FieldError[] = [];
  if (isCredit && invoice.Total > 0)
    errors.push({
      field: 'InvoiceType',
      code: 'range',
      message: `must not be Credit for a total above 0; the total is ${total}`,
    });
  if (!isCredit && invoice.Total < 0)
    errors.push({
      field: 'InvoiceType',
      code: 'range',
      message: `must be Credit for a total below 0; the total is ${total}`,
    });
  if (jsonByteLength(invoice) > MAX_BYTES)
    errors.push({
      field: 'Lines',
      code: 'limit',
      message: `make the invoice too large; the maximum is ${formatBytes(MAX_BYTES)} of JSON`,
    });
  return errors;
}

export const countNewLines = (input: readonly LineInput[]): number => input.filter(({ Id }) => !Id).length;

/** Ids of services and parts that lines of the input refer to and lines of the invoice do not. */
export function newReferences(
  before: readonly InvoiceLineRecord[],
  input: readonly LineInput[],
): { readonly services: readonly number[]; readonly parts: readonly number[] } {
  const newIds = (field: 'ServiceId' | 'PartId') => {
    const known = new Set(before.map((line) => line[field]));
    return [...new Set(input.flatMap((line) => line[field] ?? []))].filter((id) => !known.has(id));
  };
  return { services: newIds('ServiceId'), parts: newIds('PartId') };
}

/**
 * The lines of an input. One with the Id of an existing line keeps that line's absent fields. The others get `ids` in
 * turn and default to 1 × 0.00, untaxed, with the name of their part or service as Description.
 */
function applyLines(
  before: readonly InvoiceLineRecord[],
  input: readonly LineInput[],
  ids: readonly number[],
  names: LineNames,
): { readonly lines: readonly InvoiceLineRecord[]; readonly errors: readonly FieldError[] } {
  const unmatched = new Map(before.map((line) => [line.Id, line]));
  const freeIds = [...ids];
  const applied = input.map((line, index) => {
    const known = line.Id ? unmatched.get(line.Id) : undefined;
    if (known) unmatched.delete(known.Id);
    const after = applyLine(known ?? blankLine({ Id: freeIds.shift() ?? 0 }), line, names);
    const errors = [...idErrors(line, known, before), ...lineErrors(line, after, before, names)];
    return { after, errors: prefixErrors(`Lines[${index}]`, errors) };
  });
  return { lines: applied.map(({ after }) => after), errors: applied.flatMap(({ errors }) => errors) };
}

function applyLine(line: InvoiceLineRecord, input: LineInput, { services, parts }: LineNames): InvoiceLineRecord {
  const name = parts.get(input.PartId ?? 0) ?? services.get(input.ServiceId ?? 0) ?? '';
  return {
    ...line,
    ServiceId: applyValue(input.ServiceId, line.ServiceId, null),
    PartId: applyValue(input.PartId, line.PartId, null),
    Description: applyText(input.Description, line.Description || name),
    Rate: applyValue(input.Rate, line.Rate, 0),
    Qty: applyValue(input.Qty, line.Qty, 1),
    Taxable: applyValue(input.Taxable, line.Taxable, false),
  };
}

function idErrors(
  { Id }: LineInput,
  known: InvoiceLineRecord | undefined,
  before: readonly InvoiceLineRecord[],
): FieldError[] {
  if (!Id || known) return [];
  const message = before.length
    ? `is ${Id}, which is not a line of the invoice or occurs twice`
    : 'must be absent or 0 for a new line';
  return [{ field: 'Id', code: 'not_found', message }];
}

function lineErrors(
  { ServiceId, PartId }: LineInput,
  line: InvoiceLineRecord,
  before: readonly InvoiceLineRecord[],
  names: LineNames,
): FieldError[] {
  const errors: FieldError[] = [];
  if (ServiceId && !names.services.has(ServiceId) && !before.some((other) => other.ServiceId === ServiceId))
    errors.push({
      field: 'ServiceId',
      code: 'not_found',
      message: `refers to service ${ServiceId}, which does not exist`,
    });
  if (PartId && !names.parts.has(PartId) && !before.some((other) => other.PartId === PartId))
    errors.push({ field: 'PartId', code: 'not_found', message: `refers to part ${PartId}, which does not exist` });
  if (new Big(line.Rate).times(line.Qty).abs().gt(MAX_LINE_AMOUNT))
    errors.push({ field: 'Rate', code: 'range', message: 'times Qty must be from -10,000,000,000 to 10,000,000,000' });
  return errors;
}
