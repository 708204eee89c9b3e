import type { Leaver } from '../../domain/leavers.ts';
import { isAhead } from '../../domain/leavers.ts';
import { visitsLeft } from '../../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { Failure } from '../../shared/failure.ts';
import { type VisitPage, findAppointment } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { findSeriesOf, seriesChange } from '../../store/series.ts';
import { queueAppointment } from '../appointments/queue-appointment.ts';
import { updateAppointment } from '../appointments/update-appointment.ts';
import type { WriteContext } from '../context.ts';
import { type MissedScope, missedVisits } from './missed-visits.ts';

/** The outcome for a visit. */
export interface HandedOver {
  readonly visit: AppointmentRecord;
  /** `kept`: it could not be moved, for the given reason. */
  readonly outcome: 'moved' | 'queued' | 'kept';
  readonly reason: string;
}

/** The new owner of the visits: another agent, or `null` for the queue. */
type Successor = number | null;

/**
 * Moves a visit of a leaver to another agent, at the same time, or puts it into the queue. Writes at once, one
 * transaction per visit with its series and events. Safe to repeat: a visit that is no longer the leaver's stays.
 */
async function handOverVisit(
  { agent }: Leaver,
  id: number,
  successor: Successor,
  context: WriteContext,
): Promise<HandedOver | undefined> {
  return retryOnConflict(async () => {
    const visit = await findAppointment(context.store, id);
    if (!visit || !isAhead(visit) || !hasAgent(visit, agent.Id)) return undefined;
    try {
      const changes =
        successor === null ? await queue(visit, context) : await move(visit, agent.Id, successor, context);
      await context.store.table.commit(changes);
      return { visit, outcome: successor === null ? 'queued' : 'moved', reason: '' };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { visit, outcome: 'kept', reason: error.message };
    }
  });
}

/**
 * Hands over all visits of a leaver after the last day, including those made meanwhile, until only visits that cannot
 * be moved are left.
 */
export async function handOverVisits(
  scope: MissedScope,
  leaver: Leaver,
  successor: Successor,
  context: WriteContext,
  page: Pick<VisitPage, 'take'> = {},
): Promise<HandedOver[]> {
  const handed = new Map<number, HandedOver | undefined>();
  for (let before = -1; handed.size > before;) {
    before = handed.size;
    for await (const { Id } of missedVisits(scope, leaver, page))
      if (!handed.has(Id)) handed.set(Id, await handOverVisit(leaver, Id, successor, context));
  }
  return [...handed.values()].filter((each) => each !== undefined);
}

const hasAgent = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord, id: number): boolean =>
  ServiceAgentId === id || AdditionalAgents.some((agent) => agent.ServiceAgentId === id);

const queue = async ({ Id }: AppointmentRecord, context: WriteContext): Promise<readonly Change[]> =>
  (await queueAppointment({ AppointmentId: Id }, context)).changes;

/** The visit with the successor in place of the leaver. */
async function move(
  visit: AppointmentRecord,
  leaver: number,
  successor: number,
  context: WriteContext,
): Promise<readonly Change[]> {
  const slot =
    visit.ServiceAgentId === leaver
      ? { ServiceAgentId: successor }
      : {
          AdditionalServiceAgents: visit.AdditionalAgents.map(({ ServiceAgentId: Id, ...times }) => ({
            ...times,
            ServiceAgent: { Id: Id === leaver ? successor : Id },
          })),
        };
  const { changes } = await updateAppointment({ AppointmentId: visit.Id, Slots: [slot] }, context);
  return [...changes, ...(await seriesChanges(visit, leaver, successor, context))];
}

/** Assigns the series of a visit to the successor, if its worker has more visits to make. */
async function seriesChanges(
  visit: AppointmentRecord,
  leaver: number,
  successor: number,
  { store, now }: WriteContext,
): Promise<Change[]> {
  const before = (await findSeriesOf(store, visit))?.series;
  if (!before || before.ServiceAgentId !== leaver || visitsLeft(before) === 0) return [];
  return [seriesChange(store, { before, after: { ...before, ServiceAgentId: successor }, now })];
}
