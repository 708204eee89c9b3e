import { type RecordOf, entity } from './entity.ts';
import { id, moment, number, object, text, word } from './fields.ts';

const nameOfCallback = {
  EventId: id(),
  /** `notification`, `webhook-1`, … */
  Target: text({ required: true }),
};

/** A call of an address with an event: written with the event, and kept for 30 days. */
export const callbackEntity = entity('Callback', {
  ...nameOfCallback,
  Address: text({ required: true }),
  Kind: text({ required: true }),
  State: word(['waiting', 'delivered', 'dead'], { required: true }),
  Attempts: number(),
  /** When its attempts began: a replay begins again. */
  Created: moment({ required: true }),
  /** When its event was queued; absent in those of earlier versions, which were queued when they were created. */
  QueuedAt: moment({ optional: true }),
  /** When it is called next, delivered or given up. */
  At: moment({ required: true }),
  /** Why the last attempt failed. */
  Reason: text(),
  /** The event's JSON, of a callback that was given up: the event may expire before it. */
  Payload: text({ optional: true }),
});
/** With the account of its key. */
export type CallbackRecord = RecordOf<typeof callbackEntity> & { readonly Account: string; readonly QueuedAt: number };

/** The entry of a callback in the list of those that were given up. */
export const deadCallbackEntity = entity('DeadCallback', nameOfCallback);

/** How much of the worker a host may occupy (lib/domain/callbacks/host-limits.ts). */
export const callbackHostEntity = entity('CallbackHost', {
  Slots: number({ absent: 2 }),
  PausedUntil: moment(),
  Timeouts: number(),
});

/** A message that is sent to its queue by the clock. */
export const delayedMessageEntity = entity('DelayedMessage', {
  To: word(['callbacks', 'downloads', 'copies'], { required: true }),
  Message: object({ PK: text({ required: true }), SK: text({ required: true }) }, { required: true }),
  At: moment({ required: true }),
});
