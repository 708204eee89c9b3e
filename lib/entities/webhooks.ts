import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, moment, number, object, text, texts, word } from './declaration/fields.ts';

/** A subscription of an account: its URL is called for every event of the chosen kinds. */
export const webhookEntity = entity('Webhook', {
  Id: id(),
  Url: text({ required: true }),
  /** `appointment.booked`, `appointment.*` or `*`. */
  Kinds: texts(),
  Created: moment({ required: true }),
  /** The version of its own secret; absent if calls are signed with the account's secret. */
  SecretVersion: number({ optional: true }),
  /** Until when the previous version (or, before the first, the account's secret) is valid too. */
  SecretPreviousUntil: moment({ optional: true }),
  /** Why it is no longer called. Calls of a paused webhook are still created, and kept until it is resumed. */
  Disabled: object(
    { At: moment({ required: true }), Reason: text(), Paused: flag({ optional: true }) },
    { nullable: true },
  ),
});
export type Webhook = RecordOf<typeof webhookEntity>;

/**
 * The versions of an account's secret, which signs calls to URLs of records; the secret itself is derived from the
 * deployment's key.
 */
export const callbackSecretEntity = entity('CallbackSecret', {
  Version: number({ absent: 1 }),
  /** Until when the previous version is valid too. */
  PreviousUntil: moment(),
  /** Whether anybody has been shown it. */
  Shown: flag(),
  /** The webhook that was created last, or 0. */
  NewestWebhook: number(),
});
export type CallbackSecret = RecordOf<typeof callbackSecretEntity>;

const nameOfCallback = {
  EventId: id(),
  /** `notification`, `webhook-1`, … */
  Target: text({ required: true }),
};

/** A call of a URL for an event: written with the event, and kept for 30 days. */
export const callbackEntity = entity('Callback', {
  ...nameOfCallback,
  Address: text({ required: true }),
  Kind: text({ required: true }),
  State: word(['waiting', 'delivered', 'dead'], { required: true }),
  Attempts: number(),
  /** When its attempts started; a replay starts again. */
  Created: moment({ required: true }),
  /** When its event was queued; absent in those of earlier versions, which were queued when created. */
  QueuedAt: moment({ optional: true }),
  /** When it is called next, or was delivered or given up. */
  At: moment({ required: true }),
  /** Why the last attempt failed. */
  Reason: text(),
  /** The event's JSON, for a callback that was given up, because the event may expire first. */
  Payload: text({ optional: true }),
});
/** A callback with the account from its key. */
export type CallbackRecord = RecordOf<typeof callbackEntity> & { readonly Account: string; readonly QueuedAt: number };

/** The entry of a callback in the list of those that were given up. */
export const deadCallbackEntity = entity('DeadCallback', nameOfCallback);

/** How much of the worker's capacity a host may occupy (lib/domain/callbacks/host-limits.ts). */
export const callbackHostEntity = entity('CallbackHost', {
  Slots: number({ absent: 2 }),
  PausedUntil: moment(),
  Timeouts: number(),
});

/** A message that is sent to its queue on schedule, and with `Queue` by the stream at once too. */
export const delayedMessageEntity = entity('DelayedMessage', {
  To: word(['callbacks', 'downloads', 'copies', 'checkouts', 'merges', 'signins', 'outbox'], { required: true }),
  Queue: word(['callbacks', 'outbox']),
  Message: object({ PK: text({ required: true }), SK: text({ required: true }) }, { required: true }),
  At: moment({ required: true }),
});
