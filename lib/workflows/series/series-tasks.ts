import { Status, arrivalOf, toQueued } from '../../domain/appointments/record.ts';
import { arrivalWindowAround } from '../../domain/scheduling/arrival-windows.ts';
import {
  type SeriesMark,
  afterVisit,
  momentOn,
  ruleOfVisit,
  visitStep,
  visitsLeft,
  waitsForVisits,
  withKept,
  withMark,
} from '../../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { SeriesChange, SeriesRecord } from '../../entities/series.ts';
import type { BookInput } from '../../resources/appointments.ts';
import type { Attributes, StreamRecord } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome, Progress } from '../../shared/batch.ts';
import { dateText } from '../../shared/time/calendar-dates.ts';
import { Failure, InternalError } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { toFriendly, toUtc } from '../../shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { type TableWriter, withCurrentValues } from '../../store/dynamodb/table.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { findSoldSeries, seriesChange } from '../../store/series.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import type { BookingContext } from '../booking/types.ts';
import { loadBookingContext } from '../booking/resolve.ts';
import { cancelFor } from '../appointments/cancel-appointment.ts';
import { releaseTime } from '../booking/release.ts';
import { tryReserveTime } from '../booking/reserve.ts';
import { toArrival, newAppointment } from '../booking/place.ts';
import { updateAppointment } from '../appointments/update-appointment.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { WriteContext } from '../context.ts';
import { newOfficeTask } from '../pages/office-task.ts';
import { runStreamTasks, workOff } from '../queues/stream-tasks.ts';
import type { StoreWriter } from '../../store/store.ts';

/**
 * The worker's part of a series, one transaction per visit: changes of visits that follow one, then visits that are
 * still to be booked.
 */

/** Makes and changes the visits of series, for a batch of the stream: those sold by proposals, or those booked. */
export const runSeriesTasks = (
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
  find: typeof findSoldSeries,
): Promise<BatchOutcome> =>
  runStreamTasks(table, records, options, {
    entity: 'Series',
    isDue: (image) => Number(image['Left']?.N) > 0 && isSold(image) === (find === findSoldSeries),
    run: (store, id) => workOff(() => workOffNextVisit(store, () => find(store, id), options.now), options),
  });

const isSold = (image: Attributes): boolean => Number(image['ProposalId']?.N ?? 0) > 0;

/**
 * Changes or makes the next visit of a series. None is left while visits still wait for the proposal to queue them,
 * because queueing changes the series. Writes at once. Safe to repeat, also concurrently and after a kill: the
 * transaction of a visit requires the version of the series that was read and moves it to the next visit.
 */
export function workOffNextVisit(
  writer: StoreWriter,
  find: () => Promise<SeriesRecord | undefined>,
  now: Date,
): Promise<Progress> {
  return retryOnConflict(async () => {
    const store = { ...writer, table: withCurrentValues(writer.table) };
    const before = await find();
    if (!before || visitsLeft(before) === 0 || waitsForVisits(before)) return { queued: 0, left: 0 };
    const [change] = before.Changes;
    const step = change
      ? await changeVisit(contextOf(store, now, change.By), before, change)
      : await makeVisit(contextOf(store, now), before);
    const { after, task } = await withTask(store, step, now);
    await store.table.commit([...step.changes, ...task, seriesChange(store, { before, after, now })]);
    return { queued: 1, left: visitsLeft(after) };
  });
}

const contextOf = (store: StoreWriter, now: Date, keyName = ''): WriteContext => ({
  store,
  caller: accountCaller(store.account, { role: 'Office', keyName }),
  now,
});

/** The outcome for a series and one of its visits. */
interface Step {
  readonly series: SeriesRecord;
  readonly visit: AppointmentRecord | undefined;
  readonly changes: readonly Change[];
}

