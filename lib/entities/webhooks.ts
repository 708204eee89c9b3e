import { type RecordOf, entity } from './entity.ts';
import { flag, id, moment, number, object, text, texts } from './fields.ts';

/** A subscription of an account: its address is called with every event of some kinds. */
export const webhookEntity = entity('Webhook', {
  Id: id(),
  Url: text({ required: true }),
  /** `appointment.booked`, `appointment.*` or `*`. */
  Kinds: texts(),
  Created: moment({ required: true }),
  /** Why it is not called any more. */
  Disabled: object({ At: moment({ required: true }), Reason: text() }, { nullable: true }),
});
export type Webhook = RecordOf<typeof webhookEntity>;

/** The versions of an account's secret; the secret itself follows from the deployment's key. */
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
