import type { Account } from '../../../lib/entities/accounts.ts';
import type { ApiKeyRecord } from '../../../lib/entities/api-keys.ts';
import { type Command, Option } from 'commander';
import { SECOND } from '../../../lib/shared/time/time.ts';
import {
  findAllAccounts,
  listAccounts,
  listHighestIds,
  type AccountSize,
  measureAccounts,
  writeAccountSuspension,
} from '../../../lib/store/administration/account-administration.ts';
import {
  type RemovalReport,
  removeAccounts,
  waitBeforeRemoval,
} from '../../../lib/store/administration/account-removal.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { CURRENT_SCHEMA } from '../../../lib/store/accounts/schema.ts';
import { listKeys } from '../../../lib/store/requests/api-keys.ts';
import { findQueue, findRetentionDays, writeRetention } from '../../../lib/store/events/events.ts';
import { migrateAccount } from '../../../lib/store/administration/migrations.ts';
import { writeOrganizationSuspension } from '../../../lib/store/organizations/organizations.ts';
import { writeAuditEntry } from '../../../lib/store/requests/audit.ts';
import { findRetention, writeRetentionRules } from '../../../lib/store/accounts/retention.ts';
import { removeParkedRecords } from '../../../lib/workflows/parked-records.ts';
import { removeUploadedFiles } from '../../../lib/workflows/uploads/remove-uploads.ts';
import type { DemoSize } from '../demo/create-demo.ts';
import { examples } from '../examples.ts';
import { findOrganizationId } from '../named-records.ts';
import { CommandError, UsageError, formatList, formatTable, print } from '../output.ts';
import { accountIds, findPassCost, openTablePass, resumeOption, yesOption } from '../table-pass.ts';
import { jsonOption } from '../options.ts';
import { openAccount, openTarget, openTargetFiles, targetName } from '../target.ts';
import { type DaysOrNever, daysOrNever, name, timeZone, wholeNumber, repeated } from '../values.ts';
import { accountStore } from '../../../lib/store/store.ts';

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
const oneOrAll = <Result>(results: readonly Result[]): Result | readonly Result[] =>
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

const REMOVAL_COST =
  'Deleting makes a second pass, for what was written during the first, and 1 write unit for each KB that it removes.';

interface RemoveOptions {
  /** Account names that confirm the deletion. */
  readonly yes?: readonly string[];
  readonly resume?: string;
  readonly json?: boolean;
}

/** Throws unless the account may be deleted now. */
function requireRemovable(found: Account): void {
  const wait = waitBeforeRemoval(found, new Date());
  if (wait === undefined)
    throw new CommandError(`${found.Name} is in use. Suspend it first: account suspend ${found.AccountId}.`);
  if (wait > 0)
    throw new CommandError(`Calls may still be under way. Try again in ${Math.ceil(wait / SECOND)} seconds.`);
}

async function remove(ids: readonly string[], { yes = [], resume, json }: RemoveOptions): Promise<void> {
  const accounts = accountIds(ids);
  const names = new Map<string, string>();
  for (const account of accounts) {
    const { found } = await openAccount({ account });
    requireRemovable(found);
    names.set(account, found.Name);
  }
  const unconfirmed = [...names.values()].filter((name) => !yes.includes(name));
  if (unconfirmed.length)
    throw new CommandError(
      `This deletes all data of ${unconfirmed.join(', ')} for good. ${await findPassCost(REMOVAL_COST)}` +
        `To confirm, give ${unconfirmed.length > 1 ? 'their names' : 'its name'}: ` +
        `${unconfirmed.map((name) => `--yes ${JSON.stringify(name)}`).join(' ')}.`,
    );
  const files = openTargetFiles();
  const purpose = ['delete', targetName(), accounts];
  const pass = await openTablePass({ yes: true, beside: REMOVAL_COST, resume, purpose });
  const removedFiles = new Map<string, { Parked: number; Files: number }>();
  const { segments, checkpoint } = pass;
  const reports = await removeAccounts(openTarget(), pass.scan, accounts, {
    now: new Date(),
    segments,
    checkpoint,
    async removeFiles(account) {
      if (!files) return;
      const Parked = await removeParkedRecords(files, account);
      removedFiles.set(account, { Parked, Files: await removeUploadedFiles(files, account) });
    },
    onPass: pass.restart,
  });
  pass.end();
  const toResult = ({ account, keys: Keys, items: Items, records: Records }: RemovalReport) => {
    const { Parked, Files } = removedFiles.get(account) ?? { Parked: 0, Files: 0 };
    return { AccountId: account, Name: names.get(account) ?? '', Keys, Items, Parked, Files, Records };
  };
  const results = reports.map(toResult);
  const text = results.map(({ Name, Items, Keys, Records }) => {
    const records = Object.keys(Records).length ? `\n${formatList(Records)}` : '';
    return `${Name} is deleted: ${Items} items and ${Keys} keys.${records}`;
  });
  print(oneOrAll(results), { json, text: text.join('\n') });
}

