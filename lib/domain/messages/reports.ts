import type { MessageKind } from '../../entities/message-kinds.ts';
import type { MessageRecord, MessageState } from '../../entities/messages.ts';
import { InternalError } from '../../shared/failure.ts';
import type { QueueMessage } from '../../shared/queues.ts';

/** What Amazon SES and AWS End User Messaging report by SNS, in the forms that AWS documents. */

/** What became of a message that a service took. */
export interface MessageReport {
  readonly state: Extract<MessageState, 'Delivered' | 'Bounced' | 'Complained' | 'Failed'>;
  /** Ends a sentence such as `ann@example.com bounced: the mailbox does not exist`; `''` for a delivery. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What clients can say in a text, to the number that texts them. */
export type TextWord = 'stop' | 'start' | 'help';

export type Report =
  | {
      readonly kind: 'message';
      readonly key: QueueMessage;
      readonly report: MessageReport;
      /** Whether the address must not be used again. */
      readonly isLasting: boolean;
    }
  | { readonly kind: 'text'; readonly from: string; readonly word: TextWord };

/** A tag of SES holds letters, digits, `_` and `-`, at most 256 of them. */
const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const decoded = (text: string): string => Buffer.from(text, 'base64url').toString();

/** The tags with which a message is sent, and by which reports name it. */
export const messageTags = ({ PK, SK }: QueueMessage, kind: MessageKind): Readonly<Record<string, string>> => ({
  message: encoded(`${PK}\n${SK}`),
  kind,
});

/** The key of the message that tags name; `undefined` for what else this deployment sent, such as a test. */
function keyOfTags(tag: string | undefined): QueueMessage | undefined {
  const [PK = '', SK = ''] = decoded(tag ?? '').split('\n');
  return PK && SK ? { PK, SK } : undefined;
}

type Json = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Servers write long texts; the record keeps a short line. */
const MAX_REASON = 200;
const tidied = (text: string): string =>
  text
    .replace(/^\s*(smtp|x-\w+)\s*;\s*/i, '')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001F\u007F\s]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON);

const BOUNCES: Readonly<Record<string, string>> = {
  NoEmail: 'the mailbox does not exist',
  Suppressed: 'it bounced before, and Amazon SES does not send to it',
  OnAccountSuppressionList: 'it bounced or complained before, and is on the suppression list',
  MailboxFull: 'the mailbox is full',
  MessageTooLarge: 'the message is too large for it',
  ContentRejected: 'its server refused the content',
  AttachmentRejected: 'its server refused the attachment',
};

/** Enhanced status codes of RFC 3463, without their first digit. */
const STATUSES: Readonly<Record<string, string>> = {
  '1.1': 'the mailbox does not exist',
  '1.2': 'its domain does not exist',
  '1.10': 'its domain takes no e-mail',
  '2.1': 'the mailbox is switched off',
  '2.2': 'the mailbox is full',
};

function bounceReason({ bounceSubType, bouncedRecipients }: Json): string {
  const [recipient] = Array.isArray(bouncedRecipients) ? bouncedRecipients : [];
  const { status, diagnosticCode } = objectIn(recipient);
  return (
    BOUNCES[textIn(bounceSubType)] ??
    STATUSES[textIn(status).slice(2)] ??
    (tidied(textIn(diagnosticCode)) || 'its server refused it')
  );
}

/** Kinds of complaints, as mail programs send them. */
const COMPLAINTS: Readonly<Record<string, string>> = {
  abuse: 'as spam',
  fraud: 'as fraud',
  virus: 'as a virus',
  'auth-failure': 'as not authentic',
};

const complaintReason = ({ complaintFeedbackType }: Json): string =>
  `the message was reported ${COMPLAINTS[textIn(complaintFeedbackType)] ?? 'as unwanted'}`;

/** The report of an event of SES; `undefined` for events without news. */
function emailReport(event: Json): (Omit<MessageReport, 'at'> & { isLasting: boolean; at: unknown }) | undefined {
  const { bounce, complaint, delivery, reject, failure, mail } = event;
  const { timestamp: sentAt } = objectIn(mail);
  switch (event['eventType']) {
    case 'Delivery':
      return { state: 'Delivered', reason: '', isLasting: false, at: objectIn(delivery)['timestamp'] };
    case 'Bounce': {
      const { bounceType, timestamp, ...more } = objectIn(bounce);
      const isLasting = bounceType === 'Permanent' && !isAboutContent(more);
      return { state: 'Bounced', reason: bounceReason(more), isLasting, at: timestamp };
    }
    case 'Complaint': {
      const { timestamp, ...more } = objectIn(complaint);
      return { state: 'Complained', reason: complaintReason(more), isLasting: true, at: timestamp };
    }
    case 'Reject': {
      const reason = tidied(textIn(objectIn(reject)['reason'])) || 'no reason given';
      return { state: 'Failed', reason: `Amazon SES did not send it: ${reason}`, isLasting: false, at: sentAt };
    }
    case 'Rendering Failure': {
      const reason = tidied(textIn(objectIn(failure)['errorMessage'])) || 'no reason given';
      return { state: 'Failed', reason: `Amazon SES could not make it: ${reason}`, isLasting: false, at: sentAt };
    }
    default:
      return undefined;
  }
}

