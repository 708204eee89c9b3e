import { add } from '../decimals.ts';
import type { LinkedProposal, ProposalRecord } from './record.ts';
import { isSigned } from './status.ts';

/** `1,340.00` */
const amount = (value: number): string => value.toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

type Family = Pick<ProposalRecord, 'Subtotal' | 'Tax' | 'ChangeOrders' | 'BundledProposals'>;

/**
 * What a proposal comes to with those that belong to it: its signed change orders and its bundled proposals, in words;
 * `""` where none belongs to it.
 */
export function familySentence({ Subtotal, Tax, ChangeOrders, BundledProposals }: Family): string {
  if (!ChangeOrders.length && !BundledProposals.length) return '';
  const counted: readonly LinkedProposal[] = [...ChangeOrders.filter(({ Status }) => isSigned(Status)), ...BundledProposals];
  const subtotal = add(Subtotal, ...counted.map((each) => each.Subtotal));
  const tax = add(Tax, ...counted.map((each) => each.Tax));
  const total = amount(add(subtotal, tax));
  return `With its change orders and bundled proposals: Subtotal ${amount(subtotal)}, Tax ${amount(tax)}, total ${total}.`;
}
