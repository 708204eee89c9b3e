import { MINUTE } from '../../shared/time/time.ts';
import { type AgentCalendar, type Job, isInSeason, jobAt } from './calendar.ts';
import { checkSlot } from './check.ts';
import { type DaySearch, type OpenStop, type Route, openStops, searchOrders } from './day-problem.ts';
import { type RouteStop, driveBetween, drivingOf, timeBetween, timesOf } from './day-routes.ts';
import { type DayStop, type DayToPlan, isInHours, openGrid } from './day-stops.ts';
import { addressMessage, describeAddress, describeSeason, describeServices, formatDay } from './explain.ts';
import { findAbleAgents, isReachable } from './plans.ts';

/** The order of a day that costs the least driving, with the times of the visits. */

/** A visit at a time. */
export interface PlannedVisit {
  readonly stop: DayStop;
  readonly start: number;
  /** Minutes of the drive to it. */
  readonly drive: number;
}

export interface PlannedAgent {
  readonly agent: AgentCalendar['agent'];
  readonly before: readonly PlannedVisit[];
  readonly after: readonly PlannedVisit[];
  readonly drivingBefore: number;
  readonly drivingAfter: number;
  /** Why the agent is not planned; `''` if it is. */
  readonly why: string;
}

export interface DayMove {
  readonly stop: DayStop;
  readonly agentId: number;
  readonly start: number;
}

/** A move by the id of its appointment; without a start it goes into the queue. */
interface MadeMove {
  readonly appointmentId: number;
  readonly start: number | null;
  readonly agentId: number;
}

export interface PlannedDay {
  readonly agents: readonly PlannedAgent[];
  readonly moves: readonly DayMove[];
  /** Queued visits that the plan does not place, and why. */
  readonly waiting: readonly { readonly stop: DayStop; readonly why: string }[];
}

/** What a plan may take. */
export interface PlanLimits {
  readonly search: DaySearch;
  /** The most items that its moves may change. */
  readonly changes: number;
}

/** The visit, and its entry in the list of its agent: the old one out, the new one in (lib/store/appointments.ts). */
const CHANGES_A_MOVE = 3;
/** The days of an agent's calendar, which are in UTC: those of the moves, and the next where drives reach into it. */
const CHANGES_AN_AGENT = 3;

const byStart = (one: DayStop, other: DayStop): number =>
  (one.start ?? 0) - (other.start ?? 0) || one.appointmentId - other.appointmentId;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Why the stops of an agent that stay leave no plan: two of them are closer than their buffers and the drive allow. */
function collisionOf(stops: readonly DayStop[], { calendar }: DayToPlan): string {
  const fixed = stops.filter(({ stays }) => stays !== undefined);
  for (const [index, one] of fixed.entries()) {
    const other = fixed[index + 1];
    if (!other) break;
    const end = (one.start ?? 0) + one.work.minutes * MINUTE;
    if (end + timeBetween(one, other, calendar) > (other.start ?? 0))
      return (
        `Appointments ${one.appointmentId} and ${other.appointmentId} keep their times, which leave too little time ` +
        'for the drive between them. Move one of them first.'
      );
  }
  return '';
}

/** A booked visit outside the hours of its agent stays where it is: somebody wants it there. */
function withPresent(stop: DayStop, own: AgentCalendar, plan: DayToPlan): DayStop {
  if (stop.start === null || stop.stays !== undefined || isInHours(stop, own, plan)) return stop;
  return { ...stop, stays: 'It is outside the hours or the area of its agent, or in a private or held time.' };
}

const routesToday = (plan: DayToPlan): Route[] =>
  plan.calendar.agents.map((own) => ({
    own,
    stops: plan.stops
      .filter(({ agentId }) => agentId === own.agent.Id)
      .map((stop) => withPresent(stop, own, plan))
      .sort(byStart),
  }));

const visitsOf = (stops: readonly DayStop[], starts: readonly number[], { calendar }: DayToPlan): PlannedVisit[] =>
  stops.map((stop, index) => ({
    stop,
    start: starts[index] ?? 0,
    drive: driveBetween(stops[index - 1], stop, calendar),
  }));

const visitsToday = (stops: readonly DayStop[], plan: DayToPlan): PlannedVisit[] =>
  visitsOf(
    stops,
    stops.map(({ start }) => start ?? 0),
    plan,
  );

/** The agents that exchange visits, by their places: their days change together or not at all. */
function exchanging(routes: readonly Route[], orders: readonly (readonly OpenStop[])[]): number[][] {
  const leader = routes.map((_, index) => index);
  const leaderOf = (index: number): number => (leader[index] === index ? index : leaderOf(leader[index] ?? index));
  const placeOf = new Map(routes.map(({ own }, index) => [own.agent.Id, index]));
  for (const [index, order] of orders.entries())
    for (const { stop } of order) {
      const from = placeOf.get(stop.agentId);
      if (from !== undefined) leader[leaderOf(from)] = leaderOf(index);
    }
  return [...Map.groupBy(routes.keys(), leaderOf).values()];
}

