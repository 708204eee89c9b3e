import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { OfferedTime } from '../../lib/pages/booking-month.ts';
import { moveVisitPage } from '../../lib/pages/move-visit.ts';
import { visitCalendar, visitUid } from '../../lib/pages/visit-calendar.ts';
import { visitPage } from '../../lib/pages/visit-page.ts';
import { findNearestOtherTimes, findOtherTimes, moveVisit } from '../../lib/workflows/pages/move-visit.ts';
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
import { readMoment, readStart, readText } from './parameters.ts';

const notices = {
  confirmed: 'confirmed',
  asked: 'requestSent',
  canceled: 'visitIsCanceled',
  moved: 'visitIsMoved',
} as const;
const isNotice = (name: string): name is keyof typeof notices => Object.hasOwn(notices, name);

/** The most free times to offer around a taken one. */
const MAX_NEAREST = 8;

async function show(
  call: PageCall,
  { status = 200, errors = {} }: { status?: number; errors?: Record<string, string> } = {},
): Promise<PageAnswer | undefined> {
  const loaded = await loadVisitPage(call.context);
  if (!loaded) return undefined;
  const frame = call.frame(loaded);
  const done = doneBefore(call);
  const notice: Notice | undefined = isNotice(done)
    ? { kind: 'good', title: frame.wording.text(notices[done]) }
    : status === 409
      ? nothingChanged(frame.wording)
      : wrongFields(frame.wording, errors);
  return htmlAnswer(visitPage(frame, loaded.view, { notice, errors }), status);
}

async function calendar({ context }: PageCall): Promise<PageAnswer | undefined> {
  const loaded = await loadVisitPage(context);
  if (!loaded) return undefined;
  const { target, now } = context;
  const uid = visitUid(target.account, target.id, process.env['BASE_URL'] ?? 'https://unknown.invalid');
  return {
    status: 200,
    body: visitCalendar([{ ...loaded.view, uid }], { method: 'PUBLISH', now: now.getTime() }),
    type: 'text/calendar; charset=utf-8; method=PUBLISH',
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
  const reason = readText(sent, 'cancelReason', 200);
  const required = { cancelReason: call.frame().wording.text('required') };
  const note = readText(sent, 'cancelNote', 1000);
  const failure = await call.commit(() => cancelVisit(context, { reason, note }));
  if (failure?.status === 400) return show(call, { status: 400, errors: required });
  return failure ? show(call, { status: 409 }) : seeOther(call, 'canceled');
}

/** The free times for a visit; only the visit if its client may not move it. */
async function showTimes(
  call: PageCall,
  find: () => Promise<readonly OfferedTime[] | undefined>,
  { status = 200, error, notice }: { status?: number; error?: string; notice?: Notice | undefined } = {},
): Promise<PageAnswer | undefined> {
  const loaded = await loadVisitPage(call.context);
  if (!loaded) return undefined;
  const times = loaded.view.moveUntil === undefined ? undefined : await find();
  if (!times) return show(call, { status });
  return htmlAnswer(moveVisitPage(call.frame(loaded), loaded.view, { times, notice, error }), status);
}

async function move(call: FormCall): Promise<PageAnswer | undefined> {
  const { sent, context } = call;
  const { wording } = call.frame();
  const [from, to] = [readMoment(sent.get('start')), readStart(sent.get('slot'))];
  if (from === undefined || to === undefined) {
    const error = wording.text('required');
    const all = () => findOtherTimes(context, context.now.getTime());
    return showTimes(call, all, { status: 400, error, notice: wrongFields(wording, { slot: error }) });
  }
  const failure = await call.commit(() => moveVisit(context, { from, to }));
  if (!failure) return seeOther(call, 'moved');
  if (failure.code === 'wrong_state') return show(call, { status: 409 });
  const notice = { kind: 'bad', title: wording.text('takenTitle'), text: wording.text('moveTakenText') } as const;
  return showTimes(call, () => findNearestOtherTimes(context, to, MAX_NEAREST), { status: 409, notice });
}

/** The page on which a client follows a visit. */
export const visit: Page = {
  async show(call) {
    if (call.file === undefined) {
      const query = new URLSearchParams(call.event.rawQueryString);
      if (!query.has('move')) return show(call);
      const from = readMoment(query.get('from')) ?? call.context.now.getTime();
      return showTimes(call, () => findOtherTimes(call.context, from));
    }
    return call.file === 'visit.ics' ? calendar(call) : undefined;
  },

  async send(call) {
    if (call.action === 'another-time') return askAgain(call);
    if (call.action === 'cancel') return cancel(call);
    if (call.action === 'move') return move(call);
    if (call.action !== 'confirm' || call.context.target.page !== 'visit') return undefined;
    const failure = await call.commit(() => confirmVisit(call.context));
    return failure ? show(call, { status: 409 }) : seeOther(call, 'confirmed');
  },
};
