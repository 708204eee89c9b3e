import { MINUTE } from '../shared/time/time.ts';
import { type Company, type Frame, type Notice, field, form, inLanguage, page } from './frame.ts';
import { heldText, stepForm } from './booking-page.ts';
import { calendarButtons } from './calendar-buttons.ts';
import { type Content, type Html, html } from './html.ts';
import type { Language, Wording } from './language.ts';
import { columns, contactLine, factList } from './layout.ts';

export type VisitState = 'booked' | 'tentative' | 'onTheWay' | 'arrived' | 'finished' | 'canceled';

/** A visit as its client sees it. */
export interface VisitView {
  readonly company: Company;
  readonly state: VisitState;
  readonly mayConfirm: boolean;
  /** When it is released unless it is confirmed; `null` if it is not waiting. */
  readonly heldUntil: number | null;
  /** Whether the company e-mails a link to confirm it. */
  readonly isMailed: boolean;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Minutes. */
  readonly duration: number;
  /** The end of the arrival window that begins at `start`; `null` for an exact time. */
  readonly arrivalThrough: number | null;
  readonly zone: string;
  readonly service: string;
  /** The first name; `""` if there is no agent. */
  readonly agent: string;
  readonly address: string;
  /** The address, for map searches. */
  readonly place: string;
  /** When the agent arrives or arrived, in milliseconds since 1970. */
  readonly arrival: number | null;
  /** Until when and for which reasons the client may cancel it; `undefined` if it cannot be canceled. */
  readonly cancel:
    | { readonly until: number; readonly reasons: readonly Readonly<Record<Language, string>>[] }
    | undefined;
  /** Until when the client may move it; `undefined` if it cannot be moved. */
  readonly moveUntil: number | undefined;
  /** The address of this page. */
  readonly link: string;
  /** The page for booking again, and the same service if it is offered; `undefined` if the client must call. */
  readonly bookAgain: { readonly link: string; readonly service: number | undefined } | undefined;
  /** How many times something that the client sees has changed, and when it last did; `null` if unknown. */
  readonly version: number;
  readonly changed: number | null;
  /** The feedback page of a finished visit; `""` for others. */
  readonly feedbackLink: string;
}

const stateNames = {
  booked: 'visitBooked',
  tentative: 'visitTentative',
  onTheWay: 'visitOnTheWay',
  arrived: 'visitArrived',
  finished: 'visitFinished',
  canceled: 'visitCanceled',
} as const satisfies Record<VisitState, string>;

export const visitStateName = (wording: Wording, state: VisitState): string => wording.text(stateNames[state]);

/** `8:00 AM to 9:30 AM`, or the window in which the agent arrives. */
export const visitTimes = (
  wording: Wording,
  zone: string,
  { start, duration, arrivalThrough }: Pick<VisitView, 'start' | 'duration' | 'arrivalThrough'>,
): string =>
  wording.text(arrivalThrough === null ? 'visitFrom' : 'arrivalBetween', {
    start: wording.time(start, zone),
    end: wording.time(arrivalThrough ?? start + duration * MINUTE, zone),
  });

/** The stages of a visit, which its page shows up to the current one. */
const STEPS = ['booked', 'onTheWay', 'arrived', 'finished'] as const satisfies readonly VisitState[];

function progress(wording: Wording, state: VisitState): Content {
  const at = STEPS.findIndex((step) => step === state);
  if (at < 0) return html`<p class="state ${state}">${visitStateName(wording, state)}</p>`;
  return html`<ol class="steps">
    ${STEPS.map(
      (step, index) =>
        html`<li
          class="${index < at ? 'done' : ''}${index === at && `state ${state}`}"
          ${index === at && html` aria-current="step"`}
        >
          ${visitStateName(wording, step)}
        </li>`,
    )}
  </ol>`;
}

/** The page of a visit. */
export function visitPage(
  frame: Frame,
  view: VisitView,
  { notice, errors = {} }: { notice?: Notice | undefined; errors?: Readonly<Record<string, string>> } = {},
): string {
  const { wording } = frame;
  const { company, state, bookAgain, feedbackLink } = view;
  return page(frame, company, {
    title: wording.text('visit'),
    notices: [notice],
    content: columns({
      first: 'about',
      about: summary(frame, view),
      beside: [
        state === 'tentative' && confirmation(frame, view),
        isAhead(state) && anotherTime(frame, view, errors),
        cancelForm(frame, view, errors),
        bookAgain && bookAgainButton(frame, bookAgain),
        feedbackLink &&
          html`<p class="links"><a class="button" href="${feedbackLink}">${wording.text('giveFeedback')}</a></p>`,
        !isAhead(state) &&
          html`<section>${contactLine(wording, company, state === 'canceled' ? 'callInstead' : 'contactUs')}</section>`,
      ],
    }),
  });
}

