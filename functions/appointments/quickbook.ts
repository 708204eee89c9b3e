import { operation, save } from '../../lib/api/operation.ts';
import { readBookingLead } from '../../lib/domain/contacts/read-lead.ts';
import { quickbookAnswer, quickbookFields } from '../../lib/resources/appointments.ts';
import { toQuickbookAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { quickbookAppointment } from '../../lib/workflows/appointments/quickbook-appointment.ts';

export const quickbook = operation({
  title: 'Book from a web form',
  summary: 'Finds or creates a contact and books an appointment for it, in one transaction.',
  rules: [
    'The rules of contacts/addupdate find or create the contact; a new one goes to the organization that owns its ' +
      'postal code.',
    'The service is named by its name, and agents by their e-mail.',
    'The time is ScheduledStart; with FirstAvailable it is the first free slot from ScheduledStart or from now, and ' +
      'the next one if somebody else takes that.',
    'A ScheduledStart in the past is 409.',
    'HoldHandle books [a held time](/docs#description/hold-a-slot) of slotsearch.',
    'Tentative books the time with the status Tentative.',
    'A repeat with the same CallCenterTransactionId returns the first appointment and changes nothing; another ' +
      'request with it is 409.',
  ],
  access: 'write',
  needs: ['table:write', 'roads:ask'],
  readLenient: readBookingLead,
  request: quickbookFields,
  response: quickbookAnswer,
  document: () => ({
    fields: {
      ScheduledStart: 'Required, with a time of day, without FirstAvailable.',
      ContactId: 'Required without a name, e-mail, phone or address.',
    },
  }),
  example: {
    Name: 'Ann Lee',
    Email: 'ann@example.com',
    Address1: '12 Main Street',
    City: 'Richmond',
    State: 'VA',
    Zip: '23220',
    Service: 'Window Cleaning',
    FirstAvailable: true,
    ScheduledStart: '2035-03-05T08:00',
    CallCenterTransactionId: 1003,
  },
  async run(request, context) {
    const { appointment, changes } = await quickbookAppointment(request, context);
    return save(changes, await toQuickbookAnswer(context, appointment));
  },
});
