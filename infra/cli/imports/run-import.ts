import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { type StoreWriter } from '../../../lib/store/store.ts';
import { importAsRun, runSentence } from '../import-runs.ts';
import { requireOrganization } from '../named-records.ts';
import { showProgress } from '../output.ts';
import { type FileReport, type Layout, printReports } from './report.ts';

/** Where and how files are imported. */
export interface ImportTarget {
  readonly store: StoreWriter;
  readonly organizations: readonly OrganizationRecord[];
  readonly customFields: readonly CustomField[];
  /** For new contacts that name none; without it, the owner of their postal code. */
  readonly organization?: number | undefined;
  /** Checks every row and writes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

interface RunOptions {
  readonly kind: string;
  readonly files: readonly string[];
  /** The name of an organization. */
  readonly organization: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly layout: Layout;
}

/** Imports files into the table as a run, and prints their reports. */
export async function runImport(
  store: StoreWriter,
  { kind, files, organization, dryRun, json, layout }: RunOptions,
  work: (target: ImportTarget) => Promise<readonly FileReport[]>,
): Promise<void> {
  const [organizations, customFields] = await Promise.all([
    listOrganizations(store),
    listSettings<CustomField>(store, 'CustomField'),
  ]);
  const named = organization === undefined ? undefined : requireOrganization(organizations, organization);
  const progress = showProgress();
  const { result, run } = await importAsRun(store, { kind, files, dryRun, count }, (ofRun) =>
    work({
      store: ofRun,
      organizations,
      customFields,
      organization: named,
      dryRun,
      onProgress: progress.update,
    }).finally(progress.end),
  );
  printReports(result, { layout, isDryRun: dryRun, json, run, sentence: runSentence(run) });
}

const count = (reports: readonly FileReport[]) => ({
  created: reports.reduce((sum, { Created }) => sum + Created, 0),
  updated: reports.reduce((sum, { Updated }) => sum + Updated, 0),
});
