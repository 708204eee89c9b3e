import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { eventPayload, subscriberEvent } from '../../../lib/events/event.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';
import { writeAuditEntry } from '../../../lib/store/requests/audit.ts';
import { countPresent, endOfPage, startOfTail } from '../../../lib/store/events/event-sequence.ts';
import { type QueuedEvent, findQueue, listEvents, writeRetention } from '../../../lib/store/events/events.ts';
import { examples } from '../examples.ts';
import { print } from '../output.ts';
import { type AccountOption, accountOption, jsonOption, openAccount } from '../target.ts';
import { wholeNumber } from '../values.ts';
import { forwardCommand } from './forward.ts';
import { rebuildCommand } from './rebuild.ts';
import { redriveCommand } from './redrive.ts';
import { triggerCommand } from './trigger.ts';

interface TailOptions extends AccountOption {
  readonly last: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const EVENTS_PER_READ = 100;

/**
 * One line: with `--json` as datasubscriber/fetch returns the event, else id, moment, kind, subject and changed fields.
 */
function formatEvent(event: QueuedEvent, json: boolean): string {
  if (json) return JSON.stringify(subscriberEvent(event));
  const QueuedAt = new Date(event.queuedAt).toISOString();
  const { Kind, Id, Changed } = eventPayload(event.payload);
  const columns = [String(event.id).padStart(8), QueuedAt, Kind.padEnd(22), String(Id).padStart(8), Changed.join(' ')];
  return columns.join('  ').trimEnd();
}

/** Reads the queue without a subscriber, so no subscriber's position moves. */
async function tail({ last: count, follow = false, json = false, ...options }: TailOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  // No subscriber is called "": its queue starts at the oldest readable event.
  const queue = () => findQueue(table, { account, subscriber: '' }, new Date());
  let { last, next, absent } = await queue();
  next = startOfTail(absent, next, last, count);
  for (;;) {
    const newest = endOfPage(absent, next, last, EVENTS_PER_READ);
    const { events, missing } = await listEvents(table, account, next, newest, absent);
    for (const event of events) process.stdout.write(`${formatEvent(event, json)}\n`);
    next = (events.at(-1)?.id ?? next - 1) + 1;
    if (missing === undefined && countPresent(absent, next, last) === 0) next = last + 1;
    if (next <= last && missing === undefined) continue;
    if (!follow) return;
    await pause(SECOND);
    ({ last, absent } = await queue());
  }
}

async function retention(days: number, { json, ...options }: AccountOption & { json?: boolean }): Promise<void> {
  const { table, account } = await openAccount(options);
  await writeRetention(table, account, days);
  await writeAuditEntry(table, account, {
    Kind: 'events.retention',
    Data: { Days: days },
    command: 'events retention',
  });
  const text = `New events stay readable for ${days} days.`;
  print({ AccountId: account, RetentionDays: days }, { json, text });
}

/** `events tail`, `forward`, `trigger`, `retention`, `redrive`, `rebuild`. */
export function eventCommands(program: Command): void {
  const events = program.command('events').description('Show, forward, cause and redrive events');
  examples(
    accountOption(events.command('tail')),
    'npx fs events tail --last 50',
    'npx fs events tail --follow --json | jq .Payload.Kind',
  )
    .description("Show recent events without moving any subscriber's position")
    .option('--last <n>', 'number of events', wholeNumber(1, 10_000), 10)
    .option('--follow', 'keep running and show new events')
    .option('--json', 'print one line of JSON for each event')
    .action(tail);
  forwardCommand(events);
  triggerCommand(events);
  redriveCommand(events);
  rebuildCommand(events);
  jsonOption(accountOption(events.command('retention')))
    .description('Set how long new events stay readable; queued events are not affected')
    .argument('<days>', '1 to 90; 30 in a new account', wholeNumber(1, 90))
    .action(retention);
}
