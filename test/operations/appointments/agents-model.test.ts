import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bookable, bookable, slotIn, slotsIn, weekdays } from '../../support/scheduling.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? 1);
const DAYS = ['2027-03-09', '2027-03-10'] as const;
const NAMES = ['Ann', 'Ben', 'Cy'] as const;
const [OPENS, CLOSES, LENGTH] = [480, 1020, 60];

/** Time of one agent: minutes after midnight of a day. */
interface Line {
  readonly day: number;
  readonly agent: number;
  readonly from: number;
  readonly to: number;
}

/** What the oracle knows of an appointment: the main agent's line and those of its helpers. */
interface Expected {
  readonly id: number;
  main: Line;
  helpers: Line[];
}

interface Helper {
  readonly agent: number;
  /** `null` for the start of the appointment. */
  readonly start: number | null;
  /** `null` and 0 are the whole length. */
  readonly minutes: number | null;
}

type Step =
  | {
      readonly kind: 'book';
      readonly agent: number;
      readonly day: number;
      readonly at: number;
      readonly helpers: Helper[];
    }
  | {
      readonly kind: 'move';
      readonly which: number;
      readonly day: number;
      readonly at: number;
      readonly whole: boolean;
    }
  | { readonly kind: 'change agent'; readonly which: number; readonly agent: number }
  | { readonly kind: 'cancel'; readonly which: number };

const half = fc.integer({ min: 15, max: 34 }).map((count) => count * 30);
const agent = fc.nat(2);
const day = fc.nat(1);
const which = fc.nat(9);
const helper = fc.record({ agent, start: fc.option(half), minutes: fc.constantFrom(null, 0, 30, 90) });
const book = fc.record({
  kind: fc.constant('book' as const),
  agent,
  day,
  at: half,
  helpers: fc.uniqueArray(helper, { maxLength: 2, selector: (each) => each.agent }),
});
const move = fc.record({ kind: fc.constant('move' as const), which, day, at: half, whole: fc.boolean() });
const changeAgent = fc.record({ kind: fc.constant('change agent' as const), which, agent });
const cancel = fc.record({ kind: fc.constant('cancel' as const), which });
const steps = fc.array(fc.oneof(book, book, move, move, changeAgent, changeAgent, cancel), {
  minLength: 10,
  maxLength: 30,
});

