import { htmlDocument } from './document.ts';
import type { Html } from './html.ts';
import { type Content, html, webAddress } from './html.ts';
import type { Wording } from './language.ts';

/** The company whose page it is. */
export interface Company {
  readonly name: string;
  readonly address: string;
  readonly phone: string;
  readonly email: string;
  readonly website: string;
  /** `#0b5cad`; `""` for the default color of the pages. */
  readonly color: string;
  /** The path of its logo; `""` if it has none. */
  readonly logo: string;
}

/** Links at the end of a page; `""` for none. */
export interface ContactLinks {
  /** The page on which the reader chooses how to be contacted. */
  readonly preferencesLink: string;
  /** The page with everything between the contact and the company. */
  readonly overviewLink: string;
}

/** For a page whose reader need not be the contact, and for the contact's own pages. */
export const NO_CONTACT_LINKS: ContactLinks = { preferencesLink: '', overviewLink: '' };

/** What every page has around its content. */
export interface Frame extends ContactLinks {
  readonly wording: Wording;
  /** The path of the link, without the language. */
  readonly path: string;
  /** The paths of the style sheet and the script. */
  readonly assets: { readonly style: string; readonly script: string };
  /** Signs the forms of the page. */
  readonly token: string;
}

/** The style sheet for a color: the page's policy does not allow inline styles. */
const brandPath = (color: string): string => `/c/assets/brand-${color.slice(1)}.css`;

/** A message at the top of a page, announced to screen readers. */
export interface Notice {
  readonly kind: 'good' | 'bad' | 'test';
  readonly title: string;
  readonly text?: string | undefined;
}

const other = { en: 'es', es: 'en' } as const;

/** The path of a page, or of its form, in the client's language. */
export const inLanguage = ({ path, wording }: Frame, rest = ''): string => `${path}${rest}?lang=${wording.language}`;

const digits = (phone: string): string => phone.replaceAll(/[^\d+]/g, '');

export const phoneLink = (phone: string): Html => html`<a href="tel:${digits(phone)}">${phone}</a>`;

const notice = ({ kind, title, text }: Notice): Html =>
  html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">
    <h2>${title}</h2>
    ${text && html`<p>${text}</p>`}
  </div>`;

const document = ({ wording, assets }: Frame, title: string, body: Content, color = ''): string =>
  htmlDocument(
    {
      language: wording.language,
      title,
      styles: [assets.style, ...(color ? [brandPath(color)] : [])],
      script: assets.script,
      className: 'client',
    },
    body,
  );

const languageSwitch = ({ path, wording: { language, text } }: Frame): Html =>
  html`<p class="language">
    <a href="${path}?lang=${other[language]}" lang="${other[language]}"> ${text('otherLanguage')}</a>
  </p>`;

const footerLink = (address: string, text: Content): Content =>
  html`<p class="links"><a href="${address}">${text}</a></p>`;

/** A whole page. */
export function page(
  frame: Frame,
  company: Company,
  {
    title,
    notices = [],
    content,
  }: { title: string; notices?: readonly (Notice | false | undefined)[]; content: Content },
): string {
  const { wording, overviewLink, preferencesLink } = frame;
  const website = webAddress(company.website);
  const name = [company.logo && html`<img src="${company.logo}" alt="" />`, html`<span>${company.name}</span>`];
  const body = html`<a class="skip" href="#content">${wording.text('skip')}</a>
    <header>
      <p class="company">${website ? html`<a href="${website}" rel="noreferrer">${name}</a>` : name}</p>
      ${languageSwitch(frame)}
    </header>
    <main id="content">
      <h1>${title}</h1>
      <div id="notices">${notices.map((each) => each && notice(each))}</div>
      ${content}
    </main>
    <footer>
      <p>${company.name}</p>
      ${company.address && html`<p>${company.address}</p>`}
      ${company.phone && html`<p>${wording.text('contactUs')} ${phoneLink(company.phone)}</p>`}
      ${
        company.email &&
        html`<p>${wording.text('contactUsByEmail')} <a href="mailto:${company.email}">${company.email}</a></p>`
      }
      ${overviewLink && footerLink(inLanguage({ ...frame, path: overviewLink }), wording.text('allOfYours'))}
      ${preferencesLink && footerLink(preferencesLink, wording.text('preferences'))}
    </footer>`;
  return document(frame, `${title} · ${company.name}`, body, company.color);
}

/** A page that does not show whose it is. */
export const anonymousPage = (frame: Frame, title: string, content: Content): string =>
  document(
    frame,
    title,
    html`<header>${languageSwitch(frame)}</header>
      <main id="content">
        <h1>${title}</h1>
        ${content}
      </main>`,
  );

/** How a client can ask the company from the page of a dead link. */
export interface DeadLinkForm {
  /** True only if the link was ours: its signature names the company. */
  readonly mayAsk: boolean;
  readonly notice?: Notice | undefined;
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
}

const questionForm = (frame: Frame, { values = {}, errors = {} }: DeadLinkForm): Html => {
  const { wording } = frame;
  return html`<section>
    <h2>${wording.text('askTitle')}</h2>
    <p>${wording.text('askText')}</p>
    ${form(frame, 'ask', [
      field(
        'from',
        wording.text('askFrom'),
        (attributes) => html`<input ${attributes} type="text" maxlength="200" required value="${values['from']}" />`,
        errors['from'],
      ),
      field(
        'message',
        wording.text('yourMessage'),
        (attributes) =>
          html`<textarea ${attributes} rows="3" maxlength="1000" required>${values['message']}</textarea>`,
        errors['message'],
      ),
      html`<button>${wording.text('send')}</button>`,
    ])}
  </section>`;
};

/** The page for a link that opens nothing. */
export function deadPage(frame: Frame, asking: DeadLinkForm = { mayAsk: false }): string {
  const { wording } = frame;
  return anonymousPage(frame, wording.text('deadTitle'), [
    html`<div id="notices">${asking.notice && notice(asking.notice)}</div>
      <p>${wording.text('deadText')}</p>`,
    asking.mayAsk && questionForm(frame, asking),
  ]);
}

/** The page for an invoice that was voided while its client paid it. */
export const paidDeadPage = (frame: Frame): string =>
  anonymousPage(frame, frame.wording.text('paidDeadTitle'), html`<p>${frame.wording.text('paidDeadText')}</p>`);

/** A form of the page: `action` names what it does, and the token proves that the page sent it. */
export const form = (frame: Frame, action: string, content: Content): Html =>
  html`<form method="post" action="${inLanguage(frame)}">
    <input type="hidden" name="action" value="${action}" />
    <input type="hidden" name="token" value="${frame.token}" />
    ${content}
  </form>`;

/** A field with its label, and its error beside it. */
export const field = (
  name: string,
  label: string,
  control: (attributes: Html) => Content,
  error?: string | undefined,
): Html =>
  html`<div class="field${error ? ' wrong' : ''}">
    <label for="${name}">${label}</label>
    ${control(
      html`id="${name}" name="${name}"${error ? html` aria-invalid="true" aria-describedby="${name}-error"` : ''}`,
    )}
    ${error && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`;
