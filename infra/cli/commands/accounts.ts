import type { Account } from '../../../lib/entities/accounts.ts';
import type { ApiKeyRecord } from '../../../lib/entities/api-keys.ts';
import { Option } from 'commander';
import {
  listAccounts,
  listHighestIds,
  type AccountSize,
  measureAccounts,
  writeAccountSuspension,
} from '../../../lib/store/administration/account-administration.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { listKeys } from '../../../lib/store/requests/api-keys.ts';
import { findQueue } from '../../../lib/store/events/events.ts';
import { writeOrganizationSuspension } from '../../../lib/store/organizations/organizations.ts';
import { writeAuditEntry } from '../../../lib/store/requests/audit.ts';
import type { CliCommand } from '../command.ts';
import type { DemoSize } from '../demo/create-demo.ts';
import { findOrganizationId } from '../named-records.ts';
import { CommandError, UsageError, formatList, formatTable, print } from '../output.ts';
import { accountIds, openTablePass, yesOption } from '../table-pass.ts';
import { openAccount, openTarget } from '../target.ts';
import { name, timeZone } from '../values.ts';

const DEFAULT_TIME_ZONE = 'America/New_York';

interface CreateOptions {
  readonly name?: string;
  readonly timeZone?: string;
  readonly demo?: DemoSize | true;
  readonly json?: boolean;
}

async function createEmptyAccount(options: CreateOptions) {
  const { name: Name, timeZone: TimeZone = DEFAULT_TIME_ZONE } = options;
  if (Name === undefined) throw new UsageError('Name the company with --name, or create the demo company with --demo.');
  const created = await writeAccount(openTarget(), {
    name: Name,
    organizationName: Name,
    timeZone: TimeZone,
    now: new Date(),
  });
  return { AccountId: created.account, Name, OrganizationId: created.organizationId, OrganizationName: Name, TimeZone };
}

async function createDemoAccount({ name, timeZone: zone, demo }: CreateOptions) {
  if (zone) throw new UsageError('The demo company has organizations of its own. Leave out --time-zone.');
  // Loaded only here, because the demo requires every operation and the company file.
  const { createDemo, DEMO_NAME: Name } = await import('../demo/create-demo.ts');
  const options = { name, size: demo === 'small' ? 'small' : 'full', now: new Date() } as const;
  const { account, organizationId } = await createDemo(openTarget(), options);
  return { AccountId: account, Name: name ?? Name, OrganizationId: organizationId };
}

async function create(options: CreateOptions): Promise<void> {
  const account = options.demo ? await createDemoAccount(options) : await createEmptyAccount(options);
  const command = `npx fs key create --account ${account.AccountId} --role Owner --name <name>`;
  const hint = `Create its first key: ${command}`;
  print(account, { json: options.json, text: `${formatList(account)}\n\n${hint}` });
}

const formatMoment = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

const toOutput = ({ AccountId, Name, Organizations, CreatedAt, SuspendedAt, Schema = 1 }: Account) => ({
  AccountId,
  Name,
  Organizations,
  CreatedAt: formatMoment(CreatedAt),
  SuspendedAt: formatMoment(SuspendedAt),
  Schema,
});

/** The sizes of accounts, at most 20 or all of them, in one pass over the table. */
async function findSizes(yes: boolean, accounts?: readonly string[]): Promise<ReadonlyMap<string, AccountSize>> {
  const pass = await openTablePass({ yes });
  const sizes = await measureAccounts(pass.scan, { ...(accounts ? { accounts } : {}), segments: pass.segments });
  pass.end();
  return sizes;
}

