import type { ObjectOf } from './declaration/field.ts';
import { additionalAgent } from './appointments.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { history, id, listOf, moment, number, numbers, text, texts, word } from './declaration/fields.ts';

/**
 * A change of the visits that follow one, which the worker makes visit by visit. Visits are counted from 0, days from
 * 1970-01-01.
 */
const seriesChange = {
  /** `book` gives those that wait for their day a time. */
  Kind: word(['move', 'book', 'cancel']),
  /** When it was requested: a visit that was moved since stays where it is. */
  At: moment({ required: true }),
  /** The visit that is next, and the last one; it goes backwards where visits move to later days. */
  Next: number(),
  Last: number(),
  /** By how many days each visit of the series moves. */
  Shifts: numbers(),
  /** The new time of day, in milliseconds; `null` leaves it. */
  Clock: number({ nullable: true }),
  /** The new agents; 0 and `null` leave them. */
  ServiceAgentId: id({ absent: 0 }),
  AdditionalAgents: listOf(additionalAgent, { nullable: true }),
  CancelReasonId: id({ nullable: true }),
  CancelReason: text(),
  /** The name of the key that requested it. */
  By: text(),
};
export type SeriesChange = ObjectOf<typeof seriesChange>;

/** The visits of a subscription, or those that a repeated booking makes. */
export const seriesEntity = entity('Series', {
  /** That of the proposal, or of the first visit. */
  Id: id(),
  OrganizationId: id(),
  /** The proposal that sold the visits, whose tasks queue them; 0 where the worker books them. */
  ProposalId: id({ absent: 0 }),
  /** The planned day of each visit, as a number of days since 1970-01-01. */
  Days: numbers({ required: true }),
  /** Months between visits; 0 where they are days apart. */
  Months: number(),
  /** The visits from whose day months are counted besides the first, ascending: from each, all were moved. */
  Anchors: numbers(),
  /** The visits that are made, in their order. */
  VisitIds: numbers({ required: true }),
  /** The time of day of visits that are still to be booked, in milliseconds, and their agents. */
  Clock: number(),
  ServiceAgentId: id({ absent: 0 }),
  AdditionalAgents: listOf(additionalAgent),
  /** In the order in which they are made. */
  Changes: listOf(seriesChange),
  /** What the worker could not do, for the task of the office: how many visits, and the reasons of the first. */
  KeptVisits: number(),
  Kept: texts(),
  /** How many visits the worker has still to make or to change. */
  Left: number(),
  ...history,
});
export type SeriesRecord = RecordOf<typeof seriesEntity>;
