import type { AppointmentRecord, BilledLine } from '../../lib/domain/appointments/record.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { isOneOff, isToBeInvoiced, oneOffWork } from '../../lib/domain/proposals/sold.ts';
import { isSigned, proposalStatusName } from '../../lib/domain/proposals/status.ts';
import { readProposals } from '../../lib/store/proposal-links.ts';
import { ownOf } from './named.ts';
import type { Writing } from './writing.ts';

/** What the invoice of an appointment has, and the proposals that it bills. */
export interface Due {
  /** None where all of it is invoiced already; then `message` says so. */
  readonly lines: readonly BilledLine[];
  /** Those that become Invoiced with it. */
  readonly billed: readonly ProposalRecord[];
  /** All of which deposits are credited, those billed among them. */
  readonly involved: readonly ProposalRecord[];
  readonly message: string;
}

/** Change orders that one invoice bills; a transaction takes a hundred changes, some of them three for each. */
const MOST_ORDERS = 20;

/** The signed change orders of a proposal, and theirs: a round for each generation there is. */
async function ordersOf({ table, caller }: Writing, own: ProposalRecord): Promise<ProposalRecord[]> {
  const found = new Map<number, ProposalRecord>();
  let parents = [own];
  while (parents.length) {
    const listed = parents.flatMap(({ ChangeOrders }) => ChangeOrders.filter(({ Status }) => isSigned(Status)).map(({ Id }) => Id));
    const ids = listed.filter((id) => id !== own.Id && !found.has(id)).slice(0, MOST_ORDERS - found.size);
    parents = await readProposals(table, caller.accountId, ids);
    for (const order of parents.toSorted((one, other) => one.Id - other.Id)) found.set(order.Id, order);
  }
  return [...found.values()];
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
  const orders = await ordersOf(writing, own);
  const billed = [own, ...orders].filter((proposal) => isToBeInvoiced(proposal) && isOneOff(proposal));
  const ofOrders = billed.flatMap((proposal) => (proposal === own ? [] : (oneOffWork(proposal)?.BilledLines ?? [])));
  const added = BilledLines.slice(Sold.BilledLines);
  const message = `Completed without an invoice: what was sold has been invoiced, proposal ${own.Id} is ${proposalStatusName(own.Status)}.`;
  return {
    lines: [...(billed.includes(own) ? BilledLines.slice(0, Sold.BilledLines) : []), ...ofOrders, ...added],
    billed,
    involved: [...new Map([...proposals, ...orders].map((proposal) => [proposal.Id, proposal])).values()],
    message,
  };
}
