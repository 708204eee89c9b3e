/** A subscription of an account: its address is called with every event of some kinds. */
export interface Webhook {
  readonly Id: number;
  readonly Url: string;
  /** `appointment.booked`, `appointment.*` or `*`. */
  readonly Kinds: readonly string[];
  readonly Created: number;
  /** Why it is not called any more. */
  readonly Disabled: { readonly At: number; readonly Reason: string } | null;
}

/** An event calls at most so many, in the transaction that queues it. */
export const MAX_WEBHOOKS = 10;

/** Whether a webhook is called with events of a kind. */
export const wantsKind = ({ Kinds }: Pick<Webhook, 'Kinds'>, kind: string): boolean =>
  Kinds.some((pattern) => pattern === '*' || pattern === kind || pattern === `${kind.split('.')[0]}.*`);
