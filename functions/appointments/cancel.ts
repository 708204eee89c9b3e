import { operation, save } from '../../lib/api/operation.ts';
import { appointmentAnswer, appointmentFields, expectedFields, scopeField } from '../../lib/resources/appointments.ts';
import { id, otherFields, required } from '../../lib/resources/fields.ts';
import { cancelAppointment } from '../../lib/workflows/appointments/cancel-appointment.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { cancelFollowing } from '../../lib/workflows/series/change-following.ts';

/** Fields that book and update accept, and a cancellation does not. */
const NOT_OF_CANCEL = [
  'NotificationUri',
  'EnRouteUri',
  'ThirdPartyUrl',
  'NotificationOptions',
  'UpdateActuals',
  'ActualStart',
  'ActualFinish',
] as const;

export const cancel = operation({
  title: 'Cancel an appointment',
  summary: 'Cancels an appointment for one of the reasons of cancelreasons/all, and releases its time.',
  rules: [
    'An appointment that is canceled already is 409.',
    'Notes and UpdateNote are added to the notes of the appointment; Notes that it has already are not.',
    'A canceled appointment can be queued or booked again with a key of the role Office.',
    'With Scope following, the later visits of its series are canceled too, in the background: ' +
      '[change a series](/docs#description/change-a-series).',
  ],
  access: 'write',
  request: () => ({ ...appointmentFields(), ...expectedFields(), Scope: scopeField(), AppointmentId: required(id()) }),
  ignores: () =>
    otherFields(
      appointmentFields,
      'AppointmentId',
      'IncludeContact',
      'CancelReasonId',
      'UpdateNote',
      'Notes',
      ...NOT_OF_CANCEL,
    ),
  ignoresWithRemark: () => NOT_OF_CANCEL,
  response: appointmentAnswer,
  document: () => ({ required: ['CancelReasonId'] }),
  example: { AppointmentId: 1, CancelReasonId: 1, UpdateNote: 'Called: moves house.' },
  beforeExample: 'Book an appointment, and send its AppointmentId.',
  async run(request, context) {
    const change = request.Scope === 'following' ? cancelFollowing : cancelAppointment;
    const { appointment, changes } = await change(request, context);
    return save(changes, await toAppointmentAnswer(context, appointment, request.IncludeContact));
  },
});
