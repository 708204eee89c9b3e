import { type Move, movedStartMinute } from '../../domain/appointments/calendar.ts';
import { Status, appointmentDate, arrivalOf } from '../../domain/appointments/record.ts';
import { arrivalWindowAround, formatWindow, isWithin } from '../../domain/scheduling/arrival-windows.ts';
import type { Interval } from '../../domain/scheduling/calendar.ts';
import type { AdditionalAgent, AppointmentRecord, SlotInput } from '../../entities/appointments.ts';
import { conflict } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { toFriendly } from '../../shared/time/time.ts';
import type { WriteContext } from '../context.ts';
import type { AppointmentUpdate } from './resolve-update.ts';
import { requireAgent } from './resolve.ts';
import { parseStart, parseWindow, requireWithin, resolveAdditionalAgents, startsToTry, toArrival } from './place.ts';

/** The place step for an existing appointment: its time and agents after an update. */

/** The appointment with its details, and with the time and agents of the slot unless it is queued. */
export async function reschedule(
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
 * The arrival window that the slot names, else the stored one; the start does not leave the stored one unless the slot
 * names another or clears it. In a series the visit moves to the organization's window.
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

/** The starts to try; any start in a new window will do. */
export function startsOf(
  { before, slot, organization }: AppointmentUpdate,
  after: AppointmentRecord,
): (number | null)[] {
  const window = arrivalOf(after);
  if (!window || isEqual(window, arrivalOf(before))) return [after.Start];
  return startsToTry(slot?.DateTime ? (after.Start ?? undefined) : undefined, window, organization);
}

/** The DateTime of the slot. appointments/find gives a queued appointment its QueueDate there, which is no start. */
function requestedStart({ before, withStatus, slot, organization }: AppointmentUpdate): number | undefined {
  if (!slot?.DateTime) return undefined;
  const zone = organization.Timezone;
  const found = before.Start === null && withStatus.Status === before.Status ? appointmentDate(before, zone) : null;
  const moment = parseMoment(slot.DateTime, zone);
  return moment.ok && moment.at === found ? undefined : parseStart(slot.DateTime, zone);
}

/**
 * The additional agents, without the one who becomes the main agent. Agents without times of their own move with the
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
