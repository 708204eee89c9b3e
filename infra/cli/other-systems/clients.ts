import type { ContactsMapping } from '../../../lib/domain/imports/mapping.ts';
import { addressKey } from '../../../lib/domain/imports/address.ts';
import { type ClientRow, readClient } from '../../../lib/domain/imports/read-contacts.ts';
import { type Loss, Row } from '../../../lib/domain/imports/read-row.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { findImportedLines, importedLinesChange } from '../../../lib/store/imports.ts';
import { type UpsertPlan, isOfOneContact } from '../../../lib/workflows/contacts/save-contacts.ts';
import { type ReferencedContact, findReferenced, planClients } from '../../../lib/workflows/imports/upsert-clients.ts';
import { type ContactRow, inBatches } from '../contacts-csv/batches.ts';
import type { CsvRecord } from '../contacts-csv/csv.ts';
import { countContacts } from '../contacts-csv/import.ts';
import { countColumn } from './report.ts';
import { type ImportFile, type SystemRun, countLost, lineReports, readRecords, reportLosses } from './run.ts';

/** A row with a contact of the other system; `line` distinguishes the contacts of a file. */
interface ReferencedRow extends ContactRow {
  readonly contact: ReferencedContact;
}

/** Batches in progress at a time: while the table handles one, the next ones are read and prepared. */
const MAX_BATCHES = 4;

/** The line numbers reserved for the properties of a line; no row has that many. */
const PROPERTIES_A_LINE = 1_000;
const fileLine = (line: number, isProperty: boolean): number =>
  isProperty ? Math.floor(line / PROPERTIES_A_LINE) : line;

function readRow(run: SystemRun, { mapping, columns }: ImportFile, { cells }: CsvRecord) {
  return readClient(mapping as ContactsMapping, columns, cells, {
    system: run.system.system,
    country: run.country,
    keepInNotes: run.keepInNotes ?? false,
  });
}

/** The clients of a file, each with its first row; reports losses, and indexes clients for visits and invoices. */
async function* clientsOf(run: SystemRun, file: ImportFile): AsyncGenerator<{ line: number; row: ClientRow }> {
  const { report } = file;
  const met = new Set<string>();
  const firstLines = new Map<string, number>();
  report.Properties = 0;
  for await (const record of readRecords(file)) {
    if (!run.keepInNotes) countLost(file, record);
    const row = readRow(run, file, record);
    if ('errors' in row) report.Errors.push(...lineReports(record.line, row.errors));
    else {
      reportLosses(file, record.line, row.losses);
      for (const header of row.noted) countColumn(report.NotedColumns, header, record.line);
      const first = firstLines.get(row.id);
      const column = new Row(file.columns, record.cells).header((file.mapping as ContactsMapping).id);
      const reason = `is that of line ${first} too: what differs in this row is not imported`;
      if (first === undefined) firstLines.set(row.id, record.line);
      else reportLosses(file, record.line, [{ column, reason }]);
      if (first === undefined && met.has(row.reference)) reportLosses(file, record.line, lateLosses(run, row));
      const properties = ownProperties(run, row);
      report.Properties += properties.length;
      if (properties.length) file.propertyLines.add(record.line);
      run.clients.add(row);
      if (!met.has(row.reference)) yield { line: record.line, row };
      met.add(row.reference);
    }
    run.advance(1);
  }
}

/**
 * Losses of a later row about a property at the client's own address: the client is imported with its first row only.
 */
function lateLosses({ addresses }: SystemRun, { reference, properties }: ClientRow): Loss[] {
  const own = properties.filter((property) => property.addressKey === addresses.get(reference));
  const isMore = own.some(({ contact }) => contact.Notes?.length || contact.CustomFields?.length);
  const reason = 'is the address of the client, who is imported with its first row: notes and fields of it are lost';
  return isMore ? [{ column: 'property', reason }] : [];
}

/** The properties of a row that are not at the address in the client's first row. */
function ownProperties(
  { addresses }: SystemRun,
  { reference, client, properties }: ClientRow,
): ClientRow['properties'] {
  const own = addresses.get(reference) ?? addressKey(client);
  addresses.set(reference, own);
  return properties.filter((property) => property.addressKey !== own);
}

/** Reads the clients of a file without writing anything. */
export async function readClients(run: SystemRun, file: ImportFile): Promise<void> {
  for await (const _ of clientsOf(run, file));
  run.advance(file.report.Rows);
}

/** Imports the clients of a file, 25 per transaction, which also records their lines as imported. */
export async function importClients(run: SystemRun, file: ImportFile): Promise<void> {
  async function* rows(): AsyncGenerator<ReferencedRow> {
    for await (const { line, row } of clientsOf(run, file))
      yield { line, contact: { ...row.client, DigitalTrackingId: row.reference } };
  }
  await importContacts(run, file, rows(), false);
}

/** Imports the properties of imported clients, as contacts managed by their client. */
export async function importProperties(run: SystemRun, file: ImportFile): Promise<void> {
  async function* rows(): AsyncGenerator<ReferencedRow> {
    for await (const record of readRecords({ ...file, report: { ...file.report, Errors: [], Lost: [] } })) {
      run.advance(1);
      const row = file.propertyLines.has(record.line) ? readRow(run, file, record) : undefined;
      if (!row || 'errors' in row) continue;
      const ManagedByContactId = await contactOf(run, row.reference);
      if (ManagedByContactId === undefined) continue;
      for (const { number, reference, contact } of ownProperties(run, row)) {
        const line = record.line * PROPERTIES_A_LINE + number;
        yield { line, contact: { ...contact, ManagedByContactId, DigitalTrackingId: reference } };
      }
    }
  }
  await importContacts(run, file, rows(), true);
}

