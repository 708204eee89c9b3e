import type { Command } from 'commander';
import { createAccount } from '../../lib/store/accounts.ts';
import { listOf, print } from './output.ts';
import { openTarget } from './target.ts';
import { name, timeZone } from './values.ts';

interface Options {
  readonly name: string;
  readonly organizationName?: string;
  readonly timeZone: string;
  readonly json?: boolean;
}

async function create({ name: Name, organizationName = Name, timeZone: TimeZone, json }: Options): Promise<void> {
  const made = await createAccount(openTarget(), { name: Name, organizationName, timeZone: TimeZone, now: new Date() });
  const account = { AccountId: made.accountId, Name, OrganizationId: made.organizationId, OrganizationName: organizationName, TimeZone };
  print(account, { json, text: `${listOf(account)}\n\nMake its first key: npm run fs -- key create --account ${made.accountId} --role Owner --name <name>` });
}

/** `account create`. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('companies that share nothing with each other');
  account
    .command('create')
    .description('make an account with its first organization')
    .requiredOption('--name <name>', 'of the company', name)
    .option('--organization-name <name>', 'of its first organization; the same unless said otherwise', name)
    .option('--time-zone <zone>', "that organization's IANA time zone", timeZone, 'America/New_York')
    .option('--json', 'answer for machines')
    .action(create);
}
