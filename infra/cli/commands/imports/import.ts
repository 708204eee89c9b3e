import type { Command } from 'commander';
import type { CliCommand } from '../../command.ts';
import type { RequireApi } from '../../remote/profile.ts';
import { recordId } from '../../values.ts';
import type { ImportOptions } from './import-options.ts';

/** What the columns of a file may become needs neither API nor table. */
const suggestMapping = async (files: readonly string[]): Promise<void> =>
  (await import('../../other-systems/suggest.ts')).suggestMapping(files);

const overHttp = async (requireApi: RequireApi, files: readonly string[], options: ImportOptions): Promise<void> =>
  options.suggestMapping
    ? suggestMapping(files)
    : (await import('./over-http.ts')).importContacts(requireApi, files, options);

const onTable = async (files: readonly string[], options: ImportOptions): Promise<void> =>
  options.suggestMapping
    ? suggestMapping(files)
    : (await import('#on-table/imports/on-table')).importFiles(files, options);

const takesFiles = (command: Command): Command =>
  command
    .argument('[files...]', 'company files, which together describe one company, or one file of contacts')
    .option('--dry-run', 'check the file and show the changes without writing them')
    .option('--runs', 'list the imports of the last 30 days')
    .option('--undo <run>', 'take back an import of the last 30 days', recordId)
    .option(
      '--from <system>',
      'exports of jobber or housecallpro, or of a system that a mapping file (.yaml) describes',
    )
    .option(
      '--mapping <file>',
      'what each column of the files becomes (.yaml); once for each kind of file',
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .option('--suggest-mapping', 'print a mapping file for the columns of one CSV file, and import nothing')
    .option('--organization <name>', 'contacts: organization of lines that name none (default: by postal code)')
    .option('--service <name>', 'with --from or --mapping: service of visits and estimates whose texts name none')
    .option('--notes', 'with --from or --mapping: keep columns without a field in a note of the contact')
    .option('--skip-unknown', 'contacts: ignore columns that are not a field of a contact')
    .option('--ignore-computed', 'contacts: skip columns of a download that the API computes')
    .option('--again', 'contacts: also import lines that an earlier run of the same file imported');

export const commands: readonly CliCommand[] = [
  {
    words: 'import',
    summary: 'Create and update records from company files or contacts',
    description:
      'Create and update records from company files (.yaml, .json) or contacts (.csv). An entry of a company ' +
      'file updates the record of its name, a line of contacts the contact of its Id, e-mail or phone and name, ' +
      'with the fields that it has; what the account lacks is created. Nothing is ever removed: records without ' +
      'an entry stay as they are. Everything wrong with company files is reported in one run, and nothing of ' +
      'them is written then; of contacts the valid lines are. Exits with 1 if a file or line is invalid. With ' +
      '--from or --mapping the files are exports of another system: clients, and with them visits, invoices and ' +
      'estimates. A dry run names every row and column that would be lost; a second run changes nothing. An import ' +
      'is a run with a number: --undo removes what it made and restores what it changed, where nobody changed it ' +
      'since; entries that a company file made stay, but are not used any more. An import over HTTP cannot be ' +
      'undone',
    examples: [
      'npx fs import company.yaml --dry-run',
      'npx fs import settings.yaml organizations.yaml',
      'npx fs import contacts.csv --organization "Evergreen Richmond"',
      'npx fs import --from jobber clients.csv visits.csv invoices.csv --dry-run',
      'npx fs import --suggest-mapping customers.csv > acme.yaml',
      'npx fs import --mapping acme.yaml customers.csv --dry-run',
      'npx fs import --undo 12 --dry-run',
    ],
    takes: takesFiles,
    overHttp,
    onTable,
  },
];
