import { add } from '../decimals.ts';
import type { LinkedProposal, ProposalRecord } from './record.ts';
import { isSigned, ProposalStatus } from './status.ts';

/** `1,340.00` */
const amount = (value: number): string => value.toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

type Family = Pick<ProposalRecord, 'Subtotal' | 'Tax' | 'ChangeOrders' | 'BundledProposals'>;

/** Declined or run out, it is sold with the others no more. */
const isOff = ({ Status }: LinkedProposal): boolean =>
  Status === ProposalStatus.Declined || Status === ProposalStatus.Expired;

/**
 * What a proposal comes to with those that belong to it: its signed change orders, and its bundled proposals but for
 * those declined or expired, in words; `""` where none belongs to it.
 */
export function familySentence({ Subtotal, Tax, ChangeOrders, BundledProposals }: Family): string {
  if (!ChangeOrders.length && !BundledProposals.length) return '';
  const signed = ChangeOrders.filter(({ Status }) => isSigned(Status));
  const counted: readonly LinkedProposal[] = [...signed, ...BundledProposals.filter((each) => !isOff(each))];
  const subtotal = add(Subtotal, ...counted.map((each) => each.Subtotal));
  const tax = add(Tax, ...counted.map((each) => each.Tax));
  const total = amount(add(subtotal, tax));
  return `With its change orders and bundled proposals: Subtotal ${amount(subtotal)}, Tax ${amount(tax)}, total ${total}.`;
}