function bookAgainButton(frame: Frame, { link, service }: NonNullable<VisitView['bookAgain']>): Html {
  const chosen = service === undefined ? '' : `&service=${service}`;
  return html`<p class="links">
    <a class="button" href="${inLanguage({ ...frame, path: link })}${chosen}">${frame.wording.text('bookAgain')}</a>
  </p>`;
}

const isAhead = (state: VisitState): boolean => state === 'booked' || state === 'tentative';

/** The service, time, place and agent. */
function summary(frame: Frame, view: VisitView): Html {
  const { company, state, start, zone, service, agent, address, place, arrival } = view;
  const { wording } = frame;
  return html`<section>
    ${progress(wording, state)}
    <p class="when"><strong>${wording.fullDate(start, zone)}</strong><br />${visitTimes(wording, zone, view)}</p>
    ${
      state === 'onTheWay' &&
      arrival !== null &&
      html`<p>${wording.text('arrivesAt', { time: wording.time(arrival, zone) })}</p>`
    }
    ${factList([
      [wording.text('service'), [service, agent && ` ${wording.text('visitWith', { name: agent })}`]],
      [wording.text('company'), company.name],
      [wording.text('address'), address && [address, html`<br />${mapLink(place, wording)}`]],
    ])}
    ${isAhead(state) && calendarButtons(wording, view)}
    ${
      state === 'canceled' &&
      html`<p>
        <a class="button quiet" href="${inLanguage(frame, '/visit.ics')}">${wording.text('updateCalendar')}</a>
      </p>`
    }
  </section>`;
}

/** How to confirm a tentative visit: here, or by a link in an e-mail. */
const confirmation = (frame: Frame, { mayConfirm, isMailed, heldUntil, zone }: VisitView): Html =>
  html`<section>
    ${heldUntil !== null && html`<p>${heldText(frame.wording, heldUntil, { zone, mayConfirm, isMailed })}</p>`}
    ${mayConfirm && form(frame, 'confirm', html`<button>${frame.wording.text('confirmVisit')}</button>`)}
  </section>`;

/** A link that opens a map; the page itself requests nothing from it. */
function mapLink(place: string, wording: Wording): Html {
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(place.toWellFormed())}`;
  return html`<a href="${map}" rel="noreferrer">${wording.text('openMap')}</a>`;
}

const untilText = (wording: Wording, until: number, zone: string): string =>
  `${wording.date(until, zone)}, ${wording.time(until, zone)}`;

function anotherTime(frame: Frame, { moveUntil, zone }: VisitView, errors: Readonly<Record<string, string>>): Html {
  const { wording } = frame;
  return html`<details${errors['message'] && html` open`}>
    <summary>${wording.text('anotherTime')}</summary>
    ${
      moveUntil !== undefined && [
        html`<p>${wording.text('moveUntil', { until: untilText(wording, moveUntil, zone) })}</p>`,
        stepForm(frame, { move: '1' }, html`<button>${wording.text('seeTimes')}</button>`),
      ]
    }
    <p>${wording.text('anotherTimeText')}</p>
    ${form(frame, 'another-time', [
      field(
        'message',
        wording.text('yourMessage'),
        (attributes) => html`<textarea ${attributes} rows="3" maxlength="1000" required></textarea>`,
        errors['message'],
      ),
      html`<button class="quiet">${wording.text('send')}</button>`,
    ])}
  </details>`;
}

function cancelForm(frame: Frame, { cancel, zone }: VisitView, errors: Readonly<Record<string, string>>): Content {
  if (!cancel) return undefined;
  const { wording } = frame;
  const until = untilText(wording, cancel.until, zone);
  return html`<details${errors['cancelReason'] && html` open`}>
    <summary>${wording.text('cancelVisit')}</summary>
    <p>${wording.text('cancelUntil', { until })}</p>
    ${form(frame, 'cancel', [
      field(
        'cancelReason',
        wording.text('cancelReason'),
        (attributes) =>
          html`<select ${attributes} required>
            <option value="">${wording.text('pleaseChoose')}</option>
            ${cancel.reasons.map((reason) => html`<option value="${reason.en}">${reason[wording.language]}</option>`)}
          </select>`,
        errors['cancelReason'],
      ),
      field(
        'cancelNote',
        wording.text('cancelNote'),
        (attributes) => html`<textarea ${attributes} rows="2" maxlength="1000"></textarea>`,
      ),
      html`<button class="quiet">${wording.text('cancelVisit')}</button>`,
    ])}
  </details>`;
}
