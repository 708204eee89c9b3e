import type { AdditionalAgent, AppointmentRecord } from '../../entities/appointments.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { actualsForStatus, applyActuals } from '../../domain/appointments/actuals.ts';
import {
  NOT_CANCELED,
  Status,
  appendNote,
  appointmentDate,
  arrivalOf,
  countUnseen,
  isOver,
  occupiesTime,
  statusName,
  toQueued,
} from '../../domain/appointments/record.ts';
import { type Move, hasSameTimes, movedStartMinute } from '../../domain/appointments/calendar.ts';
import { arrivalWindowAround, formatWindow, isWithin } from '../../domain/scheduling/arrival-windows.ts';
import type { Interval } from '../../domain/scheduling/calendar.ts';
import type { AppointmentInput, BookInput, SlotInput } from '../../resources/appointments.ts';
import { isEqual, pick } from '../../shared/objects.ts';
import { conflict, forbidden, invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { toFriendly } from '../../shared/time/time.ts';
import { findAppointment, unchangedAppointment } from '../../store/appointments.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { WriteContext } from '../context.ts';
import {
  type Booking,
  type BookingContext,
  changeAppointmentStatus,
  loadBookingContext,
  loadReferences,
  requireReferences,
  requireMeantContact,
} from './booking-context.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import {
  parseStart,
  parseWindow,
  releaseTime,
  requireAgent,
  requireWithin,
  reserveTime,
  resolveAdditionalAgents,
  startsToTry,
  toArrival,
} from './reserve-time.ts';
import { type BookingEffects, bookingEffects, prefetchBillingIds } from './booking-effects.ts';
import { updateWork } from './price-work.ts';
import { type BookingInput, requestedSlot, requireUpdateLines, resolveBookingInput } from './resolve-booking-input.ts';

/**
 * Changes an appointment: status, time, agents, work, details, notes. Throws conflict if the new time is taken, or if
 * the appointment is over and time, agents or price would change. `message` says what its invoice leaves out. A caller
 * that decided by a version of the appointment names it: on another one it decides again. `movedAt` is the moment of a
 * change of the series that moves it.
 */
export async function updateAppointment(
  request: BookInput,
  context: WriteContext,
  { version, movedAt }: { readonly version?: number; readonly movedAt?: number } = {},
): Promise<Booking & { readonly message: string }> {
  const update = await loadUpdate(request, context);
  const { before } = update;
  if (version !== undefined && before.V !== version)
    throw new StoreConflict(`appointment ${before.Id} was changed since it was read`);
  const rescheduled = await reschedule(update, context, movedAt !== undefined);
  const changed = await updateWork(context, update, update.input.work, { before, after: rescheduled });
  requireChangeable(before, changed);
  requireSameAgents(context, before, changed);
  const effects = await bookingEffects(context, update, { before, after: changed });
  const moved = movedAt === undefined ? changed : { ...changed, MovedAt: movedAt };
  const noted = appendNote({ ...moved, InvoiceId: effects.invoiceId }, request.UpdateNote, context.now);
  if (isEqual({ ...noted, Shadow: before.Shadow }, before)) return unchanged(context, before, effects);

  const after = countUnseen(before, noted);
  const stored = needsTime(before, after, update.service)
    ? await reserveTime(context, update, {
        before,
        after,
        starts: startsOf(update, after),
        skipConflictChecks: request.SkipConflictChecks ?? false,
        hold: request.HoldHandle,
      })
    : await releaseTime(context, { before, after });
  return { ...stored, changes: [...stored.changes, ...effects.changes], message: effects.message };
}

/** The key of an agent changes the agent's own appointments, and not whose they are. */
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

/** The effects alone, which hold only while the appointment is as it was read. */
function unchanged(
  { store }: WriteContext,
  appointment: AppointmentRecord,
  { changes, message }: BookingEffects,
): Booking & { readonly message: string } {
  const check = unchangedAppointment(store, appointment);
  return { appointment, changes: changes.length ? [check, ...changes] : [], message };
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
    findAppointment(context.store, id),
    loadReferences(context, request, slot),
  ]);
  const before = orNotFound(found, 'appointment', 'AppointmentId', id);
  if (request.ContactId) await requireMeantContact(before, request.ContactId, context);
  requireReferences(references);
  requireUpdateLines(request, before);
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
    throw invalid({
      field: 'Slots[0].Status',
      code: 'fixed',
      message: 'cannot become Canceled here; use appointments/cancel',
    });
  const withStatus = changeAppointmentStatus(before, status, caller);
  if (status === Status.Queued) return toQueued(withStatus, '', now.getTime());
  return { ...withStatus, ...actualsForStatus(before, status, now.getTime()), ...NOT_CANCELED };
}

