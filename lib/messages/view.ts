import type { MessageKind } from '../entities/message-kinds.ts';
import type { MessageLanguage, OwnTexts } from '../domain/messages/settings.ts';
import type { Company } from '../pages/frame.ts';

/** A visit as a message shows it. */
export interface MessageVisit {
  readonly id: number;
  /** The beginning of the arrival window, or the start. */
  readonly start: number;
  /** The end of the arrival window; `null` for an exact time. */
  readonly through: number | null;
  /** Minutes. */
  readonly duration: number;
  /** The time in the last message; `undefined` if it did not change. */
  readonly formerStart?: number | undefined;
  /** The end of the arrival window in the last message; `null` or `undefined` for an exact time. */
  readonly formerThrough?: number | null | undefined;
  /** Until when a tentative visit can be confirmed; `null` or `undefined` for no end. */
  readonly heldUntil?: number | null | undefined;
  readonly isCanceled: boolean;
  readonly isTentative: boolean;
  readonly service: string;
  /** The first name of the agent; `''` if unknown. */
  readonly agent: string;
  /** `''` if it must not be shown. */
  readonly address: string;
  /** The page of the visit. */
  readonly link: string;
  /** The page on which it is rated and tipped; `''` if there is none. */
  readonly tipLink: string;
  /** SEQUENCE of its calendar file, and its UID. */
  readonly version: number;
  readonly uid: string;
  readonly changed: number | null;
}

/** What a message says. Amounts are money, moments milliseconds since 1970. */
export interface MessageView {
  readonly kind: MessageKind;
  readonly language: MessageLanguage;
  /** When it is composed. */
  readonly now: number;
  /** The e-mail address or the phone number that it goes to. */
  readonly to: string;
  /** Its logo is a whole address. */
  readonly company: Company;
  readonly country: string;
  readonly zone: string;
  /** `''` in messages to the office. */
  readonly contactName: string;
  /** The visit, or those of a series, by start. */
  readonly visits: readonly MessageVisit[];
  readonly proposal?: {
    readonly title: string;
    readonly total: number;
    readonly expiresAt: number | null;
    /** Who signed it; `''` if nobody has. */
    readonly signedBy: string;
    readonly link: string;
  };
  readonly invoice?: {
    readonly number: string;
    readonly total: number;
    readonly balance: number;
    /** `YYYY-MM-DD`; `null` if its Terms state no days. */
    readonly dueDate: string | null;
    readonly link: string;
    readonly canPay: boolean;
  };
  readonly payment?: { readonly amount: number; readonly method: string; readonly at: number };
  /** For the office: what happened, and the text of the task. */
  readonly office?: { readonly title: string; readonly text: string };
  /** NewLink: the page that it opens. */
  readonly newLink?: string;
  /** The page on which the contact chooses how to be contacted; `''` for the office. */
  readonly preferencesLink: string;
  /** Takes the POST of RFC 8058; `''` in transactional messages. */
  readonly unsubscribeLink: string;
  /** The company's own texts of this kind in this language. */
  readonly ownTexts?: OwnTexts | undefined;
}

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: string | Buffer;
}

/** An e-mail without its addresses. */
export interface EmailContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Further headers, such as List-Unsubscribe. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TextContent {
  readonly text: string;
  /** Parts of 160 (one) or 153 characters of GSM-7, or 70 and 67 of UCS-2. */
  readonly segments: number;
}