interface SizeOptions {
  readonly size?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What a size adds to the output for an account. */
const sizeOutput = (sizes: ReadonlyMap<string, AccountSize> | undefined, account: string) => {
  const { items: Items, bytes: Bytes } = sizes?.get(account) ?? { items: 0, bytes: 0 };
  return sizes ? { Items, Bytes } : {};
};

async function list({ size = false, yes = false, json }: SizeOptions): Promise<void> {
  const found = await listAccounts(openTarget());
  const sizes = size ? await findSizes(yes) : undefined;
  const accounts = found.map((account) => ({ ...toOutput(account), ...sizeOutput(sizes, account.AccountId) }));
  const rows = accounts.map(({ AccountId, Name, Organizations, CreatedAt, SuspendedAt }) => ({
    Account: AccountId,
    Name,
    Organizations,
    Created: CreatedAt?.slice(0, 10) ?? null,
    State: SuspendedAt ? 'suspended' : 'active',
    ...sizeOutput(sizes, AccountId),
  }));
  const none = 'No accounts.';
  print(accounts, { json, text: rows.length ? formatTable(rows) : none });
}

async function summarize(id: string, now: Date) {
  const { store, found } = await openAccount({ account: id });
  const [keys, { last }, ids] = await Promise.all([listKeys(store), findQueue(store, '', now), listHighestIds(store)]);
  const isValid = ({ RevokedAt, ExpiresAt }: ApiKeyRecord) =>
    RevokedAt === null && (ExpiresAt === null || ExpiresAt > now.getTime());
  const summary = {
    ...toOutput(found),
    ValidKeys: keys.filter(isValid).length,
    Keys: keys.length,
    LastUsed:
      keys
        .map(({ LastUsed }) => LastUsed)
        .sort()
        .at(-1) || null,
    Events: last,
  };
  return { account: store.account, summary, ids };
}

/** A single result alone, several as a list. */
export const oneOrAll = <Result>(results: readonly Result[]): Result | readonly Result[] =>
  results.length === 1 && results[0] !== undefined ? results[0] : results;

async function show(ids: readonly string[], { size = false, yes = false, json }: SizeOptions): Promise<void> {
  const now = new Date();
  const accounts = accountIds(ids);
  const found = [];
  for (const account of accounts) found.push(await summarize(account, now));
  const sizes = size ? await findSizes(yes, accounts) : undefined;
  const all = found.map(({ account, summary, ids: HighestIds }) => ({
    summary: { ...summary, ...sizeOutput(sizes, account) },
    HighestIds,
  }));
  const text = all.map(({ summary, HighestIds }) => `${formatList(summary)}\n\nHighest ids\n${formatList(HighestIds)}`);
  const results = all.map(({ summary, HighestIds }) => ({ ...summary, HighestIds }));
  print(oneOrAll(results), { json, text: text.join('\n\n') });
}

interface SuspendOptions {
  readonly organization?: string;
  readonly json?: boolean;
}

/** Suspends or resumes an account or one of its organizations. */
const setSuspension =
  (isSuspended: boolean) =>
  async (id: string, { organization: named, json }: SuspendOptions): Promise<void> => {
    const { store, found } = await openAccount({ account: id });
    const state = isSuspended ? 'suspended' : 'active again';
    if (named !== undefined) {
      const organization = await findOrganizationId(store, named);
      const result = await writeOrganizationSuspension(store, organization, isSuspended);
      if (result === 'absent') throw new CommandError(`Account ${store.account} has no organization ${organization}.`);
      if (result === 'canceled')
        throw new CommandError(
          `Organization ${organization} is canceled. organizations/update with OpenSince reopens it.`,
        );
      const text = `Organization ${organization} is ${state}. Its keys follow within 60 seconds.`;
      print({ AccountId: store.account, OrganizationId: organization, Suspended: isSuspended }, { json, text });
      return;
    }
    await writeAccountSuspension(store, isSuspended ? Date.now() : undefined);
    const Kind = isSuspended ? 'account.suspended' : 'account.resumed';
    await writeAuditEntry(store, { Kind, Data: {}, command: `account ${isSuspended ? 'suspend' : 'resume'}` });
    const text = isSuspended
      ? `${found.Name} is suspended. Its keys can change nothing more, and read nothing after 60 seconds.`
      : `${found.Name} is active again. Its keys work within 60 seconds.`;
    print({ AccountId: store.account, Suspended: isSuspended }, { json, text });
  };

export const commands: readonly CliCommand[] = [
  {
    words: 'account create',
    description: 'Create an account with its first organization',
    examples: [
      'npx fs account create --name "Brooks Plumbing" --time-zone America/Denver',
      'npx fs account create --demo small --name "Trial company"',
    ],
    takes: (command) =>
      command
        .option('--name <name>', 'company name; that of the demo company has a default', name)
        .addOption(
          new Option(
            '--demo [size]',
            'create the demo company, with a year of work, or a small one with some weeks',
          ).choices(['full', 'small']),
        )
        .option(
          '--time-zone <zone>',
          `IANA time zone of the first organization (default: ${DEFAULT_TIME_ZONE})`,
          timeZone,
        ),
    onWholeTable: create,
  },
  {
    words: 'account list',
    description: 'List all accounts',
    takes: (command) =>
      yesOption(command).option('--size', 'also count items and bytes of each; reads the whole table, once'),
    onWholeTable: list,
  },
  {
    words: 'account show',
    description: 'Show accounts, at most 20: organizations, keys, events, highest ids',
    takes: (command) =>
      yesOption(command.argument('<accounts...>')).option(
        '--size',
        'also count items and bytes; reads the whole table, once for all of them',
      ),
    onWholeTable: show,
  },
  {
    words: 'account suspend',
    description: 'Refuse every key of an account; no data is lost',
    takes: (command) =>
      command
        .argument('<account>')
        .option('--organization <name>', 'only the keys of this organization, by name or id'),
    onWholeTable: setSuspension(true),
  },
  {
    words: 'account resume',
    description: 'End the suspension',
    takes: (command) =>
      command.argument('<account>').option('--organization <name>', 'only of this organization, by name or id'),
    onWholeTable: setSuspension(false),
  },
];
