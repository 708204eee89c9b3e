import type { Contact } from '../../entities/contacts.ts';
import type { DuplicatePair, PairedContact } from '../../resources/duplicates.ts';
import type { Notice } from '../frame.ts';
import { type Content, html } from '../html.ts';
import { clientLine, searchForm } from './clients-page.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';

export interface MergeView {
  /** The client that stays. */
  readonly contact: Contact;
  readonly pairs: readonly DuplicatePair[];
  readonly asked: string;
  /** `undefined` before anybody was searched for. */
  readonly found?: readonly Contact[] | undefined;
  readonly hasMore: boolean;
}

/** Which of a pair is the other one. */
const otherOf = ({ Contact: one, Duplicate: other }: DuplicatePair, id: number): PairedContact | null =>
  one?.Id === id ? other : one;

/** The clients to merge into one: probable duplicates, or the results of a search. */
export function mergePage(frame: OfficeFrame, view: MergeView, notices: readonly (Notice | undefined)[] = []): string {
  const { wording, path } = frame;
  const { contact, pairs, asked, found, hasMore } = view;
  const item = (other: Parameters<typeof clientLine>[0], why = ''): Content =>
    html`<li>
      ${clientLine(other)} ${why && html`<small lang="en">${why}</small>`}
      <div class="plain">
        ${officeForm(frame, 'merge', [
          hidden('merge', other.Id),
          html`<button class="quiet" aria-label="${wording.say('mergeClient', { name: other.Company || other.Name })}">
            ${wording.say('merge')}
          </button>`,
        ])}
      </div>
    </li>`;
  const list = (items: readonly Content[]): Content =>
    html`<ul class="list">
      ${items}
    </ul>`;
  return officePage(frame, {
    title: wording.say('mergeTitle'),
    place: '/office/clients',
    notices,
    content: [
      html`<p>${clientLine(contact)}</p>
        <p>${wording.say('mergeText')}</p>`,
      pairs.length > 0 &&
        html`<section>
          <h2>${wording.say('duplicates')}</h2>
          ${list(
            pairs.map((pair) => {
              const other = otherOf(pair, contact.Id);
              return other && item(other, pair.Why);
            }),
          )}
        </section>`,
      searchForm(wording, { asked, action: path }),
      html`<div id="results" aria-live="polite">
        ${
          found &&
          (found.length
            ? [
                list(found.map((each) => item(each))),
                hasMore && html`<p class="hint">${wording.say('moreClients')}</p>`,
              ]
            : html`<p>${wording.say('noClient', { asked })}</p>`)
        }
      </div>`,
    ],
  });
}
