import type { Command } from 'commander';
import { writeAccount } from '../../../lib/store/accounts.ts';
import { CommandError, formatList, print } from '../output.ts';
import { jsonOption, openTarget } from '../target.ts';
import { name, timeZone } from '../values.ts';

interface CreateOptions {
  readonly name?: string;
  readonly organizationName?: string;
  readonly timeZone: string;
  readonly demo?: boolean;
  readonly json?: boolean;
}

async function createEmptyAccount({ name: Name, organizationName = Name, timeZone: TimeZone }: CreateOptions) {
  if (Name === undefined || organizationName === undefined)
    throw new CommandError('Name the company with --name, or create the demo company with --demo.');
  const created = await writeAccount(openTarget(), {
    name: Name,
    organizationName,
    timeZone: TimeZone,
    now: new Date(),
  });
  return {
    AccountId: created.accountId,
    Name,
    OrganizationId: created.organizationId,
    OrganizationName: organizationName,
    TimeZone,
  };
}

async function createDemoAccount() {
  // Loaded here only: the demo needs every operation and the company file.
  const { createDemo, DEMO_NAME } = await import('../demo/create-demo.ts');
  const { accountId, organizationId } = await createDemo(openTarget(), { now: new Date() });
  return { AccountId: accountId, Name: DEMO_NAME, OrganizationId: organizationId };
}

async function create(options: CreateOptions): Promise<void> {
  const account = options.demo ? await createDemoAccount() : await createEmptyAccount(options);
  const hint = `Create its first key: npm run fs -- key create --account ${account.AccountId} --role Owner --name <name>`;
  print(account, { json: options.json, text: `${formatList(account)}\n\n${hint}` });
}

/** `account create`. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('Manage accounts');
  jsonOption(account.command('create'))
    .description('Create an account with its first organization')
    .option('--name <name>', 'company name', name)
    .option('--demo', 'create the demo company: price book, contacts and some weeks of work')
    .option('--organization-name <name>', 'name of the first organization (default: the company name)', name)
    .option('--time-zone <zone>', 'IANA time zone of the first organization', timeZone, 'America/New_York')
    .action(create);
}
