import { operation } from '../../lib/api/operation.ts';
import { AppointmentSlot, appointmentFields } from '../../lib/resources/appointments.ts';
import { many } from '../../lib/resources/resource.ts';

export const slotsearch = operation({
  name: 'appointments/slotsearch',
  summary: 'Finds the times at which an agent can do a service for a contact, with the price.',
  description:
    'Searches SlotWindowDays from TargetDate (else SearchDate, else now). A slot is a start on the ' +
    "organization's grid at which one agent's hours, category, postal codes and dates allow the whole duration, " +
    'nothing else overlaps, and the drives there and on fit. At most 500 slots by time, then drive, then agent. ' +
    'The appointment of AppointmentId does not block itself. Slots[0].ServiceAgentId searches that agent only. ' +
    'Without slots, Message says why; where an organization has too many appointments for one call, it says with ' +
    'which TargetDate to go on. A slot booked less than a second ago may still be in the answer; booking it ' +
    'is 409.',
  access: 'read',
  needs: ['table:read'],
  request: appointmentFields,
  ignores: () => [
    'InvoiceId',
    'IncludeCompleted',
    'Notes',
    'NotificationUri',
    'EnRouteUri',
    'ThirdPartyUrl',
    'SkipConflictChecks',
    'CallCenterTransactionId',
    'UpdateLines',
    'NotificationOptions',
    'UpdateActuals',
    'ActualStart',
    'ActualFinish',
    'CancelReasonId',
    'UpdateNote',
  ],
  response: () => ({ Slots: many(AppointmentSlot) }),
  failures: ['notFound', 'conflict'],
  document: () => ({
    fields: {
      ContactId: 'Required without AppointmentId.',
      ServiceId: 'Required without ServiceName, AppointmentId and a proposal.',
    },
  }),
  example: { ContactId: 1, ServiceId: 1, TargetDate: '2035-03-05', SlotWindowDays: 7, Timeframe: 'Morning' },
  async run(request, context) {
    const { searchSlots } = await import('../../lib/workflows/appointments/search-slots.ts');
    const { slots, message } = await searchSlots(request, context);
    return { Slots: slots, Message: message };
  },
});
