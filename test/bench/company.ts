import { groups } from '../../functions/index.ts';
import { ALARM_METRICS } from '../../infra/watch/alarms.ts';
import { CANARY_MINUTES } from '../../infra/watch/canary.ts';
import type { MonthlyCalls, MonthlyUse } from '../../infra/watch/estimate.ts';
import { HOURS_A_MONTH } from '../../infra/watch/prices.ts';
import { workedQueues } from '../../infra/queues.ts';
import { streamWorkerNames, scheduledWorkerNames, scheduledWorkers } from '../../functions/workers/index.ts';
import { canaryRunMetrics, groupMetrics, stageMetrics, workerMetrics } from '../../lib/api/log-lines.ts';
import type { CostRow } from './cost-rows.ts';

export const LOCATIONS = 20;
const WORKING_DAYS = 26;

/**
 * Calls of a location on a working day, by the row of the cost bench, and the events that one makes: six technicians,
 * 20 visits, a call centre, two people in the office, and clients on their pages.
 */
const daily: readonly (readonly [row: string, calls: number, events?: number])[] = [
  ['contacts/locate by phone', 80],
  ['contacts/locate by name, 10 matches', 40],
  ['contacts/locate by id', 150],
  ['contacts/addupdate, new', 20, 1],
  ['contacts/addnote', 30, 1],
  ['contacts/addtags', 10, 1],
  ['contacts/logcall', 60, 2],
  ['appointments/slotsearch, 20 agents, 14 days, 30 % booked', 60],
  ['appointments/book', 20, 2],
  ['appointments/update, rescheduled', 6, 1],
  ['appointments/update, a note', 60, 1],
  ['appointments/update, completed with its invoice', 18, 3],
  ['appointments/cancel', 3, 1],
  ['appointments/find, one, with its contact', 150],
  ['appointments/query of a day, page 1 of 3', 100],
  ['proposal/quote, by name, 10 lines, 3 options', 40],
  ['proposal/create, 10 lines', 12, 1],
  ['proposal/update, a line', 12, 1],
  ['proposal/details, with its contact', 60],
  ['proposal/accept, with a deposit', 6, 3],
  ['proposal/query of a day, open ones', 20],
  ['invoice/get', 60],
  ['invoice/query of a contact', 30],
  ['payment/import with TransactionId', 18, 2],
  ['payment/query of a contact', 20],
  ['task/create', 20, 1],
  ['task/complete', 20, 1],
  ['task/query of a day, page 1 of 3', 40],
  ['services/all, 200', 10],
  ['part/details', 60],
  ['serviceagents/all', 20],
  ['settings/channels', 20],
  // Clients look at what they get by mail more than once.
  ['GET /c/visit', 40],
  ['GET /c/proposal', 36],
  ['GET /c/invoice', 36],
  ['GET /c/overview', 10],
  ['GET /c/booking', 20],
  ['GET /c/booking, with times', 20],
  ['POST /c/booking', 4, 2],
  ['POST /c/invoice, a new checkout', 6],
  ['POST /c/stripe, a payment', 6, 2],
];

const MINUTES_A_MONTH = HOURS_A_MONTH * 60;

/** A program that asks for events every 10 seconds, day and night. */
const POLLS_A_MONTH = HOURS_A_MONTH * 360;

/** The months of an organization that are counted in a night. */
const MONTHS_A_NIGHT = 4;

/** Of budgets without one, which operations that write leave out: items of a few KB, read strongly. */
const READ_UNITS_A_ROUND = 4;

/** Groups with metrics; webhooks is called on the few days on which somebody changes one. */
const measuredGroups = groups.filter(
  ({ name, isPublic, isForClients, callsOthers }) => !isPublic && !isForClients && !callsOthers && name !== 'webhooks',
);

/** Custom metrics that a stage sends while all is well; in practice each costs only in hours in which it is sent. */
export const METRICS =
  stageMetrics.length +
  measuredGroups.length * groupMetrics.length +
  streamWorkerNames.length * workerMetrics.length +
  canaryRunMetrics.length;

/** A month of the company, with the units that the budgets of the cost bench allow: more than its calls really cost. */
export function companyUse(rows: readonly CostRow[], locations = LOCATIONS): MonthlyUse {
  const budgetOf = (name: string) => {
    const row = rows.find((one) => one.name === name);
    if (!row) throw new Error(`The cost bench has no row "${name}". Correct the list in test/bench/company.ts.`);
    const { rounds, readUnits = rounds * READ_UNITS_A_ROUND, writeUnits = 0 } = row.budget;
    return { rounds, readUnits, writeUnits };
  };
  const calls: MonthlyCalls[] = daily.map(([name, count, events = 0]) => ({
    ...budgetOf(name),
    calls: count * locations * WORKING_DAYS,
    events,
  }));
  return {
    // A webhook has all events.
    callbacks: calls.reduce((sum, kind) => sum + kind.calls * kind.events, 0),
    calls: [...calls, { ...budgetOf('datasubscriber/fetch, nothing new'), calls: POLLS_A_MONTH, events: 0 }],
    canaryRuns: MINUTES_A_MONTH / CANARY_MINUTES,
    scheduledRuns: scheduledWorkerNames.reduce(
      (sum, name) => sum + MINUTES_A_MONTH / scheduledWorkers[name].schedule.everyMinutes,
      0,
    ),
    countedMonths: (locations * MONTHS_A_NIGHT * HOURS_A_MONTH) / 24,
    queues: workedQueues({}).length,
    tableGigabytes: locations / 2,
    bucketGigabytes: locations,
    logMonths: 12,
    metrics: METRICS,
    // The last is that of the firewall.
    alarmMetrics: ALARM_METRICS + 1,
    dashboards: 1,
    edges: 1,
  };
}
