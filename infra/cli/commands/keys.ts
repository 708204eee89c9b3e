import { type ApiKeyRecord, DEFAULT_IN_FLIGHT } from '../../../lib/entities/api-keys.ts';
import { type Command, Option } from 'commander';
import { createKey, listKeys, parseKey, revokeKey, rotateKey } from '../../../lib/store/requests/api-keys.ts';
import { describeEnd, endsSoon } from '../../../lib/domain/api-keys.ts';
import { type Role, roles } from '../../../lib/shared/roles.ts';
import type { DateStyle } from '../../../lib/store/requests/caller.ts';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import type { CliCommand } from '../command.ts';
import { findLeadSource, findNamedAgent, findOrganizationId } from '../named-records.ts';
import { CommandError, UsageError, formatList, formatTable, print } from '../output.ts';
import { isLocalTarget } from '../local-stack.ts';
import type { AccountOption } from '../options.ts';
import { openAccount } from '../target.ts';
import { addressRanges, dateStyle, duration, expiryOrNever, name, role, wholeNumber } from '../values.ts';

interface KeyOptions extends AccountOption {
  readonly json?: boolean;
}

interface CreateOptions extends KeyOptions {
  readonly organization?: string;
  readonly agent?: string;
  readonly role: Role;
  readonly name: string;
  readonly expires: number | 'never';
  readonly allow?: string;
  readonly readOnly?: boolean;
  readonly assistant: ApiKeyRecord['Assistant'];
  readonly from?: readonly string[];
  readonly rate: number;
  readonly inFlight: number;
  readonly subscriber: string;
  readonly dateStyle: DateStyle;
  readonly lenient?: boolean;
  readonly channel?: string;
  readonly campaign?: string;
  readonly feed: ApiKeyRecord['Feed'];
}

const momentOf = (expires: number | 'never'): number | null => (expires === 'never' ? null : expires);

const formatMoment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A key as printed with `--json`; its field names never change. */
const toOutput = (record: ApiKeyRecord) => ({
  Public: record.Public,
  Name: record.Name,
  Role: record.Role,
  AccountId: record.Account,
  OrganizationId: record.OrganizationId,
  AgentId: record.AgentId,
  Allow: record.Allow,
  ReadOnly: record.ReadOnly,
  Assistant: record.Assistant,
  From: record.From,
  CreatedAt: formatMoment(record.CreatedAt),
  ExpiresAt: formatMoment(record.ExpiresAt),
  RevokedAt: formatMoment(record.RevokedAt),
  ReplacedBy: record.ReplacedBy ?? null,
  Rate: record.Rate,
  Burst: record.Burst,
  InFlight: record.InFlight,
  Subscriber: record.Subscriber,
  DateStyle: record.DateStyle,
  Lenient: record.Lenient,
  Channel: record.Channel,
  Campaign: record.Campaign,
  Feed: record.Feed,
});

/** An account for which keys can be created: in a suspended one, no key works. */
async function openActiveAccount(options: AccountOption) {
  const opened = await openAccount(options);
  if (opened.found.SuspendedAt !== undefined)
    throw new CommandError(
      `Account ${opened.store.account} is suspended. Resume it first: account resume ${opened.store.account}.`,
    );
  return opened;
}

/** Operations (`contacts/locate`) and groups (`appointments/*`), separated by commas. */
async function parseOperations(text: string): Promise<string[]> {
  const { groups } = await import('../../../functions/index.ts');
  const names = groups.flatMap(({ operations }) => operations.map(({ name: operation }) => operation));
  const known = new Set(['files/get', ...names, ...names.map((each) => each.replace(/\/.*/, '/*'))]);
  const patterns = text.split(',').map((pattern) => pattern.trim().toLowerCase());
  const unknown = patterns.find((pattern) => !known.has(pattern));
  if (unknown === undefined) return [...new Set(patterns)];
  throw new UsageError(
    `--allow: ${JSON.stringify(unknown)} is no operation and no group. ${didYouMean(unknown, known)}`,
  );
}

const SAVE_HINT = 'Save the key now: it is not shown again.';

/** The organization and the service agent that the options name. */
async function ownerOf(
  { role: ofRole, organization, agent }: CreateOptions,
  { store }: Awaited<ReturnType<typeof openActiveAccount>>,
): Promise<{ readonly organizationId: number | null; readonly agentId: number | null }> {
  const organizationId = organization === undefined ? null : await findOrganizationId(store, organization);
  if (agent === undefined) return { organizationId, agentId: null };
  if (ofRole !== 'ServiceAgent') throw new UsageError('--agent needs --role ServiceAgent.');
  const { Id, OrganizationId } = await findNamedAgent(store, agent);
  if (organizationId !== null && organizationId !== OrganizationId)
    throw new CommandError(`Service agent ${Id} belongs to organization ${OrganizationId}.`);
  return { organizationId: OrganizationId, agentId: Id };
}