/** The appointment with its details, and with the time and agents of the slot unless it is queued. */
async function reschedule(
  update: AppointmentUpdate,
  context: WriteContext,
  isOfSeries: boolean,
): Promise<AppointmentRecord> {
  const { before, withStatus, input, slot } = update;
  const isQueued = withStatus.Status === Status.Queued;
  const start = requestedStart(update);
  const arrival = requestedArrival(update, start, isOfSeries);
  if (start !== undefined && before.Status === Status.Queued && isQueued)
    throw conflict(
      'wrong_state',
      'The appointment is Queued. Give it a time by appointments/book with its AppointmentId.',
    );
  const agentId = slot?.ServiceAgentId;
  const agent = agentId && agentId !== before.ServiceAgentId ? await requireAgent(context, update, agentId) : {};
  const detailed = { ...withStatus, ...input.details, Shadow: false };
  if (isQueued || !slot) return detailed;
  const moved = start ?? (arrival && !isWithin(before.Start ?? 0, arrival) ? arrival.start : before.Start);
  const rescheduled = { ...detailed, ...agent, Start: moved, ...toArrival(arrival) };
  return { ...rescheduled, AdditionalAgents: await requestedAdditionalAgents(update, slot, rescheduled, context) };
}

/**
 * The arrival window that the slot names, else the stored one, out of which the start does not move unless the slot
 * names another or clears it. With a series the visit moves to the organization's window.
 */
function requestedArrival(
  update: AppointmentUpdate,
  start: number | undefined,
  isOfSeries: boolean,
): Interval | undefined {
  const { before, slot, organization } = update;
  const { Timezone: zone } = organization;
  const requested = parseWindow(slot ?? {}, zone);
  if (requested && start !== undefined) requireWithin(start, requested, zone);
  if (requested !== undefined) return requested ?? undefined;
  const promised = arrivalOf(before);
  if (!promised || start === undefined || isWithin(start, promised)) return promised;
  if (isOfSeries) return arrivalWindowAround(update, start);
  throw conflict(
    'outside_window',
    `The client expects the visit ${formatWindow(promised, zone)}, and ${toFriendly(start, zone)} is ` +
      'outside. Send ArrivalFrom and ArrivalThrough of another window, or null for an exact time.',
  );
}

/** The starts to try: in a new window, any will do. */
function startsOf({ before, slot, organization }: AppointmentUpdate, after: AppointmentRecord): (number | null)[] {
  const window = arrivalOf(after);
  if (!window || isEqual(window, arrivalOf(before))) return [after.Start];
  return startsToTry(slot?.DateTime ? (after.Start ?? undefined) : undefined, window, organization);
}

/** The DateTime of the slot. That of a queued appointment as it is found is its QueueDate, and no start. */
function requestedStart({ before, withStatus, slot, organization }: AppointmentUpdate): number | undefined {
  if (!slot?.DateTime) return undefined;
  const zone = organization.Timezone;
  const found = before.Start === null && withStatus.Status === before.Status ? appointmentDate(before, zone) : null;
  const moment = parseMoment(slot.DateTime, zone);
  return moment.ok && moment.at === found ? undefined : parseStart(slot.DateTime, zone);
}

/**
 * The additional agents, without the one who becomes the main agent. Who is not given other times moves with the
 * appointment.
 */
async function requestedAdditionalAgents(
  update: AppointmentUpdate,
  { AdditionalServiceAgents: requested }: SlotInput,
  { Start, ServiceAgentId }: AppointmentRecord,
  context: WriteContext,
): Promise<AdditionalAgent[]> {
  const { before, organization } = update;
  // A slot of slotsearch has an empty list, which changes nothing; `null` removes all.
  if (requested === null) return [];
  const agents = requested?.length
    ? await resolveAdditionalAgents(context, update, requested, ServiceAgentId)
    : before.AdditionalAgents.filter((agent) => agent.ServiceAgentId !== ServiceAgentId);
  if (before.Start === null || Start === null || Start === before.Start) return [...agents];
  const move = { from: { at: before.Start, zone: before.Zone }, to: { at: Start, zone: organization.Timezone } };
  return agents.map((agent) => (hasStoredTimes(before, agent) ? moveAgent(agent, move) : agent));
}

const hasStoredTimes = ({ AdditionalAgents }: AppointmentRecord, agent: AdditionalAgent): boolean =>
  AdditionalAgents.some(
    (stored) =>
      stored.ServiceAgentId === agent.ServiceAgentId &&
      stored.StartMinute === agent.StartMinute &&
      (stored.Duration || null) === (agent.Duration || null),
  );

function moveAgent(agent: AdditionalAgent, move: Move): AdditionalAgent {
  if (agent.StartMinute === null) return agent;
  const StartMinute = movedStartMinute(agent.StartMinute, move);
  if (StartMinute === undefined)
    throw conflict(
      'requirement_missing',
      `${agent.Name} would start on another day. Send AdditionalServiceAgents with another StartMinute.`,
    );
  return { ...agent, StartMinute };
}

/** An appointment that is over keeps these. */
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

/** A visit keeps the buffers of its booking until its time or its service changes. */
const needsTime = (before: AppointmentRecord, after: AppointmentRecord, service: ServiceRecord): boolean =>
  occupiesTime(after.Status) &&
  (!occupiesTime(before.Status) ||
    !hasSameTimes(before, after) ||
    (before.ServiceId !== after.ServiceId &&
      !isEqual(pick(before, 'BufferBefore', 'BufferAfter'), pick(service, 'BufferBefore', 'BufferAfter'))));