/** Why the same call by an office would fail; rethrows any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

async function changeVisit(context: WriteContext, series: SeriesRecord, change: SeriesChange): Promise<Step> {
  const visit = await findAppointment(context.store, series.VisitIds[change.Next] ?? 0);
  const done = { series: afterVisit(series), visit };
  if (!visit) return { ...done, changes: [] };
  try {
    const ruleOf = () => ruleOfVisit(series, change.Next);
    return { ...done, changes: await visitChanges(context, change, visit, { movedAt: change.At, ruleOf }) };
  } catch (error) {
    const place = visit.Start === null ? visit.QueueDate : toFriendly(visit.Start, visit.Zone);
    const kept = withKept(done.series, `Appointment ${visit.Id} stays at ${place}. ${reasonOf(error)}`);
    return { series: kept, visit, changes: [] };
  }
}

async function visitChanges(
  context: WriteContext,
  change: SeriesChange,
  before: AppointmentRecord,
  mark: SeriesMark,
): Promise<readonly Change[]> {
  const step = visitStep(change, before);
  switch (step.kind) {
    case 'none':
      return [];
    case 'cancel':
      return (await cancelFor(pick(change, 'CancelReasonId', 'CancelReason'), context, { before, note: '' })).changes;
    case 'queue':
      return (await releaseTime(context, { before, after: withMark({ ...before, QueueDate: step.date }, mark) }))
        .changes;
    case 'book':
      return (await bookAppointment(slotRequest(change, before, step.start), context, mark)).changes;
    case 'move':
      return (await updateAppointment(slotRequest(change, before, step.start), context, { version: before.V, ...mark }))
        .changes;
  }
}

function slotRequest(
  { ServiceAgentId, AdditionalAgents }: SeriesChange,
  { Id: AppointmentId }: AppointmentRecord,
  start: number,
): BookInput {
  const others = AdditionalAgents?.map(({ ServiceAgentId: Id, StartMinute, Duration }) => ({
    ServiceAgent: { Id },
    StartMinute,
    Duration,
  }));
  const slot = {
    DateTime: toUtc(start),
    ...(ServiceAgentId ? { ServiceAgentId } : {}),
    ...(others ? { AdditionalServiceAgents: others.length ? others : null } : {}),
  };
  return { AppointmentId, Slots: [slot] };
}

/** The fields that a visit takes from the first one, besides its time and agents. */
const REPEATED = [
  'Duration',
  'ServiceId',
  'ServiceName',
  'Quantity',
  'Discount',
  'Total',
  'Subtotal',
  'AddOnParts',
  'BilledLines',
  'BilledTaxRate',
  'BilledRateName',
  'BilledTaxParts',
  'Notes',
  'InternalNotes',
  'NotificationUri',
  'EnRouteUri',
  'ThirdPartyUrl',
  'NotificationOptions',
  'CustomProperties',
  'SeriesId',
] as const;

/** Books the next visit; if its time cannot be reserved, it waits in the queue for its day. */
async function makeVisit(context: WriteContext, series: SeriesRecord): Promise<Step> {
  const first = await findAppointment(context.store, series.VisitIds[0] ?? 0);
  if (!first) throw new InternalError(`series ${series.Id} has lost its first visit`);
  try {
    const booking = await loadBooking(context, first);
    const planned = await plannedVisit(context, booking, series, first);
    const { record, changes, reason } = await reservedOrQueued(context, booking, series, planned);
    const made = { ...series, VisitIds: [...series.VisitIds, record.Id] };
    const after = reason ? withKept(made, `Appointment ${record.Id} waits for ${record.QueueDate}. ${reason}`) : made;
    return { series: after, visit: record, changes };
  } catch (error) {
    // A series ends without its contact, organization or service.
    const ended = { ...series, Days: series.Days.slice(0, series.VisitIds.length) };
    return { series: withKept(ended, `The series ends. ${reasonOf(error)}`), visit: undefined, changes: [] };
  }
}

async function loadBooking(context: WriteContext, first: AppointmentRecord): Promise<BookingContext> {
  const [contact, booking] = await Promise.all([
    loadContact(context, first.ContactId),
    loadBookingContext(context, { organizationId: first.OrganizationId, service: pick(first, 'ServiceId') }),
  ]);
  return { contact, ...booking };
}

async function plannedVisit(
  context: WriteContext,
  booking: BookingContext,
  series: SeriesRecord,
  first: AppointmentRecord,
): Promise<AppointmentRecord> {
  const { Days, VisitIds, Clock, ServiceAgentId, AdditionalAgents } = series;
  const Start = momentOn(Days[VisitIds.length] ?? 0, Clock, booking.organization.Timezone);
  const ServiceAgentName = booking.agents.get(ServiceAgentId)?.Name ?? '';
  const arrival = arrivalOf(first) && arrivalWindowAround(booking, Start);
  const agents = { ServiceAgentId, ServiceAgentName, AdditionalAgents };
  const time = { Start, ...toArrival(arrival), Status: Status.Scheduled, ...agents };
  const SeriesRule = ruleOfVisit(series, VisitIds.length);
  return { ...(await newAppointment(context, booking)), ...pick(first, ...REPEATED), ...time, SeriesRule };
}

async function reservedOrQueued(
  context: WriteContext,
  booking: BookingContext,
  { Days, VisitIds }: SeriesRecord,
  planned: AppointmentRecord,
) {
  const request = { before: undefined, after: planned, skipConflictChecks: false };
  const reserved = await tryReserveTime(context, booking, request);
  if (reserved.kind === 'reserved') return { record: reserved.appointment, changes: reserved.changes, reason: '' };
  const after = toQueued(planned, dateText(Days[VisitIds.length] ?? 0), context.now.getTime());
  const queued = appointmentChanges(context.store, { before: undefined, after, now: context.now });
  return { ...queued, reason: reserved.message };
}

/**
 * The series once nothing is left, without the list of what the worker could not do, and the task that tells the
 * office.
 */
async function withTask(store: StoreWriter, { series, visit }: Step, now: Date) {
  if (visitsLeft(series) > 0 || series.KeptVisits === 0) return { after: series, task: [] };
  const { KeptVisits: count, Kept, OrganizationId } = series;
  const visits = count === 1 ? '1 visit' : `${count} visits`;
  const Description = [`${visits} of a series could not be booked or moved as requested.`, ...Kept].join('\n');
  const { change } = await newOfficeTask(
    { store, now },
    { OrganizationId, ContactId: visit?.ContactId ?? null, Description },
  );
  return { after: { ...series, KeptVisits: 0, Kept: [] }, task: [change] };
}
