import { html } from '../html.ts';
import { noticeOf, openPage } from './frame.ts';
import type { OfficeWording } from './wording.ts';

/** Why somebody sees the page again. `unknown`: no user of the office has the address of the person who signed in. */
type SignInProblem = 'ended' | 'failed' | 'unknown';

const texts = { ended: 'sessionEnded', failed: 'signInFailed', unknown: 'signInUnknown' } as const;

/** The only page without a session. */
export const signInPage = (wording: OfficeWording, problem?: SignInProblem): string =>
  openPage(wording, wording.say('signIn'), [
    problem && noticeOf({ kind: 'bad', title: wording.say(texts[problem]) }),
    html`<p>${wording.say('signInText')}</p>
      <p><a class="button" href="/office/start">${wording.say('signIn')}</a></p>`,
  ]);

/** After the session has ended here. The user pool has one of its own, which ends at the address. */
export const signedOutPage = (wording: OfficeWording, address: string): string =>
  openPage(
    wording,
    wording.say('signedOut'),
    html`<p><a class="button" href="${address}">${wording.say('goOn')}</a></p>`,
  );
