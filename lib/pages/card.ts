import { type Company, type Frame, type Notice, form, page } from './frame.ts';
import { html } from './html.ts';
import { contactLine } from './layout.ts';
import { testNotice } from './payment.ts';

export interface CardView {
  readonly company: Company;
  readonly contactName: string;
  /** The current card; `expires` is `2029-04`, or `""` if unknown. */
  readonly card: { readonly kind: string; readonly last4: string; readonly expires: string } | undefined;
  readonly canSave: boolean;
  readonly isTest: boolean;
}

/** The page on which a client saves a card for later payments. */
export function cardPage(
  frame: Frame,
  { company, contactName, card, canSave, isTest }: CardView,
  notice?: Notice,
): string {
  const { wording } = frame;
  const expires = card?.expires
    ? wording.text('cardExpires', { date: card.expires.replace(/^(\d{4})-(\d\d)$/, '$2/$1') })
    : '';
  const removeButton = html`<button class="quiet">${wording.text('removeCard')}</button>`;
  return page(frame, company, {
    title: wording.text('cardOnFile'),
    notices: [notice, canSave && isTest && testNotice(wording)],
    content: [
      contactName && html`<p class="for">${wording.text('proposalFor', { name: contactName })}</p>`,
      html`<section>
        <p>
          ${
            card
              ? html`<strong>${wording.text('cardEnding', { kind: card.kind, last4: card.last4 })}</strong> ${expires}`
              : wording.text('noCard')
          }
        </p>
        ${
          canSave
            ? form(frame, 'save-card', [
                html`<p class="hint">${wording.text('saveCardText', { company: company.name })}</p>`,
                html`<button>${wording.text(card ? 'replaceCard' : 'saveCard')}</button>`,
              ])
            : contactLine(wording, company)
        }
        ${card && html`<div class="plain">${form(frame, 'remove-card', removeButton)}</div>`}
      </section>`,
    ],
  });
}
