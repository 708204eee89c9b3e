import { resolve } from 'node:path';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import type { ImportOptions } from '../definitions/imports.ts';
import { importAsRun, runSentence } from '../import-runs.ts';
import { requireOrganization } from '../named-records.ts';
import { ReportedError, formatList, print, showProgress } from '../output.ts';
import { formatLineErrors } from './contact-row.ts';
import { type ContactsImported, importContacts } from './import.ts';
import { type StoreWriter, accountStore } from '../../../lib/store/store.ts';

function formatResult(file: string, { Errors, Changed = [], ...counts }: ContactsImported, dryRun: boolean): string {
  const { Lines, Skipped, SkippedColumns, ...written } = counts;
  const Failed = new Set(Errors.map(({ Line }) => Line)).size;
  return [
    ...formatLineErrors(file, Errors),
    ...formatLineErrors(file, Changed),
    ...(SkippedColumns ? [`Skipped columns: ${SkippedColumns.join(', ')}.`] : []),
    ...(Skipped ? [`${Skipped} lines were imported by an earlier run. --again imports them again.`] : []),
    formatList({ Lines, ...(dryRun ? {} : written), Skipped, Failed }),
  ].join('\n');
}

/** `import contacts.csv`. */
export async function importContactsFile(
  store: StoreWriter,
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
  const { account } = store;
  const [organizations, customFields] = await Promise.all([
    listOrganizations(store),
    listSettings<CustomField>(store, 'CustomField'),
  ]);
  const named = organization === undefined ? undefined : requireOrganization(organizations, organization);
  const progress = showProgress();
  const count = ({ Created, Updated }: ContactsImported) => ({ created: Created, updated: Updated });
  const { result, run } = await importAsRun(store, { kind: 'contacts', files: [file], dryRun, count }, (own) =>
    importContacts({
      store: accountStore(own, account),
      file: resolve(file),
      organizations,
      customFields,
      organization: named,
      skipUnknownColumns: skipUnknown,
      ignoreComputed,
      again,
      dryRun,
      onProgress: progress.update,
    }).finally(progress.end),
  );
  const text = `${formatResult(file, result, dryRun)}${runSentence(run)}`;
  print({ ...(run === undefined ? {} : { Run: run }), ...result }, { json, text });
  if (result.Errors.length) throw new ReportedError();
}
