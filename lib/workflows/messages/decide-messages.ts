import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { Channel, MessageKind } from '../../entities/message-kinds.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import { addressOf, refusalOf } from '../../domain/messages/consent.ts';
import {
  type MessageRecordOf,
  contactIdOf,
  decideTopic,
  decideVisits,
  dueOf,
  stampOf,
} from '../../domain/messages/decide.ts';
import { channelsFor, parseNotificationOptions } from '../../domain/messages/notification-options.ts';
import type { MessageSettings } from '../../domain/messages/settings.ts';
import { hasTexts } from '../../delivery/has-messages.ts';
import { VISIT_CHANGES } from '../../domain/messages/topics.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { listAppointments } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import type { MessageTrigger } from '../../store/events/message-plans.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import {
  type NewMessage,
  type VisitNotice,
  listMessages,
  listNotices,
  newMessageChange,
  toldChange,
} from '../../store/messages.ts';
import type { StoreWriter } from '../../store/store.ts';
import { officeTaskChange } from '../pages/office-task.ts';
import { findAbout } from './about.ts';

/** What is told about a record: to its contact by each channel, or to the office. */
export interface DecidedMessage {
  readonly about: MessageRecordOf;
  readonly kind: MessageKind;
  readonly due: number;
  readonly visits: MessageRecord['Visits'];
  readonly stamp: string;
  /** Whether somebody asked for it. */
  readonly isRequested?: true;
}

/**
 * Decides what is told of a record that is due, and stores the messages; returns the seconds after which to ask again if
 * it is not due yet. Writes at once. Safe to repeat.
 */
export async function decideMessages(
  store: StoreWriter,
  trigger: MessageTrigger,
  now: Date,
): Promise<number | undefined> {
  if (trigger.topic === VISIT_CHANGES) return decideVisitChanges(store, trigger.id, now);
  if (trigger.at > now.getTime() + EARLY) return secondsUntil(trigger.at, now);
  await decideOne(store, trigger, now);
  return undefined;
}

const secondsUntil = (at: number, now: Date): number => Math.ceil((at - now.getTime()) / SECOND);

async function decideOne(store: StoreWriter, trigger: MessageTrigger, now: Date): Promise<void> {
  const about = await findAbout(store, trigger.noun, trigger.id);
  const settings = about && (await findMessageSettings(store, about.record.OrganizationId));
  if (!about || !settings?.isOn) return;
  const kind = decideTopic(about, trigger, settings, now.getTime());
  if (!kind) return;
  const due = dueOf(about, kind, trigger.at);
  const decided = { about, kind, due, visits: [], stamp: stampOf(about, kind, now.getTime()) };
  await commitOnce(store, await messageChanges(store, decided, settings, now));
}

/** Visits of a series are told together once none has changed for the delay, but not later than this. */
const LONGEST_WAIT = 15 * MINUTE;
/** Due a moment early, because queues count in whole seconds. */
const EARLY = 2 * SECOND;
/** Leaves room for the messages in a transaction of 100 changes. */
const MAX_VISITS = 90;

async function decideVisitChanges(store: StoreWriter, group: number, now: Date): Promise<number | undefined> {
  const notices = await listNotices(store, group);
  const latest = Math.max(...notices.map(({ At }) => At));
  const first = Math.min(...notices.map(({ First }) => First));
  if (!notices.length) return undefined;
  if (latest > now.getTime() + EARLY && first > now.getTime() - LONGEST_WAIT) return secondsUntil(latest, now);
  const found = await listAppointments(
    store,
    notices.map(({ visitId }) => visitId),
  );
  const visits = new Map(found.map((visit) => [visit.Id, visit]));
  for (let index = 0; index < notices.length; index += MAX_VISITS)
    await tellVisits(store, { notices: notices.slice(index, index + MAX_VISITS), visits, due: latest }, now);
  return undefined;
}

interface VisitsToTell {
  readonly notices: readonly VisitNotice[];
  readonly visits: ReadonlyMap<number, AppointmentRecord>;
  readonly due: number;
}

