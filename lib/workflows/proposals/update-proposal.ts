import { signedFieldError } from '../../domain/proposals/acceptance.ts';
import { applyProposalInput } from '../../domain/proposals/apply-input.ts';
import { changeProposalStatus } from '../../domain/proposals/change-status.ts';
import { openingError } from '../../domain/proposals/choose-options.ts';
import type { ProposalInput } from '../../domain/proposals/input.ts';
import { inputCountErrors, isSameProposal } from '../../domain/proposals/price.ts';
import { isSigned } from '../../domain/proposals/record.ts';
import { collectErrors, conflict, invalid, orNotFound } from '../../shared/failure.ts';
import { findProposalSettings } from '../../store/accounts/accounts.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import { isMeant } from '../../store/contacts/contacts.ts';
import {
  type ProposalResult,
  finalize,
  loadCheckedParents,
  loadProposalContext,
  storeProposal,
  toProposalAnswer,
} from './proposal-context.ts';

/**
 * Updates a proposal: applies the request, prices it again if its prices may change, and changes its status. Without a
 * change it stores nothing. Throws notFound for the proposal or service, invalid with all errors, and conflict for a
 * change of a signed part, a parent's status, or a status that cannot follow.
 */
export async function updateProposal(
  { Id, ContactId, ...input }: ProposalInput & { readonly Id: number },
  context: WriteContext,
): Promise<ProposalResult> {
  const { store, now } = context;
  const tooMany = inputCountErrors(input);
  if (tooMany.length) throw invalid(...tooMany);
  const before = orNotFound(await findProposal(store, Id), 'proposal', 'Id', Id);
  const [proposalContext, { ExpireAfterDays }] = await Promise.all([
    loadProposalContext(context, before, input),
    findProposalSettings(store),
  ]);
  const { contact, references } = proposalContext;

  const applied = applyProposalInput(before, input, references);
  const parents = await loadCheckedParents(context, before, input, proposalContext.parents);
  const isOtherContact = ContactId ? !(await isMeant(store, ContactId, before.ContactId)) : false;
  const contactErrors = collectErrors(['ContactId', isOtherContact && `must stay ${before.ContactId}`, 'fixed']);
  const update = {
    ...applied,
    proposal: { ...applied.proposal, ...parents.references },
    errors: [...contactErrors, ...parents.errors, ...applied.errors],
  };

  const signed = isSigned(before.Status);
  if (signed && update.errors.length) throw invalid(...update.errors);
  const fixed = signedFieldError(before, update.proposal);
  if (fixed !== undefined) throw conflict('fixed_value', fixed);
  const proposal = signed ? update.proposal : await finalize(context, before, update, references.definitions);
  if (parents.conflict) throw conflict(parents.conflict.code, parents.conflict.message);

  const status = changeProposalStatus(proposal, input.Status, { now: now.getTime(), expireAfterDays: ExpireAfterDays });
  if (status.kind !== 'changed') throw conflict('wrong_state', status.message);
  const after = status.proposal;
  if (isSameProposal(before, after))
    return { answer: await toProposalAnswer(context, before, contact, references.definitions), changes: [] };
  // A proposal that was already open with this error stays open, so that its notes can still be changed.
  const unopened = collectErrors(['Status', openingError(after, references.definitions), 'limit']);
  if (unopened.length && openingError(before, references.definitions) === undefined) throw invalid(...unopened);
  return storeProposal(context, { before, after }, proposalContext, parents.guarded);
}
