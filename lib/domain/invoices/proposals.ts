import { add, subtract } from '../decimals.ts';
import type { ProposalRecord } from '../proposals/record.ts';
import { mayBecome, ProposalStatus } from '../proposals/status.ts';

/** What an invoice has changed of a proposal, kept with the invoice, so that voiding it takes that back. */
export interface InvoicedProposal {
  readonly Id: number;
  /** What the proposal was when the invoice made it Invoiced; `null` where it did not. */
  readonly Was: number | null;
  /** What of its deposit the invoice takes off. */
  readonly Credited: number;
}

/** What an invoice changes of a proposal; `bills`: it is of what the proposal sold. `undefined` where that is nothing. */
export function effectOn(
  { Id, Status }: ProposalRecord,
  { bills, credited }: { readonly bills: boolean; readonly credited: number },
): InvoicedProposal | undefined {
  const Was = bills && mayBecome(Status, ProposalStatus.Invoiced) ? Status : null;
  return Was === null && !credited ? undefined : { Id, Was, Credited: credited };
}

/** The proposal with what an invoice changes of it. */
export function invoiced(proposal: ProposalRecord, effects: readonly InvoicedProposal[] = []): ProposalRecord {
  const effect = effects.find(({ Id }) => Id === proposal.Id);
  if (!effect) return proposal;
  return {
    ...proposal,
    ...(effect.Was === null ? {} : { Status: ProposalStatus.Invoiced }),
    ...(effect.Credited ? { DepositCredited: add(proposal.DepositCredited ?? 0, effect.Credited) } : {}),
  };
}

/**
 * The proposal once that invoice is voided: what it was before, and its deposit to be credited again. One that is
 * Complete by then stays so.
 */
export function uninvoiced(proposal: ProposalRecord, effects: readonly InvoicedProposal[] = []): ProposalRecord {
  const effect = effects.find(({ Id }) => Id === proposal.Id);
  if (!effect) return proposal;
  const isBack = effect.Was !== null && proposal.Status === ProposalStatus.Invoiced;
  return {
    ...proposal,
    ...(isBack ? { Status: effect.Was } : {}),
    ...(effect.Credited ? { DepositCredited: Math.max(0, subtract(proposal.DepositCredited ?? 0, effect.Credited)) } : {}),
  };
}
