import { resolve } from 'node:path';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import type { ImportOptions } from '../definitions/imports.ts';
import { requireOrganization } from '../named-records.ts';
import { ReportedError, formatList, print, showProgress } from '../output.ts';
import { type ContactsImported, importContacts } from './import.ts';

/** Invalid lines printed one by one; `--json` lists them all. */
const MAX_PRINTED_ERRORS = 50;

function formatResult(file: string, { Errors, ...counts }: ContactsImported, dryRun: boolean): string {
  const lines = Errors.slice(0, MAX_PRINTED_ERRORS).map(
    ({ Line, Field, Message }) => `${file}:${Line}: ${[Field, Message].filter(Boolean).join(' ')}`,
  );
  const { Lines, Skipped, SkippedColumns, ...written } = counts;
  const Failed = new Set(Errors.map(({ Line }) => Line)).size;
  return [
    ...lines,
    ...(Errors.length > lines.length ? [`… and ${Errors.length - lines.length} more; --json lists them all`] : []),
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
