import { claimsOf } from '../../lib/domain/appointments/claims.ts';
import { appendNote } from '../../lib/domain/appointments/notes.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { storeAppointment } from '../../lib/store/appointments.ts';
import { claimChanges, readDays } from '../../lib/store/calendars.ts';
import type { Change } from '../../lib/store/changes.ts';
import type { Writing } from './writing.ts';

/** An appointment before and after, as an operation decided. */
interface Decided {
  readonly before: AppointmentRecord;
  readonly after: AppointmentRecord;
  /** Appended to its notes. */
  readonly note?: string | null | undefined;
}

/** Stores an appointment that claims no time it did not have: what it no longer claims is freed in the same transaction. */
export async function storeFreely({ table, caller, now }: Writing, { before, after, note }: Decided): Promise<{ thing: AppointmentRecord; changes: Change[] }> {
  const place = { accountId: caller.accountId, organizationId: before.OrganizationId };
  const [held, kept] = [claimsOf(before), claimsOf(after)];
  const frees = held.length > 0 && !kept.length;
  const days = await readDays(table, place, frees ? held : []);
  const { thing, changes } = storeAppointment(caller.accountId, { before, after: appendNote(after, note, now), now });
  return { thing, changes: [...changes, ...claimChanges(place, days, { appointmentId: before.Id, after: kept, watched: false })] };
}
