import { resolve } from 'node:path';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { importAsRun, runSentence } from '../import-runs.ts';
import { requireOrganization } from '../named-records.ts';
import { ReportedError, print, showProgress } from '../output.ts';
import { importSystem } from './import.ts';
import { readMappings, readSystem } from './mapping-file.ts';
import { type FileReport, formatReports } from './report.ts';
import { type StoreWriter, accountStore } from '../../../lib/store/store.ts';

export interface SystemOptions {
  readonly from?: string;
  readonly mapping?: readonly string[];
  readonly organization?: string;
  readonly service?: string;
  readonly notes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `import --from`. */
export async function importSystemFiles(
  store: StoreWriter,
  files: readonly string[],
  { from = '', mapping, organization, service, notes = false, dryRun = false, json = false }: SystemOptions,
): Promise<void> {
  const { account } = store;
  const system = mapping ? readMappings(mapping) : readSystem(from);
  const [organizations, customFields] = await Promise.all([
    listOrganizations(store),
    listSettings<CustomField>(store, 'CustomField'),
  ]);
  const named = organization === undefined ? undefined : requireOrganization(organizations, organization);
  const progress = showProgress();
  const { result, run } = await importAsRun(store, { kind: system.system, files, dryRun, count }, (own) =>
    importSystem({
      store: accountStore(own, account),
      system,
      files: files.map((file) => resolve(file)),
      organizations,
      customFields,
      organization: named,
      service,
      keepInNotes: notes,
      dryRun,
      onProgress: progress.update,
    }).finally(progress.end),
  );
  const reports = run === undefined ? result : result.map((report) => ({ Run: run, ...report }));
  print(reports, { json, text: `${formatReports(reports, dryRun)}${runSentence(run)}` });
  if (reports.some(({ Errors }) => Errors.length > 0)) throw new ReportedError();
}

const count = (reports: readonly FileReport[]) => ({
  created: reports.reduce((sum, { Created }) => sum + Created, 0),
  updated: reports.reduce((sum, { Updated }) => sum + Updated, 0),
});
