import { timeReservations } from '../../domain/appointments/calendar.ts';
import { Status } from '../../domain/appointments/record.ts';
import { overlaps } from '../../domain/scheduling/calendar.ts';
import { clockAt, isAhead, movedPlan, ruleOfVisit, withCancel, withMove } from '../../domain/subscriptions/series.ts';
import { describeRule, parseRecurrenceRule } from '../../domain/weekday-rule-text.ts';
import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { SeriesRecord } from '../../entities/series.ts';
import type { CancelInput, UpdateInput } from '../../resources/appointments.ts';
import { Failure, conflict, forbidden, invalid, orNotFound } from '../../shared/failure.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { dayNumber } from '../../shared/time/calendar-dates.ts';
import { MINUTE, startOfDate, toLocalDay } from '../../shared/time/time.ts';
import { findAppointment, listAppointments } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { StoreReader } from '../../store/store.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { findSeriesOf, seriesChange } from '../../store/series.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import type { Booking } from '../booking/types.ts';
import { cancelAppointment } from '../appointments/cancel-appointment.ts';
import { parseStart } from '../booking/place.ts';
import { updateAppointment } from '../appointments/update-appointment.ts';
import type { WriteContext } from '../context.ts';

/**
 * Changes a visit at once, and marks its series: the worker does the same with the visits that follow, one by one
 * (series-tasks.ts). The mark is in the transaction of the visit.
 */

/** A visit of a series, as it was read. */
interface SeriesVisit {
  readonly visit: AppointmentRecord;
  readonly series: SeriesRecord;
  /** Counted from 0. */
  readonly place: number;
}

/** The most cancellations of a series that may wait for the worker. */
const MAX_CHANGES = 10;

/** Throws conflict while a move waits, because the current places of its visits are not the ones they move to. */
async function loadUnmoved(context: WriteContext, id: number | null | undefined): Promise<SeriesVisit> {
  const found = await loadVisit(context, id);
  if (found.series.Changes.some(({ Kind }) => Kind !== 'cancel')) throw stillChanging();
  return found;
}

const stillChanging = (): Failure =>
  conflict('wrong_state', 'The series is still being changed. Repeat the call in a minute.');

async function loadVisit({ store, caller }: WriteContext, id: number | null | undefined): Promise<SeriesVisit> {
  if (caller.agent)
    throw forbidden('agent_forbidden', 'The key of a service agent changes single visits, not a series.', 'Scope');
  const visit = orNotFound(await findAppointment(store, id ?? 0), 'appointment', 'AppointmentId', id);
  const found = await findSeriesOf(store, visit);
  if (!found) throw mismatch(`cannot be following: ${await whyOfNoSeries(store, visit)}`);
  if (found.series.Changes.length >= MAX_CHANGES) throw stillChanging();
  return { visit, ...found };
}

async function whyOfNoSeries(store: StoreReader, { Id, Sold }: AppointmentRecord): Promise<string> {
  const proposal = Sold && (await findProposal(store, Sold.ProposalId));
  return proposal && scheduleVisits(proposal).length > 1
    ? `an earlier version queued the visits of proposal ${proposal.Id}. Ask the operator to run: npx fs account migrate`
    : `appointment ${Id} is of no series`;
}

const mismatch = (message: string): Failure => invalid({ field: 'Scope', code: 'mismatch', message });

/** Cancels a visit and those that follow. Visits that are not made yet will not be made. */
export async function cancelFollowing(request: CancelInput, context: WriteContext): Promise<Booking> {
  const found = await loadVisit(context, request.AppointmentId);
  const canceled = await cancelAppointment(request, context);
  const { CancelReasonId, CancelReason } = canceled.appointment;
  const after = withCancel(found.series, found.place, { ...requestOf(context), CancelReasonId, CancelReason });
  context.remark?.(following(found, 'canceled'));
  await remarkOnMoved(context, found);
  return { ...canceled, changes: [...canceled.changes, mark(context, found, after)] };
}

/** Moves a visit; those that follow move by as many days and to the same time of day and agents. */
export async function moveFollowing(request: UpdateInput, context: WriteContext) {
  const found = await loadUnmoved(context, request.AppointmentId);
  const { visit } = found;
  if (visit.Start === null) throw mismatch('cannot be following: the visit waits; appointments/book gives it a time');
  const { includesFirst, moved, ...updated } = await moveFirst(request, context, found);
  await remarkOnMoved(context, found);
  if (moved.Start === null) throw mismatch('cannot be following where the visit goes back into the queue');
  const [from, to] = [clockAt(visit.Start, moved.Zone), clockAt(moved.Start, moved.Zone)];
  const marks = markMove(context, found, {
    Kind: 'move',
    shift: shiftOf(visit, moved),
    includesFirst,
    Clock: from === to ? null : to,
    ServiceAgentId: moved.ServiceAgentId === visit.ServiceAgentId ? 0 : moved.ServiceAgentId,
    AdditionalAgents: isEqual(agentIds(visit), agentIds(moved)) ? null : moved.AdditionalAgents,
  });
  return { ...updated, changes: [...updated.changes, ...marks] };
}

/** The days by which a visit moves. */
const shiftOf = (from: AppointmentRecord, { Start, Zone }: AppointmentRecord): number =>
  toLocalDay(Start ?? 0, Zone) - (from.Start === null ? dayNumber(from.QueueDate) : toLocalDay(from.Start, Zone));