interface PlannedRoute {
  readonly own: AgentCalendar;
  readonly visits: readonly PlannedVisit[];
}

/** New days of agents that exchange visits. */
interface Proposal {
  readonly routes: readonly PlannedRoute[];
  readonly moves: readonly DayMove[];
  readonly savedMinutes: number;
  /** How many queued visits it places. */
  readonly placed: number;
}

const movesOf = ({ own, visits }: PlannedRoute): DayMove[] =>
  visits
    .filter(({ stop, start }) => stop.start !== start || stop.agentId !== own.agent.Id)
    .map(({ stop, start }) => ({ stop, start, agentId: own.agent.Id }));

function jobOf({ stop: { appointmentId, work }, start }: PlannedVisit, agentId: number): Job {
  const { buffers, minutes, position } = work;
  return jobAt({ start, end: start + minutes * MINUTE }, { appointmentId, agentId, position, buffers });
}

/** Whether every move passes the check of a booking, once all of them are made. */
function areBookable(routes: readonly PlannedRoute[], moves: readonly DayMove[], { calendar }: DayToPlan): boolean {
  const jobs = routes.flatMap(({ own, visits }) => visits.map((visit) => jobOf(visit, own.agent.Id)));
  const arranged = { ...calendar, jobs: [...calendar.jobs, ...jobs] };
  return moves.every(({ stop, agentId, start }) => checkSlot(arranged, stop.work, { agentId, start }).ok);
}

/** The order with the stops at one place in their present order. */
function tidied(order: readonly RouteStop[], plan: DayToPlan): RouteStop[] {
  const places: RouteStop[][] = [];
  for (const [index, each] of order.entries()) {
    const before = order[index - 1];
    const place = places.at(-1);
    if (place && before && driveBetween(before, each, plan.calendar) === 0) place.push(each);
    else places.push([each]);
  }
  const startOf = ({ stop }: RouteStop): number => stop.start ?? Infinity;
  return places.flatMap((place) => place.sort((one, other) => startOf(one) - startOf(other) || 0));
}

/**
 * The route of an agent in an order, or in one that drives as little: the reverse one, or one that changes the turn of
 * stops at one place. Of these, the one that moves the fewest visits. `undefined` if none has times on the grid.
 */
function routeOf(
  { own }: Route,
  order: readonly RouteStop[],
  grid: readonly number[],
  plan: DayToPlan,
): PlannedRoute | undefined {
  const driving = drivingOf(order, plan.calendar);
  const both = [order, order.toReversed()];
  const routes = [...both.map((each) => tidied(each, plan)), ...both]
    .filter((each) => drivingOf(each, plan.calendar) <= driving)
    .flatMap((each): PlannedRoute[] => {
      const starts = timesOf(each, grid, plan.calendar);
      const stops = each.map(({ stop }) => stop);
      return starts ? [{ own, visits: visitsOf(stops, starts, plan) }] : [];
    });
  return routes.toSorted((one, other) => movesOf(one).length - movesOf(other).length)[0];
}

/** The proposal of agents that exchange visits, if it saves driving or places a queued visit. */
function proposalOf(
  places: readonly number[],
  routes: readonly Route[],
  orders: readonly (readonly OpenStop[])[],
  grid: readonly number[],
  plan: DayToPlan,
): Proposal | undefined {
  const today = places.flatMap((place) => routes[place] ?? []);
  const planned = places.flatMap((place) => {
    const route = routes[place];
    if (!route) return [];
    const order = (orders[place] ?? []).map(({ stop, ranges }) => ({
      stop,
      work: stop.work,
      ranges: ranges[place] ?? [],
      isOwn: stop.agentId === route.own.agent.Id,
    }));
    return routeOf(route, order, grid, plan) ?? [];
  });
  const placed = planned.flatMap(({ visits }) => visits.filter(({ stop }) => stop.agentId === 0)).length;
  const isComplete =
    planned.length === today.length &&
    sum(planned.map(({ visits }) => visits.length)) === sum(today.map(({ stops }) => stops.length)) + placed;
  const driving = (all: readonly (readonly DayStop[])[]) => sum(all.map((stops) => drivingOf(stops, plan.calendar)));
  const savedMinutes =
    driving(today.map(({ stops }) => stops)) - driving(planned.map(({ visits }) => visits.map(({ stop }) => stop)));
  const moves = planned.flatMap(movesOf);
  const isBetter = placed > 0 || savedMinutes > 0;
  return isComplete && isBetter && areBookable(planned, moves, plan)
    ? { routes: planned, moves, savedMinutes, placed }
    : undefined;
}

