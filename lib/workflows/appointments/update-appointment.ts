import { actualsForStatus, applyActuals } from '../../domain/appointments/actuals.ts';
import { type AppointmentRecord, appendNote, isOver, toQueued } from '../../domain/appointments/record.ts';
import { Status, occupiesTime, statusName } from '../../domain/appointments/status.ts';
import { hasSameTimes } from '../../domain/appointments/time-reservations.ts';
import type { AppointmentInput, SlotInput } from '../../resources/appointments.ts';
import { isEqual } from '../../shared/equality.ts';
import { conflict, invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/read-moments.ts';
import { findAppointment } from '../../store/appointments.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { WriteContext } from '../context.ts';
import {
  type Booking,
  type BookingContext,
  changeAppointmentStatus,
  loadBookingContext,
  loadReferences,
  parseStart,
  requireAgent,
  requireReferences,
  requireSameContact,
  resolveAdditionalAgents,
} from './booking-context.ts';
import { bookingEffects, prefetchBillingIds } from './booking-effects.ts';
import { updateWork } from './price-work.ts';
import { releaseTime, reserveTime } from './reserve-time.ts';
import { type BookingInput, requestedSlot, resolveBookingInput } from './resolve-booking-input.ts';

/**
 * Changes an appointment: status, time, agents, work, details, notes. Throws conflict if the new time is taken, or if
 * the appointment is over and time, agents or price would change. `message` says what its invoice leaves out.
 */
export async function updateAppointment(
  request: AppointmentInput,
  context: WriteContext,
): Promise<Booking & { readonly message: string }> {
  const update = await loadUpdate(request, context);
  const { before } = update;
  const rescheduled = reschedule(update);
  const changed = await updateWork(context, update, update.input.work, { before, after: rescheduled });
  requireChangeable(before, changed);
  const effects = await bookingEffects(context, update, { before, after: changed });
  const after = appendNote({ ...changed, InvoiceId: effects.invoiceId }, request.UpdateNote, context.now);
  if (isEqual({ ...after, Shadow: before.Shadow }, before)) return { appointment: before, changes: [], message: '' };

  const stored = needsTime(before, after)
    ? await reserveTime(context, update, { before, after, skipConflictChecks: request.SkipConflictChecks ?? false })
    : await releaseTime(context, { before, after });
  return { ...stored, changes: [...stored.changes, ...effects.changes], message: effects.message };
}

interface AppointmentUpdate extends BookingContext {
  readonly before: AppointmentRecord;
  /** In its new status. */
  readonly withStatus: AppointmentRecord;
  readonly input: BookingInput;
  readonly slot: SlotInput | undefined;
}

async function loadUpdate(request: AppointmentInput, context: WriteContext): Promise<AppointmentUpdate> {
  const id = request.AppointmentId ?? 0;
  const slot = requestedSlot('update', request);
  const [found, references] = await Promise.all([
    findAppointment(context.table, context.caller, id),
    loadReferences(context, request, slot),
  ]);
  const before = orNotFound(found, 'appointment', 'AppointmentId', id);
  requireSameContact(before, request.ContactId || before.ContactId);
  requireReferences(references);
  const sources = { request, slot, former: before, references, contactId: before.ContactId };
  const input = resolveBookingInput('update', sources);
  const withStatus = requestedStatus(request, slot, before, context);
  const newStatus = withStatus.Status === before.Status ? undefined : withStatus.Status;
  const selection = {
    organizationId: before.OrganizationId,
    service: input.service,
    // Its proposals change only with its status.
    links: newStatus === Status.Scheduled || newStatus === Status.Completed ? input.links : input.details,
    references,
  };
  const [contact, booking] = await Promise.all([
    loadContact(context, before.ContactId),
    loadBookingContext(context, selection),
    newStatus === Status.Completed && !before.InvoiceId ? prefetchBillingIds(context, before) : undefined,
  ]);
  return { ...booking, contact, before, withStatus, input, slot };
}

/** The appointment in the requested status: by its actuals with UpdateActuals, else by the Status of the slot. */
function requestedStatus(
  request: AppointmentInput,
  slot: SlotInput | undefined,
  before: AppointmentRecord,
  { caller, now }: WriteContext,
): AppointmentRecord {
  if (request.UpdateActuals) {
    const moment = (field: 'ActualStart' | 'ActualFinish') => {
      const text = request[field];
      return text == null ? text : orInvalid(parseMoment(text, before.Zone), field).at;
    };
    const { actuals, errors } = applyActuals(before, { start: moment('ActualStart'), finish: moment('ActualFinish') });
    if (errors.length) throw invalid(...errors);
    const withStatus =
      actuals.Status === before.Status ? before : changeAppointmentStatus(before, actuals.Status, caller);
    return { ...withStatus, ...actuals };
  }
  const status = slot?.Status;
  if (status == null || status === before.Status) return before;
  if (status === Status.Canceled)
    throw invalid({ field: 'Slots[0].Status', message: 'cannot become Canceled here; use appointments/cancel' });
  const withStatus = changeAppointmentStatus(before, status, caller);
  if (status === Status.Queued) return toQueued(withStatus, '', now.getTime());
  return { ...withStatus, ...actualsForStatus(before, status, now.getTime()), CancelReasonId: null };
}

/** The appointment with its details, and with the time and agents of the slot unless it is queued. */
function reschedule(update: AppointmentUpdate): AppointmentRecord {
  const { before, withStatus, input, slot, organization } = update;
  const isQueued = withStatus.Status === Status.Queued;
  if (slot?.DateTime && before.Status === Status.Queued && isQueued)
    throw conflict('The appointment is Queued. Give it a time by appointments/book with its AppointmentId.');
  const agentId = slot?.ServiceAgentId;
  const agent =
    agentId && agentId !== before.ServiceAgentId ? requireAgent(update, agentId, 'Slots[0].ServiceAgentId') : {};
  const detailed = { ...withStatus, ...input.details, Shadow: false };
  if (isQueued || !slot) return detailed;
  const additional = requestedAdditionalAgents(slot);
  return {
    ...detailed,
    ...agent,
    ...(slot.DateTime ? { Start: parseStart(slot.DateTime, organization.Timezone) } : {}),
    ...(additional
      ? { AdditionalAgents: resolveAdditionalAgents(update, additional, agentId || before.ServiceAgentId) }
      : {}),
  };
}

/** A slot of slotsearch has an empty list, which changes nothing; `null` removes all. */
const requestedAdditionalAgents = ({ AdditionalServiceAgents: agents }: SlotInput) =>
  agents === null ? [] : agents?.length ? agents : undefined;

/** An appointment that is over keeps these. */
const TIME_AND_PRICE = [
  'Start',
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
    throw conflict(`The appointment is ${statusName(before.Status)}: its time, agents and price cannot be changed.`);
  if (occupiesTime(after.Status) && (after.Start === null || !after.ServiceAgentId)) {
    throw invalid({
      field: `Slots[0].${after.Start === null ? 'DateTime' : 'ServiceAgentId'}`,
      message: `is required for an appointment that becomes ${statusName(after.Status)}`,
    });
  }
}

const needsTime = (before: AppointmentRecord, after: AppointmentRecord): boolean =>
  occupiesTime(after.Status) && (!occupiesTime(before.Status) || !hasSameTimes(before, after));
