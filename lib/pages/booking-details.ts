import {
  type BookingView,
  type PersonField,
  type Step,
  bookingPage,
  chosenSoFar,
  heldText,
  hiddenFields,
  personFields,
  summary,
} from './booking-page.ts';
import { type OfferedTime, slotOf, timeChoice, timeText } from './booking-month.ts';
import { type CalendarVisit, calendarButtons } from './calendar-buttons.ts';
import { type Frame, form } from './frame.ts';
import { type Html, html } from './html.ts';
import { columns } from './layout.ts';
import type { Wording } from './language.ts';
import { toTypedText } from '../shared/text/text.ts';

/** The fields about the person who books, in order, with their autocomplete values. */
const CONTACT_FIELDS = [
  { name: 'name', label: 'yourName', complete: 'name', most: 200 },
  { name: 'email', label: 'email', complete: 'email', most: 254 },
  { name: 'phone', label: 'phone', complete: 'tel', most: 50 },
  { name: 'address', label: 'address', complete: 'address-line1', most: 200 },
  { name: 'address2', label: 'address2', complete: 'address-line2', most: 200, isOptional: true },
  { name: 'city', label: 'city', complete: 'address-level2', most: 100 },
  { name: 'state', label: 'state', complete: 'address-level1', most: 100, isOptional: true },
] as const satisfies readonly PersonField[];

type ContactField = (typeof CONTACT_FIELDS)[number]['name'];

const contactFields = ({ isClient }: Pick<BookingView, 'isClient'>) => (isClient ? [] : CONTACT_FIELDS);

/** The fields of the third step, cut to their limits, and which required ones are empty. */
export function readContactFields(
  sent: URLSearchParams,
  view: Pick<BookingView, 'isClient'>,
): { values: Record<ContactField, string>; missing: readonly ContactField[] } {
  const values = Object.fromEntries(
    CONTACT_FIELDS.map(({ name, most }) => [name, toTypedText(sent.get(name), most)]),
  ) as Record<ContactField, string>;
  const missing = contactFields(view)
    .filter((each) => !('isOptional' in each) && !values[each.name])
    .map(({ name }) => name);
  return { values, missing };
}

const whenAndWho = (wording: Wording, zone: string, time: OfferedTime): Html =>
  html`<p class="when">
    <strong>${wording.day(time.start, zone)}, ${timeText(wording, zone, time)}</strong>
    ${time.agent && wording.text('visitWith', { name: time.agent.name })}
  </p>`;

/** The third step: who books. `slot` is the chosen start; without one the client chooses among `times`. */
export function detailsPage(
  frame: Frame,
  view: BookingView,
  {
    slot,
    times = [],
    notice,
    errors = {},
    values = {},
    carried,
    mark,
  }: Step & {
    readonly slot: OfferedTime | undefined;
    readonly times?: readonly OfferedTime[];
    readonly values?: Readonly<Record<string, string>>;
    /** Identifies the form, so that it books only once. */
    readonly mark: string;
  },
): string {
  const { wording } = frame;
  const chosen = { ...chosenSoFar(view), form: mark, ...carried };
  return bookingPage(
    frame,
    view,
    [notice],
    [
      columns({
        first: 'beside',
        beside: summary(frame, view, carried, slot && whenAndWho(wording, view.zone, slot)),
        about: [
          form(frame, 'book', [
            hiddenFields(slot === undefined ? chosen : { ...chosen, slot: slotOf(slot) }),
            slot === undefined && timeChoice(wording, view.zone, times, errors['slot']),
            personFields(wording, contactFields(view), { values, errors }),
            html`<button>${wording.text('book')}</button>`,
          ]),
        ],
      }),
    ],
  );
}

/** The booked visit. */
interface BookedVisit extends CalendarVisit {
  /** The time as it was offered. */
  readonly time: OfferedTime;
  readonly heldUntil: number | null;
  readonly isMailed: boolean;
}

/** The last step: what is booked, and where to follow it. */
export function bookedPage(frame: Frame, view: BookingView, visit: BookedVisit): string {
  const { wording } = frame;
  const { time, heldUntil, isMailed, link } = visit;
  const { zone } = view;
  const when = `${wording.day(time.start, zone)}, ${timeText(wording, zone, time)}`;
  const text = heldUntil === null ? undefined : heldText(wording, heldUntil, { zone, mayConfirm: false, isMailed });
  return bookingPage(
    frame,
    view,
    [{ kind: 'good', title: when, text }],
    columns({
      first: 'about',
      about: html`<section>
        <p class="when">
          <strong>${view.service?.Name}</strong> ${time.agent && wording.text('visitWith', { name: time.agent.name })}
        </p>
      </section>`,
      beside: html`<p class="links">
          <a class="button" href="${link}" target="_blank" rel="noopener noreferrer">${wording.text('followVisit')}</a>
        </p>
        <p class="hint">${wording.text('keepLink')}</p>
        ${calendarButtons(wording, visit)}`,
    }),
    wording.text(heldUntil === null ? 'booked' : 'held'),
  );
}
