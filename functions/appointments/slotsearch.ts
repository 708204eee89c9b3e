import { AppointmentSlot } from '../../lib/entities/appointments.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { MAX_HOLDS, SlotHold, slotSearchFields } from '../../lib/resources/appointments.ts';
import { extension, many } from '../../lib/resources/fields.ts';
import { holdSlots } from '../../lib/workflows/appointments/hold-slots.ts';
import { searchSlots } from '../../lib/workflows/appointments/search-slots.ts';

const holdsOrReleases = ({ Hold, Release }: Readonly<Record<string, unknown>>): boolean =>
  Boolean(Hold) || (Array.isArray(Release) && Release.length > 0);

export const slotsearch = operation({
  title: 'Search free slots',
  summary: 'Finds the times at which an agent can do a service for a contact, with the price.',
  rules: [
    'The search covers SlotWindowDays from TargetDate, else from SearchDate, else from now.',
    "A slot is a start on the organization's grid at which one agent's hours, category, postal codes and dates " +
      'allow the whole duration, nothing else overlaps, and the drives before and after fit.',
    'Where the organization offers [arrival windows](/docs#description/arrival-windows), a slot is a window, with its ' +
      'first start and its Capacity.',
    'The answer has at most 500 slots: by time, then by drive, then by agent. Booking one that somebody else booked ' +
      'less than a second ago is 409.',
    'Without ContactId and AppointmentId the search is for a visitor who is no contact yet, at Zip. Without Zip ' +
      'nobody drives and postal codes do not count, so quickbook with a Zip may refuse a slot. A key of the account ' +
      'searches the organization that owns Zip, else the default one.',
    'Slots[0].ServiceAgentId searches that agent only. The appointment of AppointmentId does not block itself.',
    'Without slots, Message says why. Where an organization has too many appointments for one call, Message says ' +
      'with which TargetDate to go on.',
    'Hold reserves the slots of the answer for up to ten minutes, and Release gives them back; only then is the ' +
      'call a write: [hold a slot](/docs#description/hold-a-slot).',
  ],
  access: 'read',
  isWrite: holdsOrReleases,
  needs: ['table:write', 'roads:ask'],
  request: slotSearchFields,
  ignores: () => [
    'Address1',
    'Address2',
    'City',
    'State',
    'Country',
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
      ContactId: 'Required with a proposal, unless AppointmentId is given; 0 for a visitor who is no contact yet.',
      ServiceId: 'Required without ServiceName, AppointmentId and a proposal.',
    },
  }),
  example: { ContactId: 1, ServiceId: 1, TargetDate: '2035-03-05', SlotWindowDays: 7, Timeframe: 'Morning' },
  async run(request, context) {
    if (holdsOrReleases(request)) {
      const { slots, holds, message, changes } = await holdSlots(request, context);
      return save(changes, { Slots: slots, Holds: holds, Message: message });
    }
    const { slots, message } = await searchSlots(request, context);
    return { Slots: slots, Holds: [], Message: message };
  },
});
