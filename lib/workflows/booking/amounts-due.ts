import type { ChildProposal } from '../../entities/proposal-parts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { BilledLine } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { isSigned, isToBeInvoiced, proposalStatusName } from '../../domain/proposals/record.ts';
import { isOneOff, oneOffWork } from '../../domain/proposals/sold-work.ts';
import { findProposals } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import { ownProposal } from './price.ts';

export interface AmountsDue {
  /** Empty if everything is invoiced already. */
  readonly lines: readonly BilledLine[];
  /** The proposals that become Invoiced. */
  readonly billed: readonly ProposalRecord[];
  /** The proposals whose deposits are credited, including the billed ones. */
  readonly involved: readonly ProposalRecord[];
  /** Why nothing is due, or what the invoice leaves out; `""` if it is complete. */
  readonly message: string;
}

/**
 * What is due for a completed appointment. For a sale other than a subscription: the sold work and that of signed
 * change orders, unless already invoiced, plus what was added to this appointment; other appointments of such a
 * proposal never bill it. For any other appointment: its own lines.
 */
export async function amountsDue(
  context: WriteContext,
  { Sold, BilledLines, ...links }: AppointmentRecord,
  proposals: readonly ProposalRecord[],
): Promise<AmountsDue> {
  const own = ownProposal(links, proposals);
  if (!own || !isOneOff(own)) return { lines: BilledLines, billed: own ? [own] : [], involved: proposals, message: '' };
  if (Sold?.ProposalId !== own.Id) return { lines: BilledLines, billed: [], involved: [], message: '' };
  const { orders, left } = await loadChangeOrders(context, own);
  const billed = [own, ...orders].filter((proposal) => isToBeInvoiced(proposal) && isOneOff(proposal));
  const lines = [
    ...(billed.includes(own) ? BilledLines.slice(0, Sold.BilledLines) : []),
    ...billed.flatMap((proposal) => (proposal === own ? [] : (oneOffWork(proposal)?.BilledLines ?? []))),
    ...BilledLines.slice(Sold.BilledLines),
  ];
  const rest = left
    ? `An invoice takes ${MAX_CHANGE_ORDERS} change orders: ${left} more of proposal ${own.Id} are not in this one.`
    : '';
  return {
    lines,
    billed,
    involved: [...new Map([...proposals, ...orders].map((proposal) => [proposal.Id, proposal])).values()],
    message: lines.length
      ? rest
      : `Completed without an invoice: what was sold has been invoiced, proposal ${own.Id} is ` +
        `${proposalStatusName(own.Status)}.`,
  };
}

/** Change orders that one invoice bills: a transaction takes 100 changes, and some orders need three. */
const MAX_CHANGE_ORDERS = 20;

/**
 * The signed change orders of a proposal, and in turn theirs: those still to be invoiced first, with the number that an
 * invoice leaves out. One round per generation.
 */
async function loadChangeOrders(
  { store }: WriteContext,
  own: ProposalRecord,
): Promise<{ orders: ProposalRecord[]; left: number }> {
  const found = new Map<number, ProposalRecord>();
  let parents = [own];
  let left = 0;
  while (parents.length) {
    const signed = parents.flatMap(({ ChangeOrders }) =>
      ChangeOrders.filter(({ Id, Status: status }) => isSigned(status) && Id !== own.Id && !found.has(Id)),
    );
    const rank = (child: ChildProposal) => Number(!isToBeInvoiced(child) && !child.Unbilled);
    const ids = signed.toSorted((one, other) => rank(one) - rank(other) || one.Id - other.Id).map(({ Id }) => Id);
    const room = MAX_CHANGE_ORDERS - found.size;
    left += Math.max(0, ids.length - room);
    parents = await findProposals(store, ids.slice(0, room));
    for (const order of parents.toSorted((one, other) => one.Id - other.Id)) found.set(order.Id, order);
  }
  return { orders: [...found.values()], left };
}
