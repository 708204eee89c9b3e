import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { visitAppointment } from '../../domain/subscriptions/visit-appointment.ts';
import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { toRecord } from '../../store/dynamodb/records.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';

/** An appointment is two items, and a transaction takes 100, some of which are its caller's. */
const MAX_VISITS = 40;
/**
 * A transaction takes 4 MB. An acceptance has the proposal, the evidence, the signature and the contact beside, at
 * worst 350 + 350 + 256 + 400 KB, and the proposals above its own.
 */
const MAX_BYTES = 1_800_000;

/** Visits of a subscription on their way into the queue of appointments. */
export interface QueuedVisits {
  /** Store the appointments; they go into the transaction that sets the proposal's VisitsToQueue to `left`. */
  readonly changes: readonly Change[];
  readonly queued: number;
  readonly left: number;
}

/**
 * The appointments of a proposal's visits from the one at `from` (counted from 0) on, at most `most` of them, and never
 * more than a transaction takes. Nothing of it for a proposal that is no subscription.
 */
export async function queueVisits(
  table: TableWriter,
  account: string,
  proposal: ProposalRecord,
  { from, most = MAX_VISITS }: { readonly from: number; readonly most?: number },
  now: Date,
): Promise<QueuedVisits> {
  const visits = scheduleVisits(proposal).slice(from);
  const next = visits.slice(0, Math.min(most, MAX_VISITS));
  if (next.length === 0) return { changes: [], queued: 0, left: visits.length };
  const ids = await reserveIds(table, account, 'Appointment', next.length);
  const changes: Change[] = [];
  let bytes = 0;
  let queued = 0;
  for (const visit of next) {
    const named = { Id: ids[queued] ?? 0, HashKey: randomHandle(22), now: now.getTime() };
    const made = visitAppointment(proposal, visit, named);
    bytes += Buffer.byteLength(JSON.stringify(made));
    if (queued && bytes > MAX_BYTES) break;
    changes.push(...appointmentChanges(account, { before: undefined, after: made, now }).changes);
    queued++;
  }
  return { changes, queued, left: visits.length - queued };
}

/**
 * Queues the next visits of an accepted proposal, as many as one transaction takes. The proposal's VisitsToQueue is
 * lowered in the same transaction, which holds only for the version that was read: whoever else does it at that moment,
 * and however often it is done, each visit becomes one appointment. Answers how many it has queued, and how many are
 * left.
 */
export async function queueNextVisits(
  table: TableWriter,
  account: string,
  id: number,
  now: Date,
): Promise<{ queued: number; left: number }> {
  const key = layout.proposal.key({ account, id });
  return retryOnConflict(async () => {
    const item = await table.get(key);
    const proposal = item && toRecord<ProposalRecord>(item);
    if (!proposal || proposal.VisitsToQueue < 1) return { queued: 0, left: 0 };
    const { VisitsToQueue, V } = proposal;
    const from = scheduleVisits(proposal).length - VisitsToQueue;
    if (from < 0) throw new RangeError(`proposal ${id} has fewer visits than are to be queued`);
    const { changes, queued, left } = await queueVisits(table, account, proposal, { from }, now);
    await table.commit([
      { update: key, set: { VisitsToQueue: left }, add: { V: 1 }, if: { equals: { V } } },
      ...changes,
    ]);
    return { queued, left };
  });
}
