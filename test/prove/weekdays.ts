import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { momentOn, seriesDays } from '../../lib/domain/subscriptions/series.ts';
import { movedRule, nextRuleDay } from '../../lib/domain/weekday-rule.ts';
import { readWeekdayRule, toRecurrenceRule } from '../../lib/domain/weekday-rule-text.ts';
import { dateText, dayNumber } from '../../lib/shared/time/calendar-dates.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';

const CASES = 10_000;
const DATEUTIL = 'python-dateutil==2.9.0.post0';
/** dateutil reads no changes of clocks after 2037. */
const LAST_DAY = dayNumber('2036-12-31');

const NAMES = [
  ['Mon', 'Monday', 'MO', 'mondays'],
  ['Tue', 'TUESDAY', 'tu', 'Tues.'],
  ['Wed', 'wednesday', 'WE', 'Weds'],
  ['Thu', 'Thursday', 'th', 'Thurs'],
  ['Fri', 'friday', 'FR', 'Fri.'],
  ['Sat', 'Saturday', 'sa', 'SAT'],
  ['Sun', 'Sunday', 'SU', 'sundays'],
] as const;
const ORDINALS = [
  ['last', -1],
  ['first', 1],
  ['2nd', 2],
  ['Third', 3],
  ['4TH', 4],
  ['fifth', 5],
  ['the 5th', 5],
] as const;

/** Zones of all kinds: without changes, of half an hour, at midnight, on the other side of the equator. */
const ZONES = [
  'America/Chicago',
  'America/Havana',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/London',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'UTC',
];

const drawn = fc.record({
  days: fc.uniqueArray(fc.tuple(fc.nat(6), fc.nat(3)), { minLength: 1, maxLength: 7, selector: ([day]) => day }),
  ordinal: fc.option(fc.constantFrom(...ORDINALS)),
  ifMissing: fc.option(fc.constantFrom('skip' as const, 'last' as const)),
  every: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 })),
  from: fc.integer({ min: dayNumber('2026-01-01'), max: dayNumber('2034-12-31') }),
  span: fc.integer({ min: 0, max: 2_000 }),
  count: fc.integer({ min: 2, max: 120 }),
  // Most clocks change at night.
  minute: fc.oneof(fc.nat(239), fc.nat(1_439)),
  zone: fc.constantFrom(...ZONES),
  shift: fc.integer({ min: -20, max: 20 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Of> ? Of : never;

const nameOf = ([day, form]: readonly [number, number]): string => NAMES[day]?.[form] ?? '';

/** What a case is for dateutil, and what the product makes of the same words. */
function toCase({ days, ordinal, ifMissing, every, from, span, count, minute, zone, shift }: Drawn) {
  const [day = [0, 0]] = days;
  const words = ordinal
    ? { On: `${ordinal[0]} ${nameOf(day as [number, number])}`, IfMissing: ifMissing }
    : { Days: days.map(nameOf) };
  const { rule, errors } = readWeekdayRule(words, every);
  if (!rule) throw new Error(`${JSON.stringify(words)}: ${JSON.stringify(errors)}`);
  const first = nextRuleDay(rule, from) ?? 0;
  const through = Math.min(first + span, LAST_DAY);
  const ours = seriesDays(first, rule, { count, through });
  const moved = movedRule(rule, shift, first + shift);
  const movedDays = seriesDays(first + shift, moved, { count: ours.length, through: undefined });
  const asked = {
    weekdays: ordinal ? [day[0]] : days.map(([each]) => each),
    ordinal: ordinal ? ordinal[1] : null,
    ifMissing,
    every,
    first: dateText(first),
    through: dateText(through),
    count,
    minute,
    zone,
    text: toRecurrenceRule(rule),
    moved: { text: toRecurrenceRule(moved), first: dateText(first + shift) },
  };
  const expected = {
    visits: ours.map((each) => momentOn(each, minute * MINUTE, zone) / 1_000),
    text: ours.map(dateText),
    moved: movedDays.map(dateText),
  };
  return { asked, expected };
}

/** The answers of dateutil, which pip fetches into a folder of its own. */
async function answersOf(cases: readonly object[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'weekdays-'));
  try {
    const run = promisify(execFile);
    const python = join(folder, 'venv', 'bin', 'python');
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '-q', DATEUTIL]);
    const child = spawn(python, [join(import.meta.dirname, 'weekdays.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(cases.map((each) => JSON.stringify(each)).join('\n'));
    return (await text(child.stdout)).trim().split('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * 10,000 random rules of weekdays (or as many as the first option says; the second is the seed), in zones with all kinds
 * of changes of the clocks, beside Python's dateutil: each visit at the same moment; the RRULE that callers see has the
 * same days, also after the series has moved.
 */
export async function weekdays(options: readonly string[]): Promise<boolean> {
  const [numRuns = CASES, seed = 1] = options.map(Number);
  const cases = fc.sample(drawn, { numRuns, seed }).map(toCase);
  const answers = await answersOf(cases.map(({ asked }) => asked));
  const failed = cases.filter(({ expected }, index) => JSON.stringify(expected) !== answers[index]);
  for (const { asked, expected } of failed.slice(0, 3)) {
    const answer = answers[cases.findIndex((each) => each.asked === asked)];
    process.stdout.write(`${JSON.stringify(asked)}\n  ours     ${JSON.stringify(expected)}\n  dateutil ${answer}\n`);
  }
  const visits = cases.reduce((sum, { expected }) => sum + expected.visits.length, 0);
  const outcome = failed.length ? `${failed.length} rules FAILED` : 'all of them as dateutil has them';
  process.stdout.write(`weekdays: ${cases.length} rules with ${visits} visits; ${outcome}\n`);
  return failed.length === 0;
}
