import { hiddenFields, stepForm } from './booking-page.ts';
import { type OfferedTime, timeChoice, timeText } from './booking-month.ts';
import { type Frame, type Notice, form, inLanguage, page } from './frame.ts';
import { html } from './html.ts';
import { columns, contactLine, factList } from './layout.ts';
import type { VisitView } from './visit-page.ts';

/** The most times that one page offers. */
const MAX_TIMES = 40;

/** The page on which a client chooses another time for a visit. `times` are free starts in order. */
export function moveVisitPage(
  frame: Frame,
  { company, start, zone, service, arrivalThrough }: VisitView,
  { times, notice, error }: { times: readonly OfferedTime[]; notice?: Notice | undefined; error?: string | undefined },
): string {
  const { wording } = frame;
  const next = times[MAX_TIMES];
  const none = { kind: 'bad', title: wording.text('noOtherTimes'), text: wording.text('noOtherTimesText') } as const;
  const shown = { start, through: arrivalThrough ?? undefined };
  return page(frame, company, {
    title: wording.text('moveTitle'),
    notices: [notice, !times.length && none],
    content: columns({
      first: 'beside',
      beside: html`<section>
        <h2>${wording.text('visit')}</h2>
        <p class="when"><strong>${wording.day(start, zone)}</strong><br />${timeText(wording, zone, shown)}</p>
        ${factList([
          [wording.text('service'), service],
          [wording.text('company'), company.name],
        ])}
        <p><a class="button quiet" href="${inLanguage(frame)}">${wording.text('keepTime')}</a></p>
        ${!times.length && contactLine(wording, company, 'callInstead')}
      </section>`,
      about: [
        times.length > 0 &&
          form(frame, 'move', [
            hiddenFields({ start: String(start) }),
            timeChoice(wording, zone, times.slice(0, MAX_TIMES), error),
            html`<p class="next"><button>${wording.text('moveVisit')}</button></p>`,
          ]),
        next !== undefined &&
          html`<div class="plain">
            ${stepForm(
              frame,
              { move: '1', from: String(next.start) },
              html`<button class="quiet">${wording.text('laterTimes')}</button>`,
            )}
          </div>`,
      ],
    }),
  });
}
