import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { ChildProposal } from '../../entities/proposal-parts.ts';
import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import type { CountedProposal, ProposalRecord } from '../../entities/proposals.ts';
import { isEqual } from '../../shared/objects.ts';
import type { FieldError } from '../../shared/failure.ts';
import { add, formatMoney } from '../../shared/money.ts';
import { LIST_LIMITS, describeLimit } from '../list-limits.ts';
import { isSigned, isToBeInvoiced, proposalStatusName } from './record.ts';

/** The two ways in which a proposal can belong to another: the child's field, and the parent's list of children. */
export const PARENT_FIELDS = [
  { field: 'ChangeOrderForProposalId', list: 'ChangeOrders' },
  { field: 'BundleWithProposalId', list: 'BundledProposals' },
] as const;
export type ParentField = (typeof PARENT_FIELDS)[number]['field'];
export type ParentReferences = Pick<ProposalRecord, ParentField>;

/** A proposal as listed by its parent. */
export function toChildProposal(proposal: ProposalRecord): ChildProposal {
  const { Id, ServiceId, ServiceName, Date, Status, Subtotal, Tax } = proposal;
  const Below = countedDescendants(proposal);
  const isUnbilled = Status === ProposalStatus.Complete && isToBeInvoiced(proposal);
  const entry = { Id, ServiceId, ServiceName, Date, Status, Subtotal, Tax };
  return { ...entry, ...(isUnbilled ? { Unbilled: true } : {}), ...(Below.length ? { Below } : {}) };
}

export const parentIds = (proposal: ParentReferences | undefined): number[] =>
  PARENT_FIELDS.flatMap(({ field }) => proposal?.[field] ?? []);

/** Whether a change of a proposal affects the lists of its parents. */
export const changesParents = (before: ProposalRecord | undefined, after: ProposalRecord): boolean =>
  !before || !isEqual(toChildProposal(before), toChildProposal(after)) || !isEqual(parentIds(before), parentIds(after));

/** The parent with its lists updated for one child: replaced at its index, appended if new, or removed. */
export function withChild(parent: ProposalRecord, child: ProposalRecord): ProposalRecord {
  const lists = PARENT_FIELDS.map(({ field, list }) => {
    const others = parent[list].filter(({ Id }) => Id !== child.Id);
    const index = parent[list].findIndex(({ Id }) => Id === child.Id);
    const entry = child[field] === parent.Id ? [toChildProposal(child)] : [];
    return [list, index < 0 ? [...others, ...entry] : others.toSpliced(index, 0, ...entry)];
  });
  return { ...parent, ...(Object.fromEntries(lists) as Pick<ProposalRecord, 'ChangeOrders' | 'BundledProposals'>) };
}

/** Why a proposal cannot belong to another: an invalid field, or a conflict with the parent's status. */
type ParentError =
  | { readonly kind: 'invalid'; readonly code: FieldErrorCode; readonly message: string }
  | ({ readonly kind: 'conflict' } & ParentConflict);

interface ParentConflict {
  readonly code: 'wrong_state' | 'limit_reached';
  readonly message: string;
}

/** Why a proposal cannot belong to the proposal `id`; `undefined` if it can. */
export function parentError(
  field: ParentField,
  child: Pick<ProposalRecord, 'Id' | 'ContactId'>,
  parent: ProposalRecord | undefined,
  id: number,
): ParentError | undefined {
  const invalid = (code: FieldErrorCode, message: string): ParentError => ({ kind: 'invalid', code, message });
  const conflict = (message: string, code: ParentConflict['code'] = 'wrong_state'): ParentError => ({
    kind: 'conflict',
    code,
    message,
  });
  if (!parent) return invalid('not_found', `must be an existing proposal; ${id} is not`);
  if (parent.Id === child.Id) return invalid('mismatch', 'must be another proposal');
  if (parent.ContactId !== child.ContactId)
    return invalid('mismatch', `must be a proposal of contact ${child.ContactId}; ${id} belongs to another contact`);
  const status = proposalStatusName(parent.Status);
  if (field === 'ChangeOrderForProposalId' && !isSigned(parent.Status))
    return conflict(`Proposal ${id} is ${status}, not signed. Update it instead of making a change order.`);
  if (field === 'BundleWithProposalId' && isSigned(parent.Status))
    return conflict(`Proposal ${id} is ${status}. A signed proposal takes no bundles; make a change order for it.`);
  const children = field === 'ChangeOrderForProposalId' ? parent.ChangeOrders : parent.BundledProposals;
  if (children.length >= LIST_LIMITS.childProposals.entries && !children.some(({ Id }) => Id === child.Id)) {
    const limit = describeLimit(LIST_LIMITS.childProposals);
    return conflict(
      `Proposal ${id} has as many change orders or bundles as it may have: ${limit} of each.`,
      'limit_reached',
    );
  }
  return undefined;
}

