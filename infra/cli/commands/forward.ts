import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { eventPayload, subscriberEvent } from '../../../lib/events/event-text.ts';
import { type ReceiverAnswer, callReceiver } from '../../../lib/shared/web/call-receiver.ts';
import { webhookHeaders } from '../../../lib/shared/web/standard-webhooks.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { endOfPage, newestPresent } from '../../../lib/store/events/event-sequence.ts';
import { type QueuedEvent, findQueue, listEvents, writeClearedThrough } from '../../../lib/store/events/events.ts';
import { findCallbackSecret, secretsAt, writeSecretShown } from '../../../lib/store/events/webhooks.ts';
import { ANY_STACK, FORWARD_WAITS, type ForwardOptions, forwardCommand } from '../definitions/events.ts';
import { either } from '../remote/choose.ts';
import { forwardEvents } from '../remote/events.ts';
import { profileOption } from '../remote/profile.ts';
import { type AccountOption, accountOption, openAccount, openCallbackKey } from '../target.ts';

const EVENTS_PER_READ = 100;

const isDelivered = ({ status }: ReceiverAnswer): boolean => status !== null && status >= 200 && status < 300;
const reasonOf = ({ status, error }: ReceiverAnswer): string => (status === null ? error : `HTTP ${status}.`);

/** One line for each event that was delivered. */
function formatDelivery({ id, payload }: QueuedEvent, answer: ReceiverAnswer, json: boolean): string {
  const { Kind, Id } = eventPayload(payload);
  const { status: Status, milliseconds: Milliseconds } = answer;
  if (json) return JSON.stringify({ EventId: id, Kind, Id, Status, Milliseconds });
  const columns = [String(id).padStart(8), Kind.padEnd(22), String(Id).padStart(8), Status];
  return `${columns.join('  ')}  ${String(Milliseconds).padStart(5)} ms`;
}

const warn = (line: string): void => void process.stderr.write(`${line}\n`);

class Forwarder {
  readonly #table: TableWriter;
  readonly #account: string;
  readonly #to: string;
  readonly #subscriber: string;
  readonly #key: string;

  constructor(
    table: TableWriter,
    account: string,
    { to, subscriber, key }: Pick<ForwardOptions, 'to' | 'subscriber'> & { readonly key: string },
  ) {
    this.#table = table;
    this.#account = account;
    this.#to = to;
    this.#subscriber = subscriber;
    this.#key = key;
  }

  get #cursor() {
    return { account: this.#account, subscriber: this.#subscriber };
  }

  /** Leaves out the events up to an id, or those of before. */
  async skipTo(since: 'now' | number): Promise<void> {
    if (since !== 'now') return this.#clear(since);
    const { last, absent } = await findQueue(this.#table, this.#cursor, new Date());
    const newest = newestPresent(absent, last);
    if (newest) await this.#clear(newest);
  }

  /** The oldest events that were not delivered yet. */
  async nextEvents(): Promise<readonly QueuedEvent[]> {
    const { next, last, absent } = await findQueue(this.#table, this.#cursor, new Date());
    if (next > last) return [];
    const newest = endOfPage(absent, next, last, EVENTS_PER_READ);
    return (await listEvents(this.#table, this.#account, next, newest, absent)).events;
  }

  /** Posts an event until the receiver has it, and remembers that. A kill in between has it posted again. */
  async deliver(event: QueuedEvent): Promise<ReceiverAnswer> {
    let warned = '';
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#post(event);
      if (isDelivered(answer)) {
        await this.#clear(event.id);
        return answer;
      }
      const reason = reasonOf(answer);
      if (reason !== warned) warn(`Event ${event.id} is repeated until ${this.#to} has it: ${reason}`);
      warned = reason;
      await pause(FORWARD_WAITS[Math.min(attempt, FORWARD_WAITS.length - 1)]);
    }
  }

  /** Leaves an event out. */
  async pass({ id }: QueuedEvent): Promise<void> {
    await this.#clear(id);
  }

  async #post(event: QueuedEvent): Promise<ReceiverAnswer> {
    const now = Date.now();
    // Read each time: somebody may replace the secret meanwhile.
    const secrets = secretsAt(this.#key, this.#account, await findCallbackSecret(this.#table, this.#account), now);
    const body = JSON.stringify(subscriberEvent(event));
    const message = { id: `${this.#account}_${event.id}_forward`, timestamp: Math.floor(now / SECOND), body };
    return await callReceiver(this.#to, body, { headers: webhookHeaders(message, secrets), ...ANY_STACK });
  }

  async #clear(throughId: number): Promise<void> {
    await writeClearedThrough(this.#table, this.#cursor, throughId, new Date());
  }
}

/** Shows the secret of the account, unless somebody has been shown it before. */
async function showSecret(table: TableWriter, account: string, key: string): Promise<void> {
  const secret = await findCallbackSecret(table, account);
  if (secret.Shown) return warn('Signed with the secret of the account. webhook rotate-secret shows a new one.');
  const [value = ''] = secretsAt(key, account, secret, Date.now());
  warn(`Signed with the secret of the account, which is shown only once: ${value}`);
  await writeSecretShown(table, account);
}

async function forward({
  to,
  subscriber,
  kinds,
  new: isNew = false,
  since = isNew ? 'now' : undefined,
  json = false,
  ...options
}: ForwardOptions & AccountOption): Promise<void> {
  const { table, account } = await openAccount(options);
  const key = await openCallbackKey();
  const forwarder = new Forwarder(table, account, { to, subscriber, key });
  await showSecret(table, account, key);
  if (since !== undefined) await forwarder.skipTo(since);
  for (;;) {
    const events = await forwarder.nextEvents();
    for (const event of events) {
      if (kinds && !kinds.includes(eventPayload(event.payload).Kind)) await forwarder.pass(event);
      else process.stdout.write(`${formatDelivery(event, await forwarder.deliver(event), json)}\n`);
    }
    if (!events.length) await pause(SECOND);
  }
}

/** `events forward`. */
export const forwardCommands = (events: Command): Command =>
  profileOption(accountOption(forwardCommand(events))).action(either(forwardEvents, forward));
