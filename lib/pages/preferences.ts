import { type Company, type Frame, type Notice, form, page } from './frame.ts';
import { html } from './html.ts';
import type { Wording } from './language.ts';

export interface PreferencesView {
  readonly company: Company;
  readonly contactName: string;
  readonly noEmail: boolean;
  readonly noText: boolean;
  readonly noMarketing: boolean;
}

const box = (wording: Wording, name: 'noEmail' | 'noText' | 'noMarketing', isChecked: boolean) =>
  html`<p>
    <label
      ><input type="checkbox" name="${name}" value="1" ${isChecked && html` checked`} /> ${wording.text(name)}</label
    >
  </p>`;

/** The page on which a contact says how the company may write. */
export function preferencesPage(
  frame: Frame,
  { company, contactName, noEmail, noText, noMarketing }: PreferencesView,
  notice?: Notice,
): string {
  const { wording } = frame;
  return page(frame, company, {
    title: wording.text('preferences'),
    notices: [notice],
    content: [
      contactName && html`<p class="facts">${wording.text('preferencesFor', { name: contactName })}</p>`,
      form(frame, 'preferences', [
        box(wording, 'noEmail', noEmail),
        box(wording, 'noText', noText),
        box(wording, 'noMarketing', noMarketing),
        html`<button>${wording.text('save')}</button>`,
      ]),
    ],
  });
}
