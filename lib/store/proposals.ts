import { dateMidnight } from '../domain/appointments/to-resource.ts';
import type { ProposalRecord } from '../domain/proposals/record.ts';
import { ProposalStatus, statusAt } from '../domain/proposals/status.ts';
import { isEqual } from '../shared/equality.ts';
import { type CallerScope, findVisible } from './caller.ts';
import type { ContactSummary } from './contact-summary.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TablePager, TableReader } from './dynamodb/client.ts';
import type { Span } from './dynamodb/indexes.ts';
import { type Query, listRecords } from './dynamodb/pagination.ts';
import { indexedRecordChange, toRecord } from './dynamodb/records.ts';
import { layout } from './keys.ts';

const KIND = 'Proposal';

/** The proposal, where it exists for a caller who sees one organization, or all (`null`). */
export async function findProposal(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ProposalRecord | undefined> {
  const item = await findVisible(table, scope, layout.proposal.key({ account: scope.accountId, id }));
  return item && toRecord<ProposalRecord>(item);
}

/** Stands for "never" in the facts: later than any moment that is asked for. */
const NEVER = 1e14;

/** From when on it counts as expired: an open one by itself, without anybody writing it. */
const expiredFrom = ({ Status, ExpiresAt }: ProposalRecord): number => {
  if (Status === ProposalStatus.Expired) return 0;
  return Status === ProposalStatus.Open ? (ExpiresAt ?? NEVER) : NEVER;
};

/** S its status, X from when on it is expired, A when it was accepted, W its owner. */
const factsOf = (proposal: ProposalRecord) => ({
  S: proposal.Status,
  X: expiredFrom(proposal),
  ...(proposal.AcceptedAt === null ? {} : { A: proposal.AcceptedAt }),
  ...(proposal.OwnerUserId === null ? {} : { W: proposal.OwnerUserId }),
});

/** How the contact lists it while it is open. */
const listed = (proposal: ProposalRecord | undefined, now: Date) =>
  proposal && statusAt(proposal, now.getTime()) === ProposalStatus.Open
    ? { Date: proposal.Date, Service: proposal.ServiceName, HashKey: proposal.HashKey }
    : undefined;

/**
 * What stands beside a proposal that is opened for a time. The table removes it when that is over, which is free and
 * tells the worker (proposal-expiry.ts); it stays where the proposal is answered, for then its removal means nothing.
 */
const expiryOf = (account: string, before: ProposalRecord | undefined, { Id, Status, ExpiresAt }: ProposalRecord) =>
  Status === ProposalStatus.Open && ExpiresAt !== null && ExpiresAt !== before?.ExpiresAt
    ? [{ put: { ...layout.proposalExpiry.key({ account, id: Id }), Id, TTL: Math.ceil(ExpiresAt / 1000) } }]
    : [];

/**
 * The change that stores a proposal as it is now, the proposal with its new version, and what that changes of its
 * contact (contact-standing.ts). `expiry` goes into the transaction of a change that may open it.
 */
export function proposalChanges(
  account: string,
  { before, after, now }: { before: ProposalRecord | undefined; after: ProposalRecord; now: Date },
): { record: ProposalRecord; change: Change; expiry: readonly Change[]; standing: ContactSummary } {
  const proposal = { ...after, Updated: now.getTime() };
  const { Id } = proposal;
  const date = dateMidnight(proposal.Date, proposal.Zone);
  const key = layout.proposal.key({ account, id: Id });
  const at = { kind: KIND, of: proposal, key, date, facts: factsOf(proposal) };
  const { record, change } = indexedRecordChange(account, at, { before, after: proposal });
  const [was, is] = [listed(before, new Date(before?.Updated ?? 0)), listed(proposal, now)];
  const standing = isEqual(was, is) ? {} : { proposals: { [Id]: is } };
  return { record, change, expiry: expiryOf(account, before, proposal), standing };
}

/** What proposals are asked for; every criterion given must hold. */
export interface ProposalQuery extends Query {
  readonly owner?: number | undefined;
  /** As of now: an open one whose time has run out is Expired. */
  readonly status?: number | undefined;
  readonly accepted: Span;
}

/** A page of proposals by date, then id; and how many there are in all. */
export async function queryProposals(
  table: TablePager,
  scope: CallerScope,
  { owner, status, accepted, ...asked }: ProposalQuery,
  now: Date,
): Promise<{ count: number; proposals: ProposalRecord[] }> {
  // To the minute, so that the pages of one question are pages of one question.
  const at = Math.floor(now.getTime() / 60_000) * 60_000;
  const isExpired = status === ProposalStatus.Expired;
  const where = {
    S: isExpired ? undefined : status,
    X: isExpired ? { through: at } : status === ProposalStatus.Open ? { from: at + 1 } : undefined,
    A: accepted,
    W: owner,
  };
  const { key } = layout.proposal;
  const { count, records } = await listRecords<ProposalRecord>(table, scope, { ...asked, kind: KIND, where, key }, now);
  return { count, proposals: records };
}
