import type { ProposalRecord } from '../../entities/proposals.ts';
import { visitAppointment } from '../../domain/subscriptions/visit-appointment.ts';
import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import { jsonByteLength } from '../../shared/limits.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';

/** An appointment is two items, and a transaction takes 100, including those of its caller. */
const MAX_VISITS = 40;
/**
 * A transaction takes 4 MB. An acceptance also stores the proposal, the evidence, the signature and the contact, at
 * most 350 + 350 + 256 + 400 KB, and the proposal's ancestors.
 */
const MAX_BYTES = 1_800_000;

/** The next visits of a subscription as queued appointments. */
export interface QueuedVisits {
  /** To be committed with the change that sets the proposal's VisitsToQueue to `left`. */
  readonly changes: readonly Change[];
  readonly queued: number;
  readonly left: number;
}

/**
 * The appointments of a proposal's visits from the one at `from` on, counted from 0, as many as fit into a transaction;
 * none if the proposal is no subscription.
 */
export async function queueVisits(
  table: TableWriter,
  account: string,
  proposal: ProposalRecord,
  from: number,
  now: Date,
): Promise<QueuedVisits> {
  const visits = scheduleVisits(proposal).slice(from);
  const next = visits.slice(0, MAX_VISITS);
  if (next.length === 0) return { changes: [], queued: 0, left: visits.length };
  const ids = await reserveIds(table, account, 'Appointment', next.length);
  const changes: Change[] = [];
  let bytes = 0;
  let queued = 0;
  for (const visit of next) {
    const identity = { Id: ids[queued] ?? 0, HashKey: randomHandle(22), now: now.getTime() };
    const appointment = visitAppointment(proposal, visit, identity);
    bytes += jsonByteLength(appointment);
    if (queued && bytes > MAX_BYTES) break;
    changes.push(...appointmentChanges(account, { before: undefined, after: appointment, now }).changes);
    queued++;
  }
  return { changes, queued, left: visits.length - queued };
}
