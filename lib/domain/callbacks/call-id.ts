/** Identifies a call: the event, and what it calls. */
export interface CallId {
  readonly event: number;
  readonly target: string;
}

/** `12-notification` or `12-webhook-1`; `undefined` for any other text. */
export function parseCallId(text: string): CallId | undefined {
  const [, event, target] = /^(\d{1,10})-([a-z]+(?:-[a-z0-9]+)?)$/.exec(text) ?? [];
  return event && target ? { event: Number(event), target } : undefined;
}

export const formatCallId = ({ event, target }: CallId): string => `${event}-${target}`;
