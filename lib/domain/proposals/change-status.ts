import {
  type ProposalStatusName,
  PROPOSAL_STATUSES,
  ProposalStatus,
  statusAt,
} from '../../entities/proposal-status.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { DAY } from '../../shared/time/time.ts';
import { isToBeInvoiced, mayBecome, nextStatuses, proposalStatusName } from './record.ts';

export type StatusChange =
  | { readonly kind: 'changed'; readonly proposal: ProposalRecord }
  | { readonly kind: 'invalid' | 'conflict'; readonly message: string };

/**
 * A proposal with the requested status. Its effective status at `now` is not a change. A new proposal is Internal or
 * Open. Once open, it can be answered for `expireAfterDays` days (0: no limit).
 */
export function changeProposalStatus(
  before: ProposalRecord,
  requested: ProposalStatusName | null | undefined,
  { now, expireAfterDays }: { readonly now: number; readonly expireAfterDays: number },
): StatusChange {
  const from = statusAt(before, now);
  const to = requested ? PROPOSAL_STATUSES.indexOf(requested) : from;
  if (to === from) return { kind: 'changed', proposal: before };
  const conflict = (message: string): StatusChange => ({ kind: 'conflict', message });
  const [current, next] = [proposalStatusName(from), proposalStatusName(to)];
  if (before.V === 0 && to !== ProposalStatus.Open)
    return { kind: 'invalid', message: 'must be Internal or Open; the others are set by later operations' };
  if (to === ProposalStatus.Accepted)
    return conflict(`A proposal becomes Accepted with proposal/accept only; this one is ${current}.`);
  if (!mayBecome(from, to)) {
    const possible = nextStatuses(from).join(' or ');
    const hint = possible ? `It can become ${possible}.` : 'Its status is final.';
    return conflict(`A proposal that is ${current} cannot become ${next}. ${hint}`);
  }
  const opened = { OpenedAt: now, ExpiresAt: expireAfterDays ? now + expireAfterDays * DAY : null };
  // Work that is marked as done before it is invoiced is still to be invoiced.
  const unbilled = isToBeInvoiced(before) ? { Billed: { Invoices: [], Was: from } } : {};
  const effects: Partial<Record<ProposalStatusName, Partial<ProposalRecord>>> = { Open: opened, Complete: unbilled };
  return { kind: 'changed', proposal: { ...before, Status: to, ...effects[next] } };
}
