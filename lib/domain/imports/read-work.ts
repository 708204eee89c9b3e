import { fromCents } from '../../shared/money.ts';
import { splitWords } from '../../shared/text/text.ts';
import { isYes, readCents, readClock, readDay, readHours, readTimes } from './cells.ts';
import type { EstimatesMapping, InvoicesMapping, Source, VisitsMapping } from './mapping.ts';
import { type NamedClient, type Read, readNamedClient, readWorkNotes } from './named-client.ts';
import { type FileColumns, type Loss, Row } from './read-row.ts';
import { CUT_NUMBER, isCutNumber } from '../../shared/text/read-values.ts';

export interface VisitRow {
  /** The visit's id in the other system; visits of a job differ by day and time: `jobber:2001 2026-09-24 9:00 AM`. */
  readonly reference: string;
  /** False if the other system has no id, so that the reference is built from the row. */
  readonly hasId: boolean;
  readonly client: NamedClient;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Minutes after midnight; `undefined` for any time of the day. */
  readonly start: number | undefined;
  readonly minutes: number;
  readonly title: string;
  /** Texts that may name the service. */
  readonly services: readonly string[];
  /** Names, the main agent first. */
  readonly agents: readonly string[];
  readonly completed: boolean;
  /** Cents. */
  readonly total: number;
  readonly notes: string;
  readonly losses: readonly Loss[];
}

export interface InvoiceRow {
  readonly number: string;
  readonly client: NamedClient;
  readonly day: string;
  readonly subject: string;
  readonly status: 'Unapproved' | 'Open';
  /** Cents. */
  readonly total: number;
  readonly tax: number;
  readonly balance: number;
  /** `YYYY-MM-DD`, or `''`. */
  readonly paidOn: string;
  readonly notes: string;
}

/** The length of a visit if the file has none. */
const DEFAULT_MINUTES = 60;

/** A cell with a date says when it was completed; `yes` and `Completed` only that it was. */
const isCompleted = (text: string): boolean => readDay(text) !== undefined || isYes(text) || /^complete/i.test(text);

/** Whether its system has canceled or voided the record. */
const isTakenBack = (text: string): boolean => /cancel|void/i.test(text);

const minutesOfDay = (day: string): number => Date.parse(day) / 60_000;

interface Span {
  readonly start: number | undefined;
  readonly minutes: number;
  readonly losses: readonly Loss[];
}

/** The start of a visit in minutes after midnight, and its length. */
function readSpan(mapping: VisitsMapping, row: Row): Span {
  const times = readTimes(row.text(mapping.times));
  const [from, until] = [row.text(mapping.start), row.text(mapping.end)];
  const start = times?.start ?? readClock(from);
  const [endDay, startDay] = [readDay(until), readDay(from)];
  const isNextDay = endDay !== undefined && startDay !== undefined && minutesOfDay(endDay) > minutesOfDay(startDay);
  const end = times?.end ?? (isNextDay ? undefined : readClock(until));
  const length =
    start !== undefined && end !== undefined && end > start ? end - start : readHours(row.text(mapping.hours));
  const minutes = length ?? DEFAULT_MINUTES;
  const reason = `${JSON.stringify(until)} is another day: ${minutes} minutes are booked`;
  return { start, minutes, losses: isNextDay ? [{ column: row.header(mapping.end), reason, isStored: true }] : [] };
}

const idOf = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ').slice(0, 200);

