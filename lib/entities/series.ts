import type { ObjectOf } from './declaration/field.ts';
import { additionalAgent } from './appointments.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { history, id, listOf, moment, number, numbers, text, texts, word } from './declaration/fields.ts';

/**
 * A change of a visit's successors, which the worker makes one by one. Visits are counted from 0, days from 1970-01-01.
 */
const seriesChange = {
  /** `book` assigns a time to visits that wait for their day. */
  Kind: word(['move', 'book', 'cancel']),
  /** When it was requested; visits that were moved later stay where they are. */
  At: moment({ required: true }),
  /** The next visit and the last one; descending if visits move to later days. */
  Next: number(),
  Last: number(),
  /** The number of days by which each visit of the series moves. */
  Shifts: numbers(),
  /** The new time of day in milliseconds; `null` keeps the old one. */
  Clock: number({ nullable: true }),
  /** The new agents; 0 and `null` keep the old ones. */
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
  /** The id of the proposal, or of the first visit. */
  Id: id(),
  OrganizationId: id(),
  /** The proposal that sold the visits, whose tasks queue them; 0 if the worker books them. */
  ProposalId: id({ absent: 0 }),
  /** The planned day of each visit, in days since 1970-01-01. */
  Days: numbers({ required: true }),
  /** Months between visits; 0 if the interval is in days. */
  Months: number(),
  /**
   * The visits, besides the first, from which months and rules are counted, ascending: each starts a part of the series
   * that was moved.
   */
  Anchors: numbers(),
  /**
   * If the visits are on days of the week: the rule of each part, as an RRULE of RFC 5545. Months is then 0: a version
   * that does not know rules moves all visits by the same number of days.
   */
  Rules: texts(),
  /** The existing visits, in order. */
  VisitIds: numbers({ required: true }),
  /** The time of day in milliseconds, and the agents, of visits that are still to be booked. */
  Clock: number(),
  ServiceAgentId: id({ absent: 0 }),
  AdditionalAgents: listOf(additionalAgent),
  /** In order of processing. */
  Changes: listOf(seriesChange),
  /** What the worker could not do, for the office's task: how many visits, and the reasons of the first ones. */
  KeptVisits: number(),
  Kept: texts(),
  /** Number of visits that the worker still has to make or change. */
  Left: number(),
  ...history,
});
export type SeriesRecord = RecordOf<typeof seriesEntity>;
