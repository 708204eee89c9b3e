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

export async function findAppointment(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<AppointmentRecord | undefined> {
  const item = await findVisible(table, scope, layout.appointment.key({ account: scope.accountId, id }));
  return item && expandAppointment(item);
}

/** By the public handle. Two rounds. */
export async function findAppointmentByHash(
  table: TableReader,
  scope: CallerScope,
  hash: string,
): Promise<AppointmentRecord | undefined> {
  const entry = await table.get(layout.appointmentHash.key({ account: scope.accountId, hash }));
  return entry && findAppointment(table, scope, entry['Id'] as number);
}

/** The appointment of an earlier call with the id; `'foreign'` if it belongs to another organization. */
export async function findByCallCenterTransaction(
  table: TableReader,
  scope: CallerScope,
  transactionId: number | null | undefined,
): Promise<AppointmentRecord | 'foreign' | undefined> {
  if (!transactionId) return undefined;
  const entry = await table.get(layout.callCenter.key({ account: scope.accountId, transaction: transactionId }));
  return entry && ((await findAppointment(table, scope, entry['Id'] as number)) ?? 'foreign');
}

/** Several agents and proposals may belong to an appointment, so each is a fact of its own. */
const agentFact = (id: number): string => `a${id}`;
const proposalFact = (id: number): string => `p${id}`;
const trueFacts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));

function appointmentFacts(appointment: AppointmentRecord) {
  const { ServiceAgentId, AdditionalAgents, ProposalId, RootProposalId } = appointment;
  const agentIds = [ServiceAgentId, ...AdditionalAgents.map((agent) => agent.ServiceAgentId)].filter(Boolean);
  const proposalIds = [ProposalId, RootProposalId ?? 0].filter(Boolean);
  return {
    status: appointment.Status,
    over: isOver(appointment),
    shadow: appointment.Shadow,
    invoice: appointment.InvoiceId || undefined,
    ...trueFacts([...agentIds.map(agentFact), ...proposalIds.map(proposalFact)]),
  };
}

/** The appointment with its new version, and the changes that store it, its handle and its CallCenterTransactionId. */
export function appointmentChanges(
  account: string,
  { before, after, now }: { before: AppointmentRecord | undefined; after: AppointmentRecord; now: Date },
): { record: AppointmentRecord; changes: Change[] } {
  const appointment = { ...after, Updated: now.getTime() };
  const { Id, Start, QueueDate, Zone, HashKey, CallCenterTransactionId: transaction } = appointment;
  const date = Start ?? (QueueDate ? startOfDate(QueueDate, Zone) : null);
  const key = layout.appointment.key({ account, id: Id });
  const entry = { kind: KIND, of: appointment, key, date, facts: appointmentFacts(appointment) };
  const { record, change } = indexedRecordChange(account, entry, { before, after: compactAppointment(appointment) });
  const changes: Change[] = [change];
  if (!before) changes.push({ put: { ...layout.appointmentHash.key({ account, hash: HashKey }), Id } });
  if (transaction !== null && transaction !== before?.CallCenterTransactionId)
    changes.push({ put: { ...layout.callCenter.key({ account, transaction }), Id }, if: 'absent' });
  return { record: expandAppointment(record), changes };
}

interface AppointmentQuery extends Query {
  readonly agent?: number | undefined;
  /** Its own or its root's. */
  readonly proposal?: number | undefined;
  readonly invoice?: number | undefined;
  readonly over?: boolean | undefined;
  readonly shadow?: boolean | undefined;
}

/** A page of the appointments that meet all criteria, by time, then id, those without a time last; and their count. */
export async function queryAppointments(
  table: TablePager,
  scope: CallerScope,
  { agent, proposal, invoice, over, shadow, ...query }: AppointmentQuery,
  now: Date,
): Promise<{ count: number; appointments: AppointmentRecord[] }> {
  const facts = [
    ...(agent === undefined ? [] : [agentFact(agent)]),
    ...(proposal === undefined ? [] : [proposalFact(proposal)]),
  ];
  const where = { over, shadow, invoice, ...trueFacts(facts) };
  const { key } = layout.appointment;
  const { count, records } = await listRecords<object>(table, scope, { ...query, kind: KIND, where, key }, now);
  return { count, appointments: records.map(expandAppointment) };
}
