import { type Company, type Frame, type Notice, field, page } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import type { Wording } from './language.ts';
import type { Texts } from './texts/en.ts';
import { contactLine, factList } from './layout.ts';

/** A service that clients can book themselves. */
export interface OfferedService {
  readonly Id: number;
  readonly Name: string;
  readonly Description: string;
  /** The price of a visit, or the lowest one; `undefined` if the price book has none. */
  readonly price: { readonly amount: number; readonly isFixed: boolean } | undefined;
  /** Its length; 0 if the price book does not say. */
  readonly minutes: number;
}

/** What a client may book, and what is chosen so far. */
export interface BookingView {
  readonly company: Company;
  readonly zone: string;
  readonly isOpen: boolean;
  readonly services: readonly OfferedService[];
  readonly service: OfferedService | undefined;
  readonly zip: string;
  /** Whether the input has the form of a postal code of the company's country. */
  readonly isZip: boolean;
  /**
   * Whether the client books by a personal link and so types no address, and whether the company has the postal code.
   */
  readonly isClient: boolean;
  readonly hasZip: boolean;
}

/** Marketing parameters that the booking page passes on from step to step. */
export const UTM_FIELDS = { utm_source: 'UtmSource', utm_medium: 'UtmMedium', utm_campaign: 'UtmCampaign' } as const;

/** The choices of earlier steps, by field name. */
export type Carried = Readonly<Record<string, string>>;

export const hiddenFields = (values: Carried): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

/** A field about a person who books or leaves contact details. */
export interface PersonField {
  readonly name: string;
  readonly label: keyof Texts;
  /** The autocomplete value. */
  readonly complete: string;
  readonly most: number;
  readonly isOptional?: true;
}

const inputTypes: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['phone', 'tel'],
]);

interface Typed {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** Fields about a person, and a note to the company. */
export const personFields = (
  wording: Wording,
  fields: readonly PersonField[],
  { values, errors }: Typed,
): readonly Html[] => [
  ...fields.map(({ name, label, complete, most, isOptional }) =>
    field(
      name,
      wording.text(label),
      (attributes) =>
        html`<input
          ${attributes}
          type="${inputTypes.get(name) ?? 'text'}"
          autocomplete="${complete}"
          maxlength="${most}"
          ${!isOptional && html` required`}
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
];

/** A form that leads to the next step and changes nothing. */
export const stepForm = (frame: Frame, carried: Carried, content: Content): Html =>
  html`<form method="get" action="${frame.path}">
    ${hiddenFields({ lang: frame.wording.language, ...carried })} ${content}
  </form>`;

export interface Step {
  readonly notice?: Notice | undefined;
  readonly errors?: Readonly<Record<string, string>>;
  readonly carried: Carried;
}

export const bookingPage = (
  frame: Frame,
  view: BookingView,
  notices: readonly (Notice | false | undefined)[],
  content: Content,
  title = frame.wording.text('booking'),
) => page(frame, view.company, { title, notices, content });

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
            (each) =>
              html`<li>
                <label
                  ><input
                    type="radio"
                    name="service"
                    value="${each.Id}"
                    required
                    ${each.Id === service?.Id && html` checked`}
                  />
                  <strong>${each.Name}</strong> ${priceAndLength(wording, each)}${
                    each.Description && html`<small>${each.Description}</small>`
                  }</label
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

export const chosenSoFar = ({ service, zip, hasZip }: BookingView): Carried => ({
  service: String(service?.Id ?? ''),
  ...(hasZip ? {} : { zip }),
});

const priceOf = (wording: Wording, { price }: OfferedService): string => {
  if (!price) return '';
  const amount = wording.money(price.amount);
  return price.isFixed ? amount : wording.text('fromAmount', { amount });
};

const lengthOf = (wording: Wording, { minutes }: OfferedService): string =>
  minutes ? wording.text('aboutDuration', { duration: wording.duration(minutes) }) : '';

/** `from $50.00, about 1 hour`; `''` if the price book has neither. */
const priceAndLength = (wording: Wording, service: OfferedService): string =>
  [priceOf(wording, service), lengthOf(wording, service)].filter(Boolean).join(', ');

/** The choices so far with price and length, the time zone, and the way back. */
export function summary(frame: Frame, view: BookingView, carried: Carried, when?: Content): Html {
  const { wording } = frame;
  const { service, zip, hasZip, zone } = view;
  const back = new URLSearchParams({ lang: wording.language, ...(hasZip ? {} : { zip }), ...carried });
  return html`<section>
    <h2>${service?.Name}</h2>
    ${when}
    ${factList([
      [wording.text('price'), service && priceOf(wording, service)],
      [wording.text('length'), service && lengthOf(wording, service)],
      [wording.text('zip'), !hasZip && zip],
      [wording.text('zone'), wording.zoneName(zone)],
    ])}
    <p><a class="button quiet" href="${`${frame.path}?${back.toString()}`}">${wording.text('change')}</a></p>
  </section>`;
}

interface HeldVisit {
  readonly zone: string;
  /** Whether the client can confirm on this page. */
  readonly mayConfirm: boolean;
  /** Whether the company e-mails a link to confirm. */
  readonly isMailed: boolean;
}

/** Until when a visit waits for confirmation, and how to confirm it, unless that is done on this page. */
export const heldText = (wording: Wording, until: number, { zone, mayConfirm, isMailed }: HeldVisit): string =>
  wording.text(mayConfirm ? 'confirmBy' : isMailed ? 'heldEmailText' : 'heldText', {
    until: `${wording.day(until, zone)}, ${wording.time(until, zone)}`,
  });
