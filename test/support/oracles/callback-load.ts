import { setTimeout as pause } from 'node:timers/promises';
import type { PatientTable } from '../../../lib/store/dynamodb/table.ts';
import { appendEvents } from '../../../lib/store/events/events.ts';
import { until } from '../stack/process.ts';
import { type Receiver, startReceiver } from '../receivers.ts';
import { accountStore } from '../../../lib/store/store.ts';

/** The calls of the good receiver. */
export interface Run {
  readonly calls: number;
  /** From the first event to the last call. */
  readonly milliseconds: number;
  /** Of a call behind its event, half of them at most. */
  readonly median: number;
  /** Calls that the others had meanwhile. */
  readonly others: readonly number[];
}

export interface Load {
  readonly events: number;
  /** So many events at once, at each tick. */
  readonly batch: number;
  readonly tickMilliseconds: number;
}

const ACCOUNT = 'callback-load';
const PATIENCE = 120_000;

/**
 * Queues events, one after another for each of three receivers, at fixed times, and waits for all calls of the first.
 * `withOthers`: the second hangs for ever and the third answers 500; otherwise their events do not exist.
 */
export async function runReceivers(
  table: PatientTable,
  { events, batch, tickMilliseconds }: Load,
  { withOthers }: { readonly withOthers: boolean },
): Promise<Run> {
  const good = await startReceiver();
  const others = [
    await startReceiver(() => undefined),
    await startReceiver((_, response) => void response.writeHead(500).end()),
  ];
  const receivers: readonly (Receiver | undefined)[] = [good, ...(withOthers ? others : [undefined, undefined])];
  const queuedAt = new Map<number, number>();
  const startedAt = performance.now();
  for (let first = 0; first < events; first += batch) {
    await pause(Math.max(0, (first / batch) * tickMilliseconds - (performance.now() - startedAt)));
    const due = Array.from({ length: Math.min(batch, events - first) }, (_, index) => first + index + 1);
    const all = due.flatMap((id) => {
      const receiver = receivers[(id - 1) % receivers.length];
      if (!receiver) return [];
      if (receiver === good) queuedAt.set(id, performance.now());
      const targets = [{ target: 'notification', address: `${receiver.url}/` }];
      const payload = JSON.stringify({ Kind: 'contact.created', TransactionKind: null, Id: id });
      return [{ change: `Contact.${id}.1`, payload, calls: { kind: 'contact.created', targets } }];
    });
    await appendEvents(accountStore(table, ACCOUNT), all, new Date(), Date.now() + PATIENCE);
  }
  await until(() => good.calls.length >= queuedAt.size, PATIENCE);
  const late = good.calls
    .map(({ body, at }) => at - (queuedAt.get((JSON.parse(body) as { Payload: { Id: number } }).Payload.Id) ?? 0))
    .sort((one, other) => one - other);
  const last = Math.max(...good.calls.map(({ at }) => at));
  await Promise.all([good, ...others].map((receiver) => receiver.stop()));
  return {
    calls: good.calls.length,
    milliseconds: Math.round(last - startedAt),
    median: Math.round(late[Math.floor(late.length / 2)] ?? 0),
    others: others.map(({ calls }) => calls.length),
  };
}
