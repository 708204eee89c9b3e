import { type Command, InvalidArgumentError, Option } from 'commander';
import { newestPresent } from '../../../lib/store/events/event-sequence.ts';
import {
  type CallbackRecord,
  callbackKey,
  findCallbacks,
  listCallbacks,
  listDeadCallbacks,
  writeReplay,
} from '../../../lib/store/events/callbacks.ts';
import type { TableReader } from '../../../lib/store/dynamodb/client.ts';
import { subscriberEvent } from '../../../lib/events/event.ts';
import { findEventPayloads, findQueue } from '../../../lib/store/events/events.ts';
import { examples } from '../examples.ts';
import { CommandError, UsageError, formatList, formatTable, print } from '../output.ts';
import { type AccountOption, accountOption, jsonOption, openAccount } from '../target.ts';
import { wholeNumber } from '../values.ts';

interface CallbackOptions extends AccountOption {
  readonly json?: boolean;
}

interface CallbackId {
  readonly event: number;
  readonly target: string;
}

const toOutput = ({ eventId, target, kind, address, state, attempts, at, reason }: CallbackRecord) => ({
  Id: `${eventId}-${target}`,
  Kind: kind,
  Address: address,
  State: state,
  Attempts: attempts,
  At: new Date(at).toISOString(),
  Reason: reason,
});

/** `12-notification`. */
function parseId(text: string): CallbackId {
  const [, event, target] = /^(\d{1,10})-([a-z]+(?:-[a-z0-9]+)?)$/.exec(text) ?? [];
  if (!event || !target) throw new InvalidArgumentError('Write it as `callbacks list` shows it, like 12-notification.');
  return { event: Number(event), target };
}

async function loadCallback(
  table: TableReader,
  account: string,
  { event, target }: CallbackId,
): Promise<CallbackRecord> {
  const [found] = await findCallbacks(table, [callbackKey(account, event, target)]);
  if (!found) throw new CommandError(`Callback ${event}-${target} not found. Callbacks are kept for 30 days.`);
  return found;
}

async function list({
  dead,
  last,
  json,
  ...options
}: CallbackOptions & { dead?: boolean; last: number }): Promise<void> {
  const { table, account } = await openAccount(options);
  const recent = async () => {
    const queue = await findQueue(table, { account, subscriber: '' }, new Date());
    const newest = newestPresent(queue.absent, queue.last);
    return newest ? listCallbacks(table, account, { first: Math.max(1, newest - last + 1), last: newest }) : [];
  };
  const found = dead ? await listDeadCallbacks(table, account, last) : await recent();
  const nothing = dead ? 'No callback was given up.' : `The newest ${last} events have no callbacks.`;
  print(found.map(toOutput), { json, text: found.length ? formatTable(found.map(toOutput)) : nothing });
}

async function show(id: CallbackId, { json, ...options }: CallbackOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const callback = await loadCallback(table, account, id);
  const payloads = await findEventPayloads(table, account, [callback.eventId]);
  const stored = callback.payload ?? payloads.get(callback.eventId);
  const event = { id: callback.eventId, queuedAt: callback.queuedAt };
  const Event = stored === undefined ? null : subscriberEvent({ ...event, payload: stored });
  const output = { ...toOutput(callback), CreatedAt: new Date(callback.created).toISOString() };
  const body = Event ? JSON.stringify(Event, null, 2) : 'The event has expired.';
  print({ ...output, Event }, { json, text: `${formatList(output)}\n\n${body}` });
}

async function replay(
  id: CallbackId | undefined,
  { dead, json, ...options }: CallbackOptions & { dead?: boolean },
): Promise<void> {
  if (!id === !dead) throw new UsageError('Name one callback, or all that were given up with --dead.');
  const { table, account } = await openAccount(options);
  const found = id ? [await loadCallback(table, account, id)] : await listDeadCallbacks(table, account, Infinity);
  const now = new Date();
  for (const callback of found) await writeReplay(table, callback, now);
  const text = `${found.length} ${found.length === 1 ? 'callback is' : 'callbacks are'} sent within a minute.`;
  print({ Replayed: found.length }, { json, text });
}

/** `callbacks list`, `show`, `replay`. */
export function callbackCommands(program: Command): void {
  const callbacks = program.command('callbacks').description('List, show and repeat the calls of these addresses');
  jsonOption(accountOption(callbacks.command('list')))
    .description('List callbacks, newest first')
    .option('--dead', 'only those that were given up')
    .option('--last <n>', 'of so many newest events; with --dead, so many callbacks', wholeNumber(1, 10_000), 500)
    .action(list);
  jsonOption(accountOption(callbacks.command('show')))
    .description('Show a callback with its event')
    .argument('<id>', 'like 12-notification', parseId)
    .action(show);
  examples(
    jsonOption(accountOption(callbacks.command('replay'))),
    'npx fs callbacks replay 12-notification',
    'npx fs callbacks replay --dead',
  )
    .description('Call again, with all attempts')
    .argument('[id]', 'like 12-notification', parseId)
    .addOption(new Option('--dead', 'all that were given up'))
    .action(replay);
}
