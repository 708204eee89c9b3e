import type { Command } from 'commander';
import { writeContactIndex } from '../../../lib/store/reindex.ts';
import { print } from '../output.ts';
import { type AccountOption, accountOption, jsonOption, openAccount } from '../target.ts';

async function reindex({ json, ...options }: AccountOption & { readonly json?: boolean }): Promise<void> {
  const { table, account } = await openAccount(options);
  const Contacts = await writeContactIndex(table, account);
  print({ Contacts }, { json, text: `Indexed ${Contacts.toLocaleString('en-US')} contacts.` });
}

/** `reindex`. */
export function reindexCommands(program: Command): void {
  jsonOption(accountOption(program.command('reindex')))
    .description('Write the index of an account again, after an upgrade that changes it')
    .action(reindex);
}
