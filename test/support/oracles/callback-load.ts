import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { appendEvents } from '../../../lib/store/events/events.ts';
import { until } from '../stack/process.ts';
import { type Receiver, startReceiver } from '../receivers.ts';

interface Run {
  readonly calls: number;
  /** From the first event to the last call of the good receiver. */
  readonly milliseconds: number;
}

interface Load {
  readonly events: number;
  /** So many events at once, at each tick. */
  readonly batch: number;
  readonly tickMilliseconds: number;
}

/**
 * Queues events of an account of its own, one after another for each of the receivers, at fixed times; `undefined` has
 * no event. Waits for all calls of the first.
 */
async function runReceivers(
  table: TableWriter,
  receivers: readonly (Receiver | undefined)[],
  { events, batch, tickMilliseconds }: Load,
): Promise<Run> {
  const account = randomUUID().slice(0, 12);
  const [good] = receivers;
  const expected = Math.ceil(events / receivers.length);
  const startedAt = performance.now();
  for (let first = 0; first < events; first += batch) {
    await pause(Math.max(0, (first / batch) * tickMilliseconds - (performance.now() - startedAt)));
    const due = Array.from({ length: Math.min(batch, events - first) }, (_, index) => first + index + 1);
    const all = due.flatMap((id) => {
      const receiver = receivers[(id - 1) % receivers.length];
      const targets = [{ target: 'notification', address: `${receiver?.url}/` }];
      const payload = JSON.stringify({ Kind: 'contact.created', TransactionKind: null, Id: id });
      return receiver ? [{ change: `Contact.${id}.1`, payload, calls: { kind: 'contact.created', targets } }] : [];
    });
    await appendEvents(table, account, all, new Date(), Date.now() + 60_000);
  }
  await until(() => (good?.calls.length ?? 0) >= expected, 60_000);
  const last = Math.max(...(good?.calls ?? []).map(({ at }) => at));
  return { calls: good?.calls.length ?? 0, milliseconds: Math.round(last - startedAt) };
}

/**
 * The calls of a good receiver without others; beside two that answer at once, which takes as much of the processor; and
 * beside one that hangs for ever and one that answers 500.
 */
export async function compareReceivers(
  table: TableWriter,
  load: Load,
): Promise<{ alone: Run; equal: Run; beside: Run; hanging: number; failing: number }> {
  const good = await startReceiver();
  const others = [await startReceiver(), await startReceiver()];
  const hangs = await startReceiver(() => undefined);
  const fails = await startReceiver((_, response) => void response.writeHead(500).end());
  try {
    const alone = await runReceivers(table, [good, undefined, undefined], load);
    good.calls.length = 0;
    const equal = await runReceivers(table, [good, ...others], load);
    good.calls.length = 0;
    const beside = await runReceivers(table, [good, hangs, fails], load);
    return { alone, equal, beside, hanging: hangs.calls.length, failing: fails.calls.length };
  } finally {
    await Promise.all([good, ...others, hangs, fails].map((receiver) => receiver.stop()));
  }
}
