import { isDeepStrictEqual } from 'node:util';
import {
  type AgentCalendar,
  type Calendar,
  type Job,
  type SearchWindow,
  type Work,
  ANYTIME,
} from '../../lib/domain/scheduling/calendar.ts';
import { greatCircleDriving } from '../../lib/domain/scheduling/plans.ts';
import { findSlots } from '../../lib/domain/scheduling/slots.ts';
import { firstInstantAt } from '../../lib/shared/time/time.ts';
import { shift } from '../support/calendars.ts';
import { naiveSlots } from '../support/oracles/naive-slots.ts';
import { chance } from '../support/random/random-pricing.ts';
import { median, printTable } from './table.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const ZONE = 'America/New_York';
const [AGENTS, DAYS, JOBS_A_DAY] = [100, 14, 6];
const ROUNDS = 5;
const SEARCHES = 20;
const LEAST = 8;
/** Found where appointments of 30 minutes leave time between them. */
const MANY_SLOTS = 100;

/** A company of 100 agents who work 8:00–12:00 and 13:00–18:00, each with 6 appointments a day of so many minutes. */
function companyOf(first: number, jobMinutes: number): Calendar {
  const random = chance(first / DAY);
  const place = () => ({ latitude: 40.7 + random() * 0.1, longitude: -74 + random() * 0.1 });
  const agents: AgentCalendar[] = Array.from({ length: AGENTS }, (_, index) => ({
    agent: {
      Id: index + 1,
      Name: `Agent ${index + 1}`,
      StartDate: '',
      EndDate: '',
      TimeSlots: [shift({ StartMinute: 480, Minutes: 240 }), shift({ StartMinute: 780, Minutes: 300 })],
    },
    timeOff: [],
  }));
  const jobs: Job[] = agents.flatMap(({ agent }) =>
    Array.from({ length: DAYS * JOBS_A_DAY }, (_, index) => {
      const start = firstInstantAt(
        first +
          Math.floor(index / JOBS_A_DAY) * DAY +
          (480 + (index % JOBS_A_DAY) * 100 + Math.floor(random() * 4) * 5) * MINUTE,
        ZONE,
      );
      return {
        appointmentId: agent.Id * 1000 + index,
        agentId: agent.Id,
        start,
        end: start + jobMinutes * MINUTE,
        position: place(),
      };
    }),
  );
  // As they come from the table: of all agents, by week.
  jobs.sort((one, other) => one.start - other.start);
  return {
    zone: ZONE,
    agents,
    jobs,
    holidays: [],
    postalCodes: '',
    startPosition: place(),
    driveTimes: greatCircleDriving(),
  };
}

function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * A search over 100 agents, 14 days and 8,400 appointments, against the plain loop of test/support, whose answer it
 * must give, in CPU time. Both where
 * the first 500 slots are soon found and where hardly any is, over both changes of clocks. Fails under 8 × in any.
 */
export async function slots(): Promise<boolean> {
  const work: Work = {
    category: '',
    fixedLocation: false,
    seasonFirst: null,
    seasonLast: null,
    minutes: 45,
    postalCode: '10001',
    position: { latitude: 40.75, longitude: -73.95 },
  };
  const cases = ['2026-03-02', '2026-10-26'].flatMap(
    (date) =>
      [
        [date, 30],
        [date, 55],
      ] as const,
  );
  const rows = cases.map(([date, jobMinutes]) => {
    const first = Date.parse(`${date}T00:00Z`);
    const calendar = companyOf(first, jobMinutes);
    const from = firstInstantAt(first, ZONE);
    const window: SearchWindow = { from, days: DAYS, now: from, granularity: 30, timeframe: ANYTIME };
    const expected = naiveSlots(calendar, work, window);
    const found = findSlots(calendar, work, window);
    const leastSlots = jobMinutes === 30 ? MANY_SLOTS : 0;
    const same = isDeepStrictEqual(found.slots, expected.slots) && (found.reason?.cause ?? null) === expected.cause;
    const figures = { ours: [] as number[], naive: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      figures.naive.push(cpuOf(() => naiveSlots(calendar, work, window)));
      figures.ours.push(
        cpuOf(() => {
          for (let index = 0; index < SEARCHES; index++) findSlots(calendar, work, window);
        }) / SEARCHES,
      );
    }
    const [ours, naive] = [median(figures.ours), median(figures.naive)];
    return {
      date,
      load: `${calendar.jobs.length} of ${jobMinutes} min`,
      slots: found.slots.length,
      ours,
      naive,
      ratio: naive / ours,
      same,
      isFound: found.slots.length >= leastSlots,
    };
  });
  printTable(
    ['14 days from', 'appointments', 'slots', 'CPU ms', 'plain loop', `ratio (≥ ${LEAST})`, 'answers'],
    rows.map((row) => [
      row.date,
      row.load,
      row.slots,
      row.ours,
      row.naive,
      row.ratio,
      row.same ? 'the same' : 'DIFFERENT',
    ]),
  );
  return rows.every(({ ratio, same, isFound }) => same && isFound && ratio >= LEAST);
}
