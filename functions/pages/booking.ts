import { randomBytes } from 'node:crypto';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import {
  type BookingView,
  type Carried,
  UTM_FIELDS,
  bookedPage,
  detailsPage,
  readContactFields,
  servicePage,
  timesPage,
} from '../../lib/pages/booking.ts';
import type { Frame } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import {
  type Booker,
  bookVisit,
  findBooked,
  findCodeOwner,
  findFreeTimes,
  findNearestTimes,
  loadBookingPage,
  visitLink,
} from '../../lib/workflows/pages/booking.ts';
import { type FormCall, type Page, type PageCall, htmlAnswer, wrongFields } from './page.ts';
import { readId, readMoment, readText } from './parameters.ts';

/** Free times next to one that is taken. */
const MAX_NEAREST = 8;

interface Loaded {
  readonly booker: Booker;
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
  return { booker: loaded.booker, view: loaded.view, frame: frame(loaded), carried, answer };
}

/** The page on which clients book a visit of an organization, step by step. */
export const booking: Page = {
  async show(call) {
    const query = new URLSearchParams(call.event.rawQueryString);
    const loaded = call.file === undefined ? await load(call, query) : undefined;
    if (!loaded) return undefined;
    const { booker, view, frame, carried, answer } = loaded;
    const { service, zip, isOpen } = view;
    // A link may name the service and the postal code; a form that was sent has both.
    const isSent = query.has('service') && (query.has('zip') || view.hasZip);
    if (!service || !zip || !isOpen) {
      const required = frame.wording.text('required');
      const errors = { ...(service ? {} : { service: required }), ...(zip ? {} : { zip: required }) };
      return answer(
        servicePage(frame, view, { carried, ...(isSent && { errors, notice: wrongFields(frame.wording, errors) }) }),
      );
    }
    const slot = readMoment(query.get('slot'));
    if (slot !== undefined) return answer(detailsPage(frame, view, { slot, carried, mark: newMark() }));
    const from = readMoment(query.get('from')) ?? call.context.now.getTime();
    const times = await findFreeTimes(booker, { service, zip, from });
    return answer(timesPage(frame, view, { times, carried }));
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
    const { view, frame, carried, answer } = loaded;
    const { service, zip, isOpen } = view;
    if (!service || !zip || !isOpen) return answer(servicePage(frame, view, { carried }), 409);
    return book(call, { ...loaded, service, zip });
  },
};

/** Random: a form that is sent twice books once. */
const newMark = (): string => randomBytes(16).toString('base64url');

const markIn = (sent: URLSearchParams): string | undefined => /^[\w-]{22}$/.exec(sent.get('form') ?? '')?.[0];

interface Chosen extends Loaded {
  readonly service: NonNullable<BookingView['service']>;
  readonly zip: string;
}

async function book(
  call: FormCall,
  { booker, view, frame, carried, answer, service, zip }: Chosen,
): Promise<PageAnswer> {
  const { sent, context } = call;
  const { wording } = frame;
  const slot = readMoment(sent.get('slot'));
  const mark = markIn(sent) ?? newMark();
  const note = readText(sent, 'note', 1000);
  const { values, missing } = readContactFields(sent, view);
  const again = { slot, carried, mark, values: { ...values, note } };
  const wrong = (errors: Readonly<Record<string, string>>) =>
    answer(detailsPage(frame, view, { ...again, errors, notice: wrongFields(wording, errors) }), 400);
  const nearest = async (start: number) => {
    const times = await findNearestTimes(booker, { service, zip, start }, MAX_NEAREST);
    const notice = { kind: 'bad', title: wording.text('takenTitle'), text: wording.text('takenText') } as const;
    if (!times.length) return answer(timesPage(frame, view, { times, carried, notice }), 409);
    return answer(detailsPage(frame, view, { ...again, slot: undefined, times, notice, mark: newMark() }), 409);
  };
  if (slot === undefined) return answer(servicePage(frame, view, { carried }), 400);
  if (missing.length) return wrong(Object.fromEntries(missing.map((name) => [name, wording.text('required')])));

  const { name: Name, email: Email, phone: Phone, address: Address1, city: City, state: State } = values;
  const source = Object.entries(UTM_FIELDS).flatMap(([name, field]) => (carried[name] ? [[field, carried[name]]] : []));
  const contact = { Name, Email, Phone, Address1, City, State, Zip: zip, ...Object.fromEntries(source) };
  let booked: Awaited<ReturnType<typeof bookVisit>>['appointment'] | undefined;
  const failure = await call.commit(async () => {
    const { appointment, changes } = await bookVisit(context, { form: mark, service, start: slot, contact, note });
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
  if (failure || !booked) return nearest(slot);
  return showBooked(call, { view, frame, answer }, booked);
}

async function showBooked(
  { context }: FormCall,
  { view, frame, answer }: Pick<Loaded, 'view' | 'frame' | 'answer'>,
  visit: AppointmentRecord,
): Promise<PageAnswer> {
  const link = await visitLink(context, visit);
  return answer(bookedPage(frame, view, { start: visit.Start ?? 0, heldUntil: visit.HeldUntil, visitLink: link }));
}

const contactErrors = (wording: Wording, { errors }: Failure): Record<string, string> => {
  const isWrong = (field: string): boolean => errors.some((error) => error.field === field);
  return {
    ...(isWrong('Email') && { email: wording.text('badEmail') }),
    ...(isWrong('Phone') && { phone: wording.text('badPhone') }),
  };
};
