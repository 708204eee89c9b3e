import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { feedbackPage } from '../../lib/pages/feedback.ts';
import { giveFeedback, loadFeedbackPage } from '../../lib/workflows/pages/visit.ts';
import { type Page, type PageCall, doneBefore, htmlAnswer, seeOther } from './page.ts';

async function show(
  call: PageCall,
  { status = 200, errors = {} }: { status?: number; errors?: Record<string, string> } = {},
): Promise<PageAnswer | undefined> {
  const loaded = await loadFeedbackPage(call.context);
  if (!loaded || call.file !== undefined) return undefined;
  const frame = call.frame(loaded);
  const { wording } = frame;
  const thanks = { kind: 'good', title: wording.text('thanks'), text: wording.text('thanksText') } as const;
  const notice = doneBefore(call) === 'sent' ? thanks : undefined;
  return htmlAnswer(feedbackPage(frame, loaded.view, { notice, errors }), status);
}

/** The page on which a client says how a visit was. */
export const feedback: Page = {
  show: (call) => show(call),

  async send(call) {
    const { sent, context } = call;
    const [score, note] = [sent.get('score'), (sent.get('note') ?? '').slice(0, 4000)];
    if (score !== null && !/^(?:\d|10)$/.test(score)) return undefined;
    if (score === null && !note.trim())
      return show(call, { status: 400, errors: { score: call.frame().wording.text('required') } });
    const given = { score: score === null ? null : Number(score), note, contactMe: sent.get('contact') === '1' };
    const failure = await call.commit(() => giveFeedback(context, given));
    return failure ? show(call, { status: 409 }) : seeOther(call, 'sent');
  },
};
