import type { Role } from '../../shared/roles.ts';
import { html } from '../html.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';

/** A user of a person. */
interface SwitchUser {
  readonly id: number;
  readonly role: Role;
  readonly organization: string;
}

export interface SwitchView {
  readonly current?: SwitchUser | undefined;
  /** In other organizations. */
  readonly others: readonly SwitchUser[];
}

/** Where a person works, and the way to another organization. */
export function switchPage(frame: OfficeFrame, { current, others }: SwitchView): string {
  const { wording } = frame;
  return officePage(frame, {
    title: wording.say('organizations'),
    place: '',
    content: [
      current && html`<p>${wording.say('worksIn', { ...current })}</p>`,
      others.length
        ? html`<ul class="list">
            ${others.map(
              ({ id, organization, role }) =>
                html`<li>
                  ${organization} <small>${role}</small>
                  <div class="plain">
                    ${officeForm(frame, 'switch', [
                      hidden('user', id),
                      html`<button class="quiet" aria-label="${wording.say('switchTo', { organization })}">
                        ${wording.say('switch')}
                      </button>`,
                    ])}
                  </div>
                </li>`,
            )}
          </ul>`
        : html`<p>${wording.say('noOthers')}</p>
            <p><a href="/office">${wording.say('today')}</a></p>`,
    ],
  });
}
