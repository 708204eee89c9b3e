import type { ObjectOf } from './declaration/field.ts';
import { type Output, many } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  code,
  date,
  given,
  id,
  listOf,
  moment,
  number,
  numbers,
  object,
  phone,
  text,
  texts,
} from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Weekly hours, in the organization's time zone. */
const timeSlot = {
  /** `null` means every day. */
  DayOfWeek: code(DAYS, { nullable: true, resource: true }),
  NameOfDay: text({ max: 20, resource: true }),
  StartMinute: number({ min: 0, max: 1439, resource: true, description: 'Minutes after midnight: 540 is 9:00.' }),
  Minutes: number({ min: 0, max: 1440, resource: true, description: 'Length in minutes.' }),
  StartDate: date({ resource: true }),
  EndDate: date({ resource: true }),
  ServiceCategoryName: text({
    max: 100,
    resource: true,
    description: 'Only for services of this Category; empty means all.',
  }),
  PostalCodes: text({
    resource: true,
    description: 'Comma-separated postal codes to serve in these hours; empty means all of the organization.',
  }),
};

/** Time in which a service agent does not work: from `From` until before `Until`. */
const timeOff = { From: moment({ required: true }), Until: moment({ required: true }), Reason: text() };
export type TimeOff = ObjectOf<typeof timeOff>;

/** The most calendars of its own that an agent may have. */
export const MAX_CALENDARS = 3;

/** An address of an iCalendar feed of the agent, which is a secret: whoever has it can read the calendar. */
const busyFrom = {
  /** The beginning of its hash, which names it in the table. */
  Id: text({ required: true }),
  /** What answers show of it: its host and Id. */
  Shown: text({ required: true }),
  /** The address, encrypted. */
  Sealed: text({ required: true }),
};
export type BusyFrom = ObjectOf<typeof busyFrom>;

/** A person or crew that serves appointments, from StartDate to EndDate, both inclusive. */
export const serviceAgentEntity = entity('ServiceAgent', {
  Id: id({ resource: true }),
  OrganizationId: id(),
  Name: text({ max: 200, resource: true }),
  Email: text({ max: 254, resource: true }),
  MobilePhone: phone({ resource: true }),
  /** `""` if open. */
  StartDate: date({ resource: true }),
  EndDate: date({ resource: true }),
  TimeSlots: listOf(timeSlot, { resource: true }),
  CalendarUrl: given(
    text({
      max: 2048,
      readOnly: true,
      extension: true,
      description:
        'The secret address of a feed of its visits, for a calendar. Only serviceagents/all and ' +
        'organizations/details have it, for keys of the roles Owner, Admin and Office, and for a key of the agent. ' +
        'Else it is empty.',
    }),
  ),
  /** In order. Set only by the company file. */
  TimeOff: listOf(timeOff),
  Calendars: listOf(busyFrom, { secret: true }),
  BusyFrom: given(
    texts({
      max: 2048,
      extension: true,
      description:
        "Addresses of the agent's own calendars (iCalendar feeds, https), at most 3: busy time there is not " +
        'offered. Answers show only their hosts, and only to Owner, Admin, Office and keys of the agent. What they ' +
        'show can be sent back and keeps the address.',
    }),
  ),
  /** How often the address of its calendar was revoked; absent until the first time. */
  LinksRevoked: number({ optional: true }),
  Created: moment({ required: true }),
  V: number(),
});
export type ServiceAgentRecord = RecordOf<typeof serviceAgentEntity>;

export const TimeSlot = /* @__PURE__ */ resourceOf({ name: 'TimeSlot', declared: timeSlot }, { carriesResult: true });
export type TimeSlot = Output<typeof TimeSlot>;

export const ServiceAgent = /* @__PURE__ */ resourceOf(serviceAgentEntity, {}, () => ({ TimeSlots: many(TimeSlot) }));
export type ServiceAgent = Output<typeof ServiceAgent>;

/**
 * A job in an agent's day, or a hold, which keeps time while a client decides. Versions that do not know holds keep a
 * hold as a job of another appointment that takes no time (E is S, A is 0). Names are short because a search reads
 * hundreds of jobs.
 */
const storedJob = {
  /** The appointment's id. */
  A: id(),
  /** Start and end. */
  S: moment({ required: true }),
  E: moment({ required: true }),
  /**
   * The minutes of them before and after the visit itself; absent if there are none. Versions that do not know buffers
   * keep them.
   */
  B: numbers({ optional: true }),
  /** Latitude and longitude; absent if unknown. */
  P: numbers({ optional: true }),
  /** For a hold: its handle, its end, when it lapses, its key, and its place among the key's holds. */
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
  /** For time in which the agent is busy elsewhere: the calendar that says so, and its end. E is S, as in a hold. */
  C: object({ Id: text({ required: true }), E: moment({ required: true }) }, { optional: true }),
};
export type StoredJob = ObjectOf<typeof storedJob>;

/** A UTC day of an agent. */
export const calendarEntity = entity('Calendar', {
  Agent: id(),
  Day: text({ required: true }),
  Jobs: listOf(storedJob, { required: true }),
  V: number(),
});

/** A hold in its key's list: where to find it. */
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