export function readVisit(
  mapping: VisitsMapping,
  columns: FileColumns,
  cells: readonly string[],
  system: string,
): Read<VisitRow> {
  const row = new Row(columns, cells);
  const [id, date, times, title, completed] = (['id', 'date', 'times', 'title', 'completed'] as const).map((name) =>
    row.text(mapping[name]),
  ) as [string, string, string, string, string];
  if (isTakenBack(completed))
    return { leftOut: { column: row.header(mapping.completed), reason: 'is canceled there: not imported' } };
  const day = readDay(date);
  const errors: Loss[] = [];
  if (isCutNumber(id)) errors.push({ column: row.header(mapping.id), reason: `${JSON.stringify(id)} ${CUT_NUMBER}` });
  if (!day) errors.push({ column: row.header(mapping.date), reason: `${JSON.stringify(date)} is no date` });
  const total = amountReader(row, errors)(mapping.total, 0);
  if (errors.length || !day) return { errors };
  const client = readNamedClient(mapping, row, system);
  const who = splitWords(`${client.reference} ${client.name} ${client.street}`).join(' ');
  const ofVisit = mapping.unique ? idOf(id) : idOf(id, day, times);
  return {
    reference: `${system}:${id ? ofVisit : idOf('visit', who, day, times || row.text(mapping.start), title)}`,
    hasId: id !== '',
    client,
    day,
    ...readSpan(mapping, row),
    title,
    services: (mapping.service ?? []).map((header) => row.cell(header)).filter(Boolean),
    agents: row
      .text(mapping.agent)
      .split(/,|;| and /)
      .map((name) => name.trim())
      .filter(Boolean),
    completed: isCompleted(completed),
    total,
    notes: readWorkNotes(row, mapping.notes),
  };
}

/** Reads the amounts of a row in cents; anything that is not an amount is added to `errors`. */
export const amountReader =
  (row: Row, errors: Loss[]) =>
  (source: Source | undefined, absent?: number): number => {
    const text = row.text(source);
    const read = text ? readCents(text) : absent;
    const reason = text ? `${JSON.stringify(text)} is no amount` : 'is empty';
    if (read === undefined) errors.push({ column: row.header(source), reason });
    return read ?? 0;
  };

/** The number and day of an invoice or estimate; problems are added to `errors`. */
export function readHeading(
  { number: numberSource, date: dateSource }: InvoicesMapping | EstimatesMapping,
  row: Row,
  errors: Loss[],
): { readonly number: string; readonly day: string } {
  const [number, date] = [row.text(numberSource), row.text(dateSource)];
  const day = readDay(date);
  const column = row.header(numberSource);
  if (!number) errors.push({ column, reason: 'is empty: the row has no number' });
  if (isCutNumber(number)) errors.push({ column, reason: `${JSON.stringify(number)} ${CUT_NUMBER}` });
  if (!day) errors.push({ column: row.header(dateSource), reason: `${JSON.stringify(date)} is no date` });
  return { number, day: day ?? '' };
}

export function readInvoice(
  mapping: InvoicesMapping,
  columns: FileColumns,
  cells: readonly string[],
  system: string,
): Read<InvoiceRow> {
  const row = new Row(columns, cells);
  const errors: Loss[] = [];
  const amount = amountReader(row, errors);
  const { number, day } = readHeading(mapping, row, errors);
  const status = row.text(mapping.status);
  if (isTakenBack(status))
    return { leftOut: { column: row.header(mapping.status), reason: `invoice ${number} is void there: not imported` } };
  const [total, tax, balance] = [amount(mapping.total), amount(mapping.tax, 0), amount(mapping.balance)];
  const isRefund = total < 0 ? balance < total || balance > 0 : balance > total || balance < 0;
  if (!errors.length && isRefund)
    errors.push({
      column: row.header(mapping.balance),
      reason: `${fromCents(balance).toFixed(2)} is not between 0 and the total of ${fromCents(total).toFixed(2)}`,
    });
  if (errors.length) return { errors };
  return {
    number,
    client: readNamedClient(mapping, row, system),
    day,
    subject: row.text(mapping.subject),
    status: /^draft$/i.test(status) ? 'Unapproved' : 'Open',
    total,
    tax: Math.abs(tax) <= Math.abs(total) ? tax : 0,
    balance,
    paidOn: readDay(row.text(mapping.paidOn)) ?? '',
    notes: readWorkNotes(row, mapping.notes),
  };
}
