import { resolve } from 'node:path';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/table.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import type { ImportOptions } from '../definitions/imports.ts';
import { requireOrganization } from '../named-records.ts';
import { ReportedError, formatList, print, showProgress } from '../output.ts';
import { formatLineErrors } from './contact-row.ts';
import { type ContactsImported, importContacts } from './import.ts';

function formatResult(file: string, { Errors, ...counts }: ContactsImported, dryRun: boolean): string {
  const { Lines, Skipped, SkippedColumns, ...written } = counts;
  const Failed = new Set(Errors.map(({ Line }) => Line)).size;
  return [
    ...formatLineErrors(file, Errors),
    ...(SkippedColumns ? [`Skipped columns: ${SkippedColumns.join(', ')}.`] : []),
    ...(Skipped ? [`${Skipped} lines were imported by an earlier run. --again imports them again.`] : []),
    formatList({ Lines, ...(dryRun ? {} : written), Skipped, Failed }),
  ].join('\n');
}

/** `import contacts.csv`. */
export async function importContactsFile(
  table: TableWriter,
  account: string,
  file: string,
  {
    organization,
    skipUnknown = false,
    ignoreComputed = false,
    again = false,
    dryRun = false,
    json = false,
  }: ImportOptions,
): Promise<void> {
  const [organizations, customFields] = await Promise.all([
    listOrganizations(table, account),
    listSettings<CustomField>(table, account, 'CustomField'),
  ]);
  const progress = showProgress();
  const result = await importContacts({
    table,
    account,
    file: resolve(file),
    organizations,
    customFields,
    organization: organization === undefined ? undefined : requireOrganization(organizations, organization),
    skipUnknownColumns: skipUnknown,
    ignoreComputed,
    again,
    dryRun,
    onProgress: progress.update,
  }).finally(progress.end);
  print(result, { json, text: formatResult(file, result, dryRun) });
  if (result.Errors.length) throw new ReportedError();
}
