import { randomBytes } from 'node:crypto';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { ServiceRecord } from '../../lib/entities/services.ts';
import { type BookingView, type Carried, UTM_FIELDS, servicePage } from '../../lib/pages/booking-page.ts';
import type { Frame } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { findOtherOwner, loadBookingPage } from '../../lib/workflows/pages/booking.ts';
import type { Booker } from '../../lib/workflows/pages/booker.ts';
import { type PageCall, htmlAnswer } from './page.ts';
import { readId, readText } from './parameters.ts';

/** What the steps of the booking page share: the current page, the choices so far, and the submitted form. */

export interface Loaded {
  readonly booker: Booker;
  readonly service: ServiceRecord | undefined;
  readonly view: BookingView;
  readonly frame: Frame;
  /** The marketing source, passed on from step to step. */
  readonly carried: Carried;
  answer(body: string, status?: number): PageAnswer;
}

export async function load({ context, frame }: PageCall, chosen: URLSearchParams): Promise<Loaded | undefined> {
  const zip = readText(chosen, 'zip', 20);
  const loaded = await loadBookingPage(context, { serviceId: readId(chosen.get('service')), zip });
  if (!loaded) return undefined;
  const carried = Object.fromEntries(
    Object.keys(UTM_FIELDS).flatMap((name) => {
      const value = readText(chosen, name, 200);
      return value ? [[name, value]] : [];
    }),
  );
  const answer = (body: string, status = 200) => ({ ...htmlAnswer(body, status), frameOrigins: loaded.origins });
  const { booker, service, view } = loaded;
  return { booker, service, view, frame: frame(loaded), carried, answer };
}

/** A page with a chosen service and place. */
export interface Chosen extends Loaded {
  readonly service: ServiceRecord;
  readonly zip: string;
}

/** A random mark: a form that is sent twice books once. */
export const newMark = (): string => randomBytes(16).toString('base64url');

export const markIn = (sent: URLSearchParams): string | undefined => /^[\w-]{22}$/.exec(sent.get('form') ?? '')?.[0];

/** The contact fields that store the marketing source. */
export const sourceOf = (carried: Carried): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(UTM_FIELDS).flatMap(([name, field]) => (carried[name] ? [[field, carried[name]]] : [])),
  );

/** The answer to a postal code of another organization; `undefined` if no organization owns it. */
export async function showOtherOwner(
  { booker, view, frame, carried, answer }: Loaded,
  zip: string,
  status = 200,
): Promise<PageAnswer | undefined> {
  const name = await findOtherOwner(booker, zip);
  if (!name) return undefined;
  const { wording } = frame;
  const [title, text] = [wording.text('elsewhereTitle', { zip }), wording.text('elsewhereText', { name })];
  return answer(servicePage(frame, view, { carried, notice: { kind: 'bad', title, text } }), status);
}

/** The errors of a contact by form field. */
export const contactErrors = (wording: Wording, { errors }: Failure): Record<string, string> => {
  const isWrong = (field: string): boolean => errors.some((error) => error.field === field);
  return {
    ...(isWrong('Email') && { email: wording.text('badEmail') }),
    ...(isWrong('Phone') && { phone: wording.text('badPhone') }),
  };
};
