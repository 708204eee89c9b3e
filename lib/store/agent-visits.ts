import type { AppointmentRecord } from '../entities/appointments.ts';
import { appointmentDate } from '../domain/appointments/record.ts';
import { Status } from '../domain/appointments/status.ts';
import { isEqual } from '../shared/equality.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { dateKey, layout } from './keys.ts';

/** The agents of an appointment: its own, then the additional ones. */
export const agentIdsOf = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord): number[] =>
  [ServiceAgentId, ...AdditionalAgents.map((agent) => agent.ServiceAgentId)].filter(Boolean);

/** An entry for each agent of an appointment that is not canceled. */
export function visitItems(account: string, appointment: AppointmentRecord): Item[] {
  if (appointment.Status === Status.Canceled) return [];
  const { Id, ContactId } = appointment;
  const date = dateKey(appointmentDate(appointment, appointment.Zone));
  return [...new Set(agentIdsOf(appointment))].map((agent) => ({
    ...layout.agentVisit.key({ account, agent, date, id: Id }),
    ContactId,
  }));
}

/** The changes of entries that come with a change of an appointment. */
export function visitChanges(
  account: string,
  before: AppointmentRecord | undefined,
  after: AppointmentRecord,
): Change[] {
  const [former, items] = [before ? visitItems(account, before) : [], visitItems(account, after)];
  const isIn = (list: readonly Item[], item: Item) => list.some((other) => isEqual(other, item));
  const isKept = ({ PK, SK }: Item) => items.some((item) => item.PK === PK && item.SK === SK);
  return [
    ...former.filter((item) => !isKept(item)).map(({ PK, SK }) => ({ remove: { PK, SK } })),
    ...items.filter((item) => !isIn(former, item)).map((put) => ({ put })),
  ];
}
