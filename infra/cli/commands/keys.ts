import { DEFAULT_IN_FLIGHT } from '../../../lib/entities/api-keys.ts';
import type { ApiKeyRecord } from '../../../lib/entities/api-keys.ts';
import { type Command, Option } from 'commander';
import { createKey, listKeys, parseKey, revokeKey, rotateKey } from '../../../lib/store/requests/api-keys.ts';
import { type DateStyle, type Role, roles } from '../../../lib/store/requests/caller.ts';
import { examples } from '../examples.ts';
import { findNamedAgent, findOrganizationId } from '../named-records.ts';
import { CommandError, UsageError, formatList, formatTable, print } from '../output.ts';
import { type AccountOption, accountOption, jsonOption, openAccount } from '../target.ts';
import { dateStyle, duration, expiry, name, role, wholeNumber } from '../values.ts';

interface KeyOptions extends AccountOption {
  readonly json?: boolean;
}

interface CreateOptions extends KeyOptions {
  readonly organization?: string;
  readonly agent?: string;
  readonly role: Role;
  readonly name: string;
  readonly expires?: number;
  readonly rate: number;
  readonly inFlight: number;
  readonly subscriber: string;
  readonly dateStyle: DateStyle;
}

const formatMoment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A key as `--json` prints it; its field names never change. */
const toOutput = (record: ApiKeyRecord) => ({
  Public: record.Public,
  Name: record.Name,
  Role: record.Role,
  AccountId: record.Account,
  OrganizationId: record.OrganizationId,
  AgentId: record.AgentId,
  CreatedAt: formatMoment(record.CreatedAt),
  ExpiresAt: formatMoment(record.ExpiresAt),
  RevokedAt: formatMoment(record.RevokedAt),
  ReplacedBy: record.ReplacedBy ?? null,
  Rate: record.Rate,
  Burst: record.Burst,
  InFlight: record.InFlight,
  Subscriber: record.Subscriber,
  DateStyle: record.DateStyle,
});

/** An account that may get keys: a suspended one has none that works. */
async function openActiveAccount(options: AccountOption) {
  const opened = await openAccount(options);
  if (opened.found.SuspendedAt !== undefined)
    throw new CommandError(
      `Account ${opened.account} is suspended. Resume it first: account resume ${opened.account}.`,
    );
  return opened;
}

const SAVE_HINT = 'Save the key now: it is not shown again.';

/** Whose key it is: the organization and the service agent that the options name. */
async function ownerOf(
  { role: ofRole, organization, agent }: CreateOptions,
  { table, account }: Awaited<ReturnType<typeof openActiveAccount>>,
): Promise<{ readonly organizationId: number | null; readonly agentId: number | null }> {
  const organizationId = organization === undefined ? null : await findOrganizationId(table, account, organization);
  if (agent === undefined) return { organizationId, agentId: null };
  if (ofRole !== 'ServiceAgent') throw new UsageError('--agent needs --role ServiceAgent.');
  const { Id, OrganizationId } = await findNamedAgent(table, account, agent);
  if (organizationId !== null && organizationId !== OrganizationId)
    throw new CommandError(`Service agent ${Id} belongs to organization ${OrganizationId}.`);
  return { organizationId: OrganizationId, agentId: Id };
}

async function create({ json, ...options }: CreateOptions): Promise<void> {
  const opened = await openActiveAccount(options);
  const { table, account } = opened;
  const { expires = null, role, name, rate, inFlight, subscriber, dateStyle } = options;
  const { key, record } = await createKey(table, {
    accountId: account,
    ...(await ownerOf(options, opened)),
    expiresAt: expires,
    role,
    name,
    rate,
    inFlight,
    subscriber,
    dateStyle,
    now: new Date(),
  });
  const created = { Key: key, ...toOutput(record) };
  print(created, { json, text: `${formatList(created)}\n\n${SAVE_HINT}` });
}

function describeState({ RevokedAt, ExpiresAt, ReplacedBy }: ApiKeyRecord, now: number): string {
  if (RevokedAt !== null && RevokedAt <= now) return 'revoked';
  if (ExpiresAt !== null && ExpiresAt <= now) return 'expired';
  return ReplacedBy ? `until ${formatMoment(ExpiresAt)}` : 'active';
}

