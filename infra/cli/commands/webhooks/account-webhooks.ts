import type { Webhook, WebhookCall } from '../../../../lib/resources/webhooks.ts';

export type Call = Pick<WebhookCall, 'WebhookId' | 'State' | 'Reason'>;

/** `webhook list` counts failed calls among this many of the newest events. */
export const LISTED_EVENTS = 500;

/** The result of a test call. */
export type TestAnswer = { readonly Status: number | null; readonly Reason: string; readonly Milliseconds: number };

export interface Content {
  readonly url: string;
  readonly kinds: readonly string[];
}

/** The webhooks of an account, over HTTP or on the table. */
export interface Webhooks {
  create(content: Content): Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  /** All webhooks, and the calls for the newest events, newest first. */
  list(): Promise<{ readonly webhooks: readonly Webhook[]; readonly calls: readonly Call[] }>;
  update(id: number, change: Partial<Content> & { enabled?: true; paused?: boolean }): Promise<Webhook>;
  /** Sends the calls that were kept while it was paused. Returns their number. */
  makeKept(id: number): Promise<number>;
  remove(id: number): Promise<void>;
  /** Without an id, rotates the account's secret. */
  rotate(id: number | undefined, grace: number): Promise<{ readonly secret: string; readonly previousUntil: string }>;
  test(id: number): Promise<TestAnswer>;
}
