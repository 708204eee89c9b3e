import { releaseTime } from '../../lib/workflows/appointments/reserve-time.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { Status } from '../../lib/domain/appointments/status.ts';
import { type CancelReason, appointmentAnswer, appointmentFields } from '../../lib/resources/appointments.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { listRecentSettings } from '../../lib/store/settings.ts';
import { changeAppointmentStatus } from '../../lib/workflows/appointments/booking-effects.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';

/** The reasons there are, for whoever named none of them: `1 Customer canceled, 2 Weather`. */
const named = (reasons: readonly CancelReason[]): string =>
  reasons.map(({ Id, Reason }) => `${Id} ${Reason}`).join(', ');

export const cancel = operation({
  name: 'appointments/cancel',
  summary: 'Cancels an appointment for one of the reasons of cancelreasons/all, and frees its time.',
  description: 'A second time is 409. A canceled appointment can be queued or booked again, by Office.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ ...appointmentFields(), AppointmentId: required(id()) }),
  response: appointmentAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { AppointmentId: 1, CancelReasonId: 1, UpdateNote: 'Called: moves house.' },
  async run({ AppointmentId, CancelReasonId, UpdateNote, IncludeContact }, context) {
    const { table, caller, now } = context;
    const [before, reasons] = await Promise.all([
      findAppointment(table, caller, AppointmentId),
      listRecentSettings<CancelReason>(table, caller.accountId, 'CancelReason', now),
    ]);
    if (!before) throw notFound('appointment', 'AppointmentId', AppointmentId);
    if (!reasons.some(({ Id }) => Id === CancelReasonId)) {
      throw invalid({
        field: 'CancelReasonId',
        message: `${CancelReasonId ? `${CancelReasonId} is none; it` : 'is required and'} must be one of: ${named(reasons)}`,
      });
    }
    const after = {
      ...changeAppointmentStatus(before, Status.Canceled, caller),
      CancelReasonId: CancelReasonId ?? null,
    };
    const { record, changes } = await releaseTime(context, { before, after, note: UpdateNote });
    return save(changes, await toAppointmentAnswer(context, record, IncludeContact));
  },
});
