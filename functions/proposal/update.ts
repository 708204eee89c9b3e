import { conflict, faulty, notFound } from '../../lib/api/failure.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { tellProposal } from '../../lib/domain/proposals/merge.ts';
import { moveProposal } from '../../lib/domain/proposals/moves.ts';
import { isSameProposal } from '../../lib/domain/proposals/settle.ts';
import { fixedRefusal } from '../../lib/domain/proposals/signed.ts';
import { isSigned } from '../../lib/domain/proposals/status.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { proposalSettings } from '../../lib/store/accounts.ts';
import { findProposal } from '../../lib/store/proposals.ts';
import { answerOf, stored } from './answered.ts';
import { contactOf, drawnOn, homeOf, settled, surroundingsOf } from './drawn.ts';
import { proposalAnswer, proposalFields } from './fields.ts';
import { linked, parentsOf } from './linked.ts';

export const update = operation({
  name: 'proposal/update',
  summary: 'Changes a proposal: an absent field stays as it is, null clears it.',
  description:
    'Lines by Id; those without are new, those not named stay, and Quantity 0 takes one away with its items. Options by Id, else by Name; notes by Id. What was quoted ' +
    'stays quoted: only a part that is new to the proposal, another service or another tax rate is read from today’s price book. A Quantity or UnitPrice sent back as it was answered leaves ' +
    'what was asked for, so that sending back what details answered changes nothing. Status moves along its table (409 otherwise); Accepted comes by proposal/accept only. ' +
    'Of a signed proposal only ProposalNotes, OwnerUserId, CustomFields and Status change: anything else is 409, and a change order is made instead.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ ...proposalFields(), Id: required(id()) }),
  response: proposalAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { Id: 1, Title: 'Windows, front and back', ProposalNotes: [{ Note: 'Call before coming.' }] },
  async run({ Id, ContactId, ...request }, context) {
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
    const { links, checks } = await linked(context, before, request, parents);
    const whole = { ...told, proposal: { ...told.proposal, ...links }, faults: [...moved, ...told.faults] };
    if (isSigned(before.Status) && whole.faults.length) throw faulty(whole.faults);
    const refusal = fixedRefusal(before, whole.proposal);
    if (refusal !== undefined) throw conflict(refusal);
    const priced = isSigned(before.Status) ? whole.proposal : await settled(context, before, whole, definitions);
    const status = moveProposal(priced, request.Status, { now: now.getTime(), expireAfterDays: settings.ExpireAfterDays });
    if (status.kind !== 'moved') throw conflict(status.message);
    if (isSameProposal(before, status.proposal)) return save([], await answerOf(context, before, contact, definitions));
    return stored(context, { before, after: status.proposal, checks, parents }, { contact, definitions });
  },
});
