import { operation, save } from '../../lib/api/operation.ts';
import { AppointmentSlot, MAX_HOLDS, SlotHold, slotSearchFields } from '../../lib/resources/appointments.ts';
import { extension } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';

const holdsOrReleases = ({ Hold, Release }: Readonly<Record<string, unknown>>): boolean =>
  Boolean(Hold) || (Array.isArray(Release) && Release.length > 0);

export const slotsearch = operation({
  name: 'appointments/slotsearch',
  title: 'Search free slots',
  summary: 'Finds the times at which an agent can do a service for a contact, with the price.',
  rules: [
    'Searches SlotWindowDays from TargetDate (else SearchDate, else now).',
    "A slot is a start on the organization's grid at which one agent's hours, category, postal codes and dates " +
      'allow the whole duration, nothing else overlaps, and the drives there and on fit.',
    'At most 500 slots by time, then drive, then agent.',
    'The appointment of AppointmentId does not block itself. Slots[0].ServiceAgentId searches that agent only.',
    'Without slots, Message says why; where an organization has too many appointments for one call, it says ' +
      'with which TargetDate to go on.',
    'A slot booked less than a second ago may still be in the answer; booking it is 409. It changes nothing ' +
      'without Hold and Release.',
    'With Hold it is a write: the slots of the answer are held, Holds has their handles in the same order, and ' +
      'for everybody else their time is taken until Until.',
    'Of slots that exclude each other only one is held. Holds make no events. Release without ContactId and ' +
      'AppointmentId only releases.',
  ],
  access: 'read',
  isWrite: holdsOrReleases,
  needs: ['table:write'],
  request: slotSearchFields,
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
  response: () => ({ Slots: many(AppointmentSlot), Holds: extension(many(SlotHold, MAX_HOLDS)) }),
  failures: ['notFound', 'conflict'],
  document: () => ({
    fields: {
      ContactId: 'Required without AppointmentId.',
      ServiceId: 'Required without ServiceName, AppointmentId and a proposal.',
    },
  }),
  example: { ContactId: 1, ServiceId: 1, TargetDate: '2035-03-05', SlotWindowDays: 7, Timeframe: 'Morning' },
  async run(request, context) {
    if (holdsOrReleases(request)) {
      const { holdSlots } = await import('../../lib/workflows/appointments/hold-slots.ts');
      const { slots, holds, message, changes } = await holdSlots(request, context);
      return save(changes, { Slots: slots, Holds: holds, Message: message });
    }
    const { searchSlots } = await import('../../lib/workflows/appointments/search-slots.ts');
    const { slots, message } = await searchSlots(request, context);
    return { Slots: slots, Holds: [], Message: message };
  },
});
