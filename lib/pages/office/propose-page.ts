import type { Contact } from '../../entities/contacts.ts';
import type { Proposal } from '../../entities/proposals.ts';
import { type Notice, field } from '../frame.ts';
import { type Content, html } from '../html.ts';
import { clientLine } from './clients-page.ts';
import { options } from './controls.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';

export interface ProposeView {
  readonly contact: Contact;
  readonly templates: readonly { readonly Id: number; readonly Name: string }[];
  /** 0 before one is chosen. */
  readonly templateId: number;
  /** What the template costs this client. */
  readonly quote?: Proposal | undefined;
  /** The total with each option alone, in words; empty without options. */
  readonly optionTotals: string;
}

function quoted(frame: OfficeFrame, { templateId, optionTotals }: ProposeView, quote: Proposal): Content {
  const { wording } = frame;
  const [subtotal, tax] = [quote.Subtotal ?? 0, quote.Tax ?? 0];
  return html`<section>
    <h2>${quote.Title || quote.ServiceName}</h2>
    <p class="lead">
      ${wording.say('price')}: ${wording.money(subtotal + tax)}
      ${tax > 0 && html`<small>${wording.say('ofItTax', { tax: wording.money(tax) })}</small>`}
    </p>
    ${optionTotals && html`<p lang="en">${optionTotals}</p>`}
    <ul class="list">
      ${quote.ProposalLines.map(
        ({ Part, Quantity, ProposalOption }) =>
          html`<li>
            ${Part?.Name} × ${wording.quantity(Quantity ?? 1)}
            ${ProposalOption?.Name && html`<small>${ProposalOption.Name}</small>`}
          </li>`,
      )}
    </ul>
    ${officeForm(frame, 'propose', [
      hidden('template', templateId),
      html`<button>${wording.say('createProposal')}</button>`,
    ])}
  </section>`;
}

/** A proposal for a client from a template: the template, then what it costs this client. */
export function proposePage(
  frame: OfficeFrame,
  view: ProposeView,
  notices: readonly (Notice | undefined)[] = [],
): string {
  const { wording, path } = frame;
  const { contact, templates, templateId, quote } = view;
  return officePage(frame, {
    title: wording.say('newProposal'),
    place: '/office/clients',
    notices,
    content: [
      html`<p>${clientLine(contact)}</p>`,
      templates.length
        ? html`<form class="search" method="get" action="${path}">
            ${field(
              'template',
              wording.say('template'),
              (attributes) =>
                html`<select ${attributes} required>
                  <option value="">${wording.say('choose')}</option>
                  ${options(
                    templates.map(({ Id, Name }) => [String(Id), Name]),
                    String(templateId),
                  )}
                </select>`,
            )}
            <button class="${quote ? 'quiet' : ''}">${wording.say('showPrice')}</button>
          </form>`
        : html`<p>${wording.say('noTemplates')}</p>`,
      quote && quoted(frame, view, quote),
    ],
  });
}
