import { resolve } from 'node:path';
import type { StoreWriter } from '../../../lib/store/store.ts';
import { runImport } from '../imports/run-import.ts';
import { importSystem } from './import.ts';
import { systemLayout as layout } from './layout.ts';
import { readMappings, readSystem } from './mapping-file.ts';

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
export function importSystemFiles(
  store: StoreWriter,
  files: readonly string[],
  { from = '', mapping, organization, service, notes = false, dryRun = false, json = false }: SystemOptions,
): Promise<void> {
  const system = mapping ? readMappings(mapping) : readSystem(from);
  const paths = files.map((file) => resolve(file));
  return runImport(store, { kind: system.system, files, organization, dryRun, json, layout }, (target) =>
    importSystem({ ...target, system, files: paths, service, keepInNotes: notes }),
  );
}
