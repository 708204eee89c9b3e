import type { Loss } from '../../../lib/domain/imports/read-row.ts';
import { ReportedError, formatList, print } from '../output.ts';

/** A value that the import omits, or a row that it does not import. */
export interface LineReport {
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
export interface Sums {
  Total: number;
  Balance?: number;
}

/** What became of one file. */
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
  /** Columns of a contacts file that are not fields, or that the API computes. */
  SkippedColumns?: readonly string[];
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
  /** Counted but not shown: it makes the sums balance. */
  readonly Others: {
    /** Rows and properties that cannot be imported. */
    failed: number;
    /** Rows and properties that need no import, or whose client was not imported. */
    leftOut: number;
  };
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
  Others: { failed: 0, leftOut: 0 },
});

/** Rows and properties that a finished import does not account for: 0. */
export function missingRows({
  Rows,
  Properties = 0,
  Created,
  Updated,
  Unchanged,
  Skipped,
  Others,
}: FileReport): number {
  return Rows + Properties - (Created + Updated + Unchanged + Skipped + Others.failed + Others.leftOut);
}

const lineReports = (Line: number, losses: readonly Loss[]): LineReport[] =>
  losses.map(({ column: Column, reason: Reason }) => ({ Line, Column, Reason }));

/** Reports what is lost from a row, and what is stored differently. */
export function reportLosses(report: FileReport, line: number, losses: readonly Loss[]): void {
  for (const loss of losses) (loss.isStored ? report.Changed : report.Lost).push(...lineReports(line, [loss]));
}

/** Reports a row that is not imported. */
export function reportFailed(report: FileReport, line: number, errors: readonly Loss[]): void {
  report.Errors.push(...lineReports(line, errors));
  report.Others.failed++;
}

/** Counts a row with something in a column. */
export function countColumn(columns: ColumnReport[], Column: string, line: number): void {
  const known = columns.find((each) => each.Column === Column);
  if (known) known.Rows++;
  else columns.push({ Column, Rows: 1, FirstLine: line });
}

/** Sorts lines in the order of the file, because batches end in any order. */
export function sortLines({ Errors, Lost, Changed }: FileReport): void {
  for (const lines of [Errors, Lost, Changed]) lines.sort((one, other) => one.Line - other.Line);
}

/** How the reports of one kind of import are shown. */
export interface Layout {
  /** Words before the lines that failed, and before those that are stored differently. */
  readonly failed: string;
  readonly changed: string;
  readonly remarks: (report: FileReport) => readonly string[];
  /** The counts in display order. */
  readonly counts: (report: FileReport, isDryRun: boolean) => Readonly<Record<string, string | number>>;
  /** The output for programs. */
  readonly json: (report: FileReport, isDryRun: boolean) => object;
  /** Whether programs get a list of reports. */
  readonly isList: boolean;
}

/** The most lines that are printed; `--json` lists all of them. */
const MAX_PRINTED = 50;

function formatLines({ File }: FileReport, lines: readonly LineReport[], word: string): string[] {
  const printed = lines
    .slice(0, MAX_PRINTED)
    .map(({ Line, Column, Reason }) => [`${File}:${Line}:`, word, Column, Reason].filter(Boolean).join(' '));
  const rest = lines.length - printed.length;
  return rest > 0 ? [...printed, `… and ${rest} more; --json lists them all`] : printed;
}

const formatColumns = ({ File }: FileReport, columns: readonly ColumnReport[], word: string): string[] =>
  columns.map(
    ({ Column, Rows, FirstLine }) => `${File}: ${word}: ${Column} (${Rows} rows, first in line ${FirstLine})`,
  );

/** The number of lines that failed: a line with three errors counts once. */
export const failedLines = ({ Errors }: FileReport): number => new Set(Errors.map(({ Line }) => Line)).size;

const formatReport = (report: FileReport, layout: Layout, isDryRun: boolean): string =>
  [
    ...formatLines(report, report.Errors, layout.failed),
    ...formatLines(report, report.Lost, 'lost:'),
    ...formatLines(report, report.Changed, layout.changed),
    ...formatColumns(report, report.LostColumns, 'lost column'),
    ...formatColumns(report, report.NotedColumns, 'kept in a note'),
    ...layout.remarks(report),
    formatList(layout.counts(report, isDryRun)),
  ].join('\n');

interface Shown {
  readonly layout: Layout;
  readonly isDryRun: boolean;
  readonly json: boolean | undefined;
  /** The run of an import that can be undone, and the sentence about it. */
  readonly run?: number | undefined;
  readonly sentence?: string;
}

/** Prints the reports of an import. Throws if any line failed. */
export function printReports(
  reports: readonly FileReport[],
  { layout, isDryRun, json, run, sentence = '' }: Shown,
): void {
  const Run = run === undefined ? {} : { Run: run };
  const values = reports.map((report) => ({ ...Run, ...layout.json(report, isDryRun) }));
  const text = reports.map((report) => formatReport(report, layout, isDryRun)).join('\n\n');
  print(layout.isList ? values : values[0], { json, text: `${text}${sentence}` });
  if (reports.some(({ Errors }) => Errors.length > 0)) throw new ReportedError();
}
