import { ProposalStatus, isOpenProposal, statusAt } from '../../entities/proposal-status.ts';
import { changesParents, parentIds, withChild } from '../../domain/proposals/family.ts';
import type { RecordOf } from '../../entities/declaration/entity.ts';
import {
  type ProposalRecord,
  expiryProgressEntity,
  proposalEntity,
  proposalExpiryEntity,
} from '../../entities/proposals.ts';
import { InternalError } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import type { DateSpan } from '../../shared/time/read-moments.ts';
import { HOUR } from '../../shared/time/time.ts';
import { sortable, type Key, layout, toKey } from '../keys.ts';
import type { ContactSummary } from '../contacts/contacts.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { type Query, listRecords, listedChange, type Transition } from '../indexes.ts';
import { finderOf } from '../visibility.ts';
import type { StoreAccount, StorePager, StoreReader } from '../store.ts';

/**
 * Proposals, and the list of when open ones expire.
 */

export const findProposal = finderOf(proposalEntity, layout.proposal);

/** Proposals by id, skipping missing ones. One request; none if there are no ids. */
export async function findProposals(
  { account, table }: StoreReader,
  ids: readonly number[],
): Promise<ProposalRecord[]> {
  const keys = [...new Set(ids)].map((id) => layout.proposal.key({ account, id }));
  return keys.length ? (await table.getMany(keys)).map((item) => proposalEntity.read(item)) : [];
}

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
 * The change that stores a proposal, the proposal with its new version, and the resulting changes of its contact.
 * `expiry` belongs in the same transaction if the proposal may become open, or stop being open.
 */
export function proposalChanges(
  store: StoreAccount,
  { before, after, now }: Transition<ProposalRecord>,
): { record: ProposalRecord; change: Change; expiry: readonly Change[]; contactSummary: ContactSummary } {
  const { record, change } = listedChange(store, proposalEntity, layout.proposal, { before, after, now });
  const [previous, current] = [openEntry(before, new Date(before?.Updated ?? 0)), openEntry(record, now)];
  const contactSummary = isEqual(previous, current) ? {} : { proposals: { [record.Id]: current } };
  return { record, change, expiry: expiryChanges(store, before, record), contactSummary };
}

/** The criteria of a query; all given ones must hold. */
export interface ProposalQuery extends Query {
  readonly owner?: number | undefined;
  /** As of now: an open proposal past its expiry is Expired. */
  readonly status?: number | undefined;
  readonly accepted: DateSpan;
}

/** A page of proposals by date, then id, and the number of all matches. */
export async function queryProposals(
  store: StorePager,
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
  const { count, records } = await listRecords(store, proposalEntity, list, now);
  return { count, proposals: records };
}

/** Maximum number of proposals that a proposal may belong to, directly or through others. */
export const MAX_ANCESTORS = 10;

/** A proposal as it was read (`undefined` if it is new), and as it is stored next. */
type ProposalTransition = Omit<Transition<ProposalRecord>, 'now'>;

/**
 * The proposals with every ancestor whose lists change because of them. One round per generation, for ancestors that
 * are not among `known`; none if no list changes.
 */