/** As many proposals as the limit allows, those first that place most and save most. */
function chosen(proposals: readonly Proposal[], changes: number): Proposal[] {
  const sorted = proposals.toSorted((one, other) => other.placed - one.placed || other.savedMinutes - one.savedMinutes);
  let left = changes;
  return sorted.filter(({ moves, routes }) => {
    const cost = moves.length * CHANGES_A_MOVE + routes.length * CHANGES_AN_AGENT;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

/** Why a queued visit is in no gap of the day. */
function whyWaiting({ work, period }: DayStop, { calendar, day }: DayToPlan): string {
  const { forCategory, forAddress } = findAbleAgents(work, calendar);
  if (!forCategory.length) return `None of these agents does ${describeServices(work)}.`;
  if (!forAddress.length) return `${describeAddress(work)} is outside the postal codes of these agents.`;
  if (!isReachable(calendar, work)) return addressMessage(work);
  if (!isInSeason(day, work))
    return `${formatDay(day.start, calendar.zone)} is outside the season of the service, ${describeSeason(work)}.`;
  if (period && (period.first >= day.end || period.until <= day.start))
    return 'The day is outside the period in which the service may be booked.';
  return 'No gap between the visits is long enough for it and its drives.';
}

function plannedAgent(
  { own, stops }: Route,
  visits: readonly PlannedVisit[] | undefined,
  plan: DayToPlan,
  why: string,
): PlannedAgent {
  const { calendar } = plan;
  const before = visitsToday(stops, plan);
  const after = visits ?? before;
  const drivingAfter = drivingOf(
    after.map(({ stop }) => stop),
    calendar,
  );
  return { agent: own.agent, before, after, drivingBefore: drivingOf(stops, calendar), drivingAfter, why };
}

const OVER_LIMIT = 'More visits would move than one call moves. Plan this agent in a call of its own, with Agents.';

/**
 * Plans the day of the agents of the calendar. Visits with a reason to stay keep their times; the others move among the
 * starts on the grid that the rules of a booking permit. Agents whose driving would not be less keep their day, unless
 * a queued visit is placed in it. Without queued visits no plan is worse than the present order.
 */
export function planDay(plan: DayToPlan, { search, changes }: PlanLimits): PlannedDay {
  const grid = openGrid(plan);
  const today = routesToday(plan);
  const collisions = new Map(today.map(({ own, stops }) => [own, collisionOf(stops, plan)]));
  const routes = today.filter(({ own }) => !collisions.get(own));
  const queued = plan.stops.filter(({ agentId }) => agentId === 0);
  const open = openStops(routes, queued, grid, plan);
  const orders = open.length ? searchOrders(routes, open, plan, search) : routes.map(() => []);
  const proposals = exchanging(routes, orders).flatMap(
    (places) => proposalOf(places, routes, orders, grid, plan) ?? [],
  );
  const taken = chosen(proposals, changes);
  const refused = new Set(
    proposals.filter((each) => !taken.includes(each)).flatMap((each) => each.routes.map(({ own }) => own)),
  );
  const after = new Map(taken.flatMap((each) => each.routes.map(({ own, visits }) => [own, visits])));
  const moves = taken.flatMap((each) => each.moves);
  const placed = new Set(moves.map(({ stop }) => stop));
  const whyOf = (own: AgentCalendar) => collisions.get(own) || (refused.has(own) ? OVER_LIMIT : '');
  return {
    agents: today.map((route) => plannedAgent(route, after.get(route.own), plan, whyOf(route.own))),
    moves,
    waiting: queued.filter((stop) => !placed.has(stop)).map((stop) => ({ stop, why: whyWaiting(stop, plan) })),
  };
}

/** The days of the agents of the calendar before and after some moves, as they are made. */
export function dayAfter(plan: DayToPlan, moves: readonly MadeMove[]): PlannedAgent[] {
  const moveOf = new Map(moves.map((move) => [move.appointmentId, move]));
  const arranged = plan.stops.flatMap((stop) => {
    const { agentId, start } = moveOf.get(stop.appointmentId) ?? stop;
    return start === null ? [] : { stop, agentId, start };
  });
  return routesToday(plan).map((route) => {
    const own = arranged
      .filter(({ agentId }) => agentId === route.own.agent.Id)
      .sort((one, other) => one.start - other.start);
    const visits = visitsOf(
      own.map(({ stop }) => stop),
      own.map(({ start }) => start),
      plan,
    );
    return plannedAgent(route, visits, plan, '');
  });
}
