import { type Company, phoneLink } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import type { Wording } from './language.ts';

/** The main content of a page, and what stands beside it on a wide screen. */
interface Columns {
  readonly about: Content;
  readonly beside: Content;
  /** What comes first on a phone and for screen readers. */
  readonly first: 'about' | 'beside';
}

/** Two columns on a wide screen, one on a phone. */
export function columns({ about, beside, first }: Columns): Html {
  const [main, side] = [html`<div class="about">${about}</div>`, html`<div class="beside">${beside}</div>`];
  return html`<div class="columns">${first === 'about' ? [main, side] : [side, main]}</div>`;
}

/** The key facts of a page in a few words each: the company, the client, the time. Empty values are left out. */
export const factList = (rows: readonly (readonly [label: string, value: Content])[]): Html =>
  html`<dl class="facts">
    ${rows.map(
      ([label, value]) =>
        value &&
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** How to reach the company: by phone, else by e-mail; a company with neither is only named. */
export function contactLine(
  wording: Wording,
  { name, phone, email }: Company,
  byPhone: 'contactUs' | 'callInstead' | 'payByPhone' = 'contactUs',
): Html {
  if (phone) return html`<p>${wording.text(byPhone)} ${phoneLink(phone)}</p>`;
  if (email) return html`<p>${wording.text('contactUsByEmail')} <a href="mailto:${email}">${email}</a></p>`;
  return html`<p>${wording.text('contactUsByName', { company: name })}</p>`;
}
