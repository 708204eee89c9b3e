import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { type SeriesRecord, seriesEntity } from '../../entities/series.ts';
import { type Day, dayNumber } from '../../shared/time/calendar-dates.ts';
import { toLocalDay } from '../../shared/time/time.ts';
import { expandBook } from '../proposals/record.ts';
import { findInterval } from './recurrence.ts';
import { storedInterval } from './series.ts';
import { type Visit, scheduleVisits } from './visits.ts';

/** The series of a proposal's visits, none of which exists yet. */
export const soldSeries = (proposal: ProposalRecord, visits: readonly Visit[], Created: number): SeriesRecord =>
  seriesEntity.blank({
    Id: proposal.Id,
    ProposalId: proposal.Id,
    OrganizationId: proposal.OrganizationId,
    Days: visits.map(({ date }) => dayNumber(date)),
    VisitIds: [],
    ...storedInterval(findInterval(expandBook(proposal.Book).service)),
    Created,
  });

/** A visit that exists. */
export type MadeVisit = Pick<AppointmentRecord, 'Id' | 'Created' | 'QueueDate' | 'Start' | 'Zone'>;

/** Visits are created in the order of their days, with ascending ids in each transaction. */
const inOrder = (one: MadeVisit, other: MadeVisit): number => one.Created - other.Created || one.Id - other.Id;

const dayOf = ({ QueueDate, Start, Zone }: MadeVisit): Day =>
  Start === null ? (QueueDate ? dayNumber(QueueDate) : 0) : toLocalDay(Start, Zone);

/**
 * The series of an accepted subscription with all existing visits, for proposals whose first visits were queued by a
 * version without series; `undefined` if it is complete, or there are no two consecutive visits. A visit that was
 * changed into other work does not count: the days are then those of the others.
 */
export function completedSeries(
  proposal: ProposalRecord,
  stored: SeriesRecord | undefined,
  visits: readonly MadeVisit[],
  now: Date,
): SeriesRecord | undefined {
  const planned = scheduleVisits(proposal);
  const series = stored ?? soldSeries(proposal, planned, now.getTime());
  const known = new Set(series.VisitIds);
  const added = visits.filter(({ Id }) => !known.has(Id)).toSorted(inOrder);
  const count = known.size + added.length + proposal.VisitsToQueue;
  if (count < 2) return undefined;
  const VisitIds = [...series.VisitIds, ...added.map(({ Id }) => Id)];
  if (count === series.Days.length) return stored && !added.length ? undefined : { ...series, VisitIds };
  const [made, left] = [series.Days.slice(0, known.size), planned.slice(planned.length - proposal.VisitsToQueue)];
  const Days = [...made, ...added.map(dayOf), ...left.map(({ date }) => dayNumber(date))];
  return { ...series, VisitIds, Days, Months: 0, Anchors: [], Rules: [] };
}
