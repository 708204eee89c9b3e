import { type Command, Option } from 'commander';
import { findAccount } from '../../../lib/store/accounts.ts';
import {
  type ApiKeyRecord,
  type DateStyle,
  type Role,
  createKey,
  listKeys,
  parseKey,
  revokeKey,
  roles,
  rotateKey,
} from '../../../lib/store/api-keys.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { findOrganization } from '../../../lib/store/organizations.ts';
import { CommandError, formatList, print, formatTable } from '../output.ts';
import { findAccountId, openTarget } from '../target.ts';
import { dateStyle, duration, expiry, name, role, whole } from '../values.ts';

interface Common {
  readonly account?: string;
  readonly json?: boolean;
}

interface CreateOptions extends Common {
  readonly organization?: number;
  readonly role: Role;
  readonly name: string;
  readonly expires?: number;
  readonly rate: number;
  readonly subscriber: string;
  readonly dateStyle: DateStyle;
}

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A key as this tool shows it; the field names of `--json` stay. */
const shown = ({ Account, ...record }: ApiKeyRecord) => ({
  Public: record.Public,
  Name: record.Name,
  Role: record.Role,
  AccountId: Account,
  OrganizationId: record.OrganizationId,
  CreatedAt: moment(record.CreatedAt),
  ExpiresAt: moment(record.ExpiresAt),
  RevokedAt: moment(record.RevokedAt),
  ReplacedBy: record.ReplacedBy ?? null,
  Rate: record.Rate,
  Burst: record.Burst,
  Subscriber: record.Subscriber,
  DateStyle: record.DateStyle,
});

const ONCE = 'The key is shown this once and never again: keep it now.';

async function existing(table: TableWriter, options: Common): Promise<string> {
  const account = findAccountId(options);
  if (!(await findAccount(table, account))) throw new CommandError(`There is no account ${account}.`);
  return account;
}

async function create({ json, ...options }: CreateOptions): Promise<void> {
  const table = openTarget();
  const accountId = await existing(table, options);
  const organizationId = options.organization ?? null;
  if (organizationId !== null && !(await findOrganization(table, accountId, organizationId))) {
    throw new CommandError(`Account ${accountId} has no organization ${organizationId}.`);
  }
  const { expires: expiresAt = null, role, name, rate, subscriber, dateStyle } = options;
  const { key, record } = await createKey(table, {
    accountId,
    organizationId,
    role,
    name,
    rate,
    subscriber,
    dateStyle,
    expiresAt,
    now: new Date(),
  });
  const made = { Key: key, ...shown(record) };
  print(made, { json, text: `${formatList(made)}\n\n${ONCE}` });
}

function stateOf({ RevokedAt, ExpiresAt, ReplacedBy }: ApiKeyRecord, now: number): string {
  if (RevokedAt !== null && RevokedAt <= now) return 'revoked';
  if (ExpiresAt !== null && ExpiresAt <= now) return 'expired';
  return ReplacedBy ? `until ${moment(ExpiresAt)}` : 'active';
}

async function list({ json, ...options }: Common): Promise<void> {
  const table = openTarget();
  const account = await existing(table, options);
  const keys = (await listKeys(table, account)).map((record) => ({
    ...shown(record),
    LastUsed: record.LastUsed || null,
    State: stateOf(record, Date.now()),
  }));
  const columns = keys.map(({ Public, Name, Role, OrganizationId, State, ExpiresAt, LastUsed }) => ({
    Public,
    Name,
    Role,
    Organization: OrganizationId,
    State,
    Expires: ExpiresAt?.slice(0, 10) ?? null,
    'Last used': LastUsed,
  }));
  print(keys, { json, text: keys.length ? formatTable(columns) : `Account ${account} has no keys.` });
}

/** A pasted whole key is taken for its public part. */
const publicPartOf = (text: string): string => parseKey(text)?.publicPart ?? text;

async function rotate(
  text: string,
  { json, grace, expires, ...options }: Common & { grace: number; expires?: number },
): Promise<void> {
  const table = openTarget();
  const account = findAccountId(options);
  const part = publicPartOf(text);
  const result = await rotateKey(table, {
    account,
    publicPart: part,
    grace,
    now: new Date(),
    ...(expires ? { expiresAt: expires } : {}),
  });
  if (result.kind === 'absent') throw new CommandError(`Account ${account} has no key ${part}.`);
  if (result.kind === 'ended') throw new CommandError(`Key ${part} has ended already: make a new one with key create.`);
  if (result.kind === 'replaced')
    throw new CommandError(`Key ${part} was replaced by ${result.by} already: rotate that one.`);
  const made = { Key: result.key, ...shown(result.record), Replaces: part, ReplacedEndsAt: moment(result.endsAt) };
  print(made, { json, text: `${formatList(made)}\n\n${ONCE} The old one works until ${moment(result.endsAt)}.` });
}

async function revoke(text: string, { json, ...options }: Common): Promise<void> {
  const account = findAccountId(options);
  const part = publicPartOf(text);
  const record = await revokeKey(openTarget(), { account, publicPart: part, now: new Date() });
  if (!record) throw new CommandError(`Account ${account} has no key ${part}.`);
  print(shown(record), { json, text: `Key ${part} is revoked; it stops everywhere within 60 s.` });
}

/** `key create`, `list`, `rotate`, `revoke`. */
export function keyCommands(program: Command): void {
  const key = program.command('key').description('what a program calls the API with');
  const command = (usage: string, description: string) =>
    key
      .command(usage)
      .description(description)
      .option('--account <id>', "the account; the local stack's own unless said otherwise")
      .option('--json', 'answer for machines');
  command('create', 'make a key and show it, this once')
    .requiredOption('--role <role>', `what it may do: ${roles.join(', ')}`, role)
    .requiredOption('--name <name>', 'whose it is', name)
    .option('--organization <id>', 'bind it to one organization', whole(1, 2 ** 31 - 1))
    .option('--expires <when>', 'its last day (2027-01-31), or how long it lives (30d)', (text) => expiry(text))
    .option('--rate <n>', 'calls a second; bursts may be twice that', whole(1, 10_000), 50)
    .option('--subscriber <name>', 'whose place in the event queue it reads from', name, 'default')
    .option('--date-style <style>', 'how text moments are written: iso or us', dateStyle, 'iso')
    .action(create);
  command('list', 'the keys of an account').action(list);
  command('rotate <public>', 'make a new key like this one, which ends after a grace period')
    .addOption(
      new Option('--grace <duration>', 'how long the old one still works (24h, 90m)')
        .argParser(duration)
        .default(duration('24h'), '24h'),
    )
    .option('--expires <when>', 'when the new one ends; as the old one unless said otherwise', (text) => expiry(text))
    .action(rotate);
  command('revoke <public>', 'end a key now').action(revoke);
}