/** The parents of a proposal after a request. */
export interface ResolvedParents {
  readonly references: ParentReferences;
  /** The valid parents that are new. */
  readonly newParents: readonly number[];
  readonly errors: readonly FieldError[];
  /** A conflict with a parent's status, reported if there are no errors. */
  readonly conflict: ParentConflict | undefined;
}

/** Applies the requested parents to a proposal. `parents` has all existing ones, current and requested. */
export function resolveParents(
  before: Pick<ProposalRecord, 'Id' | 'ContactId' | 'OrganizationId' | ParentField>,
  input: Partial<Record<ParentField, number | null | undefined>>,
  parents: readonly ProposalRecord[],
): ResolvedParents {
  const { ChangeOrderForProposalId, BundleWithProposalId } = before;
  const references = { ChangeOrderForProposalId, BundleWithProposalId };
  const newParents: number[] = [];
  const errors: FieldError[] = [];
  let conflict: ParentConflict | undefined;
  for (const { field } of PARENT_FIELDS) {
    const id = input[field];
    if (id === undefined || id === before[field]) continue;
    references[field] = id;
    if (id === null) continue;
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === before.OrganizationId);
    const error = parentError(field, before, parent, id);
    if (error?.kind === 'invalid') errors.push({ field, code: error.code, message: error.message });
    else if (error) conflict ??= error;
    else newParents.push(id);
  }
  return { references, newParents, errors, conflict };
}

type Family = Pick<ProposalRecord, 'Subtotal' | 'Tax' | 'ChangeOrders' | 'BundledProposals'>;

const isLost = ({ Status }: ChildProposal): boolean =>
  Status === ProposalStatus.Declined || Status === ProposalStatus.Expired;

/**
 * The descendants that count towards a proposal's total, each once: signed change orders, bundled proposals that are
 * neither declined nor expired, and theirs in turn.
 */
function countedDescendants({
  ChangeOrders,
  BundledProposals,
}: Pick<Family, 'ChangeOrders' | 'BundledProposals'>): CountedProposal[] {
  const signed = ChangeOrders.filter(({ Status }) => isSigned(Status));
  const children = [...signed, ...BundledProposals.filter((child) => !isLost(child))];
  const all = children.flatMap(({ Id, Subtotal, Tax, Below = [] }) => [{ Id, Subtotal, Tax }, ...Below]);
  return [...new Map(all.map((proposal) => [proposal.Id, proposal])).values()];
}

/** The total of a proposal with its change orders and bundled proposals, in words; `""` if it has neither. */
export function describeFamily(family: Family): string {
  if (!family.ChangeOrders.length && !family.BundledProposals.length) return '';
  const counted = countedDescendants(family);
  const subtotal = add(family.Subtotal, ...counted.map(({ Subtotal }) => Subtotal));
  const tax = add(family.Tax, ...counted.map(({ Tax }) => Tax));
  return (
    `With its change orders and bundled proposals: Subtotal ${formatMoney(subtotal)}, Tax ${formatMoney(tax)}, ` +
    `total ${formatMoney(add(subtotal, tax))}.`
  );
}
