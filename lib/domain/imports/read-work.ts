import { fromCents } from '../../shared/money.ts';
import { isYes, readCents, readDay, readHours, readTimes, splitValues } from './cells.ts';
import { type InvoicesMapping, type VisitsMapping, clientReference } from './mapping.ts';
import { type FileColumns, type Loss, Row } from './read-row.ts';

/** By what a row names its client. */
export interface NamedClient {
  readonly reference: string;
  readonly name: string;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly street: string;
}

export interface VisitRow {
  /** Of the visit in the other system; visits of a job differ by day and time: `jobber:2001 2026-09-24 9:00 AM`. */
  readonly reference: string;
  readonly client: NamedClient;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Minutes after midnight; `undefined` for any time of the day. */
  readonly start: number | undefined;
  readonly minutes: number;
  readonly title: string;
  /** Texts that may name the service. */
  readonly services: readonly string[];
  /** Names, the first in charge. */
  readonly agents: readonly string[];
  readonly completed: boolean;
  /** Cents. */
  readonly total: number;
  readonly notes: string;
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

type Read<Result> = Result | { readonly errors: readonly Loss[] };

/** Minutes of a visit whose length the file does not have. */
const DEFAULT_MINUTES = 60;

function readNamedClient(mapping: VisitsMapping | InvoicesMapping, row: Row, system: string): NamedClient {
  const { id, name, email, phone, street } = mapping.client;
  const clientId = row.text(id);
  return {
    reference: clientId && clientReference(system, clientId),
    name: row.text(name),
    emails: splitValues(row.text(email)),
    phones: splitValues(row.text(phone)),
    street: row.text(street),
  };
}

const readNotes = (row: Row, headers: readonly string[] = []): string =>
  headers
    .flatMap((header) => (row.cell(header) ? [`${header}: ${row.cell(header)}`] : []))
    .join('\n')
    .slice(0, 5_000);

/** A cell with a date says when; `yes` says only that. */
const isCompleted = (text: string): boolean => readDay(text) !== undefined || isYes(text);

export function readVisit(
  mapping: VisitsMapping,
  columns: FileColumns,
  cells: readonly string[],
  system: string,
): Read<VisitRow> {
  const row = new Row(columns, cells);
  const [id, date, times, totalText] = [
    row.text(mapping.id),
    row.text(mapping.date),
    row.text(mapping.times),
    row.text(mapping.total),
  ];
  const day = readDay(date);
  const span = readTimes(times);
  const total = totalText ? readCents(totalText) : 0;
  const errors: Loss[] = [];
  if (!id) errors.push({ column: row.header(mapping.id), reason: 'is empty: the row has no id' });
  if (!day) errors.push({ column: row.header(mapping.date), reason: `${JSON.stringify(date)} is no date` });
  if (total === undefined)
    errors.push({ column: row.header(mapping.total ?? ''), reason: `${JSON.stringify(totalText)} is no amount` });
  if (errors.length || !day || total === undefined) return { errors };
  const length = span?.end === undefined ? readHours(row.text(mapping.hours)) : span.end - span.start;
  const title = row.text(mapping.title);
  return {
    reference: [`${system}:${id}`, day, times].filter(Boolean).join(' ').slice(0, 200),
    client: readNamedClient(mapping, row, system),
    day,
    start: span?.start,
    minutes: length ?? DEFAULT_MINUTES,
    title,
    services: (mapping.service ?? []).map((header) => row.cell(header)).filter(Boolean),
    agents: row
      .text(mapping.agent)
      .split(/,|;| and /)
      .map((name) => name.trim())
      .filter(Boolean),
    completed: isCompleted(row.text(mapping.completed)),
    total,
    notes: readNotes(row, mapping.notes),
  };
}

export function readInvoice(
  mapping: InvoicesMapping,
  columns: FileColumns,
  cells: readonly string[],
  system: string,
): Read<InvoiceRow> {
  const row = new Row(columns, cells);
  const errors: Loss[] = [];
  const amount = (source: InvoicesMapping['total'] | undefined, absent?: number): number => {
    const text = source === undefined ? '' : row.text(source);
    const read = text ? readCents(text) : absent;
    if (read === undefined)
      errors.push({
        column: row.header(source ?? ''),
        reason: text ? `${JSON.stringify(text)} is no amount` : 'is empty',
      });
    return read ?? 0;
  };
  const number = row.text(mapping.number);
  const date = row.text(mapping.date);
  const day = readDay(date);
  if (!number) errors.push({ column: row.header(mapping.number), reason: 'is empty: the row has no number' });
  if (!day) errors.push({ column: row.header(mapping.date), reason: `${JSON.stringify(date)} is no date` });
  const [total, tax, balance] = [amount(mapping.total), amount(mapping.tax, 0), amount(mapping.balance)];
  const isRefund = total < 0 ? balance < total || balance > 0 : balance > total || balance < 0;
  if (!errors.length && isRefund)
    errors.push({
      column: row.header(mapping.balance),
      reason: `${fromCents(balance).toFixed(2)} is not between 0 and the total of ${fromCents(total).toFixed(2)}`,
    });
  if (errors.length || !day) return { errors };
  return {
    number,
    client: readNamedClient(mapping, row, system),
    day,
    subject: row.text(mapping.subject),
    status: /^draft$/i.test(row.text(mapping.status)) ? 'Unapproved' : 'Open',
    total,
    tax: Math.abs(tax) <= Math.abs(total) ? tax : 0,
    balance,
    paidOn: readDay(row.text(mapping.paidOn)) ?? '',
    notes: readNotes(row, mapping.notes),
  };
}
