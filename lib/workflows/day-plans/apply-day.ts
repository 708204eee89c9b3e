import {
  type PlanMove,
  type PlanRevision,
  readRevision,
  writeRevision,
} from '../../domain/appointments/plan-revision.ts';
import { Status } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { DayPlanInput } from '../../resources/day-plans.ts';
import { Failure, conflict, invalid } from '../../shared/failure.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import { HOUR, toFriendly } from '../../shared/time/time.ts';
import { findAppointment, listAppointments } from '../../store/appointments.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import { type Change, keyOfChange } from '../../store/dynamodb/changes.ts';
import { keyText } from '../../store/keys.ts';
import { prepareBooking } from '../appointments/book-appointment.ts';
import { prepareUpdate } from '../appointments/update-appointment.ts';
import { type ChangedVisit, reserveTogether } from '../booking/reserve-together.ts';
import { bookingEffects } from '../booking/effects.ts';
import type { Company } from '../booking/types.ts';
import type { WriteContext } from '../context.ts';
import { type LoadedDay, loadDay } from './load-day.ts';

/** Makes the moves of a plan, all or none, in one transaction. */

const UNDO_FOR = HOUR;

interface AppliedDay {
  readonly changes: readonly Change[];
  /** The way back. */
  readonly undo: string;
}

/** The plan that a request names. Throws 400 for another text, organization or day, and 409 for one that is over. */
export function readPlan(
  { Revision }: Pick<DayPlanInput, 'Revision'>,
  { organization }: Company,
  { date, now }: { readonly date: string; readonly now: Date },
): PlanRevision {
  const plan = readRevision(Revision ?? '');
  const wrong = (message: string, code: 'format' | 'mismatch') => invalid({ field: 'Revision', code, message });
  if (!plan) throw wrong('is not one that appointments/dayplan answered', 'format');
  if (plan.organizationId !== organization.Id) throw wrong(`is of organization ${plan.organizationId}`, 'mismatch');
  if (plan.date !== date) throw wrong(`is of ${plan.date}`, 'mismatch');
  if (plan.until !== undefined && plan.until <= now.getTime())
    throw conflict('wrong_state', 'A plan can be undone for an hour, which is over. Move the visits one by one.');
  return plan;
}

/**
 * The days of the agents of a plan. Throws 409 if a visit of the plan has changed since, or another one was booked; the
 * message names each. The way back asks only for the visits that it moves.
 */
export async function loadUnchanged(context: WriteContext, company: Company, plan: PlanRevision): Promise<LoadedDay> {
  const { date, agentIds, until, versions, moves } = plan;
  const agents = agentIds.flatMap((id) => company.agents.get(id) ?? []);
  const ids = [...versions.keys()];
  const own = (await listAppointments(context.store, ids)).filter(
    ({ OrganizationId }) => OrganizationId === company.organization.Id,
  );
  const stored = new Map(own.map((visit) => [visit.Id, visit]));
  const changed = ids.flatMap((id) => {
    const visit = stored.get(id);
    return visit && visit.V === versions.get(id) ? [] : `appointment ${id} ${describeChange(visit)}`;
  });
  const queued = moves.map(({ appointmentId }) => appointmentId).filter((id) => stored.get(id)?.Start === null);
  const loaded = await loadDay(context, company, { date, agents, queued, acrossAgents: true, moveConfirmed: true });
  const present = new Set(loaded.stops.map(({ appointmentId }) => appointmentId));
  const added = until === undefined ? [...present].filter((id) => !versions.has(id)) : [];
  const all = [...changed, ...added.map((id) => `appointment ${id} was booked`)];
  if (all.length)
    throw conflict('wrong_state', `The day has changed since it was planned: ${all.join(', ')}. Plan it again.`);
  return loaded;
}

