import { type ContactRow, inBatches } from './batches.ts';
import { type FileReport, reportFailed, reportLosses } from './report.ts';

/** Why a row is not written, or not with one of its values. */
export interface Refusal<Row> {
  readonly row: Row;
  readonly column: string;
  readonly reason: string;
}

/** How many rows an attempt wrote, and in which way; `skipped` were written by another run. */
export type Written = Readonly<Record<'created' | 'updated' | 'unchanged' | 'skipped', number>>;

/** The result for rows that were to be written together, or why none of them was written. */
export type Attempt<Row> =
  | { readonly written: Written }
  | {
      readonly refusals: readonly Refusal<Row>[];
      /** Whether fewer rows might be accepted, which is tried before a row is refused. */
      readonly isTooMuch: boolean;
    };

/** One way to write rows. */
export interface RowWriter<Row> {
  /** Concurrent batches. */
  readonly limit: number;
  /** Lines that an earlier run imported. */
  readonly imported: ReadonlySet<number>;
  /** Writes all of the rows or none. */
  readonly attempt: (rows: readonly Row[]) => Promise<Attempt<Row>>;
  /** Groups of a batch's rows that must be written separately. */
  readonly groups?: (batch: readonly Row[]) => readonly (readonly Row[])[];
  /** The row without the refused columns; `undefined` if it cannot be written without one of them. */
  readonly without?: (row: Row, columns: readonly string[]) => Row | undefined;
}

/** Writes the rows of a file in batches, and reports the result for each. `onDone` gets the rows of each batch. */
export const importRows = <Row extends ContactRow>(
  rows: AsyncIterable<Row>,
  writer: RowWriter<Row>,
  { report, onDone }: { readonly report: FileReport; readonly onDone?: (rows: number) => void },
): Promise<void> =>
  inBatches(rows, {
    limit: writer.limit,
    async handle(batch) {
      for (const group of writer.groups?.(batch) ?? [batch]) await writeRows(group, writer, report);
      onDone?.(batch.length);
    },
  });

/** Writes rows together; without those that are refused, and in halves if they are too much for one write. */
async function writeRows<Row extends ContactRow>(
  rows: readonly Row[],
  writer: RowWriter<Row>,
  report: FileReport,
): Promise<void> {
  let remaining = rows;
  while (remaining.length) {
    const attempt = await writer.attempt(remaining);
    if ('written' in attempt) {
      addWritten(report, attempt.written);
      return;
    }
    if (attempt.isTooMuch && remaining.length > 1) {
      const middle = Math.ceil(remaining.length / 2);
      await writeRows(remaining.slice(0, middle), writer, report);
      await writeRows(remaining.slice(middle), writer, report);
      return;
    }
    remaining = leaveOut(remaining, attempt.refusals, { writer, report });
  }
}

function addWritten(report: FileReport, { created, updated, unchanged, skipped }: Written): void {
  report.Created += created;
  report.Updated += updated;
  report.Unchanged += unchanged;
  report.Skipped += skipped;
}

/** The rows that can still be written; reports the others, and which of their values are refused. */
function leaveOut<Row extends ContactRow>(
  rows: readonly Row[],
  refusals: readonly Refusal<Row>[],
  { writer, report }: { readonly writer: RowWriter<Row>; readonly report: FileReport },
): Row[] {
  return rows.flatMap((row) => {
    const own = refusals.filter((refusal) => refusal.row === row);
    if (!own.length) return [row];
    const columns = own.map(({ column }) => column);
    const rest = writer.without?.(row, columns);
    (rest ? reportLosses : reportFailed)(report, row.fileLine ?? row.line, own);
    return rest ? [rest] : [];
  });
}
