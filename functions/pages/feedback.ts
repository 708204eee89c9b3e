import { MAX_CLIENT_TIP, MIN_CLIENT_TIP, parseTip } from '../../lib/domain/appointments/tips.ts';
import { cents } from '../../lib/shared/money.ts';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { feedbackPage } from '../../lib/pages/feedback.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import { checkoutOrigin } from '../../lib/payments/stripe.ts';
import { giveFeedback, loadFeedbackPage } from '../../lib/workflows/pages/visit.ts';
import { RETURN, returnFromCheckout, sendToCheckout } from './checkout.ts';
import {
  type FormCall,
  type Page,
  type PageCall,
  doneBefore,
  htmlAnswer,
  nothingChanged,
  seeOther,
  wrongFields,
} from './page.ts';
import { readText } from './parameters.ts';

async function show(
  call: PageCall,
  {
    status = 200,
    failure,
    ...refused
  }: { status?: number; errors?: Record<string, string>; amount?: string; failure?: Notice } = {},
): Promise<PageAnswer | undefined> {
  const loaded = await loadFeedbackPage(call.context);
  if (!loaded) return undefined;
  const frame = call.frame(loaded);
  const { wording } = frame;
  const thanks = { kind: 'good', title: wording.text('thanks'), text: wording.text('thanksText') } as const;
  const notice = failure ?? wrongFields(wording, refused.errors) ?? (doneBefore(call) === 'sent' ? thanks : undefined);
  const answer = htmlAnswer(feedbackPage(frame, loaded.view, { notice, ...refused }), status);
  return loaded.view.tip.isOffered ? { ...answer, formOrigins: [checkoutOrigin()] } : answer;
}

/** The page on which a client rates a visit and tips. */
export const feedback: Page = {
  async show(call) {
    if (call.file === undefined) return show(call);
    return call.file === RETURN ? returnFromCheckout(call) : undefined;
  },

  async send(call) {
    if (call.action === 'tip') return tip(call);
    const { sent, context } = call;
    const [score, note] = [sent.get('score'), readText(sent, 'note', 4000)];
    if (score !== null && !/^(?:\d|10)$/.test(score)) return undefined;
    if (score === null && !note)
      return show(call, { status: 400, errors: { score: call.frame().wording.text('required') } });
    const given = { score: score === null ? null : Number(score), note, contactMe: sent.get('contact') === '1' };
    const failure = await call.commit(() => giveFeedback(context, given));
    if (!failure) return seeOther(call, 'sent');
    return show(call, { status: 409, failure: nothingChanged(call.frame().wording) });
  },
};

/** Starts the payment of a tip: a percentage of the price in the record, or an amount within bounds. */
async function tip(call: FormCall): Promise<PageAnswer | undefined> {
  const loaded = await loadFeedbackPage(call.context);
  if (!loaded) return undefined;
  const { view } = loaded;
  if (!view.tip.isOffered) return seeOther(call, '');
  const { wording } = call.frame(loaded);
  const chosen = view.tip.choices.find(({ percent }) => String(percent) === call.sent.get('tip'));
  const typed = readText(call.sent, 'amount', 20);
  const amount = chosen?.amount ?? parseTip(typed);
  if (amount === undefined)
    return show(call, {
      status: 400,
      amount: typed,
      errors: {
        amount: wording.text('tipRange', {
          from: wording.money(MIN_CLIENT_TIP),
          through: wording.money(MAX_CLIENT_TIP),
        }),
      },
    });
  const title = `${wording.text('tipTitle')}, ${view.company.name}`.slice(0, 250);
  const request = { ...loaded, price: { cents: cents(amount), title }, customer: '' };
  return sendToCheckout(call, request, (failure) => show(call, { failure }));
}
