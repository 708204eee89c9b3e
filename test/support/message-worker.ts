import type { DynamoDBRecord } from 'aws-lambda';
import type { Delivery, DeliveryOutcome, OutgoingEmail } from '../../lib/delivery/delivery.ts';
import type { Channel } from '../../lib/entities/message-kinds.ts';
import type { QueueMessage, SendMessages } from '../../lib/shared/queues.ts';
import { MINUTE, SECOND } from '../../lib/shared/time/time.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { sendMessages } from '../../lib/workflows/messages/send-messages.ts';
import { runBackgroundWork } from '../../lib/workflows/queues/background-work.ts';
import { sendDelayedMessages } from '../../lib/workflows/queues/send-delayed-messages.ts';
import { outbox as messages } from '../../functions/workers/outbox.ts';
import type { TestTable } from './stack/engine.ts';
import { deliverAll } from './stream.ts';

/** What a service took. */
export interface SentMessage {
  readonly channel: Channel;
  readonly to: string;
  /** The subject of an e-mail, or the text. */
  readonly says: string;
  readonly at: number;
  readonly email?: OutgoingEmail;
}

interface Queued {
  readonly message: QueueMessage;
  readonly at: number;
  readonly receives: number;
}

/** How a batch is worked on; the default is by one worker that lives. */
export type Work = (table: PatientTable, batch: Parameters<typeof sendMessages>[1], now: Date) => Promise<Outcome>;
type Outcome = Awaited<ReturnType<typeof sendMessages>> | undefined;

interface RunOptions {
  readonly work?: Work;
  /** How often each batch of the stream and of the queue is delivered. */
  readonly times?: number;
}

const SENT = (): DeliveryOutcome => ({ kind: 'sent', serviceId: 's-1' });

/** SQS delivers a message again this long after a worker that died with it. */
const VISIBILITY = 6 * MINUTE;

/** The queue of messages, its worker and the clock, which a test moves. By default the services take all. */
export function messageWorker(engine: TestTable) {
  const table = openTable({ endpoint: engine.endpoint });
  const sent: SentMessage[] = [];
  let answer: (channel: Channel, at: number) => DeliveryOutcome = SENT;
  const queue: Queued[] = [];
  let clock = 0;
  let queued = 0;

  const put = (message: QueueMessage, at: number): void => {
    queue.push({ message, at, receives: 0 });
    queued++;
  };
  /** What the clock sends comes when it is due; what follows from a change comes at once. */
  const enqueueDue: SendMessages = async (outgoing) => {
    for (const { message, delaySeconds = 0 } of outgoing) put(message, Date.now() + delaySeconds * SECOND);
    return [];
  };
  const enqueueNow: SendMessages = async (outgoing) => {
    for (const { message, queue: name, delaySeconds = 0 } of outgoing)
      if (name === 'outbox') put(message, Math.max(Date.now(), clock) + delaySeconds * SECOND);
    return [];
  };

  const deliveryAt = (now: Date): Delivery => {
    const take = (channel: Channel, message: Omit<SentMessage, 'channel' | 'at'>): DeliveryOutcome => {
      const outcome = answer(channel, now.getTime());
      if (outcome.kind === 'sent' || outcome.kind === 'unknown') sent.push({ channel, ...message, at: now.getTime() });
      return outcome;
    };
    return {
      sendEmail: async (email) => take('Email', { to: email.to.join(', '), says: email.subject, email }),
      sendText: async ({ to, text }) => take('Text', { to, says: text }),
    };
  };

  /** Turns changes into events, work and messages of the queue, until none are left; each batch so many times. */
  async function follow(times = 1): Promise<void> {
    for (let records = await engine.records(); records.length; records = await engine.records())
      for (let time = 0; time < times; time++) await followOne(records);
  }

  async function followOne(records: DynamoDBRecord[]): Promise<void> {
    await deliverAll(records);
    await runBackgroundWork(table, records, { now: new Date(), deadline: Date.now() + MINUTE }, enqueueNow);
  }

  const alive: Work = (own, batch, now) =>
    sendMessages(own, batch, { now, deadline: Date.now() + MINUTE }, deliveryAt(now));

  /** Does all that is due through a moment, in its order. */
  async function runThrough(until: number, { work = alive, times = 1 }: RunOptions = {}): Promise<void> {
    clock = Date.now();
    for (;;) {
      await follow(times);
      await sendDelayedMessages(table, { now: new Date(until), deadline: Date.now() + MINUTE }, enqueueDue);
      queue.sort((one, other) => one.at - other.at);
      const first = queue[0]?.at ?? Infinity;
      if (first > until) return;
      const later = queue.findIndex(({ at }) => at > first + SECOND);
      const batch = queue.splice(0, Math.min(messages.queue.batchSize, later < 0 ? queue.length : later));
      clock = Math.max(clock, ...batch.map(({ at }) => at));
      for (let time = 0; time < times; time++) await workOn(batch, new Date(clock), work);
    }
  }

  async function workOn(batch: readonly Queued[], now: Date, work: Work): Promise<void> {
    const received = batch.map(({ message, receives }) => ({ ...message, receives: receives + 1 }));
    const outcome = await work(table, received, now).catch(() => undefined);
    const again = (index: number, milliseconds: number) => {
      const { message, receives } = batch[index] as Queued;
      queue.push({ message, receives: receives + 1, at: now.getTime() + milliseconds });
    };
    if (!outcome) batch.forEach((_, index) => again(index, VISIBILITY));
    for (const { index } of outcome?.failures ?? []) again(index, VISIBILITY);
    for (const { index, seconds = 0 } of outcome?.waiting ?? []) again(index, seconds * SECOND);
  }

  return {
    table,
    deliveryAt,
    follow,
    runThrough,
    /** How many messages were sent to the queue. */
    queued: () => queued,
    answers(next: typeof answer | undefined) {
      answer = next ?? SENT;
    },
    /** What was sent since the last call, by time; at the same time e-mails before texts. */
    taken: (): SentMessage[] =>
      sent.splice(0).toSorted((one, other) => one.at - other.at || one.channel.localeCompare(other.channel)),
  };
}

/**
 * A table and services whose process is killed at the step of this number: a write of the table, or the moment before
 * or after a service takes a message.
 */
export function dyingWorker(sound: PatientTable, delivery: Delivery, step: number) {
  let left = step;
  let isDead = false;
  const live = () => {
    isDead ||= left-- <= 0;
    if (isDead) throw new Error('killed');
  };
  const table: PatientTable = {
    ...sound,
    until: () => table,
    commit: async (...request) => (live(), sound.commit(...request)),
    update: async (...request) => (live(), sound.update(...request)),
    putMany: async (...request) => (live(), sound.putMany(...request)),
  };
  const around =
    <Message>(send: (message: Message) => Promise<DeliveryOutcome>) =>
    async (message: Message): Promise<DeliveryOutcome> => {
      live();
      const outcome = await send(message);
      live();
      return outcome;
    };
  const dying: Delivery = { sendEmail: around(delivery.sendEmail), sendText: around(delivery.sendText) };
  return { table, delivery: dying, isDead: () => isDead, steps: () => step - left };
}
