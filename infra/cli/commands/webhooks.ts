import { type Command, InvalidArgumentError } from 'commander';
import { MAX_WEBHOOKS, type Webhook } from '../../../lib/domain/callbacks/webhook.ts';
import { eventKinds } from '../../../lib/resources/event-kinds.ts';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import { parseCallbackAddress } from '../../../lib/shared/web/web-addresses.ts';
import { DAY } from '../../../lib/shared/time/time.ts';
import {
  findCallbackSecret,
  listWebhooks,
  secretsAt,
  writeNextSecret,
  writeSecretShown,
  writeWebhook,
  writeWebhookEnabled,
  writeWebhookRemoval,
} from '../../../lib/store/events/webhooks.ts';
import { examples } from '../examples.ts';
import { CommandError, formatList, formatTable, print } from '../output.ts';
import {
  type AccountOption,
  accountOption,
  isLocalTarget,
  jsonOption,
  openAccount,
  openCallbackKey,
} from '../target.ts';
import { duration, recordId } from '../values.ts';

interface WebhookOptions extends AccountOption {
  readonly json?: boolean;
}

interface CreateOptions extends WebhookOptions {
  readonly url: string;
  readonly kinds: readonly string[];
}

const toOutput = ({ Id, Url, Kinds, Created, Disabled }: Webhook) => ({
  Id,
  Url,
  Kinds,
  CreatedAt: new Date(Created).toISOString(),
  DisabledAt: Disabled && new Date(Disabled.At).toISOString(),
  DisabledReason: Disabled?.Reason ?? '',
});

const toRow = (webhook: Webhook) => ({ ...toOutput(webhook), Kinds: webhook.Kinds.join(',') });

/** What a webhook may be called with: each kind, all of one record, or all. */
const knownKinds = (): string[] => [
  '*',
  ...Object.keys(eventKinds).map((noun) => `${noun}.*`),
  ...Object.values(eventKinds).flat(),
];

/** `appointment.booked,proposal.*` or `*`. */
function parseKinds(text: string): string[] {
  const kinds = [...new Set(text.split(',').map((kind) => kind.trim()))];
  const known = knownKinds();
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown !== undefined) {
    const advice =
      didYouMean(unknown, known) ||
      `Write kinds like appointment.booked, proposal.* or *; they begin with ${Object.keys(eventKinds).join(', ')}.`;
    throw new InvalidArgumentError(`There is no kind ${JSON.stringify(unknown)}. ${advice}`);
  }
  return kinds;
}

const secretNote = 'It is shown only once. It signs all callbacks of the account; README.md says how to verify them.';

async function create({ url, kinds, json, ...options }: CreateOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const key = await openCallbackKey();
  const parsed = parseCallbackAddress(url, { allowLoopback: isLocalTarget() });
  if (!parsed.ok) throw new CommandError(`The URL ${parsed.error}.`);
  const existing = await listWebhooks(table, account);
  if (existing.length >= MAX_WEBHOOKS)
    throw new CommandError(`The account has ${MAX_WEBHOOKS} webhooks, the most there can be. Delete one first.`);
  const now = new Date();
  const webhook = await writeWebhook(table, account, { Url: parsed.address, Kinds: kinds }, now);
  const secret = await findCallbackSecret(table, account);
  const [value = ''] = secretsAt(key, account, secret, now.getTime());
  await writeSecretShown(table, account);
  const newSecret = secret.isShown ? null : value;
  const text = newSecret
    ? `Secret: ${newSecret}\n${secretNote}`
    : 'It is signed with the secret of the account, which was shown before: webhook rotate-secret replaces it.';
  print({ ...toOutput(webhook), Secret: newSecret }, { json, text: `${formatList(toRow(webhook))}\n\n${text}` });
}

async function list({ json, ...options }: WebhookOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const webhooks = await listWebhooks(table, account);
  const text = webhooks.length ? formatTable(webhooks.map(toRow)) : 'The account has no webhooks.';
  print(webhooks.map(toOutput), { json, text });
}

async function remove(id: number, { json, ...options }: WebhookOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  if (!(await listWebhooks(table, account)).some(({ Id }) => Id === id))
    throw new CommandError(`Webhook ${id} not found.`);
  await writeWebhookRemoval(table, account, id);
  print({ Id: id, Deleted: true }, { json, text: `Webhook ${id} is deleted; its waiting callbacks are given up.` });
}

async function enable(id: number, { json, ...options }: WebhookOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const webhook = (await listWebhooks(table, account)).find(({ Id }) => Id === id);
  if (!webhook) throw new CommandError(`Webhook ${id} not found.`);
  await writeWebhookEnabled(table, account, id);
  const enabled = { ...webhook, Disabled: null };
  print(toOutput(enabled), { json, text: formatList(toRow(enabled)) });
}

async function rotateSecret({ grace, json, ...options }: WebhookOptions & { grace: number }): Promise<void> {
  const { table, account } = await openAccount(options);
  const key = await openCallbackKey();
  const now = Date.now();
  const next = await writeNextSecret(table, account, await findCallbackSecret(table, account), now + grace);
  const [Secret = ''] = secretsAt(key, account, next, now);
  const PreviousValidUntil = new Date(next.previousUntil).toISOString();
  const previous = `Callbacks are signed with the previous secret too until ${PreviousValidUntil}.`;
  const text = `Secret: ${Secret}\n${secretNote}\n${previous}`;
  print({ Secret, PreviousValidUntil }, { json, text });
}

/** `webhook create`, `list`, `delete`, `enable`, `rotate-secret`. */
export function webhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('Manage addresses that are called with events');
  examples(
    jsonOption(accountOption(webhook.command('create'))),
    "npx fs webhook create --url https://hooks.example.com/fs --kinds 'appointment.*,proposal.accepted'",
  )
    .description('Have an address called with events, signed as Standard Webhooks says')
    .requiredOption('--url <url>', 'https address of the public internet')
    .requiredOption('--kinds <kinds>', 'kinds of events: appointment.booked,proposal.* or *', parseKinds)
    .action(create);
  jsonOption(accountOption(webhook.command('list')))
    .description('List webhooks, and why one is disabled')
    .action(list);
  jsonOption(accountOption(webhook.command('delete')))
    .description('Delete a webhook')
    .argument('<id>', 'its Id', recordId)
    .action(remove);
  jsonOption(accountOption(webhook.command('enable')))
    .description('Have a webhook called again that was disabled by 410')
    .argument('<id>', 'its Id', recordId)
    .action(enable);
  jsonOption(accountOption(webhook.command('rotate-secret')))
    .description('Show a new secret of the account; the one before stays valid for a time')
    .option('--grace <duration>', 'how long callbacks are signed with both (24h, 7d)', duration, DAY)
    .action(rotateSecret);
}
