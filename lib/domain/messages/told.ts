import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ToldVisit } from '../../entities/messages.ts';
import { isEqual } from '../../shared/objects.ts';
import { arrivalOf } from '../appointments/record.ts';

/** What the client of a visit knows of it. */
export function toldVisitOf(visit: AppointmentRecord): ToldVisit {
  const arrival = arrivalOf(visit);
  return { Status: visit.Status, Start: arrival?.start ?? visit.Start, Through: arrival?.end ?? null };
}

export const isSameTold = (one: ToldVisit | null, other: ToldVisit | null): boolean => isEqual(one, other);
