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
import { type NewMessage, type VisitNotice, listNotices, newMessageChange, toldChange } from '../../store/messages.ts';
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
}

/** Decides what is told of a record that is due, and stores the messages. Writes at once. Safe to repeat. */
export const decideMessages = (store: StoreWriter, trigger: MessageTrigger, now: Date): Promise<void> =>
  trigger.topic === VISIT_CHANGES ? decideVisitChanges(store, trigger.id, now) : decideOne(store, trigger, now);

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

async function decideVisitChanges(store: StoreWriter, group: number, now: Date): Promise<void> {
  const notices = await listNotices(store, group);
  const latest = Math.max(...notices.map(({ At }) => At));
  const first = Math.min(...notices.map(({ First }) => First));
  // The trigger of the latest change comes later.
  if (!notices.length || (latest > now.getTime() + EARLY && first > now.getTime() - LONGEST_WAIT)) return;
  const found = await listAppointments(
    store,
    notices.map(({ visitId }) => visitId),
  );
  const visits = new Map(found.map((visit) => [visit.Id, visit]));
  for (let index = 0; index < notices.length; index += MAX_VISITS)
    await tellVisits(store, { notices: notices.slice(index, index + MAX_VISITS), visits, due: latest }, now);
}

interface VisitsToTell {
  readonly notices: readonly VisitNotice[];
  readonly visits: ReadonlyMap<number, AppointmentRecord>;
  readonly due: number;
}

/** Stores the messages about changed visits and removes their notices, in one transaction for each contact. */
async function tellVisits(store: StoreWriter, { notices, visits, due }: VisitsToTell, now: Date): Promise<void> {
  const byContact = Map.groupBy(notices, ({ visitId }) => visits.get(visitId)?.ContactId);
  for (const ofContact of byContact.values()) {
    const untold = ofContact.flatMap(({ visitId, Was: was }) => {
      const visit = visits.get(visitId);
      return visit ? [{ visit, was }] : [];
    });
    const [one] = untold;
    const settings = one && (await findMessageSettings(store, one.visit.OrganizationId));
    const decided = settings?.isOn ? decideVisits(untold, now.getTime()) : [];
    const changes: Change[] = ofContact.map(toldChange);
    for (const { kind, visits: told } of decided) {
      const [first] = told;
      if (!first || !settings) continue;
      const about = { noun: 'Appointment', record: first.visit } as const;
      const message = {
        about,
        kind,
        due,
        visits: told.map(({ visit, formerStart }) => ({ Id: visit.Id, FormerStart: formerStart })),
        stamp: stampOfVisits(
          told.map(({ visit }) => visit),
          kind,
          now,
        ),
      };
      changes.push(...(await messageChanges(store, message, settings, now)));
    }
    await commitOnce(store, changes);
  }
}

const STAMPS = ', ';

/** What visits say that a message is about. */
export const stampOfVisits = (visits: readonly AppointmentRecord[], kind: MessageKind, now: Date): string =>
  visits.map((record) => stampOf({ noun: 'Appointment', record }, kind, now.getTime())).join(STAMPS);

/** What each of them says. */
export const stampsOfVisits = (stamp: string): string[] => stamp.split(STAMPS);

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
  const ofCompany = settings.kinds[kind].channels;
  const options = parseNotificationOptions(about.noun === 'Appointment' ? about.record.NotificationOptions : []);
  const ways = channelsFor(options, kind, ofCompany)
    .filter((channel) => channel === 'Email' || hasTexts())
    .map((channel) => wayOf(contact, kind, channel));
  const usable = ways.filter(({ refusal }) => refusal === undefined);
  // That a contact has no phone is not worth a record where it has an e-mail address.
  const kept = usable.length ? ways.filter(({ address }) => address !== '') : ways.slice(0, 1);
  const messages = await newMessages(store, decided, { contact, ways: kept, now });
  const asks = settings.taskWithoutAddress && ways.length > 0 && ways.every(({ address }) => address === '');
  return [...messages, ...(asks ? [await unreachableTask(store, contact, about, now)] : [])];
}

interface Way {
  readonly channel: Channel;
  /** `''` for none. */
  readonly address: string;
  readonly refusal: string | undefined;
}

const wayOf = (contact: ContactRecord, kind: MessageKind, channel: Channel): Way => ({
  channel,
  address: addressOf(contact, channel),
  refusal: refusalOf(contact, kind, channel),
});

const officeChanges = (
  store: StoreWriter,
  decided: DecidedMessage,
  { notify }: MessageSettings,
  now: Date,
): Promise<Change[]> | Change[] =>
  notify.length
    ? newMessages(store, decided, {
        contact: undefined,
        ways: [{ channel: 'Email', address: notify.join(', '), refusal: undefined }],
        now,
      })
    : [];

async function newMessages(
  store: StoreWriter,
  { about, kind, due, visits, stamp }: DecidedMessage,
  { contact, ways, now }: { contact: ContactRecord | undefined; ways: readonly Way[]; now: Date },
): Promise<Change[]> {
  const ids = await reserveIds(store, 'Message', ways.length);
  return ways.map(({ channel, address, refusal }, index) => {
    const message: NewMessage = {
      Id: ids[index] ?? 0,
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
      Due: due,
      SentAt: null,
      Uncertain: false,
      ClaimedUntil: 0,
      ServiceId: '',
    };
    return newMessageChange(store, message, now);
  });
}

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
