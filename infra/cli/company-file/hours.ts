import * as z from 'zod';
import type { TimeSlot } from '../../../lib/resources/organizations.ts';
import type { Part } from './form.ts';

/** A stretch of a week: `day` 0 Sunday to 6 Saturday, minutes after midnight and how long from there. */
export interface Stretch {
  readonly day: number;
  readonly start: number;
  readonly minutes: number;
}

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const DAY_MINUTES = 1_440;
/** People's weeks begin on Monday: `Mon-Sun` is the whole week. */
const place = (day: number): number => (day + 6) % 7;
const dayAt = (place: number): number => (place + 1) % 7;

/** Two letters tell the days apart. */
const dayOf = (word: string): number =>
  word.length < 2 ? -1 : DAY_NAMES.findIndex((day) => day.toLowerCase().startsWith(word.toLowerCase()));

function daysOf(text: string): number[] | undefined {
  if (/^daily$/i.test(text)) return [0, 1, 2, 3, 4, 5, 6];
  const days: number[] = [];
  for (const part of text.split(',')) {
    const [first = '', last = first, ...more] = part.trim().split(/\s*[-–]\s*/);
    const [from, through] = [dayOf(first), dayOf(last)];
    if (from < 0 || through < 0 || more.length) return undefined;
    const count = ((place(through) - place(from) + 7) % 7) + 1;
    days.push(...Array.from({ length: count }, (_, index) => dayAt((place(from) + index) % 7)));
  }
  return days;
}

function minuteOf(text: string): number | undefined {
  const [, hours = '', minutes = '0', half] = /^(\d{1,2})(?::([0-5]\d))?\s*([ap]m)?$/i.exec(text.trim()) ?? [];
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours);
  if (hours === '' || hour > 24 || (half && (Number(hours) > 12 || hours === '0'))) return undefined;
  const minute = hour * 60 + Number(minutes);
  return minute > DAY_MINUTES ? undefined : minute;
}

function timesOf(text: string): { start: number; minutes: number }[] | undefined {
  const times = text.split(',').map((part) => {
    const [from, through, ...more] = part.split(/[-–]/).map(minuteOf);
    if (from === undefined || through === undefined || more.length || from === DAY_MINUTES) return undefined;
    return { start: from, minutes: through > from ? through - from : through - from + DAY_MINUTES };
  });
  return times.includes(undefined) ? undefined : (times as { start: number; minutes: number }[]);
}

/**
 * Reads weekly hours as people write them: `Mon-Fri 8:00-12:00, 13:00-17:00`, `Sat, Sun 9 AM-1 PM`, `Daily 7:00-19:00`;
 * `undefined` for another text.
 */
export function readHours(text: string): Stretch[] | undefined {
  const [, dayText = '', timeText = ''] = /^\s*([a-z][a-z\s,–-]*?)\s+(\d.*)$/i.exec(text) ?? [];
  const days = daysOf(dayText);
  const times = timesOf(timeText);
  return days && times?.flatMap(({ start, minutes }) => days.flatMap((day) => untilMidnight({ day, start, minutes })));
}

/** A night's work is of two days: Mon 22:00-6:00 is Mon 22:00-24:00 and Tue 0:00-6:00. */
function untilMidnight({ day, start, minutes }: Stretch): Stretch[] {
  const today = Math.min(minutes, DAY_MINUTES - start);
  return [
    { day, start, minutes: today },
    ...(today < minutes ? [{ day: (day + 1) % 7, start: 0, minutes: minutes - today }] : []),
  ];
}

const clock = (minute: number): string => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
const timeText = ({ start, minutes }: Stretch): string => `${clock(start)}-${clock(start + minutes)}`;

/** Places of days (0 Monday) as `Mon-Fri` or `Mon, Wed`; two neighbours are no range. */
function dayText(places: readonly number[]): string {
  const runs: number[][] = [];
  for (const each of places) {
    const run = runs.at(-1);
    if (run && run.at(-1) === each - 1) run.push(each);
    else runs.push([each]);
  }
  const name = (each: number | undefined) => DAY_NAMES[dayAt(each ?? 0)]?.slice(0, 3);
  return runs
    .map((run) => (run.length > 2 ? `${name(run[0])}-${name(run.at(-1))}` : run.map(name).join(', ')))
    .join(', ');
}

/**
 * Weekly hours in the form that `readHours` reads: days with the same hours in one line, the lines by their first day.
 * The same hours are the same lines.
 */
