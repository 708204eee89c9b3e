import type { RecordOf } from '../../entities/declaration/entity.ts';
import { type ProposalRecord, expiryProgressEntity, proposalExpiryEntity } from '../../entities/proposals.ts';
import { ProposalStatus } from '../../domain/proposals/status.ts';
import { HOUR } from '../../shared/time/time.ts';
import { sortable } from '../contacts/contact-index.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/client.ts';
import { type Key, layout } from '../keys.ts';

/** By proposal id: 8 partitions an hour, each of which takes 500 opened or expired proposals a second. */
export const EXPIRY_SHARDS = 8;

/**
 * A write that began in the hour before may still arrive, and the list of an hour is done only when nobody adds to it:
 * each run looks at the hour before its own once more.
 */
export const OPEN_HOURS = 2;

/** An entry of the list of expiries: this proposal may expire at `At`. */
export type ProposalExpiry = Key & RecordOf<typeof proposalExpiryEntity>;

/** Hours since 1970. */
export const hourAt = (milliseconds: number): number => Math.floor(milliseconds / HOUR);

export function expiryAt(account: string, id: number, at: number): ProposalExpiry {
  const values = { hour: hourAt(at), shard: id % EXPIRY_SHARDS, at: sortable(at), account, id };
  return { ...layout.proposalExpiry.key(values), Account: account, Id: id, At: at };
}

/** When an open proposal expires; `undefined` for one that is not open or has no end. */
const expiresAt = (proposal: ProposalRecord | undefined): number | undefined =>
  proposal?.Status === ProposalStatus.Open ? (proposal.ExpiresAt ?? undefined) : undefined;

/** The entry of a proposal that was not overdue when it was opened. */
function expiryOf(account: string, proposal: ProposalRecord | undefined): ProposalExpiry | undefined {
  const at = expiresAt(proposal);
  return proposal && at !== undefined ? expiryAt(account, proposal.Id, at) : undefined;
}

/** The entry to be written for a proposal: never in an hour that is over by the clock, whose list may be done. */
export function pendingExpiry(account: string, proposal: ProposalRecord): ProposalExpiry | undefined {
  const at = expiresAt(proposal);
  return at === undefined ? undefined : expiryAt(account, proposal.Id, Math.max(at, Date.now()));
}

const toItem = (expiry: ProposalExpiry): Item => ({ ...expiry });

/**
 * The changes of the list of expiries, in the transaction that changes the proposal: an entry exists while it is open
 * for a limited time. Whoever works through the list checks the proposal: an entry that stayed changes nothing.
 */
export function expiryChanges(account: string, before: ProposalRecord | undefined, after: ProposalRecord): Change[] {
  const previous = expiryOf(account, before);
  if (expiresAt(before) === expiresAt(after)) return [];
  const next = pendingExpiry(account, after);
  return [
    ...(previous ? [{ remove: keyOf(previous) }] : []),
    ...(next && next.SK !== previous?.SK ? [{ put: toItem(next) }] : []),
  ];
}

export const keyOf = ({ PK, SK }: Key): Key => ({ PK, SK });

/** Puts entries for open proposals, outside a transaction. Safe to repeat: a proposal has the same entry every time. */
export const writeExpiries = (table: TableWriter, expiries: readonly ProposalExpiry[]): Promise<void> =>
  table.putMany(expiries.map(toItem));

/** Moves an entry to another moment. Safe to repeat. */
export const writePostponedExpiry = (table: TableWriter, expiry: ProposalExpiry, at: number): Promise<void> =>
  table.commit([{ put: toItem(expiryAt(expiry.Account, expiry.Id, at)) }, { remove: keyOf(expiry) }]);

const PAGE = 100;

/** A page of the entries of an hour and shard that are due at `now`, in the order of time. 0.5 RRU for an empty one. */
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

/** The hour through which the list is worked off; `undefined` before the first time. */
export async function findHourDone(table: TableReader): Promise<number | undefined> {
  return expiryProgressEntity.read((await table.get(layout.expiryProgress.key({}))) ?? {}).Hour;
}

/** Stores the hour through which the list is worked off. Safe to repeat; it never moves back. */
export async function writeHourDone(table: TableWriter, hour: number): Promise<void> {
  await table.update({ update: layout.expiryProgress.key({}), set: { Hour: hour } });
}
