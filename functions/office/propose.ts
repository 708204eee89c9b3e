import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { ProposalTemplate } from '../../lib/entities/price-book.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import { proposePage } from '../../lib/pages/office/propose-page.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { readId } from '../pages/parameters.ts';
import { findClient } from './find-client.ts';
import {
  type OfficePage,
  type UserCall,
  type UserForm,
  htmlAnswer,
  refusalIn,
  refusedNotice,
  sendChange,
} from './office-page.ts';

interface Quote {
  readonly Proposal: Proposal;
  /** The total with each option alone. */
  readonly Message: string;
}

const quoteOf = ({ call }: UserCall, ContactId: number, ProposalTemplateId: number): Promise<Quote> =>
  call<Quote>({ operation: 'proposal/quote', request: { ContactId, ProposalTemplateId } });

async function show(call: UserCall | UserForm, refused?: Failure): Promise<OfficeAnswer | undefined> {
  const { id, query, mayCall } = call;
  if (id === undefined || !mayCall('proposal/create')) return undefined;
  const templateId = readId(('sent' in call ? call.sent : query).get('template')) ?? 0;
  const [contact, { Templates }, quote] = await Promise.all([
    findClient(call, id),
    call.call<{ Templates: readonly ProposalTemplate[] }>({ operation: 'proposal/alltemplates', request: {} }),
    templateId ? quoteOf(call, id, templateId).catch(refusalIn) : undefined,
  ]);
  const isQuoted = quote && 'Proposal' in quote;
  const view = {
    contact,
    templates: Templates.filter(({ IsActive }) => IsActive),
    templateId,
    quote: isQuoted ? quote.Proposal : undefined,
    optionTotals: isQuoted ? quote.Message : '',
  };
  const failure = refused ?? (isQuoted ? undefined : quote);
  const notice = refusedNotice(call, failure);
  return htmlAnswer(proposePage(call.frame(`/office/propose/${id}`), view, [notice]), failure?.status ?? 200);
}

/** A new proposal of a client, from a template. */
export const propose: OfficePage = {
  show: (call) => show(call),
  async send(form) {
    const { id, action, sent } = form;
    const templateId = readId(sent.get('template'));
    if (action !== 'propose' || id === undefined || !templateId) return undefined;
    const quote = await quoteOf(form, id, templateId).catch(refusalIn);
    if (!('Proposal' in quote)) return show(form, quote);
    const called = { operation: 'proposal/create', request: { ...quote.Proposal, ContactId: id, Status: 'Open' } };
    return sendChange(form, `client/${id}`, { called, done: 'proposed' }, show);
  },
};
