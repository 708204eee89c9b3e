import { conflict, faulty } from '../../lib/api/failure.ts';
import type { RequestOf } from '../../lib/api/operation.ts';
import type { Fault } from '../../lib/domain/faults.ts';
import { toLocalDate } from '../../lib/domain/moments-out.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import { blankProposal } from '../../lib/domain/proposals/blank.ts';
import { wholeBook } from '../../lib/domain/proposals/book.ts';
import { chooseDates, withChosen } from '../../lib/domain/proposals/chosen-dates.ts';
import { moveProposal } from '../../lib/domain/proposals/moves.ts';
import { optionsSentence } from '../../lib/domain/proposals/option-totals.ts';
import { quoteProposal } from '../../lib/domain/proposals/quote.ts';
import { prorationSentence } from '../../lib/domain/proposals/proration.ts';
import { proposalOf } from '../../lib/domain/proposals/view.ts';
import { subscriptionDatesOf } from '../../lib/domain/proposals/visit-view.ts';
import { scheduleOf } from '../../lib/domain/proposals/visits.ts';
import { showContacts } from '../../lib/store/contact-view.ts';
import type { quoteFields } from './quote.ts';
import { drawQuote, quotedLinks, type Quoting } from './quoted.ts';

/** Faults by the paths of the request. */
const inProposal = (faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => (fault.field === 'ProposalTemplateId' ? fault : { ...fault, field: `Proposal.${fault.field}` }));

type Request = RequestOf<ReturnType<typeof quoteFields>>;

/** A proposal of nothing yet, as of today. */
const blankOf = ({ now }: Quoting, { Id: OrganizationId, Timezone: Zone }: OrganizationRecord, contactId: number) =>
  blankProposal({
    Id: 0, OrganizationId, ContactId: contactId, HashKey: '', Zone,
    Date: toLocalDate(now.getTime(), Zone), Created: now.getTime(),
  });

/**
 * Quotes: what a request names is read, the proposal told and priced as one that is made, its visits dated; and nothing
 * is written.
 */
export async function answerQuote(request: Request, context: Quoting) {
  const { Proposal: said, ScheduleDates, ReturnDates, ReturnProposal, ...named } = request;
  const { table, caller, now, baseUrl } = context;
  const { ServiceId: _, ServiceName: __, ...given } = said ?? {};
  const { contact, organization, template, parents, around } = await drawQuote(context, named, said ?? {});
  const { Timezone: zone } = organization;
  const at = now.getTime();
  const blank = blankOf(context, organization, contact.Id);
  const moved = moveProposal(blank, given.Status, { now: at, expireAfterDays: 0 });
  if (moved.kind === 'refused') throw conflict(moved.message);
  const { links, refusals } = quotedLinks(blank, given, parents);
  const refused = refusals.find(({ kind }) => kind === 'refused');
  const begun = moved.kind === 'moved' ? { ...moved.proposal, ...links } : blank;
  const quoted = quoteProposal(begun, { template, given }, around);
  const faults = [
    ...(moved.kind === 'fault' ? [{ field: 'Proposal.Status', message: moved.message }] : []),
    ...inProposal(refusals.filter(({ kind }) => kind === 'fault')),
    ...(quoted.kind === 'faults' ? inProposal(quoted.faults) : []),
  ];
  if (quoted.kind === 'faults' || faults.length) throw faulty(faults);
  if (refused) throw conflict(refused.message);
  const { proposal, options } = quoted;

  const visits = ReturnDates || ScheduleDates?.length ? scheduleOf(proposal) : [];
  const chosen = chooseDates(visits, ScheduleDates ?? [], zone);
  if (chosen.faults.length) throw faulty(chosen.faults);
  const { accountId, dateStyle } = caller;
  const dates = withChosen(subscriptionDatesOf(proposal, visits, { dateStyle }), chosen, { zone, dateStyle });
  const { Book, Date: date, Quantity } = proposal;
  const prorated = prorationSentence(wholeBook(Book).service, Quantity, { date, zone });
  const undated = ReturnDates && !visits.length ? `${proposal.ServiceName} is no subscription: it has no dates.` : '';
  const isShown = ReturnProposal || !ReturnDates;
  const [Contact = null] = isShown ? await showContacts(table, [contact], { accountId, baseUrl, now }) : [];
  const view = { baseUrl, now: at, contact: Contact, definitions: around.definitions };
  return {
    ScheduleDates: ReturnDates ? dates : [],
    Proposal: isShown ? { ...proposalOf(proposal, view), ClientUrl: '' } : null,
    Message: [optionsSentence(proposal.Options, options), prorated, undated].filter(Boolean).join(' '),
  };
}
