import type { Caller } from '../../api/context.ts';
import type { AppointmentRecord } from '../../domain/appointments/record.ts';
import { type AppointmentView, appointmentOf } from '../../domain/appointments/to-resource.ts';
import type { AppointmentSlot } from '../../resources/appointments.ts';
import { toUtc } from '../../shared/format-moments.ts';
import { readContacts } from '../../store/contacts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { cachedOrganization } from '../../store/organizations.ts';
import { cachedAgents } from '../../store/service-agents.ts';
import { showContacts } from '../contacts/load-contact-resources.ts';

/** Who sees them, and how. */
export interface AppointmentViewer {
  readonly accountId: string;
  readonly dateStyle: AppointmentView['dateStyle'];
  readonly baseUrl: string;
  readonly now: Date;
  readonly includeContact: boolean;
}

/** Appointments in their complete form. Contacts are one BatchGet; zones and agents are those of now, out of memory as a rule. */
export async function showAppointments(
  table: TableReader,
  records: readonly AppointmentRecord[],
  viewer: AppointmentViewer,
): Promise<AppointmentSlot[]> {
  const { accountId, dateStyle, baseUrl, now, includeContact } = viewer;
  const organizationIds = [...new Set(records.map(({ OrganizationId }) => OrganizationId))];
  const contactIds = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const [organizations, contacts] = await Promise.all([
    Promise.all(
      organizationIds.map(async (organizationId) => {
        const [organization, agents] = await Promise.all([
          cachedOrganization(table, accountId, organizationId, now),
          cachedAgents(table, { accountId, organizationId }, now),
        ]);
        return [organizationId, { zone: organization?.Timezone, agents }] as const;
      }),
    ),
    readContacts(table, accountId, contactIds, { consistent: false }),
  ]);
  const shown = new Map(
    (await showContacts(table, contacts, { accountId, baseUrl, now })).map((contact) => [contact.Id, contact]),
  );
  const byOrganization = new Map(organizations);
  return records.map((record) =>
    appointmentOf(record, {
      baseUrl,
      dateStyle,
      ...byOrganization.get(record.OrganizationId),
      contact: shown.get(record.ContactId) ?? null,
    }),
  );
}

/** What of a call decides how appointments are shown. */
export interface Showing {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
  readonly baseUrl: string;
}

/** Appointments as the caller wants to see them. */
export const shown = (
  { table, caller, now, baseUrl }: Showing,
  records: readonly AppointmentRecord[],
  includeContact = false,
): Promise<AppointmentSlot[]> =>
  showAppointments(table, records, {
    accountId: caller.accountId,
    dateStyle: caller.dateStyle,
    baseUrl,
    now,
    includeContact,
  });

const utc = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** The answer of book, update and cancel. */
export async function answerOf(
  showing: Showing,
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
    Slots: await shown(showing, [record], includeContact ?? false),
  };
}