/** The channel and campaign that the options name, spelled as in the settings. */
async function leadSourceOf(
  { channel, campaign }: CreateOptions,
  { store }: Awaited<ReturnType<typeof openActiveAccount>>,
): Promise<{ readonly channel: string; readonly campaign: string }> {
  if (channel === undefined && campaign === undefined) return { channel: '', campaign: '' };
  return findLeadSource(store, { channel, campaign });
}

async function create({ json, ...options }: CreateOptions): Promise<void> {
  const opened = await openActiveAccount(options);
  const { store } = opened;
  const { expires, role, name, allow, readOnly, assistant, from, rate, inFlight, subscriber, dateStyle } = options;
  const { lenient = false, feed } = options;
  const { key, record } = await createKey(store, {
    ...(await ownerOf(options, opened)),
    expiresAt: momentOf(expires),
    role,
    name,
    ...(allow === undefined ? {} : { allow: await parseOperations(allow) }),
    ...(readOnly ? { readOnly } : {}),
    assistant,
    ...(from ? { from } : {}),
    isTest: isLocalTarget(),
    rate,
    inFlight,
    subscriber,
    dateStyle,
    lenient,
    ...(await leadSourceOf(options, opened)),
    feed,
    now: new Date(),
  });
  const created = { Key: key, ...toOutput(record) };
  print(created, { json, text: `${formatList(toLines(created))}\n\n${SAVE_HINT}` });
}

function describeState({ RevokedAt, ExpiresAt, ReplacedBy }: ApiKeyRecord, now: number): string {
  if (RevokedAt !== null && RevokedAt <= now) return 'revoked';
  if (ExpiresAt !== null && ExpiresAt <= now) return 'expired';
  return ReplacedBy ? `until ${formatMoment(ExpiresAt)}` : 'active';
}

/** Joins lists to texts. */
const toLines = <Of extends ReturnType<typeof toOutput>>(key: Of) => ({
  ...key,
  Allow: key.Allow.join(', '),
  From: key.From.join(', '),
});

/** `agent 7, read-only, contacts/locate, from 203.0.113.0/24`. */
const describeRestrictions = ({
  AgentId,
  ReadOnly,
  Assistant,
  Allow,
  From,
}: ReturnType<typeof toOutput>): string | null =>
  [
    ...(AgentId === null ? [] : [`agent ${AgentId}`]),
    ...(ReadOnly ? ['read-only'] : []),
    ...(Assistant === 'write' ? ['assistants may write'] : []),
    ...Allow,
    ...From.map((range) => `from ${range}`),
  ].join(', ') || null;

/** The command that replaces a key by one that does not expire. */
const rotation = ({ Public }: ApiKeyRecord): string => `npx fs key rotate ${Public} --expires never`;

async function list({ json, ...options }: KeyOptions): Promise<void> {
  const { store } = await openAccount(options);
  const now = Date.now();
  const records = await listKeys(store);
  const keys = records.map((record) => ({
    ...toOutput(record),
    LastUsed: record.LastUsed || null,
    LastFrom: record.LastFrom || null,
    State: describeState(record, now),
  }));
  const rows = keys.map((key) => ({
    Public: key.Public,
    Name: key.Name,
    Role: key.Role,
    Organization: key.OrganizationId,
    Restricted: describeRestrictions(key),
    Rate: key.Rate,
    'In flight': key.InFlight,
    State: key.State,
    Expires: key.ExpiresAt?.slice(0, 10) ?? null,
    'Last used': key.LastUsed,
    From: key.LastFrom,
  }));
  const notices = records
    .filter((record) => endsSoon(record, now))
    .map((record) => `\nKey ${record.Public} ${describeEnd(record, now)}. Replace it: ${rotation(record)}`);
  const text = keys.length ? [formatTable(rows), ...notices].join('\n') : `Account ${store.account} has no keys.`;
  print(keys, { json, text });
}

/** Accepts the public part, or a whole key that somebody pasted. */
const parsePublicPart = (text: string): string => parseKey(text)?.publicPart ?? text;

interface RotateOptions extends KeyOptions {
  readonly grace: number;
  readonly expires?: number | 'never';
}

