import type { DynamoDBRecord } from 'aws-lambda';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { outbox as worker } from '../../../functions/workers/outbox.ts';
import { StagedTable } from '../../../infra/cli/staged-table.ts';
import type { Delivery, DeliveryOutcome } from '../../../lib/delivery/delivery.ts';
import type { QueueMessage, SendMessages } from '../../../lib/shared/queues.ts';
import { MINUTE, SECOND } from '../../../lib/shared/time/time.ts';
import { type Change, type Item, partChanges } from '../../../lib/store/dynamodb/changes.ts';
import { type PatientTable, asActor } from '../../../lib/store/dynamodb/table.ts';
import { attributes, keyText } from '../../../lib/store/keys.ts';
import { queueEvents } from '../../../lib/workflows/events/queue-events.ts';
import { sendMessages } from '../../../lib/workflows/messages/send-messages.ts';
import { handOver } from '../../../lib/workflows/queues/background-work.ts';
import { sendDelayedMessages } from '../../../lib/workflows/queues/send-delayed-messages.ts';
import { seeded, shuffledAcrossItems, withDuplicates } from '../stream.ts';

/** How often (0 to 1) each fault happens; zeros for a world in which all goes well. */
export interface FaultShares {
  /** A run is killed at one of its requests, before or after it. */
  readonly killed: number;
  /** The table cannot be reached for a whole run. */
  readonly away: number;
  /** The service of e-mails or texts throttles. */
  readonly busy: number;
  /** The answer of the service is lost. */
  readonly unknown: number;
  /** A message or record is delivered once more. */
  readonly again: number;
  /** Two containers get the same messages at the same time. */
  readonly twice: number;
}

export const NO_FAULTS: FaultShares = { killed: 0, away: 0, busy: 0, unknown: 0, again: 0, twice: 0 };

/** An e-mail or a text that reached its address. */
export interface SentMessage {
  readonly at: number;
  readonly channel: 'Email' | 'Text';
  readonly to: readonly string[];
  /** The message as it is stored. */
  readonly stored: Item;
}

class Killed extends Error {}

/** A run of a worker: its requests end when it is killed. */
interface Run {
  readonly table: PatientTable;
  readonly delivery: Delivery;
  isDead: boolean;
}

interface Waiting {
  readonly message: QueueMessage;
  readonly receives: number;
  readonly visibleAt: number;
}

/** More requests than any run makes. */
const MANY = 30;
/** What a run may take; the clock stands still while it works. */
const DEADLINE = 20 * SECOND;
/** The clock sends what is due before its next run. */
const AHEAD = MINUTE + 30 * SECOND;

/**
 * The table, its stream, the queue of messages and its workers, and the services that send, in one process and on a
 * clock of its own.
 */
export class SimulatedServices {
  readonly sent: SentMessage[] = [];
  /** What happened; a message may then be late, or its text lost. */
  befallen = 0;
  faults: FaultShares = NO_FAULTS;
  readonly #random: () => number;
  readonly #setClock: (now: number) => void;
  readonly #memory = new StagedTable();
  #now: number;
  #numbers = 0;
  #toEvents: DynamoDBRecord[] = [];
  #toHandOver: DynamoDBRecord[] = [];
  #queue: Waiting[] = [];
  #nextClock = 0;

  constructor(options: { readonly random: () => number; readonly now: number; setClock: (now: number) => void }) {
    this.#random = options.random;
    this.#setClock = options.setClock;
    this.#now = options.now;
    this.#setClock(options.now);
  }

  get now(): number {
    return this.#now;
  }

  items(): readonly Item[] {
    return this.#memory.items();
  }

  /** The table of somebody who changes records: it never fails. */
  tableOf(name: string, key = ''): PatientTable {
    return asActor(this.#observed(), { Key: key, Name: name, RequestId: 'r' });
  }

  /** Lets time pass, and everybody work, until a moment. */
  async advance(until: number): Promise<void> {
    for (;;) {
      await this.#work();
      const next = this.#nextMoment();
      if (next > until) break;
      this.#moveTo(Math.max(next, this.#now + SECOND));
    }
    this.#moveTo(Math.max(until, this.#now));
  }

  /** Whether a message is in the queue, or comes within an hour. */
  get isBusy(): boolean {
    return this.#nextMoment() < this.#now + 60 * MINUTE;
  }

  #moveTo(now: number): void {
    this.#now = now;
    this.#setClock(now);
  }

