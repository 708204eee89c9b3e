import { conflict, faulty, notFound } from '../../lib/api/failure.ts';
import { save, type RequestOf } from '../../lib/api/operation.ts';
import { tellProposal } from '../../lib/domain/proposals/merge.ts';
import { moveProposal } from '../../lib/domain/proposals/moves.ts';
import { isSameProposal } from '../../lib/domain/proposals/settle.ts';
import { fixedRefusal } from '../../lib/domain/proposals/signed.ts';
import { isSigned } from '../../lib/domain/proposals/status.ts';
import { proposalSettings } from '../../lib/store/accounts.ts';
import { findProposal } from '../../lib/store/proposals.ts';
import { answerOf, stored } from './answered.ts';
import { contactOf, drawnOn, homeOf, settled, surroundingsOf, type Writing } from './drawn.ts';
import type { changedProposalFields } from './fields.ts';
import { linked, parentsOf } from './linked.ts';

/** Changes a proposal as a request says; what changes nothing stores nothing. */
export async function updating({ Id, ContactId, ...request }: RequestOf<ReturnType<typeof changedProposalFields>>, context: Writing) {
  const { table, caller, now } = context;
  const before = await findProposal(table, caller, Id);
  if (!before) throw notFound('proposal', 'Id', Id);
  const [contact, drawn, home, parents, settings] = await Promise.all([
    contactOf(context, before.ContactId), drawnOn(context, before, request), homeOf(context, before.OrganizationId, request, before),
    parentsOf(context, before, request), proposalSettings(table, caller.accountId, now),
  ]);
  const { definitions } = drawn;
  const told = tellProposal(before, request, surroundingsOf(context, drawn, home, contact));
  const moved = ContactId && ContactId !== before.ContactId ? [{ field: 'ContactId', message: `must stay ${before.ContactId}: a proposal is for one contact` }] : [];
  const { links, held, faults: ofLinks, refusal } = await linked(context, before, request, parents);
  const faults = [...moved, ...ofLinks, ...told.faults];
  const whole = { ...told, proposal: { ...told.proposal, ...links }, faults };
  if (isSigned(before.Status) && faults.length) throw faulty(faults);
  const fixed = fixedRefusal(before, whole.proposal);
  if (fixed !== undefined) throw conflict(fixed);
  const priced = isSigned(before.Status) ? whole.proposal : await settled(context, before, whole, definitions);
  if (refusal !== undefined) throw conflict(refusal);
  const status = moveProposal(priced, request.Status, { now: now.getTime(), expireAfterDays: settings.ExpireAfterDays });
  if (status.kind !== 'moved') throw conflict(status.message);
  if (isSameProposal(before, status.proposal)) return save([], await answerOf(context, before, contact, definitions));
  return stored(context, { before, after: status.proposal, held, parents }, { contact, definitions });
}
