import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, date, id, listOf, moment, number, text } from './fields.ts';

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
