import { save } from '../../api/operation.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { describeFamily } from '../../domain/proposals/family.ts';
import { type ProposalRecord, expandBook } from '../../domain/proposals/record.ts';
import { proposalToResource } from '../../domain/proposals/to-resource.ts';
import { describeProration } from '../../domain/subscriptions/proration.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contact-summary.ts';
import { proposalWithParentChanges } from '../../store/proposals.ts';
import { loadContactResources } from '../contacts/load-contact-resources.ts';
import type { WriteContext } from './proposal-context.ts';

/** The contact as it stands after the change. */
const standingNow = (contact: ContactRecord, { proposals = {} }: ContactSummary): ContactRecord => {
  const all = Object.entries({ ...contact.OpenProposals, ...proposals });
  const open = all.flatMap(([id, entry]) => (entry ? [[id, entry] as const] : []));
  return { ...contact, OpenProposals: Object.fromEntries(open) };
};

/** The whole proposal, as create and update answer it. */
export async function toProposalAnswer(
  { table, caller, now, baseUrl }: WriteContext,
  proposal: ProposalRecord,
  contact: ContactRecord,
  definitions: readonly CustomField[],
) {
  const [shown = null] = await loadContactResources(table, [contact], { accountId: caller.accountId, baseUrl, now });
  const { Book, Quantity, Date: date, Zone: zone } = proposal;
  const prorated = describeProration(expandBook(Book).service, Quantity, { date, zone });
  const Message = [prorated, describeFamily(proposal)].filter(Boolean).join(' ');
  return { ...proposalToResource(proposal, { baseUrl, now: now.getTime(), contact: shown, definitions }), Message };
}

/** A proposal before and after, with what was read for it. */
interface Decided {
  readonly before: ProposalRecord | undefined;
  readonly after: ProposalRecord;
  /** Those further above, which must still be as they were read. */
  readonly held: readonly ProposalRecord[];
  readonly parents: readonly ProposalRecord[];
}

/** Saves a proposal with all that follows of it for its parents and its contact, and answers with it. */
export async function savedProposal(
  context: WriteContext,
  { before, after, held, parents }: Decided,
  { contact, definitions }: { readonly contact: ContactRecord; readonly definitions: readonly CustomField[] },
) {
  const { table, caller, now } = context;
  const storing = { before, after, now, read: parents, guarded: held };
  const {
    record,
    changes,
    contactSummary: standing,
  } = await proposalWithParentChanges(table, caller.accountId, storing);
  const answer = await toProposalAnswer(context, record, standingNow(contact, standing), definitions);
  return save([...changes, ...contactSummaryChanges(caller.accountId, record.ContactId, standing, now)], answer);
}
