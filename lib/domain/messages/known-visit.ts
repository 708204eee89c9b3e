import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { KnownVisit, Notice } from '../../entities/messages.ts';
import { isEqual } from '../../shared/objects.ts';
import { arrivalOf } from '../appointments/record.ts';

/** What the client of a visit knows of it. */
export function knownVisitOf(visit: AppointmentRecord): KnownVisit {
  const arrival = arrivalOf(visit);
  return { Status: visit.Status, Start: arrival?.start ?? visit.Start, Through: arrival?.end ?? null };
}

/**
 * Whether a visit has changed since its last change that is announced: by an import, which announces nothing, or by a
 * change whose event is late.
 */
export const isChangedSince = ({ Is }: Pick<Notice, 'Is'>, visit: AppointmentRecord): boolean =>
  Is !== undefined && !isSameVisit(Is, knownVisitOf(visit));

export const isSameVisit = (one: KnownVisit | null, other: KnownVisit | null): boolean => isEqual(one, other);
