import { refusalOf } from '../../domain/messages/consent.ts';
import { textMoment, zoneOfContact } from '../../domain/messages/hours.ts';
import { messageTags } from '../../domain/messages/reports.ts';
import { loadPostalData } from '../../domain/postal/localities.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import type { Delivery, DeliveryOutcome } from '../../delivery/delivery.ts';
import { renderEmail } from '../../messages/email.ts';
import { renderText } from '../../messages/text.ts';
import { wordingOf } from '../../pages/language.ts';
import { secondsUntil } from '../../shared/queues.ts';
import { MINUTE } from '../../shared/time/time.ts';
import type { Key } from '../../store/keys.ts';
import { findMessage, messageKey, writeMessage, writePostponedMessage } from '../../store/messages.ts';
import type { StoreWriter } from '../../store/store.ts';
import { attachPdf } from './attach-pdf.ts';
import { type LoadedMessage, loadMessage } from './load-message.ts';

/** How long a run has a message: longer than a service answers. */
const CLAIM = MINUTE;

const INTERRUPTED = 'Its sending was interrupted, and it may have been sent. A text is not sent twice.';

/**
 * Sends a message of a key unless it is sent or must not be; returns the seconds after which to try again, or
 * `undefined` when its work is done. A text is sent at most once. An e-mail whose answer was lost is sent again, and
 * says `Uncertain`.
 */
export async function deliverMessage(
  store: StoreWriter,
  key: Key,
  now: Date,
  delivery: Delivery,
): Promise<number | undefined> {
  const message = await findMessage(store, key);
  if (!message || message.State !== 'Waiting') return undefined;
  const { ClaimedUntil, Channel } = message;
  if (ClaimedUntil > now.getTime()) return secondsUntil(ClaimedUntil, now);
  const isInterrupted = ClaimedUntil > 0;
  if (isInterrupted && Channel === 'Text') return void (await end(store, message, 'Failed', INTERRUPTED, now));
  const loaded = await loadMessage(store, message, now);
  const refusal = 'refusal' in loaded ? loaded.refusal : refusalNow(message, loaded);
  if (refusal !== undefined || 'refusal' in loaded)
    return void (await end(store, message, 'Suppressed', refusal ?? '', now));
  const until = await postponedUntil(message, loaded, now);
  if (until !== undefined) return void (await writePostponedMessage(store, message, until));
  const { Visits, Stamp } = loaded.remaining;
  const claim = {
    ClaimedUntil: now.getTime() + CLAIM,
    Uncertain: message.Uncertain || isInterrupted,
    // It may have changed since the message was decided.
    Address: loaded.view.to,
    Visits,
    Stamp,
  };
  const claimed = await writeMessage(store, message, claim, now);
  if (!claimed) return secondsUntil(now.getTime() + CLAIM, now);
  return storeOutcome(store, claimed, await send(store, claimed, { loaded, now, delivery }), now);
}

/** What has changed since the message was stored, or the contact and the company have decided. */
function refusalNow({ Kind: kind, Channel: channel }: MessageRecord, { settings, contact, outdated }: LoadedMessage) {
  if (!settings.isOn) return 'Messages are off.';
  return outdated ?? (contact && refusalOf(contact, kind, channel));
}

/** When a text may be sent, if not now: at night it waits for the morning at the contact's place. */
async function postponedUntil(
  { Channel }: MessageRecord,
  { contact, organization }: LoadedMessage,
  now: Date,
): Promise<number | undefined> {
  if (Channel !== 'Text' || !contact) return undefined;
  const zone = zoneOfContact(contact, organization, await loadPostalData());
  const at = textMoment(now.getTime(), zone);
  return at > now.getTime() ? at : undefined;
}

interface Sending {
  readonly loaded: LoadedMessage;
  readonly now: Date;
  readonly delivery: Delivery;
}

async function send(
  store: StoreWriter,
  message: MessageRecord,
  { loaded, now, delivery }: Sending,
): Promise<DeliveryOutcome> {
  const { about, view, settings, organization } = loaded;
  const tags = messageTags(messageKey(store, message), message.Kind);
  const { Address, ContactId } = message;
  if (message.Channel === 'Text') return delivery.sendText({ to: Address, tags, text: renderText(view).text });
  const { attachments, ...content } = renderEmail(view);
  const wording = wordingOf(view.language, view.country);
  const files = await attachPdf(store, about, { kind: message.Kind, wording, now });
  return delivery.sendEmail({
    to: ContactId === null ? officeAddresses(Address) : [Address],
    tags,
    ...content,
    attachments: [...attachments, ...files],
    senderName: settings.senderName || organization.PublicName,
    replyTo: settings.replyTo || organization.Email,
  });
}

/** A message to the office has all its addresses. */
const officeAddresses = (address: string): string[] => address.split(', ');

/** Stores the answer of the service; returns the seconds after which to try again. */
async function storeOutcome(
  store: StoreWriter,
  message: MessageRecord,
  outcome: DeliveryOutcome,
  now: Date,
): Promise<number | undefined> {
  switch (outcome.kind) {
    case 'sent':
      return void (await writeSent(store, message, outcome.serviceId, now));
    case 'refused':
      return void (await end(store, message, 'Failed', outcome.reason, now));
    case 'busy':
      await writeMessage(store, message, { ClaimedUntil: 0 }, now);
      return outcome.seconds;
    case 'unknown':
      if (message.Channel === 'Text') return void (await end(store, message, 'Failed', INTERRUPTED, now));
      // Its claim remains: the next run knows that it may have been sent.
      return secondsUntil(message.ClaimedUntil, now);
  }
}

/** The report of the service may be stored before its answer. */
async function writeSent(store: StoreWriter, message: MessageRecord, ServiceId: string, now: Date): Promise<void> {
  const State = message.State === 'Waiting' ? 'Sent' : message.State;
  const sent = { State, ServiceId, SentAt: now.getTime(), ClaimedUntil: 0 } as const;
  if (await writeMessage(store, message, sent, now)) return;
  const current = await findMessage(store, messageKey(store, message));
  if (current && current.SentAt === null) await writeSent(store, current, ServiceId, now);
}

async function end(
  store: StoreWriter,
  message: MessageRecord,
  State: 'Failed' | 'Suppressed',
  Reason: string,
  now: Date,
): Promise<void> {
  await writeMessage(store, message, { State, Reason, ClaimedUntil: 0 }, now);
}
