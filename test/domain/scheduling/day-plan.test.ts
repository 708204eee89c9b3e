import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Calendar, type Interval, gridStarts } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { type PlannedDay, type PlannedVisit, planDay } from '../../../lib/domain/scheduling/day-plan.ts';
import type { DayStop, DayToPlan } from '../../../lib/domain/scheduling/day-stops.ts';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import { NEW_YORK, agent, at, away, calendar, dayIn, job, shift, work } from '../../support/calendars.ts';

const day = dayIn(NEW_YORK, '2027-03-09T17:00:00Z');
/** A time of the day by the clock. */
const clock = (time: string): number => at(`2027-03-09T${time}:00-05:00`);
const hour = (time: number): string => new Date(time - 5 * 3_600_000).toISOString().slice(11, 16);

const LIMITS = { search: { seed: 1, steps: 2_000, milliseconds: 10_000 }, changes: 92 };

/** A visit of an hour so many minutes to the north, or to the south with a minus; by default movable all day. */
const stop = (
  appointmentId: number,
  agentId: number,
  start: string | null,
  minutes: number,
  more: Partial<Omit<DayStop, 'work'>> & { readonly work?: Partial<DayStop['work']> } = {},
): DayStop => ({
  appointmentId,
  agentId,
  start: start === null ? null : clock(start),
  mayChangeAgent: false,
  ...more,
  work: work({ appointmentId, position: away(minutes), ...more.work }),
});

const plan = (stops: readonly DayStop[], input: Partial<Calendar> = {}, more: Partial<DayToPlan> = {}): DayToPlan => ({
  calendar: calendar(input),
  day,
  now: clock('00:00'),
  granularity: 30,
  stops,
  ...more,
});

const order = (visits: readonly PlannedVisit[] = []): string[] =>
  visits.map(({ stop: { appointmentId }, start }) => `${appointmentId} ${hour(start)}`);

