import * as z from 'zod';
import type { TimeSlot } from '../../../lib/resources/service-agents.ts';
import { readHours, writeHours, type Stretch } from './hours.ts';
import type { Part } from './form.ts';

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
