import { buildCalendar } from '../../domain/appointments/calendar.ts';
import { type PlanChoices, type StopSources, queuedStop, stopsOf } from '../../domain/appointments/day-stops.ts';
import { Status } from '../../domain/appointments/record.ts';
import {
  type Job,
  type LocalDay,
  DEFAULT_GRANULARITY,
  calendarDays,
  dayAt,
  reachableSpan,
} from '../../domain/scheduling/calendar.ts';
import type { DayToPlan } from '../../domain/scheduling/day-stops.ts';
import { daysBack } from '../../domain/scheduling/plans.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import { invalid } from '../../shared/failure.ts';
import { dayNumber } from '../../shared/time/calendar-dates.ts';
import { DAY, MINUTE, startOfDate, toLocalDate } from '../../shared/time/time.ts';
import { listAppointments, queryAppointments } from '../../store/appointments.ts';
import { distinctJobs, listAgentJobs } from '../../store/calendars.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { findServices } from '../../store/pricebook/services.ts';
import { organizationStore } from '../../store/store.ts';
import { bookingPeriodOf } from '../booking/reserve.ts';
import type { Company } from '../booking/types.ts';
import type { WriteContext } from '../context.ts';
import { loadPlaces } from '../roads/load-places.ts';
import { loadRoads } from '../roads/load-roads.ts';

/** Reads a day of some agents, as a plan needs it. */

export const MAX_AGENTS = 30;
const MAX_VISITS = 200;
/** Queued visits that a plan looks at, and for how many days up to its date they may be queued. */
const MAX_QUEUED = 50;
const QUEUE_DAYS = 14;

export interface DayRequest extends PlanChoices {
  /** `2027-03-09`. */
  readonly date: string;
  readonly agents: readonly ServiceAgentRecord[];
  /** The queued visits to place: those that are due, or some ids. */
  readonly queued: 'due' | readonly number[];
}

export interface LoadedDay extends DayToPlan {
  /** The visits that begin on the day, and the queued ones, by id. */
  readonly visits: ReadonlyMap<number, AppointmentRecord>;
  readonly contacts: ReadonlyMap<number, ContactRecord>;
}

/** The jobs of agents on a day and around it. Work of more than a day is not moved, so no more days are needed. */
async function listJobsAround(
  { store, now }: WriteContext,
  { organization }: Company,
  day: LocalDay,
  agents: readonly ServiceAgentRecord[],
): Promise<Job[]> {
  const { Timezone: zone, Id } = organization;
  const back = daysBack(zone, agents, day.start);
  const days = calendarDays(reachableSpan(zone, day.start, 1, { minutes: DAY / MINUTE }, back));
  const ids = agents.map((agent) => agent.Id);
  return distinctJobs(await listAgentJobs(store, Id, ids, days, { now, consistent: true }));
}

/** The ids of the visits that begin on a day. */
const idsOf = (jobs: readonly Job[], day: LocalDay): number[] => [
  ...new Set(jobs.flatMap((job) => (job.appointmentId && startsOn(job, day) ? job.appointmentId : []))),
];

/** A job has its buffers. */
const startsOn = ({ start, buffers }: Job, day: LocalDay): boolean => {
  const begins = start + (buffers?.before ?? 0) * MINUTE;
  return day.start <= begins && begins < day.end;
};

/** The visits that wait for the day, or have waited since the two weeks before, by their day. Two rounds. */
async function listQueued(
  { store, now }: WriteContext,
  { organization }: Company,
  { date }: DayRequest,
): Promise<readonly AppointmentRecord[]> {
  const { Timezone: zone } = organization;
  const through = startOfDate(date, zone);
  const first = toLocalDate(through - QUEUE_DAYS * DAY, zone);
  const span = { from: startOfDate(first, zone), through, firstDay: dayNumber(first), lastDay: dayNumber(date) };
  const query = { date: span, updated: {}, skip: 0, take: MAX_QUEUED, over: false, status: Status.Queued };
  return (await queryAppointments(organizationStore(store, organization.Id), query, now)).appointments;
}

/** The contacts of visits, and what each visit is planned with; `undefined` without its service. */
async function loadSources(
  context: WriteContext,
  { organization, agents }: Company,
  visits: readonly AppointmentRecord[],
) {
  const { store } = context;
  const contactIds = [...new Set(visits.map(({ ContactId }) => ContactId))];
  const serviceIds = visits.map(({ ServiceId }) => ServiceId);
  const [contacts, services] = await Promise.all([
    findContacts(store, contactIds, { asRecorded: true }),
    findServices(organizationStore(store, organization.Id), serviceIds),
  ]);
  const places = await loadPlaces(context, organization, contacts);
  const contactOf = new Map(contacts.map((contact) => [contact.Id, contact]));
  const serviceOf = new Map(services.map((service) => [service.Id, service]));
  const sourcesOf = ({ ContactId, ServiceId, Position }: AppointmentRecord): StopSources | undefined => {
    const [contact, service] = [contactOf.get(ContactId), serviceOf.get(ServiceId)];
    return (
      service && {
        service,
        zip: contact?.Zip ?? '',
        position: contact ? places.of(contact) : Position,
        period: bookingPeriodOf(context, { organization, service, agents }),
      }
    );
  };
  return { contactOf, sourcesOf, start: places.start };
}

export async function loadDay(context: WriteContext, company: Company, request: DayRequest): Promise<LoadedDay> {
  const { store, now } = context;
  const { organization } = company;
  const { date, agents, queued: wanted } = request;
  const day = dayAt(startOfDate(date, organization.Timezone), organization.Timezone);
  const [jobs, queued] = await Promise.all([
    listJobsAround(context, company, day, agents),
    wanted === 'due' ? listQueued(context, company, request) : listAppointments(store, wanted),
  ]);
  const ids = idsOf(jobs, day);
  if (ids.length > MAX_VISITS)
    throw invalid({
      field: 'Agents',
      code: 'limit',
      message: `have ${ids.length} visits on ${date}, and one plan takes at most ${MAX_VISITS}: name fewer agents`,
    });
  const booked = await listAppointments(store, ids);
  const visits = [...booked, ...queued];
  const { contactOf, sourcesOf, start } = await loadSources(context, company, visits);
  const planned = new Set(agents.map(({ Id }) => Id));
  const stops = visits.flatMap((visit) => {
    const sources = sourcesOf(visit);
    if (!sources) return [];
    if (visit.Start === null) return visit.Duration > 0 ? [queuedStop(visit, sources)] : [];
    return stopsOf(visit, sources, { day, now, choices: request }).filter(({ agentId }) => planned.has(agentId));
  });
  const isStop = new Set(stops.map(({ appointmentId, agentId }) => `${agentId}#${appointmentId}`));
  const others = jobs.filter(({ agentId, appointmentId }) => !isStop.has(`${agentId}#${appointmentId}`));
  const work = [start, ...stops.map((stop) => stop.work.position)];
  const roads = await loadRoads(context, start, { work, jobs: others });
  return {
    calendar: buildCalendar(organization, agents, others, roads),
    day,
    now: now.getTime(),
    granularity: organization.OpenTimeGranularity ?? DEFAULT_GRANULARITY,
    stops,
    visits: new Map(visits.map((visit) => [visit.Id, visit])),
    contacts: contactOf,
  };
}