async function list({ json, ...options }: KeyOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const keys = (await listKeys(table, account)).map((record) => ({
    ...toOutput(record),
    LastUsed: record.LastUsed || null,
    State: describeState(record, Date.now()),
  }));
  const rows = keys.map(({ Public, Name, Role, OrganizationId, Rate, InFlight, State, ExpiresAt, LastUsed }) => ({
    Public,
    Name,
    Role,
    Organization: OrganizationId,
    Rate,
    'In flight': InFlight,
    State,
    Expires: ExpiresAt?.slice(0, 10) ?? null,
    'Last used': LastUsed,
  }));
  print(keys, { json, text: keys.length ? formatTable(rows) : `Account ${account} has no keys.` });
}

/** Takes the public part, or a whole key that somebody pasted. */
const parsePublicPart = (text: string): string => parseKey(text)?.publicPart ?? text;

interface RotateOptions extends KeyOptions {
  readonly grace: number;
  readonly expires?: number;
}

async function rotate(text: string, { json, grace, expires, ...options }: RotateOptions): Promise<void> {
  const { table, account } = await openActiveAccount(options);
  const publicPart = parsePublicPart(text);
  const result = await rotateKey(table, {
    account,
    publicPart,
    grace,
    now: new Date(),
    ...(expires ? { expiresAt: expires } : {}),
  });
  switch (result.kind) {
    case 'absent':
      throw new CommandError(`Account ${account} has no key ${publicPart}.`);
    case 'ended':
      throw new CommandError(`Key ${publicPart} is expired or revoked. Create a new one with key create.`);
    case 'replaced':
      throw new CommandError(`Key ${publicPart} is already replaced by ${result.by}. Rotate that one.`);
    case 'rotated': {
      const endsAt = formatMoment(result.endsAt);
      const rotated = { Key: result.key, ...toOutput(result.record), Replaces: publicPart, ReplacedEndsAt: endsAt };
      print(rotated, { json, text: `${formatList(rotated)}\n\n${SAVE_HINT} The old key works until ${endsAt}.` });
    }
  }
}

async function revoke(text: string, { json, ...options }: KeyOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const publicPart = parsePublicPart(text);
  const record = await revokeKey(table, { account, publicPart, now: new Date() });
  if (!record) throw new CommandError(`Account ${account} has no key ${publicPart}.`);
  print(toOutput(record), {
    json,
    text: `Key ${publicPart} is revoked. It stops working everywhere within 60 seconds.`,
  });
}

/** `key create`, `list`, `rotate`, `revoke`. */
export function keyCommands(program: Command): void {
  const key = program.command('key').description('Create, list, rotate and revoke API keys');
  const command = (usage: string, description: string) =>
    jsonOption(accountOption(key.command(usage))).description(description);
  examples(
    command('create', 'Create a key and show it once'),
    'npx fs key create --role Owner --name "back office"',
    'npx fs key create --role Office --name "call centre" --organization 1 --expires 365d',
    'npx fs key create --role ServiceAgent --name "phone of Ana" --agent "Ana Ruiz"',
  )
    .requiredOption('--role <role>', `role: ${roles.join(', ')}`, role)
    .requiredOption('--name <name>', 'name of the program or person that uses the key', name)
    .option('--organization <name>', 'limit the key to one organization, by name or id')
    .option('--agent <name>', 'limit a key of role ServiceAgent to one service agent, by name or id')
    .option('--expires <when>', 'last day (2027-01-31) or lifetime (30d)', (text) => expiry(text))
    .option('--rate <n>', 'calls a second; bursts may be twice as large', wholeNumber(1, 10_000), 50)
    .option('--in-flight <n>', 'calls that may run at the same time', wholeNumber(1, 10_000), DEFAULT_IN_FLIGHT)
    .option('--subscriber <name>', 'subscriber whose position in the event queue the key moves', name, 'default')
    .option('--date-style <style>', 'format of moments in answers: iso or us', dateStyle, 'iso')
    .action(create);
  command('list', 'List the keys of an account').action(list);
  command('rotate <public>', 'Create a key with the same rights; the old one ends after a grace period')
    .addOption(
      new Option('--grace <duration>', 'how long the old key still works (24h, 90m)')
        .argParser(duration)
        .default(duration('24h'), '24h'),
    )
    .option('--expires <when>', 'end of the new key (default: as the old one)', (text) => expiry(text))
    .action(rotate);
  command('revoke <public>', 'End a key now').action(revoke);
}
