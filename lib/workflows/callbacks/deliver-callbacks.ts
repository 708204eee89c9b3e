import { type AfterAttempt, MAX_AGE, afterAttempt } from '../../domain/callbacks/retries.ts';
import { afterCalls, busyWait, patienceWith } from '../../domain/callbacks/host-limits.ts';
import { webhookIdOf } from '../../domain/callbacks/targets.ts';
import type { CallbackRecord, Webhook } from '../../entities/webhooks.ts';
import { subscriberEvent } from '../../events/event-text.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import type { ReceiverAnswer } from '../../shared/web/call-receiver.ts';
import type { FailedMessage, QueueMessage, QueueOutcome, SendMessages } from '../../shared/queues.ts';
import { webhookHeaders } from '../../shared/web/standard-webhooks.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import {
  type CallbackHost,
  SLOT_MILLISECONDS,
  findHost,
  writeFreedSlot,
  writeTakenSlot,
} from '../../store/events/callback-hosts.ts';
import {
  findCallbacks,
  keyOfCallback,
  writeClaim,
  writeDead,
  writeDelivered,
  writePostponed,
  writeReleased,
  writeRetry,
} from '../../store/events/callbacks.ts';
import { writeDelayedMessages } from '../../store/events/delayed-messages.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import { findEventPayloads } from '../../store/events/events.ts';
import type { Key } from '../../store/keys.ts';
import { findCallbackSecret, findWebhooks, secretsAt, writeWebhookDisabled } from '../../store/events/webhooks.ts';

