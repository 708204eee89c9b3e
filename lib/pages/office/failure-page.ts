import type { Failure } from '../../shared/failure.ts';
import { html } from '../html.ts';
import { openPage } from './frame.ts';
import type { OfficeWording } from './wording.ts';

const titleOf = (status: number) => {
  if (status >= 500) return 'failedBusy';
  return ({ 403: 'failedForbidden', 404: 'failedNotFound', 429: 'failedTooMany' } as const)[status] ?? 'failedOther';
};

/** The page of a failed call: what is wrong, and the way back. */
export const failurePage = (wording: OfficeWording, { status, message }: Pick<Failure, 'status' | 'message'>): string =>
  openPage(wording, wording.say(titleOf(status)), [
    html`<p lang="en">${message}</p>
      <p><a class="button" href="/office">${wording.say('backToToday')}</a></p>`,
  ]);
