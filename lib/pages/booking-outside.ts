import {
  type BookingView,
  type PersonField,
  type Step,
  bookingPage,
  chosenSoFar,
  hiddenFields,
  personFields,
  summary,
} from './booking.ts';
import { type Frame, form } from './frame.ts';
import { type Html, html } from './html.ts';
import { columns, contactLine } from './layout.ts';

/** What a person leaves who cannot book, with what browsers fill in. */
const LEAD_FIELDS = [
  { name: 'name', label: 'yourName', complete: 'name', most: 200 },
  { name: 'phone', label: 'phone', complete: 'tel', most: 50, isOptional: true },
  { name: 'email', label: 'email', complete: 'email', most: 254, isOptional: true },
] as const satisfies readonly PersonField[];

/** Why nobody comes: the postal code is not served, or no code that is known. */
export type OutsideCause = 'unserved' | 'unknown';

interface OutsideStep extends Step {
  readonly cause: OutsideCause;
  /** Marks the form, so that it is stored once. */
  readonly mark: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** The answer to a postal code to which nobody comes. Who has no link of its own can leave how to be reached. */
export function outsidePage(frame: Frame, view: BookingView, step: OutsideStep): string {
  const { wording } = frame;
  const { cause, notice, carried } = step;
  const { zip } = view;
  const why =
    cause === 'unserved'
      ? ({ kind: 'bad', title: wording.text('outsideTitle', { zip }) } as const)
      : ({
          kind: 'bad',
          title: wording.text('unknownZipTitle', { zip }),
          text: wording.text('unknownZipText'),
        } as const);
  return bookingPage(
    frame,
    view,
    [notice ?? why],
    columns({
      first: 'beside',
      beside: summary(frame, view, carried),
      about: view.isClient
        ? html`<section>${contactLine(wording, view.company)}</section>`
        : leadForm(frame, view, step),
    }),
  );
}

function leadForm(frame: Frame, view: BookingView, { mark, carried, errors = {}, values = {} }: OutsideStep): Html {
  const { wording } = frame;
  return html`<section>
    <h2>${wording.text('leadTitle')}</h2>
    <p>${wording.text('leadText', { zip: view.zip })}</p>
    ${form(frame, 'lead', [
      hiddenFields({ ...chosenSoFar(view), form: mark, ...carried }),
      personFields(wording, LEAD_FIELDS, { values, errors }),
      html`<button>${wording.text('send')}</button>`,
    ])}
  </section>`;
}
