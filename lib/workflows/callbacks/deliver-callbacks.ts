import { type AfterAttempt, MAX_AGE, afterAttempt } from '../../domain/callbacks/retries.ts';
import { afterCalls } from '../../domain/callbacks/host-limits.ts';
import { hostOf, pausedReason, webhookIdOf } from '../../domain/callbacks/targets.ts';
import type { CallbackRecord, Webhook } from '../../entities/webhooks.ts';
import { subscriberEvent } from '../../events/event-text.ts';
import type { ReceiverAnswer } from '../../shared/web/call-receiver.ts';
import type {
  FailedMessage,
  QueueOptions,
  QueueOutcome,
  ReceivedMessage,
  WaitingMessage,
} from '../../shared/queues.ts';
import { webhookHeaders } from '../../shared/web/standard-webhooks.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { type CallbackHost, findHost, writeFreedSlot, writeTakenSlot } from '../../store/events/callback-hosts.ts';
import {
  findCallbacks,
  keyOfCallback,
  writeClaim,
  writeDead,
  writeDelivered,
  writePostponed,
  writeRetry,
} from '../../store/events/callbacks.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import { findEventPayloads } from '../../store/events/events.ts';
import { type Key, keyText } from '../../store/keys.ts';
import {
  type SecretSource,
  findCallbackSecret,
  listWebhooks,
  secretsAt,
  webhookSecretsAt,
  writeWebhookDisabled,
} from '../../store/events/webhooks.ts';
import { type PatientStore, accountStore } from '../../store/store.ts';

