import { type AdditionalAgent, type AppointmentRecord, appendNote } from '../../domain/appointments/record.ts';
import {
  type TimeReservation,
  buildCalendar,
  timeReservations,
  buildWork,
} from '../../domain/appointments/time-reservations.ts';
import type { Position } from '../../domain/postal/miles.ts';
import { checkSlot } from '../../domain/scheduling/check.ts';
import { MINUTE } from '../../shared/time.ts';
import { reachableSpan } from '../../domain/scheduling/days.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import { type Failure, conflict, invalid } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { type CalendarDays, timeReservationChanges, toJobs, listCalendarDays } from '../../store/calendars.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import {
  type SlotInput,
  type BookingContext,
  type Refusal,
  type WriteContext,
  invalidResult,
  loadPositions,
} from './booking-context.ts';

/** Changes that one transaction takes, less those that a caller has besides: the appointment, its proposals and contact, the answer kept. */
const MAX_CLAIM_CHANGES = 88;

/** An appointment that is to have a time, and what it was before, if it was. */
export interface TimeRequest {
  readonly home: BookingContext;
  readonly zip: string;
  readonly before: AppointmentRecord | undefined;
  /** With its start, length, agents and status. */
  readonly after: AppointmentRecord;
  /** Over everything that speaks against it; its claims are written all the same. */
  readonly skip: boolean;
}

type Drive = Pick<AppointmentRecord, 'DriveTimeMinutes' | 'DriveTimeWarning'>;

/** Whether every agent can do it then, and the drive of the first; else the first rule that is broken, as a sentence. */
function checked(
  { home, zip, after }: TimeRequest,
  claims: readonly TimeReservation[],
  days: CalendarDays,
  positionOf: (code: string) => Position | null,
): Drive | string {
  const { organization, agents, service } = home;
  const jobs = toJobs(days);
  const involved = claims.flatMap(({ agentId }) => agents.get(agentId) ?? []);
  const calendar = buildCalendar(organization, involved, jobs, positionOf);
  const drives: { driveMinutes: number; driveWarning: boolean }[] = [];
  for (const { agentId, start, end } of claims) {
    const work = buildWork(service, {
      minutes: (end - start) / MINUTE,
      zip,
      position: after.Position,
      appointmentId: after.Id,
    });
    const check = checkSlot(calendar, work, { agentId, start });
    if (!check.ok) return check.rule === 'taken' ? `Slot taken: ${check.message}` : check.message;
    drives.push(check);
  }
  return {
    DriveTimeMinutes: drives[0]?.driveMinutes ?? 0,
    DriveTimeWarning: drives.some(({ driveWarning }) => driveWarning),
  };
}

/** An appointment with its time, and the changes that give it; why it cannot have it; or that one transaction cannot hold them. */
export type TimeReservationResult =
  | { readonly kind: 'claimed'; readonly record: AppointmentRecord; readonly changes: Change[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'large'; readonly message: string };

/** The changes that give an appointment its time and all its agents', and take what it had before: all of it or nothing. One round. */
export async function tryReserveTime(
  { table, caller, now }: WriteContext,
  claiming: TimeRequest,
): Promise<TimeReservationResult> {
  const { home, zip, before, after, skip } = claiming;
  const positionOf = await loadPositions();
  const placed = { ...after, Zone: home.organization.Timezone, Position: positionOf(zip) };
  const claims = timeReservations(placed);
  const place = { accountId: caller.accountId, organizationId: after.OrganizationId };
  const reaches = claims.map(({ agentId, start, end }) => ({
    agentId,
    ...(skip ? { start, end } : reachableSpan(placed.Zone, start, 1, { minutes: (end - start) / MINUTE })),
  }));
  const days = await listCalendarDays(table, place, [...(before ? timeReservations(before) : []), ...reaches]);
  const drive = skip
    ? { DriveTimeMinutes: 0, DriveTimeWarning: false }
    : checked({ ...claiming, after: placed }, claims, days, positionOf);
  if (typeof drive === 'string') return { kind: 'refused', message: drive };
  const moves = timeReservationChanges(place, days, { appointmentId: after.Id, after: claims, watched: !skip });
  if (moves.length > MAX_CLAIM_CHANGES) {
    return {
      kind: 'large',
      message: `take ${moves.length} days of agents with the length of the appointment; at most ${MAX_CLAIM_CHANGES} can be booked at once`,
    };
  }
  const { record, changes } = appointmentChanges(caller.accountId, { before, after: { ...placed, ...drive }, now });
  return { kind: 'claimed', record, changes: [...changes, ...moves] };
}

/** What is answered where the time cannot be had. */
export const reservationFailure = ({ kind, message }: Exclude<TimeReservationResult, { kind: 'claimed' }>): Failure =>
  kind === 'refused' ? conflict(message) : invalid({ field: 'Slots[0].AdditionalServiceAgents', message: message });

/** The changes that give an appointment its time and all its agents', and take what it had before; 409 where it cannot have it. */
export async function reserveTime(
  writing: WriteContext,
  claiming: TimeRequest,
): Promise<{ readonly record: AppointmentRecord; readonly changes: Change[] }> {
  const claimed = await tryReserveTime(writing, claiming);
  if (claimed.kind !== 'claimed') throw reservationFailure(claimed);
  return claimed;
}

/** An appointment before and after, as an operation decided. */
interface Decided {
  readonly before: AppointmentRecord;
  readonly after: AppointmentRecord;
  /** Appended to its notes. */
  readonly note?: string | null | undefined;
}

/** Stores an appointment that claims no time it did not have: what it no longer claims is freed in the same transaction. */
export async function releaseTime(
  { table, caller, now }: WriteContext,
  { before, after, note }: Decided,
): Promise<{ record: AppointmentRecord; changes: Change[] }> {
  const place = { accountId: caller.accountId, organizationId: before.OrganizationId };
  const [held, kept] = [timeReservations(before), timeReservations(after)];
  const frees = held.length > 0 && !kept.length;
  const days = await listCalendarDays(table, place, frees ? held : []);
  const { record, changes } = appointmentChanges(caller.accountId, {
    before,
    after: appendNote(after, note, now),
    now,
  });
  return {
    record,
    changes: [
      ...changes,
      ...timeReservationChanges(place, days, { appointmentId: before.Id, after: kept, watched: false }),
    ],
  };
}

/** The other agents of a slot, by Id, name or e-mail; each agent once. */
export function resolveAdditionalAgents(
  home: BookingContext,
  input: NonNullable<SlotInput['AdditionalServiceAgents']>,
  main: number,
): AdditionalAgent[] | Refusal {
  const errors: FieldError[] = [];
  const taken = new Set([main]);
  const all = [...home.agents.values()];
  const found = input.flatMap(
    (
      { ServiceAgent, StartMinute = null, Duration = null, ActualStartMinute = null, ActualDuration = null },
      index,
    ): AdditionalAgent[] => {
      const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
      const agent = ServiceAgent ? matchAgent(all, ServiceAgent) : undefined;
      if (!agent) {
        errors.push({
          field,
          message: ServiceAgent ? 'is no service agent of the organization, by Id, Name or Email' : 'is required',
        });
        return [];
      }
      if (taken.has(agent.Id))
        errors.push({ field, message: `is agent ${agent.Id}, who is at the appointment already` });
      taken.add(agent.Id);
      return [{ ServiceAgentId: agent.Id, Name: agent.Name, StartMinute, Duration, ActualStartMinute, ActualDuration }];
    },
  );
  return errors.length ? invalidResult(...errors) : found;
}
