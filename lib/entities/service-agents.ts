import { type RecordOf, entity } from './declaration/entity.ts';
import { type ObjectOf, date, id, listOf, moment, number, numbers, object, text } from './declaration/fields.ts';

/** Weekly hours, in the time zone of the organization. */
const timeSlot = {
  /** 0 is Sunday; `null` is every day. */
  DayOfWeek: number({ nullable: true }),
  NameOfDay: text(),
  /** Minutes after midnight. */
  StartMinute: number(),
  Minutes: number(),
  StartDate: date(),
  EndDate: date(),
  ServiceCategoryName: text(),
  /** Comma-separated. */
  PostalCodes: text(),
};

/** Time in which a service agent does not work: from `From` until before `Until`. */
const timeOff = { From: moment({ required: true }), Until: moment({ required: true }), Reason: text() };
export type TimeOff = ObjectOf<typeof timeOff>;

/** A service agent. */
export const serviceAgentEntity = entity('ServiceAgent', {
  Id: id({ resource: true }),
  OrganizationId: id(),
  Name: text({ resource: true }),
  Email: text({ resource: true }),
  MobilePhone: text({ resource: true }),
  /** `""` when open. */
  StartDate: date({ resource: true }),
  EndDate: date({ resource: true }),
  TimeSlots: listOf(timeSlot, { resource: true }),
  /** In order. Only the company file sets it. */
  TimeOff: listOf(timeOff),
  Created: moment({ required: true }),
  V: number(),
});
export type ServiceAgentRecord = RecordOf<typeof serviceAgentEntity>;

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
  /** The minutes of them before and after the visit itself; absent for none. A version of before buffers keeps them. */
  B: numbers({ optional: true }),
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
