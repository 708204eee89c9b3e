import type { AddOnPart } from '../../resources/appointments.ts';
import { blankAppointment, type AppointmentRecord, type BilledLine } from '../appointments/record.ts';
import { add, money, multiply, subtract } from '../decimals.ts';
import { billedLine } from '../invoices/billing.ts';
import { Status } from '../scheduling/lifecycle.ts';
import { wholeBook, type WholeBook } from './book.ts';
import type { ProposalRecord } from './record.ts';
import type { Visit } from './visits.ts';

/** The parts done at the visit; Discount is what the visit's share of a line is less than its price. */
const addOnsOf = ({ lines }: Visit, { parts }: WholeBook): AddOnPart[] =>
  lines.flatMap(({ line, quantity, extended }) => {
    const part = parts.get(line.PartId);
    if (!part) return [];
    const { Name, UnitOfMeasure, RangePricing } = part;
    const less = subtract(money(multiply(quantity, line.UnitPrice)), extended);
    const shared = { Name, UnitOfMeasure, RangePricing, UnitPrice: line.UnitPrice, Discount: less > 0 ? less : null };
    return [{ Id: line.Id, PartId: part.Id, Quantity: quantity, ...shared }];
  });

/** What the visit's invoice will have: the service's share, each line's, and of each its share of the tax. */
const billedOf = (proposal: ProposalRecord, visit: Visit, { parts }: WholeBook): BilledLine[] => [
  {
    ...billedLine({
      ServiceId: proposal.ServiceId, PartId: null, Description: proposal.ServiceName, quantity: 1, unitPrice: undefined,
      net: visit.service, taxable: proposal.Taxable,
    }),
    Tax: visit.serviceTax,
  },
  ...visit.lines.map(({ line, quantity, extended, tax }) => {
    const part = parts.get(line.PartId);
    const Description = line.LineDescription || (part?.Name ?? '');
    const UnitOfMeasure = part?.UnitOfMeasure ?? '';
    const of = { ServiceId: null, PartId: line.PartId || null, Description, UnitOfMeasure, taxable: line.Taxable };
    return { ...billedLine({ ...of, quantity, unitPrice: line.UnitPrice, net: extended }), Tax: tax };
  }),
];

/**
 * The appointment of a visit: in the queue for its date, at the visit's price with its tax, and with what its invoice
 * will have.
 */
export function visitAppointment(
  proposal: ProposalRecord,
  visit: Visit,
  { Id, HashKey, now }: { readonly Id: number; readonly HashKey: string; readonly now: number },
): AppointmentRecord {
  const book = wholeBook(proposal.Book);
  return blankAppointment({
    Id,
    HashKey,
    Created: now,
    OrganizationId: proposal.OrganizationId,
    ContactId: proposal.ContactId,
    Zone: proposal.Zone,
    Status: Status.Queued,
    QueueDate: visit.date,
    Duration: visit.minutes,
    ServiceId: proposal.ServiceId,
    ServiceName: proposal.ServiceName,
    Quantity: proposal.Quantity,
    Total: add(visit.subtotal, visit.tax),
    AddOnParts: addOnsOf(visit, book),
    BilledLines: billedOf(proposal, visit, book),
    BilledTaxRate: proposal.NamedTaxRate?.TaxRate ?? 0,
    BilledRateName: proposal.NamedTaxRate?.Name ?? '',
    ProposalId: proposal.Id,
    RootProposalId: proposal.ChangeOrderForProposalId,
  });
}