describe('planDay', () => {
  const crossing = [
    stop(1, 1, '09:00', 20),
    stop(2, 1, '11:00', -20),
    stop(3, 1, '13:00', 20),
    stop(4, 1, '15:00', -20),
  ];

  test('brings what is near together, and keeps the times that can stay', () => {
    const { agents, moves } = planDay(plan(crossing), LIMITS);
    const [ann] = agents;
    expect([ann?.drivingBefore, ann?.drivingAfter]).toEqual([164, 82]);
    expect(order(ann?.before)).toEqual(['1 09:00', '2 11:00', '3 13:00', '4 15:00']);
    expect(order(ann?.after)).toEqual(['1 09:00', '3 13:00', '2 15:00', '4 16:00']);
    expect(moves.map(({ stop: { appointmentId } }) => appointmentId)).toEqual([2, 4]);
  });

  test('keeps a visit that stays at its time, and plans around it', () => {
    const stops = [...crossing.slice(0, 3), { ...(crossing[3] as DayStop), stays: 'Its client expects it.' }];
    const { agents } = planDay(plan(stops), LIMITS);
    expect(order(agents[0]?.after)).toContain('4 15:00');
    expect(agents[0]?.drivingAfter).toBe(82);
  });

  test('moves a visit only within its window', () => {
    const within = { start: clock('08:00'), end: clock('12:00') };
    const stops = crossing.map((each) => (each.appointmentId === 2 ? { ...each, within } : each));
    const { agents } = planDay(plan(stops), LIMITS);
    const second = agents[0]?.after.find(({ stop: { appointmentId } }) => appointmentId === 2);
    expect(second?.start).toBeLessThan(within.end);
    expect(agents[0]?.drivingAfter).toBe(82);
  });

  test('leaves a day as it is that no order makes better, or that only the queue could fill', () => {
    const best = [stop(1, 1, '09:00', 20), stop(2, 1, '11:00', 20)];
    const { agents, moves } = planDay(plan(best), LIMITS);
    expect(moves).toEqual([]);
    expect(agents[0]?.drivingAfter).toBe(agents[0]?.drivingBefore);
  });

  test('gives a visit to another agent only where it may change its agent and the agent may do it', () => {
    const agents = [agent(1), agent(2), agent(3, { TimeSlots: [shift({ ServiceCategoryName: 'Trees' })] })];
    const stops = [stop(1, 1, '09:00', 20), stop(2, 1, '11:00', -20), stop(3, 2, '09:00', 20)];
    const own = planDay(plan(stops, { agents }), LIMITS);
    expect(own.moves).toEqual([]);
    const across = stops.map((each) => ({ ...each, mayChangeAgent: true }));
    const planned = planDay(plan(across, { agents }), LIMITS);
    expect(planned.agents[2]?.after).toEqual([]);
    expect(driving(planned).after).toBeLessThan(driving(planned).before);
  });

  test('places queued visits into gaps, and says why others wait', () => {
    const stops = [
      stop(1, 1, '08:30', 0),
      stop(2, 0, null, 5, { mayChangeAgent: true }),
      stop(3, 0, null, 5, { mayChangeAgent: true, work: { category: 'Trees' } }),
      stop(4, 0, null, 5, { mayChangeAgent: true, work: { minutes: 600 } }),
      stop(5, 0, null, 5, { mayChangeAgent: true, work: { position: null } }),
      stop(6, 0, null, 5, { mayChangeAgent: true, work: { seasonFirst: '2027-04-01' } }),
    ];
    const agents = [agent(1, { TimeSlots: [shift({ ServiceCategoryName: 'Lawns' })] })];
    const lawns = stops.map((each) =>
      each.work.category ? each : { ...each, work: { ...each.work, category: 'Lawns' } },
    );
    const { moves, waiting } = planDay(plan(lawns, { agents }), LIMITS);
    expect(moves.map(({ stop: { appointmentId } }) => appointmentId)).toEqual([2]);
    expect(waiting.map(({ stop: { appointmentId }, why }) => [appointmentId, why])).toEqual([
      [3, 'None of these agents does services of the category Trees.'],
      [4, 'No gap between the visits is long enough for it and its drives.'],
      [5, 'The postal code 10001 cannot be located, so no drive there can be planned.'],
      [6, 'Tue, Mar 9 2027 is outside the season of the service, from Thu, Apr 1 2027.'],
    ]);
  });

  test('plans around private and held times and time off', () => {
    const off = { Name: 'School', From: '2027-03-09', Through: '2027-03-09', StartMinute: 960, Minutes: 60 };
    const held = job('2027-03-09T14:00:00-05:00', '2027-03-09T15:00:00-05:00', { appointmentId: 0, heldUntil: 1 });
    const busy = job('2027-03-09T12:00:00-05:00', '2027-03-09T13:00:00-05:00', { appointmentId: 0, isPrivate: true });
    const stops = [stop(1, 1, '08:30', 20), stop(2, 1, '10:30', -20), stop(3, 1, '13:00', 20)];
    const input = { agents: [agent(1, { timeOff: [off] })], jobs: [held, busy] };
    const planned = planDay(plan(stops, input), LIMITS);
    const taken = [held, busy, { start: clock('16:00'), end: clock('17:00') }];
    for (const { start, end } of intervals(planned))
      expect(taken.some((time) => time.start < end && start < time.end)).toBe(false);
  });

  test('says which two visits that stay leave no time for the drive, and leaves their agent as it is', () => {
    const stays = 'It has begun.';
    const stops = [stop(1, 1, '09:00', 20, { stays }), stop(2, 1, '10:10', -20, { stays }), ...crossing.slice(2)];
    const { agents, moves } = planDay(plan(stops), LIMITS);
    expect(moves).toEqual([]);
    expect(agents[0]?.why).toMatch(/^Appointments 1 and 2 keep their times/);
  });

  test('moves what saves most where not all moves fit, and names who is left', () => {
    const many = [1, 2, 3].flatMap((each) =>
      crossing.map((one) => ({
        ...one,
        appointmentId: each * 10 + one.appointmentId,
        agentId: each,
        work: {
          ...one.work,
          appointmentId: each * 10 + one.appointmentId,
          position: away((each * 10 * (one.appointmentId % 2 ? 1 : -1)) / 2),
        },
      })),
    );
    const agents = [agent(1), agent(2), agent(3)];
    const { agents: planned } = planDay(plan(many, { agents }), { ...LIMITS, changes: 19 });
    const left = planned.filter(({ why }) => why);
    expect(left.map(({ agent: { Id } }) => Id)).toEqual([1]);
    expect(left[0]?.after).toEqual(left[0]?.before);
  });
});

const driving = ({ agents }: PlannedDay) => ({
  before: agents.reduce((sum, { drivingBefore }) => sum + drivingBefore, 0),
  after: agents.reduce((sum, { drivingAfter }) => sum + drivingAfter, 0),
});

const intervals = ({ agents }: PlannedDay): Interval[] =>
  agents.flatMap(({ after }) =>
    after.map(({ stop: { work: done }, start }) => ({ start, end: start + done.minutes * MINUTE })),
  );

