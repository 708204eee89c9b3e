import { isEqual } from '../../shared/equality.ts';
import { add, formatMoney } from '../../shared/money.ts';
import type { CountedProposal, ChildProposal, ProposalRecord } from './record.ts';
import { ProposalStatus, isSigned, proposalStatusName } from './status.ts';

/** The two ways in which a proposal belongs to another: the child's field, and where the parent lists it. */
export const PARENT_FIELDS = [
  { field: 'ChangeOrderForProposalId', list: 'ChangeOrders' },
  { field: 'BundleWithProposalId', list: 'BundledProposals' },
] as const;
export type ParentField = (typeof PARENT_FIELDS)[number]['field'];

/** A proposal as its parent lists it. */
export function toChildProposal(proposal: ProposalRecord): ChildProposal {
  const { Id, ServiceId, ServiceName, Date, Status, Subtotal, Tax } = proposal;
  const Below = countedDescendants(proposal);
  return { Id, ServiceId, ServiceName, Date, Status, Subtotal, Tax, ...(Below.length ? { Below } : {}) };
}

/** The proposals it belongs to, by id. */
export const parentIds = (proposal: Pick<ProposalRecord, ParentField> | undefined): number[] =>
  PARENT_FIELDS.flatMap(({ field }) => proposal?.[field] ?? []);

/** Whether a parent is to be told of a change. */
export const changesParents = (before: ProposalRecord | undefined, after: ProposalRecord): boolean =>
  !before || !isEqual(toChildProposal(before), toChildProposal(after)) || !isEqual(parentIds(before), parentIds(after));

/** A parent that lists a proposal as it is now: where it belongs to it, and else no more. */
export function withChild(parent: ProposalRecord, child: ProposalRecord): ProposalRecord {
  const lists = PARENT_FIELDS.map(({ field, list }) => {
    const others = parent[list].filter(({ Id }) => Id !== child.Id);
    const place = parent[list].findIndex(({ Id }) => Id === child.Id);
    const told = child[field] === parent.Id ? [toChildProposal(child)] : [];
    return [list, place < 0 ? [...others, ...told] : others.toSpliced(place, 0, ...told)];
  });
  return { ...parent, ...(Object.fromEntries(lists) as Pick<ProposalRecord, 'ChangeOrders' | 'BundledProposals'>) };
}

/** Why a proposal cannot belong to another: `fault` is 400, `refused` 409. */
interface LinkRefusal {
  readonly kind: 'fault' | 'refused';
  readonly message: string;
}

const fault = (message: string): LinkRefusal => ({ kind: 'fault', message });
const refused = (message: string): LinkRefusal => ({ kind: 'refused', message });

/** Why a proposal cannot belong to the one of an id; `undefined` when it can. */
export function parentError(
  field: ParentField,
  child: Pick<ProposalRecord, 'Id' | 'ContactId'>,
  parent: ProposalRecord | undefined,
  id: number,
): LinkRefusal | undefined {
  if (!parent) return fault(`names no proposal: there is no ${id}`);
  if (parent.Id === child.Id) return fault('must be another proposal');
  if (parent.ContactId !== child.ContactId)
    return fault(`must be a proposal of contact ${child.ContactId}: ${id} is that of another`);
  const status = proposalStatusName(parent.Status);
  if (field === 'ChangeOrderForProposalId' && !isSigned(parent.Status))
    return refused(`Proposal ${id} is ${status}, not signed: change it itself instead of with a change order.`);
  if (field === 'BundleWithProposalId' && isSigned(parent.Status))
    return refused(`Proposal ${id} is ${status}: what is signed is not bundled with more; make a change order for it.`);
  return undefined;
}

type Family = Pick<ProposalRecord, 'Subtotal' | 'Tax' | 'ChangeOrders' | 'BundledProposals'>;

/** Declined or run out, it is sold with the others no more. */
const isOff = ({ Status }: ChildProposal): boolean =>
  Status === ProposalStatus.Declined || Status === ProposalStatus.Expired;

/**
 * All that belongs to a proposal and counts in what it comes to, each once, however it belongs to it: signed change
 * orders, bundled proposals but for those declined or expired, and of these in turn the same.
 */
export function countedDescendants({
  ChangeOrders,
  BundledProposals,
}: Pick<Family, 'ChangeOrders' | 'BundledProposals'>): CountedProposal[] {
  const signed = ChangeOrders.filter(({ Status }) => isSigned(Status));
  const own = [...signed, ...BundledProposals.filter((each) => !isOff(each))];
  const all = own.flatMap(({ Id, Subtotal, Tax, Below = [] }) => [{ Id, Subtotal, Tax }, ...Below]);
  return [...new Map(all.map((each) => [each.Id, each])).values()];
}

/** What a proposal comes to with all that belongs to it and counts, in words; `""` where none belongs to it. */
export function describeFamily(family: Family): string {
  if (!family.ChangeOrders.length && !family.BundledProposals.length) return '';
  const counted = countedDescendants(family);
  const subtotal = add(family.Subtotal, ...counted.map((each) => each.Subtotal));
  const tax = add(family.Tax, ...counted.map((each) => each.Tax));
  const [net, taxed, total] = [subtotal, tax, add(subtotal, tax)].map(formatMoney);
  return `With its change orders and bundled proposals: Subtotal ${net}, Tax ${taxed}, total ${total}.`;
}
