import type { PhoneCheck } from '../../lib/domain/phone-check.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import { countPhoneTry, uncountPhoneTry } from './limits.ts';
import { type FormCall, wrongFields } from './page.ts';
import { readText } from './parameters.ts';

/** The answer to a form without the right digits of the client's phone. */
interface RefusedDigits {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly notice: Notice | undefined;
  readonly errors: { readonly phone?: string };
}

/** A page on which the contact enters phone digits. */
interface CheckedPage {
  readonly view: { readonly phoneCheck: PhoneCheck };
  /** The id of the contact. */
  readonly contact: number;
  readonly phoneEndings: readonly string[];
}

/** Compares the digits in a form with the contact's phones; `undefined` if it may go on. */
export async function refuseDigits(
  call: FormCall,
  wording: Wording,
  { view, contact, phoneEndings }: CheckedPage,
): Promise<RefusedDigits | undefined> {
  if (view.phoneCheck === 'none') return undefined;
  if (view.phoneCheck === 'missing')
    return { status: 409, notice: { kind: 'bad', title: wording.text('phoneMissing') }, errors: {} };
  const digits = readText(call.sent, 'phone', 10);
  if (!digits) return refused(wording, wording.text('required'));
  // Counted first, so that many simultaneous attempts do not get more comparisons.
  const seconds = await countPhoneTry(call, contact);
  if (seconds > 0)
    return {
      status: 429,
      headers: { 'Retry-After': String(seconds) },
      notice: { kind: 'bad', title: wording.text('tooManyTitle'), text: wording.text('tooManyText') },
      errors: {},
    };
  if (!phoneEndings.includes(digits)) return refused(wording, wording.text('wrongDigits'));
  await uncountPhoneTry(call, contact);
  return undefined;
}

const refused = (wording: Wording, phone: string): RefusedDigits => ({
  status: 400,
  notice: wrongFields(wording, { phone }),
  errors: { phone },
});
