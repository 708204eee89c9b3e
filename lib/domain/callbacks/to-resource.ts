import type { CallbackRecord, Webhook as WebhookRecord } from '../../entities/webhooks.ts';
import type { Webhook, WebhookCall } from '../../resources/webhooks.ts';
import { toUtc } from '../../shared/time/time.ts';
import { formatCallId } from './call-id.ts';
import { webhookIdOf } from './targets.ts';

export const webhookToResource = ({ Id, Url, Kinds, Created, Disabled }: WebhookRecord): Webhook => ({
  Id,
  Url,
  Kinds,
  CreatedAt: toUtc(Created),
  DisabledAt: Disabled && toUtc(Disabled.At),
  DisabledReason: Disabled?.Reason ?? '',
});

export const callToResource = ({ EventId, Target, Kind, Address, State, Attempts, At, Reason }: CallbackRecord) =>
  ({
    Id: formatCallId({ event: EventId, target: Target }),
    EventId,
    WebhookId: webhookIdOf(Target) ?? null,
    Kind,
    Address,
    State,
    Attempts,
    At: toUtc(At),
    Reason,
  }) satisfies WebhookCall;
