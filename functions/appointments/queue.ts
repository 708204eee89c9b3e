import { resolveDetails } from '../../lib/workflows/appointments/booking-effects.ts';
import { priceWork } from '../../lib/workflows/appointments/price-work.ts';
import { releaseTime } from '../../lib/workflows/appointments/reserve-time.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { type AppointmentRecord, blankAppointment, toQueued } from '../../lib/domain/appointments/record.ts';
import { Status } from '../../lib/domain/appointments/status.ts';
import { AddOnPart } from '../../lib/resources/appointments.ts';
import { date, decimal, described, double, id, int32, nullable, text } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { formatDuration } from '../../lib/shared/durations.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { randomHandle } from '../../lib/shared/random-handle.ts';
import { parseDate } from '../../lib/shared/read-moments.ts';
import { findAppointment, appointmentChanges } from '../../lib/store/appointments.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';
import { allowed, findRepeated, loadBookingContext } from '../../lib/workflows/appointments/booking-context.ts';
import { changeAppointmentStatus } from '../../lib/workflows/appointments/booking-effects.ts';

const fields = () => ({
  AppointmentId: id(),
  ServiceName: described(text(200), 'Instead of ServiceId; case and accents do not count.'),
  ContactId: id(),
  QueueDate: described(date(), 'The day it is wanted; today unless said otherwise.'),
  Duration: described(text(80), 'Minutes (90), 1:30, 1h30m or PT1H30M; as the service says when not given.'),
  Quantity: double(),
  ServiceId: id(),
  AddOnParts: many(AddOnPart, 50),
  Demand: nullable(described(int32(0), 'How much capacity it takes.')),
  Discount: nullable(decimal()),
  Notes: text(),
  NotificationUri: described(text(2048), 'https only.'),
  CallCenterTransactionId: nullable(described(int32(), 'The same again is the same appointment; 0 for none.')),
});

const answerOf = (of: AppointmentRecord) => ({
  AppointmentId: of.Id,
  ServiceName: of.ServiceName,
  ContactId: of.ContactId,
  QueueDate: of.QueueDate,
  Duration: formatDuration(of.Duration),
  Quantity: of.Quantity,
  ServiceId: of.ServiceId,
  AddOnParts: [...of.AddOnParts],
  Demand: of.Demand,
  Discount: of.Discount,
  Notes: of.Notes,
  NotificationUri: of.NotificationUri,
  CallCenterTransactionId: of.CallCenterTransactionId,
});

function dateOf(input: string | null | undefined, zone: string): string {
  if (!input) return '';
  const parsed = parseDate(input, zone);
  if (!parsed.ok) throw invalid({ field: 'QueueDate', message: `cannot be read: ${parsed.reason}` });
  return parsed.date;
}

export const queue = operation({
  name: 'appointments/queue',
  summary: 'Makes an appointment that waits to be booked, or puts the one of AppointmentId back into the queue.',
  description:
    "It claims nobody's time. appointments/book with its AppointmentId gives it a slot. The same CallCenterTransactionId again is the first appointment.",
  access: 'write',
  needs: ['table:write'],
  request: fields,
  response: fields,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { ContactId: 1, ServiceId: 1, QueueDate: '2027-03-09', CallCenterTransactionId: 1002 },
  async run(request, context) {
    const { table, caller, now } = context;
    const { AppointmentId, CallCenterTransactionId, Demand } = request;
    const [first, before] = await Promise.all([
      findRepeated(context, CallCenterTransactionId),
      AppointmentId ? findAppointment(table, caller, AppointmentId) : undefined,
    ]);
    if (first) return answerOf(first);
    if (AppointmentId && !before) throw notFound('appointment', 'AppointmentId', AppointmentId);
    const contact = await loadContact(context, request.ContactId || before?.ContactId);
    const details = allowed(resolveDetails({ request, slot: undefined, named: [], contactId: contact.Id }));
    if (before && before.ContactId !== contact.Id)
      throw invalid({ field: 'ContactId', message: `is not the contact of appointment ${before.Id}` });
    const named = request.ServiceId || request.ServiceName ? request : { ServiceId: before?.ServiceId };
    const home = await loadBookingContext(context, before?.OrganizationId ?? contact.OrganizationId, named);
    const { organization } = home;
    const QueueDate = dateOf(request.QueueDate, organization.Timezone);
    const priced = allowed(
      await priceWork(context, home, contact, {
        quantity: request.Quantity || before?.Quantity,
        discount: request.Discount ?? before?.Discount,
        lines: request.AddOnParts?.length ? request.AddOnParts : (before?.AddOnParts ?? []),
        properties: before?.CustomProperties ?? {},
        duration: request.Duration,
        minutes: before && !request.Quantity ? before.Duration : undefined,
        link: before ?? {},
        former: before,
      }),
    );
    const base = before ? changeAppointmentStatus(before, Status.Queued, caller) : await newAppointment();
    const after = {
      ...toQueued({ ...base, ...details }, QueueDate, now.getTime()),
      ...priced,
      Demand: Demand === undefined ? base.Demand : Demand,
      CallCenterTransactionId: CallCenterTransactionId || base.CallCenterTransactionId,
    };
    const { record, changes } = before
      ? await releaseTime(context, { before, after })
      : appointmentChanges(caller.accountId, { before, after, now });
    return save(changes, answerOf(record));

    async function newAppointment(): Promise<AppointmentRecord> {
      const [Id = 0] = await reserveIds(table, caller.accountId, 'Appointment', 1);
      const { Id: OrganizationId, Timezone: Zone } = organization;
      return blankAppointment({
        Id,
        OrganizationId,
        ContactId: contact.Id,
        HashKey: randomHandle(22),
        Zone,
        Created: now.getTime(),
      });
    }
  },
});
