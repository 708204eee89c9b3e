import type { ProposalRecord } from '../../entities/proposals.ts';
import { type SeriesRecord, seriesEntity } from '../../entities/series.ts';
import { dayNumber } from '../../shared/time/calendar-dates.ts';
import { expandBook } from '../proposals/record.ts';
import { findStep } from './recurrence.ts';
import type { Visit } from './visits.ts';

/** The series of a proposal's visits, of which none is made. */
export const soldSeries = (proposal: ProposalRecord, visits: readonly Visit[], Created: number): SeriesRecord =>
  seriesEntity.blank({
    Id: proposal.Id,
    ProposalId: proposal.Id,
    OrganizationId: proposal.OrganizationId,
    Days: visits.map(({ date }) => dayNumber(date)),
    VisitIds: [],
    Months: findStep(expandBook(proposal.Book).service)?.months ?? 0,
    Created,
  });
