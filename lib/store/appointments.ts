import { type AppointmentRecord, appointmentEntity } from '../entities/appointments.ts';
import { appointmentDate, isOver } from '../domain/appointments/record.ts';
import { type CallerScope, findVisible } from './requests/caller.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TablePager, TableReader } from './dynamodb/client.ts';
import { type Query, indexedRecordChange, listRecords } from './indexes.ts';
import { layout } from './keys.ts';

export async function findAppointment(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<AppointmentRecord | undefined> {
  const item = await findVisible(table, scope, layout.appointment.key({ account: scope.accountId, id }));
  const appointment = item && appointmentEntity.read(item);
  return appointment && isOfAgent(scope, appointment) ? appointment : undefined;
}

/** The agents of an appointment: its own, then the additional ones. */
const agentIdsOf = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord): number[] =>
  [ServiceAgentId, ...AdditionalAgents.map((agent) => agent.ServiceAgentId)].filter(Boolean);

/** Whether the key of a service agent may see an appointment; every other key may. */
const isOfAgent = ({ agentId = null }: CallerScope, appointment: AppointmentRecord): boolean =>
  agentId === null || agentIdsOf(appointment).includes(agentId);

/** By the public handle. Two rounds. */
export async function findAppointmentByHash(
  table: TableReader,
  scope: CallerScope,
  hash: string,
): Promise<AppointmentRecord | undefined> {
  const entry = await table.get(layout.appointmentHash.key({ account: scope.accountId, hash }));
  return entry && findAppointment(table, scope, entry['Id'] as number);
}

/** A call with a CallCenterTransactionId, and the appointment that it made. */
export interface CallCenterCall {
  /** `undefined` if it is not visible for the caller. */
  readonly appointment: AppointmentRecord | undefined;
  /** Of the request; calls stored before requests were compared have none. */
  readonly fingerprint: string | undefined;
  /** Time zone of the moments in the request. */
  readonly zone: string;
}

/** The earlier call with the id. Two rounds if there was one. */
export async function findByCallCenterTransaction(
  table: TableReader,
  scope: CallerScope,
  transaction: number,
): Promise<CallCenterCall | undefined> {
  const entry = await table.get(layout.callCenter.key({ account: scope.accountId, transaction }));
  if (!entry) return undefined;
  const { Id, Fingerprint, Zone = 'UTC' } = entry as Item & { Id: number; Fingerprint?: string; Zone?: string };
  return { appointment: await findAppointment(table, scope, Id), fingerprint: Fingerprint, zone: Zone };
}

/** Stores the call that made an appointment, if it is the first with its id. */
export const callCenterChange = (
  account: string,
  {
    transaction,
    appointment: { Id },
    fingerprint: Fingerprint,
    zone: Zone,
  }: Omit<CallCenterCall, 'appointment'> & {
    readonly transaction: number;
    readonly appointment: Pick<AppointmentRecord, 'Id'>;
  },
): Change => ({ put: { ...layout.callCenter.key({ account, transaction }), Id, Fingerprint, Zone }, if: 'absent' });

/** Several agents and proposals may belong to an appointment, so each is a fact of its own. */
const agentFact = (id: number): string => `a${id}`;
const proposalFact = (id: number): string => `p${id}`;
const trueFacts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));

function appointmentFacts(appointment: AppointmentRecord) {
  const { ProposalId, RootProposalId } = appointment;
  const proposalIds = [ProposalId, RootProposalId ?? 0].filter(Boolean);
  return {
    status: appointment.Status,
    over: isOver(appointment),
    shadow: appointment.Shadow,
    invoice: appointment.InvoiceId || undefined,
    ...trueFacts([...agentIdsOf(appointment).map(agentFact), ...proposalIds.map(proposalFact)]),
  };
}

/** The appointment with its new version, and the changes that store it and its handle. */
export function appointmentChanges(
  account: string,
  { before, after, now }: { before: AppointmentRecord | undefined; after: AppointmentRecord; now: Date },
): { record: AppointmentRecord; changes: Change[] } {
  const appointment = { ...after, Updated: now.getTime() };
  const { Id, Zone, HashKey } = appointment;
  const date = appointmentDate(appointment, Zone);
  const key = layout.appointment.key({ account, id: Id });
  const facts = appointmentFacts(appointment);
  const day = appointment.Start === null ? appointment.QueueDate : '';
  const entry = { of: appointment, key, date, day, zone: Zone, open: !isOver(appointment), facts };
  const { record, change } = indexedRecordChange(account, appointmentEntity, entry, { before, after: appointment });
  const changes: Change[] = [change];
  if (!before) changes.push({ put: { ...layout.appointmentHash.key({ account, hash: HashKey }), Id } });
  return { record, changes };
}

/** Fails if somebody else changes the appointment at the same time. */
export const unchangedAppointment = (account: string, { Id, V }: AppointmentRecord): Change => ({
  check: layout.appointment.key({ account, id: Id }),
  if: { equals: { V } },
});

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
    ...(scope.agentId == null ? [] : [agentFact(scope.agentId)]),
    ...(proposal === undefined ? [] : [proposalFact(proposal)]),
  ];
  const where = { over, shadow, invoice, ...trueFacts(facts) };
  const { key } = layout.appointment;
  const { count, records } = await listRecords(
    table,
    scope,
    appointmentEntity,
    { ...query, open: over === false, where, key },
    now,
  );
  return { count, appointments: records };
}
