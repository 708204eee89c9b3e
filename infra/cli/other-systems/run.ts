import type { ClientIndex } from '../../../lib/domain/imports/client-index.ts';
import type { Mapping, OtherSystem } from '../../../lib/domain/imports/mapping.ts';
import { type FileColumns, type Loss, Row } from '../../../lib/domain/imports/read-row.ts';
import type { CsvRecord } from '../imports/csv.ts';
import { readLines } from '../imports/csv-file.ts';
import { type FileReport, countColumn, reportFailed, reportLosses } from '../imports/report.ts';
import type { ImportTarget } from '../imports/run-import.ts';

export interface SystemImport extends ImportTarget {
  readonly system: OtherSystem;
  readonly files: readonly string[];
  /** The service of visits whose texts name none. */
  readonly service?: string | undefined;
  /** Whether unmapped columns become a note of the contact. */
  readonly keepInNotes?: boolean;
  readonly now?: Date;
}

/** A file to import, and what is known of it. */
export interface ImportFile<Of extends Mapping = Mapping> {
  readonly path: string;
  readonly hash: string;
  readonly mapping: Of;
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

/** The rows of a file that can be read as CSV, without any broken cell; reports the others. */
export async function* readRecords({ path, report, columns: { headers } }: ImportFile): AsyncGenerator<CsvRecord> {
  for await (const record of readLines(path, headers.length)) {
    const { line, error: reason, broken, cells } = record;
    // With as many cells as columns, the other cells are in their places.
    if (reason && broken !== undefined && cells.length === headers.length) {
      reportLosses(report, line, [{ column: headers[broken] ?? '', reason }]);
      yield { line, cells: cells.with(broken, '') };
    } else if (reason) reportFailed(report, line, [{ column: '', reason }]);
    else yield record;
  }
}

/** Counts non-empty cells of unmapped columns. */
export function countLost({ columns, report }: ImportFile, { line, cells }: CsvRecord): void {
  for (const { header } of new Row(columns, cells).unmapped()) countColumn(report.LostColumns, header, line);
}

/** A row that is not imported: in which column, and why; `isLeftOut` if nothing is wrong with it. */
export class RowError extends Error {
  override readonly name = 'RowError';
  readonly losses: readonly Loss[];
  readonly isLeftOut: boolean;

  constructor(losses: readonly Loss[], isLeftOut = false) {
    super('The row is not imported.');
    this.losses = losses;
    this.isLeftOut = isLeftOut;
  }
}
