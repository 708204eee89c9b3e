import { type Company, type Frame, type Notice, field, form, page } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import type { Wording } from './language.ts';
import { contactLine } from './layout.ts';

/** What a client may book, and what is chosen so far. */
export interface BookingView {
  readonly company: Company;
  readonly zone: string;
  readonly isOpen: boolean;
  readonly services: readonly { readonly Id: number; readonly Name: string; readonly Description: string }[];
  readonly service: BookingView['services'][number] | undefined;
  readonly zip: string;
  /** Whether a client books by its own link, who types no address; and whether the company has its postal code. */
  readonly isClient: boolean;
  readonly hasZip: boolean;
}

/** Parameters that the booking page hands on from step to step: marketing sources. */
export const UTM_FIELDS = { utm_source: 'UtmSource', utm_medium: 'UtmMedium', utm_campaign: 'UtmCampaign' } as const;

/** A choice of the steps before, by the names of its fields. */
export type Carried = Readonly<Record<string, string>>;

export const hiddenFields = (values: Carried): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

/** A form that leads to the next step: it changes nothing. */
export const stepForm = (frame: Frame, carried: Carried, content: Content): Html =>
  html`<form method="get" action="${frame.path}">
    ${hiddenFields({ lang: frame.wording.language, ...carried })} ${content}
  </form>`;

interface Step {
  readonly notice?: Notice | undefined;
  readonly errors?: Readonly<Record<string, string>>;
  readonly carried: Carried;
}

const bookingPage = (
  frame: Frame,
  view: BookingView,
  notices: readonly (Notice | false | undefined)[],
  content: Content,
) => page(frame, view.company, { title: frame.wording.text('booking'), notices, content });

/** The first step: which service, and where. */
export function servicePage(frame: Frame, view: BookingView, { notice, errors = {}, carried }: Step): string {
  const { wording } = frame;
  const { services, service, zip, hasZip, isOpen, company } = view;
  const isBookable = isOpen && services.length > 0;
  const closed = { kind: 'bad', title: wording.text('bookingClosed') } as const;
  if (!isBookable) return bookingPage(frame, view, [closed], contactLine(wording, company, 'callInstead'));
  return bookingPage(
    frame,
    view,
    [notice],
    stepForm(frame, carried, [
      html`<fieldset class="field${errors['service'] ? ' wrong' : ''}">
        <legend>${wording.text('chooseService')}</legend>
        <ul class="choices">
          ${services.map(
            ({ Id, Name, Description }) =>
              html`<li>
                <label
                  ><input type="radio" name="service" value="${Id}" required ${Id === service?.Id && html` checked`} />
                  <strong>${Name}</strong>${Description && html`<small>${Description}</small>`}</label
                >
              </li>`,
          )}
        </ul>
        ${errors['service'] && html`<p class="error" role="alert">${errors['service']}</p>`}
      </fieldset>`,
      !hasZip &&
        field(
          'zip',
          wording.text('zip'),
          (attributes) =>
            html`<input ${attributes} type="text" autocomplete="postal-code" maxlength="20" required value="${zip}" />`,
          errors['zip'],
        ),
      html`<button>${wording.text('seeTimes')}</button>`,
    ]),
  );
}

const chosenSoFar = ({ service, zip, hasZip }: BookingView): Carried => ({
  service: String(service?.Id ?? ''),
  ...(hasZip ? {} : { zip }),
});

/** Times that one page offers. */
export const MAX_TIMES = 40;

/** The second step: when. `times` are free starts in order, of which the page shows the first. */
export function timesPage(
  frame: Frame,
  view: BookingView,
  { times, notice, errors = {}, carried }: Step & { readonly times: readonly number[] },
): string {
  const { wording } = frame;
  const next = times[MAX_TIMES];
  const chosen = { ...chosenSoFar(view), ...carried };
  const none = { kind: 'bad', title: wording.text('noTimes') } as const;
  return bookingPage(
    frame,
    view,
    [notice, !times.length && none],
    [
      summary(frame, view, carried),
      !times.length && contactLine(wording, view.company, 'callInstead'),
      times.length > 0 &&
        stepForm(frame, chosen, [
          timeChoice(wording, view.zone, times.slice(0, MAX_TIMES), errors['slot']),
          html`<p class="next"><button>${wording.text('next')}</button></p>`,
        ]),
      next !== undefined &&
        html`<div class="plain">
          ${stepForm(
            frame,
            { ...chosen, from: String(next) },
            html`<button class="quiet">${wording.text('laterTimes')}</button>`,
          )}
        </div>`,
    ],
  );
}

/** What is chosen, and the way back. */
const summary = (frame: Frame, { service, zip, hasZip }: BookingView, carried: Carried): Html => {
  const back = new URLSearchParams({ lang: frame.wording.language, ...(hasZip ? {} : { zip }), ...carried });
  return html`<p class="facts">
    ${service?.Name}${!hasZip && `, ${zip}`}
    <a href="${`${frame.path}?${back.toString()}`}">${frame.wording.text('change')}</a>
  </p>`;
};

