import { operation, save } from '../../lib/api/operation.ts';
import { queueFields } from '../../lib/resources/appointments.ts';
import { formatDuration } from '../../lib/shared/time/time.ts';
import { pick } from '../../lib/shared/objects.ts';
import { queueAppointment } from '../../lib/workflows/appointments/queue-appointment.ts';

export const queue = operation({
  title: 'Queue an appointment',
  summary: 'Creates an appointment that waits to be booked, or puts the one of AppointmentId back into the queue.',
  rules: [
    "A queued appointment takes nobody's time; appointments/book with its AppointmentId gives it a slot.",
    'A QueueDate before today is 409.',
    'A repeat with the same CallCenterTransactionId returns the first appointment and changes nothing; another ' +
      'request with it is 409.',
  ],
  access: 'write',
  request: queueFields,
  response: queueFields,
  document: () => ({
    fields: {
      ContactId: 'Required without AppointmentId.',
      ServiceId: 'Required without ServiceName and AppointmentId.',
    },
  }),
  example: { ContactId: 1, ServiceId: 1, QueueDate: '2035-03-06', CallCenterTransactionId: 1002 },
  async run(request, context) {
    const { appointment, changes } = await queueAppointment(request, context);
    return save(changes, {
      ...pick(appointment, 'ContactId', 'ServiceId', 'ServiceName', 'Quantity', 'Discount', 'QueueDate', 'Demand'),
      ...pick(appointment, 'Notes', 'NotificationUri', 'CallCenterTransactionId'),
      AppointmentId: appointment.Id,
      Duration: formatDuration(appointment.Duration),
      AddOnParts: [...appointment.AddOnParts],
    });
  },
});
