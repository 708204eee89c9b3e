import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { Status } from '../../domain/appointments/record.ts';
import { leadField, parseWebLead } from '../../domain/appointments/web-lead.ts';
import { arrivalWindowAround, arrivalWindowsOf, describeFullWindow } from '../../domain/scheduling/arrival-windows.ts';
import type { Interval } from '../../domain/scheduling/calendar.ts';
import type { QuickbookInput } from '../../resources/appointments.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { conflict, invalid, notFound, orInvalid } from '../../shared/failure.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import type { Booking, BookingContext } from '../booking/types.ts';
import { QUICKBOOK, resolveInput } from '../booking/input.ts';
import { priceWork } from '../booking/price.ts';
import { findRepeatedCall, prefetchCompany } from '../booking/read.ts';
import { type TimeReservationResult, refusedStart, tryReserveTime } from '../booking/reserve.ts';
import { loadBookingContext } from '../booking/resolve.ts';
import { parseWindow, requireWithin, toArrival, newAppointment } from '../booking/place.ts';
import { planUpserts } from '../contacts/save-contacts.ts';
import { withCall } from '../booking/effects.ts';
import type { WriteContext } from '../context.ts';
import { agentNotFound } from '../suggestions.ts';
import { type Opening, findOpenings } from './find-openings.ts';

/**
 * Finds or creates a contact and books an appointment for it, in one transaction. Throws conflict without an opening. A
 * repeated call returns the first appointment without changes. `findLead` finds the contact.
 */
export async function quickbookAppointment(
  request: QuickbookInput,
  context: WriteContext,
  findLead: (request: QuickbookInput, context: WriteContext) => Promise<Lead> = loadLead,
): Promise<Booking> {
  const repeated = await findRepeatedCall(context, QUICKBOOK, request);
  if (repeated) return { appointment: repeated, changes: [] };

  const input = resolveInput(QUICKBOOK, { request: { ...request, ServiceName: request.Service } });
  if (request.Tentative && request.Confirmed)
    throw invalid({ field: 'Confirmed', code: 'mismatch', message: 'cannot be true if Tentative is' });
  const service = { ServiceName: request.Service };
  const [lead, prefetched] = await Promise.all([findLead(request, context), prefetchCompany(context, service)]);
  const { contact } = lead;
  const selection = { organizationId: contact.OrganizationId, service, nameField: 'Service', prefetched };
  const booking = { contact, ...(await loadBookingContext(context, selection)) };
  const visit = await requestedVisit(request, booking, context);
  const work = await priceWork(context, booking, input.work);
  const hold = request.HoldHandle;
  const released = new Set(hold ? [hold] : []);
  const [{ openings, reason }, blank] = await Promise.all([
    findRequestedOpenings(context, booking, {
      ...visit,
      agentId: lead.agentId ?? visit.agentId,
      minutes: work.Duration,
      released,
    }),
    newAppointment(context, booking),
  ]);
  const appointment = { ...blank, ...work, ...input.details, ...requestedFields(request, visit), ...lead.details };
  const reservation = await reserveFirstOpening(context, booking, { appointment, hold }, openings);
  if (reservation?.kind === 'reserved') {
    const call = { policy: QUICKBOOK, request, zone: booking.organization.Timezone };
    return withLeadChanges(lead.changes, withCall(context, call, reservation));
  }

  // The same call, sent twice at once, may have taken the time.
  const own = await findRepeatedCall(context, QUICKBOOK, request);
  if (own) return { appointment: own, changes: [] };
  const refusal = reservation ?? reason;
  // Others took every opening since the search, so the pipeline runs the call again.
  const mayFindAnother = request.FirstAvailable || (visit.window && TAKEN.has(refusal.code));
  throw mayFindAnother && reservation ? new StoreConflict(refusal.message) : refusedStart(refusal, 'ScheduledStart');
}

/** The contact of a booking, the changes that store it, and the fields that it sets on the appointment. */
export interface Lead {
  readonly contact: ContactRecord;
  readonly changes: readonly Change[];
  readonly details?: Partial<AppointmentRecord>;
  /** The agent who is wanted in addition to what the request says. */
  readonly agentId?: number | undefined;
}

/** A new contact goes to the organization that owns its postal code. */
async function loadLead(request: QuickbookInput, context: WriteContext): Promise<Lead> {
  const { ContactId } = request;
  const input = parseWebLead(request, ContactId);
  const upsert = await planUpserts([{ input, criteria: undefined, distribute: 'always' }], context);
  if (upsert.kind === 'missing') throw notFound('contact', 'ContactId', ContactId);
  if (upsert.kind === 'invalid')
    throw invalid(...upsert.errors.map((error) => ({ ...error, field: leadField(error.field) })));
  const [contact] = upsert.kind === 'ready' ? upsert.records : [];
  if (upsert.kind === 'ready' && contact) {
    for (const sentence of upsert.remarks) context.remark?.(sentence);
    return { contact, changes: upsert.changes };
  }
  const ids = upsert.kind === 'ambiguous' ? upsert.candidates.map(({ Id }) => Id).join(', ') : '';
  throw conflict('ambiguous', `Several contacts match: ${ids}. Repeat the call with one ContactId.`);
}

interface RequestedVisit {
  readonly from: number;
  /** Accepts only the start `from`. */
  readonly fixed: boolean;
  /** The arrival window in which any start may be booked; `null` for an exact time. */
  readonly window: Interval | null | undefined;
  readonly agentId: number | undefined;
  readonly additionalAgents: readonly ServiceAgentRecord[];
  readonly additionalAgentIds: readonly number[];
}

