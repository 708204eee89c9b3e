import type { AppointmentRecord } from '../../entities/appointments.ts';
import { blankAppointment } from '../../domain/appointments/record.ts';
import { changeStatus } from '../../domain/appointments/status.ts';
import { conflict, forbidden, invalid } from '../../shared/failure.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import type { BookingContext } from './booking-context.ts';

/** An appointment as a workflow leaves it, and the changes that store it. */
export interface Booking {
  readonly appointment: AppointmentRecord;
  readonly changes: readonly Change[];
}

/** A queued appointment of the contact with a new id. */
export async function newAppointment(
  { table, caller, now }: WriteContext,
  { organization, contact }: BookingContext,
): Promise<AppointmentRecord> {
  requireOpen(organization, 'appointments');
  const [Id = 0] = await reserveIds(table, caller.accountId, 'Appointment', 1);
  return blankAppointment({
    Id,
    OrganizationId: organization.Id,
    ContactId: contact.Id,
    HashKey: randomHandle(22),
    Zone: organization.Timezone,
    Created: now.getTime(),
  });
}

/** 409 if the status cannot change so, 403 if the role may not change it. */
export function changeAppointmentStatus(
  appointment: AppointmentRecord,
  status: number,
  { role }: Caller,
): AppointmentRecord {
  const change = changeStatus(appointment.Status, status, role);
  if (change.ok) return { ...appointment, Status: status };
  throw change.kind === 'forbidden'
    ? forbidden('role_forbidden', change.message)
    : conflict('wrong_state', change.message);
}

export function requireSameContact(former: AppointmentRecord | undefined, contactId: number): void {
  if (former && former.ContactId !== contactId)
    throw invalid({ field: 'ContactId', code: 'mismatch', message: `is not the contact of appointment ${former.Id}` });
}
