import type { AddOnPart } from '../../resources/appointments.ts';
import { add, money, multiply, subtract } from '../../shared/money.ts';
import { type AppointmentRecord, type SoldWork, blankAppointment } from '../appointments/record.ts';
import { Status } from '../appointments/status.ts';
import { type BilledLine, toBilledLine } from '../pricing/billed-lines.ts';
import { type ProposalRecord, type ExpandedBook, expandBook } from '../proposals/record.ts';
import type { Visit } from './visits.ts';

/** The parts done at the visit; Discount is what the visit's share of a line is less than its price. */
const addOnsOf = ({ lines }: Visit, { parts }: ExpandedBook): AddOnPart[] =>
  lines.flatMap(({ line, quantity, extended }) => {
    const part = parts.get(line.PartId);
    if (!part) return [];
    const { Name, UnitOfMeasure, RangePricing } = part;
    const less = subtract(money(multiply(quantity, line.UnitPrice)), extended);
    const shared = { Name, UnitOfMeasure, RangePricing, UnitPrice: line.UnitPrice, Discount: less > 0 ? less : null };
    return [{ Id: line.Id, PartId: part.Id, Quantity: quantity, ...shared }];
  });

/** How much of the service is done at one visit that is all of it; its price for one, where that is all it costs. */
const wholeOf = ({ Quantity, BasePrice, UnitPrice }: ProposalRecord) => ({
  quantity: Quantity,
  unitPrice: BasePrice === 0 ? UnitPrice : undefined,
});

/** What the visit's invoice will have: the service's share, each line's, and of each its share of the tax. */
const billedOf = (proposal: ProposalRecord, visit: Visit, { service, parts }: ExpandedBook): BilledLine[] => [
  {
    ...toBilledLine({
      ServiceId: proposal.ServiceId,
      PartId: null,
      Description: proposal.ServiceName,
      UnitOfMeasure: service.UnitOfMeasure,
      ...(visit.count > 1 ? { quantity: 1, unitPrice: undefined } : wholeOf(proposal)),
      net: visit.service,
      taxable: proposal.Taxable,
    }),
    Tax: visit.serviceTax,
  },
  ...visit.lines.map(({ line, quantity, extended, tax }) => {
    const part = parts.get(line.PartId);
    const Description = line.LineDescription || (part?.Name ?? '');
    const UnitOfMeasure = part?.UnitOfMeasure ?? '';
    const of = { ServiceId: null, PartId: line.PartId || null, Description, UnitOfMeasure, taxable: line.Taxable };
    return { ...toBilledLine({ ...of, quantity, unitPrice: line.UnitPrice, net: extended }), Tax: tax };
  }),
];

/** What is done at an appointment of a proposal, for how much and how long, and what of it its invoice will have. */
export type ProposalWork = Pick<
  AppointmentRecord,
  | 'ServiceId'
  | 'ServiceName'
  | 'Quantity'
  | 'Discount'
  | 'Total'
  | 'Duration'
  | 'BilledLines'
  | 'BilledTaxRate'
  | 'BilledRateName'
> & { readonly AddOnParts: AddOnPart[]; readonly Sold: SoldWork };

/** What was sold of a visit, at its price with its tax; of a proposal that is no subscription by wholeVisit. */
export function soldWork(proposal: ProposalRecord, visit: Visit): ProposalWork {
  const book = expandBook(proposal.Book);
  const [AddOnParts, BilledLines] = [addOnsOf(visit, book), billedOf(proposal, visit, book)];
  const [Total, Duration] = [add(visit.subtotal, visit.tax), visit.minutes];
  return {
    ServiceId: proposal.ServiceId,
    ServiceName: proposal.ServiceName,
    Quantity: proposal.Quantity,
    Discount: null,
    Total,
    Duration,
    AddOnParts,
    BilledLines,
    BilledTaxRate: proposal.NamedTaxRate?.TaxRate ?? 0,
    BilledRateName: proposal.NamedTaxRate?.Name ?? '',
    Sold: { ProposalId: proposal.Id, AddOnParts: AddOnParts.length, BilledLines: BilledLines.length, Total, Duration },
  };
}

/**
 * The appointment of a visit: in the queue for its date, at the visit's price with its tax, and with what its invoice
 * will have.
 */
export function visitAppointment(
  proposal: ProposalRecord,
  visit: Visit,
  { Id, HashKey, now }: { readonly Id: number; readonly HashKey: string; readonly now: number },
): AppointmentRecord {
  return blankAppointment({
    Id,
    HashKey,
    Created: now,
    OrganizationId: proposal.OrganizationId,
    ContactId: proposal.ContactId,
    Zone: proposal.Zone,
    Status: Status.Queued,
    QueueDate: visit.date,
    ...soldWork(proposal, visit),
    ProposalId: proposal.Id,
    RootProposalId: proposal.ChangeOrderForProposalId,
  });
}