async function updateAncestors(
  store: StoreReader,
  changed: readonly ProposalTransition[],
  known: readonly ProposalRecord[] = [],
): Promise<ProposalTransition[]> {
  const unchanged = known.map((proposal) => ({ before: proposal, after: proposal }));
  const states = new Map<number, ProposalTransition>(
    [...unchanged, ...changed].map((state) => [state.after.Id, state]),
  );
  let children = changed.flatMap(({ before, after }) => (changesParents(before, after) ? [after.Id] : []));
  for (let generation = 0; children.length && generation < MAX_ANCESTORS; generation++) {
    const pairs = children.flatMap((child) => {
      const state = states.get(child);
      const parents = new Set([...parentIds(state?.before), ...parentIds(state?.after)]);
      return [...parents].map((parent) => ({ child, parent }));
    });
    const missing = pairs.flatMap(({ parent }) => (states.has(parent) ? [] : [parent]));
    for (const parent of await findProposals(store, missing)) states.set(parent.Id, { before: parent, after: parent });
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

/** The changes that store each proposal once, and the resulting changes of the contact. */
function transitionChanges(store: StoreAccount, transitions: readonly ProposalTransition[], now: Date) {
  const stored = transitions.map((transition) => proposalChanges(store, { ...transition, now }));
  const entries = stored.flatMap(({ contactSummary }) => Object.entries(contactSummary.proposals ?? {}));
  return {
    records: stored.map(({ record }) => record),
    changes: stored.flatMap(({ change, expiry }) => [change, ...expiry]),
    contactSummary: { proposals: Object.fromEntries(entries) },
  };
}

/**
 * The changes that store a proposal and the ancestors whose lists change. `read` are proposals that were already read.
 * `guarded` are those that must be unchanged since they were read; they are checked if they are not written.
 */
export async function proposalWithParentChanges(
  store: StoreReader,
  {
    before,
    after,
    now,
    read = [],
    guarded = [],
  }: ProposalTransition & {
    readonly now: Date;
    readonly read?: readonly ProposalRecord[];
    readonly guarded?: readonly ProposalRecord[];
  },
): Promise<{ record: ProposalRecord; changes: Change[]; contactSummary: ContactSummary }> {
  const transitions = await updateAncestors(store, [{ before, after }], [...read, ...guarded]);
  const { records, changes, contactSummary } = transitionChanges(store, transitions, now);
  const record = records.find(({ Id }) => Id === after.Id);
  if (!record) throw new InternalError(`proposal ${after.Id} does not change`);
  const unwritten = guarded.filter(({ Id }) => !records.some((written) => written.Id === Id));
  const checks = unwritten.map((proposal) => unchangedProposal(store, proposal));
  return { record, changes: [...changes, ...checks], contactSummary };
}

/** The condition that a proposal is unchanged since it was read. */
export const unchangedProposal = ({ account }: StoreAccount, { Id, V }: ProposalRecord): Change => ({
  check: layout.proposal.key({ account, id: Id }),
  if: { equals: { V } },
});

/**
 * The changes that store several proposals and the ancestors whose lists change. A change order and the proposal that
 * it changes may both be among them: each is stored once.
 */
export async function proposalsWithParentChanges(
  store: StoreReader,
  {
    before,
    next,
    now,
  }: { before: readonly ProposalRecord[]; next: (proposal: ProposalRecord) => ProposalRecord; now: Date },
): Promise<{ readonly changes: readonly Change[]; readonly contactSummary: Pick<ContactSummary, 'proposals'> }> {
  const changed = before.map((proposal) => ({ before: proposal, after: next(proposal) }));
  return transitionChanges(store, await updateAncestors(store, changed), now);
}

export type Ancestry =
  | { readonly kind: 'free'; readonly ancestors: readonly ProposalRecord[] }
  | { readonly kind: 'cycle' | 'deep' };

/**
 * Whether a proposal may belong to `parents`: `cycle` if it is an ancestor of one of them, `deep` beyond MAX_ANCESTORS.
 * `ancestors` are those above the parents; the answer holds while they are unchanged. One round per generation.
 */
export async function findAncestry(store: StoreReader, id: number, parents: readonly number[]): Promise<Ancestry> {
  const seen = new Map<number, ProposalRecord>();
  let next = [...new Set(parents)];
  while (next.length) {
    if (next.includes(id)) return { kind: 'cycle' };
    if (seen.size + next.length > MAX_ANCESTORS) return { kind: 'deep' };
    const found = await findProposals(store, next);
    for (const proposal of found) seen.set(proposal.Id, proposal);
    next = [...new Set(found.flatMap(parentIds))].filter((parent) => !seen.has(parent));
  }
  return { kind: 'free', ancestors: [...seen.values()].filter(({ Id }) => !parents.includes(Id)) };
}

/** By proposal id: 8 partitions per hour, each of which takes 500 opened or expired proposals per second. */
export const EXPIRY_SHARDS = 8;

/**
 * A write that began in the previous hour may still arrive, and an hour's list is done only when nobody adds to it, so
 * each run checks the hour before its own again.
 */
export const OPEN_HOURS = 2;

/** An entry in the list of expiries: the proposal may expire at `At`. */
export type ProposalExpiry = Key & RecordOf<typeof proposalExpiryEntity>;

/** Hours since 1970. */
export const hourAt = (milliseconds: number): number => Math.floor(milliseconds / HOUR);

export function expiryAt({ account }: StoreAccount, id: number, at: number): ProposalExpiry {
  const values = { hour: hourAt(at), shard: id % EXPIRY_SHARDS, at: sortable(at), account, id };
  return { ...layout.proposalExpiry.key(values), Account: account, Id: id, At: at };
}

/** When an open proposal expires; `undefined` if it is not open or never expires. */
const expiresAt = (proposal: ProposalRecord | undefined): number | undefined =>
  proposal?.Status === ProposalStatus.Open ? (proposal.ExpiresAt ?? undefined) : undefined;

/** The entry of a proposal that was not overdue when it was opened. */
function expiryOf(store: StoreAccount, proposal: ProposalRecord | undefined): ProposalExpiry | undefined {
  const at = expiresAt(proposal);
  return proposal && at !== undefined ? expiryAt(store, proposal.Id, at) : undefined;
}

/** The entry to write for a proposal: never in an hour that is over, whose list may be done. */
export function pendingExpiry(store: StoreAccount, proposal: ProposalRecord): ProposalExpiry | undefined {
  const at = expiresAt(proposal);
  return at === undefined ? undefined : expiryAt(store, proposal.Id, Math.max(at, Date.now()));
}

const toItem = (expiry: ProposalExpiry): Item => ({ ...expiry });

/**
 * The changes to the list of expiries, in the transaction that changes the proposal: an entry exists while it is open
 * with an expiry. Whoever processes the list checks the proposal, so a leftover entry is harmless.
 */
function expiryChanges(store: StoreAccount, before: ProposalRecord | undefined, after: ProposalRecord): Change[] {
  const previous = expiryOf(store, before);
  if (expiresAt(before) === expiresAt(after)) return [];
  const next = pendingExpiry(store, after);
  return [
    ...(previous ? [{ remove: toKey(previous) }] : []),
    ...(next && next.SK !== previous?.SK ? [{ put: toItem(next) }] : []),
  ];
}

/** Moves an entry to another moment. Safe to repeat. */
export const writePostponedExpiry = (table: TableWriter, expiry: ProposalExpiry, at: number): Promise<void> =>
  table.commit([{ put: toItem(expiryAt({ account: expiry.Account }, expiry.Id, at)) }, { remove: toKey(expiry) }]);

const PAGE = 100;

/** A page of the entries of an hour and shard that are due at `now`, ordered by time. An empty one costs 0.5 RRU. */
export async function listDueExpiries(
  table: TableReader,
  { hour, shard, now, after }: { hour: number; shard: number; now: Date; after: string | undefined },
): Promise<{ expiries: ProposalExpiry[]; next: string | undefined }> {
  const partition = layout.proposalExpiry.of({ hour, shard });
  const page = await table.query({ partition, to: `${sortable(now.getTime())}#\u{10FFFF}`, after, limit: PAGE });
  return {
    expiries: page.items.map(({ PK, SK, ...item }) => ({ PK, SK, ...proposalExpiryEntity.read(item) })),
    next: page.next,
  };
}

/** The hour through which the list is processed; `undefined` before the first time. */
export async function findHourDone(table: TableReader): Promise<number | undefined> {
  return expiryProgressEntity.read((await table.get(layout.expiryProgress.key({}))) ?? {}).Hour;
}

/** Stores the hour through which the list is processed. Safe to repeat; it never moves back. */
export async function writeHourDone(table: TableWriter, hour: number): Promise<void> {
  await table.update({ update: layout.expiryProgress.key({}), set: { Hour: hour } });
}
