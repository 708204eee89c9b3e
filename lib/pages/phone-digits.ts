import type { PhoneCheck } from '../domain/phone-check.ts';
import { type Company, field } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import type { Wording } from './language.ts';
import { contactLine } from './layout.ts';

/** Asks for the last four digits of the client's phone number, if the check requires it. */
export const phoneDigits = (wording: Wording, check: PhoneCheck, error?: string): Content =>
  check === 'asked' &&
  field(
    'phone',
    wording.text('phoneDigits'),
    (attributes) =>
      html`<input
        ${attributes}
        type="text"
        inputmode="numeric"
        autocomplete="off"
        pattern="[0-9]{4}"
        maxlength="4"
        required
      />`,
    error,
  );

/** Replaces a form that asks for phone digits, if the contact has no phone number. */
export const phoneMissing = (wording: Wording, company: Company): Html =>
  html`<p class="hint">${wording.text('phoneMissing')}</p>
    ${contactLine(wording, company)}`;