/** Posts a text to an address; never throws. */
export type CallReceiver = (
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<ReceiverAnswer>;

export interface Delivery {
  readonly send: SendMessages;
  readonly call: CallReceiver;
  /** Reads the deployment's key, from which the secrets that sign follow. */
  readonly readKey: () => Promise<string>;
}

/** Messages wait in SQS for so long; for longer, they are sent by the clock. */
const MAX_SQS_DELAY = 2 * MINUTE;
/** A message that comes so much before its time is not sent again. */
const EARLY = SECOND;
/** Another container has the callback; its claim ends by then. */
const CLAIMED_WAIT = 25 * SECOND;
/** An event may be visible a moment after its callbacks. */
const VISIBLE_WITHIN = MINUTE;
const SLOT_POLL = 50;

/**
 * Calls the addresses of a batch of callbacks, those of a host at once, hosts beside each other. Writes at once. Safe
 * to repeat, also concurrently and after a kill: who calls claims the callback first, and a message ends only when its
 * callback is delivered, given up, or has another message. A receiver may get a call twice, with the same webhook-id,
 * where a container is killed after it.
 */
export async function deliverCallbacks(
  table: PatientTable,
  messages: readonly QueueMessage[],
  { now, deadline }: BatchOptions,
  delivery: Delivery,
): Promise<QueueOutcome> {
  const batch = new CallbackBatch(table, now, deadline, delivery);
  const indexes = new Map(messages.map((message, index) => [nameOf(message), index]));
  const found = await findCallbacks(table, uniqueKeys(messages));
  const ready = await batch.withoutEarly(found.filter(({ State }) => State === 'waiting'));
  await Promise.all([...Map.groupBy(ready, hostName).values()].map((callbacks) => batch.callHost(callbacks)));
  const failures = batch.failures.map(({ callback, error }): FailedMessage => {
    return { index: indexes.get(nameOf(keyOfCallback(callback))) ?? 0, error };
  });
  return { done: batch.delivered, failures, dead: batch.dead };
}

const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;
const uniqueKeys = (messages: readonly QueueMessage[]): Key[] => [
  ...new Map(messages.map((key) => [nameOf(key), key])).values(),
];

const hostOf = ({ Address }: CallbackRecord): string => (URL.canParse(Address) ? new URL(Address).host : 'none');
const hostName = (callback: CallbackRecord): string => `${callback.Account} ${hostOf(callback)}`;

/** What the callbacks of one account need to be sent. */
interface Sender {
  readonly secrets: readonly string[];
  readonly payloads: ReadonlyMap<number, string>;
  readonly webhooks: ReadonlyMap<number, Webhook>;
}

/** A claim ends 20 s after it was made, and a call takes 10. */
const CALL_WITHIN = 8 * SECOND;

/** A callback as it was found, and as this container claimed it: `undefined` where another one has it. */
interface Reservation {
  readonly callback: CallbackRecord;
  readonly reserved: Promise<CallbackRecord | undefined>;
  /** In milliseconds since 1970. */
  readonly reservedAt: number;
}

class CallbackBatch {
  delivered = 0;
  dead = 0;
  readonly failures: { readonly callback: CallbackRecord; readonly error: unknown }[] = [];
  readonly #table: PatientTable;
  readonly #now: Date;
  readonly #startedAt = performance.now();
  readonly #deadline: number;
  readonly #delivery: Delivery;

  constructor(table: PatientTable, now: Date, deadline: number, delivery: Delivery) {
    this.#table = table;
    this.#now = now;
    this.#deadline = deadline;
    this.#delivery = delivery;
  }

  /** Milliseconds since 1970: the time of the batch and what has passed since. */
  get #clock(): number {
    return this.#now.getTime() + Math.floor(performance.now() - this.#startedAt);
  }

  /** Sends messages that came before their time again, unless the clock will. */
  async withoutEarly(callbacks: readonly CallbackRecord[]): Promise<CallbackRecord[]> {
    const isEarly = ({ At }: CallbackRecord) => At > this.#clock + EARLY;
    const again = callbacks.filter((callback) => isEarly(callback) && callback.At <= this.#clock + MAX_SQS_DELAY);
    await this.#guard(again, () => this.#sendLater(again.map((callback) => ({ callback, at: callback.At }))));
    return callbacks.filter((callback) => !isEarly(callback));
  }

  /** Calls the callbacks of one account for one host, if a slot is free; else they come again. */
  async callHost(callbacks: readonly CallbackRecord[]): Promise<void> {
    await this.#guard(callbacks, async () => {
      const [first] = callbacks;
      if (!first) return;
      const [taken, sender] = await Promise.all([
        this.#takeSlot(first, callbacks),
        this.#loadSender(first.Account, callbacks),
      ]);
      if (taken.slot === undefined) return this.#postpone(callbacks, taken.until);
      const calls = taken.reservations.map((reservation) => this.#callOne(reservation, sender));
      // The slot is free for another container as soon as all have answered: storing what they answered needs none.
      const answers = (await Promise.all(calls.map(({ answered }) => answered))).filter(
        (answer) => answer !== undefined,
      );
      const state = answers.length ? afterCalls(taken.host.state, answers, this.#clock) : taken.host.state;
      await Promise.all([
        writeFreedSlot(this.#table, taken.host, taken.slot, state, this.#clock),
        ...calls.map(({ stored }) => stored),
      ]);
    });
  }

  /** Has the messages of callbacks delivered again where their work fails. */
  async #guard(callbacks: readonly CallbackRecord[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failures.push(...callbacks.map((callback) => ({ callback, error })));
    }
  }

  /**
   * A slot of the host and the callbacks as this container claimed them, or until when they wait. Both are written at
   * once: a slot is held for the calls, not for the claims before them.
   */
  async #takeSlot(
    first: CallbackRecord,
    callbacks: readonly CallbackRecord[],
  ): Promise<
    { host: CallbackHost; slot: number; reservations: readonly Reservation[] } | { slot: undefined; until: number }
  > {
    for (;;) {
      const host = await findHost(this.#table, first.Account, hostOf(first));
      const { state, taken } = host;
      const now = this.#clock;
      if (state.pausedUntil > now) return { slot: undefined, until: state.pausedUntil };
      if (taken.some((until) => until <= now)) {
        const reservations = callbacks.map((callback) => ({
          callback,
          reserved: writeClaim(this.#table, callback, now),
          reservedAt: now,
        }));
        const [slot] = await Promise.all([
          writeTakenSlot(this.#table, host, now),
          Promise.allSettled(reservations.map(({ reserved }) => reserved)),
        ]);
        if (slot !== undefined) return { host, slot, reservations };
        await Promise.all(reservations.map((reservation) => this.#release(reservation)));
      }
      const isSoonFree = taken.some((until) => until <= now || startOfSlot(until) > now - patienceWith(state));
      if (!isSoonFree || now > this.#deadline) return { slot: undefined, until: now + busyWait(state) };
      await new Promise((resolve) => setTimeout(resolve, SLOT_POLL));
    }
  }

  /** Lets another container claim a callback: others were faster with the slot. */
  async #release({ reserved, reservedAt }: Reservation): Promise<void> {
    const callback = await reserved;
    if (callback) await writeReleased(this.#table, callback, reservedAt);
  }

  async #loadSender(account: string, callbacks: readonly CallbackRecord[]): Promise<Sender> {
    const eventIds = callbacks.filter(({ Payload }) => Payload === undefined).map(({ EventId }) => EventId);
    const webhookIds = callbacks.flatMap(({ Target }) => webhookIdOf(Target) ?? []);
    const [key, secret, payloads, webhooks] = await Promise.all([
      this.#delivery.readKey(),
      findCallbackSecret(this.#table, account),
      findEventPayloads(this.#table, account, eventIds),
      findWebhooks(this.#table, account, webhookIds),
    ]);
    return {
      secrets: secretsAt(key, account, secret, this.#clock),
      payloads,
      webhooks: new Map(webhooks.map((webhook) => [webhook.Id, webhook])),
    };
  }

  /** Calls one callback and stores what came of it: `answered` has the answer if it was called, `stored` the end. */
  #callOne(
    { callback, reserved, reservedAt }: Reservation,
    sender: Sender,
  ): { answered: Promise<ReceiverAnswer | undefined>; stored: Promise<void> } {
    const { promise: answered, resolve } = Promise.withResolvers<ReceiverAnswer | undefined>();
    const stored = this.#guard([callback], async () => {
      const current = await reserved;
      const isLate = this.#clock > reservedAt + CALL_WITHIN;
      if (!current || isLate) return this.#sendLater([{ callback, at: this.#clock + CLAIMED_WAIT }]);
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
    const headers = webhookHeaders({ id: idOf(current), timestamp, body }, sender.secrets);
    const answer = await this.#delivery.call(current.Address, body, headers);
    onAnswer(answer);
    const attempts = current.Attempts + 1;
    const next = afterAttempt(attempts, answer, this.#clock);
    if (answer.status === 410) await this.#disableWebhook(current);
    await this.#follow(current, next, payload, attempts);
  }

  /** What keeps a callback from being called. */
  #obstacle(
    { Created: created, EventId, Target }: CallbackRecord,
    payload: string | undefined,
    { webhooks }: Sender,
  ): AfterAttempt | undefined {
    const now = this.#clock;
    const webhookId = webhookIdOf(Target);
    const webhook = webhookId === undefined ? undefined : webhooks.get(webhookId);
    if (webhookId !== undefined && !webhook) return { kind: 'dead', reason: `Webhook ${webhookId} was deleted.` };
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
    try {
      if (next.kind === 'delivered') {
        await writeDelivered(this.#table, callback, this.#clock);
        this.delivered++;
      } else if (next.kind === 'dead') {
        await writeDead(this.#table, callback, { reason: next.reason, attempts, payload }, new Date(this.#clock));
        this.dead++;
      } else {
        const isListed = next.at > this.#clock + MAX_SQS_DELAY;
        await writeRetry(this.#table, callback, { ...next, attempts, isListed });
        if (!isListed) await this.#sendLater([{ callback, at: next.at }]);
      }
    } catch (error) {
      // It was removed meanwhile, with its account or its event.
      if (!(error instanceof StoreConflict) || error.transient) throw error;
    }
  }

  async #disableWebhook({ Account, Target }: CallbackRecord): Promise<void> {
    const id = webhookIdOf(Target);
    if (id === undefined) return;
    const disabled = { At: this.#clock, Reason: 'The receiver answered 410 Gone.' };
    await writeWebhookDisabled(this.#table, Account, id, disabled).catch((error: unknown) => {
      if (!(error instanceof StoreConflict) || error.transient) throw error;
    });
  }

  async #postpone(callbacks: readonly CallbackRecord[], until: number): Promise<void> {
    if (until <= this.#clock + MAX_SQS_DELAY)
      return this.#sendLater(callbacks.map((callback) => ({ callback, at: until })));
    await Promise.all(callbacks.map((callback) => writePostponed(this.#table, callback, until)));
  }

  /** Sends messages to be delivered at a moment; by the clock where the queue is away. */
  async #sendLater(waiting: readonly { readonly callback: CallbackRecord; readonly at: number }[]): Promise<void> {
    if (!waiting.length) return;
    const outgoing = waiting.map(({ callback, at }) => ({
      queue: 'callbacks' as const,
      message: keyOfCallback(callback),
      delaySeconds: Math.max(0, Math.ceil((at - this.#clock) / SECOND)),
      at,
    }));
    const unsent = new Set(await this.#delivery.send(outgoing));
    await writeDelayedMessages(
      this.#table,
      outgoing.filter((message) => unsent.has(message)),
    );
  }
}

const startOfSlot = (until: number): number => until - SLOT_MILLISECONDS;

/** The webhook-id: the same at every attempt, and at a replay. */
const idOf = ({ Account, EventId, Target }: CallbackRecord): string => `${Account}_${EventId}_${Target}`;
