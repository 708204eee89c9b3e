import type { ContactRecord } from '../../entities/contacts.ts';
import type { Channel, MessageKind } from '../../entities/message-kinds.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import { messageAddress, refusalOf } from '../../domain/messages/consent.ts';
import { type MessageRecordOf, contactIdOf } from '../../domain/messages/decide.ts';
import { channelsFor, parseNotificationOptions } from '../../domain/messages/notification-options.ts';
import type { MessageSettings } from '../../domain/messages/settings.ts';
import { hasTexts } from '../../delivery/has-messages.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { type NewMessage, formerMessageChecks, newMessageChange } from '../../store/messages.ts';
import type { StoreWriter } from '../../store/store.ts';
import { officeTaskChange } from '../pages/office-task.ts';

/** Makes the messages that were decided, one for each channel that reaches the contact. */

/** A message about a record, to its contact by each channel, or to the office. */
export interface DecidedMessage {
  readonly about: MessageRecordOf;
  readonly kind: MessageKind;
  readonly due: number;
  readonly visits: MessageRecord['Visits'];
  readonly stamp: string;
  /** Whether somebody asked for it. */
  readonly isRequested?: true;
}

/** The changes that store a decided message for each channel. */
export async function messageChanges(
  store: StoreWriter,
  decided: DecidedMessage,
  settings: MessageSettings,
  now: Date,
): Promise<Change[]> {
  const { about, kind } = decided;
  if (kind === 'Office') return officeChanges(store, decided, settings, now);
  const contactId = contactIdOf(about);
  const contact = contactId ? await findContact(store, contactId) : undefined;
  if (!contact) return [];
  const ways = wantedChannels(about, kind, settings)
    .filter((channel) => channel === 'Email' || hasTexts())
    .map((channel) => wayOf(contact, kind, channel));
  const usable = ways.filter(({ refusal }) => refusal === undefined);
  // A missing phone is not worth a record where the contact has an e-mail address.
  const kept = usable.length ? ways.filter(({ address }) => address !== '') : ways.slice(0, 1);
  const messages = await newMessages(store, decided, { contact, ways: kept });
  const asks = settings.taskWithoutAddress && ways.length > 0 && ways.every(({ address }) => address === '');
  const { keptDays } = settings;
  const changes = messages.map((message) => newMessageChange(store, message, { keptDays, now }));
  // The notices of visits prevent a second decision.
  const checks = decided.visits.length ? [] : messages.flatMap((each) => formerMessageChecks(store, each, contact));
  return [...changes, ...checks, ...(asks ? [await unreachableTask(store, contact, about, now)] : [])];
}

/** The channels of a message: those of the company, unless the words of the visit decide. */
export function wantedChannels(
  about: MessageRecordOf,
  kind: MessageKind,
  { kinds }: Pick<MessageSettings, 'kinds'>,
): readonly Channel[] {
  const words = about.noun === 'Appointment' ? about.record.NotificationOptions : [];
  return channelsFor(parseNotificationOptions(words), kind, kinds[kind].channels);
}

export interface Way {
  readonly channel: Channel;
  /** `''` for none. */
  readonly address: string;
  readonly refusal: string | undefined;
}

export const wayOf = (contact: ContactRecord, kind: MessageKind, channel: Channel): Way => ({
  channel,
  address: messageAddress(contact, channel),
  refusal: refusalOf(contact, kind, channel),
});

async function officeChanges(
  store: StoreWriter,
  decided: DecidedMessage,
  { notify, keptDays }: MessageSettings,
  now: Date,
): Promise<Change[]> {
  if (!notify.length) return [];
  const ways = [{ channel: 'Email', address: notify.join(', '), refusal: undefined } as const];
  const messages = await newMessages(store, decided, { contact: undefined, ways });
  return messages.map((message) => newMessageChange(store, message, { keptDays, now }));
}

/** A decided message for each way. */
export async function newMessages(
  store: StoreWriter,
  decided: DecidedMessage,
  { contact, ways }: { readonly contact: ContactRecord | undefined; readonly ways: readonly Way[] },
): Promise<NewMessage[]> {
  const ids = await reserveIds(store, 'Message', ways.length);
  return ways.map((way, index) => newMessageOf(decided, contact, { way, id: ids[index] ?? 0 }));
}

export const newMessageOf = (
  { about, kind, due, visits, stamp, isRequested }: DecidedMessage,
  contact: ContactRecord | undefined,
  { way: { channel, address, refusal }, id }: { readonly way: Way; readonly id: number },
): NewMessage => ({
  Id: id,
  OrganizationId: about.record.OrganizationId,
  ContactId: contact ? contact.Id : null,
  Kind: kind,
  Channel: channel,
  Address: address,
  State: refusal === undefined ? 'Waiting' : 'Suppressed',
  Reason: refusal ?? '',
  Noun: about.noun,
  RecordId: about.record.Id,
  Visits: visits,
  Stamp: stamp,
  ...(isRequested ? { IsRequested: true } : {}),
  Due: due,
  SentAt: null,
  Uncertain: false,
  ClaimedUntil: 0,
  ServiceId: '',
});

/** Asks the office to call a contact that no message reaches. */
const unreachableTask = (
  store: StoreWriter,
  { Id: ContactId, OrganizationId }: ContactRecord,
  { noun, record }: MessageRecordOf,
  now: Date,
): Promise<Change> =>
  officeTaskChange(
    { store, now },
    {
      OrganizationId,
      ContactId,
      Category: 'Messages',
      Description:
        `No message about ${noun.toLowerCase()} ${record.Id} reaches the contact, who has no e-mail address and no ` +
        'phone that takes texts. Please call.',
    },
  );
