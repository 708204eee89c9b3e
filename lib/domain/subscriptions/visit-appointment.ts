import type { ProposalRecord } from '../../entities/proposals.ts';
import type { BilledLine } from '../../entities/invoices.ts';
import type { AddOnPart, AppointmentRecord } from '../../entities/appointments.ts';
import { add, money, multiply, subtract } from '../../shared/money.ts';
import { Status, blankAppointment } from '../appointments/record.ts';
import { toBilledLine } from '../pricing/discounts-and-tax.ts';
import { type ExpandedBook, expandBook } from '../proposals/record.ts';
import type { Visit } from './visits.ts';

/** The parts of the visit; Discount is the full price of its share of a line less what it costs. */
const toAddOnParts = ({ lines }: Visit, { parts }: ExpandedBook): AddOnPart[] =>
  lines.flatMap(({ line, quantity, extended }) => {
    const part = parts.get(line.PartId);
    if (!part) return [];
    const { Name, UnitOfMeasure, RangePricing } = part;
    const discount = subtract(money(multiply(quantity, line.UnitPrice)), extended);
    return [
      {
        Id: line.Id,
        PartId: part.Id,
        Quantity: quantity,
        Name,
        UnitOfMeasure,
        RangePricing,
        UnitPrice: line.UnitPrice,
        Discount: discount > 0 ? discount : null,
      },
    ];
  });

/** The quantity and unit price of a service that is done in one visit; no unit price if it also has a base price. */
const wholeService = ({ Quantity, BasePrice, UnitPrice }: ProposalRecord) => ({
  quantity: Quantity,
  unitPrice: BasePrice === 0 ? UnitPrice : undefined,
});

/** The visit's invoice lines: its shares of the service and of each line, each with its share of the tax. */
const toBilledLines = (
  proposal: ProposalRecord,
  visit: Visit,
  { service, parts }: ExpandedBook,
): readonly BilledLine[] => [
  {
    ...toBilledLine({
      ServiceId: proposal.ServiceId,
      PartId: null,
      Description: proposal.ServiceName,
      UnitOfMeasure: service.UnitOfMeasure,
      ...(visit.count > 1 ? { quantity: 1, unitPrice: undefined } : wholeService(proposal)),
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

/** The work of an appointment for one visit: services and parts, price with tax, duration, and invoice lines. */
export function visitWork(proposal: ProposalRecord, visit: Visit) {
  const book = expandBook(proposal.Book);
  const [AddOnParts, BilledLines] = [toAddOnParts(visit, book), toBilledLines(proposal, visit, book)];
  const [Total, Duration] = [add(visit.subtotal, visit.tax), visit.minutes];
  return {
    ServiceId: proposal.ServiceId,
    ServiceName: proposal.ServiceName,
    Quantity: proposal.Quantity,
    Discount: null,
    Total,
    Subtotal: null,
    Duration,
    AddOnParts,
    BilledLines,
    BilledTaxRate: proposal.NamedTaxRate?.TaxRate ?? 0,
    BilledRateName: proposal.NamedTaxRate?.Name ?? '',
    BilledTaxParts: proposal.NamedTaxRate?.Parts ?? [],
    Sold: { ProposalId: proposal.Id, AddOnParts: AddOnParts.length, BilledLines: BilledLines.length, Total, Duration },
  };
}

export type ProposalWork = Omit<ReturnType<typeof visitWork>, 'Discount'> & Pick<AppointmentRecord, 'Discount'>;

/** The appointment of a visit, queued for its date, with its price and invoice lines. */
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
    SeriesRule: visit.rule,
    ...visitWork(proposal, visit),
    ProposalId: proposal.Id,
    RootProposalId: proposal.ChangeOrderForProposalId ?? proposal.Id,
  });
}