/** What is refused for its content says nothing about the address. */
const isAboutContent = ({ bounceSubType }: Json): boolean =>
  ['MessageTooLarge', 'ContentRejected', 'AttachmentRejected'].includes(textIn(bounceSubType));

const TEXT_FAILURES: Readonly<Record<string, string>> = {
  TEXT_BLOCKED: 'the phone or its carrier blocks texts to it',
  TEXT_TTL_EXPIRED: 'it could not be delivered in time',
  TEXT_CARRIER_UNREACHABLE: 'the carrier could not be reached',
  TEXT_INVALID: 'the number is not valid',
  TEXT_INVALID_MESSAGE: 'the text is not valid',
  TEXT_CARRIER_BLOCKED: 'the carrier blocked it',
  TEXT_UNREACHABLE: 'the phone is off or out of reach',
  TEXT_SPAM: 'the carrier took it for spam',
  TEXT_UNKNOWN: 'the carrier did not say why',
  TEXT_PROTECT_BLOCKED: 'the text service is set to send it no texts',
};

function textReport(type: string): Omit<MessageReport, 'at'> | undefined {
  if (type === 'TEXT_DELIVERED' || type === 'TEXT_SUCCESSFUL') return { state: 'Delivered', reason: '' };
  const reason = TEXT_FAILURES[type];
  return reason === undefined ? undefined : { state: 'Failed', reason };
}

/**
 * The words that AWS requires (docs.aws.amazon.com/sms-voice, opt-out keywords), carriers know, and who reads Spanish
 * writes, in any case of letters.
 */
const WORDS: Readonly<Record<TextWord, readonly string[]>> = {
  stop: 'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE REMOVE OPT-OUT OPTOUT ARRET TD ALTO PARAR'.split(' '),
  start: ['START', 'UNSTOP', 'YES'],
  help: ['HELP', 'INFO', 'AYUDA'],
};

function wordIn(body: string): TextWord | undefined {
  const said = body
    .replaceAll(/[\s.!"'”“]+/g, ' ')
    .trim()
    .toUpperCase();
  return (Object.keys(WORDS) as TextWord[]).find((word) => WORDS[word].includes(said));
}

function momentIn(value: unknown, now: Date): number {
  const at = typeof value === 'number' ? value : Date.parse(textIn(value));
  return Number.isFinite(at) ? at : now.getTime();
}

/**
 * What a report says; `undefined` if it changes nothing: a message that is on its way, a text without a known word, or
 * a message that is not of a record.
 */
export function parseReport(body: unknown, now: Date): Report | undefined {
  const event = objectIn(body);
  const { originationNumber, messageBody } = event;
  if (typeof originationNumber === 'string' && typeof messageBody === 'string') {
    const word = wordIn(messageBody);
    return word && { kind: 'text', from: originationNumber, word };
  }
  const type = textIn(event['eventType']);
  if (!type) throw new InternalError('a report of a form that is not known');
  if (type.startsWith('TEXT_')) {
    const found = textReport(type);
    const key = keyOfTags(textIn(objectIn(event['context'])['message']));
    const at = momentIn(event['eventTimestamp'], now);
    return found && key && { kind: 'message', key, report: { ...found, at }, isLasting: false };
  }
  const found = emailReport(event);
  const [tag] = [objectIn(objectIn(event['mail'])['tags'])['message']].flat();
  const key = keyOfTags(textIn(tag));
  if (!found || !key) return undefined;
  const { isLasting, at, ...report } = found;
  return { kind: 'message', key, report: { ...report, at: momentIn(at, now) }, isLasting };
}

/** Reports come in any order and more than once: a later state is never replaced by an earlier one. */
const ORDER: readonly MessageState[] = ['Waiting', 'Sent', 'Delivered', 'Failed', 'Bounced', 'Complained'];

/** The message after a report; the same object if it says nothing new. */
export function afterReport(message: MessageRecord, { state, reason, at }: MessageReport): MessageRecord {
  const isNews = ORDER.indexOf(state) > ORDER.indexOf(message.State) && message.State !== 'Suppressed';
  return isNews ? { ...message, State: state, Reason: reason, Updated: at } : message;
}

/** Why an address is not used: the text that the contact shows. */
export function emailProblem(address: string, { state, reason, at }: MessageReport): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `${address} ${state === 'Complained' ? 'complained' : 'bounced'} on ${day}: ${reason}`;
}
