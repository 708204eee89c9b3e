import type { ContactsMapping } from '../../../lib/domain/imports/mapping.ts';
import { addressKey } from '../../../lib/domain/imports/address.ts';
import { type ClientRow, readClient } from '../../../lib/domain/imports/read-contacts.ts';
import { type Loss, Row } from '../../../lib/domain/imports/read-row.ts';
import { omit } from '../../../lib/shared/objects.ts';
import { type ReferencedContact, findReferenced, planClients } from '../../../lib/workflows/imports/upsert-clients.ts';
import type { ContactRow } from '../imports/batches.ts';
import type { CsvRecord } from '../imports/csv.ts';
import { countColumn, newReport, reportFailed, reportLosses } from '../imports/report.ts';
import { tableRows } from '../imports/table-rows.ts';
import { importRows } from '../imports/write-rows.ts';
import { type ImportFile, type SystemRun, countLost, readRecords } from './run.ts';

type ClientsFile = ImportFile<ContactsMapping>;

/** A row with a contact of the other system. */
interface ReferencedRow extends ContactRow {
  readonly contact: ReferencedContact;
}

/** Batches in progress at a time: while the table handles one, the next ones are read and prepared. */
const MAX_BATCHES = 4;

/** The line numbers reserved for the properties of a line; no row has that many. */
const PROPERTIES_A_LINE = 1_000;

function readRow(run: SystemRun, { mapping, columns }: ClientsFile, { cells }: CsvRecord) {
  return readClient(mapping, columns, cells, {
    system: run.system.system,
    country: run.country,
    keepInNotes: run.keepInNotes ?? false,
  });
}

/** The clients of a file, each with its first row; reports losses, and indexes clients for visits and invoices. */
async function* clientsOf(run: SystemRun, file: ClientsFile): AsyncGenerator<{ line: number; row: ClientRow }> {
  const { report, mapping, columns } = file;
  const met = new Set<string>();
  const firstLines = new Map<string, number>();
  report.Properties = 0;
  for await (const record of readRecords(file)) {
    const { line } = record;
    if (!run.keepInNotes) countLost(file, record);
    const row = readRow(run, file, record);
    if ('errors' in row) reportFailed(report, line, row.errors);
    else {
      reportLosses(report, line, row.losses);
      for (const header of row.noted) countColumn(report.NotedColumns, header, line);
      const first = firstLines.get(row.id);
      const column = new Row(columns, record.cells).header(mapping.id);
      const reason = `is that of line ${first} too: what differs in this row is not imported`;
      if (first === undefined) firstLines.set(row.id, line);
      else reportLosses(report, line, [{ column, reason }]);
      if (first === undefined && met.has(row.reference)) reportLosses(report, line, lateLosses(run, row));
      const properties = ownProperties(run, row);
      report.Properties += properties.length;
      if (properties.length) file.propertyLines.add(line);
      run.clients.add(row);
      if (met.has(row.reference)) report.Others.leftOut++;
      else yield { line, row };
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
export async function readClients(run: SystemRun, file: ClientsFile): Promise<void> {
  for await (const _ of clientsOf(run, file));
  run.advance(file.report.Rows);
}

/** Imports the clients of a file. */
export async function importClients(run: SystemRun, file: ClientsFile): Promise<void> {
  async function* rows(): AsyncGenerator<ReferencedRow> {
    for await (const { line, row } of clientsOf(run, file))
      yield { line, contact: { ...row.client, DigitalTrackingId: row.reference } };
  }
  await importContacts(run, file, { rows: rows(), suffix: '' });
}

/** Imports the properties of imported clients, as contacts managed by their client. */
export async function importProperties(run: SystemRun, file: ClientsFile): Promise<void> {
  // Discards the report: everything about the rows was reported when their clients were read.
  const silent = { ...file, report: newReport(file.report.File, file.report.Kind, 0) };
  async function* rows(): AsyncGenerator<ReferencedRow> {
    for await (const record of readRecords(silent)) {
      run.advance(1);
      const { line: fileLine } = record;
      const row = file.propertyLines.has(fileLine) ? readRow(run, file, record) : undefined;
      if (!row || 'errors' in row) continue;
      const properties = ownProperties(run, row);
      const ManagedByContactId = await contactOf(run, row.reference);
      if (ManagedByContactId === undefined) file.report.Others.leftOut += properties.length;
      else
        for (const { number, reference, contact } of properties) {
          const line = fileLine * PROPERTIES_A_LINE + number;
          yield { line, fileLine, contact: { ...contact, ManagedByContactId, DigitalTrackingId: reference } };
        }
    }
  }
  await importContacts(run, file, { rows: rows(), suffix: '-properties' });
}

/** The contact of a reference, from this run or an earlier import. */
export async function contactOf(run: SystemRun, reference: string): Promise<number | undefined> {
  const known = run.contactIds.get(reference);
  if (known !== undefined) return known;
  const found = await findReferenced(run.store, reference);
  if (found) run.contactIds.set(reference, found.Id);
  return found?.Id;
}

async function importContacts(
  run: SystemRun,
  { hash, report }: ClientsFile,
  { rows, suffix }: { readonly rows: AsyncIterable<ReferencedRow>; readonly suffix: '' | '-properties' },
): Promise<void> {
  const { store, now, organization, contactIds } = run;
  const ofOrganization = organization === undefined ? '' : `-${organization}`;
  const context = { store, caller: { account: store.account, organizationId: null }, now, organization };
  const writer = await tableRows<ReferencedRow>({
    store,
    source: `${run.system.system}-${hash}${ofOrganization}${suffix}`,
    now,
    limit: MAX_BATCHES,
    plan: (given) =>
      planClients(
        given.map(({ contact }) => contact),
        contactIds,
        context,
      ),
    onWritten: (written, records) =>
      records.forEach(({ Id }, index) => contactIds.set(written[index]?.contact.DigitalTrackingId ?? '', Id)),
    without: withoutColumns,
    missing: 'is that of no contact',
    severalAdvice: ': set DigitalTrackingId of the right one',
  });
  async function* remaining(): AsyncGenerator<ReferencedRow> {
    for await (const row of rows) {
      if (writer.imported.has(row.line)) report.Skipped++;
      else yield row;
    }
  }
  await importRows(remaining(), writer, { report });
}

/** Without these fields the contact would be somebody else. */
const IDENTITY = new Set(['DigitalTrackingId', 'ManagedByContactId', 'OrganizationId', 'Id']);

/** The contact without the fields of columns; `undefined` if it cannot be stored without one of them. */
function withoutColumns(row: ReferencedRow, columns: readonly string[]): ReferencedRow | undefined {
  const fields = columns.map((column) => (/^[A-Za-z0-9]+/.exec(column)?.[0] ?? '') as keyof ReferencedContact);
  if (fields.some((field) => row.contact[field] === undefined || IDENTITY.has(field))) return undefined;
  return { ...row, contact: omit(row.contact, ...fields) as ReferencedContact };
}
