import { declarationOf } from '../entities/message-kinds.ts';
import { visitTimes } from '../pages/visit-page.ts';
import { calendarFile } from './calendar.ts';
import { type EmailParts, emailHtml, emailText } from './email-layout.ts';
import { fieldValues, oneLine, tidyView, timesOf } from './fields.ts';
import type { EmailContent, MessageView, MessageVisit } from './view.ts';
import { type Words, writerOf, wordsOf } from './words.ts';

/** What all visits have, or `''`. */
function common(visits: readonly MessageVisit[], valueOf: (visit: MessageVisit) => string): string {
  const [first, ...others] = visits.map(valueOf);
  return first !== undefined && others.every((other) => other === first) ? first : '';
}

function visitParts(view: MessageView, { wording, words }: Words): Omit<EmailParts, 'title' | 'body'> {
  const { kind, visits, zone } = view;
  const [first] = visits;
  if (!first) return { facts: [], visits: [], button: undefined };
  const isSeries = visits.length > 1;
  // A canceled visit has no arrival, and of a finished one only the day counts.
  const fullTime = ({ start, through, duration }: MessageVisit): string => {
    const date = wording.fullDate(start, zone);
    if (kind === 'HowWasIt') return date;
    return `${date}\n${visitTimes(wording, zone, { start, duration, arrivalThrough: through })}`;
  };
  const rateable = kind === 'HowWasIt' && first.tipLink;
  const isConfirmed = kind === 'VisitConfirm' || (kind === 'Reminder' && first.isTentative);
  const { when, former } = timesOf(view, first, wording);
  return {
    facts: [
      [words.when, isSeries ? '' : kind === 'VisitCanceled' ? when : fullTime(first)],
      [words.former, isSeries ? '' : former],
      [wording.text('service'), common(visits, ({ service }) => service)],
      [words.with, common(visits, ({ agent }) => agent)],
      [wording.text('address'), common(visits, ({ address }) => address)],
    ],
    visits: isSeries
      ? visits.map((visit) => {
          const times = timesOf(view, visit, wording);
          const before = times.former && ` (${words.former.toLowerCase()}: ${times.former})`;
          return { text: `${times.when}${before}`, link: visit.link };
        })
      : [],
    button: isSeries
      ? undefined
      : {
          text: wording.text(rateable ? 'giveFeedback' : isConfirmed ? 'confirmVisit' : 'followVisit'),
          link: rateable ? first.tipLink : first.link,
        },
  };
}

function moneyParts(view: MessageView, { wording, words }: Words): Omit<EmailParts, 'title' | 'body'> {
  const { kind, invoice, payment, zone } = view;
  const asksToPay = invoice?.canPay && invoice.balance > 0;
  return {
    facts: [
      [wording.text('amount'), payment ? wording.money(payment.amount) : ''],
      [words.method, payment?.method ?? ''],
      [wording.text('date'), payment ? wording.date(payment.at, zone) : ''],
      [wording.text('invoice'), invoice?.number ?? ''],
      [wording.text('total'), invoice ? wording.money(invoice.total) : ''],
      [wording.text('balance'), invoice ? wording.money(invoice.balance) : ''],
      [
        words.due,
        invoice?.dueDate && kind !== 'Receipt' && kind !== 'Refund' ? wording.calendarDate(invoice.dueDate) : '',
      ],
    ],
    visits: [],
    button: invoice && {
      text: asksToPay ? wording.text('payAmount', { amount: wording.money(invoice.balance) }) : words.viewInvoice,
      link: invoice.link,
    },
  };
}

function proposalParts({ kind, proposal, zone }: MessageView, { wording, words }: Words) {
  if (!proposal) return { facts: [], visits: [], button: undefined };
  const isSigned = kind === 'ProposalSigned';
  return {
    facts: [
      [wording.text('proposal'), proposal.title],
      [wording.text('total'), wording.money(proposal.total)],
      [words.signedBy, isSigned ? proposal.signedBy : ''],
      [
        wording.text('validThrough'),
        proposal.expiresAt === null || isSigned ? '' : wording.date(proposal.expiresAt, zone),
      ],
    ],
    visits: [],
    button: { text: isSigned ? words.viewProposal : words.reviewProposal, link: proposal.link },
  } satisfies Omit<EmailParts, 'title' | 'body'>;
}

function partsBelow(view: MessageView, words: Words): Omit<EmailParts, 'title' | 'body'> {
  switch (declarationOf(view.kind).about) {
    case 'Appointment':
      return visitParts(view, words);
    case 'Proposal':
      return proposalParts(view, words);
    case 'Invoice':
    case 'Payment':
      return moneyParts(view, words);
    case 'Contact':
      return {
        facts: [],
        visits: [],
        button: view.newLink ? { text: words.words.openLink, link: view.newLink } : undefined,
      };
    case 'Task':
      return { facts: [], visits: [], button: undefined };
  }
}

/** Programs that answer by themselves do not (RFC 3834); a click in the mail program ends advertising (RFC 8058). */
function headersOf({ kind, unsubscribeLink }: MessageView): Readonly<Record<string, string>> {
  const automatic = { 'Auto-Submitted': 'auto-generated' };
  if (declarationOf(kind).isTransactional || !unsubscribeLink) return automatic;
  return {
    ...automatic,
    'List-Unsubscribe': `<${unsubscribeLink}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** The e-mail of a view. */
export function renderEmail(given: MessageView): EmailContent {
  const view = tidyView(given);
  const words = wordsOf(view);
  const values = fieldValues(view, words);
  const subject = oneLine(writerOf(view, 'subject')(values));
  const parts: EmailParts = { title: subject, body: writerOf(view, 'body')(values), ...partsBelow(view, words) };
  const calendar = calendarFile(view);
  return {
    subject,
    html: emailHtml(view, parts, words),
    text: emailText(view, parts, words),
    attachments: calendar ? [calendar] : [],
    headers: headersOf(view),
  };
}
