import { type Frame, anonymousPage, inLanguage } from './frame.ts';
import { type Html, html } from './html.ts';
import type { Texts } from './texts/en.ts';

/** Why a call failed that may succeed later. */
export type Failed = 'busy' | 'tooMany' | 'tooLarge';

const texts = {
  busy: ['busyTitle', 'busyText'],
  tooMany: ['tooManyTitle', 'tooManyText'],
  tooLarge: ['tooLargeTitle', 'tooLargeText'],
} as const satisfies Record<Failed, readonly [title: keyof Texts, text: keyof Texts]>;

/** The page of a failed call. A form that was `sent` can be sent again unchanged, so that nothing is typed twice. */
export function failurePage(
  frame: Frame,
  why: Failed,
  { isForm, sent }: { readonly isForm: boolean; readonly sent: URLSearchParams | undefined },
): string {
  const { wording } = frame;
  const [title, text] = texts[why];
  // An empty address is the failed one, with its query.
  const again = sent
    ? sendAgain(frame, sent)
    : html`<p><a class="button" href="${isForm && inLanguage(frame)}">${wording.text('openAgain')}</a></p>`;
  return anonymousPage(frame, wording.text(title), [html`<p>${wording.text(text)}</p>`, again]);
}

const sendAgain = (frame: Frame, sent: URLSearchParams): Html =>
  html`<p>${frame.wording.text('typedIsKept')}</p>
    <form method="post" action="${inLanguage(frame)}">
      ${[...sent].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button>${frame.wording.text('sendAgain')}</button>
    </form>`;
