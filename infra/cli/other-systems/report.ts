import { formatList } from '../output.ts';

/** A value that the import leaves out, or a row that it does not import. */
interface LineReport {
  readonly Line: number;
  readonly Column: string;
  readonly Reason: string;
}

/** A column that nothing takes: the rows that have something there, and the first of them. */
interface LostColumn {
  readonly Column: string;
  Rows: number;
  readonly FirstLine: number;
}

/** Sums in the currency of the account, of the file and of what is booked here. */
interface Sums {
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
  /** Imported by an earlier run of the same file. */
  Skipped: number;
  /** Contacts of properties, counted above. */
  Properties?: number;
  InFile?: Sums;
  Booked?: Sums;
  readonly LostColumns: LostColumn[];
  readonly Lost: LineReport[];
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
  LostColumns: [],
  Lost: [],
  Errors: [],
});

/** Lines printed one by one; `--json` lists them all. */
const MAX_PRINTED = 50;

function formatLines(file: string, lines: readonly LineReport[], word: string): string[] {
  const printed = lines
    .slice(0, MAX_PRINTED)
    .map(({ Line, Column, Reason }) => [`${file}:${Line}: ${word}`, Column, Reason].filter(Boolean).join(' '));
  const rest = lines.length - printed.length;
  return rest > 0 ? [...printed, `… and ${rest} more; --json lists them all`] : printed;
}

const formatSums = ({ Total, Balance }: Sums): string =>
  `${Total.toFixed(2)}${Balance === undefined ? '' : `, balance ${Balance.toFixed(2)}`}`;

function formatFile(report: FileReport, isDryRun: boolean): string {
  const { File, Kind, Rows, Created, Updated, Unchanged, Skipped, Properties, InFile, Booked } = report;
  const Failed = new Set(report.Errors.map(({ Line }) => Line)).size;
  return [
    ...formatLines(File, report.Errors, 'not imported:'),
    ...formatLines(File, report.Lost, 'lost:'),
    ...report.LostColumns.map(
      ({ Column, Rows: rows, FirstLine }) =>
        `${File}: lost column: ${Column} (${rows} rows, first in line ${FirstLine})`,
    ),
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
