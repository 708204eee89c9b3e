import { type ProposalRecord, proposalEntity } from '../../entities/proposals.ts';
import { InternalError } from '../../shared/failure.ts';
import { startOfDate } from '../../shared/time/zones.ts';
import { changesParents, parentIds, withChild } from '../../domain/proposals/family.ts';
import { ProposalStatus, statusAt } from '../../domain/proposals/status.ts';
import { isEqual } from '../../shared/equality.ts';
import { type CallerScope, findVisible } from '../requests/caller.ts';
import type { ContactSummary } from '../contacts/contact-summary.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TablePager, TableReader } from '../dynamodb/client.ts';
import type { DateSpan } from '../../shared/time/read-moments.ts';
import { type Query, indexedRecordChange, listRecords } from '../indexes.ts';
import { layout } from '../keys.ts';
import { expiryChanges } from './proposal-expiries.ts';

/** The proposal, if the caller's key sees it. */
export async function findProposal(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ProposalRecord | undefined> {
  const item = await findVisible(table, scope, layout.proposal.key({ account: scope.accountId, id }));
  return item && proposalEntity.read(item);
}

/** Proposals by id, as far as they exist. One request; none for no ids. */
export async function findProposals(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<ProposalRecord[]> {
  const keys = [...new Set(ids)].map((id) => layout.proposal.key({ account, id }));
  return keys.length ? (await table.getMany(keys)).map((item) => proposalEntity.read(item)) : [];
}

/** Stands for "never" in the index: later than any moment that a query may ask for. */
const NEVER = 1e14;

/** The moment from which it counts as expired; an open proposal expires without a write. */
const expiredFrom = ({ Status, ExpiresAt }: ProposalRecord): number => {
  if (Status === ProposalStatus.Expired) return 0;
  return Status === ProposalStatus.Open ? (ExpiresAt ?? NEVER) : NEVER;
};

/** Not answered yet. One that is open beyond its time stays here until a worker stores it as expired. */
export const isOpenProposal = (status: number | undefined): boolean =>
  status === ProposalStatus.Internal || status === ProposalStatus.Open;

const factsOf = (proposal: ProposalRecord) => ({
  status: proposal.Status,
  expiresAt: expiredFrom(proposal),
  acceptedAt: proposal.AcceptedAt ?? undefined,
  owner: proposal.OwnerUserId ?? undefined,
});

/** Its entry in the contact's list of open proposals; `undefined` while it is not open. */
const openEntry = (proposal: ProposalRecord | undefined, now: Date) =>
  proposal && statusAt(proposal, now.getTime()) === ProposalStatus.Open
    ? {
        Date: proposal.Date,
        Service: proposal.ServiceName,
        ...(proposal.LinksRevoked ? { LinksRevoked: proposal.LinksRevoked } : {}),
      }
    : undefined;

/**
 * The change that stores a proposal, the proposal with its new version, and what that changes of its contact. `expiry`
 * belongs into the same transaction where the proposal may become open, or be so no longer.
 */
export function proposalChanges(
  account: string,
  { before, after, now }: Transition & { readonly now: Date },
): { record: ProposalRecord; change: Change; expiry: readonly Change[]; contactSummary: ContactSummary } {
  const proposal = { ...after, Updated: now.getTime() };
  const { Id } = proposal;
  const date = startOfDate(proposal.Date, proposal.Zone);
  const key = layout.proposal.key({ account, id: Id });
  const at = {
    of: proposal,
    key,
    date,
    day: proposal.Date,
    open: isOpenProposal(proposal.Status),
    facts: factsOf(proposal),
  };
  const { record, change } = indexedRecordChange(account, proposalEntity, at, { before, after: proposal });
  const [previous, current] = [openEntry(before, new Date(before?.Updated ?? 0)), openEntry(proposal, now)];
  const contactSummary = isEqual(previous, current) ? {} : { proposals: { [Id]: current } };
  return { record, change, expiry: expiryChanges(account, before, proposal), contactSummary };
}

/** The criteria of a query; all that are set must hold. */
export interface ProposalQuery extends Query {
  readonly owner?: number | undefined;
  /** As of now: an open proposal beyond its time is Expired. */
  readonly status?: number | undefined;
  readonly accepted: DateSpan;
}

/** A page of proposals by date, then id, and the number of all matches. */
export async function queryProposals(
  table: TablePager,
  scope: CallerScope,
  { owner, status, accepted, ...query }: ProposalQuery,
  now: Date,
): Promise<{ count: number; proposals: ProposalRecord[] }> {
  const at = now.getTime();
  const isExpired = status === ProposalStatus.Expired;
  const where = {
    status: isExpired ? undefined : status,
    expiresAt: isExpired ? { through: at } : status === ProposalStatus.Open ? { from: at + 1 } : undefined,
    owner,
  };
  const meaning = { status, owner };
  const changedAfter = { acceptedAt: accepted };
  const list = { ...query, open: isOpenProposal(status), where, meaning, changedAfter, key: layout.proposal.key };
  const { count, records } = await listRecords(table, scope, proposalEntity, list, now);
  return { count, proposals: records };
}

/** How many proposals a proposal may belong to, directly or through others. */
export const MAX_ANCESTORS = 10;

/** A proposal as it was read (`undefined` if it is new), and as it is stored next. */
interface Transition {
  readonly before: ProposalRecord | undefined;
  readonly after: ProposalRecord;
}

/**
 * The proposals with every ancestor whose lists change through them. One round a generation, for ancestors that are not
 * among `known`; none where no list changes.
 */
async function updateAncestors(
  table: TableReader,
  account: string,
  changed: readonly Transition[],
  known: readonly ProposalRecord[] = [],
): Promise<Transition[]> {
  const unchanged = known.map((proposal) => ({ before: proposal, after: proposal }));
  const states = new Map<number, Transition>([...unchanged, ...changed].map((state) => [state.after.Id, state]));
  let children = changed.flatMap(({ before, after }) => (changesParents(before, after) ? [after.Id] : []));
  for (let generation = 0; children.length && generation < MAX_ANCESTORS; generation++) {
    const pairs = children.flatMap((child) => {
      const state = states.get(child);
      const parents = new Set([...parentIds(state?.before), ...parentIds(state?.after)]);
      return [...parents].map((parent) => ({ child, parent }));
    });
    const missing = pairs.flatMap(({ parent }) => (states.has(parent) ? [] : [parent]));
    for (const parent of await findProposals(table, account, missing))
      states.set(parent.Id, { before: parent, after: parent });
    const changedParents = new Set<number>();
    for (const { child, parent } of pairs) {
      const [lower, upper] = [states.get(child), states.get(parent)];
      if (!lower || !upper) continue;
      const after = withChild(upper.after, lower.after);
      states.set(parent, { ...upper, after });
      if (changesParents(upper.after, after)) changedParents.add(parent);
    }
    children = [...changedParents];
  }
  return [...states.values()].filter(({ before, after }) => before !== after);
}

/** The changes that store each proposal once, and what they change of the contact. */
function transitionChanges(account: string, transitions: readonly Transition[], now: Date) {
  const stored = transitions.map((transition) => proposalChanges(account, { ...transition, now }));
  const entries = stored.flatMap(({ contactSummary }) => Object.entries(contactSummary.proposals ?? {}));
  return {
    records: stored.map(({ record }) => record),
    changes: stored.flatMap(({ change, expiry }) => [change, ...expiry]),
    contactSummary: { proposals: Object.fromEntries(entries) },
  };
}

/**
 * The changes that store a proposal and the ancestors whose lists change. `read` are proposals that were read already.
 * `guarded` are those that must still be stored as they were read; they are checked where they are not written.
 */
export async function proposalWithParentChanges(
  table: TableReader,
  account: string,
  {
    before,
    after,
    now,
    read = [],
    guarded = [],
  }: Transition & {
    readonly now: Date;
    readonly read?: readonly ProposalRecord[];
    readonly guarded?: readonly ProposalRecord[];
  },
): Promise<{ record: ProposalRecord; changes: Change[]; contactSummary: ContactSummary }> {
  const transitions = await updateAncestors(table, account, [{ before, after }], [...read, ...guarded]);
  const { records, changes, contactSummary } = transitionChanges(account, transitions, now);
  const record = records.find(({ Id }) => Id === after.Id);
  if (!record) throw new InternalError(`proposal ${after.Id} does not change`);
  const unwritten = guarded.filter(({ Id }) => !records.some((written) => written.Id === Id));
  const checks = unwritten.map((proposal) => unchangedProposal(account, proposal));
  return { record, changes: [...changes, ...checks], contactSummary };
}

/** The condition that a proposal is still stored as it was read. */
export const unchangedProposal = (account: string, { Id, V }: ProposalRecord): Change => ({
  check: layout.proposal.key({ account, id: Id }),
  if: { equals: { V } },
});

/**
 * The changes that store several proposals and the ancestors whose lists change. A change order and the proposal that
 * it changes may both be among them: each is stored once.
 */
export async function proposalsWithParentChanges(
  table: TableReader,
  account: string,
  {
    before,
    next,
    now,
  }: { before: readonly ProposalRecord[]; next: (proposal: ProposalRecord) => ProposalRecord; now: Date },
): Promise<{ readonly changes: readonly Change[]; readonly contactSummary: Pick<ContactSummary, 'proposals'> }> {
  const changed = before.map((proposal) => ({ before: proposal, after: next(proposal) }));
  return transitionChanges(account, await updateAncestors(table, account, changed), now);
}

export type Ancestry =
  { readonly kind: 'free'; readonly ancestors: readonly ProposalRecord[] } | { readonly kind: 'cycle' | 'deep' };

/**
 * Whether a proposal may belong to `parents`: `cycle` if it is an ancestor of one of them, `deep` beyond MAX_ANCESTORS.
 * `ancestors` are those above the parents; the answer holds while they are stored as they were read. One round a
 * generation.
 */
export async function findAncestry(
  table: TableReader,
  account: string,
  id: number,
  parents: readonly number[],
): Promise<Ancestry> {
  const seen = new Map<number, ProposalRecord>();
  let next = [...new Set(parents)];
  while (next.length) {
    if (next.includes(id)) return { kind: 'cycle' };
    if (seen.size + next.length > MAX_ANCESTORS) return { kind: 'deep' };
    const found = await findProposals(table, account, next);
    for (const proposal of found) seen.set(proposal.Id, proposal);
    next = [...new Set(found.flatMap(parentIds))].filter((parent) => !seen.has(parent));
  }
  return { kind: 'free', ancestors: [...seen.values()].filter(({ Id }) => !parents.includes(Id)) };
}
