import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ProposalDateLine, SubscriptionDate } from '../../resources/subscriptions.ts';
import { type DateStyle, formatMoment, startOfDate, toFriendly, toUtc } from '../../shared/time/time.ts';
import { type ExpandedBook, type LinePlacement, expandBook, linePlacements } from '../proposals/record.ts';
import type { Visit, VisitLine } from './visits.ts';

/** `2026-03-08` → `3/8/2026`. */
function usDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${month}/${day}/${year}`;
}

/** `2026-03-08` → `Sun, Mar 8 2026`. */
const friendlyDate = (date: string): string =>
  toFriendly(Date.parse(`${date}T12:00:00Z`), 'UTC')
    .split(' ')
    .slice(0, 4)
    .join(' ');

function toDateLine(
  { line, quantity, extended, tax, minutes }: VisitLine,
  visit: Visit,
  {
    book,
    placement,
    options,
  }: { book: ExpandedBook; placement: LinePlacement | undefined; options: ProposalRecord['Options'] },
): ProposalDateLine {
  const part = book.parts.get(line.PartId);
  const option = options.find(({ Id }) => Id === placement?.optionId);
  return {
    Id: line.Id,
    ProposalOptionId: option?.Id ?? null,
    ProposalScheduleDateId: visit.number,
    SortOrder: line.SortIndex,
    Part: part ? { Id: part.Id, Name: part.Name } : null,
    Quantity: quantity,
    UnitPrice: line.UnitPrice,
    UnitCost: line.UnitCost ?? 0,
    Extended: extended,
    Taxable: line.Taxable,
    Tax: tax,
    Duration: minutes,
    Internal: false,
    Description: line.LineDescription,
    Notes: line.Notes,
    OptionName: option?.Name ?? '',
  };
}

/**
 * The visits of a proposal as resources. Id is the visit's number, from 1. BasePrice is the visit's share of the
 * service: BasePrice and the lines' Extended add up to Subtotal.
 */
export function toSubscriptionDates(
  proposal: ProposalRecord,
  visits: readonly Visit[],
  { dateStyle }: { readonly dateStyle: DateStyle },
): SubscriptionDate[] {
  const book = expandBook(proposal.Book);
  const placements = linePlacements(proposal.Lines, book.parts);
  const midnight = (date: string) => startOfDate(date, proposal.Zone);
  return visits.map((visit) => ({
    Id: visit.number,
    Label: `Visit ${visit.number} of ${visit.count}`,
    Date: toUtc(midnight(visit.date)),
    Service: { Id: proposal.ServiceId, Name: proposal.ServiceName },
    ServiceId: proposal.ServiceId,
    DateIso: visit.date,
    DateStr: usDate(visit.date),
    DateFriendly: friendlyDate(visit.date),
    BasePrice: visit.service,
    UnitPrice: null,
    SelectedDate: formatMoment(midnight(visit.date), proposal.Zone, dateStyle),
    Subtotal: visit.subtotal,
    TaxableSubtotal: visit.taxableSubtotal,
    Duration: String(visit.minutes),
    InternalNotes: '',
    IsExcludeFromProRating: visit.isInitial,
    IsRecurringMaster: visit.number === 1,
    IsRecurringShadow: visit.number > 1,
    Lines: visit.lines.map((line) =>
      toDateLine(line, visit, { book, placement: placements.get(line.line.Id), options: proposal.Options }),
    ),
    AlternateDates: visit.alternates.map((date) => toUtc(midnight(date))),
  }));
}
