import { type PlannedAgent, type PlannedVisit } from '../../domain/scheduling/day-plan.ts';
import type { DayStop } from '../../domain/scheduling/day-stops.ts';
import type * as resources from '../../resources/day-plans.ts';
import { formatMoment } from '../../shared/time/time.ts';
import type { Company } from '../booking/types.ts';
import type { ReadContext } from '../context.ts';
import type { LoadedDay } from './load-day.ts';

/** A plan as callers see it. */

interface ShownDay {
  readonly company: Company;
  readonly date: string;
  readonly loaded: LoadedDay;
  readonly agents: readonly PlannedAgent[];
  readonly waiting?: readonly { readonly stop: DayStop; readonly why: string }[];
  readonly moves: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export function toDayPlan(
  { caller: { dateStyle } }: ReadContext,
  { company: { organization }, date, loaded, agents, waiting = [], moves }: ShownDay,
) {
  const { Timezone: zone } = organization;
  const { visits, contacts } = loaded;
  const momentOf = (at: number | null) => (at === null ? null : formatMoment(at, zone, dateStyle));
  const namesOf = ({ appointmentId }: DayStop) => {
    const visit = visits.get(appointmentId);
    const contact = contacts.get(visit?.ContactId ?? 0);
    return {
      AppointmentId: appointmentId,
      ContactId: visit?.ContactId ?? 0,
      ContactName: contact?.Name || contact?.Company || '',
      ServiceName: visit?.ServiceName ?? '',
    };
  };
  const toVisit = ({ stop, start, drive }: PlannedVisit, agentId: number): resources.PlannedVisit => {
    const { ArrivalFrom = null, ArrivalThrough = null } = visits.get(stop.appointmentId) ?? {};
    return {
      ...namesOf(stop),
      Zip: stop.work.postalCode,
      DateTime: formatMoment(start, zone, dateStyle),
      ArrivalFrom: momentOf(ArrivalFrom),
      ArrivalThrough: momentOf(ArrivalThrough),
      Duration: stop.work.minutes,
      DriveMinutes: drive,
      IsMoved: stop.start !== start || stop.agentId !== agentId,
      Stays: stop.stays ?? '',
    };
  };
  return {
    OrganizationId: organization.Id,
    Date: date,
    DriveMinutesBefore: sum(agents.map(({ drivingBefore }) => drivingBefore)),
    DriveMinutesAfter: sum(agents.map(({ drivingAfter }) => drivingAfter)),
    Agents: agents.map(({ agent, before, after, drivingBefore, drivingAfter, why }): resources.PlannedAgent => ({
      ServiceAgentId: agent.Id,
      ServiceAgentName: agent.Name,
      DriveMinutesBefore: drivingBefore,
      DriveMinutesAfter: drivingAfter,
      Before: before.map((visit) => toVisit(visit, agent.Id)),
      After: after.map((visit) => toVisit(visit, agent.Id)),
      Why: why,
    })),
    Waiting: waiting.map(({ stop, why }): resources.WaitingVisit => ({
      ...namesOf(stop),
      QueueDate: visits.get(stop.appointmentId)?.QueueDate ?? '',
      Why: why,
    })),
    Moves: moves,
  };
}