async function rotate(text: string, { json, grace, expires, ...options }: RotateOptions): Promise<void> {
  const { store } = await openActiveAccount(options);
  const publicPart = parsePublicPart(text);
  const result = await rotateKey(store, publicPart, {
    grace,
    now: new Date(),
    isTest: isLocalTarget(),
    ...(expires === undefined ? {} : { expiresAt: momentOf(expires) }),
  });
  switch (result.kind) {
    case 'absent':
      throw new CommandError(`Account ${store.account} has no key ${publicPart}.`);
    case 'ended':
      throw new CommandError(`Key ${publicPart} is expired or revoked. Create a new one with key create.`);
    case 'replaced':
      throw new CommandError(`Key ${publicPart} is already replaced by ${result.by}. Rotate that one.`);
    case 'rotated': {
      const endsAt = formatMoment(result.endsAt);
      const rotated = { Key: result.key, ...toOutput(result.record), Replaces: publicPart, ReplacedEndsAt: endsAt };
      print(rotated, {
        json,
        text: `${formatList(toLines(rotated))}\n\n${SAVE_HINT} The old key works until ${endsAt}.`,
      });
    }
  }
}

async function revoke(text: string, { json, ...options }: KeyOptions): Promise<void> {
  const { store } = await openAccount(options);
  const publicPart = parsePublicPart(text);
  const record = await revokeKey(store, publicPart, new Date());
  if (!record) throw new CommandError(`Account ${store.account} has no key ${publicPart}.`);
  print(toOutput(record), {
    json,
    text: `Key ${publicPart} is revoked. It stops working everywhere within 60 seconds.`,
  });
}

/** The limits of a new key, and its name. */
const takesKey = (command: Command): Command =>
  command
    .requiredOption('--role <role>', `role: ${roles.join(', ')}`, role)
    .requiredOption('--name <name>', 'name of the program or person that uses the key', name)
    .option('--organization <name>', 'limit the key to one organization, by name or id')
    .option('--agent <name>', "limit a key of role ServiceAgent to the contacts of one agent's visits, by name or id")
    .option('--allow <operations>', 'limit the key to operations and groups (contacts/locate,task/*)')
    .option('--read-only', 'limit the key to operations that only read')
    .addOption(
      new Option('--assistant <access>', 'what assistants (POST /mcp) may do with the key')
        .choices(['read', 'write'])
        .default('read'),
    )
    .option('--from <ranges>', 'limit the key to addresses (203.0.113.0/24)', addressRanges)
    .addOption(
      new Option('--expires <when>', 'last day (2027-01-31), lifetime (30d) or never')
        .argParser(expiryOrNever)
        .default(expiryOrNever('365d'), 'a year'),
    )
    .option('--rate <n>', 'calls a second; bursts may be twice as large', wholeNumber(1, 10_000), 50)
    .option('--in-flight <n>', 'calls that may run at the same time', wholeNumber(1, 10_000), DEFAULT_IN_FLIGHT)
    .option('--subscriber <name>', 'subscriber whose position in the event queue the key moves', name, 'default')
    .option('--date-style <style>', 'format of moments in answers: iso or us', dateStyle, 'iso')
    .option('--lenient', 'ignore unknown fields and name them in Message, instead of refusing the call')
    .option('--channel <name>', 'channel of new contacts that come without one')
    .option('--campaign <name>', 'campaign of new contacts that come without one')
    .addOption(
      new Option('--feed <shape>', 'shape of events: as documented, or flat as hosted systems send them')
        .choices(['standard', 'flat'])
        .default('standard'),
    );

export const commands: readonly CliCommand[] = [
  {
    words: 'key create',
    description: 'Create a key and show it once',
    examples: [
      'npx fs key create --role Owner --name "back office"',
      'npx fs key create --role Office --name "call centre" --organization 1 --expires 365d',
      'npx fs key create --role ServiceAgent --name "phone of Ana" --agent "Ana Ruiz"',
      'npx fs key create --role Office --name "assistant" --assistant write',
      'npx fs key create --role Office --name "web site" --allow contacts/locate,appointments/* --from 203.0.113.0/24',
    ],
    takes: takesKey,
    onTable: create,
  },
  { words: 'key list', description: 'List the keys of an account', onTable: list },
  {
    words: 'key rotate',
    description: 'Create a key with the same rights; the old one ends after a grace period',
    takes: (command) =>
      command
        .argument('<public>')
        .addOption(
          new Option('--grace <duration>', 'how long the old key still works (24h, 90m)')
            .argParser(duration)
            .default(duration('24h'), '24h'),
        )
        .option('--expires <when>', 'end of the new key, or never (default: as the old one)', expiryOrNever),
    onTable: rotate,
  },
  {
    words: 'key revoke',
    description: 'End a key now',
    takes: (command) => command.argument('<public>'),
    onTable: revoke,
  },
];
