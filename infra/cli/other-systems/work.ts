import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { WorkMapping } from '../../../lib/domain/imports/mapping.ts';
import type { NamedClient, Read } from '../../../lib/domain/imports/named-client.ts';
import type { Loss } from '../../../lib/domain/imports/read-row.ts';
import { Failure } from '../../../lib/shared/failure.ts';
import { fromCents } from '../../../lib/shared/money.ts';
import type { CsvRecord } from '../imports/csv.ts';
import { type Sums, reportFailed, reportLosses } from '../imports/report.ts';
import { findClient, requireContact } from './find-client.ts';
import { type ImportFile, RowError, type SystemRun, countLost, readRecords } from './run.ts';

/**
 * What visits, invoices and estimates share: each row names its client, and is one transaction.
 */

/** The amounts of a row, in cents. */
interface Amounts {
  readonly total: number;
  /** For an invoice: the amount still due. */
  readonly balance?: number;
}

interface WorkRow extends Amounts {
  readonly client: NamedClient;
  readonly losses?: readonly Loss[];
}

interface WrittenWork {
  readonly count: 'Created' | 'Updated' | 'Unchanged';
  readonly booked: Amounts;
}

/** How the rows of one kind of work are read and written. */
export interface WorkKind<Row extends WorkRow> {
  readonly read: (cells: readonly string[]) => Read<Row>;
  /** Writes a row. Without a contact, in a dry run, it only checks what the row names. */
  readonly write: (
    row: Row,
    of: { readonly line: number; readonly contact: ContactRecord | undefined },
  ) => Promise<WrittenWork | undefined>;
}

/** Imports the rows of a file; reports what the file contains and what is booked. */
export async function importWork<Row extends WorkRow>(
  run: SystemRun,
  file: ImportFile<WorkMapping>,
  { read, write }: WorkKind<Row>,
): Promise<void> {
  const { report, mapping } = file;
  const zero = mapping.kind === 'invoices' ? { total: 0, balance: 0 } : { total: 0 };
  let inFile: Amounts = zero;
  let booked: Amounts = zero;
  await eachRow(run, file, async ({ cells, line }) => {
    const row = requireRow(read(cells));
    inFile = add(inFile, row);
    reportLosses(report, line, row.losses ?? []);
    const client = await findClient(run, row.client);
    const contact = run.dryRun ? undefined : await requireContact(run, client);
    const written = await write(row, { line, contact });
    if (!written) return;
    report[written.count]++;
    booked = add(booked, written.booked);
  });
  report.InFile = toSums(inFile);
  report.Booked = toSums(booked);
}

const add = ({ total, balance }: Amounts, more: Amounts): Amounts => ({
  total: total + more.total,
  ...(balance === undefined ? {} : { balance: balance + (more.balance ?? 0) }),
});

const toSums = ({ total, balance }: Amounts): Sums => ({
  Total: fromCents(total),
  ...(balance === undefined ? {} : { Balance: fromCents(balance) }),
});

/** The row as it was read; throws if it cannot be imported or is skipped. */
function requireRow<Row extends object>(read: Read<Row>): Row {
  if ('errors' in read) throw new RowError(read.errors);
  if ('leftOut' in read) throw new RowError([read.leftOut], true);
  return read;
}

/** Rows in progress at a time: they wait for the table, not for each other. */
const MAX_ROWS = 8;

/** Handles the rows of a file, several at a time; a failed row is reported and does not stop the others. */
async function eachRow(run: SystemRun, file: ImportFile, handle: (record: CsvRecord) => Promise<void>): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  for await (const record of readRecords(file)) {
    countLost(file, record);
    const work = handle(record)
      .catch((error: unknown) => {
        if (!reportRow(file, record, error)) broken ??= { error };
      })
      .finally(() => {
        inProgress.delete(work);
        run.advance(1);
      });
    inProgress.add(work);
    while (inProgress.size >= MAX_ROWS) await Promise.race(inProgress);
    if (broken) break;
  }
  await Promise.all(inProgress);
  if (broken) throw broken.error;
}

/** Reports why a row is not imported; `false` if the row is not at fault. */
function reportRow({ report }: ImportFile, { line }: CsvRecord, error: unknown): boolean {
  if (error instanceof Failure) reportFailed(report, line, [{ column: '', reason: error.message }]);
  else if (!(error instanceof RowError)) return false;
  else if (error.isLeftOut) {
    reportLosses(report, line, error.losses);
    report.Others.leftOut++;
  } else reportFailed(report, line, error.losses);
  return true;
}