export function timeChoice(wording: Wording, zone: string, times: readonly number[], error?: string): Html[] {
  const days = Map.groupBy(times, (time) => wording.day(time, zone));
  const choices = [...days].map(
    ([day, starts]) =>
      html`<fieldset class="day">
        <legend>${day}</legend>
        <div class="times">
          ${starts.map(
            (start) =>
              html`<label
                ><input type="radio" name="slot" value="${start}" required /> ${wording.time(start, zone)}</label
              >`,
          )}
        </div>
      </fieldset>`,
  );
  return error ? [html`<p class="error" role="alert">${error}</p>`, ...choices] : choices;
}

/** The fields of the person who books, in their order, with what browsers fill in. */
const CONTACT_FIELDS = [
  { name: 'name', label: 'yourName', complete: 'name', most: 200 },
  { name: 'email', label: 'email', complete: 'email', most: 254 },
  { name: 'phone', label: 'phone', complete: 'tel', most: 50 },
  { name: 'address', label: 'address', complete: 'address-line1', most: 200 },
  { name: 'city', label: 'city', complete: 'address-level2', most: 100 },
  { name: 'state', label: 'state', complete: 'address-level1', most: 100, isOptional: true },
] as const;

type ContactField = (typeof CONTACT_FIELDS)[number]['name'];

const contactFields = ({ isClient }: Pick<BookingView, 'isClient'>) => (isClient ? [] : CONTACT_FIELDS);

/** What the third step sends, bounded; and the fields that are required and empty. */
export function readContactFields(
  sent: URLSearchParams,
  view: Pick<BookingView, 'isClient'>,
): { values: Record<ContactField, string>; missing: readonly ContactField[] } {
  const values = Object.fromEntries(
    CONTACT_FIELDS.map(({ name, most }) => [name, (sent.get(name) ?? '').trim().slice(0, most).toWellFormed()]),
  ) as Record<ContactField, string>;
  const missing = contactFields(view)
    .filter((each) => !('isOptional' in each) && !values[each.name])
    .map(({ name }) => name);
  return { values, missing };
}

/** The third step: who. `slot` is the chosen start; without one the client chooses among `times`. */
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
    readonly slot: number | undefined;
    readonly times?: readonly number[];
    readonly values?: Readonly<Record<string, string>>;
    /** Marks the form, so that it books once. */
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
      summary(frame, view, carried),
      slot !== undefined &&
        html`<p class="when"><strong>${wording.day(slot, view.zone)}, ${wording.time(slot, view.zone)}</strong></p>`,
      form(frame, 'book', [
        hiddenFields(slot === undefined ? chosen : { ...chosen, slot: String(slot) }),
        slot === undefined && timeChoice(wording, view.zone, times, errors['slot']),
        contactFields(view).map(({ name, label, complete, most, ...rest }) =>
          field(
            name,
            wording.text(label),
            (attributes) =>
              html`<input
                ${attributes}
                type="${name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}"
                autocomplete="${complete}"
                maxlength="${most}"
                ${!('isOptional' in rest) && html` required`}
                value="${values[name]}"
              />`,
            errors[name],
          ),
        ),
        field(
          'note',
          wording.text('bookingNote'),
          (attributes) => html`<textarea ${attributes} rows="3" maxlength="1000">${values['note']}</textarea>`,
        ),
        html`<button>${wording.text('book')}</button>`,
      ]),
    ],
  );
}

/** The last step: what is booked, and where it is followed. */
export function bookedPage(
  frame: Frame,
  view: BookingView,
  {
    start,
    heldUntil,
    visitLink,
  }: { readonly start: number; readonly heldUntil: number | null; readonly visitLink: string },
): string {
  const { wording } = frame;
  return bookingPage(
    frame,
    view,
    [
      heldUntil === null
        ? { kind: 'good', title: wording.text('booked') }
        : {
            kind: 'good',
            title: wording.text('held'),
            text: heldText(wording, heldUntil, { zone: view.zone, mayConfirm: false }),
          },
    ],
    [
      html`<section>
        <p class="when"><strong>${wording.day(start, view.zone)}, ${wording.time(start, view.zone)}</strong></p>
        <p>${view.service?.Name}</p>
      </section>`,
      html`<p class="links">
          <a class="button" href="${visitLink}" target="_blank" rel="noopener noreferrer"
            >${wording.text('followVisit')}</a
          >
        </p>
        <p class="links">
          <a class="button quiet" href="${visitLink}/visit.ics?lang=${wording.language}"
            >${wording.text('addToCalendar')}</a
          >
        </p>
        <p class="hint">${wording.text('keepLink')}</p>`,
    ],
  );
}

/** Until when a visit waits to be confirmed, and how that is done, unless it is on this page. */
export const heldText = (
  wording: Wording,
  until: number,
  { zone, mayConfirm }: { readonly zone: string; readonly mayConfirm: boolean },
): string =>
  wording.text(mayConfirm ? 'confirmBy' : 'heldText', {
    until: `${wording.day(until, zone)}, ${wording.time(until, zone)}`,
  });
