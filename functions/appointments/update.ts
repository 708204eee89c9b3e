import { operation, save } from '../../lib/api/operation.ts';
import { dropUnknownOptions } from '../../lib/domain/messages/notification-options.ts';
import { appointmentAnswer, bookingFields, expectedFields, scopeField } from '../../lib/resources/appointments.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { moveFollowing } from '../../lib/workflows/series/change-following.ts';
import { withStartInSlot } from '../../lib/workflows/booking/resolve-update.ts';
import { updateAppointment } from '../../lib/workflows/appointments/update-appointment.ts';

export const update = operation({
  title: 'Change an appointment',
  summary: 'Changes an appointment: time, agents, quantity, duration, add-ons, notes, URLs, actual times.',
  rules: [
    'An absent field is unchanged; null clears Discount, NotificationUri and ThirdPartyUrl, in the slot too.',
    'To reschedule, Slots[0] has the new DateTime, ServiceAgentId and AdditionalServiceAgents (the whole list; null ' +
      'for none). The old time is released only when the new one is booked: ' +
      '[move a visit](/docs#description/move-a-visit).',
    'Another quantity or service, or AddOnParts with UpdateLines, is priced again, and takes the duration of the ' +
      'service unless Duration is given.',
    'AddOnParts without UpdateLines are 400.',
    'UpdateActuals with ActualStart makes the appointment Started, with ActualFinish Completed. Completing it may ' +
      'invoice the work (InvoiceId): [complete a visit](/docs#description/complete-a-visit).',
    'ActualStart alone reopens a Completed appointment; that is for Admin keys.',
    'Slots[0].Status confirms (Tentative to Scheduled), queues, or restores a Canceled appointment; the last is for ' +
      'Office keys.',
    'Time, agents and price of a Completed or Canceled appointment cannot be changed: 409.',
  ],
  access: 'write',
  needs: ['table:write', 'roads:ask'],
  maxBody: 512 * 1024,
  readLenient: dropUnknownOptions,
  request: () => ({ ...bookingFields(), ...expectedFields(), Scope: scopeField(), AppointmentId: required(id()) }),
  ignores: () => ['Holds', 'IncludeCompleted', 'SlotWindowDays', 'CallCenterTransactionId'],
  ignoresWithRemark: () => ['CancelReasonId'],
  response: appointmentAnswer,
  document: () => ({
    fields: {
      TargetDate: 'With a time of day: the new start, without Slots[0].DateTime.',
      SearchDate: 'As TargetDate.',
    },
  }),
  example: { AppointmentId: 1, UpdateNote: 'Gate code is 4711.' },
  async run(request, context) {
    const change = request.Scope === 'following' ? moveFollowing : updateAppointment;
    const { appointment, changes, message } = await change(withStartInSlot(request), context);
    const answer = await toAppointmentAnswer(context, appointment, request.IncludeContact);
    return save(changes, { ...answer, Message: message });
  },
});
