import { randomBytes } from 'node:crypto';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import type { ServiceRecord } from '../../lib/entities/services.ts';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { type BookingView, type Carried, UTM_FIELDS, servicePage } from '../../lib/pages/booking.ts';
import { bookedPage, detailsPage, readContactFields } from '../../lib/pages/booking-details.ts';
import { timesPage } from '../../lib/pages/booking-month.ts';
import type { Frame } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { bookVisit, findBooked, findCodeOwner, loadBookingPage, visitLink } from '../../lib/workflows/pages/booking.ts';
import type { Booker } from '../../lib/workflows/pages/booker.ts';
import {
  type ChosenTime,
  findFreeMonth,
  findNearestTimes,
  nameChosen,
  toOffered,
} from '../../lib/workflows/pages/booking-times.ts';
import { type FormCall, type Page, type PageCall, htmlAnswer, wrongFields } from './page.ts';
import { readDate, readId, readMoment, readMonth, readText } from './parameters.ts';

/** Free times next to one that is taken. */
const MAX_NEAREST = 8;

interface Loaded {
  readonly booker: Booker;
  readonly service: ServiceRecord | undefined;
  readonly view: BookingView;
  readonly frame: Frame;
  /** The marketing source, which goes from step to step. */
  readonly carried: Carried;
  answer(body: string, status?: number): PageAnswer;
}

