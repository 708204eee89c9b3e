import { type Output, moment, described, id, int32, list, nullable, resource, text, numbered } from './fields.ts';

/** A URL that is called for every event of the chosen kinds. */
export const Webhook = resource('Webhook', () => ({
  Id: id(),
  Url: text(2048),
  Kinds: described(list(text(100), 100), 'appointment.booked, appointment.* or *.'),
  CreatedAt: moment(),
  DisabledAt: described(nullable(moment()), 'Since when it is not called; null while it is called.'),
  DisabledReason: text(200),
}));
export type Webhook = Output<typeof Webhook>;

export const callStates = ['waiting', 'delivered', 'dead'] as const;

/** A call of a URL for an event: the URL of a webhook, or of the record. */
export const WebhookCall = resource('WebhookCall', () => ({
  Id: described(text(50), 'The event and what is called: 12-webhook-1, 12-notification.'),
  EventId: id(),
  WebhookId: described(nullable(id()), 'null for an address of the record.'),
  Kind: text(100),
  Address: text(2048),
  State: described(numbered(callStates), 'dead: given up, and not called again unless it is replayed.'),
  Attempts: int32(),
  At: described(moment(), 'When it is called next, was delivered, or was given up.'),
  Reason: described(text(), 'Why the last attempt failed.'),
}));
export type WebhookCall = Output<typeof WebhookCall>;
