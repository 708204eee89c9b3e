import type { EventPayload } from '../resources/events.ts';
import { noTransaction } from './transaction.ts';

/** Most bytes of `Data`; 1 KB is 1,000 bytes. */
const MOST_DATA_BYTES = 100_000;
const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The same without the fields of transactions, where they would only say that it is none. */
function shortened(event: EventPayload): Partial<EventPayload> {
  if (event.TransactionKind !== null) return event;
  const short: Partial<Record<keyof EventPayload, unknown>> = { ...event };
  for (const name of Object.keys(noTransaction) as (keyof typeof noTransaction)[]) delete short[name];
  return short as Partial<EventPayload>;
}

/**
 * The event as JSON, which is how the queue keeps it: with `Data` of more than 100 KB left out and `Truncated` set, and
 * without the 200 bytes that say of other events than transactions that they are none, which would often cost a write
 * unit.
 */
export function textOf(event: EventPayload): string {
  const kept = shortened(event);
  const text = JSON.stringify(kept);
  // Three bytes are the most that a UTF-16 unit takes: an ordinary event is not measured at all.
  const small =
    text.length * 3 <= MOST_DATA_BYTES ||
    bytesOf(text) <= MOST_DATA_BYTES ||
    bytesOf(JSON.stringify(event.Data)) <= MOST_DATA_BYTES;
  return small ? text : JSON.stringify({ ...kept, Data: null, Truncated: true });
}

/** The event of a text, complete again. */
export const payloadOf = (text: string): EventPayload => ({
  ...noTransaction,
  ...(JSON.parse(text) as Omit<EventPayload, keyof typeof noTransaction>),
});
