import { type Company, type Frame, type Notice, field, form, page } from './frame.ts';
import { html } from './html.ts';
import { type Language, type Wording, languages } from './language.ts';

export interface PreferencesView {
  readonly company: Company;
  readonly contactName: string;
  readonly byEmail: boolean;
  readonly byText: boolean;
  readonly withOffers: boolean;
  /** The language of messages to the contact. */
  readonly language: Language;
}

const box = (wording: Wording, name: 'byEmail' | 'byText' | 'withOffers', isChecked: boolean) =>
  html`<p>
    <label
      ><input type="checkbox" name="${name}" value="1" ${isChecked && html` checked`} /> ${wording.text(name)}</label
    >
  </p>`;

const languageField = (wording: Wording, chosen: Language) =>
  field(
    'language',
    wording.text('messageLanguage'),
    (attributes) =>
      html`<select ${attributes}>
        ${Object.entries(languages).map(
          ([language, texts]) =>
            html`<option value="${language}" lang="${language}" ${language === chosen && html` selected`}>
              ${texts.language}
            </option>`,
        )}
      </select>`,
  );

/** The page on which a contact chooses how the company may write. */
export function preferencesPage(
  frame: Frame,
  { company, contactName, byEmail, byText, withOffers, language }: PreferencesView,
  notice?: Notice,
): string {
  const { wording } = frame;
  return page(frame, company, {
    title: wording.text('preferences'),
    notices: [notice],
    content: [
      contactName && html`<p class="for">${wording.text('preferencesFor', { name: contactName })}</p>`,
      html`<p>${wording.text('preferencesText')}</p>`,
      form(frame, 'save-preferences', [
        box(wording, 'byEmail', byEmail),
        box(wording, 'byText', byText),
        box(wording, 'withOffers', withOffers),
        languageField(wording, language),
        html`<button>${wording.text('save')}</button>`,
      ]),
    ],
  });
}
