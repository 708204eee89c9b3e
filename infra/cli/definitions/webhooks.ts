import { type Command, InvalidArgumentError, Option } from 'commander';
import { adviceForKind } from '../../../lib/domain/callbacks/webhook.ts';
import type { Webhook } from '../../../lib/resources/webhooks.ts';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { ReportedError, formatList, formatTable, print } from '../output.ts';
import type { RemoteOptions } from '../remote/profile.ts';
import { duration, recordId } from '../values.ts';

export interface WebhookOptions extends RemoteOptions {
  readonly account?: string;
  readonly json?: boolean;
}

export interface ContentOptions {
  readonly url: string;
  readonly kinds: readonly string[];
}

/** What the commands do, on the table or over HTTP. */
export interface WebhookActions {
  create(options: ContentOptions & WebhookOptions): Promise<void>;
  list(options: WebhookOptions): Promise<void>;
  update(id: number, options: Partial<ContentOptions> & WebhookOptions): Promise<void>;
  remove(id: number, options: WebhookOptions): Promise<void>;
  enable(id: number, options: WebhookOptions): Promise<void>;
  /** Without an id the secret of the account. */
  rotate(id: number | undefined, options: WebhookOptions & { readonly grace: number }): Promise<void>;
  test(id: number, options: WebhookOptions): Promise<void>;
}

const toRow = (webhook: Webhook) => ({ ...webhook, Kinds: webhook.Kinds.join(',') });
const secretNote = 'It is shown only once. docs/guides/webhooks.md says how to verify a call with it.';

type Json = boolean | undefined;

/** What the commands print. */
export const printed = {
  created(webhook: Webhook, secret: string, json: Json): void {
    const text = `${formatList(toRow(webhook))}\n\nSecret: ${secret}\n${secretNote}`;
    print({ ...webhook, Secret: secret }, { json, text });
  },
  webhook(webhook: Webhook, json: Json): void {
    print(webhook, { json, text: formatList(toRow(webhook)) });
  },
  list(webhooks: readonly Webhook[], json: Json): void {
    const text = webhooks.length ? formatTable(webhooks.map(toRow)) : 'The account has no webhooks.';
    print(webhooks, { json, text });
  },
  removed(id: number, json: Json): void {
    print({ Id: id, Deleted: true }, { json, text: `Webhook ${id} is deleted; its waiting callbacks are given up.` });
  },
  rotated(Secret: string, PreviousValidUntil: string, json: Json): void {
    const previous = `Calls are signed with the previous secret too until ${PreviousValidUntil}.`;
    print({ Secret, PreviousValidUntil }, { json, text: `Secret: ${Secret}\n${secretNote}\n${previous}` });
  },
  tested(answer: { Status: number | null; Reason: string; Milliseconds: number }, json: Json): void {
    print(answer, { json, text: formatList(answer) });
    const { Status } = answer;
    if (Status === null || Status < 200 || Status > 299) throw new ReportedError();
  },
};

/** `appointment.booked,proposal.*` or `*`. */
function parseKinds(text: string): string[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  for (const kind of kinds) {
    const advice = adviceForKind(kind);
    if (advice) throw new InvalidArgumentError(`There is no kind ${JSON.stringify(kind)}. ${advice}`);
  }
  return kinds;
}

/** `webhook create`, `list`, `update`, `delete`, `enable`, `rotate-secret`, `test`. */
export function defineWebhooks(
  program: Command,
  actions: WebhookActions,
  targetOptions: (command: Command) => Command,
): Command {
  const webhook = program
    .command('webhook')
    .alias('webhooks')
    .description('Manage addresses that are called with events');
  const urlOption = ['--url <url>', 'https address of the public internet'] as const;
  const kindsOption = ['--kinds <kinds>', 'kinds of events: appointment.booked,proposal.* or *', parseKinds] as const;
  const command = (name: string): Command => jsonOption(targetOptions(webhook.command(name)));
  examples(
    command('create'),
    "npx fs webhook create --url https://hooks.example.com/fs --kinds 'appointment.*,proposal.accepted'",
  )
    .description('Have an address called with events, signed as Standard Webhooks says')
    .requiredOption(...urlOption)
    .requiredOption(...kindsOption)
    .action(actions.create);
  command('list').description('List webhooks, and why one is disabled').action(actions.list);
  command('update')
    .description('Change the address or the kinds of a webhook')
    .argument('<id>', 'its Id', recordId)
    .option(...urlOption)
    .option(...kindsOption)
    .action(actions.update);
  command('delete').description('Delete a webhook').argument('<id>', 'its Id', recordId).action(actions.remove);
  command('enable')
    .description('Have a webhook called again that was disabled by 410')
    .argument('<id>', 'its Id', recordId)
    .action(actions.enable);
  command('rotate-secret')
    .description('Show a new secret of a webhook; the one before stays valid for a time')
    .argument('[id]', 'its Id; without it the secret of the account, for addresses of records', recordId)
    .addOption(
      new Option('--grace <duration>', 'how long callbacks are signed with both (24h, 7d)')
        .argParser(duration)
        .default(duration('24h'), '24h'),
    )
    .action(actions.rotate);
  command('test')
    .description('Call a webhook once, now, with an event of the kind webhook.test')
    .argument('<id>', 'its Id', recordId)
    .action(actions.test);
  return webhook;
}
