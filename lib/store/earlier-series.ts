import { expandBook } from '../domain/proposals/record.ts';
import { isSubscription } from '../domain/subscriptions/recurrence.ts';
import { type MadeVisit, completedSeries } from '../domain/subscriptions/sold-series.ts';
import type { ProposalRecord } from '../entities/proposals.ts';
import { listAppointments } from './appointments.ts';
import type { Change } from './dynamodb/changes.ts';
import { StoreConflict } from './dynamodb/errors.ts';
import { listIdChunks } from './dynamodb/records.ts';
import { layout } from './keys.ts';
import { findProposals, unchangedProposal } from './sales/proposals.ts';
import { findSoldSeries, seriesChange } from './series.ts';
import type { StoreWriter } from './store.ts';

/** Subscriptions whose visits are in memory at once; each so many take a pass of the appointments. */
const MAX_SUBSCRIPTIONS = 5_000;

/** An accepted subscription as it was before its visits were read: each visit queued later raises its version. */
interface Subscription {
  readonly id: number;
  readonly version: number;
}

/**
 * Gives subscriptions the series of their visits, where a version before series has queued some; returns how many. No
 * event. Safe to repeat, to interrupt, and to run while visits are queued: a subscription that changes is read again.
 */
export async function writeEarlierSeries(store: StoreWriter, now: Date): Promise<number> {
  let [written, changed] = [0, 0];
  for await (const subscriptions of listSubscriptions(store)) {
    const visits = await listVisits(store, new Set(subscriptions.map(({ id }) => id)));
    for (const subscription of subscriptions) {
      const outcome = await writeSeries(store, subscription, visits.get(subscription.id) ?? [], now);
      if (outcome === 'written') written++;
      else if (outcome === 'changed') changed++;
    }
  }
  return changed ? written + (await writeEarlierSeries(store, now)) : written;
}

async function* listSubscriptions(store: StoreWriter): AsyncGenerator<Subscription[]> {
  let found: Subscription[] = [];
  for await (const ids of listIdChunks(store, 'Proposal')) {
    const proposals = (await findProposals(store, ids)).filter(isAcceptedSubscription);
    found.push(...proposals.map(({ Id: id, V: version }) => ({ id, version })));
    if (found.length < MAX_SUBSCRIPTIONS) continue;
    yield found;
    found = [];
  }
  if (found.length) yield found;
}

const isAcceptedSubscription = ({ AcceptedAt, Book }: ProposalRecord): boolean =>
  AcceptedAt !== null && isSubscription(expandBook(Book).service);

/** The visits of subscriptions, by the id of their proposal. */
async function listVisits(store: StoreWriter, proposals: ReadonlySet<number>) {
  const visits = new Map<number, MadeVisit[]>();
  for await (const ids of listIdChunks(store, 'Appointment'))
    for (const { Id, Created, QueueDate, Start, Zone, Sold } of await listAppointments(store, ids)) {
      if (!Sold || !proposals.has(Sold.ProposalId)) continue;
      const found = visits.get(Sold.ProposalId) ?? [];
      visits.set(Sold.ProposalId, found);
      found.push({ Id, Created, QueueDate, Start, Zone });
    }
  return visits;
}

async function writeSeries(
  store: StoreWriter,
  { id, version }: Subscription,
  visits: readonly MadeVisit[],
  now: Date,
): Promise<'written' | 'complete' | 'changed'> {
  const { account, table } = store;
  const [[proposal], before] = await Promise.all([findProposals(store, [id]), findSoldSeries(store, id)]);
  if (proposal?.V !== version) return 'changed';
  const after = completedSeries(proposal, before, visits, now);
  if (!after) return 'complete';
  const { V } = proposal;
  // The worker that queues its visits begins again, with the series.
  const next: Change = { update: layout.proposal.key({ account, id }), set: {}, add: { V: 1 }, if: { equals: { V } } };
  const guard = proposal.VisitsToQueue ? next : unchangedProposal(store, proposal);
  try {
    await table.commit([guard, seriesChange(store, { before, after, now })]);
    return 'written';
  } catch (error) {
    if (error instanceof StoreConflict) return 'changed';
    throw error;
  }
}