/** The contact of a reference, from this run or an earlier import. */
export async function contactOf(run: SystemRun, reference: string): Promise<number | undefined> {
  const known = run.contactIds.get(reference);
  if (known !== undefined) return known;
  const { store } = run;
  const caller = { account: store.account, organizationId: null };
  const found = await findReferenced({ store, caller }, reference);
  if (found) run.contactIds.set(reference, found.Id);
  return found?.Id;
}

async function importContacts(
  run: SystemRun,
  file: ImportFile,
  rows: AsyncIterable<ReferencedRow>,
  isProperty: boolean,
): Promise<void> {
  const { store, organization } = run;
  const suffix = `${organization === undefined ? '' : `-${organization}`}${isProperty ? '-properties' : ''}`;
  const source = `${run.system.system}-${file.hash}${suffix}`;
  const imported = await findImportedLines(store, source);
  async function* remaining(): AsyncGenerator<ReferencedRow> {
    for await (const row of rows) {
      if (imported.has(row.line)) file.report.Skipped++;
      else yield row;
    }
  }
  await inBatches(remaining(), {
    limit: MAX_BATCHES,
    handle: (batch) => importBatch(run, file, { batch: batch as readonly ReferencedRow[], source, isProperty }),
  });
}

interface Batch {
  readonly batch: readonly ReferencedRow[];
  /** A hash of the file, and of what it is read as. */
  readonly source: string;
  readonly isProperty: boolean;
}

async function importBatch(run: SystemRun, file: ImportFile, { batch, source, isProperty }: Batch): Promise<void> {
  const { store, now, organization } = run;
  const context = { store, caller: { account: store.account, organizationId: null }, now, organization };
  const outcome = await retryUnavailable(async (attempt) => {
    // After a conflict or a lost reply, another run for the same file, or this one, may have imported some of the rows.
    const others = attempt > 1 ? await findImportedLines(store, source) : new Set<number>();
    let rows = batch.filter(({ line }) => !others.has(line));
    const done = { skipped: batch.length - rows.length, created: 0, updated: 0, unchanged: 0 };
    const errors: RowRefusal[] = [];
    const losses: RowRefusal[] = [];
    while (rows.length) {
      const plan = await planClients(
        rows.map(({ contact }) => contact),
        run.contactIds,
        context,
      );
      if (plan.kind === 'ready') {
        const lines = importedLinesChange(
          store,
          source,
          rows.map(({ line }) => line),
          now,
        );
        await store.table.commit([...plan.changes, lines]);
        plan.records.forEach(({ Id }, index) => run.contactIds.set(rows[index]?.contact.DigitalTrackingId ?? '', Id));
        return { ...done, ...countContacts(plan.changes, rows.length), errors, losses };
      }
      // New tags and notes may exceed a transaction, and rows of merged contacts may mean the same contact.
      if ((isTooMuch(plan) || isOfOneContact(plan)) && rows.length > 1) return 'halve' as const;
      const refused = refusals(plan, rows);
      const stripped = new Map(refused.flatMap(({ row, Column }) => [[row, fieldOf(row, Column)] as const]));
      for (const refusal of refused) (stripped.get(refusal.row) ? losses : errors).push(refusal);
      rows = rows.flatMap((row) => {
        const field = stripped.get(row);
        if (field === undefined) return [row];
        return field ? [{ ...row, contact: { ...row.contact, [field]: undefined } }] : [];
      });
    }
    return { ...done, errors, losses };
  });
  if (outcome === 'halve') {
    const middle = Math.ceil(batch.length / 2);
    for (const half of [batch.slice(0, middle), batch.slice(middle)])
      await importBatch(run, file, { batch: half, source, isProperty });
    return;
  }
  const { report } = file;
  report.Skipped += outcome.skipped;
  report.Created += outcome.created;
  report.Updated += outcome.updated;
  report.Unchanged += outcome.unchanged;
  const toReport = ({ row, Column, Reason }: RowRefusal) => ({ Line: fileLine(row.line, isProperty), Column, Reason });
  report.Errors.push(...outcome.errors.map(toReport));
  report.Lost.push(...outcome.losses.map(toReport));
}

interface RowRefusal {
  readonly row: ReferencedRow;
  readonly Column: string;
  readonly Reason: string;
}

const isTooMuch = (plan: UpsertPlan): boolean =>
  plan.kind === 'invalid' && plan.errors.some(({ code }) => code === 'limit');

/** Without these fields the contact would be somebody else. */
const IDENTITY = new Set(['DigitalTrackingId', 'ManagedByContactId', 'OrganizationId', 'Id']);

/** The field that can be omitted so that the contact can be stored; `''` if there is none. */
function fieldOf({ contact }: ReferencedRow, column: string): string {
  const field = /^[A-Za-z0-9]+/.exec(column)?.[0] ?? '';
  const isThere = contact[field as keyof ReferencedContact] !== undefined;
  return isThere && !IDENTITY.has(field) ? field : '';
}

function refusals(plan: Exclude<UpsertPlan, { kind: 'ready' }>, rows: readonly ReferencedRow[]): RowRefusal[] {
  const refusal = (index: number, Column: string, Reason: string) => {
    const row = rows[index];
    return row ? [{ row, Column, Reason }] : [];
  };
  switch (plan.kind) {
    case 'invalid':
      return plan.errors.flatMap(({ index, field, message }) => refusal(index, field, message));
    case 'missing':
      return refusal(plan.index, 'Id', 'is that of no contact');
    case 'ambiguous': {
      const ids = plan.candidates.map(({ Id }) => Id).join(', ');
      return refusal(plan.index, '', `matches contacts ${ids}: set DigitalTrackingId of the right one`);
    }
  }
}
