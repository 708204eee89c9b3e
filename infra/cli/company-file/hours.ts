import type { TimeSlot } from '../../../lib/entities/service-agents.ts';
import * as z from 'zod';
import type { FieldFormat } from './entry-format.ts';

/** Working hours of a day of the week: `day` 0 Sunday to 6 Saturday, `start` in minutes after midnight. */
export interface DayHours {
  readonly day: number;
  readonly start: number;
  readonly minutes: number;
}

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const EVERY_DAY = DAY_NAMES.map((_, day) => day);
const DAY_MINUTES = 1_440;
/** In the file a week begins on Monday: `Mon-Sun` is the whole week. */
const toWeekPosition = (day: number): number => (day + 6) % 7;
const fromWeekPosition = (position: number): number => (position + 1) % 7;

/** Two letters are enough to distinguish the days. */
const parseDay = (word: string): number =>
  word.length < 2 ? -1 : DAY_NAMES.findIndex((day) => day.toLowerCase().startsWith(word.toLowerCase()));

function parseDays(text: string): number[] | undefined {
  if (/^daily$/i.test(text)) return EVERY_DAY;
  const days: number[] = [];
  for (const part of text.split(',')) {
    const [first = '', last = first, ...more] = part.trim().split(/\s*[-–]\s*/);
    const [from, through] = [parseDay(first), parseDay(last)];
    if (from < 0 || through < 0 || more.length) return undefined;
    for (let day = from; ; day = (day + 1) % 7) {
      days.push(day);
      if (day === through) break;
    }
  }
  return days;
}

function parseMinute(text: string): number | undefined {
  const [, hours = '', minutes = '0', half] = /^(\d{1,2})(?::([0-5]\d))?\s*([ap]m)?$/i.exec(text.trim()) ?? [];
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours);
  if (hours === '' || hour > 24 || (half && (Number(hours) > 12 || hours === '0'))) return undefined;
  const minute = hour * 60 + Number(minutes);
  return minute > DAY_MINUTES ? undefined : minute;
}

function parseTimes(text: string): { start: number; minutes: number }[] | undefined {
  const times: { start: number; minutes: number }[] = [];
  for (const part of text.split(',')) {
    const [start, end, ...more] = part.split(/[-–]/).map(parseMinute);
    if (start === undefined || end === undefined || more.length || start === DAY_MINUTES) return undefined;
    times.push({ start, minutes: end > start ? end - start : end - start + DAY_MINUTES });
  }
  return times;
}

/** Night work belongs to two days: Mon 22:00-6:00 is Mon 22:00-24:00 and Tue 0:00-6:00. */
function splitAtMidnight({ day, start, minutes }: DayHours): DayHours[] {
  const today = Math.min(minutes, DAY_MINUTES - start);
  const tomorrow = { day: (day + 1) % 7, start: 0, minutes: minutes - today };
  return [{ day, start, minutes: today }, ...(tomorrow.minutes ? [tomorrow] : [])];
}

/**
 * Parses `Mon-Fri 8:00-12:00, 13:00-17:00`, `Sat, Sun 9 AM-1 PM`, `Daily 7:00-19:00`; otherwise returns `undefined`.
 */
export function parseHours(text: string): DayHours[] | undefined {
  const [, dayText = '', timeText = ''] = /^\s*([a-z][a-z\s,–-]*?)\s+(\d.*)$/i.exec(text) ?? [];
  const days = parseDays(dayText);
  const times = parseTimes(timeText);
  return days && times?.flatMap((time) => days.flatMap((day) => splitAtMidnight({ day, ...time })));
}

