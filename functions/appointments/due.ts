import type { AppointmentRecord, BilledLine } from '../../lib/domain/appointments/record.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { isOneOff, isToBeInvoiced, oneOffWork } from '../../lib/domain/proposals/sold.ts';
import { isSigned, proposalStatusName } from '../../lib/domain/proposals/status.ts';
import { readProposals } from '../../lib/store/proposal-links.ts';
import { ownOf } from './named.ts';
import type { Writing } from './writing.ts';

/** What the invoice of an appointment has, and the proposals that it bills. */
export interface Due {
  /** None where all of it is invoiced already. */
  readonly lines: readonly BilledLine[];
  /** Those that become Invoiced with it. */
  readonly billed: readonly ProposalRecord[];
  /** All of which deposits are credited, those billed among them. */
  readonly involved: readonly ProposalRecord[];
  /** Why there is no invoice, or what it has not; `""` where it has all that is due. */
  readonly message: string;
}

/** Change orders that one invoice bills; a transaction takes a hundred changes, some of them three for each. */
const MOST_ORDERS = 20;

/**
 * The signed change orders of a proposal, and theirs, those still to be invoiced first; and how many more there are than
 * an invoice takes. A round for each generation there is.
 */
async function ordersOf({ table, caller }: Writing, own: ProposalRecord): Promise<{ orders: ProposalRecord[]; left: number }> {
  const found = new Map<number, ProposalRecord>();
  let parents = [own];
  let left = 0;
  while (parents.length) {
    const signed = parents.flatMap(({ ChangeOrders }) => ChangeOrders.filter(({ Id, Status }) => isSigned(Status) && Id !== own.Id && !found.has(Id)));
    const ids = signed.toSorted((one, other) => Number(isToBeInvoiced(other)) - Number(isToBeInvoiced(one)) || one.Id - other.Id).map(({ Id }) => Id);
    const room = MOST_ORDERS - found.size;
    left += Math.max(0, ids.length - room);
    parents = await readProposals(table, caller.accountId, ids.slice(0, room));
    for (const order of parents.toSorted((one, other) => one.Id - other.Id)) found.set(order.Id, order);
  }
  return { orders: [...found.values()], left };
}

/**
 * What is due for an appointment that is done. Of a sale that is no subscription: what was sold and what its signed change
 * orders sold, as far as none of it is invoiced, and what was added to this appointment. Its proposals are billed by
 * nothing else: neither by other work that was booked for them. Of any other: its own lines.
 */
export async function dueOf(writing: Writing, { Sold, BilledLines, ...links }: AppointmentRecord, proposals: readonly ProposalRecord[]): Promise<Due> {
  const own = ownOf(links, proposals);
  if (!own || !isOneOff(own)) return { lines: BilledLines, billed: own ? [own] : [], involved: proposals, message: '' };
  if (Sold?.ProposalId !== own.Id) return { lines: BilledLines, billed: [], involved: [], message: '' };
  const { orders, left } = await ordersOf(writing, own);
  const billed = [own, ...orders].filter((proposal) => isToBeInvoiced(proposal) && isOneOff(proposal));
  const ofOrders = billed.flatMap((proposal) => (proposal === own ? [] : (oneOffWork(proposal)?.BilledLines ?? [])));
  const added = BilledLines.slice(Sold.BilledLines);
  const lines = [...(billed.includes(own) ? BilledLines.slice(0, Sold.BilledLines) : []), ...ofOrders, ...added];
  const none = `Completed without an invoice: what was sold has been invoiced, proposal ${own.Id} is ${proposalStatusName(own.Status)}.`;
  const more = left ? `An invoice takes ${MOST_ORDERS} change orders: ${left} more of proposal ${own.Id} are not in this one.` : '';
  return {
    lines,
    billed,
    involved: [...new Map([...proposals, ...orders].map((proposal) => [proposal.Id, proposal])).values()],
    message: lines.length ? more : none,
  };
}
