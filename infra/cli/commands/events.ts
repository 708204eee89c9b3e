import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { eventPayload } from '../../../lib/events/event.ts';
import { findAccount } from '../../../lib/store/accounts.ts';
import type { TableReader } from '../../../lib/store/dynamodb/client.ts';
import { type QueuedEvent, findQueue, listEvents, writeRetention } from '../../../lib/store/events.ts';
import { CommandError, print } from '../output.ts';
import { findAccountId, openTarget } from '../target.ts';
import { whole } from '../values.ts';

interface TailOptions {
  readonly account?: string;
  readonly last: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const PAGE = 100;
const INTERVAL_MILLISECONDS = 1_000;

/**
 * A line an event: `--json` as datasubscriber/fetch gives it, else id, moment, kind, what it is about and which fields
 * changed.
 */
function lineOf({ id, queuedAt, payload }: QueuedEvent, json: boolean): string {
  const QueuedAt = new Date(queuedAt).toISOString();
  const Payload = eventPayload(payload);
  if (json) return JSON.stringify({ Id: id, QueuedAt, Payload });
  return [
    String(id).padStart(8),
    QueuedAt,
    Payload.Kind.padEnd(22),
    String(Payload.Id).padStart(8),
    Payload.Changed.join(' '),
  ]
    .join('  ')
    .trimEnd();
}

async function existing(table: TableReader, options: { readonly account?: string }): Promise<string> {
  const account = findAccountId(options);
  if (!(await findAccount(table, account))) throw new CommandError(`There is no account ${account}.`);
  return account;
}

/** Reads past every subscriber's cursor and moves none. */
async function tail({ last: count, follow = false, json = false, ...options }: TailOptions): Promise<void> {
  const table = openTarget();
  const account = await existing(table, options);
  // No subscriber is called "", so this queue starts at the oldest event that can still be read.
  const queue = () => findQueue(table, { account, subscriber: '' }, new Date());
  let { last, next } = await queue();
  next = Math.max(next, last - count + 1);
  for (;;) {
    const events = await listEvents(table, account, next, Math.min(last, next + PAGE - 1));
    for (const event of events) process.stdout.write(`${lineOf(event, json)}\n`);
    next = (events.at(-1)?.id ?? next - 1) + 1;
    if (next <= last) continue;
    if (!follow) return;
    await pause(INTERVAL_MILLISECONDS);
    ({ last } = await queue());
  }
}

async function retention(days: number, { json, ...options }: { account?: string; json?: boolean }): Promise<void> {
  const table = openTarget();
  const AccountId = await existing(table, options);
  await writeRetention(table, AccountId, days);
  print(
    { AccountId, RetentionDays: days },
    { json, text: `Events queued from now on stay readable for ${days} days.` },
  );
}

/** `events tail`, `retention`. */
export function eventCommands(program: Command): void {
  const events = program.command('events').description('what has happened in an account');
  events
    .command('tail')
    .description('show the newest events; no subscriber misses one for that')
    .option('--account <id>', "the account; the local stack's own unless said otherwise")
    .option('--last <n>', 'how many', whole(1, 10_000), 10)
    .option('--follow', 'go on with new ones as they come')
    .option('--json', 'a line of JSON an event')
    .action(tail);
  events
    .command('retention')
    .description('set how long events stay readable; those already queued keep their time')
    .argument('<days>', '1 to 90; a new account has 30', whole(1, 90))
    .option('--account <id>', "the account; the local stack's own unless said otherwise")
    .option('--json', 'answer for machines')
    .action(retention);
}