interface RetentionOptions {
  readonly calls?: DaysOrNever;
  readonly notes?: DaysOrNever;
  readonly files?: DaysOrNever;
  readonly events?: number;
  readonly json?: boolean;
}

/** An absent option keeps its rule; `never` removes it. */
const ruleOf = (option: DaysOrNever | undefined, before: number | undefined): number | undefined =>
  option === undefined ? before : option === 'never' ? undefined : option;

async function retention(id: string, { calls, notes, files, events, json }: RetentionOptions): Promise<void> {
  const { store } = await openAccount({ account: id });
  const before = await findRetention(store);
  const rules = {
    CallDays: ruleOf(calls, before.CallDays),
    NoteDays: ruleOf(notes, before.NoteDays),
    FileDays: ruleOf(files, before.FileDays),
  };
  if (calls !== undefined || notes !== undefined || files !== undefined) await writeRetentionRules(store, rules);
  if (events !== undefined) await writeRetention(store, events);
  if ([calls, notes, files, events].some((rule) => rule !== undefined))
    await writeAuditEntry(store, {
      Kind: 'account.retention',
      Data: { Before: { ...before }, After: { ...rules, EventDays: events } },
      command: 'account retention',
    });
  const current = {
    AccountId: store.account,
    CallDays: rules.CallDays ?? null,
    NoteDays: rules.NoteDays ?? null,
    FileDays: rules.FileDays ?? null,
    EventDays: await findRetentionDays(store),
  };
  const lines = Object.entries(current).map(([field, days]) => [field, days ?? 'kept for good']);
  print(current, { json, text: formatList(Object.fromEntries(lines) as Record<string, string | number>) });
}

/** Reads the whole table, because accounts of schema 1 are in no list. */
async function findEveryAccount(yes: boolean): Promise<string[]> {
  const pass = await openTablePass({ yes });
  const accounts = await findAllAccounts(pass.scan);
  pass.end();
  return accounts;
}

async function migrate(
  id: string | undefined,
  { yes = false, json }: { yes?: boolean; json?: boolean },
): Promise<void> {
  const table = openTarget();
  const accounts = id ? [id] : await findEveryAccount(yes);
  const results = [];
  for (const account of accounts) {
    const result = await migrateAccount(accountStore(table, account));
    if (result.kind === 'absent') throw new CommandError(`Account ${account} not found.`);
    if (result.kind === 'refused') throw new CommandError(result.message);
    const from = result.kind === 'migrated' ? result.from : CURRENT_SCHEMA;
    results.push({
      AccountId: account,
      From: from,
      To: CURRENT_SCHEMA,
      Items: result.kind === 'migrated' ? result.items : 0,
    });
  }
  print(results, { json, text: results.length ? formatTable(results) : 'No accounts.' });
}

/** `account create`, `list`, `show`, `suspend`, `resume`, `delete`, `retention`, `migrate`. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('Create, list, suspend, migrate and delete accounts');
  examples(
    jsonOption(account.command('create')),
    'npx fs account create --name "Brooks Plumbing" --time-zone America/Denver',
    'npx fs account create --demo small --name "Trial company"',
  )
    .description('Create an account with its first organization')
    .option('--name <name>', 'company name; that of the demo company has a default', name)
    .addOption(
      new Option(
        '--demo [size]',
        'create the demo company, with a year of work, or a small one with some weeks',
      ).choices(['full', 'small']),
    )
    .option('--time-zone <zone>', `IANA time zone of the first organization (default: ${DEFAULT_TIME_ZONE})`, timeZone)
    .action(create);
  const command = (usage: string, description: string) => jsonOption(account.command(usage)).description(description);
  yesOption(command('list', 'List all accounts'))
    .option('--size', 'also count items and bytes of each; reads the whole table, once')
    .action(list);
  yesOption(command('show <accounts...>', 'Show accounts, at most 20: organizations, keys, events, highest ids'))
    .option('--size', 'also count items and bytes; reads the whole table, once for all of them')
    .action(show);
  command('suspend <account>', 'Refuse every key of an account; no data is lost')
    .option('--organization <name>', 'only the keys of this organization, by name or id')
    .action(setSuspension(true));
  command('resume <account>', 'End the suspension')
    .option('--organization <name>', 'only of this organization, by name or id')
    .action(setSuspension(false));
  resumeOption(
    command(
      'delete <accounts...>',
      'Delete suspended accounts, at most 20, with all their data, for good; reads the whole table, twice',
    ),
  )
    .option('--yes <name>', 'the name of an account, to confirm; once for each', repeated)
    .action(remove);
  command('retention <account>', 'Show or set for how many days an account keeps calls, notes, files and events')
    .option('--calls <days>', 'remove older calls and their notes; never keeps them', daysOrNever)
    .option('--notes <days>', 'remove older notes of contacts', daysOrNever)
    .option('--files <days>', 'remove older uploaded files', daysOrNever)
    .option('--events <days>', 'events queued from now on, 1 to 90', wholeNumber(1, 90))
    .action(retention);
  yesOption(
    command(
      'migrate [account]',
      'Bring accounts of earlier versions into the form of this one (default: all accounts; reads the whole table)',
    ),
  ).action(migrate);
}
