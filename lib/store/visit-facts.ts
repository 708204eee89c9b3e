import { isOver } from '../domain/appointments/record.ts';
import type { AppointmentRecord } from '../entities/appointments.ts';
import type { Facts } from './dynamodb/filters.ts';
import { factNames } from './keys.ts';

/** The facts of an appointment in its list entries: those that lists filter by, and those that a board shows. */

/** The agents of an appointment: its own, then the additional ones. */
export const agentIdsOf = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord): number[] =>
  [ServiceAgentId, ...AdditionalAgents.map((agent) => agent.ServiceAgentId)].filter(Boolean);

/** An appointment may have several agents and proposals, so each one is a fact of its own. */
export const agentFact = (id: number): string => `a${id}`;
export const proposalFact = (id: number): string => `p${id}`;
export const trueFacts = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]));

export function appointmentFacts(appointment: AppointmentRecord) {
  const { ProposalId, RootProposalId, ArrivalFrom, ArrivalThrough } = appointment;
  const proposalIds = [ProposalId, RootProposalId ?? 0].filter(Boolean);
  return {
    status: appointment.Status,
    over: isOver(appointment),
    shadow: appointment.Shadow,
    invoice: appointment.InvoiceId || undefined,
    contact: appointment.ContactId,
    service: appointment.ServiceName || undefined,
    minutes: appointment.Duration || undefined,
    drive: appointment.DriveTimeMinutes || undefined,
    arrivalFrom: ArrivalFrom ?? undefined,
    arrivalThrough: ArrivalThrough ?? undefined,
    ...trueFacts([...agentIdsOf(appointment).map(agentFact), ...proposalIds.map(proposalFact)]),
  };
}

/** What a board shows of a visit. */
export interface BoardVisit {
  readonly Id: number;
  /** The start; of a queued visit the midnight of its day. */
  readonly At: number;
  readonly Status: number;
  readonly ContactId: number;
  readonly ServiceName: string;
  readonly Duration: number;
  readonly DriveTimeMinutes: number;
  readonly ArrivalFrom: number | null;
  readonly ArrivalThrough: number | null;
  readonly AgentIds: readonly number[];
}

const names = factNames['Appointment'] ?? {};

/** Names of the facts that only boards read, in the table. Entries that earlier versions wrote lack them. */
export const BOARD_FACTS: ReadonlySet<string> = new Set(
  ['contact', 'service', 'minutes', 'drive', 'arrivalFrom', 'arrivalThrough'].map((name) => names[name] ?? name),
);

/** A visit by its facts as the table names them; `undefined` if an earlier version wrote them. */
export function toBoardVisit(Id: number, At: number, facts: Facts): BoardVisit | undefined {
  const numberOf = (name: string) => facts[names[name] ?? name] as number | undefined;
  const ContactId = numberOf('contact');
  return ContactId === undefined
    ? undefined
    : {
        Id,
        At,
        Status: numberOf('status') ?? 0,
        ContactId,
        ServiceName: String(facts[names['service'] ?? ''] ?? ''),
        Duration: numberOf('minutes') ?? 0,
        DriveTimeMinutes: numberOf('drive') ?? 0,
        ArrivalFrom: numberOf('arrivalFrom') ?? null,
        ArrivalThrough: numberOf('arrivalThrough') ?? null,
        AgentIds: Object.keys(facts).flatMap((name) => (/^a\d+$/.test(name) ? Number(name.slice(1)) : [])),
      };
}
