import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, id, listOf, moment, number, numbers, object, text } from './fields.ts';

/**
 * A job of an agent's day, or a hold: time that is kept while a client decides. A version of before holds keeps a hold
 * as a job of another appointment that takes no time (E is S, A is 0). Names are short because a search reads hundreds.
 */
const storedJob = {
  /** The appointment. */
  A: id(),
  /** Start and end. */
  S: moment({ required: true }),
  E: moment({ required: true }),
  /** Latitude and longitude; absent if unknown. */
  P: numbers({ optional: true }),
  /** Of a hold: its handle, its end, the moment until which it holds, its key, and its place among those of the key. */
  H: object(
    {
      Id: text({ required: true }),
      E: moment({ required: true }),
      U: moment({ required: true }),
      K: text({ required: true }),
      N: number({ required: true }),
    },
    { optional: true },
  ),
};
export type StoredJob = ObjectOf<typeof storedJob>;

/** A day of UTC of an agent. */
export const calendarEntity = entity('Calendar', {
  Agent: id(),
  Day: text({ required: true }),
  Jobs: listOf(storedJob, { required: true }),
  V: number(),
});

/** A hold as the list of its key has it: where it is. */
export const listedHoldEntity = entity('Hold', {
  Handle: text({ required: true }),
  Place: number(),
  Organization: id(),
  Agent: id(),
  Start: moment({ required: true }),
  End: moment({ required: true }),
  Until: moment({ required: true }),
});
export type ListedHold = RecordOf<typeof listedHoldEntity>;
