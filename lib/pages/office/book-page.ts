import type { Contact } from '../../entities/contacts.ts';
import { type Notice, field } from '../frame.ts';
import { type Content, html } from '../html.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';
import { options } from './controls.ts';
import { type FreeTime, timeChoices } from './free-times.ts';
import { clientLine } from './clients-page.ts';

export interface BookView {
  readonly contact: Contact;
  readonly zone: string;
  readonly services: readonly { readonly Id: number; readonly Name: string }[];
  /** What is searched for: a service, how much of it, from a day on; no service before the first choice. */
  readonly wanted: { readonly serviceId: number; readonly quantity: string; readonly from: string };
  readonly found?:
    | { readonly times: readonly FreeTime[]; readonly why: string; readonly price: number | null }
    | undefined;
}

function searchForm(frame: OfficeFrame, { services, wanted }: BookView): Content {
  const { wording, path } = frame;
  return html`<form class="search" method="get" action="${path}">
    ${field(
      'service',
      wording.say('service'),
      (attributes) =>
        html`<select ${attributes} required>
          <option value="">${wording.say('choose')}</option>
          ${options(
            services.map(({ Id, Name }) => [String(Id), Name]),
            String(wanted.serviceId),
          )}
        </select>`,
    )}
    ${field(
      'quantity',
      wording.say('quantity'),
      (attributes) => html`<input ${attributes} type="text" inputmode="decimal" value="${wanted.quantity}" />`,
    )}
    ${field(
      'from',
      wording.say('from'),
      (attributes) => html`<input ${attributes} type="date" value="${wanted.from}" required />`,
    )}
    <button>${wording.say('search')}</button>
  </form>`;
}

/** A new visit of a client: the service, then a free time. */
export function bookPage(frame: OfficeFrame, view: BookView, notices: readonly (Notice | undefined)[] = []): string {
  const { wording } = frame;
  const { contact, wanted, found, zone } = view;
  return officePage(frame, {
    title: wording.say('newVisit'),
    place: '/office/clients',
    notices,
    content: [
      html`<p>${clientLine(contact)}</p>`,
      searchForm(frame, view),
      found &&
        officeForm(frame, 'book', [
          hidden('service', wanted.serviceId),
          hidden('quantity', wanted.quantity),
          hidden('from', wanted.from),
          found.price !== null && html`<p class="lead">${wording.say('price')}: ${wording.money(found.price)}</p>`,
          timeChoices(wording, found, zone),
          found.times.length > 0 && [
            field(
              'note',
              wording.say('notes'),
              (attributes) => html`<textarea ${attributes} rows="2" maxlength="1000"></textarea>`,
            ),
            html`<button>${wording.say('book')}</button>`,
          ],
        ]),
    ],
  });
}
