import { omit } from '../../../lib/shared/objects.ts';
import type { ContactRow } from '../imports/batches.ts';
import type { FileSurvey } from '../imports/csv-file.ts';
import { type FileReport, newReport, reportFailed, reportLosses, sortLines } from '../imports/report.ts';
import type { ImportTarget } from '../imports/run-import.ts';
import { type RowWriter, importRows } from '../imports/write-rows.ts';
import { CommandError } from '../output.ts';
import { readColumns } from './columns.ts';
import { type OrganizationName, readContactLines } from './contact-row.ts';

/** A file of contacts, and how to read it. */
export interface ContactsFile extends Omit<ImportTarget, 'store' | 'organizations'> {
  readonly file: string;
  readonly organizations: readonly OrganizationName[];
  readonly skipUnknownColumns?: boolean;
  /** Skips columns of a download that the API computes. */
  readonly ignoreComputed?: boolean;
  /** Imports lines again that an earlier run imported, without their notes, which already exist. */
  readonly again?: boolean;
}

/** Imports the lines of a file with a writer. An invalid line does not stop the others. */
export async function importContactLines(
  options: ContactsFile,
  { headers, lines }: FileSurvey,
  openWriter: () => Promise<RowWriter<ContactRow>>,
): Promise<FileReport> {
  const { file, organizations, customFields, organization, again = false, dryRun = false, onProgress } = options;
  const { skipUnknownColumns: skipUnknown = false, ignoreComputed = false } = options;
  const { columns, errors } = readColumns(headers, customFields, { skipUnknown, ignoreComputed });
  if (errors.length) throw new CommandError(`${file}:1: ${errors.join(' ')}`);
  const report = newReport(file, 'contacts', lines);
  const skipped = columns.flatMap(({ kind, header }) => (kind === 'skipped' ? [header] : []));
  if (skipped.length) report.SkippedColumns = skipped;
  const writer = await openWriter();
  let done = 0;
  const onDone = (count: number) => onProgress?.((done += count), lines);

  async function* rows(): AsyncGenerator<ContactRow> {
    for await (const row of readContactLines(file, columns, { organizations, organization })) {
      const isKnown = writer.imported.has(row.line);
      if (isKnown && !again) report.Skipped++;
      else if ('errors' in row) reportFailed(report, row.line, row.errors);
      else {
        reportLosses(report, row.line, row.changed);
        yield isKnown ? { ...row, contact: omit(row.contact, 'Notes') } : row;
        continue;
      }
      onDone(1);
    }
  }

  if (dryRun) for await (const _ of rows()) onDone(1);
  else await importRows(rows(), writer, { report, onDone });
  sortLines(report);
  return report;
}
