import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { KnownVisit } from '../../entities/messages.ts';
import { isEqual } from '../../shared/objects.ts';
import { arrivalOf } from '../appointments/record.ts';

/** What the client of a visit knows of it. */
export function knownVisitOf(visit: AppointmentRecord): KnownVisit {
  const arrival = arrivalOf(visit);
  return { Status: visit.Status, Start: arrival?.start ?? visit.Start, Through: arrival?.end ?? null };
}

export const isSameVisit = (one: KnownVisit | null, other: KnownVisit | null): boolean => isEqual(one, other);
