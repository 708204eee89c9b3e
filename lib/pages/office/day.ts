import type { Appointment } from '../../entities/appointments.ts';
import { Status } from '../../domain/appointments/record.ts';
import { MINUTE } from '../../shared/time/time.ts';

/** The visits of a day as the office looks at them. */

export interface DayVisit {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The arrival window of its client; `null` for a visit at a time. */
  readonly window: { readonly from: number; readonly through: number } | null;
  readonly status: number;
  readonly agentIds: readonly number[];
  readonly contactId: number;
  readonly client: string;
  readonly phone: string;
  readonly place: string;
  readonly service: string;
  readonly driveMinutes: number;
  /** Minutes without a visit or a drive before it; 0 for the first of the day. */
  readonly gapMinutes: number;
}

export interface AgentDay {
  readonly id: number;
  readonly name: string;
  readonly visits: readonly DayVisit[];
  /** Minutes of work in its visits. */
  readonly minutes: number;
}

export interface Day {
  readonly agents: readonly AgentDay[];
  /** Visits that wait for a time. */
  readonly queued: readonly DayVisit[];
  readonly canceled: readonly DayVisit[];
}

interface Agent {
  readonly Id: number;
  readonly Name: string;
}

export type Visit = Omit<DayVisit, 'gapMinutes'>;

type Client = Readonly<
  Partial<Record<'Name' | 'Company' | 'Phone' | 'Address1' | 'Address2' | 'City', string | null | undefined>>
>;

/** What is shown of the client of a visit; nothing of one who is erased. */
export const clientPart = (contact: Client | null | undefined): Pick<Visit, 'client' | 'phone' | 'place'> => ({
  client: contact?.Company || contact?.Name || '',
  phone: contact?.Phone ?? '',
  place: [contact?.Address1, contact?.Address2, contact?.City].filter(Boolean).join(', '),
});

export function toVisit(appointment: Appointment): Visit {
  const { ArrivalFrom, ArrivalThrough, Contact, ServiceAgentId, AdditionalServiceAgents } = appointment;
  const start = Date.parse(appointment.DateTime);
  return {
    id: appointment.AppointmentId,
    start,
    end: start + (appointment.Duration ?? 0) * MINUTE,
    window:
      ArrivalFrom && ArrivalThrough ? { from: Date.parse(ArrivalFrom), through: Date.parse(ArrivalThrough) } : null,
    status: appointment.Status ?? Status.Queued,
    agentIds: [ServiceAgentId, ...AdditionalServiceAgents.map(({ ServiceAgent }) => ServiceAgent?.Id ?? 0)],
    contactId: appointment.ContactId,
    ...clientPart(Contact),
    service: appointment.ServiceName,
    driveMinutes: appointment.DriveTimeMinutes,
  };
}

/** Adds the gap before each visit: 8–9 and 9:40 with a drive of 15 minutes leave 25. */
function withGaps(visits: readonly Visit[]): DayVisit[] {
  let busyUntil: number | undefined;
  return visits.map((visit) => {
    const free = busyUntil === undefined ? 0 : (visit.start - busyUntil) / MINUTE - visit.driveMinutes;
    busyUntil = Math.max(busyUntil ?? 0, visit.end);
    return { ...visit, gapMinutes: Math.max(0, Math.round(free)) };
  });
}

/** The visits of a day by agent, those of an additional agent too. Agents without visits come last. */
export function toDay(all: readonly Visit[], agents: readonly Agent[]): Day {
  const ofStatus = (...statuses: readonly number[]) => all.filter(({ status }) => statuses.includes(status));
  const booked = ofStatus(Status.Scheduled, Status.Tentative, Status.Started, Status.Completed);
  const visitsOf = (id: number) =>
    booked.filter(({ agentIds }) => agentIds.includes(id)).sort((one, next) => one.start - next.start);
  const days = agents.map(({ Id, Name }) => {
    const visits = withGaps(visitsOf(Id));
    const minutes = visits.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0);
    return { id: Id, name: Name, visits, minutes };
  });
  const isFree = ({ visits }: AgentDay) => Number(visits.length === 0);
  return {
    agents: days.sort((one, next) => isFree(one) - isFree(next) || one.name.localeCompare(next.name)),
    queued: ofStatus(Status.Queued).map((visit) => ({ ...visit, gapMinutes: 0 })),
    canceled: ofStatus(Status.Canceled).map((visit) => ({ ...visit, gapMinutes: 0 })),
  };
}
