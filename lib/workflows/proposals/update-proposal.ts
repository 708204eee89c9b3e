import { type RequestOf, save } from '../../api/operation.ts';
import { fixedRefusal } from '../../domain/proposals/acceptance.ts';
import { tellProposal } from '../../domain/proposals/apply-input.ts';
import { isSameProposal } from '../../domain/proposals/price.ts';
import { isSigned } from '../../domain/proposals/status.ts';
import { moveProposal } from '../../domain/proposals/transitions.ts';
import type { changedProposalFields } from '../../resources/proposal-fields.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { proposalSettings } from '../../store/accounts.ts';
import { findProposal } from '../../store/proposals.ts';
import {
  type Writing,
  contactOf,
  drawnOn,
  homeOf,
  linked,
  parentsOf,
  settled,
  surroundingsOf,
} from './proposal-context.ts';
import { answerOf, saveProposal } from './save-proposal.ts';

type Request = RequestOf<ReturnType<typeof changedProposalFields>>;

/** Changes a proposal as a request says; what changes nothing stores nothing. */
export async function updateProposal({ Id, ContactId, ...request }: Request, context: Writing) {
  const { table, caller, now } = context;
  const before = await findProposal(table, caller, Id);
  if (!before) throw notFound('proposal', 'Id', Id);
  const [contact, drawn, home, parents, settings] = await Promise.all([
    contactOf(context, before.ContactId),
    drawnOn(context, before, request),
    homeOf(context, before.OrganizationId, request, before),
    parentsOf(context, before, request),
    proposalSettings(table, caller.accountId, now),
  ]);
  const { definitions } = drawn;
  const told = tellProposal(before, request, surroundingsOf(context, drawn, home, contact));
  const other = { field: 'ContactId', message: `must stay ${before.ContactId}: a proposal is for one contact` };
  const ofContact = ContactId && ContactId !== before.ContactId ? [other] : [];
  const { links, held, faults: ofLinks, refusal } = await linked(context, before, request, parents);
  const faults = [...ofContact, ...ofLinks, ...told.faults];
  const whole = { ...told, proposal: { ...told.proposal, ...links }, faults };
  if (isSigned(before.Status) && faults.length) throw invalid(...faults);
  const fixed = fixedRefusal(before, whole.proposal);
  if (fixed !== undefined) throw conflict(fixed);
  const priced = isSigned(before.Status) ? whole.proposal : await settled(context, before, whole, definitions);
  if (refusal !== undefined) throw conflict(refusal);
  const moving = { now: now.getTime(), expireAfterDays: settings.ExpireAfterDays };
  const moved = moveProposal(priced, request.Status, moving);
  if (moved.kind !== 'moved') throw conflict(moved.message);
  if (isSameProposal(before, moved.proposal)) return save([], await answerOf(context, before, contact, definitions));
  return saveProposal(context, { before, after: moved.proposal, held, parents }, { contact, definitions });
}
