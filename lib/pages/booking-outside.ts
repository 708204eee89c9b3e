import {
  type BookingView,
  type PersonField,
  type Step,
  bookingPage,
  chosenSoFar,
  hiddenFields,
  personFields,
  summary,
} from './booking-page.ts';
import { type Frame, form } from './frame.ts';
import { type Html, html } from './html.ts';
import { columns, contactLine } from './layout.ts';

/** The fields that a person who cannot book leaves, with their autocomplete values. */
const LEAD_FIELDS = [
  { name: 'name', label: 'yourName', complete: 'name', most: 200 },
  { name: 'phone', label: 'phone', complete: 'tel', most: 50, isOptional: true },
  { name: 'email', label: 'email', complete: 'email', most: 254, isOptional: true },
] as const satisfies readonly PersonField[];

/** Why nobody comes: the postal code is not served, or is unknown, or no time in the month is free. */
export type OutsideCause = 'unserved' | 'unknown' | 'full';

interface LeadStep extends Step {
  readonly cause: OutsideCause;
  /** The month without free times: `2026-12`. */
  readonly month?: string | undefined;
  /** Identifies the form, so that it is stored only once. */
  readonly mark: string;
  readonly values?: Readonly<Record<string, string>>;
}

/**
 * The answer to a postal code that is not served. Clients without a link of their own can leave their contact details.
 */
export function outsidePage(frame: Frame, view: BookingView, step: LeadStep): string {
  const { wording } = frame;
  const { cause, notice, carried, month } = step;
  const { zip } = view;
  const why = {
    unserved: { title: wording.text('outsideTitle', { zip }) },
    unknown: { title: wording.text('unknownZipTitle', { zip }), text: wording.text('unknownZipText') },
    full: { title: wording.text('fullTitle', { month: month ? wording.month(month) : '' }) },
  }[cause];
  return bookingPage(
    frame,
    view,
    [notice ?? { kind: 'bad', ...why }],
    columns({
      first: 'beside',
      beside: summary(frame, view, carried),
      about: view.isClient
        ? html`<section>${contactLine(wording, view.company)}</section>`
        : leadForm(frame, view, step),
    }),
  );
}

/** Asks for the contact details of someone for whom there is no time. */
export function leadForm(
  frame: Frame,
  view: BookingView,
  { cause, month, mark, carried, errors = {}, values = {} }: LeadStep,
): Html {
  const { wording } = frame;
  return html`<section>
    <h2>${wording.text('leadTitle')}</h2>
    <p>${wording.text(cause === 'full' ? 'leadTimeText' : 'leadText', { zip: view.zip })}</p>
    ${form(frame, 'lead', [
      hiddenFields({ ...chosenSoFar(view), ...(month ? { month } : {}), form: mark, ...carried }),
      personFields(wording, LEAD_FIELDS, { values, errors }),
      html`<button>${wording.text('send')}</button>`,
    ])}
  </section>`;
}
