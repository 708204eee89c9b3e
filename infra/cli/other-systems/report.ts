import { formatList } from '../output.ts';

/** A value that the import omits, or a row that it does not import. */
interface LineReport {
  readonly Line: number;
  readonly Column: string;
  readonly Reason: string;
}

/** A column that no field takes, with the number of non-empty rows and the first of them. */
interface ColumnReport {
  readonly Column: string;
  Rows: number;
  readonly FirstLine: number;
}

/** Sums of the file and of what is booked here, in the account's currency. */
interface Sums {
  Total: number;
  Balance?: number;
}

/** The result for one file. */
export interface FileReport {
  readonly File: string;
  readonly Kind: string;
  readonly Rows: number;
  Created: number;
  Updated: number;
  Unchanged: number;
  /** Imported by an earlier run for the same file. */
  Skipped: number;
  /** Contacts of properties, included in the counts above. */
  Properties?: number;
  InFile?: Sums;
  Booked?: Sums;
  /** Remarks about the file as a whole. */
  readonly Remarks: string[];
  /** Columns that nothing takes. */
  readonly LostColumns: ColumnReport[];
  /** Columns that become notes. */
  readonly NotedColumns: ColumnReport[];
  readonly Lost: LineReport[];
  /** Values that are stored, but not as written. */
  readonly Changed: LineReport[];
  readonly Errors: LineReport[];
}

export const newReport = (File: string, Kind: string, Rows: number): FileReport => ({
  File,
  Kind,
  Rows,
  Created: 0,
  Updated: 0,
  Unchanged: 0,
  Skipped: 0,
  Remarks: [],
  LostColumns: [],
  NotedColumns: [],
  Lost: [],
  Changed: [],
  Errors: [],
});

/** The most lines that are printed; `--json` lists all of them. */
const MAX_PRINTED = 50;

function formatLines(file: string, lines: readonly LineReport[], word: string): string[] {
  const printed = lines
    .slice(0, MAX_PRINTED)
    .map(({ Line, Column, Reason }) => [`${file}:${Line}: ${word}`, Column, Reason].filter(Boolean).join(' '));
  const rest = lines.length - printed.length;
  return rest > 0 ? [...printed, `… and ${rest} more; --json lists them all`] : printed;
}

const formatColumns = (file: string, columns: readonly ColumnReport[], word: string): string[] =>
  columns.map(
    ({ Column, Rows, FirstLine }) => `${file}: ${word}: ${Column} (${Rows} rows, first in line ${FirstLine})`,
  );

/** Counts a row with something in a column. */
export function countColumn(columns: ColumnReport[], Column: string, line: number): void {
  const known = columns.find((each) => each.Column === Column);
  if (known) known.Rows++;
  else columns.push({ Column, Rows: 1, FirstLine: line });
}

const formatSums = ({ Total, Balance }: Sums): string =>
  `${Total.toFixed(2)}${Balance === undefined ? '' : `, balance ${Balance.toFixed(2)}`}`;

function formatFile(report: FileReport, isDryRun: boolean): string {
  const { File, Kind, Rows, Created, Updated, Unchanged, Skipped, Properties, InFile, Booked } = report;
  const Failed = new Set(report.Errors.map(({ Line }) => Line)).size;
  return [
    ...formatLines(File, report.Errors, 'not imported:'),
    ...formatLines(File, report.Lost, 'lost:'),
    ...formatLines(File, report.Changed, 'changed:'),
    ...formatColumns(File, report.LostColumns, 'lost column'),
    ...formatColumns(File, report.NotedColumns, 'kept in a note'),
    ...report.Remarks.map((remark) => `${File}: ${remark}`),
    formatList({
      File,
      Kind,
      Rows,
      ...(isDryRun ? {} : { Created, Updated, Unchanged, Skipped }),
      ...(Properties === undefined ? {} : { Properties }),
      Failed,
      ...(InFile ? { InFile: formatSums(InFile) } : {}),
      ...(Booked && !isDryRun ? { Booked: formatSums(Booked) } : {}),
    }),
  ].join('\n');
}

export const formatReports = (reports: readonly FileReport[], isDryRun: boolean): string =>
  reports.map((report) => formatFile(report, isDryRun)).join('\n\n');