  #happens(share: number, random = this.#random): boolean {
    const happens = share > 0 && random() < share;
    if (happens) this.befallen++;
    return happens;
  }

  #below(count: number, random = this.#random): number {
    return Math.floor(random() * count);
  }

  /** The memory, whose changes are the stream's records; requests of other runs may come in between. */
  #observed(isAlive: () => void = () => undefined, random = this.#random): PatientTable {
    const memory = this.#memory;
    const request = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      for (let turns = this.faults.twice ? this.#below(4, random) : 0; turns > 0; turns--) await Promise.resolve();
      isAlive();
      const answer = await ask();
      isAlive();
      return answer;
    };
    const written = async <Answer>(changes: readonly Change[], write: () => Promise<Answer>): Promise<Answer> => {
      const { transaction, ahead } = partChanges(changes);
      const keys = new Map(
        [...transaction.map(keyOf), ...ahead.flatMap(({ items }) => items)].map((key) => [keyText(key), key]),
      );
      // The memory answers at once, so nothing comes between the images and the write.
      const before = [...keys.values()].map((key) => memory.get(key));
      const done = write();
      const after = [...keys.values()].map((key) => memory.get(key));
      const answer = await done;
      const images = await Promise.all([Promise.all(before), Promise.all(after)]);
      for (const [index] of [...keys].entries()) this.#record(images[0][index], images[1][index]);
      return answer;
    };
    const table: PatientTable = {
      ...memory,
      until: () => table,
      get: (...asked) => request(() => memory.get(...asked)),
      getMany: (...asked) => request(() => memory.getMany(...asked)),
      query: (range) => request(() => memory.query(range)),
      commit: (changes) => request(() => written(changes, () => memory.commit(changes))),
      update: (change) => request(() => written([change], () => memory.update(change))),
      putMany: (items, removals = []) =>
        request(() =>
          written([...items.map((put) => ({ put })), ...removals.map((remove) => ({ remove }))], () =>
            memory.putMany(items, removals),
          ),
        ),
    };
    return table;
  }

  #record(before: Item | undefined, after: Item | undefined): void {
    const image = after ?? before;
    const isRecord = image?.[attributes.entity] !== undefined;
    const isQueued = !before && after?.['Queue'] !== undefined;
    if (!image || (!isRecord && !isQueued)) return;
    const write = (item: Item) => marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue>;
    const record: DynamoDBRecord = {
      eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
      dynamodb: {
        // Streams tell the second.
        ApproximateCreationDateTime: Math.floor(this.#now / SECOND),
        Keys: write({ PK: image.PK, SK: image.SK }),
        ...(before ? { OldImage: write(before) } : {}),
        ...(after ? { NewImage: write(after) } : {}),
        SequenceNumber: String(++this.#numbers),
      },
    };
    if (isRecord) this.#toEvents.push(record);
    if (isQueued) this.#toHandOver.push(record);
  }

  /** A run, which may be killed at one of its requests, and before or after it. */
  #run(): Run {
    const isAway = this.#happens(this.faults.away);
    // Runs beside each other are as random as alone.
    const random = seeded(this.#below(2 ** 32));
    let left = isAway ? 0 : this.#happens(this.faults.killed) ? this.#below(MANY) : Infinity;
    const isAlive = () => {
      if (run.isDead || left-- <= 0) {
        run.isDead = true;
        throw new Killed('killed');
      }
    };
    const deliver = async (
      channel: 'Email' | 'Text',
      to: readonly string[],
      tags: Readonly<Record<string, string>>,
    ) => {
      isAlive();
      const outcome = this.#answer(channel, to, tags, random);
      // The moment that matters most: it is sent, and nobody knows.
      run.isDead = run.isDead || this.#happens(this.faults.killed / 3, random);
      isAlive();
      return outcome;
    };
    const run: Run = {
      table: asActor(this.#observed(isAlive, random), { Key: '', Name: 'worker', RequestId: 'r' }),
      delivery: {
        sendEmail: ({ to, tags }) => deliver('Email', to, tags),
        sendText: ({ to, tags }) => deliver('Text', [to], tags),
      },
      isDead: false,
    };
    return run;
  }

  #answer(
    channel: 'Email' | 'Text',
    to: readonly string[],
    tags: Readonly<Record<string, string>>,
    random: () => number,
  ): DeliveryOutcome {
    if (this.#happens(this.faults.busy, random))
      return { kind: 'busy', seconds: 1 + this.#below(90, random), reason: 'throttled' };
    const isUnknown = this.#happens(this.faults.unknown, random);
    if (isUnknown && random() < 0.5) return { kind: 'unknown', reason: 'no answer' };
    const [PK = '', SK = ''] = Buffer.from(tags['message'] ?? '', 'base64url')
      .toString()
      .split('\n');
    const stored = this.items().find((item) => item.PK === PK && item.SK === SK);
    if (!stored) throw new Error(`An e-mail or a text without a stored message: ${PK} ${SK}`);
    this.sent.push({ at: this.#now, channel, to, stored });
    return isUnknown ? { kind: 'unknown', reason: 'no answer' } : { kind: 'sent', serviceId: String(this.sent.length) };
  }

  /** Works until nothing is due at this moment. */
  async #work(): Promise<void> {
    do {
      if (this.#happens(this.faults.twice)) await Promise.all([this.#deliverEvents(), this.#receive()]);
      await this.#deliverEvents();
      await this.#deliverQueued();
      if (this.#nextClock <= this.#now) await this.#runClock();
      await this.#receive();
    } while (this.#toEvents.length || this.#toHandOver.length || this.#queue.some((each) => this.#isVisible(each)));
  }

  get #options() {
    return { now: new Date(this.#now), deadline: this.#now + DEADLINE };
  }

  /** A batch of a stream as it may come: in order for each item, some records more than once. */
  #batch(records: readonly DynamoDBRecord[]): DynamoDBRecord[] {
    if (!this.faults.again) return [...records];
    return withDuplicates(shuffledAcrossItems(records, this.#random), this.faults.again, this.#random);
  }

  async #deliverEvents(): Promise<void> {
    if (!this.#toEvents.length) return;
    const batch = this.#batch(this.#toEvents.splice(0, 1 + this.#below(20)));
    const run = this.#run();
    const { failures, parked } = await queueEvents(run.table, batch, this.#options);
    const [problem] = parked;
    if (problem) throw problem.error;
    const failed = run.isDead ? 0 : Math.min(...failures.map(({ index }) => index));
    this.#toEvents.unshift(...batch.slice(Number.isFinite(failed) ? failed : batch.length));
  }

  async #deliverQueued(): Promise<void> {
    if (!this.#toHandOver.length) return;
    const batch = this.#batch(this.#toHandOver.splice(0, 1 + this.#below(20)));
    const run = this.#run();
    const { failures } = await handOver(run.table, batch, this.#options, this.#send);
    if (run.isDead || failures.length) this.#toHandOver.unshift(...batch);
  }

  readonly #send: SendMessages = async (outgoing) => {
    if (this.#happens(this.faults.away)) return outgoing;
    for (const { message, delaySeconds = 0 } of outgoing)
      this.#queue.push({ message, receives: 0, visibleAt: this.#now + delaySeconds * SECOND });
    return [];
  };

  async #runClock(): Promise<void> {
    const run = this.#run();
    await sendDelayedMessages(run.table, this.#options, this.#send);
    this.#nextClock = this.#now + MINUTE;
  }

  #isVisible({ visibleAt }: Waiting): boolean {
    return visibleAt <= this.#now;
  }

  async #receive(): Promise<void> {
    const visible = this.#queue.filter((each) => this.#isVisible(each));
    const batch = visible.slice(0, worker.queue.batchSize);
    if (!batch.length) return;
    const isTwice = this.#happens(this.faults.twice);
    const outcomes = await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => this.#handle(batch)));
    const isReceived = new Set(batch);
    this.#queue = [...this.#queue.filter((each) => !isReceived.has(each)), ...outcomes.flat()];
  }

  /** Handles a batch; gives the messages that come again. */
  async #handle(batch: readonly Waiting[]): Promise<Waiting[]> {
    const run = this.#run();
    const received = batch.map(({ message, receives }) => ({ ...message, receives: receives + 1 }));
    const { failures, waiting = [] } = await sendMessages(run.table, received, this.#options, run.delivery);
    const again = new Map<number, number>();
    // Queues hide what was received for six times as long as a run may take, or shorter.
    const hidden = (1 + this.#below(6)) * worker.queue.timeoutSeconds;
    for (const { index } of failures) again.set(index, hidden);
    for (const { index, seconds = hidden } of waiting) again.set(index, seconds);
    for (const index of batch.keys()) {
      if (run.isDead) again.set(index, hidden);
      else if (this.#happens(this.faults.again)) again.set(index, this.#below(120));
    }
    // Both containers are this process, and may share a read.
    const problem = failures.find(({ error }) => !(error instanceof Killed));
    if (problem) throw problem.error;
    return [...again].map(([index, seconds]) => {
      const { message, receives } = batch[index] as Waiting;
      return { message, receives: receives + 1, visibleAt: this.#now + seconds * SECOND };
    });
  }

  #nextMoment(): number {
    const visible = Math.min(...this.#queue.map(({ visibleAt }) => visibleAt));
    const listed = Math.min(
      ...this.items().flatMap((item) => (item.PK.startsWith('DELAYED#') ? [item['At'] as number] : [])),
    );
    return Math.min(visible, Math.max(listed - AHEAD + SECOND, this.#nextClock));
  }
}

const keyOf = (change: Exclude<Change, { ahead: unknown }>) =>
  'put' in change ? change.put : 'update' in change ? change.update : 'remove' in change ? change.remove : change.check;
