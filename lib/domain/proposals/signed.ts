import { alike } from '../alike.ts';
import type { ProposalRecord } from './record.ts';
import { isSigned, proposalStatusName } from './status.ts';

/** What may change of a proposal once it is signed, and what follows from others. */
const FREE: ReadonlySet<string> = new Set<keyof ProposalRecord>([
  'ProposalNotes',
  'OwnerUserId',
  'CustomFields',
  'Status',
  'OpenedAt',
  'ExpiresAt',
  'AccountingClass',
  'ChangeOrders',
  'BundledProposals',
  'Updated',
  'V',
]);

/** What the fields of a record are called in requests, where that is otherwise. */
const CALLED: Readonly<Record<string, string>> = {
  Lines: 'ProposalLines',
  AskedQuantity: 'Quantity',
  Options: 'SelectedSolution',
};

/**
 * Why a signed proposal is not changed in what was signed, in a sentence that says what to do; `undefined` when nothing
 * of that changes.
 */
export function fixedRefusal(before: ProposalRecord, after: ProposalRecord): string | undefined {
  if (!isSigned(before.Status)) return undefined;
  const all = Object.keys(after) as (keyof ProposalRecord)[];
  const changed = all.filter((name) => !FREE.has(name) && !alike(before[name], after[name]));
  if (!changed.length) return undefined;
  const named = changed.filter((name) => name !== 'Book').map((name) => CALLED[name] ?? name);
  const names = named.sort().join(', ') || 'what it is priced by';
  return (
    `Proposal ${before.Id} is ${proposalStatusName(before.Status)}, so ${names} cannot change. ` +
    `Make a change order: a new proposal with ChangeOrderForProposalId ${before.Id}.`
  );
}
