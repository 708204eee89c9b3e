import type { PhoneCheck } from '../../lib/domain/phone-check.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import { countPhoneTry, uncountPhoneTry } from './limits.ts';
import { type FormCall, wrongFields } from './page.ts';
import { readText } from './parameters.ts';

/** How a form is refused that lacks the right digits of the client's phone. */
interface RefusedDigits {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly notice: Notice | undefined;
  readonly errors: { readonly phone?: string };
}

/** A page whose contact gives digits of its phone. */
interface CheckedPage {
  readonly view: { readonly phoneCheck: PhoneCheck };
  /** The id of the contact. */
  readonly contact: number;
  readonly phoneEndings: readonly string[];
}

/** Compares the digits that a form sent with the phones of its contact; `undefined`: it may go on. */
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
  // Counted first: whoever sends many at the same time compares no more of them.
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
