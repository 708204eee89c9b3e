import { AppointmentSlot } from '../../lib/entities/appointments.ts';
import { operation } from '../../lib/api/operation.ts';
import { appointmentFields } from '../../lib/resources/appointments.ts';
import { described, many, otherFields, text } from '../../lib/resources/fields.ts';
import { invalid, orInvalid } from '../../lib/shared/failure.ts';
import { dayNumber } from '../../lib/shared/time/time.ts';
import { type DateSpan, parseDate, parseRangeEnd, parseRangeStart } from '../../lib/shared/time/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { queryAppointments } from '../../lib/store/appointments.ts';
import { bounded } from '../../lib/workflows/bounded.ts';
import { loadAppointmentResources } from '../../lib/workflows/appointments/load-appointment-resources.ts';

const MAX_APPOINTMENTS = 500;
/** Search fields of slotsearch that find does not accept. */
const FILTERS_OF_OTHERS = ['ServiceId', 'ServiceName', 'TargetDate', 'Timeframe', 'SlotWindowDays'] as const;

/** The day of a date, both ends inclusive. */
function parseDay(text: string, zone: string): DateSpan {
  const { date } = orInvalid(parseDate(text, zone), 'SearchDate');
  return {
    from: orInvalid(parseRangeStart(date, zone), 'SearchDate').at,
    through: orInvalid(parseRangeEnd(date, zone), 'SearchDate').at,
    firstDay: dayNumber(date),
    lastDay: dayNumber(date),
  };
}

export const find = operation({
  title: 'Find appointments',
  summary:
    'Returns the appointment of AppointmentId; else those of ContactId; else those of the day SearchDate: by ' +
    'time, then id.',
  rules: [
    `At most ${MAX_APPOINTMENTS} appointments are returned; those without a time come last.`,
    'For a contact or a day, Completed and Canceled appointments are left out unless IncludeCompleted is true, and ' +
      'Shadow ones always. AppointmentId finds any.',
    'RootProposalId and InvoiceId keep only the appointments of that proposal or invoice.',
    'Without a match the list is empty.',
    'DateTime of a Queued appointment is the midnight of its QueueDate.',
    'If exactly one appointment is found, Notes has its notes, and Message its internal notes, which each slot has.',
  ],
  access: 'read',
  needs: ['table:page'],
  request: appointmentFields,
  ignores: () =>
    otherFields(
      appointmentFields,
      ...FILTERS_OF_OTHERS,
      'AppointmentId',
      'ContactId',
      'InvoiceId',
      'IncludeCompleted',
      'IncludeContact',
      'SearchDate',
      'RootProposalId',
    ),
  ignoresWithRemark: () => FILTERS_OF_OTHERS,
  response: () => ({
    Notes: described(text(), 'The notes of the appointment, if the answer has exactly one.'),
    Slots: many(AppointmentSlot),
  }),
  document: () => ({
    fields: {
      AppointmentId: 'Required without ContactId and SearchDate.',
      ContactId: 'Required without AppointmentId and SearchDate.',
      SearchDate: 'Required without AppointmentId and ContactId.',
    },
  }),
  example: { ContactId: 1, IncludeContact: true },
  async run(request, context) {
    const { store, now } = context;
    const { AppointmentId, ContactId, SearchDate, RootProposalId, InvoiceId, IncludeCompleted } = request;
    if (!AppointmentId && !ContactId && !SearchDate)
      throw invalid({ field: 'AppointmentId', code: 'required', message: 'or ContactId or SearchDate is required' });
    const open = { over: IncludeCompleted ? undefined : false, shadow: false };
    const day = async () => parseDay(SearchDate ?? '', (await callerOrganization(store)).Timezone);
    const query = {
      date: {},
      updated: {},
      skip: 0,
      take: MAX_APPOINTMENTS,
      proposal: RootProposalId ?? undefined,
      invoice: InvoiceId ?? undefined,
      ...(AppointmentId
        ? { id: AppointmentId }
        : ContactId
          ? { ...open, contact: ContactId }
          : { ...open, date: await day() }),
    };
    const { appointments } = await bounded(
      () => queryAppointments(store, query, now),
      () => ({
        field: ContactId ? 'ContactId' : 'SearchDate',
        code: 'too_broad',
        message: 'has too many appointments. Use appointments/query with FromDate and ThroughDate.',
      }),
    );
    const [only] = appointments.length === 1 ? appointments : [];
    return {
      Notes: only?.Notes ?? '',
      Message: only?.InternalNotes ? `Internal notes: ${only.InternalNotes}` : '',
      Slots: await loadAppointmentResources(context, appointments, request.IncludeContact),
    };
  },
});
