import { type Command, InvalidArgumentError, Option } from 'commander';
import { adviceForKind } from '../../../lib/domain/callbacks/webhook.ts';
import { pausedReason } from '../../../lib/domain/callbacks/targets.ts';
import type { Webhook, WebhookCall } from '../../../lib/resources/webhooks.ts';
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

/** The commands' actions, on the table or over HTTP. */
export interface WebhookActions {
  create(options: ContentOptions & WebhookOptions): Promise<void>;
  list(options: WebhookOptions): Promise<void>;
  update(id: number, options: Partial<ContentOptions> & WebhookOptions): Promise<void>;
  remove(id: number, options: WebhookOptions): Promise<void>;
  enable(id: number, options: WebhookOptions): Promise<void>;
  pause(id: number, options: WebhookOptions): Promise<void>;
  /** Resumes calls to a paused webhook, including the kept ones. */
  resume(id: number, options: WebhookOptions): Promise<void>;
  /** Without an id, rotates the account's secret. */
  rotate(id: number | undefined, options: WebhookOptions & { readonly grace: number }): Promise<void>;
  test(id: number, options: WebhookOptions): Promise<void>;
}

type Call = Pick<WebhookCall, 'WebhookId' | 'State' | 'Reason'>;

/** `webhook list` counts failed calls among this many of the newest events. */
export const LISTED_EVENTS = 500;

/** Whether a call was kept while its webhook was paused; resuming makes it. */
export const isKept = ({ WebhookId, State, Reason }: Call): boolean =>
  State === 'dead' && WebhookId !== null && Reason === pausedReason(WebhookId);

/** A webhook with what the newest calls show about its receiver. `calls` has the newest first. */
function withFailures(webhook: Webhook, calls: readonly Call[]) {
  const own = calls.filter(({ WebhookId }) => WebhookId === webhook.Id);
  const failed = own.filter((call) => call.Reason !== '' && call.State !== 'delivered' && !isKept(call));
  return {
    ...webhook,
    Failing: failed.filter(({ State }) => State === 'waiting').length,
    GivenUp: failed.filter(({ State }) => State === 'dead').length,
    Kept: own.filter(isKept).length,
    LastFailure: failed[0]?.Reason ?? '',
  };
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
  list(webhooks: readonly Webhook[], calls: readonly Call[], json: Json): void {
    const rows = webhooks.map((webhook) => withFailures(webhook, calls));
    const text = rows.length ? formatTable(rows.map(toRow)) : 'The account has no webhooks.';
    print(rows, { json, text });
  },
  resumed(webhook: Webhook, made: number, json: Json): void {
    const calls = `${made} ${made === 1 ? 'call that was kept is' : 'calls that were kept are'} made now.`;
    print({ ...webhook, Made: made }, { json, text: `${formatList(toRow(webhook))}\n\n${calls}` });
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

/** `webhook create`, `list`, `update`, `delete`, `enable`, `pause`, `resume`, `rotate-secret`, `test`. */
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
  command('list')
    .description('List webhooks: which are disabled or paused, and whose calls fail')
    .addHelpText('after', `\nFailing, GivenUp and Kept count calls of the newest ${LISTED_EVENTS} events.`)
    .action(actions.list);
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
  command('pause')
    .description('Keep the calls of a webhook, for 30 days, until it is resumed')
    .argument('<id>', 'its Id', recordId)
    .action(actions.pause);
  command('resume')
    .description('Have a paused webhook called again, with the calls that were kept')
    .argument('<id>', 'its Id', recordId)
    .action(actions.resume);
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