function describeChange(visit: AppointmentRecord | undefined): string {
  if (!visit) return 'is gone';
  if (visit.Status === Status.Canceled) return 'was canceled';
  if (visit.Start === null) return 'was put into the queue';
  return `was changed, and is at ${toFriendly(visit.Start, visit.Zone)}`;
}

/** The visit at its new time and agent, by the same steps as an update or a booking. */
async function prepareMove(
  context: WriteContext,
  { organization }: Company,
  { appointmentId, start, agentId }: PlanMove,
  version: number | undefined,
) {
  const visit = await findAppointment(context.store, appointmentId);
  if (visit?.OrganizationId !== organization.Id)
    throw conflict('wrong_state', `It is no visit of organization ${organization.Id}.`);
  // Somebody else applies the same plan: this call begins again, and names what moved.
  if (visit.V !== version) throw new StoreConflict(`appointment ${appointmentId} was changed since it was read`);
  const AppointmentId = appointmentId;
  const read = { version: visit.V };
  if (start === null) return prepareUpdate({ AppointmentId, Slots: [{ Status: Status.Queued }] }, context, read);
  const slot = { DateTime: new Date(start).toISOString(), ServiceAgentId: agentId };
  if (visit.Status !== Status.Queued) return prepareUpdate({ AppointmentId, Slots: [slot] }, context, read);
  // As planned, whatever the length of its service is by now.
  const {
    booking,
    before = visit,
    after,
  } = await prepareBooking({ AppointmentId, Slots: [{ ...slot, Duration: visit.Duration }] }, context);
  if (before.V !== visit.V) throw new StoreConflict(`appointment ${appointmentId} was changed since it was read`);
  return { booking, before, after, effects: await bookingEffects(context, booking, after) };
}

async function prepare(context: WriteContext, company: Company, move: PlanMove, version: number | undefined) {
  try {
    return await prepareMove(context, company, move, version);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = `Appointment ${move.appointmentId}: ${error.message}`;
    throw error.status === 409 || error.status === 403
      ? new Failure(error.code, message)
      : conflict('wrong_state', message);
  }
}

const mainAgent = ({ ServiceAgentId }: AppointmentRecord): number => ServiceAgentId;

/** Two visits of one proposal would both change it. */
function requireSeparate(effects: readonly Change[]): void {
  const keys = effects.flatMap((change) => keyOfChange(change) ?? []).map(keyText);
  if (new Set(keys).size !== keys.length)
    throw conflict(
      'requirement_missing',
      'Two of the visits belong to the same proposal. Book or move one of them by itself first.',
    );
}

export async function applyMoves(
  context: WriteContext,
  company: Company,
  { date, moves, versions }: Pick<PlanRevision, 'date' | 'moves' | 'versions'>,
): Promise<AppliedDay> {
  const { organization } = company;
  const prepared = await Promise.all(
    moves.map((move) => prepare(context, company, move, versions.get(move.appointmentId))),
  );
  const visits: ChangedVisit[] = prepared.filter(({ before, after }) => after !== before);
  const effects = prepared.flatMap((each) => each.effects);
  requireSeparate(effects);
  const { appointments, changes } = await reserveTogether(context, organization, visits);
  const all = [...changes, ...effects];
  if (all.length > MAX_REQUEST_CHANGES)
    throw invalid({
      field: 'Agents',
      code: 'limit',
      message: `have ${moves.length} moves in this plan, more than one call can make: plan fewer agents at a time`,
    });
  const undo = writeRevision({
    organizationId: organization.Id,
    date,
    until: context.now.getTime() + UNDO_FOR,
    agentIds: [...new Set(visits.flatMap(({ before, after }) => [before, after].map(mainAgent)))].filter(Boolean),
    versions: new Map(appointments.map(({ Id, V }) => [Id, V])),
    moves: visits.map(({ before }) => ({
      appointmentId: before.Id,
      start: before.Start,
      agentId: before.ServiceAgentId,
    })),
  });
  return { changes: all, undo };
}
