import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import { visitCalendar, visitPage } from '../../lib/pages/visit.ts';
import { askForAnotherTime, cancelVisit, confirmVisit, loadVisitPage } from '../../lib/workflows/pages/visit.ts';
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
import { readId, readText } from './parameters.ts';

const notices = { confirmed: 'confirmed', asked: 'requestSent', canceled: 'visitIsCanceled' } as const;

async function show(
  call: PageCall,
  { status = 200, errors = {} }: { status?: number; errors?: Record<string, string> } = {},
): Promise<PageAnswer | undefined> {
  const loaded = await loadVisitPage(call.context);
  if (!loaded) return undefined;
  const frame = call.frame(loaded);
  const done = notices[doneBefore(call) as keyof typeof notices];
  const notice: Notice | undefined = done
    ? { kind: 'good', title: frame.wording.text(done) }
    : status === 409
      ? nothingChanged(frame.wording)
      : wrongFields(frame.wording, errors);
  return htmlAnswer(visitPage(frame, loaded.view, { notice, errors }), status);
}

async function calendar({ context }: PageCall): Promise<PageAnswer | undefined> {
  const loaded = await loadVisitPage(context);
  if (!loaded) return undefined;
  const { target, now } = context;
  const { host } = new URL(process.env['BASE_URL'] ?? 'https://unknown.invalid');
  const uid = `visit-${target.account}-${target.id}@${host}`;
  return {
    status: 200,
    body: visitCalendar(loaded.view, { uid, now: now.getTime() }),
    type: 'text/calendar; charset=utf-8',
    headers: { 'Content-Disposition': 'attachment; filename="visit.ics"' },
  };
}

async function askAgain(call: FormCall): Promise<PageAnswer | undefined> {
  const message = readText(call.sent, 'message', 1000);
  if (!message) return show(call, { status: 400, errors: { message: call.frame().wording.text('required') } });
  const failure = await call.commit(() => askForAnotherTime(call.context, message));
  return failure ? show(call, { status: 409 }) : seeOther(call, 'asked');
}

async function cancel(call: FormCall): Promise<PageAnswer | undefined> {
  const { sent, context } = call;
  const reasonId = readId(sent.get('cancelReason'));
  const required = { cancelReason: call.frame().wording.text('required') };
  if (reasonId === undefined) return show(call, { status: 400, errors: required });
  const note = readText(sent, 'cancelNote', 1000);
  const failure = await call.commit(() => cancelVisit(context, { reasonId, note }));
  if (failure?.status === 400) return show(call, { status: 400, errors: required });
  return failure ? show(call, { status: 409 }) : seeOther(call, 'canceled');
}

/** The page on which a client follows a visit. */
export const visit: Page = {
  async show(call) {
    if (call.file === undefined) return show(call);
    return call.file === 'visit.ics' ? calendar(call) : undefined;
  },

  async send(call) {
    if (call.action === 'another-time') return askAgain(call);
    if (call.action === 'cancel') return cancel(call);
    if (call.action !== 'confirm' || call.context.target.page !== 'visit') return undefined;
    const failure = await call.commit(() => confirmVisit(call.context));
    return failure ? show(call, { status: 409 }) : seeOther(call, 'confirmed');
  },
};
