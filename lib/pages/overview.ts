import { type Company, type Frame, inLanguage, page } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import { dueDayText } from './invoice.ts';
import type { Wording } from './language.ts';
import { columns } from './layout.ts';
import { type Titled, proposalTitle } from './proposal-page.ts';
import { type VisitState, visitStateName, visitTimes } from './visit-page.ts';

/** Each record links to its own page. Moments are milliseconds since 1970. */
interface Linked {
  readonly link: string;
}

/** Everything between a contact and a company: upcoming visits, open matters, and documents. */
export interface OverviewView {
  readonly company: Company;
  readonly contactName: string;
  /** The zone of the visits. */
  readonly zone: string;
  readonly visits: readonly (Linked & {
    readonly start: number;
    /** Minutes. */
    readonly duration: number;
    /** The end of the arrival window that begins at `start`; `null` for an exact time. */
    readonly arrivalThrough: number | null;
    readonly service: string;
    readonly state: VisitState;
  })[];
  readonly proposals: readonly (Linked & {
    readonly title: Titled;
    /** `null` while an option is still to be chosen. */
    readonly total: number | null;
    readonly zone: string;
    readonly expiresAt: number | null;
  })[];
  readonly invoices: readonly (Linked & {
    readonly number: string;
    readonly balance: number;
    /** `YYYY-MM-DD`; `null` if nothing is due, or its Terms state no days. */
    readonly dueDate: string | null;
    readonly isOverdue: boolean;
  })[];
  /** Signed proposals and paid invoices, newest first. */
  readonly papers: readonly (Linked & {
    readonly of: { readonly invoice: string } | { readonly proposal: Titled };
    readonly at: number;
    readonly zone: string;
    readonly total: number;
  })[];
  /** What the contact has paid beyond its invoices. */
  readonly credit: number;
  readonly preferences: string;
  /** The pages on which the contact books a visit and saves a card; `""` if the company does not offer that. */
  readonly booking: string;
  readonly card: string;
}

/** A row: a link, more about it, and its amount or state. */
const row = (title: Html, more: Content, value: Content): Html =>
  html`<div>
    <dt>${title}${more && html`<small>${more}</small>`}</dt>
    <dd>${value}</dd>
  </div>`;

const list = (title: string, rows: readonly Html[]): Content =>
  rows.length > 0 &&
  html`<section>
    <h2>${title}</h2>
    <dl class="totals">${rows}</dl>
  </section>`;

const linkTo = (frame: Frame, link: string, title: string): Html =>
  html`<a href="${inLanguage({ ...frame, path: link })}">${title}</a>`;

function visitRow(
  frame: Frame,
  zone: string,
  { link, service, state, ...visit }: OverviewView['visits'][number],
): Html {
  const { wording } = frame;
  const when = html`${wording.fullDate(visit.start, zone)}<br />${visitTimes(wording, zone, visit)}`;
  return row(linkTo(frame, link, service || wording.text('visit')), when, visitStateName(wording, state));
}

function proposalRow(frame: Frame, { link, title, total, zone, expiresAt }: OverviewView['proposals'][number]): Html {
  const { wording } = frame;
  return row(
    linkTo(frame, link, proposalTitle(wording, title)),
    expiresAt !== null && wording.text('validUntil', { date: wording.date(expiresAt, zone) }),
    total === null ? wording.text('chooseOne') : wording.money(total),
  );
}

function invoiceRow(
  frame: Frame,
  { link, number, balance, dueDate, isOverdue }: OverviewView['invoices'][number],
): Html {
  const { wording } = frame;
  const due = dueDate !== null && dueDayText(wording, dueDate, isOverdue);
  return row(
    linkTo(frame, link, wording.text('invoiceNumber', { number })),
    due && isOverdue ? html`<span class="error">${due}</span>` : due,
    wording.money(balance),
  );
}

const paperTitle = (wording: Wording, of: OverviewView['papers'][number]['of']): string =>
  'invoice' in of ? wording.text('invoiceNumber', { number: of.invoice }) : proposalTitle(wording, of.proposal);

function paperRow(frame: Frame, { link, of, at, zone, total }: OverviewView['papers'][number]): Html {
  const { wording } = frame;
  const title = paperTitle(wording, of);
  const date = { date: wording.date(at, zone) };
  const pdf = inLanguage({ ...frame, path: link }, '/pdf');
  return row(
    linkTo(frame, link, title),
    html`${wording.text('invoice' in of ? 'paidOn' : 'acceptedOn', date)} ·
      <a href="${pdf}" aria-label="${wording.text('savedPdf')}: ${title}">${wording.text('savedPdf')}</a>`,
    wording.money(total),
  );
}

/** The page with everything between a contact and the company. */
export function overviewPage(frame: Frame, view: OverviewView): string {
  const { wording } = frame;
  const { company, contactName, zone, visits, proposals, invoices, papers, credit, preferences, booking, card } = view;
  const isIdle = !visits.length && !proposals.length && !invoices.length;
  return page(frame, company, {
    title: wording.text('overview'),
    content: [
      contactName && html`<p class="for">${wording.text('proposalFor', { name: contactName })}</p>`,
      columns({
        first: 'about',
        about: [
          credit > 0 &&
            html`<section>
              <p class="due"><small>${wording.text('credit')}</small> ${wording.money(credit)}</p>
            </section>`,
          isIdle && html`<section><p>${wording.text('nothingAhead')}</p></section>`,
          list(
            wording.text('openInvoices'),
            invoices.map((each) => invoiceRow(frame, each)),
          ),
          list(
            wording.text('openProposals'),
            proposals.map((each) => proposalRow(frame, each)),
          ),
          list(
            wording.text('comingVisits'),
            visits.map((each) => visitRow(frame, zone, each)),
          ),
        ],
        beside: [
          booking &&
            html`<p class="links">
              <a class="button" href="${inLanguage({ ...frame, path: booking })}">${wording.text('booking')}</a>
            </p>`,
          card &&
            html`<section>
              <h2>${wording.text('cardOnFile')}</h2>
              <p>${linkTo(frame, card, wording.text('changeCard'))}</p>
            </section>`,
          list(
            wording.text('papers'),
            papers.map((each) => paperRow(frame, each)),
          ),
          html`<section>
            <h2>${wording.text('preferences')}</h2>
            <p>${linkTo(frame, preferences, wording.text('changePreferences'))}</p>
          </section>`,
        ],
      }),
    ],
  });
}
