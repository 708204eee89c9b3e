import { compactAppointment, isOver, wholeAppointment, type AppointmentRecord } from '../domain/appointments/record.ts';
import { dateMidnight } from '../domain/appointments/times.ts';
import type { Change } from './changes.ts';
import type { TablePager, TableReader } from './client.ts';
import { nextVersion } from './entities.ts';
import type { Span } from './facts.ts';
import { indexKeys } from './indexes.ts';
import { layout } from './layout.ts';
import { list } from './listing.ts';

const KIND = 'Appointment';

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number | null;
}

/** The appointment, where it exists for a caller who sees one organization, or all (`null`). */
export async function findAppointment(table: TableReader, { accountId, organizationId }: Viewer, id: number): Promise<AppointmentRecord | undefined> {
  const item = await table.get(layout.appointment.key({ account: accountId, id }));
  return item && (organizationId === null || item['OrganizationId'] === organizationId) ? wholeAppointment(item) : undefined;
}

/** The appointment of a public handle, in the same way. Two rounds. */
export async function findAppointmentByHash(table: TableReader, viewer: Viewer, hash: string): Promise<AppointmentRecord | undefined> {
  const entry = await table.get(layout.appointmentHash.key({ account: viewer.accountId, hash }));
  return entry && findAppointment(table, viewer, entry['Id'] as number);
}

/** The appointment that a CallCenterTransactionId has made already, if it has; one of another organization is `'foreign'`. */
export async function findCallCenter(table: TableReader, viewer: Viewer, transaction: number | null | undefined): Promise<AppointmentRecord | 'foreign' | undefined> {
  if (!transaction) return undefined;
  const entry = await table.get(layout.callCenter.key({ account: viewer.accountId, transaction }));
  return entry && ((await findAppointment(table, viewer, entry['Id'] as number)) ?? 'foreign');
}

/** The fact by which an agent's appointments are found, one an agent, as there may be several. */
const agentFact = (id: number): string => `a${id}`;

/** S its status, D whether it is over, H whether it is a shadow, and each of its agents. */
function factsOf(appointment: AppointmentRecord) {
  const agents = [appointment.ServiceAgentId, ...appointment.AdditionalAgents.map(({ ServiceAgentId }) => ServiceAgentId)].filter(Boolean);
  return { S: appointment.Status, D: isOver(appointment), H: appointment.Shadow, ...Object.fromEntries(agents.map((id) => [agentFact(id), true])) };
}

/** The changes that store an appointment as it is now, and the appointment with its new version. A new one is found by its handle and its CallCenterTransactionId. */
export function storeAppointment(
  account: string,
  { before, after, now }: { before: AppointmentRecord | undefined; after: AppointmentRecord; now: Date },
): { thing: AppointmentRecord; changes: Change[] } {
  const appointment = { ...after, Updated: now.getTime() };
  const { Id, OrganizationId, ContactId, Start, QueueDate, Zone, Updated, HashKey, CallCenterTransactionId } = appointment;
  const date = Start ?? (QueueDate ? dateMidnight(QueueDate, Zone) : null);
  const facts = factsOf(appointment);
  const indexes = indexKeys({ account, kind: KIND, id: Id, organization: OrganizationId, contact: ContactId, date, updated: Updated, facts });
  const { thing, change } = nextVersion(KIND, layout.appointment.key({ account, id: Id }), { before, after: compactAppointment(appointment), indexes });
  const named = CallCenterTransactionId !== null && CallCenterTransactionId !== before?.CallCenterTransactionId;
  return {
    thing: wholeAppointment(thing),
    changes: [
      change,
      ...(before ? [] : [{ put: { ...layout.appointmentHash.key({ account, hash: HashKey }), Id } }]),
      ...(named ? [{ put: { ...layout.callCenter.key({ account, transaction: CallCenterTransactionId }), Id }, if: 'absent' as const }] : []),
    ],
  };
}

/** What appointments are asked for; every criterion given must hold. */
export interface AppointmentQuery {
  readonly id?: number | undefined;
  readonly contact?: number | undefined;
  readonly agent?: number | undefined;
  readonly date: Span;
  readonly updated: Span;
  /** `false` for those that are not over. */
  readonly over?: boolean | undefined;
  readonly shadow?: boolean | undefined;
  readonly skip: number;
  readonly take: number;
}

/** A page of appointments by time, then id, those without a time last; and how many there are in all. */
export async function queryAppointments(
  table: TablePager,
  { accountId, organizationId }: Viewer,
  asked: AppointmentQuery,
  now: Date,
): Promise<{ count: number; appointments: AppointmentRecord[] }> {
  const { id, contact, agent, date, updated, over, shadow, skip, take } = asked;
  const { count, items } = await list(
    table,
    {
      account: accountId, organization: organizationId, kind: KIND, id, contact, date, updated, skip, take,
      where: { D: over, H: shadow, ...(agent === undefined ? {} : { [agentFact(agent)]: true }) },
      key: (appointment) => layout.appointment.key({ account: accountId, id: appointment }),
    },
    now,
  );
  return { count, appointments: items.map(wholeAppointment) };
}
