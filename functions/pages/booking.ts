import { servicePage } from '../../lib/pages/booking-page.ts';
import { detailsPage } from '../../lib/pages/booking-details.ts';
import { timesPage } from '../../lib/pages/booking-month.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import { findBooked } from '../../lib/workflows/pages/booking.ts';
import { findFreeMonth, nameChosen } from '../../lib/workflows/pages/booking-times.ts';
import { leave, showOutside } from './booking-lead.ts';
import { type Loaded, load, markIn, newMark } from './booking-steps.ts';
import { book, readSlot, showBooked } from './booking-visit.ts';
import { type Page, type PageCall, doneBefore, wrongFields } from './page.ts';
import { readDate, readMonth } from './parameters.ts';

/** What is missing or wrong in the first step; empty if it has not been submitted yet. */
function firstErrors(query: URLSearchParams, { service, view, frame }: Loaded): Record<string, string> {
  const { zip, isZip, hasZip } = view;
  // A link may name the service and the postal code; a submitted form always has both.
  if (!query.has('service') || !(query.has('zip') || hasZip)) return {};
  const required = frame.wording.text('required');
  return {
    ...(!service && { service: required }),
    ...(!zip ? { zip: required } : !isZip && { zip: frame.wording.text('badZip') }),
  };
}

const leadSent = (call: PageCall, { frame: { wording } }: Loaded): Notice | undefined =>
  doneBefore(call) === 'lead'
    ? { kind: 'good', title: wording.text('leadSent'), text: wording.text('leadSentText') }
    : undefined;

/** The page on which clients book a visit with an organization, step by step. */
export const booking: Page = {
  async show(call) {
    const query = new URLSearchParams(call.event.rawQueryString);
    const loaded = call.file === undefined ? await load(call, query) : undefined;
    if (!loaded) return undefined;
    const { booker, service, view, frame, carried, answer } = loaded;
    const { zip, isZip, isOpen } = view;
    if (!service || !isZip || !isOpen) {
      const errors = firstErrors(query, loaded);
      const notice = leadSent(call, loaded) ?? wrongFields(frame.wording, errors);
      return answer(servicePage(frame, view, { carried, errors, notice }));
    }
    const slot = readSlot(query);
    if (slot)
      return answer(
        detailsPage(frame, view, { slot: await nameChosen(booker, service, slot), carried, mark: newMark() }),
      );
    const day = readDate(query, 'day');
    const month = readMonth(query, 'month') ?? day?.slice(0, 7);
    const found = await findFreeMonth(booker, { service, zip }, { month, from: readDate(query, 'from') });
    return found.outside
      ? showOutside({ ...loaded, service, zip }, found.outside)
      : answer(timesPage(frame, view, { found, day, carried, mark: newMark() }));
  },

  async showDone(call) {
    const mark = markIn(call.sent);
    const done = mark === undefined ? undefined : await findBooked(call.context, mark);
    const loaded = done && (await load(call, call.sent));
    return loaded && showBooked(call, loaded, done);
  },

  async send(call) {
    const step = call.action === 'book' ? book : call.action === 'lead' ? leave : undefined;
    const loaded = step && (await load(call, call.sent));
    if (!loaded) return undefined;
    const { service, view, frame, carried, answer } = loaded;
    const { zip, isZip, isOpen } = view;
    if (!service || !isZip || !isOpen) {
      const errors = firstErrors(call.sent, loaded);
      return answer(servicePage(frame, view, { carried, errors, notice: wrongFields(frame.wording, errors) }), 409);
    }
    return step(call, { ...loaded, service, zip });
  },
};
