import type { Caller } from '../../store/caller.ts';
import type { AppointmentRecord } from '../../domain/appointments/record.ts';
import { type AppointmentRelations, appointmentToResource } from '../../domain/appointments/to-resource.ts';
import type { AppointmentSlot } from '../../resources/appointments.ts';
import { toUtc } from '../../shared/format-moments.ts';
import { findContacts } from '../../store/contacts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findRecentOrganization } from '../../store/organizations.ts';
import { listRecentAgents } from '../../store/service-agents.ts';
import { loadContactResources } from '../contacts/load-contact-resources.ts';

/** Who sees them, and how. */
export interface AppointmentResourceOptions {
  readonly accountId: string;
  readonly dateStyle: AppointmentRelations['dateStyle'];
  readonly baseUrl: string;
  readonly now: Date;
  readonly includeContact: boolean;
}

/** Appointments in their complete form. Contacts are one BatchGet; zones and agents are those of now, out of memory as a rule. */
export async function loadAppointmentResources(
  table: TableReader,
  records: readonly AppointmentRecord[],
  scope: AppointmentResourceOptions,
): Promise<AppointmentSlot[]> {
  const { accountId, dateStyle, baseUrl, now, includeContact } = scope;
  const organizationIds = [...new Set(records.map(({ OrganizationId }) => OrganizationId))];
  const contactIds = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const [organizations, contacts] = await Promise.all([
    Promise.all(
      organizationIds.map(async (organizationId) => {
        const [organization, agents] = await Promise.all([
          findRecentOrganization(table, accountId, organizationId, now),
          listRecentAgents(table, { accountId, organizationId }, now),
        ]);
        return [organizationId, { zone: organization?.Timezone, agents }] as const;
      }),
    ),
    findContacts(table, accountId, contactIds, { consistent: false }),
  ]);
  const shown = new Map(
    (await loadContactResources(table, contacts, { accountId, baseUrl, now })).map((contact) => [contact.Id, contact]),
  );
  const byOrganization = new Map(organizations);
  return records.map((record) =>
    appointmentToResource(record, {
      baseUrl,
      dateStyle,
      ...byOrganization.get(record.OrganizationId),
      contact: shown.get(record.ContactId) ?? null,
    }),
  );
}

/** What of a call decides how appointments are shown. */
export interface ResourceContext {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
  readonly baseUrl: string;
}

/** Appointments as the caller wants to see them. */
export const toAppointmentSlots = (
  { table, caller, now, baseUrl }: ResourceContext,
  records: readonly AppointmentRecord[],
  includeContact = false,
): Promise<AppointmentSlot[]> =>
  loadAppointmentResources(table, records, {
    accountId: caller.accountId,
    dateStyle: caller.dateStyle,
    baseUrl,
    now,
    includeContact,
  });

const utc = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** The answer of book, update and cancel. */
export async function toAppointmentAnswer(
  showing: ResourceContext,
  record: AppointmentRecord,
  includeContact: boolean | null | undefined,
) {
  const { ContactId, InvoiceId, Notes, EnRouteUri, NotificationOptions, CallCenterTransactionId } = record;
  return {
    AppointmentId: record.Id,
    ContactId,
    InvoiceId,
    Notes,
    EnRouteUri,
    NotificationOptions: [...NotificationOptions],
    CallCenterTransactionId,
    ActualStart: utc(record.ActualStart),
    ActualFinish: utc(record.ActualFinish),
    CancelReasonId: record.CancelReasonId ?? 0,
    Slots: await toAppointmentSlots(showing, [record], includeContact ?? false),
  };
}
