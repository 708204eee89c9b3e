import { resolve } from 'node:path';
import type { StoreWriter } from '../../../lib/store/store.ts';
import type { ImportOptions } from '../commands/imports/import-options.ts';
import { runImport } from '../imports/run-import.ts';
import { importContacts } from './import.ts';
import { tableLayout as layout } from './layout.ts';

/** `import contacts.csv`. */
export function importContactsFile(
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
  return runImport(store, { kind: 'contacts', files: [file], organization, dryRun, json, layout }, async (target) => {
    const given = { file: resolve(file), skipUnknownColumns: skipUnknown, ignoreComputed, again };
    const report = await importContacts({ ...target, ...given });
    return [{ ...report, File: file }];
  });
}
