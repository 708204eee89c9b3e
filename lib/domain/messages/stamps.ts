import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { MessageKind } from '../../entities/message-kinds.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import { stampOf } from './decide.ts';

/** The stamps of messages about several visits: what each visit says, in the order of the message. */

const SEPARATOR = ', ';

export const stampOfVisits = (visits: readonly AppointmentRecord[], kind: MessageKind, now: number): string =>
  joinStamps(visits.map((record) => stampOf({ noun: 'Appointment', record }, kind, now)));

export const joinStamps = (stamps: readonly string[]): string => stamps.join(SEPARATOR);

/** The stamp of each visit of a message, by its id. */
export function stampsOf({ Visits, Stamp }: Pick<MessageRecord, 'Visits' | 'Stamp'>): ReadonlyMap<number, string> {
  const stamps = Stamp.split(SEPARATOR);
  return new Map(Visits.map(({ Id }, index) => [Id, stamps[index] ?? '']));
}