/** `8:00`, and `24:00` at the end of a day. */
export const formatMinute = (minute: number): string =>
  `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;

/** Positions in the week as `Mon-Fri` or `Mon, Wed`; a range has at least three days. */
function formatDays(positions: readonly number[]): string {
  const runs: number[][] = [];
  for (const position of positions) {
    const run = runs.at(-1);
    if (run?.at(-1) === position - 1) run.push(position);
    else runs.push([position]);
  }
  const name = (position: number | undefined) => DAY_NAMES[fromWeekPosition(position ?? 0)]?.slice(0, 3);
  return runs
    .map((run) => (run.length > 2 ? `${name(run[0])}-${name(run.at(-1))}` : run.map(name).join(', ')))
    .join(', ');
}

/** Hours as lines that `parseHours` reads, with one line for days with the same times. Equal hours give equal lines. */
export function formatHours(hours: readonly DayHours[]): string[] {
  const sorted = hours.toSorted(
    (a, b) => toWeekPosition(a.day) - toWeekPosition(b.day) || a.start - b.start || a.minutes - b.minutes,
  );
  const timesByDay = [...Map.groupBy(sorted, ({ day }) => toWeekPosition(day))].map(([position, own]) => {
    const times = own.map(({ start, minutes }) => `${formatMinute(start)}-${formatMinute(start + minutes)}`);
    return { position, times: [...new Set(times)].join(', ') };
  });
  return [...Map.groupBy(timesByDay, ({ times }) => times)].map(
    ([times, days]) => `${formatDays(days.map(({ position }) => position))} ${times}`,
  );
}

/** Hours that apply only between two dates, to services of a category, or in postal codes. */
interface ConditionalHours {
  readonly hours: readonly string[];
  readonly from?: string | null | undefined;
  readonly through?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly postalCodes?: string | null | undefined;
}

const numberToText = (value: unknown) => (typeof value === 'number' ? String(value) : value);
const toList = (value: unknown) => (Array.isArray(value) ? value : [value]);

/** Postal codes as a list or one text; parsed to one text, the form of operations. */
export const postalCodes = () =>
  z
    .preprocess(
      numberToText,
      z.union(
        [z.string(), z.array(z.preprocess(numberToText, z.string()))],
        'must be postal codes, as a list or with commas between them',
      ),
    )
    .transform((codes) => (typeof codes === 'string' ? codes : codes.join(', ')));

const hoursLine = () =>
  z
    .string('must be like `Mon-Fri 8:00-17:00`')
    .refine((value) => parseHours(value) !== undefined, 'must be like `Mon-Fri 8:00-12:00, 13:00-17:00`');

const conditionalHours = () =>
  z.strictObject({
    hours: z.preprocess(toList, z.array(hoursLine())),
    from: z.string('must be a date').nullish(),
    through: z.string('must be a date').nullish(),
    category: z.string('must be text').nullish(),
    postalCodes: postalCodes().nullish(),
  });

const toTimeSlots = ({ hours, from, through, category, postalCodes: codes }: ConditionalHours): Partial<TimeSlot>[] =>
  hours
    .flatMap((line) => parseHours(line) ?? [])
    .map(({ day, start, minutes }) => ({
      DayOfWeek: day,
      StartMinute: start,
      Minutes: minutes,
      StartDate: from ?? '',
      EndDate: through ?? '',
      ServiceCategoryName: category ?? '',
      PostalCodes: codes ?? '',
    }));

const toDayHours = ({ DayOfWeek, StartMinute, Minutes }: TimeSlot): DayHours[] =>
  (DayOfWeek === null ? EVERY_DAY : [DayOfWeek]).map((day) => ({ day, start: StartMinute, minutes: Minutes }));

/** Time slots with the same conditions in the form of the file: only lines, or lines with their conditions. */
function formatSlots(slots: readonly TimeSlot[]): unknown[] {
  const lines = formatHours(slots.flatMap(toDayHours));
  const [slot] = slots;
  const conditions = {
    ...(slot?.StartDate ? { from: slot.StartDate } : {}),
    ...(slot?.EndDate ? { through: slot.EndDate } : {}),
    ...(slot?.ServiceCategoryName ? { category: slot.ServiceCategoryName } : {}),
    ...(slot?.PostalCodes ? { postalCodes: slot.PostalCodes.replaceAll(',', ', ') } : {}),
  };
  return Object.keys(conditions).length ? [{ hours: lines.length === 1 ? lines[0] : lines, ...conditions }] : lines;
}

/** Weekly hours: lines such as `Mon-Fri 8:00-17:00`, or mappings of such lines with conditions. */
export const weeklyHours: FieldFormat = {
  field: 'TimeSlots',
  schema: () => {
    const line = z.preprocess((value) => (typeof value === 'string' ? { hours: value } : value), conditionalHours());
    return z.preprocess(toList, z.array(line, 'must be a list'));
  },
  toInput: (value) => (value as ConditionalHours[]).flatMap(toTimeSlots),
  toFile(value) {
    const slots = (value ?? []) as TimeSlot[];
    const groups = Map.groupBy(slots, ({ StartDate, EndDate, ServiceCategoryName, PostalCodes }) =>
      JSON.stringify([StartDate, EndDate, ServiceCategoryName, PostalCodes]),
    );
    return slots.length ? [...groups.keys()].sort().flatMap((key) => formatSlots(groups.get(key) ?? [])) : undefined;
  },
};
