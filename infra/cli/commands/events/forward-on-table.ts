import { setTimeout as pause } from 'node:timers/promises';
import { subscriberEvent } from '../../../../lib/events/event-text.ts';
import type { DataSubscriberEvent } from '../../../../lib/resources/events.ts';
import { SECOND } from '../../../../lib/shared/time/time.ts';
import { endOfPage, newestPresent } from '../../../../lib/store/events/event-sequence.ts';
import { findQueue, listEvents, writeClearedThrough } from '../../../../lib/store/events/events.ts';
import { findCallbackSecret, secretsAt, writeSecretShown } from '../../../../lib/store/events/webhooks.ts';
import { type ForwardOptions, type ReadEvent } from './event-options.ts';
import { deliveryLine, postEvent } from './post-event.ts';
import type { AccountOption } from '../../options.ts';
import { openAccount, openCallbackKey } from '../../target.ts';
import type { StoreWriter } from '../../../../lib/store/store.ts';

const EVENTS_PER_READ = 100;

const warn = (line: string): void => void process.stderr.write(`${line}\n`);

/** The events that the receiver lacks; a subscriber of its own keeps track of them. */
class Backlog {
  readonly #store: StoreWriter;
  readonly #subscriber: string;

  constructor(store: StoreWriter, subscriber: string) {
    this.#store = store;
    this.#subscriber = subscriber;
  }

  /** Skips the events up to an id, or all existing ones. */
  async skipTo(since: 'now' | number): Promise<void> {
    if (since !== 'now') return this.clear(since);
    const { last, absent } = await findQueue(this.#store, this.#subscriber, new Date());
    const newest = newestPresent(absent, last);
    if (newest) await this.clear(newest);
  }

  /** The oldest events that have not been delivered. */
  async nextEvents(): Promise<readonly DataSubscriberEvent[]> {
    const { next, last, absent } = await findQueue(this.#store, this.#subscriber, new Date());
    if (next > last) return [];
    const newest = endOfPage(absent, next, last, EVENTS_PER_READ);
    const { events } = await listEvents(this.#store, next, newest, absent);
    return events.map(subscriberEvent);
  }

  /**
   * Records that the receiver has an event or does not want it. If the process is killed before this, the event is
   * posted again.
   */
  async clear(throughId: number): Promise<void> {
    await writeClearedThrough(this.#store, this.#subscriber, throughId, new Date());
  }
}

/** Shows the account's secret, unless it has been shown before. */
async function showSecret(store: StoreWriter, key: string): Promise<void> {
  const { account } = store;
  const secret = await findCallbackSecret(store);
  if (secret.Shown) return warn('Signed with the secret of the account. webhook rotate-secret shows a new one.');
  const [value = ''] = secretsAt(key, account, secret, Date.now());
  warn(`Signed with the secret of the account, which is shown only once: ${value}`);
  await writeSecretShown(store);
}

/** `events forward`: its own subscriber remembers its progress. */
export async function forward({
  to,
  subscriber,
  kinds,
  since,
  json = false,
  ...options
}: ForwardOptions & AccountOption): Promise<void> {
  const { store } = await openAccount(options);
  const key = await openCallbackKey();
  const backlog = new Backlog(store, subscriber);
  await showSecret(store, key);
  if (since !== undefined) await backlog.skipTo(since);
  const receiver = {
    to,
    messageId: ({ Id }: ReadEvent) => `${store.account}_${Id}_forward`,
    secrets: async () => secretsAt(key, store.account, await findCallbackSecret(store), Date.now()),
  };
  for (;;) {
    const events = await backlog.nextEvents();
    for (const event of events) {
      const isWanted = !kinds || kinds.includes(event.Payload?.Kind ?? '');
      const answer = isWanted ? await postEvent(event, receiver) : undefined;
      await backlog.clear(event.Id);
      if (answer) process.stdout.write(`${deliveryLine(event, answer, json)}\n`);
    }
    if (!events.length) await pause(SECOND);
  }
}
