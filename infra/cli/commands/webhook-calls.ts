import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CallId, formatCallId, parseCallId } from '../../../lib/domain/callbacks/call-id.ts';
import { callToResource } from '../../../lib/domain/callbacks/to-resource.ts';
import type { CallbackRecord } from '../../../lib/entities/webhooks.ts';
import { subscriberEvent } from '../../../lib/events/event-text.ts';
import { toUtc } from '../../../lib/shared/time/time.ts';
import { replayChanges } from '../../../lib/store/events/callbacks.ts';
import { findEventPayloads } from '../../../lib/store/events/events.ts';
import { listCalls, loadCalls, replayCalls } from '../../../lib/workflows/webhooks/calls.ts';
import { examples } from '../examples.ts';
import { UsageError, formatList, formatTable, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';
import { wholeNumber } from '../values.ts';

interface CallbackOptions extends AccountOption {
  readonly json?: boolean;
}

/** Without fields that are already part of its id. */
const toOutput = (callback: CallbackRecord) => {
  const { EventId: _, WebhookId: __, ...output } = callToResource(callback);
  return output;
};

/** `12-notification`. */
function parseId(text: string): CallId {
  const id = parseCallId(text);
  if (!id) throw new InvalidArgumentError('Write it as `webhook calls` shows it, like 12-notification.');
  return id;
}

async function list({
  dead: isDead = false,
  last,
  json,
  ...options
}: CallbackOptions & { dead?: boolean; last: number }): Promise<void> {
  const found = await listCalls(await openAccount(options), { isDead, last }, new Date());
  const nothing = isDead ? 'No call was given up.' : `The newest ${last} events have no calls.`;
  print(found.map(toOutput), { json, text: found.length ? formatTable(found.map(toOutput)) : nothing });
}

async function show(id: CallId, { json, ...options }: CallbackOptions): Promise<void> {
  const { store } = await openAccount(options);
  const [callback] = await loadCalls({ store }, [id]);
  if (!callback) return;
  const payloads = await findEventPayloads(store, [callback.EventId]);
  const stored = callback.Payload ?? payloads.get(callback.EventId);
  const event = { id: callback.EventId, queuedAt: callback.QueuedAt };
  const Event = stored === undefined ? null : subscriberEvent({ ...event, payload: stored });
  const output = { ...toOutput(callback), CreatedAt: toUtc(callback.Created) };
  const body = Event ? JSON.stringify(Event, null, 2) : 'The event has expired.';
  print({ ...output, Event }, { json, text: `${formatList(output)}\n\n${body}` });
}

async function replay(
  id: CallId | undefined,
  { dead, json, ...options }: CallbackOptions & { dead?: boolean },
): Promise<void> {
  if (!id === !dead) throw new UsageError('Name one call, or all that were given up with --dead.');
  const { store } = await openAccount(options);
  const now = new Date();
  const count = id ? 1 : await replayDead(now);
  if (id) await store.table.commit((await replayCalls([formatCallId(id)], { store, now })).changes);
  const text = `${count} ${count === 1 ? 'call is' : 'calls are'} made now.`;
  print({ Replayed: count }, { json, text });

  async function replayDead(at: Date): Promise<number> {
    const found = await listCalls({ store }, { isDead: true, last: Infinity }, at);
    for (const callback of found) await store.table.commit(replayChanges(store, callback, at));
    return found.length;
  }
}

/** `webhook calls`, `show-call`, `replay`. */
export function webhookCallCommands(webhook: Command): void {
  jsonOption(accountOption(webhook.command('calls')))
    .description('List the calls of webhooks (callbacks), newest first')
    .option('--dead', 'only those that were given up')
    .option('--last <n>', 'of so many newest events; with --dead, so many calls', wholeNumber(1, 10_000), 500)
    .action(list);
  jsonOption(accountOption(webhook.command('show-call')))
    .description('Show a call with its event')
    .argument('<id>', 'like 12-notification', parseId)
    .action(show);
  examples(
    jsonOption(accountOption(webhook.command('replay'))),
    'npx fs webhook replay 12-notification',
    'npx fs webhook replay --dead',
  )
    .description('Make a call again, with all attempts')
    .argument('[id]', 'like 12-notification', parseId)
    .addOption(new Option('--dead', 'all that were given up'))
    .action(replay);
}
