import type { Caller } from '../../lib/api/context.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { toUtc } from '../../lib/domain/moments-out.ts';
import type { AppointmentSlot } from '../../lib/resources/appointments.ts';
import { showAppointments } from '../../lib/store/appointment-view.ts';
import type { TableReader } from '../../lib/store/client.ts';

/** What of a call decides how appointments are shown. */
export interface Showing {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
  readonly baseUrl: string;
}

/** Appointments as the caller wants to see them. */
export const shown = ({ table, caller, now, baseUrl }: Showing, records: readonly AppointmentRecord[], includeContact = false): Promise<AppointmentSlot[]> =>
  showAppointments(table, records, { accountId: caller.accountId, dateStyle: caller.dateStyle, baseUrl, now, includeContact });

const utc = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** The answer of book, update and cancel. */
export async function answerOf(showing: Showing, record: AppointmentRecord, includeContact: boolean | null | undefined) {
  const { ContactId, InvoiceId, Notes, EnRouteUri, NotificationOptions, CallCenterTransactionId } = record;
  return {
    AppointmentId: record.Id, ContactId, InvoiceId, Notes, EnRouteUri, NotificationOptions: [...NotificationOptions], CallCenterTransactionId,
    ActualStart: utc(record.ActualStart), ActualFinish: utc(record.ActualFinish), CancelReasonId: record.CancelReasonId ?? 0,
    Slots: await shown(showing, [record], includeContact ?? false),
  };
}
