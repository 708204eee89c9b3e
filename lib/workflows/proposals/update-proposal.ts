import { type RequestOf, save } from '../../api/operation.ts';
import { signedFieldError } from '../../domain/proposals/acceptance.ts';
import { applyProposalInput } from '../../domain/proposals/apply-input.ts';
import { isSameProposal } from '../../domain/proposals/price.ts';
import { isSigned } from '../../domain/proposals/status.ts';
import { changeProposalStatus } from '../../domain/proposals/transitions.ts';
import type { changedProposalFields } from '../../resources/proposal-fields.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { findProposalSettings } from '../../store/accounts.ts';
import { findProposal } from '../../store/proposals.ts';
import { loadContact } from '../contacts/load-contact.ts';
import {
  type WriteContext,
  loadReferences,
  loadProposalContext,
  loadLinkedProposals,
  loadParents,
  finalize,
  proposalReferences,
} from './proposal-context.ts';
import { toProposalAnswer, savedProposal } from './save-proposal.ts';

type Request = RequestOf<ReturnType<typeof changedProposalFields>>;

/** Changes a proposal as a request says; what changes nothing stores nothing. */
export async function updateProposal({ Id, ContactId, ...request }: Request, context: WriteContext) {
  const { table, caller, now } = context;
  const before = await findProposal(table, caller, Id);
  if (!before) throw notFound('proposal', 'Id', Id);
  const [contact, drawn, home, parents, settings] = await Promise.all([
    loadContact(context, before.ContactId),
    loadReferences(context, before, request),
    loadProposalContext(context, before.OrganizationId, request, before),
    loadParents(context, before, request),
    findProposalSettings(table, caller.accountId, now),
  ]);
  const { definitions } = drawn;
  const told = applyProposalInput(before, request, proposalReferences(context, drawn, home, contact));
  const other = { field: 'ContactId', message: `must stay ${before.ContactId}: a proposal is for one contact` };
  const ofContact = ContactId && ContactId !== before.ContactId ? [other] : [];
  const { links, held, errors: ofLinks, refusal } = await loadLinkedProposals(context, before, request, parents);
  const errors = [...ofContact, ...ofLinks, ...told.errors];
  const whole = { ...told, proposal: { ...told.proposal, ...links }, errors };
  if (isSigned(before.Status) && errors.length) throw invalid(...errors);
  const fixed = signedFieldError(before, whole.proposal);
  if (fixed !== undefined) throw conflict(fixed);
  const priced = isSigned(before.Status) ? whole.proposal : await finalize(context, before, whole, definitions);
  if (refusal !== undefined) throw conflict(refusal);
  const moving = { now: now.getTime(), expireAfterDays: settings.ExpireAfterDays };
  const moved = changeProposalStatus(priced, request.Status, moving);
  if (moved.kind !== 'moved') throw conflict(moved.message);
  if (isSameProposal(before, moved.proposal))
    return save([], await toProposalAnswer(context, before, contact, definitions));
  return savedProposal(context, { before, after: moved.proposal, held, parents }, { contact, definitions });
}
