import type { TemplateField } from '../domain/messages/template-fields.ts';
import type { Wording } from '../pages/language.ts';
import type { MessageView, MessageVisit } from './view.ts';
import type { Words } from './words.ts';

/** The values of the named fields. */
export type FieldValues = ReadonlyMap<string, string>;

/** A person's text on one line; control characters would be signs of their own in a subject or text message. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

const oneLines = <Texts extends object>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
  ) as Texts;

/** The view with each of its texts on one line, but for the text of a task. */
export const tidyView = (view: MessageView): MessageView => ({
  ...oneLines(view),
  company: oneLines(view.company),
  visits: view.visits.map(oneLines),
  ...(view.proposal && { proposal: oneLines(view.proposal) }),
  ...(view.invoice && { invoice: oneLines(view.invoice) }),
  ...(view.payment && { payment: oneLines(view.payment) }),
  ...(view.office && { office: { title: oneLine(view.office.title), text: view.office.text.toWellFormed() } }),
});

/** `Tue, March 9, 8–10 AM`, or `Tue, March 9, 8 AM` for an exact time. */
const shortTime = (wording: Wording, zone: string, start: number, through: number | null = null): string =>
  `${wording.shortDay(start, zone)}, ${wording.shortTimes(start, through ?? start, zone)}`;

/** When a visit is, or for a canceled one when its client expects it. */
export function timesOf({ kind, zone }: MessageView, visit: MessageVisit, wording: Wording) {
  const { start, through, formerStart, formerThrough } = visit;
  const former = formerStart === undefined ? '' : shortTime(wording, zone, formerStart, formerThrough);
  const when = shortTime(wording, zone, start, through);
  return kind === 'VisitCanceled' ? { when: former || when, former: '' } : { when, former };
}

function visitValues(view: MessageView, wording: Wording): Partial<Record<TemplateField, string>> {
  const { zone, visits } = view;
  const [visit] = visits;
  if (!visit) return {};
  const { start, through, heldUntil, isTentative, service, agent, address, link, tipLink } = visit;
  const { when, former } = timesOf(view, visit, wording);
  return {
    'visit.when': when,
    'visit.date': wording.day(start, zone),
    'visit.time': wording.shortTimes(start, through ?? start, zone),
    'visit.former': former,
    'visit.heldUntil': typeof heldUntil === 'number' ? shortTime(wording, zone, heldUntil) : '',
    'visit.tentative': isTentative ? wording.text('visitTentative') : '',
    'visit.service': service,
    'visit.agent': agent,
    'visit.address': address,
    'visit.link': link,
    'visit.tipLink': tipLink,
    'series.count': visits.length > 1 ? String(visits.length) : '',
  };
}

function proposalValues({ proposal, zone }: MessageView, wording: Wording): Partial<Record<TemplateField, string>> {
  if (!proposal) return {};
  return {
    'proposal.title': proposal.title || wording.text('proposal'),
    'proposal.total': wording.money(proposal.total),
    'proposal.expires': proposal.expiresAt === null ? '' : wording.date(proposal.expiresAt, zone),
    'proposal.signedBy': proposal.signedBy,
    'proposal.link': proposal.link,
  };
}

function moneyValues({ invoice, payment, zone }: MessageView, wording: Wording) {
  return {
    ...(payment && {
      'payment.amount': wording.money(payment.amount),
      'payment.method': payment.method,
      'payment.date': wording.date(payment.at, zone),
    }),
    ...(invoice && {
      'invoice.number': invoice.number,
      'invoice.total': wording.money(invoice.total),
      'invoice.balance': wording.money(invoice.balance),
      'invoice.due': invoice.dueDate === null ? '' : wording.calendarDate(invoice.dueDate),
      'invoice.link': invoice.link,
    }),
  } satisfies Partial<Record<TemplateField, string>>;
}

/** What happened, for the office: its task, or what a client did with a proposal or a visit. */
function officeValues(view: MessageView, { wording, words }: Words): { readonly title: string; readonly text: string } {
  const { office, proposal, visits, contactName } = view;
  const [visit] = visits;
  if (office) return office;
  if (proposal) return { title: `${words.declined}: ${proposal.title}`, text: contactName };
  if (!visit) return { title: '', text: '' };
  const when = timesOf(view, visit, wording).when;
  return { title: `${words.booked}: ${[visit.service, when].filter(Boolean).join(', ')}`, text: contactName };
}

/** The values of the fields of a message. */
export function fieldValues(view: MessageView, words: Words): FieldValues {
  const { company, contactName, newLink = '' } = view;
  const { wording } = words;
  const office = officeValues(view, words);
  const values: Partial<Record<TemplateField, string>> = {
    'company.name': company.name,
    'company.phone': company.phone,
    'company.email': company.email,
    'company.website': company.website,
    'company.address': company.address,
    'contact.name': contactName,
    ...visitValues(view, wording),
    ...proposalValues(view, wording),
    ...moneyValues(view, wording),
    'task.title': office.title,
    'task.text': office.text,
    'link.page': newLink,
  };
  return new Map(Object.entries(values));
}
