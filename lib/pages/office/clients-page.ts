import type { Contact } from '../../entities/contacts.ts';
import { type Content, type Html, html } from '../html.ts';
import { type OfficeFrame, officePage } from './frame.ts';
import type { OfficeWording } from './wording.ts';

/** A contact as a line: `Ann Lee, 12 Oak Street, Richmond, (804) 555-0143`. */
export function clientLine({ Id, Name, Company, Address1, City, Phone, Email }: Contact): Html {
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

/** The field for name, phone, e-mail, street or number of an invoice. */
const searchForm = (wording: OfficeWording, asked: string, isFirst = false): Html =>
  html`<form class="search" method="get" action="/office/clients" role="search">
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
  readonly hasMore: boolean;
}

export function clientsPage(frame: OfficeFrame, { asked, found, hasMore }: ClientsView): string {
  const { wording } = frame;
  const results: Content =
    found &&
    (found.length
      ? html`<section>
          ${clientList(found)} ${hasMore && html`<p class="hint">${wording.say('moreClients')}</p>`}
        </section>`
      : html`<p role="status">${wording.say('noClient', { asked })}</p>`);
  return officePage(frame, {
    title: wording.say('clients'),
    place: '/office/clients',
    content: [searchForm(wording, asked, true), results],
  });
}
