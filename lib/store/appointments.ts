import {
  type AppointmentRecord,
  compactAppointment,
  isOver,
  expandAppointment,
} from '../domain/appointments/record.ts';
import { startOfDate } from '../shared/zones.ts';
import { type CallerScope, findVisible } from './caller.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TablePager, TableReader } from './dynamodb/client.ts';
import { type Query, indexedRecordChange, listRecords } from './indexes.ts';
import { layout } from './keys.ts';

const KIND = 'Appointment';

/** The appointment, where it exists for a caller who sees one organization, or all (`null`). */
export async function findAppointment(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<AppointmentRecord | undefined> {
  const item = await findVisible(table, scope, layout.appointment.key({ account: scope.accountId, id }));
  return item && expandAppointment(item);
}

/** The appointment of a public handle, in the same way. Two rounds. */
export async function findAppointmentByHash(
  table: TableReader,
  scope: CallerScope,
  hash: string,
): Promise<AppointmentRecord | undefined> {
  const entry = await table.get(layout.appointmentHash.key({ account: scope.accountId, hash }));
  return entry && findAppointment(table, scope, entry['Id'] as number);
}

/** The appointment that a CallCenterTransactionId has made already, if it has; one of another organization is `'foreign'`. */
export async function findByCallCenterTransaction(
  table: TableReader,
  scope: CallerScope,
  transaction: number | null | undefined,
): Promise<AppointmentRecord | 'foreign' | undefined> {
  if (!transaction) return undefined;
  const entry = await table.get(layout.callCenter.key({ account: scope.accountId, transaction }));
  return entry && ((await findAppointment(table, scope, entry['Id'] as number)) ?? 'foreign');
}

/** The fact by which an agent's appointments are found, one an agent, as there may be several. */
const agentFact = (id: number): string => `a${id}`;

/** In the same way by a proposal that it is of. */
const proposalFact = (id: number): string => `p${id}`;

function factsOf(appointment: AppointmentRecord) {
  const agents = [
    appointment.ServiceAgentId,
    ...appointment.AdditionalAgents.map(({ ServiceAgentId }) => ServiceAgentId),
  ].filter(Boolean);
  const proposals = [appointment.ProposalId, appointment.RootProposalId ?? 0].filter(Boolean);
  return {
    status: appointment.Status,
    over: isOver(appointment),
    shadow: appointment.Shadow,
    invoice: appointment.InvoiceId || undefined,
    ...Object.fromEntries([...agents.map(agentFact), ...proposals.map(proposalFact)].map((fact) => [fact, true])),
  };
}

/** The changes that store an appointment as it is now, and the appointment with its new version. A new one is found by its handle and its CallCenterTransactionId. */
export function appointmentChanges(
  account: string,
  { before, after, now }: { before: AppointmentRecord | undefined; after: AppointmentRecord; now: Date },
): { record: AppointmentRecord; changes: Change[] } {
  const appointment = { ...after, Updated: now.getTime() };
  const { Id, Start, QueueDate, Zone, HashKey, CallCenterTransactionId } = appointment;
  const date = Start ?? (QueueDate ? startOfDate(QueueDate, Zone) : null);
  const key = layout.appointment.key({ account, id: Id });
  const at = { kind: KIND, of: appointment, key, date, facts: factsOf(appointment) };
  const { record, change } = indexedRecordChange(account, at, { before, after: compactAppointment(appointment) });
  const named = CallCenterTransactionId !== null && CallCenterTransactionId !== before?.CallCenterTransactionId;
  return {
    record: expandAppointment(record),
    changes: [
      change,
      ...(before ? [] : [{ put: { ...layout.appointmentHash.key({ account, hash: HashKey }), Id } }]),
      ...(named
        ? [
            {
              put: { ...layout.callCenter.key({ account, transaction: CallCenterTransactionId }), Id },
              if: 'absent' as const,
            },
          ]
        : []),
    ],
  };
}

/** What appointments are asked for; every criterion given must hold. */
export interface AppointmentQuery extends Query {
  readonly agent?: number | undefined;
  /** Its own or its root's. */
  readonly proposal?: number | undefined;
  readonly invoice?: number | undefined;
  /** `false` for those that are not over. */
  readonly over?: boolean | undefined;
  readonly shadow?: boolean | undefined;
}

/** A page of appointments by time, then id, those without a time last; and how many there are in all. */
export async function queryAppointments(
  table: TablePager,
  scope: CallerScope,
  { agent, proposal, invoice, over, shadow, ...asked }: AppointmentQuery,
  now: Date,
): Promise<{ count: number; appointments: AppointmentRecord[] }> {
  const linked = [
    ...(agent === undefined ? [] : [agentFact(agent)]),
    ...(proposal === undefined ? [] : [proposalFact(proposal)]),
  ];
  const where = { over, shadow, invoice, ...Object.fromEntries(linked.map((fact) => [fact, true])) };
  const { key } = layout.appointment;
  const { count, records } = await listRecords<object>(table, scope, { ...asked, kind: KIND, where, key }, now);
  return { count, appointments: records.map(expandAppointment) };
}
