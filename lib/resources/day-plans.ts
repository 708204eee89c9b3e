import { Appointment } from '../entities/appointments.ts';
import {
  type FieldsInput,
  type FieldsOutput,
  type Output,
  date,
  described,
  flag,
  id,
  int32,
  list,
  localTime,
  many,
  required,
  resource,
  text,
} from './fields.ts';

/** The plan of a day: appointments/dayplan. */

/** The most characters of a Revision: 200 visits and 30 moves have some 3,000. */
export const MAX_REVISION = 8_000;

export const PlannedVisit = resource('PlannedVisit', () => ({
  AppointmentId: id(),
  ContactId: id(),
  ContactName: text(),
  Zip: described(text(20), 'Of the contact.'),
  ServiceName: text(200),
  DateTime: localTime(),
  ArrivalFrom: Appointment.shape().ArrivalFrom,
  ArrivalThrough: Appointment.shape().ArrivalThrough,
  Duration: described(int32(0), 'Minutes.'),
  DriveMinutes: described(int32(0), 'Minutes of the drive to it.'),
  IsMoved: described(flag(), 'Whether the plan gives it this time or this agent.'),
  Stays: described(text(), 'Why the plan leaves it as it is; empty if it may move.'),
}));
export type PlannedVisit = Output<typeof PlannedVisit>;

export const PlannedAgent = resource('PlannedAgent', () => ({
  ServiceAgentId: id(),
  ServiceAgentName: text(200),
  DriveMinutesBefore: described(int32(0), 'From StartAddress by every visit and back.'),
  DriveMinutesAfter: int32(0),
  Before: described(many(PlannedVisit), 'The visits in their present order.'),
  After: described(many(PlannedVisit), 'The visits in the order of the plan.'),
  Why: described(
    text(),
    'Why the agent keeps the present order although visits could move; empty if the plan is whole.',
  ),
}));
export type PlannedAgent = Output<typeof PlannedAgent>;

export const WaitingVisit = resource('WaitingVisit', () => ({
  AppointmentId: id(),
  ContactId: id(),
  ContactName: text(),
  ServiceName: text(200),
  QueueDate: date(),
  Why: text(),
}));
export type WaitingVisit = Output<typeof WaitingVisit>;

export const dayPlanFields = () => ({
  OrganizationId: described(id(), "Defaults to the organization of the key, or the account's default one."),
  Date: required(described(date(), "The day, in the organization's time zone.")),
  Agents: described(list(id(), 30), 'Ids of service agents; all of the organization by default.'),
  AcrossAgents: described(flag(), 'Visits may go to another of these agents who does the service at the address.'),
  MoveConfirmed: described(
    flag(),
    'Visits without an arrival window may move away from the time their clients expect.',
  ),
  Queue: described(flag(), 'Places queued visits in the gaps: those queued for the day or up to two weeks before it.'),
  Apply: described(flag(), 'Makes the moves of Revision, or those of the plan that is made now.'),
  Revision: described(text(MAX_REVISION), 'With Apply: the plan that was looked at, or the Undo of one.'),
});
export type DayPlanInput = FieldsInput<ReturnType<typeof dayPlanFields>>;

export const dayPlanAnswer = () => ({
  OrganizationId: id(),
  Date: date(),
  DriveMinutesBefore: int32(0),
  DriveMinutesAfter: int32(0),
  Agents: many(PlannedAgent),
  Waiting: described(many(WaitingVisit), 'Queued visits that the plan does not place.'),
  Moves: described(int32(0), 'How many visits move.'),
  IsApplied: flag(),
  Revision: described(text(MAX_REVISION), 'For Apply; empty if nothing moves, or once it is applied.'),
  Undo: described(text(MAX_REVISION), 'The Revision of the way back, for an hour after Apply.'),
});
export type DayPlanAnswer = FieldsOutput<ReturnType<typeof dayPlanAnswer>> & { readonly Message: string };
