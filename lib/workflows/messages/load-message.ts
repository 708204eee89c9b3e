import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type MessageRecordOf, isTooLate, stampOf } from '../../domain/messages/decide.ts';
import type { MessageSettings } from '../../domain/messages/settings.ts';
import { joinStamps, stampsOf } from '../../domain/messages/stamps.ts';
import type { MessageView } from '../../messages/view.ts';
import type { StoreReader } from '../../store/store.ts';
import { findParts, toView } from './message-view.ts';
import { wantedChannels } from './new-messages.ts';

/** A message with everything that decides whether it is sent, and what it says. */
export interface LoadedMessage {
  readonly about: MessageRecordOf;
  readonly organization: OrganizationRecord;
  readonly settings: MessageSettings;
  /** `undefined` for a message to the office. */
  readonly contact: ContactRecord | undefined;
  readonly view: MessageView;
  /** Its visits, without those that have changed since, and their stamps. */
  readonly remaining: Pick<MessageRecord, 'Visits' | 'Stamp'>;
  /** Why it is out of date; `undefined` if it is current. */
  readonly outdated: string | undefined;
}

/** The message as it would be sent now; a refusal if what it is about is gone. */
export async function loadMessage(
  store: StoreReader,
  message: MessageRecord,
  now: Date,
): Promise<LoadedMessage | { readonly refusal: string }> {
  const { ContactId } = message;
  const parts = await findParts(store, message, now);
  const { about, organization, visits: all, settings, contact, isRetried } = parts;
  if (!about || !organization) return { refusal: 'The record is gone.' };
  if (ContactId !== null && !contact) return { refusal: 'The contact is gone.' };
  if (isRetried) return { refusal: 'The client has tried again since.' };
  const each = all.length ? all.map((record) => ({ noun: 'Appointment', record }) as const) : [about];
  const problems = each.map((of) => problemOf(of, message, settings, now.getTime()));
  const current = all.filter((_, index) => problems[index] === undefined);
  const outdated = problems.includes(undefined) ? undefined : problems[0];
  const visits = current.length ? current : all;
  const view = toView(message, { ...parts, account: store.account, about, organization, visits }, now);
  return { about, organization, settings, contact, view, remaining: remainingOf(message, current), outdated };
}

/** What is left of a message that leaves the other visits out. */
function remainingOf(message: MessageRecord, visits: readonly AppointmentRecord[]): LoadedMessage['remaining'] {
  const stamps = stampsOf(message);
  const Visits = message.Visits.filter(({ Id }) => visits.some((visit) => visit.Id === Id));
  if (Visits.length === message.Visits.length) return message;
  return { Visits, Stamp: joinStamps(Visits.map(({ Id }) => stamps.get(Id) ?? '')) };
}

/** Why a message about a record is not sent any more; `undefined` if it is. */
function problemOf(of: MessageRecordOf, message: MessageRecord, settings: MessageSettings, now: number) {
  const { Kind: kind, Channel: channel, Stamp, Visits, Due: due, IsRequested } = message;
  const stamp = Visits.length ? stampsOf(message).get(of.record.Id) : Stamp;
  if (stamp && stampOf(of, kind, now) !== stamp) return 'The record has changed since.';
  if (of.noun === 'Appointment' && isTooLate(of.record, kind, { now, due }))
    return kind === 'OnTheWay' ? 'The agent is not on the way any more.' : 'The visit has begun.';
  const isWanted = IsRequested || kind === 'Office' || wantedChannels(of, kind, settings).includes(channel);
  return isWanted ? undefined : 'The company or the visit has turned it off.';
}
