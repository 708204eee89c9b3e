import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type ChangedVisit, decideTopic, decideVisits, dueOf, stampOf } from '../../domain/messages/decide.ts';
import { announcedState } from '../../domain/messages/announced.ts';
import { isChangedSince } from '../../domain/messages/known-visit.ts';
import { stampOfVisits } from '../../domain/messages/stamps.ts';
import { VISIT_CHANGES } from '../../domain/messages/topics.ts';
import { secondsUntil } from '../../shared/queues.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { listAppointments } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import type { MessageTrigger } from '../../store/events/message-plans.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { type VisitNotice, listMessages, listNotices, noticeRemoval } from '../../store/messages.ts';
import type { StoreWriter } from '../../store/store.ts';
import { findAbout } from './about.ts';
import { findFailureDue } from './failure-due.ts';
import { messageChanges } from './new-messages.ts';

/** Due a moment early, because queues count in whole seconds. */
const EARLY = 2 * SECOND;
/** Changes of a series are announced together once no visit has changed for the delay, but not later than this. */
const LONGEST_WAIT = 15 * MINUTE;
/**
 * A visit that has changed since its notice waits this long for the event of that change. Without one an import changed
 * it: the notice goes without a message, because what it would announce is gone.
 */
const LATE_EVENT = 5 * MINUTE;
/** Leaves room for the messages in a transaction of 100 changes. */
const MAX_VISITS = 90;

/**
 * Decides which messages are due about a record, and stores them; returns the seconds after which to ask again if it is
 * too early. Writes at once. Safe to repeat.
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

async function decideOne(store: StoreWriter, trigger: MessageTrigger, now: Date): Promise<void> {
  const about = await findAbout(store, trigger.noun, trigger.id);
  const settings = about && (await findMessageSettings(store, about.record.OrganizationId));
  if (!about || !settings?.isOn) return;
  const kind = decideTopic(about, trigger, settings, now.getTime());
  if (!kind) return;
  if (kind === 'CardFailed' && (await findFailureDue(store, trigger.id)) !== trigger.at) return;
  const due = dueOf(about, kind, trigger.at);
  const decided = { about, kind, due, visits: [], stamp: stampOf(about, kind, now.getTime()) };
  await commitOnce(store, await messageChanges(store, decided, settings, now));
}

async function decideVisitChanges(store: StoreWriter, group: number, now: Date): Promise<number | undefined> {
  const notices = await listNotices(store, group);
  if (!notices.length) return undefined;
  const latest = Math.max(...notices.map(({ At }) => At));
  const first = Math.min(...notices.map(({ First }) => First));
  if (latest > now.getTime() + EARLY && first > now.getTime() - LONGEST_WAIT) return secondsUntil(latest, now);
  const found = await listAppointments(
    store,
    notices.map(({ visitId }) => visitId),
  );
  const visits = new Map(found.map((visit) => [visit.Id, visit]));
  const waiting = notices.filter((notice) => isChanged(notice, visits) && notice.At + LATE_EVENT > now.getTime());
  const due = notices.filter((notice) => !waiting.includes(notice));
  for (let index = 0; index < due.length; index += MAX_VISITS)
    await announceVisits(store, { notices: due.slice(index, index + MAX_VISITS), visits }, now);
  return waiting.length ? secondsUntil(Math.max(...waiting.map(({ At }) => At)) + LATE_EVENT, now) : undefined;
}

function isChanged(notice: VisitNotice, visits: ReadonlyMap<number, AppointmentRecord>): boolean {
  const visit = visits.get(notice.visitId);
  return visit !== undefined && isChangedSince(notice, visit);
}

interface ChangedVisits {
  readonly notices: readonly VisitNotice[];
  readonly visits: ReadonlyMap<number, AppointmentRecord>;
}

/**
 * Stores the messages about changed visits and removes their notices, in one transaction for each contact and each
 * choice of NotificationOptions.
 */
async function announceVisits(store: StoreWriter, { notices, visits }: ChangedVisits, now: Date): Promise<void> {
  const together = Map.groupBy(notices, ({ visitId }) => {
    const { ContactId, NotificationOptions = [] } = visits.get(visitId) ?? {};
    return [ContactId, ...NotificationOptions].join(' ');
  });
  for (const alike of together.values()) {
    const changed = alike.flatMap((notice) => {
      const visit = visits.get(notice.visitId);
      return visit && !isChanged(notice, visits) ? [{ visit, was: notice.Was }] : [];
    });
    await commitOnce(store, [...alike.map(noticeRemoval), ...(await visitMessages(store, changed, now))]);
  }
}

/**
 * The messages about changed visits of one contact, due now; none if messages are off. Their notices, which are removed
 * with them, prevent a second decision.
 */
async function visitMessages(store: StoreWriter, changed: readonly ChangedVisit[], now: Date): Promise<Change[]> {
  const [one] = changed;
  const settings = one && (await findMessageSettings(store, one.visit.OrganizationId));
  if (!one || !settings?.isOn) return [];
  const news = await withoutAnnounced(store, one.visit.ContactId, changed, now);
  const changes: Change[] = [];
  for (const { kind, visits } of decideVisits(news, now.getTime())) {
    const records = visits.map(({ visit }) => visit);
    const [record] = records;
    if (!record) continue;
    const decided = {
      about: { noun: 'Appointment', record } as const,
      kind,
      due: now.getTime(),
      visits: visits.map(({ visit, formerStart }) => ({ Id: visit.Id, FormerStart: formerStart })),
      stamp: stampOfVisits(records, kind, now.getTime()),
    };
    changes.push(...(await messageChanges(store, decided, settings, now)));
  }
  return changes;
}

/** As many messages of a contact as visits that change at the same time can cause. */
const RECENT_MESSAGES = 20;

/**
 * The changed visits of which the client does not know the present state: one that moved away and back while messages
 * waited is known. A visit whose messages were all suppressed is new to its client.
 */
async function withoutAnnounced(
  store: StoreWriter,
  contact: number,
  changed: readonly ChangedVisit[],
  now: Date,
): Promise<readonly ChangedVisit[]> {
  const { messages } = await listMessages(store, [contact], { skip: 0, take: RECENT_MESSAGES });
  return changed.flatMap(({ visit, was }) => {
    const state = announcedState(messages, visit.Id, stampOfVisits([visit], 'VisitBooked', now.getTime()));
    if (state === 'current') return [];
    return [{ visit, was: state === 'never' ? null : was }];
  });
}

/** Commits what another run may have committed; a conflict with a later change is decided again by its own trigger. */
async function commitOnce(store: StoreWriter, changes: readonly Change[]): Promise<void> {
  if (!changes.length) return;
  try {
    await store.table.commit(changes);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}
