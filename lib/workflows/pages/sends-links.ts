import { hasMessages } from '../../delivery/has-messages.ts';
import { wantsKind } from '../../domain/callbacks/webhook.ts';
import { channelsFor, parseNotificationOptions } from '../../domain/messages/notification-options.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { listWebhooks } from '../../store/events/webhooks.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import type { StoreReader } from '../../store/store.ts';

type TentativeVisit = Pick<AppointmentRecord, 'OrganizationId' | 'ContactId' | 'NotificationOptions'>;

/** Whether the link that confirms a tentative visit is sent to its contact: by us, or by a program of the company. */
export async function sendsLinks(store: StoreReader, visit: TentativeVisit): Promise<boolean> {
  const [isSent, isNotified] = await Promise.all([sendsEmail(store, visit), notifiesProgram(store)]);
  return isSent || isNotified;
}

async function sendsEmail(
  store: StoreReader,
  { OrganizationId, ContactId, NotificationOptions }: TentativeVisit,
): Promise<boolean> {
  if (!hasMessages()) return false;
  const [{ isOn, kinds }, contact] = await Promise.all([
    findMessageSettings(store, OrganizationId),
    findContact(store, ContactId),
  ]);
  const channels = channelsFor(
    parseNotificationOptions(NotificationOptions),
    'VisitConfirm',
    kinds.VisitConfirm.channels,
  );
  // It knows the phones of the world, which no other page needs.
  const { refusalOf } = await import('../../domain/messages/consent.ts');
  const isReached = contact !== undefined && refusalOf(contact, 'VisitConfirm', 'Email') === undefined;
  return isOn && channels.includes('Email') && isReached;
}

/** A program that is notified of each booking gets the link, and can send it. */
const notifiesProgram = async (store: StoreReader): Promise<boolean> =>
  (await listWebhooks(store, { consistent: false })).some(
    (webhook) => webhook.Disabled === null && wantsKind(webhook, 'appointment.booked'),
  );
