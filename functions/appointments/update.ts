import { operation, save } from '../../lib/api/operation.ts';
import { appointmentAnswer, bookingFields } from '../../lib/resources/appointments.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';

export const update = operation({
  name: 'appointments/update',
  title: 'Change an appointment',
  summary: 'Changes an appointment: time, agents, quantity, duration, add-ons, notes, URLs, actual times.',
  rules: [
    'An absent field is unchanged; null clears Discount, NotificationUri and ThirdPartyUrl, in the slot too.',
    'Slots[0] has the new DateTime, ServiceAgentId, AdditionalServiceAgents (the whole list; null for none) ' +
      'and Status. A move is one transaction: the old slot is released only when the new one is booked.',
    'Additional agents move with the appointment unless they are given other times. AddOnParts without ' +
      'UpdateLines are 400.',
    'Another quantity or service, or AddOnParts with UpdateLines, is priced again, and takes the duration of ' +
      'the service unless Duration is given. UpdateActuals with ActualStart makes it Started, with ActualFinish ' +
      'Completed.',
    'Then the contact becomes a customer and, if the service has IsMigrateInvoice, the booked work is invoiced ' +
      '(InvoiceId), less the deposit of its proposal.',
    'The work of a proposal and its signed change orders is invoiced once; for a later appointment, Message ' +
      'says that it is invoiced.',
    'ActualStart alone reopens a Completed appointment (Admin). Slots[0].Status confirms (Tentative to ' +
      'Scheduled), queues, or restores a Canceled one (Office).',
    'Time, agents and price of a Completed or Canceled appointment cannot be changed: 409.',
  ],
  access: 'write',
  needs: ['table:write'],
  maxBody: 512 * 1024,
  request: () => ({ ...bookingFields(), AppointmentId: required(id()) }),
  ignores: () => [
    'Holds',
    'IncludeCompleted',
    'SearchDate',
    'TargetDate',
    'Timeframe',
    'SlotWindowDays',
    'CallCenterTransactionId',
    'CancelReasonId',
  ],
  response: appointmentAnswer,
  failures: ['notFound'],
  example: { AppointmentId: 1, UpdateNote: 'Gate code is 4711.' },
  async run(request, context) {
    const { updateAppointment } = await import('../../lib/workflows/appointments/update-appointment.ts');
    const { appointment, changes, message } = await updateAppointment(request, context);
    const answer = await toAppointmentAnswer(context, appointment, request.IncludeContact);
    return save(changes, { ...answer, Message: message });
  },
});