/** The rule of a visit's part of the series once the visit is at another time, with those that follow. */
const ruleAfterMove =
  ({ visit, series, place }: SeriesVisit) =>
  (moved: AppointmentRecord): string =>
    ruleOfVisit(movedPlan(series, place, moved.Start === null ? 0 : shiftOf(visit, moved)), place);

const agentIds = ({ AdditionalAgents }: AppointmentRecord): number[] =>
  AdditionalAgents.map(({ ServiceAgentId }) => ServiceAgentId);

/** Books a waiting visit, and those that follow, at the same time of day with the same agents. */
export async function bookFollowing(request: UpdateInput, context: WriteContext): Promise<Booking> {
  const found = await loadUnmoved(context, request.AppointmentId);
  const { visit } = found;
  if (visit.Status !== Status.Queued)
    throw mismatch('cannot be following: the visit does not wait; appointments/update moves it');
  const booked = await bookAppointment(request, context, { ruleOf: ruleAfterMove(found) });
  await remarkOnMoved(context, found);
  const { Start, Zone, ServiceAgentId, AdditionalAgents } = booked.appointment;
  const marks = markMove(context, found, {
    Kind: 'book',
    shift: shiftOf(visit, booked.appointment),
    includesFirst: false,
    Clock: clockAt(Start ?? 0, Zone),
    ServiceAgentId,
    AdditionalAgents,
  });
  return { ...booked, changes: [...booked.changes, ...marks] };
}

type Move = Omit<Parameters<typeof withMove>[2], 'At' | 'By'>;

function markMove(context: WriteContext, found: SeriesVisit, move: Move): Change[] {
  if (!move.shift && move.Clock === null && !move.ServiceAgentId && !move.AdditionalAgents) {
    context.remark?.('No visit that follows is moved.');
    return [];
  }
  context.remark?.(following(found, move.Kind === 'book' ? 'booked' : 'moved'));
  context.remark?.('A visit whose new time is taken stays as it is, and a task tells the office.');
  const after = withMove(found.series, found.place, { ...move, ...requestOf(context) });
  const rule = move.shift ? parseRecurrenceRule(ruleOfVisit(after, found.place)) : undefined;
  if (rule) context.remark?.(`From this visit on, the series is ${describeRule(rule)}.`);
  return [mark(context, found, after)];
}

const requestOf = ({ caller, now }: WriteContext) => ({ At: now.getTime(), By: caller.keyName });

/** For example `57 visits follow, and are moved in the background.` */
function following({ series, place }: SeriesVisit, done: string): string {
  const count = series.Days.length - 1 - place;
  return `${count === 1 ? '1 visit follows, and is' : `${count} visits follow, and are`} ${done} in the background.`;
}

/**
 * Names the visits that were moved individually: later ones, which stay, and earlier ones, which follow nevertheless.
 */
async function remarkOnMoved({ store, remark }: WriteContext, { visit, series, place }: SeriesVisit) {
  const visits = (await listAppointments(store, series.VisitIds)).filter(isAhead);
  const name = (isMoved: (other: AppointmentRecord, otherPlace: number) => boolean, words: string): void => {
    const ids = visits.filter((each) => isMoved(each, series.VisitIds.indexOf(each.Id))).map(({ Id }) => Id);
    if (ids.length) remark?.(`${ids.length === 1 ? 'Appointment' : 'Appointments'} ${ids.join(', ')} ${words}.`);
  };
  const own = dateOf(visit);
  name((each, other) => other < place && dateOf(each) > own, 'was moved behind this one alone, and stays');
  name((each, other) => other > place && dateOf(each) < own, 'was moved in front of this one alone, and follows');
}

const dateOf = ({ Start, QueueDate, Zone }: AppointmentRecord): number =>
  Start ?? (QueueDate ? startOfDate(QueueDate, Zone) : 0);

const mark = ({ store, now }: WriteContext, { series: before }: SeriesVisit, after: SeriesRecord): Change =>
  seriesChange(store, { before, after, now });

/** Moves the visit itself, unless a following visit has the time: then the worker moves it after that one. */
async function moveFirst(request: UpdateInput, context: WriteContext, found: SeriesVisit) {
  const { visit } = found;
  const version = visit.V;
  try {
    const updated = await updateAppointment(request, context, { version, ruleOf: ruleAfterMove(found) });
    return { ...updated, moved: updated.appointment, includesFirst: false };
  } catch (error) {
    const moved = await waitingMove(request, context, found, error);
    if (!moved) throw error;
    const updated = await updateAppointment(omit(request, 'Slots'), context, { version });
    return { ...updated, moved, includesFirst: true };
  }
}

/** The visit at its new time, if visits that follow occupy that time. */
async function waitingMove(
  { Slots }: UpdateInput,
  { store }: WriteContext,
  { visit, series, place }: SeriesVisit,
  error: unknown,
): Promise<AppointmentRecord | undefined> {
  const slot = Slots?.[0];
  const isSimple = slot?.DateTime && !slot.AdditionalServiceAgents?.length && slot.AdditionalServiceAgents !== null;
  if (!isSimple || !(error instanceof Failure) || error.code !== 'slot_taken') return undefined;
  const Start = parseStart(slot.DateTime ?? '', visit.Zone);
  const span = { start: Start, end: Start + visit.Duration * MINUTE };
  const later = await listAppointments(store, series.VisitIds.slice(place + 1));
  const takes = later.some((each) => timeReservations(each).some((time) => overlaps(time, span)));
  return takes ? { ...visit, Start, ServiceAgentId: slot.ServiceAgentId || visit.ServiceAgentId } : undefined;
}
