import type { ProposalRecord } from './record.ts';
import {
  PROPOSAL_STATUSES,
  ProposalStatus,
  type ProposalStatusName,
  mayBecome,
  nextStatuses,
  proposalStatusName,
  statusAt,
} from './status.ts';
import { DAY } from '../../shared/time.ts';

export type StatusChange =
  | { readonly kind: 'moved'; readonly proposal: ProposalRecord }
  /** 400. */
  | { readonly kind: 'fault'; readonly message: string }
  /** 409. */
  | { readonly kind: 'refused'; readonly message: string };

const refused = (message: string): StatusChange => ({ kind: 'refused', message });

const listed = (names: readonly string[]): string => names.join(' or ') || 'nothing else';

/**
 * A proposal with the status that a request asks for, as of `now`; the one that it shows is no move. A new one is
 * Internal or Open. From its opening on it has so many days to be answered (0: for ever).
 */
export function changeProposalStatus(
  before: ProposalRecord,
  wanted: ProposalStatusName | null | undefined,
  { now, expireAfterDays }: { readonly now: number; readonly expireAfterDays: number },
): StatusChange {
  const from = statusAt(before, now);
  const to = wanted ? PROPOSAL_STATUSES.indexOf(wanted) : from;
  if (to === from) return { kind: 'moved', proposal: before };
  const [was, is] = [proposalStatusName(from), proposalStatusName(to)];
  if (before.V === 0 && to !== ProposalStatus.Open)
    return { kind: 'fault', message: 'must be Internal or Open: others follow from what is done' };
  if (to === ProposalStatus.Accepted)
    return refused(`A proposal becomes Accepted with proposal/accept, not with Status; this one is ${was}.`);
  if (!mayBecome(from, to))
    return refused(`A proposal that is ${was} cannot become ${is}, but ${listed(nextStatuses(from))}.`);
  const opened = { OpenedAt: now, ExpiresAt: expireAfterDays ? now + expireAfterDays * DAY : null };
  return { kind: 'moved', proposal: { ...before, Status: to, ...(to === ProposalStatus.Open ? opened : {}) } };
}
