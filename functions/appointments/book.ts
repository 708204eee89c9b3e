import { operation, save } from '../../lib/api/operation.ts';
import { dropUnknownOptions } from '../../lib/domain/messages/notification-options.ts';
import { appointmentAnswer, bookingFields, repeatFields, scopeField } from '../../lib/resources/appointments.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { bookFollowing } from '../../lib/workflows/series/change-following.ts';
import { bookAppointment } from '../../lib/workflows/appointments/book-appointment.ts';

export const book = operation({
  title: 'Book an appointment',
  summary: 'Books the slot in Slots for a contact, or for the queued appointment of AppointmentId.',
  rules: [
    'The whole time of every agent is reserved at once.',
    'If a slot is taken, or a start is past or outside the hours, dates, category, postal codes or drives of an ' +
      'agent, the answer is 409 with the reason.',
    'SkipConflictChecks books in spite of all of these, and so records past appointments too.',
    'Any start can be booked, also one between those of slotsearch (9:07).',
    'A slot of slotsearch can be booked until somebody else books or holds it; HoldHandle books [a held ' +
      'slot](/docs#description/hold-a-slot).',
    'Price and lines are fixed by the booking.',
    'For a signed proposal (ProposalId, RootProposalId) or a visit of a subscription the appointment has the work, ' +
      'price and length that were sold: [book what was sold](/docs#description/book-what-was-sold).',
    'A repeat with the same CallCenterTransactionId returns the first appointment and changes nothing; another ' +
      'request with it is 409.',
  ],
  access: 'write',
  needs: ['table:write', 'roads:ask'],
  maxBody: 512 * 1024,
  readLenient: dropUnknownOptions,
  request: () => ({ ...bookingFields(), ...repeatFields(), Scope: scopeField() }),
  ignores: () => [
    'Holds',
    'IncludeCompleted',
    'SearchDate',
    'TargetDate',
    'Timeframe',
    'SlotWindowDays',
    'UpdateLines',
  ],
  ignoresWithRemark: () => ['UpdateActuals', 'ActualStart', 'ActualFinish', 'CancelReasonId', 'UpdateNote'],
  response: appointmentAnswer,
  document: () => ({
    required: ['Slots'],
    fields: {
      ContactId: 'Required without AppointmentId; else that of the slot or the appointment.',
      ServiceId: 'Required without ServiceName, AppointmentId and a proposal.',
      Slots: 'ServiceAgentId is required in it, and DateTime or an arrival window.',
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
    const change = request.Scope === 'following' ? bookFollowing : bookAppointment;
    const { appointment, changes } = await change(request, context);
    return save(changes, await toAppointmentAnswer(context, appointment, request.IncludeContact));
  },
});
