import { add } from '../decimals.ts';
import { moneyText } from '../money-text.ts';
import type { CountedProposal, LinkedProposal, ProposalRecord } from './record.ts';
import { isSigned, ProposalStatus } from './status.ts';

type Family = Pick<ProposalRecord, 'Subtotal' | 'Tax' | 'ChangeOrders' | 'BundledProposals'>;

/** Declined or run out, it is sold with the others no more. */
const isOff = ({ Status }: LinkedProposal): boolean =>
  Status === ProposalStatus.Declined || Status === ProposalStatus.Expired;

/**
 * All that belongs to a proposal and counts in what it comes to, each once, however it belongs to it: signed change
 * orders, bundled proposals but for those declined or expired, and of these in turn the same.
 */
export function countedBelow({
  ChangeOrders,
  BundledProposals,
}: Pick<Family, 'ChangeOrders' | 'BundledProposals'>): CountedProposal[] {
  const signed = ChangeOrders.filter(({ Status }) => isSigned(Status));
  const own = [...signed, ...BundledProposals.filter((each) => !isOff(each))];
  const all = own.flatMap(({ Id, Subtotal, Tax, Below = [] }) => [{ Id, Subtotal, Tax }, ...Below]);
  return [...new Map(all.map((each) => [each.Id, each])).values()];
}

/** What a proposal comes to with all that belongs to it and counts, in words; `""` where none belongs to it. */
export function familySentence(family: Family): string {
  if (!family.ChangeOrders.length && !family.BundledProposals.length) return '';
  const counted = countedBelow(family);
  const subtotal = add(family.Subtotal, ...counted.map((each) => each.Subtotal));
  const tax = add(family.Tax, ...counted.map((each) => each.Tax));
  const [net, taxed, total] = [subtotal, tax, add(subtotal, tax)].map(moneyText);
  return `With its change orders and bundled proposals: Subtotal ${net}, Tax ${taxed}, total ${total}.`;
}
