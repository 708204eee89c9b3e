import { htmlDocument } from '../document.ts';
import type { Notice } from '../frame.ts';
import { type Content, type Html, html } from '../html.ts';
import { OFFICE_SCRIPT } from './script.ts';
import { OFFICE_STYLE } from './style-sheet.ts';
import type { OfficeTexts } from './texts/en.ts';
import type { OfficeWording } from './wording.ts';

/** What every page of the office has around its content. */
export interface OfficeFrame {
  readonly wording: OfficeWording;
  /** The path of the page, to which its forms are sent. */
  readonly path: string;
  /** The address at which it is open, without a language. */
  readonly address: string;
  /** Proves that a form is of a page of this session. */
  readonly token: string;
  /** Random for each page that is shown: a form that is sent twice does its work once. */
  readonly submission: string;
  readonly userName: string;
  /** Whether the user may open the numbers. */
  readonly hasNumbers: boolean;
}

const other = { en: 'es', es: 'en' } as const;

/** A page without a session. */
export const openPage = (wording: OfficeWording, title: string, content: Content): string =>
  document(wording, title, [
    html`<header class="top">
      <p class="company">${wording.say('office')}</p>
      ${languageSwitch(wording)}
    </header>`,
    html`<main id="content">
      <h1>${title}</h1>
      ${content}
    </main>`,
  ]);

/** To the same page in the other language; `address` has its query already. */
const languageSwitch = ({ language, text }: OfficeWording, address = '?'): Html =>
  html`<p class="language">
    <a href="${address}lang=${other[language]}" lang="${other[language]}">${text('otherLanguage')}</a>
  </p>`;

const document = ({ language }: OfficeWording, title: string, body: Content): string =>
  htmlDocument({ language, title, styles: [OFFICE_STYLE.path], script: OFFICE_SCRIPT.path, className: 'office' }, body);

/** The pages in the order of the navigation, with the names of their texts. */
const pages: readonly (readonly [path: string, name: keyof OfficeTexts])[] = [
  ['/office', 'today'],
  ['/office/clients', 'clients'],
  ['/office/tasks', 'toDo'],
  ['/office/money', 'money'],
];
const numbersPlace = ['/office/numbers', 'numbers'] as const;

export const noticeOf = ({ kind, title, text }: Notice): Html =>
  html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">
    <h2>${title}</h2>
    ${text && html`<p>${text}</p>`}
  </div>`;

/** A whole page of a signed-in user. `place` is the page of the navigation to which it belongs. */
export function officePage(
  frame: OfficeFrame,
  {
    title,
    place,
    notices = [],
    content,
  }: {
    readonly title: string;
    readonly place: string;
    readonly notices?: readonly (Notice | false | undefined)[];
    readonly content: Content;
  },
): string {
  const { wording, userName, token } = frame;
  const entry = ([path, name]: (typeof pages)[number]): Html =>
    html`<li>
      ${
        path === place
          ? html`<a href="${path}" aria-current="page">${wording.say(name)}</a>`
          : html`<a href="${path}">${wording.say(name)}</a>`
      }
    </li>`;
  return document(wording, `${title} · ${wording.say('office')}`, [
    html`<a class="skip" href="#content">${wording.text('skip')}</a>`,
    html`<header class="top">
      <nav aria-label="${wording.say('pages')}">
        <ul>
          ${pages.map(entry)} ${frame.hasNumbers && entry(numbersPlace)}
        </ul>
      </nav>
      ${languageSwitch(wording, `${frame.address}${frame.address.includes('?') ? '&' : '?'}`)}
      <form class="bare" method="post" action="/office/sign-out">
        <input type="hidden" name="token" value="${token}" />
        <a href="/office/switch">${userName}</a> <button class="link">${wording.say('signOut')}</button>
      </form>
    </header>`,
    html`<main id="content">
      <h1>${title}</h1>
      <div id="notices">${notices.map((each) => each && noticeOf(each))}</div>
      ${content}
    </main>`,
  ]);
}

/** A value that a form sends back. */
export const hidden = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** A form of the page: `action` names what it does, and the token proves that the page sent it. */
export const officeForm = ({ path, token, submission }: OfficeFrame, action: string, content: Content): Html =>
  html`<form method="post" action="${path}">
    <input type="hidden" name="action" value="${action}" />
    <input type="hidden" name="token" value="${token}" />
    <input type="hidden" name="submission" value="${submission}" />
    ${content}
  </form>`;