/** Posts a text to an address; never throws. */
export type CallReceiver = (
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<ReceiverAnswer>;

export interface Delivery {
  readonly call: CallReceiver;
  /** Reads the deployment's key, from which signing secrets are derived. */
  readonly readKey: () => Promise<string>;
}

/** How long messages may wait in their queue; for longer waits, the clock sends them. */
const MAX_IN_QUEUE = 10 * MINUTE;
/** A message received this often goes to the clock: its host has been busy for a quarter of an hour. */
const MAX_RECEIVES = 50;
/** A message that arrives this close to its time does not wait. */
const EARLY = SECOND;
/** The longest wait for a busy host, which grows from one second by one second each time. */
const MAX_BUSY_SECONDS = 30;
/** Another container has the callback; its claim ends by then. */
const CLAIMED_WAIT = 25 * SECOND;
/** An event may become visible a moment after its callbacks. */
const VISIBLE_WITHIN = MINUTE;

/**
 * Calls the addresses of a batch of callbacks: all calls to one host at once, and hosts in parallel. Writes at once.
 * Safe to repeat, also concurrently and after a kill: a run claims a callback before it calls, and a message ends only
 * when its callback is delivered, given up, or has another message. Until then it stays in its queue, invisible while
 * it waits; its wait starts at once, not when the slowest receiver of the batch has answered. A receiver may get a call
 * twice, with the same webhook-id, if a container is killed after it.
 */
export async function deliverCallbacks(
  table: PatientTable,
  messages: readonly ReceivedMessage[],
  options: Pick<QueueOptions, 'now' | 'hide'>,
  delivery: Delivery,
): Promise<QueueOutcome> {
  const batch = new CallbackBatch(table, messages, options, delivery);
  const found = await findCallbacks(table, uniqueKeys(messages));
  const { early = [], ready = [] } = Object.groupBy(
    found.filter(({ State }) => State === 'waiting'),
    (callback) => (batch.isEarly(callback) ? 'early' : 'ready'),
  );
  await Promise.all([
    batch.waitEarly(early),
    ...[...Map.groupBy(ready, hostName).values()].map((callbacks) => batch.callHost(callbacks)),
  ]);
  return { done: batch.delivered, failures: batch.failures, waiting: batch.waiting, dead: batch.dead };
}

const uniqueKeys = (messages: readonly Key[]): Key[] => [
  ...new Map(messages.map((key) => [keyText(key), key])).values(),
];

const hostName = (callback: CallbackRecord): string => `${callback.Account} ${hostOf(callback)}`;

/** What it takes to send the callbacks of one account. */
interface Sender {
  readonly source: SecretSource;
  readonly payloads: ReadonlyMap<number, string>;
  readonly webhooks: ReadonlyMap<number, Webhook>;
}

/** A claim ends 20 s after it was made, and a call takes up to 10 s. */
const CALL_WITHIN = 8 * SECOND;

class CallbackBatch {
  delivered = 0;
  dead = 0;
  readonly failures: FailedMessage[] = [];
  readonly waiting: WaitingMessage[] = [];
  readonly #table: PatientTable;
  /** Keyed by the name of their callback. */
  readonly #messages: ReadonlyMap<string, { readonly index: number; readonly receives: number }>;
  readonly #now: Date;
  readonly #hide: QueueOptions['hide'];
  readonly #startedAt = performance.now();
  readonly #delivery: Delivery;

  constructor(
    table: PatientTable,
    messages: readonly ReceivedMessage[],
    { now, hide }: Pick<QueueOptions, 'now' | 'hide'>,
    delivery: Delivery,
  ) {
    this.#table = table;
    this.#messages = new Map(
      messages.map((message, index) => [keyText(message), { index, receives: message.receives }]),
    );
    this.#now = now;
    this.#hide = hide;
    this.#delivery = delivery;
  }

  /** The time of the batch plus the time passed since, in milliseconds since 1970. */
  get #clock(): number {
    return this.#now.getTime() + Math.floor(performance.now() - this.#startedAt);
  }

  #storeOf({ Account }: CallbackRecord): PatientStore {
    return accountStore(this.#table, Account);
  }

  #messageOf(callback: CallbackRecord): { readonly index: number; readonly receives: number } {
    return this.#messages.get(keyText(keyOfCallback(this.#storeOf(callback), callback))) ?? { index: 0, receives: 1 };
  }

  isEarly({ At }: CallbackRecord): boolean {
    return At > this.#clock + EARLY;
  }

  /** Makes messages that came before their time wait in their queue, unless the clock sends others. */
  async waitEarly(callbacks: readonly CallbackRecord[]): Promise<void> {
    const inQueue = callbacks.filter(({ At }) => At <= this.#clock + MAX_IN_QUEUE);
    await Promise.all(inQueue.map((callback) => this.#guard([callback], () => this.#wait(callback, callback.At))));
  }

  /** Calls one account's callbacks for one host if a slot is free; else they come again. */
  async callHost(callbacks: readonly CallbackRecord[]): Promise<void> {
    await this.#guard(callbacks, async () => {
      const [first] = callbacks;
      if (!first) return;
      const store = this.#storeOf(first);
      const host = hostOf(first);
      const [taken, sender] = await Promise.all([this.#takeSlot(store, host), this.#loadSender(store, callbacks)]);
      if (taken.slot === undefined) return this.#postpone(callbacks, taken.pausedUntil);
      const calls = callbacks.map((callback) => this.#callOne(callback, sender));
      // The slot is free for another container as soon as all have answered; storing the answers needs no slot.
      const answers = (await Promise.all(calls.map(({ answered }) => answered))).filter(
        (answer) => answer !== undefined,
      );
      const state = answers.length ? afterCalls(taken.host.state, answers, this.#clock) : taken.host.state;
      await Promise.all([
        writeFreedSlot(store, taken.host, taken.slot, state, this.#clock),
        ...calls.map(({ stored }) => stored),
      ]);
    });
  }

  /** Makes the messages of callbacks come again if their work fails. */
  async #guard(callbacks: readonly CallbackRecord[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failures.push(...callbacks.map((callback) => ({ index: this.#messageOf(callback).index, error })));
    }
  }

  /** Takes a slot of the host, or returns how long the host is paused if none is free. */
  async #takeSlot(
    store: PatientStore,
    name: string,
  ): Promise<{ host: CallbackHost; slot: number } | { slot: undefined; pausedUntil: number }> {
    const host = await findHost(store, name);
    const { pausedUntil } = host.state;
    const slot = pausedUntil > this.#clock ? undefined : await writeTakenSlot(store, host, this.#clock);
    return slot === undefined ? { slot, pausedUntil } : { host, slot };
  }

  async #loadSender(store: PatientStore, callbacks: readonly CallbackRecord[]): Promise<Sender> {
    const eventIds = callbacks.filter(({ Payload }) => Payload === undefined).map(({ EventId }) => EventId);
    const [key, accountSecret, payloads, webhooks] = await Promise.all([
      this.#delivery.readKey(),
      findCallbackSecret(store),
      findEventPayloads(store, eventIds),
      listWebhooks(store),
    ]);
    return {
      source: { key, account: store.account, accountSecret },
      payloads,
      webhooks: new Map(webhooks.map((webhook) => [webhook.Id, webhook])),
    };
  }

  /**
   * Calls one callback and stores the outcome: `answered` resolves to the answer if there was a call, `stored` when it
   * is saved.
   */
  #callOne(
    callback: CallbackRecord,
    sender: Sender,
  ): { answered: Promise<ReceiverAnswer | undefined>; stored: Promise<void> } {
    const { promise: answered, resolve } = Promise.withResolvers<ReceiverAnswer | undefined>();
    const stored = this.#guard([callback], async () => {
      const claimedAt = this.#clock;
      const current = await writeClaim(this.#storeOf(callback), callback, claimedAt);
      const isLate = this.#clock > claimedAt + CALL_WITHIN;
      if (!current || isLate) return this.#wait(callback, this.#clock + CLAIMED_WAIT);
      return this.#callClaimed(current, sender, resolve);
    });
    // It may have ended without a call.
    return { answered, stored: stored.finally(() => resolve(undefined)) };
  }

  async #callClaimed(
    current: CallbackRecord,
    sender: Sender,
    onAnswer: (answer: ReceiverAnswer) => void,
  ): Promise<void> {
    const payload = current.Payload ?? sender.payloads.get(current.EventId);
    const obstacle = this.#obstacle(current, payload, sender);
    if (obstacle) return this.#follow(current, obstacle, payload, current.Attempts);
    const event = { id: current.EventId, queuedAt: current.QueuedAt, payload: payload ?? '{}' };
    const body = JSON.stringify(subscriberEvent(event));
    const timestamp = Math.floor(this.#clock / SECOND);
    const headers = webhookHeaders({ id: idOf(current), timestamp, body }, this.#secretsOf(current, sender));
    const answer = await this.#delivery.call(current.Address, body, headers);
    onAnswer(answer);
    const attempts = current.Attempts + 1;
    const next = afterAttempt(attempts, answer, this.#clock);
    if (answer.status === 410) await this.#disableWebhook(current);
    await this.#follow(current, next, payload, attempts);
  }

  /** The secrets of the webhook that is called or has a record's address; else those of the account. */
  #secretsOf({ Target, Address }: CallbackRecord, { source, webhooks }: Sender): string[] {
    const own = webhooks.get(webhookIdOf(Target) ?? 0);
    const webhook = own ?? [...webhooks.values()].find(({ Url }) => Url === Address);
    if (webhook) return webhookSecretsAt(source, webhook, this.#clock);
    return secretsAt(source.key, source.account, source.accountSecret, this.#clock);
  }

  /** Why a callback is not called. */
  #obstacle(
    { Created: created, EventId, Target }: CallbackRecord,
    payload: string | undefined,
    { webhooks }: Sender,
  ): AfterAttempt | undefined {
    const now = this.#clock;
    const webhookId = webhookIdOf(Target);
    const webhook = webhookId === undefined ? undefined : webhooks.get(webhookId);
    if (webhookId !== undefined && !webhook) return { kind: 'dead', reason: `Webhook ${webhookId} was deleted.` };
    if (webhook?.Disabled?.Paused) return { kind: 'dead', reason: pausedReason(webhook.Id), isKept: true };
    if (webhook?.Disabled) return { kind: 'dead', reason: `Webhook ${webhook.Id} is disabled.` };
    if (now > created + MAX_AGE) return { kind: 'dead', reason: 'The receiver was busy for 5 days.' };
    if (payload !== undefined) return undefined;
    return now < created + VISIBLE_WITHIN
      ? { kind: 'retry', at: now + 5 * SECOND, reason: '' }
      : { kind: 'dead', reason: `Event ${EventId} has expired.` };
  }

  async #follow(
    callback: CallbackRecord,
    next: AfterAttempt,
    payload: string | undefined,
    attempts: number,
  ): Promise<void> {
    const store = this.#storeOf(callback);
    try {
      if (next.kind === 'delivered') {
        await writeDelivered(store, callback, this.#clock);
        this.delivered++;
      } else if (next.kind === 'dead') {
        await writeDead(store, callback, { reason: next.reason, attempts, payload }, new Date(this.#clock));
        if (!next.isKept) this.dead++;
      } else {
        const isListed = next.at > this.#clock + MAX_IN_QUEUE;
        await writeRetry(store, callback, { ...next, attempts, isListed });
        if (!isListed) await this.#wait(callback, next.at);
      }
    } catch (error) {
      // It was removed meanwhile, with its account or its event.
      if (!(error instanceof StoreConflict) || error.transient) throw error;
    }
  }

  async #disableWebhook(callback: CallbackRecord): Promise<void> {
    const id = webhookIdOf(callback.Target);
    if (id === undefined) return;
    const disabled = { At: this.#clock, Reason: 'The receiver answered 410 Gone.' };
    await writeWebhookDisabled(this.#storeOf(callback), id, disabled).catch((error: unknown) => {
      if (!(error instanceof StoreConflict) || error.transient) throw error;
    });
  }

  /** Postpones callbacks of a busy host; each waits longer every time. */
  async #postpone(callbacks: readonly CallbackRecord[], pausedUntil: number): Promise<void> {
    const work = callbacks.map(async (callback) => {
      const { receives } = this.#messageOf(callback);
      const seconds = Math.min(MAX_BUSY_SECONDS, receives);
      const at = Math.max(pausedUntil, this.#clock + seconds * SECOND);
      if (receives >= MAX_RECEIVES) await writePostponed(this.#storeOf(callback), callback, at);
      else await this.#wait(callback, at);
    });
    await Promise.all(work);
  }

  /** Keeps a message in its queue until a given moment. */
  async #wait(callback: CallbackRecord, at: number): Promise<void> {
    const { index } = this.#messageOf(callback);
    await this.#hide(index, Math.max(0, Math.ceil((at - this.#clock) / SECOND)));
    this.waiting.push({ index });
  }
}

/** The webhook-id: the same at every attempt and at a replay. */
const idOf = ({ Account, EventId, Target }: CallbackRecord): string => `${Account}_${EventId}_${Target}`;
