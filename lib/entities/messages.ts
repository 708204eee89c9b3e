import { type Output } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, history, id, listOf, moment, number, numbers, object, text, texts, word } from './declaration/fields.ts';
import type { ObjectOf } from './declaration/field.ts';
import { resourceOf } from './declaration/resource.ts';
import { CHANNELS, MESSAGE_KINDS, MESSAGE_NOUNS } from './message-kinds.ts';

/** `Suppressed`: never sent, for the Reason. */
export const MESSAGE_STATES = [
  'Waiting',
  'Sent',
  'Delivered',
  'Bounced',
  'Complained',
  'Failed',
  'Suppressed',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** An e-mail or a text to a contact, or to the office. Its content is made when it is sent, and not stored. */
export const messageEntity = entity('Message', {
  Id: id({ resource: true }),
  OrganizationId: id({ resource: true }),
  /** `null` for a message to the office. */
  ContactId: id({ nullable: true, resource: true }),
  Kind: word(MESSAGE_KINDS, { required: true, resource: true }),
  Channel: word(CHANNELS, { required: true, resource: true }),
  /** The e-mail address or the phone number that it goes to. */
  Address: text({ resource: true, personal: 'private' }),
  State: word(MESSAGE_STATES, { required: true, resource: true }),
  /** Why it is not sent, or was not delivered. */
  Reason: text({ resource: true, personal: 'private' }),
  /** What it is about. */
  Noun: word(MESSAGE_NOUNS, { required: true, resource: 'About' }),
  RecordId: id({ resource: true }),
  /** The visits that it is about, and their times in earlier messages. */
  Visits: listOf({ Id: id(), FormerStart: moment({ nullable: true }) }),
  /** The state of the records when it was decided; a message about a state that is gone is not sent. */
  Stamp: text(),
  /** Whether somebody asked for it: then the company's channels and the words of the visit do not decide. */
  IsRequested: flag({ optional: true }),
  /** When it is due. */
  Due: moment({ required: true, resource: true }),
  SentAt: moment({ nullable: true, resource: true }),
  /** Whether an earlier attempt may have sent it too. */
  Uncertain: flag({ resource: true }),
  /** Until when a run is sending it; 0 for none. */
  ClaimedUntil: moment(),
  /** The service's id of it; `''` before it is sent. */
  ServiceId: text(),
  ...history,
});
export type MessageRecord = RecordOf<typeof messageEntity>;

export const ContactMessage = /* @__PURE__ */ resourceOf(messageEntity, { title: 'ContactMessage' });
export type ContactMessage = Output<typeof ContactMessage>;

/** What a client knows of a visit: other changes cause no message. */
export const knownVisit = {
  Status: number({ required: true }),
  /** The beginning of the arrival window, or the start; `null` while it has no time. */
  Start: moment({ nullable: true, required: true }),
  /** The end of the arrival window; `null` without one. */
  Through: moment({ nullable: true }),
};
export type KnownVisit = ObjectOf<typeof knownVisit>;

/** A changed visit whose client has no message about the change yet. */
export const noticeEntity = entity('Notice', {
  /** The visit before the first of these changes; `null` for a new one. */
  Was: object(knownVisit, { nullable: true }),
  /** The visit after the last of them; absent in notices of an earlier version. */
  Is: object(knownVisit, { optional: true }),
  /** When the first of them was made. */
  First: moment({ required: true }),
  /** When the message is due. */
  At: moment({ required: true }),
});
export type Notice = RecordOf<typeof noticeEntity>;

const ownTexts = { Subject: text(), Body: text(), Text: text() };

/** What a company file says of its messages: of the account, or of one organization. Absent values are inherited. */
export const messageSettingsEntity = entity('MessageSettings', {
  /** 0 for the account. */
  OrganizationId: number(),
  On: flag({ optional: true }),
  /** When it was first turned on. */
  Since: moment({ optional: true }),
  SenderName: text({ optional: true }),
  ReplyTo: text({ optional: true }),
  Notify: texts({ optional: true }),
  DelaySeconds: number({ optional: true }),
  Language: word(['en', 'es'], { optional: true }),
  TaskWithoutAddress: flag({ optional: true }),
  /** For how many days messages are kept; of the account alone, and not in its company file. */
  KeptDays: number({ optional: true }),
  Kinds: listOf(
    {
      Kind: word(MESSAGE_KINDS, { required: true }),
      Channels: texts({ optional: true }),
      Hours: numbers({ optional: true }),
      Days: number({ optional: true }),
      English: object(ownTexts, { optional: true }),
      Spanish: object(ownTexts, { optional: true }),
    },
    { optional: true },
  ),
});
export type MessageSettingsRecord = RecordOf<typeof messageSettingsEntity>;
