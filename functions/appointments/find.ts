import { operation } from '../../lib/api/operation.ts';
import { AppointmentSlot, appointmentFields } from '../../lib/resources/appointments.ts';
import { many } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { parseDate, parseRangeEnd, parseRangeStart } from '../../lib/shared/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts.ts';
import { queryAppointments } from '../../lib/store/appointments.ts';
import { toAppointmentSlots } from '../../lib/workflows/appointments/load-appointment-resources.ts';

const MOST = 500;

/** The day of a date, both ends inclusive. */
function dayOf(text: string, zone: string): { from: number; through: number } {
  const parsed = parseDate(text, zone);
  const [from, through] = parsed.ok
    ? [parseRangeStart(parsed.date, zone), parseRangeEnd(parsed.date, zone)]
    : [parsed, parsed];
  if (!from.ok || !through.ok)
    throw invalid({ field: 'SearchDate', message: `cannot be read: ${parsed.ok ? '' : parsed.reason}` });
  return { from: from.at, through: through.at };
}

export const find = operation({
  name: 'appointments/find',
  summary:
    'The appointment of AppointmentId; else those of ContactId; else those of the day SearchDate: by time, then id.',
  description:
    `At most ${MOST} are answered, those without a time last. Of a contact or day they are those that are neither ` +
    'Completed nor Canceled, unless IncludeCompleted says so, and no Shadow ones; AppointmentId finds any. RootProposalId ' +
    'and InvoiceId leave only those of that proposal or invoice. Where there are none the list is empty.',
  access: 'read',
  needs: ['table:page'],
  request: appointmentFields,
  response: () => ({ Slots: many(AppointmentSlot) }),
  failures: ['invalid'],
  example: { ContactId: 1, IncludeContact: true },
  async run(
    { AppointmentId, ContactId, SearchDate, RootProposalId, InvoiceId, IncludeCompleted, IncludeContact },
    context,
  ) {
    const { table, caller, now } = context;
    if (!AppointmentId && !ContactId && !SearchDate)
      throw invalid({ field: 'AppointmentId', message: 'or ContactId or SearchDate is required' });
    const everything = {
      date: {},
      updated: {},
      skip: 0,
      take: MOST,
      proposal: RootProposalId ?? undefined,
      invoice: InvoiceId ?? undefined,
    };
    const open = { over: IncludeCompleted ? undefined : false, shadow: false };
    const day = async () => dayOf(SearchDate ?? '', (await callerOrganization(table, caller, now)).Timezone);
    const asked = AppointmentId
      ? { id: AppointmentId }
      : ContactId
        ? { ...open, contact: ContactId }
        : { ...open, date: await day() };
    const { appointments } = await queryAppointments(table, caller, { ...everything, ...asked }, now);
    return { Slots: await toAppointmentSlots(context, appointments, IncludeContact ?? false) };
  },
});
