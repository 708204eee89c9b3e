import type { Command } from 'commander';
import { createAccount } from '../../../lib/store/accounts.ts';
import { CommandError, formatList, print } from '../output.ts';
import { openTarget } from '../target.ts';
import { name, timeZone } from '../values.ts';

interface Options {
  readonly name?: string;
  readonly organizationName?: string;
  readonly timeZone: string;
  readonly demo?: boolean;
  readonly json?: boolean;
}

const keyHint = (account: string): string =>
  `Make its first key: npm run fs -- key create --account ${account} --role Owner --name <name>`;

async function createEmpty(
  Name: string,
  { organizationName = Name, timeZone: TimeZone, json }: Options,
): Promise<void> {
  const made = await createAccount(openTarget(), { name: Name, organizationName, timeZone: TimeZone, now: new Date() });
  const account = {
    AccountId: made.accountId,
    Name,
    OrganizationId: made.organizationId,
    OrganizationName: organizationName,
    TimeZone,
  };
  print(account, { json, text: `${formatList(account)}\n\n${keyHint(made.accountId)}` });
}

async function create({ name: Name, ...options }: Options): Promise<void> {
  if (!options.demo) {
    if (Name === undefined) throw new CommandError('Name the company with --name, or take the demo with --demo.');
    return await createEmpty(Name, options);
  }
  // Only here: the demo brings the whole company file along.
  const { createDemo, DEMO_NAME } = await import('../demo/create-demo.ts');
  const made = await createDemo(openTarget(), { now: new Date() });
  const account = { AccountId: made.accountId, Name: DEMO_NAME, OrganizationId: made.organizationId };
  print(account, { json: options.json, text: `${formatList(account)}\n\n${keyHint(made.accountId)}` });
}

/** `account create`. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('companies that share nothing with each other');
  account
    .command('create')
    .description('make an account with its first organization')
    .option('--name <name>', 'of the company', name)
    .option('--demo', 'a realistic company with its price book, contacts, and some weeks of work')
    .option('--organization-name <name>', 'of its first organization; the same unless said otherwise', name)
    .option('--time-zone <zone>', "that organization's IANA time zone", timeZone, 'America/New_York')
    .option('--json', 'answer for machines')
    .action(create);
}
