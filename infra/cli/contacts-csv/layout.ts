import { type FileReport, type Layout, type LineReport, failedLines } from '../imports/report.ts';

const toError = ({ Line, Column: Field, Reason: Message }: LineReport) => ({ Line, Field, Message });

/** `Errors`, and `Changed` if something is stored differently. */
const lines = ({ Errors, Changed }: FileReport) => ({
  Errors: Errors.map(toError),
  ...(Changed.length ? { Changed: Changed.map(toError) } : {}),
});

/** The report of a contacts file that is imported into the table. */
export const tableLayout: Layout = {
  failed: '',
  changed: '',
  remarks: ({ SkippedColumns, Skipped }) => [
    ...(SkippedColumns ? [`Skipped columns: ${SkippedColumns.join(', ')}.`] : []),
    ...(Skipped ? [`${Skipped} lines were imported by an earlier run. --again imports them again.`] : []),
  ],
  counts: (report, isDryRun) => {
    const { Rows: Lines, Created, Updated, Unchanged, Skipped } = report;
    return { Lines, ...(isDryRun ? {} : { Created, Updated, Unchanged }), Skipped, Failed: failedLines(report) };
  },
  json: (report) => {
    const { Rows: Lines, Created, Updated, Unchanged, Skipped, SkippedColumns } = report;
    const columns = SkippedColumns ? { SkippedColumns } : {};
    return { Lines, Created, Updated, Unchanged, Skipped, ...columns, ...lines(report) };
  },
  isList: false,
};

const sentLines = ({ Rows: Lines, Created: Imported }: FileReport, isDryRun: boolean) => ({
  Lines,
  ...(isDryRun ? {} : { Imported }),
});

/** The same over HTTP, where a call does not tell which contacts are new. */
export const httpLayout: Layout = {
  ...tableLayout,
  remarks: () => [],
  counts: (report, isDryRun) => ({ ...sentLines(report, isDryRun), Failed: failedLines(report) }),
  json: (report, isDryRun) => ({ ...sentLines(report, isDryRun), ...lines(report) }),
};
