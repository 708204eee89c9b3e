import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFeed } from '../../lib/domain/private-events/read-feed.ts';
import { calendarFile, event } from '../support/calendar-feeds.ts';

const run = promisify(execFile);

/** The zone of the company, and the time that is read: both changes of its clocks are in it. */
const ZONE = 'America/New_York';
const WINDOW = { start: Date.parse('2027-01-01T05:00Z'), end: Date.parse('2028-01-01T05:00Z') };
const COUNT = 3_000;

/** Reads files by the libraries that most Python programs use, and merges what is busy. */
const ORACLE = `
import datetime as dt, json, sys
from zoneinfo import ZoneInfo
import icalendar, recurring_ical_events
zone, start, end = ZoneInfo(sys.argv[2]), int(sys.argv[3]) / 1000, int(sys.argv[4]) / 1000
utc = dt.timezone.utc
def instant(value):
    if not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    return value.astimezone(utc).timestamp()
for text in json.load(open(sys.argv[1])):
    calendar = icalendar.Calendar.from_ical(text)
    first, last = (dt.datetime.fromtimestamp(at, utc) + dt.timedelta(days=days) for at, days in ((start, -3), (end, 3)))
    times = []
    for event in recurring_ical_events.of(calendar).between(first, last):
        if event.get('STATUS') == 'CANCELLED' or event.get('TRANSP') == 'TRANSPARENT':
            continue
        begins, ends = instant(event.start), instant(event.end)
        if max(begins, start) < min(ends, end):
            times.append([max(begins, start), min(ends, end)])
    merged = []
    for begins, ends in sorted(times):
        if merged and begins <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], ends)
        else:
            merged.append([begins, ends])
    print(json.dumps([[round(b * 1000), round(e * 1000)] for b, e in merged]))
`;

/** Numbers that are the same in each run (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    oneOf: <Of>(values: readonly Of[]): Of => values[below(values.length)] as Of,
    is: (part: number) => next() < part,
  };
}

const two = (number: number): string => String(number).padStart(2, '0');
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const ZONES = [
  ZONE,
  ZONE,
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
];
type Random = ReturnType<typeof randomFrom>;

interface Start {
  readonly date: Date;
  /** Writes a moment of the series, by days after its start, as a property with this name. */
  readonly property: (name: string, days: number, minutes?: number) => string;
  readonly isDate: boolean;
}

function randomStart(random: Random): Start {
  const hour = 6 + random.below(13);
  const date = new Date(
    Date.UTC(2024 + random.below(4), random.below(12), 1 + random.below(28), hour, random.oneOf([0, 15, 30])),
  );
  const isDate = random.is(0.2);
  const form = random.oneOf(['zone', 'zone', 'zone', 'utc', 'floating']);
  const tzid = random.oneOf(ZONES);
  const property = (name: string, days: number, minutes = 0): string => {
    const at = new Date(date.getTime() + days * 86_400_000 + minutes * 60_000);
    const day = `${at.getUTCFullYear()}${two(at.getUTCMonth() + 1)}${two(at.getUTCDate())}`;
    if (isDate) return `${name};VALUE=DATE:${day}`;
    const time = `${day}T${two(at.getUTCHours())}${two(at.getUTCMinutes())}00`;
    if (form === 'utc') return `${name}:${time}Z`;
    return form === 'zone' ? `${name};TZID=${tzid}:${time}` : `${name}:${time}`;
  };
  return { date, property, isDate };
}