/** Days at random: hours with a break, buffers, windows, visits that stay, odd starts, a queue. */
const days = fc
  .record({
    drivesAddToBuffers: fc.boolean(),
    granularity: fc.constantFrom(15, 30, 60),
    acrossAgents: fc.boolean(),
    breakAt: fc.constantFrom(660, 720),
    visits: fc.array(
      fc.record({
        agentId: fc.integer({ min: 0, max: 2 }),
        place: fc.integer({ min: -30, max: 30 }),
        minutes: fc.constantFrom(30, 45, 60, 90),
        window: fc.option(fc.constantFrom<[number, number]>([480, 720], [720, 1020], [480, 1020]), { nil: undefined }),
        stays: fc.boolean(),
        before: fc.constantFrom(0, 0, 10),
        after: fc.constantFrom(0, 0, 15),
        late: fc.constantFrom(0, 0, 7, 30),
      }),
      { minLength: 1, maxLength: 9 },
    ),
  })
  .map(({ visits, acrossAgents, drivesAddToBuffers, granularity, breakAt }) => {
    const TimeSlots = [
      shift({ StartMinute: 480, Minutes: breakAt - 480 }),
      shift({ StartMinute: breakAt + 30, Minutes: 1080 - breakAt - 30 }),
    ];
    const agents = [agent(1, { TimeSlots }), agent(2, { TimeSlots })];
    const roads = { agents, drivesAddToBuffers };
    // Each visit is booked behind the one in front of it, as far as the rules allow; the others are queued.
    const stops: DayStop[] = [];
    const jobs: Calendar['jobs'][number][] = [];
    for (const [index, visit] of visits.entries()) {
      const appointmentId = index + 1;
      const own = work({
        appointmentId,
        minutes: visit.minutes,
        position: away(visit.place),
        ...(visit.before || visit.after ? { buffers: { before: visit.before, after: visit.after } } : {}),
      });
      const instant = (minute: number) => day.start + minute * MINUTE;
      const within = visit.window && { start: instant(visit.window[0]), end: instant(visit.window[1]) };
      const grid = gridStarts(day, granularity, { from: 480, to: 1080 }).map((start) => start + visit.late * MINUTE);
      const start = visit.agentId
        ? grid.find(
            (each) =>
              (!within || (within.start <= each && each < within.end)) &&
              checkSlot(calendar({ ...roads, jobs }), own, { agentId: visit.agentId, start: each }).ok,
          )
        : undefined;
      const isBooked = start !== undefined;
      if (isBooked)
        jobs.push({
          appointmentId,
          agentId: visit.agentId,
          start: start - visit.before * MINUTE,
          end: start + (visit.minutes + visit.after) * MINUTE,
          position: own.position,
          ...(own.buffers ? { buffers: own.buffers } : {}),
        });
      stops.push({
        appointmentId,
        agentId: isBooked ? visit.agentId : 0,
        start: start ?? null,
        work: own,
        mayChangeAgent: !isBooked || acrossAgents,
        ...(isBooked && visit.stays ? { stays: 'It stays.' } : {}),
        ...(isBooked && within ? { within } : {}),
      });
    }
    return plan(stops, roads, { granularity });
  });

test('a plan of any day serves every visit, keeps every rule, and drives no more than today', () => {
  fc.assert(
    fc.property(days, (today) => {
      const planned = planDay(today, { ...LIMITS, search: { ...LIMITS.search, steps: 300 } });
      const { agents, moves, waiting } = planned;
      const booked = today.stops.filter(({ agentId }) => agentId);
      const placed = moves.filter(({ stop: { agentId } }) => agentId === 0).length;
      const after = agents.flatMap(({ agent: { Id }, after: visits }) =>
        visits.map((visit) => ({ agentId: Id, ...visit })),
      );
      expect(after.length).toBe(booked.length + placed);
      expect(waiting.length + placed).toBe(today.stops.length - booked.length);
      if (!placed) expect(driving(planned).after).toBeLessThanOrEqual(driving(planned).before);
      const jobs = after.map(({ agentId, stop: { appointmentId, work: own }, start }) => {
        const { before = 0, after: behind = 0 } = own.buffers ?? {};
        return {
          appointmentId,
          agentId,
          start: start - before * MINUTE,
          end: start + (own.minutes + behind) * MINUTE,
          position: own.position,
          ...(own.buffers ? { buffers: own.buffers } : {}),
        };
      });
      const grid = gridStarts(today.day, today.granularity, { from: 0, to: 1440 });
      for (const { agentId, stop: visit, start } of after) {
        const isMoved = visit.start !== start || visit.agentId !== agentId;
        if (visit.stays !== undefined) expect(isMoved).toBe(false);
        if (!isMoved) continue;
        expect(visit.start === start || grid.includes(start)).toBe(true);
        if (visit.within) expect(start >= visit.within.start && start < visit.within.end).toBe(true);
        if (!visit.mayChangeAgent) expect(agentId).toBe(visit.agentId);
        expect(checkSlot({ ...today.calendar, jobs }, visit.work, { agentId, start })).toMatchObject({ ok: true });
      }
      for (const {
        before,
        after: behind,
        agent: { Id },
      } of agents)
        for (const { stop: visit } of before)
          if (!visit.mayChangeAgent)
            expect(
              behind.map((each) => each.stop.appointmentId),
              String(Id),
            ).toContain(visit.appointmentId);
    }),
    { numRuns: Number(process.env['DAY_PLANS'] ?? 200) },
  );
});

test('the same day gets the same plan', () => {
  const [today] = fc.sample(days, { numRuns: 1, seed: 7 });
  const twice = [1, 2].map(() => planDay(today as DayToPlan, LIMITS).moves);
  expect(twice[0]).toEqual(twice[1]);
});
