import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { type OutsideCause, outsidePage } from '../../lib/pages/booking-outside.ts';
import { leaveLead } from '../../lib/workflows/pages/leave-lead.ts';
import { type Chosen, contactErrors, markIn, newMark, showOtherOwner, sourceOf } from './booking-steps.ts';
import { type FormCall, seeOther, wrongFields } from './page.ts';
import { readMonth, readText } from './parameters.ts';

/** Says that a postal code is not served, or which organization serves it. */
export const showOutside = async (chosen: Chosen, cause: OutsideCause): Promise<PageAnswer> => {
  const { view, frame, carried, answer, zip } = chosen;
  return (await showOtherOwner(chosen, zip)) ?? answer(outsidePage(frame, view, { cause, carried, mark: newMark() }));
};

/** Stores the contact details of somebody whose postal code is not served. */
export async function leave(call: FormCall, chosen: Chosen): Promise<PageAnswer> {
  const { view, frame, carried, answer, service, zip } = chosen;
  const { wording } = frame;
  const read = (name: string, most: number) => readText(call.sent, name, most);
  const [name, phone, email, note] = [read('name', 200), read('phone', 50), read('email', 254), read('note', 1000)];
  const mark = markIn(call.sent) ?? newMark();
  const month = readMonth(call.sent, 'month');
  const again = (status: number, errors: Readonly<Record<string, string>>) => {
    const failed = { kind: 'bad', title: wording.text('tryAgain') } as const;
    const notice = wrongFields(wording, errors) ?? failed;
    const values = { name, phone, email, note };
    const cause = month === undefined ? 'unserved' : 'full';
    return answer(outsidePage(frame, view, { cause, month, carried, mark, values, errors, notice }), status);
  };
  const missing = {
    ...(!name && { name: wording.text('required') }),
    ...(!phone && !email && { phone: wording.text('phoneOrEmail') }),
  };
  if (Object.keys(missing).length) return again(400, missing);
  const { language: Language } = wording;
  const contact = { Name: name, Phone: phone, Email: email, Zip: zip, Language, ...sourceOf(carried) };
  const failure = await call.commit(() => leaveLead(call.context, { form: mark, service, month, contact, note }));
  if (failure?.code === 'postal_code_owned') {
    const elsewhere = await showOtherOwner(chosen, zip, 409);
    if (elsewhere) return elsewhere;
  }
  return failure ? again(failure.status, contactErrors(wording, failure)) : seeOther(call, 'lead');
}
