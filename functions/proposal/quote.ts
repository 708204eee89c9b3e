import { conflict, faulty } from '../../lib/api/failure.ts';
import { operation } from '../../lib/api/operation.ts';
import { toLocalDate } from '../../lib/domain/moments-out.ts';
import { blankProposal } from '../../lib/domain/proposals/blank.ts';
import { chooseDates, withChosen } from '../../lib/domain/proposals/chosen-dates.ts';
import { moveProposal } from '../../lib/domain/proposals/moves.ts';
import { optionsSentence } from '../../lib/domain/proposals/option-totals.ts';
import { quoteProposal } from '../../lib/domain/proposals/quote.ts';
import { proposalOf } from '../../lib/domain/proposals/view.ts';
import { subscriptionDatesOf } from '../../lib/domain/proposals/visit-view.ts';
import { scheduleOf } from '../../lib/domain/proposals/visits.ts';
import { described, flag, id, required, text } from '../../lib/resources/fields.ts';
import { Proposal } from '../../lib/resources/proposals.ts';
import { many, nested } from '../../lib/resources/resource.ts';
import { SubscriptionDate } from '../../lib/resources/subscriptions.ts';
import { showContacts } from '../../lib/store/contact-view.ts';
import { drawQuote, quotedLinks } from './quoted.ts';

export const quote = operation({
  name: 'proposal/quote',
  summary: 'What a service with lines and options would cost a contact, and when a subscription would be done; nothing is stored.',
  description:
    'Of ServiceId, ServiceName or ProposalTemplateId; where several say it, also in Proposal, they must agree. Proposal takes what proposal/create does, laid over service or ' +
    'template: lines (by Id those of the template as they were answered, the others new), options, Quantity, DepositRate, NamedTaxRate, CustomFields. Priced by the same rules as ' +
    'create, from a service and template up to 30 seconds old. In the answer Id is 0, ClientUrl empty, and lines, options and visits count from 1; it can be sent to create. Message ' +
    'tells what each option alone comes to. ReturnProposal, or neither flag: the proposal. ReturnDates: the visits of a subscription, which add up to it; a SelectedDate in ' +
    'ScheduleDates, by the visit’s Id, must be its date or one of its AlternateDates, and changes no price.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({
    ContactId: required(id()),
    ServiceId: id(),
    ServiceName: text(200),
    ProposalTemplateId: id(),
    ReturnDates: described(flag(), 'Answers the visits of a subscription in ScheduleDates.'),
    ReturnProposal: described(flag(), 'Answers the proposal, as does neither flag.'),
    ScheduleDates: described(many(SubscriptionDate), 'The days chosen for visits: Id and SelectedDate.'),
    Proposal: described(nested(Proposal), 'What is to be said otherwise than service or template say it.'),
  }),
  response: () => ({ ScheduleDates: many(SubscriptionDate), Proposal: nested(Proposal) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    ContactId: 1, ServiceId: 1,
    Proposal: { Quantity: 12, DepositRate: 10, SelectedSolution: { Name: 'Better' }, ProposalLines: ['Good', 'Better', 'Best'].map((Name, index) => ({ Part: { Id: 1 }, Quantity: index + 1, ProposalOption: { Name } })) },
  },
  async run({ Proposal: said, ScheduleDates, ReturnDates, ReturnProposal, ...named }, context) {
    const { table, caller, now, baseUrl } = context;
    const { ServiceId: _, ServiceName: __, ...given } = said ?? {};
    const { contact, organization, template, parents, around } = await drawQuote(context, named, said ?? {});
    const { Id: OrganizationId, Timezone: Zone } = organization;
    const at = now.getTime();
    const blank = blankProposal({ Id: 0, OrganizationId, ContactId: contact.Id, HashKey: '', Zone, Date: toLocalDate(at, Zone), Created: at });
    const moved = moveProposal(blank, given.Status, { now: at, expireAfterDays: 0 });
    if (moved.kind === 'refused') throw conflict(moved.message);
    const { links, refusals } = quotedLinks(blank, given, parents);
    const refused = refusals.find(({ kind }) => kind === 'refused');
    const begun = moved.kind === 'moved' ? { ...moved.proposal, ...links } : blank;
    const quoted = quoteProposal(begun, { template, given }, around);
    const faults = [
      ...(moved.kind === 'fault' ? [{ field: 'Proposal.Status', message: moved.message }] : []),
      ...refusals.flatMap(({ kind, field, message }) => (kind === 'fault' ? [{ field: `Proposal.${field}`, message }] : [])),
      ...(quoted.kind === 'faults' ? quoted.faults.map((fault) => (fault.field === 'ProposalTemplateId' ? fault : { ...fault, field: `Proposal.${fault.field}` })) : []),
    ];
    if (quoted.kind === 'faults' || faults.length) throw faulty(faults);
    if (refused) throw conflict(refused.message);
    const { proposal, options } = quoted;

    const visits = ReturnDates || ScheduleDates?.length ? scheduleOf(proposal) : [];
    const chosen = chooseDates(visits, ScheduleDates ?? [], Zone);
    if (chosen.faults.length) throw faulty(chosen.faults);
    const dates = ReturnDates ? withChosen(subscriptionDatesOf(proposal, visits, caller), chosen, { zone: Zone, dateStyle: caller.dateStyle }) : [];
    const undated = ReturnDates && !visits.length ? `${proposal.ServiceName} is no subscription: it has no dates.` : '';
    const isShown = ReturnProposal || !ReturnDates;
    const [Contact = null] = isShown ? await showContacts(table, [contact], { accountId: caller.accountId, baseUrl, now }) : [];
    const shown = () => ({ ...proposalOf(proposal, { baseUrl, now: at, contact: Contact, definitions: around.definitions }), ClientUrl: '' });
    return {
      ScheduleDates: dates,
      Proposal: isShown ? shown() : null,
      Message: [optionsSentence(proposal.Options, options), undated].filter(Boolean).join(' '),
    };
  },
});