export function writeHours(stretches: readonly Stretch[]): string[] {
  const byDay = new Map<number, string[]>();
  for (const stretch of stretches.toSorted(
    (a, b) => place(a.day) - place(b.day) || a.start - b.start || a.minutes - b.minutes,
  )) {
    byDay.set(place(stretch.day), [...new Set([...(byDay.get(place(stretch.day)) ?? []), timeText(stretch)])]);
  }
  const byTimes = new Map<string, number[]>();
  for (const [day, times] of byDay) byTimes.set(times.join(', '), [...(byTimes.get(times.join(', ')) ?? []), day]);
  return [...byTimes].map(([times, days]) => `${dayText(days)} ${times}`);
}

/** Hours that hold only from one day through another, for services of a category, or in postal codes. */
interface Stated {
  readonly hours: readonly string[];
  readonly from?: string | null | undefined;
  readonly through?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly postalCodes?: string | null | undefined;
}

const text = (value: unknown) => (typeof value === 'number' ? String(value) : value);
const listed = (value: unknown) => (Array.isArray(value) ? value : [value]);

/** Postal codes as a list or as one text, which is what operations take. */
export const postalCodes = () =>
  z
    .preprocess(
      text,
      z.union(
        [z.string(), z.array(z.preprocess(text, z.string()))],
        'must be postal codes, as a list or with commas between them',
      ),
    )
    .transform((codes) => (typeof codes === 'string' ? codes : codes.join(', ')));

const hours = () =>
  z
    .string('must be like `Mon-Fri 8:00-17:00`')
    .refine((value) => readHours(value) !== undefined, 'must be like `Mon-Fri 8:00-12:00, 13:00-17:00`');

const stated = () =>
  z.strictObject({
    hours: z.preprocess(listed, z.array(hours())),
    from: z.string('must be a date').nullish(),
    through: z.string('must be a date').nullish(),
    category: z.string('must be text').nullish(),
    postalCodes: postalCodes().nullish(),
  });

const slotsOf = ({ hours, from, through, category, postalCodes: codes }: Stated): Partial<TimeSlot>[] =>
  hours
    .flatMap((line) => readHours(line) ?? [])
    .map(({ day, start, minutes }) => ({
      DayOfWeek: day,
      StartMinute: start,
      Minutes: minutes,
      StartDate: from ?? '',
      EndDate: through ?? '',
      ServiceCategoryName: category ?? '',
      PostalCodes: codes ?? '',
    }));

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const stretchesOf = ({ DayOfWeek, StartMinute, Minutes }: TimeSlot): Stretch[] =>
  (DayOfWeek === null ? everyDay : [DayOfWeek]).map((day) => ({ day, start: StartMinute, minutes: Minutes }));

function statementOf(slots: readonly TimeSlot[]): unknown[] {
  const [{ StartDate, EndDate, ServiceCategoryName, PostalCodes }] = slots as [TimeSlot];
  const lines = writeHours(slots.flatMap(stretchesOf));
  const conditions = {
    ...(StartDate ? { from: StartDate } : {}),
    ...(EndDate ? { through: EndDate } : {}),
    ...(ServiceCategoryName ? { category: ServiceCategoryName } : {}),
    ...(PostalCodes ? { postalCodes: PostalCodes.replaceAll(',', ', ') } : {}),
  };
  return Object.keys(conditions).length ? [{ hours: lines.length === 1 ? lines[0] : lines, ...conditions }] : lines;
}

/**
 * Weekly hours: lines such as `Mon-Fri 8:00-17:00`, or such lines with conditions. What is written holds the same hours
 * in the fewest lines.
 */
export const weeklyHours: Part = {
  of: 'TimeSlots',
  schema: () =>
    z.preprocess(
      listed,
      z.array(
        z.preprocess((value) => (typeof value === 'string' ? { hours: value } : value), stated()),
        'must be a list',
      ),
    ),
  read: (value) => (value as Stated[]).flatMap(slotsOf),
  write(value) {
    const slots = (value ?? []) as TimeSlot[];
    const groups = Map.groupBy(slots, ({ StartDate, EndDate, ServiceCategoryName, PostalCodes }) =>
      JSON.stringify([StartDate, EndDate, ServiceCategoryName, PostalCodes]),
    );
    return slots.length ? [...groups.keys()].sort().flatMap((key) => statementOf(groups.get(key) ?? [])) : undefined;
  },
};
