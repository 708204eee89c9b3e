import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { findAccount } from '../../../lib/store/accounts.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import type { ContactsOptions } from '../contacts-csv/command.ts';
import { CommandError } from '../output.ts';
import { findAccountId, openTarget } from '../target.ts';

interface ImportOptions extends ContactsOptions {
  readonly account?: string;
}

async function existing(table: TableWriter, account: string | undefined): Promise<string> {
  const accountId = findAccountId(account ? { account } : {});
  if (!(await findAccount(table, accountId))) throw new CommandError(`There is no account ${accountId}.`);
  return accountId;
}

async function importFile(file: string, { account, ...options }: ImportOptions): Promise<void> {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  const table = openTarget();
  const accountId = await existing(table, account);
  // Only now: both bring along much that no other command needs.
  switch (extname(file).toLowerCase()) {
    case '.yaml':
    case '.yml':
      return await (await import('../company-file/command.ts')).importCompanyFile(table, accountId, file, options);
    case '.csv':
      return await (await import('../contacts-csv/command.ts')).importContactsFile(table, accountId, file, options);
    default:
      throw new CommandError(`${file} is neither a company file (.yaml) nor contacts (.csv).`);
  }
}

async function exportFile({ account, out }: { account?: string; out?: string }): Promise<void> {
  const table = openTarget();
  const accountId = await existing(table, account);
  await (await import('../company-file/command.ts')).exportCompanyFile(table, accountId, out);
}

/** `import` and `export`. */
export function importCommands(program: Command): void {
  program
    .command('import <file>')
    .description('bring in a company (.yaml) or contacts (.csv); what is there already stays as it is')
    .option('--account <id>', "the account; the local stack's own unless said otherwise")
    .option('--dry-run', 'show what would change, and change nothing')
    .option(
      '--organization <name>',
      'contacts: where those belong that name no organization; by postal code unless said otherwise',
    )
    .option('--skip-unknown', 'contacts: leave out columns that are no field of a contact')
    .option('--again', 'contacts: also lines that an earlier run of the same file brought in')
    .option('--json', 'answer for machines')
    .action(importFile);
  program
    .command('export')
    .description('write the company as a file that import reads')
    .option('--account <id>', "the account; the local stack's own unless said otherwise")
    .option('--out <file>', 'where to; standard output unless said otherwise')
    .action(exportFile);
}
