import type { CallbackRecord } from '../../entities/webhooks.ts';
import type { EventPayload } from '../../resources/events.ts';
import { hostOf } from './targets.ts';

/** A call of a webhook, or of the address of a record, that was given up. */
export interface FailedCall {
  /** `contact.updated`. */
  readonly kind: string;
  /** Not the whole address, which may hold a password. */
  readonly host: string;
  /** When it was given up. */
  readonly at: number;
  readonly reason: string;
}

export const toFailedCall = (call: CallbackRecord): FailedCall => ({
  kind: call.Kind,
  host: hostOf(call),
  at: call.At,
  reason: call.Reason,
});

/** Whether a call that was given up is for an event of the organization. */
export const isCallOf = ({ Payload = '{}' }: CallbackRecord, organizationId: number): boolean =>
  (JSON.parse(Payload) as Partial<EventPayload>).OrganizationId === organizationId;
