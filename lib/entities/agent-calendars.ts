import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { id, listOf, moment, number, text } from './declaration/fields.ts';

/** How the reading of one of an agent's own calendars goes; its busy times are in the agent's days (Calendar). */
const calendarState = {
  /** As in the service agent. */
  Id: text({ required: true }),
  /** What the host said of the version that was read last, to ask for a newer one alone. */
  ETag: text(),
  Modified: text(),
  /** A hash of the busy times that the days have; `''` if they have none of this calendar, or only some. */
  Digest: text(),
  /** The first day and the zone that the times were read for: they are read whole when one of them changes. */
  Day: text(),
  Zone: text(),
  /** How many separate times, and minutes, are busy. */
  Times: number(),
  Minutes: number(),
  /** The last attempt. */
  TriedAt: moment({ nullable: true }),
  /** The last success; `null` before the first. */
  ReadAt: moment({ nullable: true }),
  /** The first failure after the last success, and why; `null` and `''` while all is well. */
  FailingSince: moment({ nullable: true }),
  Reason: text(),
  /** The task of the office about it; 0 without one. */
  TaskId: number(),
};
export type CalendarState = ObjectOf<typeof calendarState>;

/** The own calendars of an agent. */
export const agentCalendarsEntity = entity('AgentCalendars', {
  OrganizationId: id(),
  AgentId: id(),
  Calendars: listOf(calendarState),
  V: number(),
});
export type AgentCalendars = RecordOf<typeof agentCalendarsEntity>;

/** An entry of the list of agents of all accounts with own calendars. */
export const calendarEntryEntity = entity('CalendarEntry', {
  Account: text({ required: true }),
  OrganizationId: id(),
  AgentId: id(),
});
