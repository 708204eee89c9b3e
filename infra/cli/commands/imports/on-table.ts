import { extname } from 'node:path';
import { requireFile } from '../../input-file.ts';
import { CommandError, UsageError } from '../../output.ts';
import { openAccount } from '../../target.ts';
import type { ImportOptions } from './import-options.ts';

// The modules for files are large, so other commands do not load them.
const companyFile = () => import('../../company-file/command.ts');
const contactsCsv = () => import('../../contacts-csv/command.ts');
const otherSystems = () => import('../../other-systems/command.ts');
const importRuns = () => import('../../import-runs.ts');

const COMPANY_FILES = ['.yaml', '.yml', '.json'];

/** `import --runs` and `import --undo`, which take no files. */
async function manageRuns(files: readonly string[], options: ImportOptions): Promise<void> {
  const { runs = false, undo, dryRun = false, json } = options;
  if (files.length || (runs && undo !== undefined))
    throw new UsageError('Use --runs or --undo <run> without files, one of both.');
  const { store } = await openAccount(options);
  if (undo === undefined) await (await importRuns()).printRuns(store, json);
  else await (await importRuns()).undoRun(store, { run: undo, dryRun, json });
}

/** `import` on the table: company files, contacts, files of other systems, and what became of earlier imports. */
export async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  if (options.runs || options.undo !== undefined) return manageRuns(files, options);
  if (!files.length) throw new UsageError('Name the files to import, or use --runs or --undo <run>.');
  for (const file of files) requireFile(file);
  if (options.from !== undefined && options.mapping) throw new UsageError('Use --from or --mapping.');
  if (options.from !== undefined || options.mapping) {
    const { store } = await openAccount(options);
    await (await otherSystems()).importSystemFiles(store, files, options);
    return;
  }
  if (options.service !== undefined || options.notes)
    throw new UsageError('--service and --notes need --from or --mapping.');
  const isCompany = (file: string) => COMPANY_FILES.includes(extname(file).toLowerCase());
  const isContacts = (file: string) => extname(file).toLowerCase() === '.csv';
  const unsupported = files.find((file) => !isCompany(file) && !isContacts(file));
  if (unsupported !== undefined)
    throw new CommandError(`${unsupported} is not supported. Use a company file (.yaml) or contacts (.csv).`);
  const [file = ''] = files;
  if (files.length > 1 && files.some(isContacts))
    throw new UsageError('Import contacts by themselves, one file at a time.');
  const { store } = await openAccount(options);
  if (isContacts(file)) await (await contactsCsv()).importContactsFile(store, file, options);
  else await (await companyFile()).importCompanyFiles(store, files, options);
}
