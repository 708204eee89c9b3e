import { calendarOf, workOf } from '../../lib/domain/appointments/calendar.ts';
import { claimsOf, type Claim } from '../../lib/domain/appointments/claims.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { Position } from '../../lib/domain/postal/miles.ts';
import { checkSlot } from '../../lib/domain/scheduling/check.ts';
import { MINUTE } from '../../lib/domain/scheduling/days.ts';
import { reachOf } from '../../lib/domain/scheduling/span.ts';
import { storeAppointment } from '../../lib/store/appointments.ts';
import { claimChanges, jobsIn, readDays, type DaysRead } from '../../lib/store/calendars.ts';
import type { Change } from '../../lib/store/changes.ts';
import type { Home } from './home.ts';
import { positions } from './positions.ts';
import type { Writing } from './writing.ts';

/** Changes that one transaction takes, less those that a caller has besides: the appointment, its proposals and contact, the answer kept. */
const MOST_CLAIM_CHANGES = 88;

/** An appointment that is to have a time, and what it was before, if it was. */
export interface Claiming {
  readonly home: Home;
  readonly zip: string;
  readonly before: AppointmentRecord | undefined;
  /** With its start, length, agents and status. */
  readonly after: AppointmentRecord;
  /** Over everything that speaks against it; its claims are written all the same. */
  readonly skip: boolean;
}

type Drive = Pick<AppointmentRecord, 'DriveTimeMinutes' | 'DriveTimeWarning'>;

/** Whether every agent can do it then, and the drive of the first; else the first rule that is broken, as a sentence. */
function checked({ home, zip, after }: Claiming, claims: readonly Claim[], days: DaysRead, positionOf: (code: string) => Position | null): Drive | string {
  const { organization, agents, service } = home;
  const jobs = jobsIn(days);
  const involved = claims.flatMap(({ agentId }) => agents.get(agentId) ?? []);
  const calendar = calendarOf(organization, involved, jobs, positionOf);
  const drives: { driveMinutes: number; driveWarning: boolean }[] = [];
  for (const { agentId, start, end } of claims) {
    const work = workOf(service, { minutes: (end - start) / MINUTE, zip, position: after.Position, appointmentId: after.Id });
    const check = checkSlot(calendar, work, { agentId, start });
    if (!check.ok) return check.rule === 'taken' ? `Slot taken: ${check.message}` : check.message;
    drives.push(check);
  }
  return { DriveTimeMinutes: drives[0]?.driveMinutes ?? 0, DriveTimeWarning: drives.some(({ driveWarning }) => driveWarning) };
}

/** An appointment with its time, and the changes that give it; why it cannot have it; or that one transaction cannot hold them. */
export type Claimed =
  | { readonly kind: 'claimed'; readonly thing: AppointmentRecord; readonly changes: Change[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'large'; readonly message: string };

/** The changes that give an appointment its time and all its agents', and take what it had before: all of it or nothing. One round. */
export async function tryClaim({ table, caller, now }: Writing, claiming: Claiming): Promise<Claimed> {
  const { home, zip, before, after, skip } = claiming;
  const positionOf = await positions();
  const placed = { ...after, Zone: home.organization.Timezone, Position: positionOf(zip) };
  const claims = claimsOf(placed);
  const place = { accountId: caller.accountId, organizationId: after.OrganizationId };
  const reaches = claims.map(({ agentId, start, end }) => ({ agentId, ...(skip ? { start, end } : reachOf(placed.Zone, start, 1, { minutes: (end - start) / MINUTE })) }));
  const days = await readDays(table, place, [...(before ? claimsOf(before) : []), ...reaches]);
  const drive = skip ? { DriveTimeMinutes: 0, DriveTimeWarning: false } : checked({ ...claiming, after: placed }, claims, days, positionOf);
  if (typeof drive === 'string') return { kind: 'refused', message: drive };
  const moves = claimChanges(place, days, { appointmentId: after.Id, after: claims, watched: !skip });
  if (moves.length > MOST_CLAIM_CHANGES) {
    return { kind: 'large', message: `take ${moves.length} days of agents with the length of the appointment; at most ${MOST_CLAIM_CHANGES} can be booked at once` };
  }
  const { thing, changes } = storeAppointment(caller.accountId, { before, after: { ...placed, ...drive }, now });
  return { kind: 'claimed', thing, changes: [...changes, ...moves] };
}
