import { hasSameTimes } from '../../domain/appointments/calendar.ts';
import { type SeriesMark, withMark } from '../../domain/subscriptions/series.ts';
import { appendNote, countUnseen, isOver, occupiesTime, statusName } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { UpdateInput } from '../../resources/appointments.ts';
import { conflict, forbidden, invalid } from '../../shared/failure.ts';
import { isEqual, pick } from '../../shared/objects.ts';
import { unchangedAppointment } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import type { Booking } from '../booking/types.ts';
import { bookingEffects } from '../booking/effects.ts';
import { billCompleted } from '../booking/invoice-completed.ts';
import { updateWork } from '../booking/price.ts';
import { releaseTime } from '../booking/release.ts';
import { reschedule, startsOf } from '../booking/reschedule.ts';
import { reserveTime } from '../booking/reserve.ts';
import { type AppointmentUpdate, loadUpdate } from '../booking/resolve-update.ts';
import type { WriteContext } from '../context.ts';
import { requireExpected } from './require-expected.ts';

interface UpdateOptions extends SeriesMark {
  readonly version?: number;
}

/** What an update makes of an appointment, before any time is reserved. */
export interface PreparedUpdate {
  readonly booking: AppointmentUpdate;
  readonly before: AppointmentRecord;
  /** The same as `before` if the appointment itself does not change. */
  readonly after: AppointmentRecord;
  /** What changes besides the appointment. */
  readonly effects: readonly Change[];
  /** What its invoice leaves out. */
  readonly message: string;
}

/**
 * Changes an appointment: status, time, agents, work, details, notes. Throws conflict if the new time is taken, or if
 * the appointment is over and time, agents or price would change. `message` says what its invoice leaves out. A caller
 * that relies on a version of the appointment passes it: if the version differs, the caller decides again. A
 * change of the series that moves the visit passes its mark.
 */
export async function updateAppointment(
  request: UpdateInput,
  context: WriteContext,
  options: UpdateOptions = {},
): Promise<Booking & { readonly message: string }> {
  const { booking, before, after, effects, message } = await prepareUpdate(request, context, options);
  if (after === before) return { ...unchanged(context, before, effects), message };
  const stored = needsTime(before, after, booking.service)
    ? await reserveTime(context, booking, {
        before,
        after,
        starts: startsOf(booking, after),
        skipConflictChecks: request.SkipConflictChecks ?? false,
        hold: request.HoldHandle,
      })
    : await releaseTime(context, { before, after });
  return { ...stored, changes: [...stored.changes, ...effects], message };
}

/** The same without the reservation, for a caller that reserves the times of several appointments together. */
export async function prepareUpdate(
  request: UpdateInput,
  context: WriteContext,
  { version, ...mark }: UpdateOptions = {},
): Promise<PreparedUpdate> {
  const update = await loadUpdate(request, context);
  const { before } = update;
  requireExpected(before, request, update.organization.Timezone);
  if (version !== undefined && before.V !== version)
    throw new StoreConflict(`appointment ${before.Id} was changed since it was read`);
  const rescheduled = await reschedule(update, context, mark.movedAt !== undefined);
  const changed = await updateWork(context, update, update.input.work, { before, after: rescheduled });
  requireChangeable(before, changed);
  requireSameAgents(context, before, changed);
  const bill = await billCompleted(context, update, { before, after: changed });
  const effects = await bookingEffects(context, update, changed, bill.effects);
  const noted = appendNote({ ...withMark(changed, mark), InvoiceId: bill.invoiceId }, request.UpdateNote, context.now);
  const isUnchanged = isEqual({ ...noted, Shadow: before.Shadow }, before);
  const after = isUnchanged ? before : countUnseen(before, noted);
  return { booking: update, before, after, effects, message: bill.message };
}

/** An agent's key may change the agent's own appointments, but not reassign them. */
function requireSameAgents({ caller }: WriteContext, before: AppointmentRecord, after: AppointmentRecord): void {
  if (!caller.agent) return;
  const agentsOf = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord) => [
    ServiceAgentId,
    ...AdditionalAgents.map((agent) => agent.ServiceAgentId),
  ];
  if (!isEqual(agentsOf(before), agentsOf(after)))
    throw forbidden(
      'agent_forbidden',
      `This key belongs to service agent ${caller.agent.id} and cannot change the agents of an appointment.`,
      'Slots[0].ServiceAgentId',
    );
}

/** Only the effects, on the condition that the appointment has not changed since it was read. */
function unchanged({ store }: WriteContext, appointment: AppointmentRecord, effects: readonly Change[]): Booking {
  const check = unchangedAppointment(store, appointment);
  return { appointment, changes: effects.length ? [check, ...effects] : [] };
}

/** Fields that are fixed once an appointment is over. */
const TIME_AND_PRICE = [
  'Start',
  'ArrivalFrom',
  'ArrivalThrough',
  'Duration',
  'ServiceAgentId',
  'AdditionalAgents',
  'ServiceId',
  'Quantity',
  'Discount',
  'Total',
  'AddOnParts',
] as const;

function requireChangeable(before: AppointmentRecord, after: AppointmentRecord): void {
  if (isOver(before) && isOver(after) && !isEqual(pick(after, ...TIME_AND_PRICE), pick(before, ...TIME_AND_PRICE)))
    throw conflict(
      'wrong_state',
      `The appointment is ${statusName(before.Status)}: its time, agents and price cannot be changed.`,
    );
  if (occupiesTime(after.Status) && (after.Start === null || !after.ServiceAgentId)) {
    throw invalid({
      field: `Slots[0].${after.Start === null ? 'DateTime' : 'ServiceAgentId'}`,
      code: 'required',
      message: `is required for an appointment that becomes ${statusName(after.Status)}`,
    });
  }
}

/** A visit keeps the buffers of its booking until its time or service changes. */
const needsTime = (before: AppointmentRecord, after: AppointmentRecord, service: ServiceRecord): boolean =>
  occupiesTime(after.Status) &&
  (!occupiesTime(before.Status) ||
    !hasSameTimes(before, after) ||
    (before.ServiceId !== after.ServiceId &&
      !isEqual(pick(before, 'BufferBefore', 'BufferAfter'), pick(service, 'BufferBefore', 'BufferAfter'))));
