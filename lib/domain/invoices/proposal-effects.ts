import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { InvoiceRecord, InvoicedProposal } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { mayBecome } from '../proposals/record.ts';
import type { Credit } from './completion.ts';

type InvoiceEffects = Pick<InvoiceRecord, 'Id' | 'Proposals'>;

const findEffect = ({ Proposals = [] }: InvoiceEffects, { Id }: ProposalRecord) =>
  Proposals.find((effect) => effect.Id === Id);

/** The effect of an invoice on a proposal, `undefined` for none; `bills` means that it bills what the proposal sold. */
export function proposalEffect(
  { Id }: ProposalRecord,
  { bills, credit }: { readonly bills: boolean; readonly credit: Credit | undefined },
): InvoicedProposal | undefined {
  if (!bills && !credit) return undefined;
  const credited = credit ? { Credited: credit.amount, CreditLineId: credit.lineId } : { Credited: 0 };
  return { Id, Bills: bills, ...credited };
}

/** Records on the invoice that it bills a proposal. */
export function withBilledProposal(invoice: InvoiceRecord, proposal: ProposalRecord): InvoiceRecord {
  const others = invoice.Proposals?.filter(({ Id }) => Id !== proposal.Id) ?? [];
  const effect = findEffect(invoice, proposal) ?? { Id: proposal.Id, Credited: 0 };
  return { ...invoice, Proposals: [...others, { ...effect, Bills: true }] };
}

/**
 * Records on the proposal that an invoice bills it: it becomes Invoiced if its status allows that. Its former status is
 * kept for voiding.
 */
export function billProposal(proposal: ProposalRecord, invoiceId: number): ProposalRecord {
  const { Status, Billed: { Invoices, Was } = { Invoices: [], Was: null } } = proposal;
  const becomesInvoiced = mayBecome(Status, ProposalStatus.Invoiced);
  if (Invoices.includes(invoiceId) && !becomesInvoiced) return proposal;
  return {
    ...proposal,
    Billed: { Invoices: [...new Set([...Invoices, invoiceId])], Was: becomesInvoiced ? Status : Was },
    Status: becomesInvoiced ? ProposalStatus.Invoiced : Status,
  };
}

/** Applies the effect of a new invoice to the proposal. */
export function markInvoiced(proposal: ProposalRecord, invoice: InvoiceEffects): ProposalRecord {
  const effect = findEffect(invoice, proposal);
  if (!effect) return proposal;
  const billed = effect.Bills ? billProposal(proposal, invoice.Id) : proposal;
  if (!effect.Credited) return billed;
  const credit = { InvoiceId: invoice.Id, Amount: effect.Credited };
  return { ...billed, DepositCredits: [...(proposal.DepositCredits ?? []), credit] };
}

/**
 * Reverts the effect of a voided invoice: the proposal's deposit can be credited again, and if no other invoice bills
 * it, it returns to its status before the first one. A Complete proposal stays Complete, but is to be invoiced again.
 */
export function unmarkInvoiced(proposal: ProposalRecord, invoice: InvoiceEffects): ProposalRecord {
  const effect = findEffect(invoice, proposal);
  if (!effect) return proposal;
  const { Status, DepositCredits = [], Billed: { Invoices, Was } = { Invoices: [], Was: null } } = proposal;
  const others = Invoices.filter((id) => id !== invoice.Id);
  const isReverted = others.length === 0 && Was !== null && Status === ProposalStatus.Invoiced;
  const keepsWas = others.length > 0 || Status === ProposalStatus.Complete;
  return {
    ...proposal,
    ...(effect.Bills
      ? { Billed: { Invoices: others, Was: keepsWas ? Was : null }, Status: isReverted ? Was : Status }
      : {}),
    ...(effect.Credited ? { DepositCredits: DepositCredits.filter(({ InvoiceId }) => InvoiceId !== invoice.Id) } : {}),
  };
}
