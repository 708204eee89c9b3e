import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { arrivalOf } from '../../lib/domain/appointments/record.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import { servicePage } from '../../lib/pages/booking-page.ts';
import { bookedPage, detailsPage, readContactFields } from '../../lib/pages/booking-details.ts';
import { timesPage } from '../../lib/pages/booking-month.ts';
import { bookVisit, visitLink } from '../../lib/workflows/pages/booking.ts';
import {
  type ChosenTime,
  findFreeMonth,
  findNearestTimes,
  nameChosen,
  toOffered,
} from '../../lib/workflows/pages/booking-times.ts';
import { sendsLinks } from '../../lib/workflows/pages/sends-links.ts';
import { type Chosen, type Loaded, contactErrors, markIn, newMark, showOtherOwner, sourceOf } from './booking-steps.ts';
import { type FormCall, wrongFields } from './page.ts';
import { readId, readStart, readText } from './parameters.ts';

/** The most free times to offer around a taken one. */
const MAX_NEAREST = 8;

/** A start and, after a hyphen, the agent that was shown. */
export function readSlot(sent: URLSearchParams): ChosenTime | undefined {
  const [at = '', agent = ''] = (sent.get('slot') ?? '').split('-');
  const start = readStart(at);
  return start === undefined ? undefined : { start, agentId: readId(agent) };
}

/** Books what a form requests. */
export async function book(call: FormCall, chosen: Chosen): Promise<PageAnswer> {
  const { booker, view, frame, carried, answer, service, zip } = chosen;
  const { sent, context } = call;
  const { wording } = frame;
  const slot = readSlot(sent);
  const mark = markIn(sent) ?? newMark();
  const note = readText(sent, 'note', 1000);
  const { values, missing } = readContactFields(sent, view);
  const again = { slot: slot && (await nameChosen(booker, service, slot)), carried, mark, values: { ...values, note } };
  const wrong = (errors: Readonly<Record<string, string>>) =>
    answer(detailsPage(frame, view, { ...again, errors, notice: wrongFields(wording, errors) }), 400);
  const nearest = async (start: number) => {
    const times = await findNearestTimes(booker, { service, zip, start }, MAX_NEAREST);
    const notice = { kind: 'bad', title: wording.text('takenTitle'), text: wording.text('takenText') } as const;
    if (!times.length) {
      const found = await findFreeMonth(booker, { service, zip }, { month: undefined, from: undefined });
      return answer(timesPage(frame, view, { found, day: undefined, carried, notice, mark: newMark() }), 409);
    }
    return answer(detailsPage(frame, view, { ...again, slot: undefined, times, notice, mark: newMark() }), 409);
  };
  if (!slot) {
    const notice = { kind: 'bad', title: wording.text('tryAgain') } as const;
    return answer(servicePage(frame, view, { carried, notice }), 400);
  }
  if (missing.length) return wrong(Object.fromEntries(missing.map((name) => [name, wording.text('required')])));

  const { name: Name, email: Email, phone: Phone, city: City, state: State } = values;
  const { address: Address1, address2: Address2 } = values;
  const { language: Language } = wording;
  const contact = { Name, Email, Phone, Address1, Address2, City, State, Zip: zip, Language, ...sourceOf(carried) };
  let booked: Awaited<ReturnType<typeof bookVisit>>['appointment'] | undefined;
  const failure = await call.commit(async () => {
    const { appointment, changes } = await bookVisit(context, { form: mark, service, time: slot, contact, note });
    booked = appointment;
    return changes;
  });
  if (failure?.status === 400) return wrong(contactErrors(wording, failure));
  if (failure?.code === 'postal_code_owned')
    return (await showOtherOwner(chosen, zip, 409)) ?? answer(servicePage(frame, view, { carried }), 409);
  if (failure?.code === 'limit_reached') {
    const notice = { kind: 'bad', title: wording.text('enoughTitle'), text: wording.text('enoughText') } as const;
    return answer(detailsPage(frame, view, { ...again, notice }), 409);
  }
  if (failure || !booked) return nearest(slot.start);
  return showBooked(call, { booker, view, frame, answer }, booked);
}

/** Shows what is booked, and where to follow it. */
export async function showBooked(
  { context }: FormCall,
  { booker, view, frame, answer }: Pick<Loaded, 'booker' | 'view' | 'frame' | 'answer'>,
  visit: AppointmentRecord,
): Promise<PageAnswer> {
  const [link, isMailed] = await Promise.all([
    visitLink(context, visit),
    visit.HeldUntil !== null && sendsLinks(context.store, visit),
  ]);
  const { Start, ServiceAgentId: agentId, ServiceAgentName: agentName, HeldUntil: heldUntil } = visit;
  const time = toOffered(booker, { start: Start ?? 0, arrival: arrivalOf(visit), agentId, agentName });
  const booked = {
    company: view.company,
    start: time.start,
    duration: visit.Duration,
    arrivalThrough: visit.ArrivalThrough,
    service: visit.ServiceName,
    // Whoever booked must not see the address of an existing contact.
    address: '',
    link,
  };
  return answer(bookedPage(frame, view, { ...booked, time, heldUntil, isMailed }));
}
