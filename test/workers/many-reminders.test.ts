import { expect, test } from 'vitest';
import { outbox } from '../../functions/workers/outbox.ts';
import { outcomeOf } from '../../lib/delivery/outcome.ts';
import type { OutgoingMessage, QueueName } from '../../lib/shared/queues.ts';
import { HOUR, MINUTE, SECOND } from '../../lib/shared/time/time.ts';
import { writeDelayedMessages } from '../../lib/store/events/delayed-messages.ts';
import { triggerKey } from '../../lib/store/events/message-plans.ts';
import { sendDelayedMessages } from '../../lib/workflows/queues/send-delayed-messages.ts';
import { memoryTable } from '../support/stack/memory-table.ts';

/** 5,000 reminders of one company that are due at once. */
const REMINDERS = 5_000;

test('5,000 reminders that are due at once leave the list in one run, and messages of other queues with them', async () => {
  const { table: memory, items } = memoryTable();
  const requests = { query: 0, remove: 0 };
  const table: typeof memory = {
    ...memory,
    until: () => table,
    query: (range) => (requests.query++, memory.query(range)),
    putMany: (puts, removals = []) => (requests.remove++, memory.putMany(puts, removals)),
  };
  const now = new Date();
  const at = now.getTime() + MINUTE;
  const reminderOf = (id: number) =>
    triggerKey({ account: 'busy' }, { noun: 'Appointment', id, topic: 'Reminder-24', at });
  const callbackOf = (id: number) => ({ PK: 'A#other#CALLBACKS', SK: `${id}` });
  const listed = (queue: QueueName, message: ReturnType<typeof callbackOf>, due = at) => ({ queue, message, at: due });
  await writeDelayedMessages(memory, [
    ...Array.from({ length: REMINDERS }, (_, id) => listed('outbox', reminderOf(id))),
    ...Array.from({ length: 100 }, (_, id) => listed('callbacks', callbackOf(id))),
    ...Array.from({ length: 50 }, (_, id) => listed('outbox', reminderOf(REMINDERS + id), at + HOUR)),
  ]);
  const sent: OutgoingMessage[] = [];
  const outcome = await sendDelayedMessages(table, { now, deadline: Date.now() + MINUTE }, async (outgoing) => {
    sent.push(...outgoing);
    return [];
  });
  expect(outcome).toEqual({ done: REMINDERS + 100, failures: [], isUnfinished: false });
  const byQueue = Map.groupBy(sent, ({ queue }) => queue);
  expect(new Set(byQueue.get('outbox')?.map(({ message }) => message.PK)).size).toBe(REMINDERS);
  expect(byQueue.get('callbacks')).toHaveLength(100);
  // None comes early.
  expect(Math.min(...sent.map(({ delaySeconds = 0 }) => delaySeconds))).toBeGreaterThan(50);
  expect(items()).toHaveLength(50);
  // Each of the 8 shards reads and removes some 640 entries in pages of 100, one after the other, beside the others.
  expect(requests.query).toBeLessThanOrEqual(8 * 8);
  expect(requests.remove).toBe(requests.query);
});

test('and are sent within 10 minutes at 14 a second by the workers of their queue, none given up', () => {
  const { batchSize, maximumConcurrency, maxReceiveCount } = outbox.queue;
  const throttled = Object.assign(new Error('Maximum sending rate exceeded.'), { name: 'TooManyRequestsException' });
  const busy = outcomeOf(throttled);
  if (busy.kind !== 'busy') throw new Error('a throttle is no reason to wait');
  const RATE = 14;
  // A run takes a second, which is several times as long as its requests take.
  const attempts = batchSize * maximumConcurrency;
  let waiting = Array.from({ length: REMINDERS }, () => ({ from: 0, receives: 0, isDecided: false }));
  let seconds = 0;
  let most = 0;
  let received = 0;
  for (; waiting.length; seconds++) {
    let room = RATE;
    const ready = waiting.filter(({ from }) => from <= seconds).slice(0, attempts);
    const done = new Set<object>();
    for (const message of ready) {
      received++;
      most = Math.max(most, ++message.receives);
      if (!message.isDecided) {
        // The message that was decided comes by the stream, to the end of the queue.
        done.add(message);
        waiting.push({ from: seconds + 2, receives: 0, isDecided: true });
      } else if (room > 0) {
        room--;
        done.add(message);
      } else message.from = seconds + busy.seconds;
    }
    waiting = waiting.filter((message) => !done.has(message));
  }
  expect(seconds * SECOND).toBeLessThan(10 * MINUTE);
  expect(seconds).toBeGreaterThanOrEqual(REMINDERS / RATE);
  expect(most).toBeLessThan(maxReceiveCount / 2);
  expect(received).toBeLessThan(REMINDERS * 6);
});
