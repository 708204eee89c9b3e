import { operation, save } from '../../lib/api/operation.ts';
import { appointmentAnswer, bookingFields } from '../../lib/resources/appointments.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';

export const book = operation({
  name: 'appointments/book',
  title: 'Book an appointment',
  summary: 'Books the slot in Slots for a contact, or for the queued appointment of AppointmentId.',
  rules: [
    'Reserves the whole time of every agent at once.',
    'If a slot is taken, or a start is outside the hours, dates, category, postal codes or drives of an agent, ' +
      'the answer is 409 with the reason; SkipConflictChecks books over all of these.',
    'A start in the past is 409 too, except with SkipConflictChecks, which records a past appointment; a start ' +
      'between those of slotsearch (9:07) can be booked.',
    'Price and lines are fixed now. A repeat with the same CallCenterTransactionId returns the first ' +
      'appointment and changes nothing; another request with it is 409.',
    'A slot of slotsearch can be booked until somebody else books or holds it; HoldHandle books a held one.',
    'For a signed proposal (ProposalId, RootProposalId), with its own service or none, the appointment has the ' +
      'work, price and length that were sold; so does a visit of a subscription.',
    'Other add-ons are added at the price of today.',
    'Another quantity, discount or amount of a sold part is 409: create a change order. An Accepted proposal ' +
      'becomes Scheduled.',
  ],
  access: 'write',
  needs: ['table:write'],
  maxBody: 512 * 1024,
  request: bookingFields,
  ignores: () => [
    'Holds',
    'IncludeCompleted',
    'SearchDate',
    'TargetDate',
    'Timeframe',
    'SlotWindowDays',
    'UpdateLines',
    'UpdateActuals',
    'ActualStart',
    'ActualFinish',
    'CancelReasonId',
    'UpdateNote',
  ],
  response: appointmentAnswer,
  failures: ['notFound'],
  document: () => ({
    required: ['Slots'],
    fields: {
      ContactId: 'Required without AppointmentId; else that of the slot or the appointment.',
      ServiceId: 'Required without ServiceName, AppointmentId and a proposal.',
      Slots: 'DateTime and ServiceAgentId are required in it.',
    },
  }),
  example: {
    ContactId: 1,
    ServiceId: 1,
    CallCenterTransactionId: 1001,
    Slots: [{ DateTime: '2035-03-06T09:00', ServiceAgentId: 1 }],
  },
  beforeExample: 'Search slots, and send one of them.',
  async run(request, context) {
    const { bookAppointment } = await import('../../lib/workflows/appointments/book-appointment.ts');
    const { appointment, changes } = await bookAppointment(request, context);
    return save(changes, await toAppointmentAnswer(context, appointment, request.IncludeContact));
  },
});
