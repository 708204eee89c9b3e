import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, moment, number, object, text, texts, word } from './declaration/fields.ts';

/** A subscription of an account: its address is called with every event of some kinds. */
export const webhookEntity = entity('Webhook', {
  Id: id(),
  Url: text({ required: true }),
  /** `appointment.booked`, `appointment.*` or `*`. */
  Kinds: texts(),
  Created: moment({ required: true }),
  /** The version of its own secret; absent in one that is signed with the account's secret. */
  SecretVersion: number({ optional: true }),
  /** Until when the version before is valid too; before the first, the secret of the account. */
  SecretPreviousUntil: moment({ optional: true }),
  /** Why it is not called any more. Calls of one that is paused are made all the same, and kept until it is resumed. */
  Disabled: object(
    { At: moment({ required: true }), Reason: text(), Paused: flag({ optional: true }) },
    { nullable: true },
  ),
});
export type Webhook = RecordOf<typeof webhookEntity>;

/**
 * The versions of an account's secret, which signs calls of addresses of records; the secret itself follows from the
 * deployment's key.
 */
export const callbackSecretEntity = entity('CallbackSecret', {
  Version: number({ absent: 1 }),
  /** Until when the version before is valid too. */
  PreviousUntil: moment(),
  /** Whether somebody has been shown it. */
  Shown: flag(),
  /** The webhook that was created last; 0 before the first. */
  NewestWebhook: number(),
});
export type CallbackSecret = RecordOf<typeof callbackSecretEntity>;

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

/** A message that is sent to its queue by the clock, and with `Queue` at once by the stream too. */
export const delayedMessageEntity = entity('DelayedMessage', {
  To: word(['callbacks', 'downloads', 'copies', 'checkouts', 'merges', 'signins'], { required: true }),
  Queue: word(['callbacks']),
  Message: object({ PK: text({ required: true }), SK: text({ required: true }) }, { required: true }),
  At: moment({ required: true }),
});
