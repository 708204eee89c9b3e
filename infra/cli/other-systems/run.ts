import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import type { ClientIndex } from '../../../lib/domain/imports/client-index.ts';
import type { Mapping, OtherSystem } from '../../../lib/domain/imports/mapping.ts';
import { type FileColumns, type Loss, Row } from '../../../lib/domain/imports/read-row.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import type { CsvRecord } from '../contacts-csv/csv.ts';
import { readLines } from '../contacts-csv/csv-file.ts';
import { type FileReport, countColumn } from './report.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';

export interface SystemImport {
  readonly store: StoreWriter;
  readonly system: OtherSystem;
  readonly files: readonly string[];
  readonly organizations: readonly OrganizationRecord[];
  readonly customFields: readonly CustomField[];
  /** The organization of every new contact; by default, the owner of its postal code. */
  readonly organization?: number | undefined;
  /** The service of visits whose texts name none. */
  readonly service?: string | undefined;
  /** Whether unmapped columns become a note of the contact. */
  readonly keepInNotes?: boolean;
  /** Checks every row and writes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly now?: Date;
}

/** A file to import, and what is known of it. */
export interface ImportFile {
  readonly path: string;
  readonly hash: string;
  readonly mapping: Mapping;
  readonly columns: FileColumns;
  readonly report: FileReport;
  /** The lines of clients with a property at another address. */
  readonly propertyLines: Set<number>;
}

/** What the steps of an import share. */
export interface SystemRun extends SystemImport {
  readonly now: Date;
  /** Applies to phone numbers without a calling code. */
  readonly country: string;
  readonly clients: ClientIndex;
  /** Adds the clients of earlier imports to `clients`, only once. */
  readonly addEarlierClients: () => Promise<void>;
  /** The address of each client, by its reference. */
  readonly addresses: Map<string, string>;
  /** Ids of contacts by reference, as far as this run has seen them. */
  readonly contactIds: Map<string, number>;
  readonly advance: (rows: number) => void;
}

export const lineReports = (Line: number, losses: readonly Loss[]) =>
  losses.map(({ column: Column, reason: Reason }) => ({ Line, Column, Reason }));

/** Reports what is lost from a row, and what is stored differently. */
export function reportLosses({ report }: ImportFile, line: number, losses: readonly Loss[]): void {
  for (const loss of losses) (loss.isStored ? report.Changed : report.Lost).push(...lineReports(line, [loss]));
}

/** The rows of a file that can be read as CSV, without any broken cell; reports the others. */
export async function* readRecords(file: ImportFile): AsyncGenerator<CsvRecord> {
  const { path, report, columns } = file;
  const { headers } = columns;
  for await (const record of readLines(path, headers.length)) {
    const { line: Line, error: Reason, broken, cells } = record;
    // With as many cells as columns, the other cells are in their places.
    if (Reason && broken !== undefined && cells.length === headers.length) {
      reportLosses(file, Line, [{ column: headers[broken] ?? '', reason: Reason }]);
      yield { line: Line, cells: cells.with(broken, '') };
    } else if (Reason) report.Errors.push({ Line, Column: '', Reason });
    else yield record;
  }
}

/** Counts non-empty cells of unmapped columns. */
export function countLost({ columns, report }: ImportFile, { line, cells }: CsvRecord): void {
  for (const { header } of new Row(columns, cells).unmapped()) countColumn(report.LostColumns, header, line);
}
