import { MINUTE } from '../shared/time/time.ts';
import type { Company } from './frame.ts';
import { type Html, html } from './html.ts';
import type { Wording } from './language.ts';

/** What a web calendar shows of a visit. */
export interface CalendarVisit {
  readonly company: Company;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Minutes. */
  readonly duration: number;
  /** The end of the arrival window that begins at `start`; `null` for an exact time. */
  readonly arrivalThrough: number | null;
  readonly service: string;
  readonly address: string;
  /** The page of the visit. */
  readonly link: string;
}

/** `20270314T130000Z` */
export const calendarMoment = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** Buttons that add a visit to a calendar: Google, Outlook, and a file for any other. */
export function calendarButtons(wording: Wording, visit: CalendarVisit): Html {
  const { company, start, duration, arrivalThrough, service, address, link } = visit;
  const [from, through] = [start, arrivalThrough ?? start + duration * MINUTE];
  const title = [service, company.name].filter(Boolean).join(', ').toWellFormed();
  const details = [company.phone, link].filter(Boolean).join('\n').toWellFormed();
  const location = address.toWellFormed();
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${calendarMoment(from)}/${calendarMoment(through)}`,
    details,
    location,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: new Date(from).toISOString(),
    enddt: new Date(through).toISOString(),
    body: details,
    location,
  });
  return html`<p>${wording.text('addToCalendar')}</p>
    <p class="calendars">
      <a class="button quiet" href="https://calendar.google.com/calendar/render?${google.toString()}" rel="noreferrer"
        >Google</a
      >
      <a
        class="button quiet"
        href="https://outlook.live.com/calendar/0/deeplink/compose?${outlook.toString()}"
        rel="noreferrer"
        >Outlook</a
      >
      <a class="button quiet" href="${link}/visit.ics?lang=${wording.language}">${wording.text('calendarFile')}</a>
    </p>`;
}
