import { add, subtract } from '../../shared/money.ts';
import type { ProposalRecord } from '../proposals/record.ts';
import { ProposalStatus, mayBecome } from '../proposals/status.ts';
import type { InvoiceRecord } from './record.ts';

/** What an invoice has changed of a proposal, kept with the invoice, so that voiding it takes that back. */
export interface InvoicedProposal {
  readonly Id: number;
  /** Whether it bills what the proposal sold. */
  readonly Bills: boolean;
  /** What of its deposit the invoice takes off. */
  readonly Credited: number;
}

/** The invoice with its effects, as far as proposals are concerned. */
type Effective = Pick<InvoiceRecord, 'Id' | 'Proposals'>;

const effectIn = ({ Proposals = [] }: Effective, { Id }: ProposalRecord) =>
  Proposals.find((effect) => effect.Id === Id);

/** What an invoice changes of a proposal; `bills`: it is of what the proposal sold. `undefined` where that is nothing. */
export const proposalEffect = (
  { Id }: ProposalRecord,
  { bills, credited }: { readonly bills: boolean; readonly credited: number },
): InvoicedProposal | undefined => (bills || credited ? { Id, Bills: bills, Credited: credited } : undefined);

/** The proposal billed by an invoice too: Invoiced, where it can become that; what it was before is kept for the voiding. */
function billedBy(proposal: ProposalRecord, invoiceId: number): ProposalRecord {
  const { Status, Billed: { Invoices, Was } = { Invoices: [], Was: null } } = proposal;
  const becomes = mayBecome(Status, ProposalStatus.Invoiced);
  if (Invoices.includes(invoiceId) && !becomes) return proposal;
  return {
    ...proposal,
    Billed: { Invoices: [...new Set([...Invoices, invoiceId])], Was: becomes ? Status : Was },
    Status: becomes ? ProposalStatus.Invoiced : Status,
  };
}

/** The proposal with what an invoice changes of it. */
export function markInvoiced(proposal: ProposalRecord, invoice: Effective): ProposalRecord {
  const effect = effectIn(invoice, proposal);
  if (!effect) return proposal;
  const billed = effect.Bills ? billedBy(proposal, invoice.Id) : proposal;
  if (!effect.Credited) return billed;
  return { ...billed, DepositCredited: add(proposal.DepositCredited ?? 0, effect.Credited) };
}

/**
 * The proposal once an invoice is voided: its deposit is to be credited again, and where no other invoice bills it, it
 * is what it was before the first of them. One that is Complete by then stays so.
 */
export function unmarkInvoiced(proposal: ProposalRecord, invoice: Effective): ProposalRecord {
  const effect = effectIn(invoice, proposal);
  if (!effect) return proposal;
  const { Status, DepositCredited = 0, Billed: { Invoices, Was } = { Invoices: [], Was: null } } = proposal;
  const others = Invoices.filter((id) => id !== invoice.Id);
  const isBack = others.length === 0 && Was !== null && Status === ProposalStatus.Invoiced;
  return {
    ...proposal,
    ...(effect.Bills
      ? { Billed: { Invoices: others, Was: others.length ? Was : null }, Status: isBack ? Was : Status }
      : {}),
    ...(effect.Credited ? { DepositCredited: Math.max(0, subtract(DepositCredited, effect.Credited)) } : {}),
  };
}
