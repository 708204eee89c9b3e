import { type Html, html } from '../html.ts';
import type { Day } from './day.ts';
import { type OfficeFrame, officePage } from './frame.ts';

export interface WeekView {
  readonly days: readonly { readonly date: string; readonly day: Day }[];
  readonly previous: string;
  readonly next: string;
  readonly isCut: boolean;
}

/** A week by technician: how many visits and hours each day has. */
export function weekPage(frame: OfficeFrame, { days, previous, next, isCut }: WeekView): string {
  const { wording } = frame;
  const noonOf = (date: string) => Date.parse(`${date}T12:00:00Z`);
  const agents = days[0]?.day.agents.toSorted((one, other) => one.name.localeCompare(other.name)) ?? [];
  const cell = (date: string, day: Day, id: number): Html => {
    const found = day.agents.find((agent) => agent.id === id);
    return html`<td class="number">
      ${
        found?.visits.length
          ? html`<a href="/office?date=${date}">${found.visits.length}</a>
              <small>${wording.duration(found.minutes)}</small>`
          : '–'
      }
    </td>`;
  };
  return officePage(frame, {
    title: wording.say('week'),
    place: '/office',
    notices: [isCut && { kind: 'bad', title: wording.say('weekIsCut') }],
    content: html`<nav class="steps-of-days" aria-label="${wording.say('days')}">
        <a href="/office/week?date=${previous}" rel="prev">${wording.say('weekBefore')}</a>
        <a href="/office">${wording.say('today')}</a>
        <a href="/office/week?date=${next}" rel="next">${wording.say('weekAfter')}</a>
      </nav>
      <section class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${wording.say('technician')}</th>
              ${days.map(
                ({ date }) =>
                  html`<th scope="col" class="number">
                    <a href="/office?date=${date}">${wording.shortDay(noonOf(date), 'UTC')}</a>
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${agents.map(
              ({ id, name }) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  ${days.map(({ date, day }) => cell(date, day, id))}
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`,
  });
}
