import type { SQSRecord } from 'aws-lambda';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { queueHandler } from '../../lib/api/worker-handlers.ts';
import { RETRY_WAITS } from '../../lib/domain/callbacks/retries.ts';
import type { DataSubscriberEvent, EventPayload } from '../../lib/resources/events.ts';
import type { ReceiverAnswer } from '../../lib/shared/web/call-receiver.ts';
import type { OutgoingMessage, QueueOutcome } from '../../lib/shared/queues.ts';
import { MINUTE, SECOND } from '../../lib/shared/time/time.ts';
import {
  callbackKey,
  findCallbacks,
  listCallbacks,
  listDeadCallbacks,
  removedCallbackChanges,
  replayChanges,
} from '../../lib/store/events/callbacks.ts';
import type { CallbackRecord, Webhook } from '../../lib/entities/webhooks.ts';
import { listDueMessages, MESSAGE_SHARDS } from '../../lib/store/events/delayed-messages.ts';
import { type PatientTable, type TableWriter, openTable } from '../../lib/store/dynamodb/table.ts';
import { appendEvents } from '../../lib/store/events/events.ts';
import {
  listWebhooks,
  newWebhookChanges,
  nextSecret,
  nextSecretChange,
  nextWebhookSecretChange,
  findCallbackSecret,
  secretsAt,
  webhookSecretsAt,
  withNextSecret,
} from '../../lib/store/events/webhooks.ts';
import { type CallReceiver, deliverCallbacks } from '../../lib/workflows/callbacks/deliver-callbacks.ts';
import { createWebhook } from '../../lib/workflows/webhooks/create-webhook.ts';
import { handOver } from '../../lib/workflows/queues/background-work.ts';
import { sendDelayedMessages } from '../../lib/workflows/queues/send-delayed-messages.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { until } from '../support/stack/process.ts';
import { type ReceivedCall, startReceiver } from '../support/receivers.ts';
import { bookable, slotIn, weekdays } from '../support/scheduling.ts';
import { drainEvents, testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const KEY = 'k'.repeat(43);
const readKey = () => Promise.resolve(KEY);

/** A webhook of an account, as operations create it. */
async function makeWebhook(table: TableWriter, account: string, content: { Url: string; Kinds: string[] }) {
  const editor = { store: accountStore(table, account), actor: { Key: '', Name: 'test' }, now: new Date() };
  const { webhook, changes } = await createWebhook(content, editor, { allowLoopback: true, readKey });
  await table.commit(changes);
  return webhook;
}

const eventOf = ({ body }: ReceivedCall) => JSON.parse(body) as DataSubscriberEvent;
const payloadOf = (call: ReceivedCall) => eventOf(call).Payload as EventPayload;

describe('a local receiver', () => {
  test('is called once for each event of its address, with the event that subscribers fetch, signed', async () => {
    const receiver = await startReceiver();
    const company = await bookable({
      agents: [{ Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() }],
      services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
    });
    const { accountId, call } = company;
    await makeWebhook(testTable(), accountId, { Url: `${receiver.url}/webhook`, Kinds: ['appointment.*'] });
    const Slots = { NotificationUri: `${receiver.url}/notify`, EnRouteUri: `${receiver.url}/en-route` };
    const { AppointmentId } = slotIn(await company.book('Ann', '2027-03-08T09:00', Slots));
    await call('appointments/update', { AppointmentId, UpdateActuals: true, ActualStart: '2027-03-08T09:05' });
    await call('appointments/update', { AppointmentId, UpdateActuals: true, ActualFinish: '2027-03-08T10:00' });
    await drainEvents();
    await until(() => receiver.calls.length >= 6, 10_000);
    const seen = receiver.calls.map((call) => `${call.path} ${payloadOf(call).Kind}`).sort();
    expect(seen).toEqual([
      '/en-route appointment.started',
      '/notify appointment.booked',
      '/notify appointment.completed',
      '/webhook appointment.booked',
      '/webhook appointment.completed',
      '/webhook appointment.started',
    ]);
    const { body } = await call('datasubscriber/fetch', { EventCount: 1000 });
    const events = body['Events'] as DataSubscriberEvent[];
    for (const call of receiver.calls) expect(events.find(({ Id }) => Id === eventOf(call).Id)).toEqual(eventOf(call));
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(6);
    const states = await listCallbacks(accountStore(testTable(), accountId), { first: 1, last: 100 });
    await until(async () =>
      (await listCallbacks(accountStore(testTable(), accountId), { first: 1, last: 100 })).every(
        ({ State }) => State === 'delivered',
      ),
    );
    expect(states).toHaveLength(6);
    await receiver.stop();
  });

  test('that fails is called again, by the message that waited in its queue', { timeout: 30_000 }, async () => {
    const answers = [500, 204];
    const receiver = await startReceiver((_, response) => void response.writeHead(answers.shift() ?? 204).end());
    const { accountId, call } = await testAccount();
    await makeWebhook(testTable(), accountId, { Url: receiver.url, Kinds: ['task.created'] });
    await call('task/create', { Description: 'Call back' });
    await until(() => receiver.calls.length === 2, 25_000);
    const [first, second] = receiver.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(RETRY_WAITS[0] - SECOND);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await receiver.stop();
  });
});

let engine: TestTable;
let table: PatientTable;
beforeAll(async () => {
  engine = await startTable();
  table = openTable();
});
afterAll(() => engine.stop());

const raise = (message: string): never => {
  throw new Error(message);
};

const START = Date.UTC(2026, 10, 22, 12);
let accounts = 0;

const answer = (status: number | null, more: Partial<ReceiverAnswer> = {}): ReceiverAnswer => ({
  status,
  error: status === null ? 'No answer.' : '',
  timedOut: false,
  retryAfter: undefined,
  milliseconds: 5,
  ...more,
});

/** A worker on a clock of the test's own, with its messages and calls. */
class Clock {
  now = START;
  readonly account = `callbacks${++accounts}`;
  readonly calls: { at: number; headers: Readonly<Record<string, string>>; body: string }[] = [];
  readonly sent: OutgoingMessage[] = [];
  /** Messages that stay in the queue, by their event, and for how many seconds. */
  readonly waiting: { id: number; seconds: number }[] = [];
  isQueueAway = false;
  /** Milliseconds of the last delivery, rounded up: the clock of the worker goes on while it works. */
  took = 0;
  reply: () => ReceiverAnswer = () => answer(200);

  readonly call: CallReceiver = async (_, body, headers) => {
    this.calls.push({ at: this.now, headers, body });
    return this.reply();
  };
  readonly send = async (messages: readonly OutgoingMessage[]) => {
    if (this.isQueueAway) return messages;
    this.sent.push(...messages);
    return [];
  };

  /** Queues events, each with a callback to `address`. */
  queue(ids: readonly number[], address = 'https://hooks.example.com/x', target = 'notification'): Promise<number> {
    const events = ids.map((id) => ({
      change: `Contact.${id}.1`,
      payload: JSON.stringify({ Kind: 'contact.created', TransactionKind: null, Id: id }),
      calls: { kind: 'contact.created', targets: [{ target, address }] },
    }));
    return appendEvents(accountStore(table, this.account), events, new Date(this.now), Date.now() + 10_000);
  }

  async deliver(
    ids: readonly number[],
    { call = this.call, target = 'notification', receives = 1 } = {},
  ): Promise<QueueOutcome> {
    const startedAt = performance.now();
    const messages = ids.map((id) => ({ ...callbackKey({ account: this.account }, id, target), receives }));
    const hide = async (index: number, seconds: number): Promise<void> => {
      this.waiting.push({ id: ids[index] ?? 0, seconds });
    };
    const outcome = await deliverCallbacks(table, messages, { now: new Date(this.now), hide }, { call, readKey });
    this.took = Math.ceil(performance.now() - startedAt);
    return outcome;
  }

  /** Whether a moment is in the last delivery. */
  wasDelivering(moment: number): boolean {
    return moment >= this.now && moment <= this.now + this.took;
  }

  async callback(id = 1, target = 'notification'): Promise<CallbackRecord | undefined> {
    return (await findCallbacks(table, [callbackKey({ account: this.account }, id, target)]))[0];
  }

  /** The moments at which the clock sends a message of the account. */
  async due(): Promise<number[]> {
    const shards = Array.from({ length: MESSAGE_SHARDS }, (_, shard) => shard);
    const all = { through: START + 400 * 24 * 60 * MINUTE, after: undefined };
    const pages = await Promise.all(shards.map((shard) => listDueMessages(table, { shard, ...all })));
    const own = pages
      .flatMap(({ messages }) => messages)
      .filter(({ message }) => message.PK.includes(`#${this.account}#`));
    return own.map(({ at }) => at);
  }
}

describe('a callback', () => {
  test('is written once with its event, however often the event is queued', async () => {
    const clock = new Clock();
    expect([await clock.queue([1, 2]), await clock.queue([1, 2]), await clock.queue([2, 3])]).toEqual([2, 0, 1]);
    const found = await listCallbacks(accountStore(table, clock.account), { first: 1, last: 9 });
    expect(found.map(({ EventId, State }) => [EventId, State])).toEqual([
      [3, 'waiting'],
      [2, 'waiting'],
      [1, 'waiting'],
    ]);
  });

  test('is tried at each wait of the table and not before, with one webhook-id, then kept with its event', async () => {
    const clock = new Clock();
    await clock.queue([1]);
    clock.reply = () => answer(500);
    for (const [attempt, wait] of [...RETRY_WAITS, 0].entries()) {
      await clock.deliver([1]);
      expect(clock.calls).toHaveLength(attempt + 1);
      const callback = await clock.callback();
      if (!wait) break;
      expect(callback).toMatchObject({ State: 'waiting', Attempts: attempt + 1, Reason: 'HTTP 500' });
      const next = callback?.At ?? 0;
      expect(clock.wasDelivering(next - wait), `${next - wait - clock.now} ms of ${clock.took}`).toBe(true);
      // The message stays in its queue or comes by the clock, and before its time it calls nobody.
      const stays = clock.waiting.some(({ seconds }) => clock.wasDelivering(clock.now + wait - seconds * SECOND));
      const isShort = wait <= 5 * MINUTE;
      expect([attempt, stays, (await clock.due()).includes(next)]).toEqual([attempt, isShort, !isShort]);
      clock.waiting.length = 0;
      // Not so close to it that a slow delivery ends behind it.
      clock.now = next - wait + SECOND;
      await clock.deliver([1]);
      expect(clock.calls).toHaveLength(attempt + 1);
      clock.now = next;
    }
    expect(clock.calls).toHaveLength(10);
    expect(new Set(clock.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await clock.callback()).toMatchObject({ State: 'dead', Attempts: 10 });
    expect(await listDeadCallbacks(accountStore(table, clock.account), { limit: 10 })).toMatchObject([
      { EventId: 1, Reason: 'HTTP 500' },
    ]);
    const stored = await table.get(callbackKey({ account: clock.account }, 1, 'notification'));
    const isSecondOfDelivery = (seconds: number) =>
      seconds >= Math.floor(clock.now / SECOND) && seconds * SECOND <= clock.now + clock.took;
    expect(isSecondOfDelivery((stored?.['TTL'] as number) - 30 * 86_400)).toBe(true);
    const [callback] = await listDeadCallbacks(accountStore(table, clock.account), { limit: 10 });
    expect(JSON.parse(callback?.Payload ?? '')).toMatchObject({ Kind: 'contact.created', Id: 1 });

    // A replay needs no event any more.
    await table.putMany([], [{ PK: `A#${clock.account}#EVENTS#0000000000`, SK: '0000000001' }]);
    clock.now += 29 * 86_400 * SECOND;
    if (callback) await table.commit(replayChanges({ account: clock.account }, callback, new Date(clock.now)));
    const replayed = await table.get(callbackKey({ account: clock.account }, 1, 'notification'));
    expect(replayed?.['TTL'], 'time for all its attempts').toBe(Math.floor(clock.now / SECOND) + 30 * 86_400);
    clock.reply = () => answer(204);
    await clock.deliver([1]);
    expect(await clock.callback()).toMatchObject({ State: 'delivered', Attempts: 1 });
    expect(await listDeadCallbacks(accountStore(table, clock.account), { limit: 10 })).toEqual([]);
    expect(clock.calls[10]?.headers['webhook-id']).toBe(clock.calls[0]?.headers['webhook-id']);
  });

  test('is not called again when its message comes again, twice at once, or after it was delivered', async () => {
    const clock = new Clock();
    await clock.queue([1, 2, 3]);
    await Promise.all([clock.deliver([1, 2, 3]), clock.deliver([1, 2, 3]), clock.deliver([3, 2, 1, 1])]);
    await clock.deliver([1, 2, 3]);
    expect(clock.calls).toHaveLength(3);
  });

  test('is called again after a worker died with it', async () => {
    const clock = new Clock();
    await clock.queue([1]);
    const dying: CallReceiver = async () => {
      throw new Error('killed');
    };
    expect((await clock.deliver([1], { call: dying })).failures).toMatchObject([{ index: 0 }]);
    // Its claim holds for 20 s: until then the message waits.
    await clock.deliver([1]);
    expect([clock.calls.length, clock.waiting]).toEqual([0, [{ id: 1, seconds: 25 }]]);
    clock.now += 25 * SECOND;
    await clock.deliver([1]);
    expect(clock.calls).toHaveLength(1);
  });

  test('that is answered with 410 ends at once, and disables its webhook with the reason', async () => {
    const clock = new Clock();
    const { Id } = await makeWebhook(table, clock.account, { Url: 'https://gone.example.com/', Kinds: ['*'] });
    await clock.queue([1, 2], 'https://gone.example.com/', `webhook-${Id}`);
    clock.reply = () => answer(410);
    await clock.deliver([1], { target: `webhook-${Id}` });
    expect(await listWebhooks(accountStore(table, clock.account))).toMatchObject([
      { Disabled: { Reason: 'The receiver answered 410 Gone.' } },
    ]);
    await clock.deliver([2], { target: `webhook-${Id}` });
    expect(clock.calls).toHaveLength(1);
    const dead = await listDeadCallbacks(accountStore(table, clock.account), { limit: 10 });
    expect(dead.map(({ Reason }) => Reason)).toEqual([`Webhook ${Id} is disabled.`, 'HTTP 410']);
  });

  test('waits as long as Retry-After says', async () => {
    const clock = new Clock();
    await clock.queue([1]);
    clock.reply = () => answer(429, { retryAfter: '900' });
    await clock.deliver([1]);
    const [due = 0] = await clock.due();
    expect(clock.wasDelivering(due - 900 * SECOND)).toBe(true);
  });

  test('waits in the table while SQS is away, and is sent by the clock', async () => {
    const clock = new Clock();
    await clock.queue([1]);
    const records = (await engine.records()).filter(({ dynamodb }) => dynamodb?.NewImage?.['Queue']);
    clock.isQueueAway = true;
    const now = new Date(clock.now);
    const own = records.filter(({ dynamodb }) => dynamodb?.Keys?.['PK']?.S?.includes(`#${clock.account}#`));
    expect(await handOver(table, own, { now }, clock.send)).toMatchObject({ failures: [], queued: 1 });
    expect(await clock.due()).toEqual([clock.now]);
    const run = () => sendDelayedMessages(table, { now, deadline: Date.now() + 5_000 }, clock.send);
    expect((await run()).isUnfinished).toBe(true);
    clock.isQueueAway = false;
    expect(await run()).toMatchObject({ failures: [], isUnfinished: false });
    expect(clock.sent).toContainEqual(
      expect.objectContaining({
        queue: 'callbacks',
        message: callbackKey({ account: clock.account }, 1, 'notification'),
      }),
    );
    expect(await clock.due()).toEqual([]);
  });

  test('that is made again is sent by the stream and then not by the clock, unless SQS was away', async () => {
    const clock = new Clock();
    await clock.queue([1]);
    await clock.deliver([1]);
    await engine.records();
    const now = new Date(clock.now);
    const replay = async () => {
      const [callback] = await listCallbacks(accountStore(table, clock.account), { first: 1, last: 1 });
      if (callback) await table.commit(replayChanges({ account: clock.account }, callback, now));
      const own = (await engine.records()).filter(({ dynamodb }) =>
        dynamodb?.NewImage?.['Message']?.M?.['PK']?.S?.includes(`#${clock.account}#`),
      );
      expect(own).toHaveLength(1);
      expect(await handOver(table, own, { now }, clock.send)).toMatchObject({ failures: [], queued: 1 });
    };
    clock.sent.length = 0;
    await replay();
    expect([clock.sent.length, await clock.due()]).toEqual([1, []]);
    clock.isQueueAway = true;
    await replay();
    expect(await clock.due()).toEqual([clock.now]);
  });

  test('of an event about an erased person is removed, dead or waiting, and no other', async () => {
    const clock = new Clock();
    await clock.queue([1, 2]);
    clock.reply = () => answer(410);
    await clock.deliver([1, 2]);
    await table.commit(await removedCallbackChanges(accountStore(table, clock.account), 1));
    expect(
      (await listDeadCallbacks(accountStore(table, clock.account), { limit: 9 })).map(({ EventId }) => EventId),
    ).toEqual([2]);
    expect(
      (await listCallbacks(accountStore(table, clock.account), { first: 1, last: 2 })).map(({ EventId }) => EventId),
    ).toEqual([2]);
  });
});

describe('the signature', () => {
  test('is accepted by an independent verifier, with both secrets while one replaces the other', async () => {
    const clock = new Clock();
    clock.now = Date.now();
    await clock.queue([1, 2]);
    await clock.deliver([1]);
    const first = await findCallbackSecret(accountStore(table, clock.account));
    const [old = ''] = secretsAt(KEY, clock.account, first, clock.now);
    const second = nextSecret(first, clock.now + MINUTE);
    await table.commit([nextSecretChange({ account: clock.account }, first, second)]);
    const [present = ''] = secretsAt(KEY, clock.account, second, clock.now);
    expect(old).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(present).not.toBe(old);
    await clock.deliver([2]);
    const [before, during] = clock.calls;
    const verify = (secret: string, call = during) =>
      new Verifier(secret).verify(call?.body ?? '', { ...call?.headers });
    expect(verify(old, before)).toMatchObject({ Id: 1, Payload: { Kind: 'contact.created', Id: 1 } });
    expect(verify(old)).toMatchObject({ Payload: { Id: 2 } });
    expect(verify(present)).toMatchObject({ Payload: { Id: 2 } });
    expect(() => verify(present, before)).toThrow();
    expect(secretsAt(KEY, clock.account, second, clock.now + MINUTE)).toEqual([present]);
    expect(secretsAt(KEY, 'other', second, clock.now)).not.toContain(present);
  });

  test('of a webhook is by its own secret, also where a record has its address; of one of before by that of the account', async () => {
    const clock = new Clock();
    clock.now = Date.now();
    const { account } = clock;
    const accountSecret = await findCallbackSecret(accountStore(table, account));
    const ofAccount = secretsAt(KEY, account, accountSecret, clock.now);
    const source = { key: KEY, account, accountSecret };
    const Url = 'https://own.example.com/';
    const before: Webhook = { Id: 1, Url, Kinds: ['*'], Created: 1, Disabled: null };
    await table.commit(newWebhookChanges({ account }, before, accountSecret));
    const target = 'webhook-1';
    await clock.queue([1, 2], Url, target);
    await clock.queue([3], Url);
    await clock.queue([4]);
    await clock.deliver([1], { target });
    const first = withNextSecret(before, clock.now + MINUTE);
    await table.commit([nextWebhookSecretChange({ account }, before, first)]);
    await clock.deliver([2], { target });
    await table.commit([nextWebhookSecretChange({ account }, first, withNextSecret(first, clock.now))]);
    await clock.deliver([3]);
    await clock.deliver([4]);
    const signedBy = (call: (typeof clock.calls)[number] | undefined, secrets: readonly string[]) =>
      secrets.map((secret) => {
        try {
          new Verifier(secret).verify(call?.body ?? '', { ...call?.headers });
          return true;
        } catch {
          return false;
        }
      });
    const [own = ''] = webhookSecretsAt(source, first, clock.now);
    const [next = ''] = webhookSecretsAt(source, withNextSecret(first, clock.now), clock.now);
    const secrets = [...ofAccount, own, next];
    expect(clock.calls.map((call) => signedBy(call, secrets))).toEqual([
      [true, false, false],
      [true, true, false],
      [false, false, true],
      [true, false, false],
    ]);
  });

  test('needs no secret in the table, and leaves none in a log, a message or a call, also where all fails', async () => {
    const clock = new Clock();
    clock.now = Date.now();
    const { account, call } = clock;
    const first = await findCallbackSecret(accountStore(table, account));
    const second = nextSecret(first, clock.now + MINUTE);
    await table.commit([nextSecretChange({ account }, first, second)]);
    const lines: string[] = [];
    const keep = (text: string | Uint8Array) => lines.push(String(text)) > 0;
    const streams = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation(keep),
    );
    const answers = [answer(200), answer(500), answer(410), answer(null, { timedOut: true })];
    const [present = ''] = secretsAt(KEY, account, second, clock.now);
    clock.reply = () => answers.pop() ?? raise(`${present} was refused`);
    vi.stubEnv('LOG_LEVEL', 'info');
    const work = queueHandler('callbacks', (_, messages, options) =>
      deliverCallbacks(table, messages, options, { call, readKey }),
    );
    const ids = answers.map((_, index) => index + 1).concat(answers.length + 1);
    for (const id of ids) await clock.queue([id], `https://hooks${id}.example.com/x`);
    const Records = ids.map((id) => ({
      messageId: String(id),
      body: JSON.stringify(callbackKey({ account }, id, 'notification')),
      attributes: { ApproximateReceiveCount: '1' },
    }));
    const { batchItemFailures } = await work({ Records: Records as unknown as SQSRecord[] });
    for (const stream of streams) stream.mockRestore();
    vi.unstubAllEnvs();
    // One failed; those of 500 and without an answer wait for their next attempt.
    expect([batchItemFailures.length, clock.calls.length]).toEqual([3, 5]);
    expect(lines.join('')).toContain('"Failures":1');
    const written = await engine.records();
    expect(JSON.stringify(written)).toContain(account);
    const everything = JSON.stringify([lines, written, clock.calls, clock.sent]);
    for (const secret of secretsAt(KEY, account, second, clock.now))
      for (const form of [
        secret,
        secret.slice('whsec_'.length),
        Buffer.from(secret.slice(6), 'base64').toString('hex'),
      ])
        expect(everything).not.toContain(form);
    expect(everything).not.toContain(KEY);
  });
});

test('a receiver that hangs delays the next attempt of no other one', async () => {
  const clock = new Clock();
  await clock.queue([1], 'https://hangs.example.com/x');
  await clock.queue([2], 'https://fails.example.com/x');
  const { promise: hanging, resolve: end } = Promise.withResolvers<ReceiverAnswer>();
  const call: CallReceiver = async (address) => (address.includes('hangs') ? hanging : answer(500));
  const delivery = clock.deliver([1, 2], { call });
  await vi.waitFor(() => expect(clock.waiting.map(({ id }) => id)).toEqual([2]), { timeout: 10_000 });
  const [{ seconds } = { seconds: 0 }] = clock.waiting;
  expect(seconds).toBeLessThanOrEqual(6);
  end(answer(null, { timedOut: true }));
  expect((await delivery).waiting).toHaveLength(2);
  expect(clock.waiting.map(({ id }) => id)).toEqual([2, 1]);
});

describe('a host', () => {
  test('that does not answer is left alone for a while; nobody counts that as an attempt', async () => {
    const clock = new Clock();
    await clock.queue([1, 2]);
    clock.reply = () => answer(null, { timedOut: true, milliseconds: 10_000 });
    await clock.deliver([1]);
    await clock.deliver([2]);
    expect(clock.calls).toHaveLength(1);
    expect(await clock.callback(2)).toMatchObject({ Attempts: 0, State: 'waiting' });
    const waiting = clock.waiting.at(-1);
    expect([5, 6].map((seconds) => ({ id: 2, seconds }))).toContainEqual(waiting);
    clock.now += 6 * SECOND;
    clock.reply = () => answer(200);
    await clock.deliver([2]);
    expect(await clock.callback(2)).toMatchObject({ State: 'delivered' });
  });

  test('has its callbacks called as soon as a slot is free, also those that claimed one in vain', async () => {
    const clock = new Clock();
    await clock.queue([1, 2, 3, 4]);
    const hanging = Promise.withResolvers<ReceiverAnswer>();
    const called: string[] = [];
    const slow: CallReceiver = (_, body) => {
      called.push(body);
      return hanging.promise;
    };
    const deliver = (id: number) => clock.deliver([id], { call: slow });
    const first = [1, 2, 3, 4].map(deliver);
    await until(() => called.length === 2 && clock.waiting.length === 2);
    hanging.resolve(answer(200));
    await Promise.all(first);
    clock.now += 2 * SECOND;
    await Promise.all(clock.waiting.map(({ id }) => deliver(id)));
    expect(called).toHaveLength(4);
  });

  test('that hangs has two containers at a time; the other callbacks of a batch are not held up', async () => {
    const clock = new Clock();
    await clock.queue([1, 2, 3, 4]);
    await clock.queue([5], 'https://good.example.com/');
    const hanging = Promise.withResolvers<ReceiverAnswer>();
    const slow: CallReceiver = (address, body, headers) => {
      void clock.call(address, body, headers);
      return address.includes('good') ? Promise.resolve(answer(200)) : hanging.promise;
    };
    const deliver = (ids: number[], receives = 1) => clock.deliver(ids, { call: slow, receives });
    const first = Promise.all([deliver([1]), deliver([2])]);
    await until(() => clock.calls.length === 2);
    await deliver([3, 5]);
    expect(await clock.callback(5)).toMatchObject({ State: 'delivered' });
    for (const receives of [1, 8, 40]) await deliver([4], receives);
    expect(clock.calls).toHaveLength(3);
    // The oftener a message was received, the longer it waits; at last it waits in the table.
    expect(clock.waiting).toEqual([1, 1, 8, 30].map((seconds, index) => ({ id: index ? 4 : 3, seconds })));
    expect(await clock.due()).toEqual([]);
    await deliver([4], 50);
    expect([clock.waiting.length, (await clock.due()).length]).toEqual([4, 1]);
    hanging.resolve(answer(null, { timedOut: true, milliseconds: 10_000 }));
    await first;
  });
});
