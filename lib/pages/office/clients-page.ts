import type { Contact } from '../../entities/contacts.ts';
import type { Invoice } from '../../entities/invoices.ts';
import { type Content, type Html, html } from '../html.ts';
import { type OfficeFrame, officePage } from './frame.ts';
import type { OfficeWording } from './wording.ts';

type ListedClient = Pick<Contact, 'Id' | 'Name' | 'Company' | 'Address1' | 'City' | 'Phone' | 'Email'>;

/** A contact as a line: `Ann Lee, 12 Oak Street, Richmond, (804) 555-0143`. */
export function clientLine({ Id, Name, Company, Address1, City, Phone, Email }: ListedClient): Html {
  const facts = [Company && Name, [Address1, City].filter(Boolean).join(', '), Phone, Email]
    .filter(Boolean)
    .join(' · ');
  return html`<a href="/office/client/${Id}"><strong>${Company || Name}</strong></a> <small>${facts}</small>`;
}

function clientList(clients: readonly Contact[]): Html {
  return html`<ul class="list">
    ${clients.map((client) => html`<li>${clientLine(client)}</li>`)}
  </ul>`;
}

/** `Invoice 1017: Ann Lee, $120.00 due`, which opens the client. */
const invoiceLine = (wording: OfficeWording, { ContactId, Contact, Number: number, BalanceDue }: Invoice): Html =>
  html`<li>
    ${wording.say('invoice', { number })}:
    <a href="/office/client/${ContactId}">${Contact?.Company || Contact?.Name}</a>
    <small>${wording.say('balance')}: ${wording.money(BalanceDue ?? 0)}</small>
  </li>`;

/** The field for name, phone, e-mail, street or number of an invoice. */
export const searchForm = (
  wording: OfficeWording,
  { asked, action = '/office/clients', isFirst = false }: { asked: string; action?: string; isFirst?: boolean },
): Html =>
  html`<form class="search" method="get" action="${action}" role="search" data-live="results">
    <div class="field">
      <label for="q">${wording.say('findClient')}</label>
      <input
        type="search"
        id="q"
        name="q"
        value="${asked}"
        maxlength="200"
        autocomplete="off"
        aria-describedby="q-hint"
        ${isFirst && html`autofocus`}
      />
      <p class="hint" id="q-hint">${wording.say('findClientHint')}</p>
    </div>
    <button>${wording.say('search')}</button>
  </form>`;

export interface ClientsView {
  readonly asked: string;
  /** `undefined` before anything was asked. */
  readonly found?: readonly Contact[] | undefined;
  /** The invoice whose number was asked for. */
  readonly invoices?: readonly Invoice[];
  readonly hasMore: boolean;
}

/** What was found; the script of the page replaces it while somebody types. */
function searchResults(wording: OfficeWording, { asked, found, invoices = [], hasMore }: ClientsView): Content {
  if (!found) return false;
  if (!found.length && !invoices.length) return html`<p>${wording.say('noClient', { asked })}</p>`;
  return html`<section>
    ${
      invoices.length > 0 &&
      html`<ul class="list">
        ${invoices.map((invoice) => invoiceLine(wording, invoice))}
      </ul>`
    }
    ${found.length > 0 && clientList(found)} ${hasMore && html`<p class="hint">${wording.say('moreClients')}</p>`}
  </section>`;
}

export const clientsPage = (frame: OfficeFrame, view: ClientsView): string =>
  officePage(frame, {
    title: frame.wording.say('clients'),
    place: '/office/clients',
    content: [
      searchForm(frame.wording, { asked: view.asked, isFirst: true }),
      html`<div id="results" aria-live="polite">${searchResults(frame.wording, view)}</div>`,
    ],
  });