/** A rule that the start obeys, because libraries differ about a start that does not; and days between repetitions. */
function randomRule(random: Random, { date }: Start): { readonly rule: string; readonly period: number } {
  const weekday = DAYS[date.getUTCDay()] ?? '';
  const interval = 1 + random.below(3);
  const end = random.is(0.3) ? `;COUNT=${1 + random.below(200)}` : '';
  const every = `INTERVAL=${interval}`;
  const weekdays = [...new Set([weekday, random.oneOf(DAYS), random.oneOf(DAYS)])].join(',');
  return random.oneOf([
    { rule: `FREQ=DAILY;${every}${end}`, period: interval },
    { rule: `FREQ=WEEKLY;${every}${end}`, period: 7 * interval },
    { rule: `FREQ=WEEKLY;${every};BYDAY=${weekdays};WKST=${random.oneOf(['MO', 'SU'])}${end}`, period: 7 * interval },
    { rule: `FREQ=MONTHLY;${every}${end}`, period: 0 },
    { rule: `FREQ=MONTHLY;${every};BYDAY=${Math.ceil(date.getUTCDate() / 7)}${weekday}${end}`, period: 0 },
    { rule: `FREQ=YEARLY${end}`, period: 0 },
  ]);
}

function randomEvents(random: Random): string[] {
  const start = randomStart(random);
  const uid = `UID:${random.below(2 ** 31)}@example.com`;
  const states = [
    'STATUS:CONFIRMED',
    'STATUS:CONFIRMED',
    'STATUS:CANCELLED',
    'TRANSP:TRANSPARENT',
    'TRANSP:OPAQUE',
    'STATUS:TENTATIVE',
  ];
  const length = start.isDate
    ? start.property('DTEND', 1 + random.below(3))
    : start.property('DTEND', 0, random.oneOf([15, 60, 90, 600, 1_500]));
  const begins = [uid, start.property('DTSTART', 0), length];
  if (random.is(0.3)) return [event(...begins, random.oneOf(states))];
  const { rule, period } = randomRule(random, start);
  const ahead = () => period * random.below(Math.floor(1_000 / Math.max(1, period)));
  const moved = period && random.is(0.5) ? [...new Set([ahead(), ahead()])] : [];
  // Libraries differ about an event that is both changed and left out.
  const out = period ? Array.from({ length: random.below(4) }, ahead).filter((days) => !moved.includes(days)) : [];
  const left = out.map((days) => start.property('EXDATE', days));
  const changes = moved.map((days) => {
    const first = days + random.below(2);
    const times = [start.property('DTSTART', first, 45), start.property('DTEND', first + 1, 90)];
    return event(uid, start.property('RECURRENCE-ID', days), ...times, random.oneOf(states));
  });
  return [event(...begins, `RRULE:${rule}`, ...left), ...changes];
}

/** Reads 3,000 random calendars beside Python's icalendar and recurring_ical_events. */
export async function privateEvents(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'private-events-'));
  try {
    const python = join(folder, 'venv', 'bin', 'python');
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '-q', 'icalendar', 'recurring_ical_events', 'tzdata']);
    const files = Array.from({ length: COUNT }, (_, seed) => {
      const random = randomFrom(seed);
      return calendarFile(...Array.from({ length: 1 + random.below(3) }, () => randomEvents(random)).flat());
    });
    const input = join(folder, 'files.json');
    writeFileSync(input, JSON.stringify(files));
    writeFileSync(join(folder, 'oracle.py'), ORACLE);
    const window = [WINDOW.start, WINDOW.end].map(String);
    const { stdout } = await run(python, [join(folder, 'oracle.py'), input, ZONE, ...window], { maxBuffer: 2 ** 30 });
    const expected = stdout.trim().split('\n');
    const own = files.map((file) =>
      JSON.stringify(
        readFeed(file, { zone: ZONE, window: WINDOW, isVisit: () => false }).map(({ start, end }) => [start, end]),
      ),
    );
    const times = own.reduce((sum, each) => sum + (JSON.parse(each) as unknown[]).length, 0);
    const different = own.flatMap((each, index) =>
      each === JSON.stringify(JSON.parse(expected[index] ?? '0')) ? [] : index,
    );
    process.stdout.write(
      `private-events: ${COUNT} calendars, ${times} busy times, ${different.length} differ from Python.\n`,
    );
    for (const index of different.slice(0, 3))
      process.stdout.write(`${files[index]}\nours   ${own[index]}\npython ${expected[index]}\n`);
    return different.length === 0 && times > COUNT;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
