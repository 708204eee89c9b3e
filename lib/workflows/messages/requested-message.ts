import type { ContactRecord } from '../../entities/contacts.ts';
import { type Channel, type MessageKind, declarationOf } from '../../entities/message-kinds.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import { type MessageRecordOf, contactIdOf, stampOf } from '../../domain/messages/decide.ts';
import type { MessageSettings } from '../../domain/messages/settings.ts';
import { stampOfVisits } from '../../domain/messages/stamps.ts';
import { stateRefusal } from '../../domain/messages/state-refusal.ts';
import { hasMessages, hasTexts } from '../../delivery/has-messages.ts';
import { invalid, orNotFound } from '../../shared/failure.ts';
import { listAppointments } from '../../store/appointments.ts';
import { isMeant } from '../../store/contacts/contacts.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import { findAbout } from './about.ts';
import type { DecidedMessage } from './new-messages.ts';
import { listMessagesOf } from './list-contact-messages.ts';

/** What a caller asks to see or send: a message of a contact again, or one about a record. */
export interface MessageRequest {
  readonly ContactId?: number | null | undefined;
  readonly MessageId?: number | null | undefined;
  readonly Kind?: MessageKind | null | undefined;
  readonly RecordId?: number | null | undefined;
  readonly Channel?: Channel | null | undefined;
}

/** A message as it would be sent now, to the contact of its record. */
export interface RequestedMessage {
  readonly contact: ContactRecord;
  readonly decided: DecidedMessage;
  readonly settings: MessageSettings;
  /** The requested one; without a request those of the company. */
  readonly channels: readonly Channel[];
  /** Why nothing is sent at all; `undefined` if messages are on. */
  readonly off: string | undefined;
  /** Why the record as it is does not support the message. */
  readonly refusal: string | undefined;
}

/** Finds what a message is about. Throws 400 and 404. */
export async function loadRequested(context: ReadContext, request: MessageRequest): Promise<RequestedMessage> {
  const contact = await loadContact(context, request.ContactId);
  const { kind, about, visits, channel } = await findRequested(context, contact, request);
  const { store, now } = context;
  const [settings, records] = await Promise.all([
    findMessageSettings(store, about.record.OrganizationId),
    listAppointments(
      store,
      visits.map(({ Id }) => Id),
    ),
  ]);
  const each = records.length ? records.map((record) => ({ noun: 'Appointment', record }) as const) : [about];
  const refusals = each.flatMap((of) => stateRefusal(of, kind, now.getTime()) ?? []);
  const stamp = records.length ? stampOfVisits(records, kind, now.getTime()) : stampOf(about, kind, now.getTime());
  return {
    contact,
    decided: { about, kind, due: now.getTime(), visits, stamp, isRequested: true },
    settings,
    channels: channel ? [channel] : settings.kinds[kind].channels.filter((each) => each === 'Email' || hasTexts()),
    off: offReason(settings, channel),
    refusal: refusals[0],
  };
}

/** Why nothing is sent at all. */
function offReason({ isOn }: MessageSettings, channel: Channel | undefined): string | undefined {
  if (!hasMessages()) return 'This deployment sends no messages: its stage has no messages in cdk.json.';
  if (channel === 'Text' && !hasTexts()) return 'This deployment sends no texts: its stage has none in cdk.json.';
  return isOn ? undefined : 'Messages are off. Turn them on in the company file.';
}

interface Requested {
  readonly kind: MessageKind;
  readonly about: MessageRecordOf;
  readonly visits: MessageRecord['Visits'];
  readonly channel: Channel | undefined;
}

async function findRequested(
  { store }: ReadContext,
  contact: ContactRecord,
  { MessageId, Kind, RecordId, Channel: channel }: MessageRequest,
): Promise<Requested> {
  if (MessageId) {
    const given = Object.entries({ Kind, RecordId, Channel: channel }).filter(([, value]) => value);
    const message = 'cannot be combined with MessageId';
    if (given.length) throw invalid(...given.map(([field]) => ({ field, code: 'mismatch', message }) as const));
    const own = (await listMessagesOf(store, contact.Id)).find(({ Id }) => Id === MessageId);
    const before = orNotFound(own, 'message', 'MessageId', MessageId);
    const about = orNotFound(await findAbout(store, before.Noun, before.RecordId), before.Noun, 'MessageId', MessageId);
    return { kind: before.Kind, about, visits: before.Visits, channel: before.Channel };
  }
  if (!Kind) throw invalid({ field: 'Kind', code: 'required', message: 'or MessageId is required' });
  const { about: noun, channels } = declarationOf(Kind);
  if (channel && !channels.includes(channel)) {
    const message = `must be ${channels.join(' or ')} for ${Kind}`;
    throw invalid({ field: 'Channel', code: 'unknown_value', message });
  }
  const id = noun === 'Contact' ? (RecordId ?? contact.Id) : RecordId;
  if (!id) {
    const message = `is required: the id of the ${noun.toLowerCase()} that the message is about`;
    throw invalid({ field: 'RecordId', code: 'required', message });
  }
  const about = orNotFound(await findAbout(store, noun, id), noun.toLowerCase(), 'RecordId', id);
  if (!(await isMeant(store, contactIdOf(about) ?? 0, contact.Id))) {
    const message = `belongs to another contact than ${contact.Id}`;
    throw invalid({ field: 'RecordId', code: 'mismatch', message });
  }
  return { kind: Kind, about, visits: [], channel: channel ?? undefined };
}
