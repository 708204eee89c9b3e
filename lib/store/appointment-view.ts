import type { AppointmentRecord } from '../domain/appointments/record.ts';
import { appointmentOf, type AppointmentView } from '../domain/appointments/resource.ts';
import type { AppointmentSlot } from '../resources/appointments.ts';
import type { TableReader } from './client.ts';
import { showContacts } from './contact-view.ts';
import { readContacts } from './contacts.ts';
import { cachedOrganization } from './organizations.ts';
import { cachedAgents } from './agent-memory.ts';

/** Who sees them, and how. */
export interface AppointmentViewer {
  readonly accountId: string;
  readonly dateStyle: AppointmentView['dateStyle'];
  readonly baseUrl: string;
  readonly now: Date;
  readonly includeContact: boolean;
}

/** Appointments in their complete form. Contacts are one BatchGet; zones and agents are those of now, out of memory as a rule. */
export async function showAppointments(table: TableReader, records: readonly AppointmentRecord[], viewer: AppointmentViewer): Promise<AppointmentSlot[]> {
  const { accountId, dateStyle, baseUrl, now, includeContact } = viewer;
  const organizationIds = [...new Set(records.map(({ OrganizationId }) => OrganizationId))];
  const contactIds = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const [organizations, contacts] = await Promise.all([
    Promise.all(
      organizationIds.map(async (organizationId) => {
        const [organization, agents] = await Promise.all([cachedOrganization(table, accountId, organizationId, now), cachedAgents(table, { accountId, organizationId }, now)]);
        return [organizationId, { zone: organization?.Timezone, agents }] as const;
      }),
    ),
    readContacts(table, accountId, contactIds, { consistent: false }),
  ]);
  const shown = new Map((await showContacts(table, contacts, { accountId, baseUrl, now })).map((contact) => [contact.Id, contact]));
  const byOrganization = new Map(organizations);
  return records.map((record) => appointmentOf(record, { baseUrl, dateStyle, ...byOrganization.get(record.OrganizationId), contact: shown.get(record.ContactId) ?? null }));
}