/**
 * Stores the messages about changed visits and removes their notices, in one transaction for each contact. Visits with
 * other words in NotificationOptions are told apart.
 */
async function tellVisits(store: StoreWriter, { notices, visits, due }: VisitsToTell, now: Date): Promise<void> {
  const together = Map.groupBy(notices, ({ visitId }) => {
    const { ContactId, NotificationOptions = [] } = visits.get(visitId) ?? {};
    return [ContactId, ...NotificationOptions].join(' ');
  });
  for (const ofContact of together.values()) {
    const untold = ofContact.flatMap(({ visitId, Was: was }) => {
      const visit = visits.get(visitId);
      return visit ? [{ visit, was }] : [];
    });
    const [one] = untold;
    const [settings, told] = one
      ? await Promise.all([findMessageSettings(store, one.visit.OrganizationId), findTold(store, one.visit.ContactId)])
      : [];
    const news = untold.filter(({ visit }) => told?.get(visit.Id) !== stampOfVisits([visit], 'VisitBooked', now));
    const decided = settings?.isOn ? decideVisits(news, now.getTime()) : [];
    const changes: Change[] = ofContact.map(toldChange);
    for (const { kind, visits: decidedVisits } of decided) {
      const [first] = decidedVisits;
      if (!first || !settings) continue;
      const about = { noun: 'Appointment', record: first.visit } as const;
      const message = {
        about,
        kind,
        due,
        visits: decidedVisits.map(({ visit, formerStart }) => ({ Id: visit.Id, FormerStart: formerStart })),
        stamp: stampOfVisits(
          decidedVisits.map(({ visit }) => visit),
          kind,
          now,
        ),
      };
      changes.push(...(await messageChanges(store, message, settings, now)));
    }
    await commitOnce(store, changes);
  }
}

/** As many messages of a contact as can be about visits that change at the same time. */
const RECENT_MESSAGES = 20;

/**
 * What the newest messages to a contact say of each visit. The change of a visit may be told before its event is known,
 * because a decision is about the visit as it is then.
 */
async function findTold(store: StoreWriter, contact: number): Promise<ReadonlyMap<number, string>> {
  const { messages } = await listMessages(store, [contact], { skip: 0, take: RECENT_MESSAGES });
  const told = new Map<number, string>();
  for (const { Kind, State, Visits, Stamp } of messages.toReversed())
    if (Kind.startsWith('Visit') && State !== 'Suppressed' && State !== 'Failed')
      for (const [index, stamp] of Stamp.split(STAMP_END).entries()) told.set(Visits[index]?.Id ?? 0, stamp);
  return told;
}

/** Between what is said of each visit. */
export const STAMP_END = ', ';

/** What visits say that a message is about. */
export const stampOfVisits = (visits: readonly AppointmentRecord[], kind: MessageKind, now: Date): string =>
  visits.map((record) => stampOf({ noun: 'Appointment', record }, kind, now.getTime())).join(STAMP_END);

/** Commits what another run may have committed, or what a later change made void: then it is decided again. */
async function commitOnce(store: StoreWriter, changes: readonly Change[]): Promise<void> {
  if (!changes.length) return;
  try {
    await store.table.commit(changes);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

/** The changes that store a decided message for each channel. */
async function messageChanges(
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
  // That a contact has no phone is not worth a record where it has an e-mail address.
  const kept = usable.length ? ways.filter(({ address }) => address !== '') : ways.slice(0, 1);
  const messages = await newMessages(store, decided, { contact, ways: kept });
  const asks = settings.taskWithoutAddress && ways.length > 0 && ways.every(({ address }) => address === '');
  const { keptDays } = settings;
  const changes = messages.map((message) => newMessageChange(store, message, { keptDays, now }));
  return [...changes, ...(asks ? [await unreachableTask(store, contact, about, now)] : [])];
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
  address: addressOf(contact, channel),
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

/** Asks the office to reach a contact that has no address. */
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
      Description: `${noun} ${record.Id} has news for the contact, who has no e-mail address or phone that takes texts. Please call.`,
    },
  );
