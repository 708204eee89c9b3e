import { add, subtract } from '../../shared/money.ts';
import type { ProposalRecord } from '../proposals/record.ts';
import { ProposalStatus, mayBecome } from '../proposals/status.ts';
import type { InvoiceRecord, InvoicedProposal } from './record.ts';

type InvoiceEffects = Pick<InvoiceRecord, 'Id' | 'Proposals'>;

const findEffect = ({ Proposals = [] }: InvoiceEffects, { Id }: ProposalRecord) =>
  Proposals.find((effect) => effect.Id === Id);

/**
 * What an invoice changes of a proposal, `undefined` for nothing; `bills` means that it bills what the proposal sold.
 */
export const proposalEffect = (
  { Id }: ProposalRecord,
  { bills, credited }: { readonly bills: boolean; readonly credited: number },
): InvoicedProposal | undefined => (bills || credited ? { Id, Bills: bills, Credited: credited } : undefined);

/** The invoice, noting that it bills a proposal. */
export function withBilledProposal(invoice: InvoiceRecord, proposal: ProposalRecord): InvoiceRecord {
  const others = invoice.Proposals?.filter(({ Id }) => Id !== proposal.Id) ?? [];
  const Credited = findEffect(invoice, proposal)?.Credited ?? 0;
  return { ...invoice, Proposals: [...others, { Id: proposal.Id, Bills: true, Credited }] };
}

/**
 * The proposal, billed by an invoice as well: Invoiced if its status allows that. Its status before is kept for
 * voiding.
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

/** The proposal with the effect of a new invoice. */
export function markInvoiced(proposal: ProposalRecord, invoice: InvoiceEffects): ProposalRecord {
  const effect = findEffect(invoice, proposal);
  if (!effect) return proposal;
  const billed = effect.Bills ? billProposal(proposal, invoice.Id) : proposal;
  if (!effect.Credited) return billed;
  return { ...billed, DepositCredited: add(proposal.DepositCredited ?? 0, effect.Credited) };
}

/**
 * The proposal without the effect of a voided invoice: its deposit can be credited again, and if no other invoice bills
 * it, it has the status from before the first of them. A Complete proposal stays Complete.
 */
export function unmarkInvoiced(proposal: ProposalRecord, invoice: InvoiceEffects): ProposalRecord {
  const effect = findEffect(invoice, proposal);
  if (!effect) return proposal;
  const { Status, DepositCredited = 0, Billed: { Invoices, Was } = { Invoices: [], Was: null } } = proposal;
  const others = Invoices.filter((id) => id !== invoice.Id);
  const isReverted = others.length === 0 && Was !== null && Status === ProposalStatus.Invoiced;
  return {
    ...proposal,
    ...(effect.Bills
      ? { Billed: { Invoices: others, Was: others.length ? Was : null }, Status: isReverted ? Was : Status }
      : {}),
    ...(effect.Credited ? { DepositCredited: Math.max(0, subtract(DepositCredited, effect.Credited)) } : {}),
  };
}
