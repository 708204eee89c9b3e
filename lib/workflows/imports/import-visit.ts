import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { VisitRow } from '../../domain/imports/read-work.ts';
import { Status } from '../../domain/appointments/record.ts';
import { fromCents } from '../../shared/money.ts';
import { firstInstantAt, MINUTE } from '../../shared/time/time.ts';
import { fold } from '../../shared/text/text.ts';
import { appointmentChanges, queryAppointments } from '../../store/appointments.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { loadBookingContext } from '../booking/resolve.ts';
import { tryReserveTime } from '../booking/reserve.ts';
import { newAppointment } from '../booking/place.ts';
import type { WriteContext } from '../context.ts';
import { byReference } from './by-reference.ts';

/** The custom property of an appointment with the id of its visit in the other system. */
const REFERENCE = 'ImportedFrom';

/** The references of the visits that earlier imports made for a contact, and their appointments. */
export const findImportedVisits = (
  { store, now }: WriteContext,
  contact: number,
): Promise<Map<string, AppointmentRecord>> =>
  byReference(
    async (page) => (await queryAppointments(store, { contact, date: {}, updated: {}, ...page }, now)).appointments,
    ({ CustomProperties: { [REFERENCE]: reference } }) => (typeof reference === 'string' ? reference : undefined),
  );

/** The service that a visit names: by its full name, else the service with the longest name that a text contains. */
export function chooseService(
  services: readonly ServiceRecord[],
  texts: readonly string[],
  fallback: string | undefined,
): ServiceRecord | undefined {
  const byName = (name: string) => services.find((service) => fold(service.Name) === fold(name));
  const exact = texts.map(byName).find(Boolean);
  if (exact) return exact;
  const all = fold(texts.join('\n'));
  const contained = services.filter(({ Name }) => Name && all.includes(fold(Name)));
  const [longest] = contained.sort((one, other) => other.Name.length - one.Name.length);
  return longest ?? (fallback === undefined ? undefined : byName(fallback));
}

/** The agents that a visit names, the one in charge first; `unknown` are names that match nobody. */
export function chooseAgents(
  agents: Iterable<ServiceAgentRecord>,
  names: readonly string[],
): { readonly known: readonly ServiceAgentRecord[]; readonly unknown: readonly string[] } {
  const all = [...agents];
  const byName = (name: string) => all.find((agent) => fold(agent.Name) === fold(name));
  return {
    known: [...new Set(names.flatMap((name) => byName(name) ?? []))],
    unknown: names.filter((name) => !byName(name)),
  };
}

/**
 * Plans an appointment for a visit of another system: completed, or booked for its agent, or, without a known agent or
 * time of day, queued for its day. It takes the agent's time even if that is already taken, as in the other system.
 * Nothing is invoiced: invoices come with their own file. Writes nothing: returns the changes.
 */
export async function importVisit(
  visit: VisitRow,
  {
    contact,
    service,
    agents,
  }: { contact: ContactRecord; service: ServiceRecord; agents: readonly ServiceAgentRecord[] },
  context: WriteContext,
): Promise<{ readonly record: AppointmentRecord; readonly changes: readonly Change[] }> {
  const { store, now } = context;
  const selection = { organizationId: contact.OrganizationId, service: { ServiceId: service.Id } };
  const booking = { contact, ...(await loadBookingContext(context, selection)) };
  const appointment = toAppointment(visit, await newAppointment(context, booking), service, agents);
  const customer = contactSummaryChanges(store, contact.Id, { customer: visit.completed }, now);
  if (appointment.Start === null || !appointment.ServiceAgentId) {
    const { record, changes } = appointmentChanges(store, { before: undefined, after: appointment, now });
    return { record, changes: [...changes, ...customer] };
  }
  const request = { before: undefined, after: appointment, skipConflictChecks: true };
  const reservation = await tryReserveTime(context, booking, request);
  if (reservation.kind !== 'reserved') throw new RangeError(reservation.message);
  return { record: reservation.appointment, changes: [...reservation.changes, ...customer] };
}

function toAppointment(
  visit: VisitRow,
  blank: AppointmentRecord,
  service: ServiceRecord,
  [agent, ...others]: readonly ServiceAgentRecord[],
): AppointmentRecord {
  const { day, completed, minutes, title, notes, agents } = visit;
  const start = firstInstantAt(Date.parse(`${day}T00:00:00Z`) + (visit.start ?? 0) * MINUTE, blank.Zone);
  const isBooked = completed || (agent !== undefined && visit.start !== undefined);
  const assigned = agents.length && !agent ? `Assigned to: ${agents.join(', ')}` : '';
  return {
    ...blank,
    Status: completed ? Status.Completed : isBooked ? Status.Scheduled : Status.Queued,
    Start: isBooked ? start : null,
    QueueDate: isBooked ? '' : day,
    Duration: minutes,
    ServiceId: service.Id,
    ServiceName: service.Name,
    ServiceAgentId: isBooked ? (agent?.Id ?? 0) : 0,
    ServiceAgentName: isBooked ? (agent?.Name ?? '') : '',
    AdditionalAgents: isBooked
      ? others.map(({ Id, Name }) => ({
          ServiceAgentId: Id,
          Name,
          StartMinute: null,
          Duration: null,
          ActualStartMinute: null,
          ActualDuration: null,
        }))
      : [],
    Total: fromCents(visit.total),
    Notes: title,
    InternalNotes: [notes, assigned].filter(Boolean).join('\n'),
    ActualStart: completed ? start : null,
    ActualFinish: completed ? start + minutes * MINUTE : null,
    CustomProperties: { [REFERENCE]: visit.reference },
  };
}
