import { save } from '../../api/operation.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { familySentence } from '../../domain/proposals/family.ts';
import { type ProposalRecord, wholeBook } from '../../domain/proposals/record.ts';
import { proposalOf } from '../../domain/proposals/to-resource.ts';
import { prorationSentence } from '../../domain/subscriptions/proration.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { type Standing, standingChanges } from '../../store/contact-summary.ts';
import { storeWithParents } from '../../store/proposal-family.ts';
import { showContacts } from '../contacts/load-contact-resources.ts';
import type { Writing } from './proposal-context.ts';

/** The contact as it stands after the change. */
const standingNow = (contact: ContactRecord, { proposals = {} }: Standing): ContactRecord => {
  const all = Object.entries({ ...contact.OpenProposals, ...proposals });
  const open = all.flatMap(([id, entry]) => (entry ? [[id, entry] as const] : []));
  return { ...contact, OpenProposals: Object.fromEntries(open) };
};

/** The whole proposal, as create and update answer it. */
export async function answerOf(
  { table, caller, now, baseUrl }: Writing,
  proposal: ProposalRecord,
  contact: ContactRecord,
  definitions: readonly CustomField[],
) {
  const [shown = null] = await showContacts(table, [contact], { accountId: caller.accountId, baseUrl, now });
  const { Book, Quantity, Date: date, Zone: zone } = proposal;
  const prorated = prorationSentence(wholeBook(Book).service, Quantity, { date, zone });
  const Message = [prorated, familySentence(proposal)].filter(Boolean).join(' ');
  return { ...proposalOf(proposal, { baseUrl, now: now.getTime(), contact: shown, definitions }), Message };
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
export async function saveProposal(
  context: Writing,
  { before, after, held, parents }: Decided,
  { contact, definitions }: { readonly contact: ContactRecord; readonly definitions: readonly CustomField[] },
) {
  const { table, caller, now } = context;
  const storing = { before, after, now, read: parents, held };
  const { thing, changes, standing } = await storeWithParents(table, caller.accountId, storing);
  const answer = await answerOf(context, thing, standingNow(contact, standing), definitions);
  return save([...changes, ...standingChanges(caller.accountId, thing.ContactId, standing, now)], answer);
}
