/** Sending by Amazon SES and AWS End User Messaging. */

interface Tagged {
  /** Names the message in the reports of the service: account and key of the message. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface OutgoingEmail extends Tagged {
  /** Addresses; each is one recipient, whatever it has. */
  readonly to: readonly string[];
  /** The local part and the domain are those of the deployment. */
  readonly senderName: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: string | Buffer;
  }[];
  readonly headers: Readonly<Record<string, string>>;
}

interface OutgoingText extends Tagged {
  /** A phone number in E.164 form. */
  readonly to: string;
  readonly text: string;
}

/**
 * `sent`: the service took it. `refused`: it never will. `busy`: not now; ask again after `seconds`. `unknown`: the
 * answer was lost, and it may have been sent.
 */
export type DeliveryOutcome =
  | { readonly kind: 'sent'; readonly serviceId: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'busy'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Delivery {
  readonly sendEmail: (email: OutgoingEmail) => Promise<DeliveryOutcome>;
  readonly sendText: (text: OutgoingText) => Promise<DeliveryOutcome>;
}
