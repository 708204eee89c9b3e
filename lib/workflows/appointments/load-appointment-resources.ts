import type { Appointment, AppointmentRecord } from '../../entities/appointments.ts';
import { Status, appointmentToResource, trackingUrl } from '../../domain/appointments/record.ts';
import { formatMoment, toUtc } from '../../shared/time/time.ts';
import { pick } from '../../shared/objects.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { findClientLinks } from '../../store/links.ts';
import { findRecentOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { loadContactResources } from '../contacts/load-contact.ts';
import { visitedAmong } from '../../store/visibility.ts';
import type { ReadContext } from '../context.ts';

/** Reads contacts with one BatchGet; zones and agents are cached. */
export async function loadAppointmentResources(
  { store, caller, now }: ReadContext,
  records: readonly AppointmentRecord[],
  includeContact: boolean | null | undefined,
): Promise<Appointment[]> {
  const { dateStyle } = caller;
  const organizationIds = [...new Set(records.map(({ OrganizationId }) => OrganizationId))];
  const named = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const contactIds = await visitedAmong(store, named);
  const [organizations, contacts, link] = await Promise.all([
    Promise.all(
      organizationIds.map(async (organizationId) => {
        const [organization, agents] = await Promise.all([
          findRecentOrganization(store, organizationId),
          agentsOf(store, organizationId),
        ]);
        return [organizationId, { zone: organization?.Timezone, agents }] as const;
      }),
    ),
    findContacts(store, contactIds, { consistent: false, asRecorded: true }),
    findClientLinks(store, caller.role, now),
  ]);
  const contactResources = await loadContactResources(store, contacts, { caller, now });
  const contactsById = new Map(contactResources.map((contact) => [contact.Id, contact]));
  const byOrganization = new Map(organizations);
  return records.map((record) =>
    appointmentToResource(record, {
      dateStyle,
      link,
      ...byOrganization.get(record.OrganizationId),
      contact: contactsById.get(record.ContactId) ?? null,
    }),
  );
}

const toUtcOrNull = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** The response of book, update and cancel. */
export async function toAppointmentAnswer(
  context: ReadContext,
  record: AppointmentRecord,
  includeContact: boolean | null | undefined,
) {
  return {
    ...pick(record, 'ContactId', 'InvoiceId', 'Notes', 'EnRouteUri', 'CallCenterTransactionId'),
    AppointmentId: record.Id,
    NotificationOptions: [...record.NotificationOptions],
    ActualStart: toUtcOrNull(record.ActualStart),
    ActualFinish: toUtcOrNull(record.ActualFinish),
    CancelReasonId: record.CancelReasonId ?? 0,
    Slots: await loadAppointmentResources(context, [record], includeContact),
  };
}

/** The response of quickbook. */
export async function toQuickbookAnswer({ store, caller, now }: ReadContext, record: AppointmentRecord) {
  const { OrganizationId: organizationId, ArrivalFrom, ArrivalThrough, Zone } = record;
  const orNull = (at: number | null) => (at === null ? null : formatMoment(at, Zone, caller.dateStyle));
  const [agents, link] = await Promise.all([agentsOf(store, organizationId), findClientLinks(store, caller.role, now)]);
  return {
    ...pick(record, 'ContactId', 'Duration', 'CallCenterTransactionId'),
    AppointmentId: record.Id,
    TrackingUrl: trackingUrl(record, link),
    Service: record.ServiceName,
    ServiceAgentEmail: agents.get(record.ServiceAgentId)?.Email ?? '',
    ScheduledStart: toUtcOrNull(record.Start),
    ArrivalFrom: orNull(ArrivalFrom),
    ArrivalThrough: orNull(ArrivalThrough),
    Tentative: record.Status === Status.Tentative,
    Confirmed: record.Status === Status.Scheduled,
  };
}