async function requestedVisit(
  request: QuickbookInput,
  { organization, agents }: BookingContext,
  context: WriteContext,
): Promise<RequestedVisit> {
  const { ScheduledStart, FirstAvailable, ServiceAgentEmail, AdditionalServiceAgentEmails } = request;
  const start = ScheduledStart
    ? orInvalid(parseMoment(ScheduledStart, organization.Timezone), 'ScheduledStart')
    : undefined;
  const window = parseWindow(request, organization.Timezone, '');
  if (!FirstAvailable && !(window && !start) && (!start || start.dateOnly))
    throw invalid({
      field: 'ScheduledStart',
      code: 'required',
      message: 'with a time of day is required, or FirstAvailable',
    });
  const agentByEmail = async (email: string, field: string) => {
    const address = normalizeEmail(email);
    const agent = [...agents.values()].find(({ Email }) => Email && normalizeEmail(Email) === address);
    if (!agent) throw await agentNotFound(context, organization.Id, agents.values(), { field, email });
    return agent;
  };
  const agent = ServiceAgentEmail?.trim() ? await agentByEmail(ServiceAgentEmail, 'ServiceAgentEmail') : undefined;
  const additionalAgents: ServiceAgentRecord[] = [];
  for (const [index, email] of (AdditionalServiceAgentEmails ?? []).entries())
    additionalAgents.push(await agentByEmail(email, `AdditionalServiceAgentEmails[${index}]`));
  const additionalAgentIds = additionalAgents.map(({ Id }) => Id);
  const involved = [...(agent ? [agent.Id] : []), ...additionalAgentIds];
  if (new Set(involved).size < involved.length)
    throw invalid({
      field: 'AdditionalServiceAgentEmails',
      code: 'duplicate',
      message: 'must name each agent once, and not the agent of ServiceAgentEmail',
    });
  const now = context.now.getTime();
  const from = start?.at ?? (window ? Math.max(window.start, now) : now);
  if (start && window) requireWithin(start.at, window, organization.Timezone, 'ScheduledStart');
  const fixed = !FirstAvailable && start !== undefined;
  return { from, fixed, window, agentId: agent?.Id, additionalAgents, additionalAgentIds };
}

/**
 * Openings to try, each with its arrival window: those of the requested window, else at the requested start, else any.
 */
async function findRequestedOpenings(
  context: WriteContext,
  booking: BookingContext,
  { window, ...search }: RequestedVisit & { readonly minutes: number; readonly released: ReadonlySet<string> },
): Promise<Awaited<ReturnType<typeof findOpenings>>> {
  const { organization } = booking;
  if (!window) {
    const arrivalWindows = search.fixed || window === null ? [] : arrivalWindowsOf(booking);
    const found = await findOpenings(context, booking, { ...search, arrivalWindows });
    const arrival = window === null ? undefined : arrivalWindowAround(booking, search.from);
    return { ...found, openings: found.openings.map((each) => (search.fixed ? { ...each, arrival } : each)) };
  }
  const [exact, others] = await Promise.all([
    search.fixed ? findOpenings(context, booking, search) : undefined,
    findOpenings(context, booking, {
      ...search,
      from: Math.max(window.start, context.now.getTime()),
      fixed: false,
      within: window,
      enough: MAX_TRIES,
    }),
  ]);
  const openings = [...(exact?.openings ?? []), ...others.openings].map((each) => ({ ...each, arrival: window }));
  const message = describeFullWindow(window, organization.Timezone, others.reason.message);
  return { openings, reason: { code: 'slot_taken', message } };
}

const requestedFields = (request: QuickbookInput, { additionalAgents }: RequestedVisit) => ({
  Status: request.Tentative ? Status.Tentative : Status.Scheduled,
  Notes: request.CustomerNotes ?? '',
  InternalNotes: request.InternalNotes ?? '',
  CallCenterTransactionId: request.CallCenterTransactionId || null,
  AdditionalAgents: additionalAgents.map(({ Id, Name }) => ({
    ServiceAgentId: Id,
    Name,
    StartMinute: null,
    Duration: null,
    ActualStartMinute: null,
    ActualDuration: null,
  })),
});

/** Refusals of an opening that somebody else took. */
const TAKEN: ReadonlySet<string> = new Set(['slot_taken', 'drive_conflict']);

/** Openings to try when other callers take them. */
const MAX_TRIES = 10;

/** The result of the last opening that was tried; `undefined` without openings. */
async function reserveFirstOpening(
  context: WriteContext,
  booking: BookingContext,
  { appointment, hold }: { readonly appointment: AppointmentRecord; readonly hold: string | null | undefined },
  openings: readonly Opening[],
): Promise<TimeReservationResult | undefined> {
  let reservation: TimeReservationResult | undefined;
  for (const { start, agentId, arrival } of openings.slice(0, MAX_TRIES)) {
    const ServiceAgentName = booking.agents.get(agentId)?.Name ?? '';
    const time = { Start: start, ...toArrival(arrival) };
    const after = { ...appointment, ...time, ServiceAgentId: agentId, ServiceAgentName };
    reservation = await tryReserveTime(context, booking, { before: undefined, after, skipConflictChecks: false, hold });
    if (reservation.kind === 'reserved') break;
  }
  return reservation;
}

/** Throws invalid if one transaction cannot hold the contact and its booking. */
export function withLeadChanges(leadChanges: readonly Change[], { appointment, changes }: Booking): Booking {
  const all = [...leadChanges, ...changes];
  if (all.length > MAX_REQUEST_CHANGES)
    throw invalid({
      field: 'Tags',
      code: 'limit',
      message:
        'are too many for one booking together with the other fields of the contact. Call contacts/addupdate first, ' +
        'then quickbook with its ContactId.',
    });
  return { appointment, changes: all };
}
