import { extname } from 'node:path';
import type { Command } from 'commander';
import type { ContactsOptions } from '../contacts-csv/command.ts';
import { examples } from '../examples.ts';
import { requireFile } from '../input-file.ts';
import { CommandError, UsageError } from '../output.ts';
import { type OutputOptions, outputOptions } from '../output-file.ts';
import { type AccountOption, accountOption, jsonOption, openAccount } from '../target.ts';

// The modules of both files are large; other commands do not load them.
const companyFile = () => import('../company-file/command.ts');
const contactsCsv = () => import('../contacts-csv/command.ts');

const COMPANY_FILES = ['.yaml', '.yml', '.json'];

async function importFiles(files: readonly string[], options: AccountOption & ContactsOptions): Promise<void> {
  for (const file of files) requireFile(file);
  const isCompany = (file: string) => COMPANY_FILES.includes(extname(file).toLowerCase());
  const isContacts = (file: string) => extname(file).toLowerCase() === '.csv';
  const unsupported = files.find((file) => !isCompany(file) && !isContacts(file));
  if (unsupported !== undefined)
    throw new CommandError(`${unsupported} is not supported. Use a company file (.yaml) or contacts (.csv).`);
  const [file = ''] = files;
  if (files.length > 1 && files.some(isContacts))
    throw new UsageError('Import contacts by themselves, one file at a time.');
  const { table, account } = await openAccount(options);
  if (isContacts(file)) await (await contactsCsv()).importContactsFile(table, account, file, options);
  else await (await companyFile()).importCompanyFiles(table, account, files, options);
}

async function exportFile(options: AccountOption & OutputOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  await (await companyFile()).exportCompanyFile(table, account, options);
}

/** `import` and `export`. */
export function importCommands(program: Command): void {
  examples(
    jsonOption(accountOption(program.command('import'))),
    'npx fs import company.yaml --dry-run',
    'npx fs import settings.yaml organizations.yaml',
    'npx fs import contacts.csv --organization "Evergreen Richmond"',
  )
    .argument('<files...>', 'company files, which together describe one company, or one file of contacts')
    .summary('Create and update records from company files or contacts')
    .description(
      'Create and update records from company files (.yaml, .json) or contacts (.csv). An entry of a company ' +
        'file updates the record of its name, a line of contacts the contact of its Id, e-mail or phone and name, ' +
        'with the fields that it has; what the account lacks is created. Nothing is ever removed: records without ' +
        'an entry stay as they are. Everything wrong with company files is reported in one run, and nothing of ' +
        'them is written then; of contacts the valid lines are. Exits with 1 if a file or line is invalid',
    )
    .option('--dry-run', 'check the file and show the changes without writing them')
    .option('--organization <name>', 'contacts: organization of lines that name none (default: by postal code)')
    .option('--skip-unknown', 'contacts: ignore columns that are not a field of a contact')
    .option('--ignore-computed', 'contacts: skip columns of a download that the API computes')
    .option('--again', 'contacts: also import lines that an earlier run of the same file imported')
    .action(importFiles);
  examples(outputOptions(accountOption(program.command('export'))), 'npx fs export --out company.yaml')
    .description('Write the company as a file for import')
    .action(exportFile);
}
