import { lineTax } from '../../domain/pricing/discounts-and-tax.ts';
import { findAddedParts, oneOffWork } from '../../domain/proposals/sold-work.ts';
import type { ProposalWork } from '../../domain/subscriptions/visit-appointment.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { BilledLine } from '../../entities/invoices.ts';
import { type FieldError, conflict, invalid } from '../../shared/failure.ts';
import { add, cents, fromCents } from '../../shared/money.ts';
import { pick } from '../../shared/objects.ts';
import type { ReadContext } from '../context.ts';
import { type BookingContext, type WorkInput, ownProposal } from './booking.ts';
import { quoteWork } from './quote.ts';

/** The price of work that a proposal sold, and of what is added to it. */

/**
 * The sold work of an appointment: the visit of a subscription that it is, or all work of its signed proposal;
 * `undefined` if the price book decides the price.
 */
export function soldWork(
  { service, proposals }: BookingContext,
  { links, former }: Pick<WorkInput, 'links' | 'former'>,
): ProposalWork | undefined {
  const proposalId = links.ProposalId || links.RootProposalId;
  if (former?.Sold && former.Sold.ProposalId === proposalId && former.ServiceId === service.Id)
    return workAsSold(former, former.Sold);
  const proposal = ownProposal(links, proposals);
  return proposal?.ServiceId === service.Id ? oneOffWork(proposal) : undefined;
}

/** What was sold of an appointment, without later additions. */
const workAsSold = (former: AppointmentRecord, soldProposal: ProposalWork['Sold']): ProposalWork => ({
  ...pick(
    former,
    'ServiceId',
    'ServiceName',
    'Quantity',
    'Discount',
    'BilledTaxRate',
    'BilledRateName',
    'BilledTaxParts',
  ),
  Total: soldProposal.Total,
  Subtotal: null,
  Duration: soldProposal.Duration,
  AddOnParts: former.AddOnParts.slice(0, soldProposal.AddOnParts),
  BilledLines: former.BilledLines.slice(0, soldProposal.BilledLines),
  Sold: soldProposal,
});

/** Sold work keeps quantity, discount and parts as sold; other add-ons are added at today's price. */
export async function addToSoldWork(
  context: ReadContext,
  booking: BookingContext,
  input: WorkInput,
  work: ProposalWork,
): Promise<ProposalWork> {
  const { service, contact } = booking;
  const { properties, former } = input;
  const added = addedLines(booking, input, work);
  if (!added.lines.length) return work;
  const tax = { Name: work.BilledRateName, TaxRate: work.BilledTaxRate, Parts: work.BilledTaxParts };
  const result = await quoteWork(context, booking, {
    service: { ...service, SubscriptionProRate: false },
    contact,
    quantity: work.Quantity,
    discount: null,
    lines: added.lines,
    formerLines: former?.AddOnParts ?? [],
    properties,
    tax,
  });
  if (result.kind === 'invalid') throw invalid(...result.errors.map((error) => moveLineError(error, added.indexes)));
  const [, ...billed] = result.quote.billed;
  const lastId = Math.max(0, ...work.AddOnParts.map(({ Id }) => Id ?? 0));
  const parts = result.quote.lines.map((part, index) => ({ ...part, Id: lastId + index + 1 }));
  return {
    ...work,
    Total: add(work.Total, totalWithTax(billed, tax.TaxRate)),
    Duration: work.Duration + result.quote.lineMinutes,
    AddOnParts: [...work.AddOnParts, ...parts],
    BilledLines: [...work.BilledLines, ...billed],
  };
}

/** The lines that a request adds to sold work. Throws conflict where it changes what was sold. */
function addedLines(
  { proposals }: BookingContext,
  { quantity, discount, lines, keepsLines, links, former }: WorkInput,
  work: ProposalWork,
) {
  const source = `as sold with proposal ${work.Sold.ProposalId}. Create a change order to change it.`;
  const proposal = ownProposal(links, proposals);
  const quantities = [work.Quantity, proposal?.RequestedQuantity ?? 1, former?.Quantity];
  if (quantity && !quantities.includes(quantity))
    throw conflict('fixed_value', `Quantity is ${work.Quantity}, ${source}`);
  const clearsDiscount =
    discount === null && Boolean(work.Discount) && former?.Sold?.ProposalId === work.Sold.ProposalId;
  if (clearsDiscount || (discount && discount !== former?.Discount))
    throw conflict('fixed_value', `Discount is part of the price, ${source}`);
  // Lines of a former appointment that was not of this sale give way to the same parts as sold.
  const isNewSale = keepsLines && former?.Sold?.ProposalId !== work.Sold.ProposalId;
  const requested = isNewSale
    ? lines.filter((line) => !work.AddOnParts.some(({ PartId }) => PartId === line.PartId))
    : lines;
  const added = findAddedParts(work.AddOnParts, requested);
  if (added.kind === 'changed') {
    const { Name, Quantity, UnitPrice } = added.part;
    throw conflict('fixed_value', `${Name} is ${Quantity} at ${UnitPrice}, ${source}`);
  }
  return added;
}

/** An error of an added line, by the index of the line in the request. */
const moveLineError = (error: FieldError, indexes: readonly number[]): FieldError => ({
  ...error,
  field: error.field.replace(
    /^AddOnParts\[(\d+)\]/,
    (_, added: string) => `AddOnParts[${indexes[Number(added)] ?? added}]`,
  ),
});

const totalWithTax = (lines: readonly BilledLine[], rate: number): number =>
  add(
    ...lines.flatMap(({ Extended, Taxable, Tax }) => [
      Extended,
      Tax ?? fromCents(lineTax(cents(Extended), Taxable, rate)),
    ]),
  );
