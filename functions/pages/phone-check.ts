import type { PhoneCheck } from '../../lib/domain/phone-check.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import { countPhoneTry } from './limits.ts';
import { type FormCall, wrongFields } from './page.ts';
import { readText } from './parameters.ts';

/** How a form is refused that lacks the right digits of the client's phone. */
interface RefusedDigits {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly notice: Notice | undefined;
  readonly errors: { readonly phone?: string };
}

/** Compares the digits that a form sent with the phones of its contact; `undefined`: it may go on. */
export async function refuseDigits(
  call: FormCall,
  wording: Wording,
  {
    view,
    phoneEndings,
  }: { readonly view: { readonly phoneCheck: PhoneCheck }; readonly phoneEndings: readonly string[] },
): Promise<RefusedDigits | undefined> {
  if (view.phoneCheck === 'none') return undefined;
  if (view.phoneCheck === 'missing')
    return { status: 409, notice: { kind: 'bad', title: wording.text('phoneMissing') }, errors: {} };
  const digits = readText(call.sent, 'phone', 10);
  if (!digits) return refused(wording, wording.text('required'));
  // Counted first: whoever sends many at the same time compares no more of them.
  const seconds = await countPhoneTry(call);
  if (seconds > 0)
    return {
      status: 429,
      headers: { 'Retry-After': String(seconds) },
      notice: { kind: 'bad', title: wording.text('tooManyTitle'), text: wording.text('tooManyText') },
      errors: {},
    };
  return phoneEndings.includes(digits) ? undefined : refused(wording, wording.text('wrongDigits'));
}

const refused = (wording: Wording, phone: string): RefusedDigits => ({
  status: 400,
  notice: wrongFields(wording, { phone }),
  errors: { phone },
});