async function load({ context, frame }: PageCall, chosen: URLSearchParams): Promise<Loaded | undefined> {
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

/** The page on which clients book a visit of an organization, step by step. */
export const booking: Page = {
  async show(call) {
    const query = new URLSearchParams(call.event.rawQueryString);
    const loaded = call.file === undefined ? await load(call, query) : undefined;
    if (!loaded) return undefined;
    const { booker, service, view, frame, carried, answer } = loaded;
    const { zip, isOpen } = view;
    // A link may name the service and the postal code; a form that was sent has both.
    const isSent = query.has('service') && (query.has('zip') || view.hasZip);
    if (!service || !zip || !isOpen) {
      const required = frame.wording.text('required');
      const errors = { ...(service ? {} : { service: required }), ...(zip ? {} : { zip: required }) };
      return answer(
        servicePage(frame, view, { carried, ...(isSent && { errors, notice: wrongFields(frame.wording, errors) }) }),
      );
    }
    const slot = readSlot(query);
    if (slot)
      return answer(detailsPage(frame, view, { slot: await nameChosen(booker, slot), carried, mark: newMark() }));
    const day = readDate(query, 'day');
    const month = readMonth(query, 'month') ?? day?.slice(0, 7);
    const found = await findFreeMonth(booker, { service, zip }, { month, from: readDate(query, 'from') });
    return answer(timesPage(frame, view, { found, day, carried }));
  },

  async showDone(call) {
    const mark = markIn(call.sent);
    const done = mark === undefined ? undefined : await findBooked(call.context, mark);
    const loaded = done && (await load(call, call.sent));
    return loaded && showBooked(call, loaded, done);
  },

  async send(call) {
    const loaded = call.action === 'book' ? await load(call, call.sent) : undefined;
    if (!loaded) return undefined;
    const { service, view, frame, carried, answer } = loaded;
    const { zip, isOpen } = view;
    if (!service || !zip || !isOpen) return answer(servicePage(frame, view, { carried }), 409);
    return book(call, { ...loaded, service, zip });
  },
};

/** Random: a form that is sent twice books once. */
const newMark = (): string => randomBytes(16).toString('base64url');

const markIn = (sent: URLSearchParams): string | undefined => /^[\w-]{22}$/.exec(sent.get('form') ?? '')?.[0];

/** A start, and behind a hyphen who was shown to come. */
function readSlot(sent: URLSearchParams): ChosenTime | undefined {
  const [at = '', agent = ''] = (sent.get('slot') ?? '').split('-');
  const start = readMoment(at);
  return start === undefined ? undefined : { start, agentId: readId(agent) };
}

interface Chosen extends Loaded {
  readonly service: ServiceRecord;
  readonly zip: string;
}

async function book(
  call: FormCall,
  { booker, view, frame, carried, answer, service, zip }: Chosen,
): Promise<PageAnswer> {
  const { sent, context } = call;
  const { wording } = frame;
  const slot = readSlot(sent);
  const mark = markIn(sent) ?? newMark();
  const note = readText(sent, 'note', 1000);
  const { values, missing } = readContactFields(sent, view);
  const again = { slot: slot && (await nameChosen(booker, slot)), carried, mark, values: { ...values, note } };
  const wrong = (errors: Readonly<Record<string, string>>) =>
    answer(detailsPage(frame, view, { ...again, errors, notice: wrongFields(wording, errors) }), 400);
  const nearest = async (start: number) => {
    const times = await findNearestTimes(booker, { service, zip, start }, MAX_NEAREST);
    const notice = { kind: 'bad', title: wording.text('takenTitle'), text: wording.text('takenText') } as const;
    if (!times.length) {
      const found = await findFreeMonth(booker, { service, zip }, { month: undefined, from: undefined });
      return answer(timesPage(frame, view, { found, day: undefined, carried, notice }), 409);
    }
    return answer(detailsPage(frame, view, { ...again, slot: undefined, times, notice, mark: newMark() }), 409);
  };
  if (!slot) return answer(servicePage(frame, view, { carried }), 400);
  if (missing.length) return wrong(Object.fromEntries(missing.map((name) => [name, wording.text('required')])));

  const { name: Name, email: Email, phone: Phone, address: Address1, city: City, state: State } = values;
  const source = Object.entries(UTM_FIELDS).flatMap(([name, field]) => (carried[name] ? [[field, carried[name]]] : []));
  const contact = { Name, Email, Phone, Address1, City, State, Zip: zip, ...Object.fromEntries(source) };
  let booked: Awaited<ReturnType<typeof bookVisit>>['appointment'] | undefined;
  const failure = await call.commit(async () => {
    const { appointment, changes } = await bookVisit(context, { form: mark, service, time: slot, contact, note });
    booked = appointment;
    return changes;
  });
  if (failure?.status === 400) return wrong(contactErrors(wording, failure));
  if (failure?.code === 'postal_code_owned') {
    const name = await findCodeOwner(context, zip);
    const [title, text] = [wording.text('elsewhereTitle', { zip }), wording.text('elsewhereText', { name })];
    return answer(servicePage(frame, view, { carried, notice: { kind: 'bad', title, text } }), 409);
  }
  if (failure?.code === 'limit_reached') {
    const notice = { kind: 'bad', title: wording.text('enoughTitle'), text: wording.text('enoughText') } as const;
    return answer(detailsPage(frame, view, { ...again, notice }), 409);
  }
  if (failure || !booked) return nearest(slot.start);
  return showBooked(call, { booker, view, frame, answer }, booked);
}

async function showBooked(
  { context }: FormCall,
  { booker, view, frame, answer }: Pick<Loaded, 'booker' | 'view' | 'frame' | 'answer'>,
  visit: AppointmentRecord,
): Promise<PageAnswer> {
  const link = await visitLink(context, visit);
  const { Start, ServiceAgentId: agentId, ServiceAgentName: agentName, HeldUntil: heldUntil } = visit;
  const time = toOffered(booker, { start: Start ?? 0, agentId, agentName });
  return answer(bookedPage(frame, view, { time, heldUntil, visitLink: link }));
}

const contactErrors = (wording: Wording, { errors }: Failure): Record<string, string> => {
  const isWrong = (field: string): boolean => errors.some((error) => error.field === field);
  return {
    ...(isWrong('Email') && { email: wording.text('badEmail') }),
    ...(isWrong('Phone') && { phone: wording.text('badPhone') }),
  };
};
