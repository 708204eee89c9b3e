import type { Channel, MessageKind } from '../../entities/message-kinds.ts';

/** What a company decides about its messages, as it applies to an organization. */

/** The languages of messages, which are those of the pages. */
export type MessageLanguage = 'en' | 'es';

/** Texts of the company's own in place of ours; templates with named fields. */
export interface OwnTexts {
  readonly subject?: string;
  /** The paragraphs of the e-mail. */
  readonly body?: string;
  /** The text message. */
  readonly text?: string;
}

export interface KindSettings {
  /** Empty: this message is not sent. */
  readonly channels: readonly Channel[];
  /** Reminder: hours before the visit; HowWasIt: hours after it. */
  readonly hours: readonly number[];
  /** ProposalExpiring, InvoiceDue: days before; InvoiceOverdue: the days between two of them. */
  readonly days: number;
  readonly texts: Readonly<Partial<Record<MessageLanguage, OwnTexts>>>;
}

export interface MessageSettings {
  readonly isOn: boolean;
  /** When it was turned on: older invoices and payments are not told. Milliseconds since 1970. */
  readonly since: number;
  /** The name of the sender; `''` for the organization's PublicName. */
  readonly senderName: string;
  /** `''` for the organization's Email. */
  readonly replyTo: string;
  /** The addresses of the office. */
  readonly notify: readonly string[];
  /** How long changes of a visit are gathered before they are told. */
  readonly delaySeconds: number;
  readonly language: MessageLanguage;
  /** Whether the office gets a task for a contact that has no usable address. */
  readonly taskWithoutAddress: boolean;
  readonly kinds: Readonly<Record<MessageKind, KindSettings>>;
}

/** InvoiceOverdue is sent at most this often. */
export const MAX_OVERDUE = 3;