const clock = (dayIndex: number, minute: number) =>
  `${DAYS[dayIndex]}T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const linesOf = ({ main, helpers }: Expected) => [main, ...helpers];
const overlap = (one: Line, other: Line) =>
  one.agent === other.agent && one.day === other.day && one.from < other.to && other.from < one.to;

/** Whether all lines are within the hours and free of all other appointments. */
const fits = (lines: readonly Line[], others: readonly Expected[]): boolean =>
  lines.every(
    (line) => line.from >= OPENS && line.to <= CLOSES && !others.flatMap(linesOf).some((taken) => overlap(line, taken)),
  );

const shifted = (line: Line, toDay: number, minutes: number): Line => ({
  ...line,
  day: toDay,
  from: line.from + minutes,
  to: line.to + minutes,
});

/** Runs one step against the company and the oracle, which must agree whether it is possible. */
async function run(step: Step, company: Bookable, expected: Expected[]): Promise<void> {
  const idOf = (index: number) => company.agents[NAMES[index] ?? ''];
  const update = (AppointmentId: number, slot: object) =>
    company.call('appointments/update', { AppointmentId, Slots: [slot] });

  if (step.kind === 'book') {
    const helpers = step.helpers.filter((each) => each.agent !== step.agent);
    const line = (index: number, from: number, minutes: number): Line => ({
      day: step.day,
      agent: index,
      from,
      to: from + minutes,
    });
    const main = line(step.agent, step.at, LENGTH);
    const lines = helpers.map((each) => line(each.agent, each.start ?? step.at, each.minutes || LENGTH));
    const answer = await company.call('appointments/book', {
      ContactId: company.contact,
      ServiceName: 'Lawn care',
      Slots: [
        {
          DateTime: clock(step.day, step.at),
          ServiceAgentId: idOf(step.agent),
          AdditionalServiceAgents: helpers.map(({ agent: index, start, minutes }) => ({
            ServiceAgent: { Id: idOf(index) },
            StartMinute: start,
            Duration: minutes,
          })),
        },
      ],
    });
    const possible = fits([main, ...lines], expected);
    expect(answer.status, answer.text).toBe(possible ? 200 : 409);
    if (possible) expected.push({ id: answer.body['AppointmentId'] as number, main, helpers: lines });
    return;
  }

  const appointment = expected[step.which % expected.length];
  if (!appointment) return;
  const others = expected.filter((other) => other !== appointment);
  if (step.kind === 'cancel') {
    const answer = await company.call('appointments/cancel', { AppointmentId: appointment.id, CancelReasonId: 1 });
    expect(answer.status, answer.text).toBe(200);
    expected.splice(expected.indexOf(appointment), 1);
    return;
  }
  const { main, helpers } = appointment;
  if (step.kind === 'move') {
    const found = step.whole ? slotIn(await company.call('appointments/find', { AppointmentId: appointment.id })) : {};
    const delta = step.at - main.from;
    const [newMain, ...newHelpers] = [main, ...helpers].map((line) => shifted(line, step.day, delta));
    const possible = fits([newMain ?? main, ...newHelpers], others);
    const answer = await update(appointment.id, { ...found, DateTime: clock(step.day, step.at) });
    expect(answer.status, answer.text).toBe(possible ? 200 : 409);
    if (possible) Object.assign(appointment, { main: newMain, helpers: newHelpers });
    return;
  }
  const newMain = { ...main, agent: step.agent };
  const newHelpers = helpers.filter((line) => line.agent !== step.agent);
  const possible = fits([newMain, ...newHelpers], others);
  const answer = await update(appointment.id, { ServiceAgentId: idOf(step.agent) });
  expect(answer.status, answer.text).toBe(possible ? 200 : 409);
  if (possible) Object.assign(appointment, { main: newMain, helpers: newHelpers });
}

/** The free half hours of an agent's day, by slotsearch. */
async function freeHalfHours(company: Bookable, name: string, date: string): Promise<string[]> {
  const answer = await company.call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    Duration: '30',
    TargetDate: date,
    SlotWindowDays: 1,
    Slots: [{ ServiceAgentId: company.agents[name] }],
  });
  return slotsIn(answer).map(({ DateTime }) => DateTime.slice(0, 16));
}

test(
  'each agent is in an appointment once, helpers move with it, and the time of all is free exactly when the model says so',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const company = await bookable({ agents: NAMES.map((Name) => ({ Name, TimeSlots: weekdays() })) });
        const expected: Expected[] = [];
        for (const step of sequence) await run(step, company, expected);
        for (const { id, main, helpers } of expected) {
          const slot = slotIn(await company.call('appointments/find', { AppointmentId: id }));
          expect(slot).toMatchObject({
            DateTime: expect.stringContaining(clock(main.day, main.from)) as string,
            ServiceAgentName: NAMES[main.agent],
          });
          expect(slot.AdditionalServiceAgents.map(({ ServiceAgent }) => ServiceAgent?.Name)).toEqual(
            helpers.map((line) => NAMES[line.agent]),
          );
        }
        for (const [dayIndex, date] of DAYS.entries())
          for (const [index, name] of NAMES.entries()) {
            const free = Array.from({ length: 18 }, (_, count) => OPENS + count * 30).filter((from) =>
              fits([{ day: dayIndex, agent: index, from, to: from + 30 }], expected),
            );
            expect(await freeHalfHours(company, name, date)).toEqual(free.map((from) => clock(dayIndex, from)));
          }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
