import { isOver } from '../../domain/appointments/record.ts';
import { notOfferedMessage } from '../../domain/pricebook/availability.ts';
import { lineTax } from '../../domain/pricing/discounts-and-tax.ts';
import { findAddedParts, oneOffWork } from '../../domain/proposals/sold-work.ts';
import type { ProposalWork } from '../../domain/subscriptions/visit-appointment.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { BilledLine } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { type FieldError, conflict, invalid, orInvalid } from '../../shared/failure.ts';
import { add, cents, fromCents } from '../../shared/money.ts';
import { pick } from '../../shared/objects.ts';
import { MAX_DURATION, parseDuration } from '../../shared/time/time.ts';
import type { ReadContext } from '../context.ts';
import { soldQuantity } from '../sold-quantity.ts';
import type { BookingContext, ProposalLinks, WorkInput } from './types.ts';
import { NOT_BILLED, billedFields, quoteWork } from './quote.ts';

/** Step 3, price: sets the price and length of the work. */

/** Service, lines, price and length as an appointment stores them. */
export type PricedWork = Omit<ProposalWork, 'Sold' | 'Subtotal'> & Pick<AppointmentRecord, 'Sold' | 'Subtotal'>;

/**
 * Prices the work of a booking: as it was sold, if the appointment belongs to a signed proposal, else by today's price
 * book. Throws invalid or conflict for work that cannot be booked.
 */
export async function priceWork(context: ReadContext, booking: BookingContext, work: WorkInput): Promise<PricedWork> {
  const { service } = booking;
  const formerMinutes = work.former?.ServiceId === booking.service.Id ? work.formerMinutes : undefined;
  const minutes = parseMinutes(work.duration) ?? work.minutes ?? formerMinutes;
  const soldProposal = soldWork(booking, work);
  const result = soldProposal
    ? await addToSoldWork(context, booking, work, soldProposal)
    : await quoteNewWork(context, booking, work);
  const Duration = minutes ?? result.Duration;
  if (Duration < 1)
    throw invalid({
      field: 'Duration',
      code: 'required',
      message: `is required because the service ${service.Name} has no duration`,
    });
  if (Duration > MAX_DURATION) throw invalid({ field: 'Duration', code: 'range', message: 'must be at most 7 days' });
  return { ...result, Duration };
}

/**
 * The appointment with the price and length of an update. A price stays fixed unless quantity, service, lines or
 * discount change, or the appointment moves to another sale; then it also takes the length of that sale, unless it is
 * over.
 */
export async function updateWork(
  context: ReadContext,
  booking: BookingContext,
  work: WorkInput,
  { before, after }: { readonly before: AppointmentRecord; readonly after: AppointmentRecord },
): Promise<AppointmentRecord> {
  const minutes = parseMinutes(work.duration) ?? work.minutes;
  const changesSale = soldWork(booking, work)?.Sold.ProposalId !== before.Sold?.ProposalId;
  const changesWork = work.quantity !== before.Quantity || booking.service.Id !== before.ServiceId || !work.keepsLines;
  if (!changesWork && !changesSale && work.discount === before.Discount)
    return { ...after, Duration: minutes ?? before.Duration };
  const keepsLength = !changesWork && !(changesSale && !isOver(after));
  const length = minutes ?? (keepsLength ? before.Duration : undefined);
  return { ...after, ...(await priceWork(context, booking, { ...work, duration: undefined, minutes: length })) };
}

/** `undefined` for a blank text or 0. */
const parseMinutes = (text: string | undefined): number | undefined =>
  text?.trim() ? orInvalid(parseDuration(text), 'Duration').minutes || undefined : undefined;

/** Prices work by today's price book. */
async function quoteNewWork(context: ReadContext, booking: BookingContext, work: WorkInput): Promise<PricedWork> {
  const { service, serviceField, contact, proposals } = booking;
  const { former, links, lines, properties, quantity, discount } = work;
  const isKnown = [former, ownProposal(links, proposals)].some((source) => source?.ServiceId === service.Id);
  if (!service.Active && !isKnown)
    throw invalid({ field: serviceField, code: 'inactive', message: notOfferedMessage(service.Name) });
  const [Quantity, Discount] = [soldQuantity(quantity, context), discount ?? null];
  if ((Discount ?? 0) < 0) throw invalid({ field: 'Discount', code: 'range', message: 'must be at least 0' });
  const formerLines = former?.AddOnParts ?? [];
  const request = { service, contact, quantity: Quantity, discount: Discount, lines, formerLines, properties };
  const result = await quoteWork(context, booking, request);
  if (result.kind === 'invalid') throw invalid(...result.errors);
  const { total, net, minutes, lines: AddOnParts, billed, tax } = result.quote;
  const isBilled = service.IsMigrateInvoice || links.ProposalId || links.RootProposalId;
  return {
    ServiceId: service.Id,
    ServiceName: service.Name,
    Quantity,
    Discount,
    Total: total,
    Subtotal: isBilled || net === total ? null : net,
    Duration: minutes,
    AddOnParts,
    ...(isBilled ? billedFields({ billed, tax }) : NOT_BILLED),
    Sold: null,
  };
}

/**
 * The sold work of an appointment: its visit of a subscription, or all work of its signed proposal; `undefined` if the
 * price book decides the price.
 */
function soldWork(
  { service, proposals }: BookingContext,
  { links, former }: Pick<WorkInput, 'links' | 'former'>,
): ProposalWork | undefined {
  const proposalId = links.ProposalId || links.RootProposalId;
  if (former?.Sold && former.Sold.ProposalId === proposalId && former.ServiceId === service.Id)
    return workAsSold(former, former.Sold);
  const proposal = ownProposal(links, proposals);
  return proposal?.ServiceId === service.Id ? oneOffWork(proposal) : undefined;
}

/** The sold part of an appointment, without later additions. */
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
async function addToSoldWork(
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

/** The lines that a request adds to sold work. Throws conflict if it changes what was sold. */
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
  // Lines of a former appointment from outside this sale are replaced by the same parts as sold.
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

/** Reports an error of an added line by the line's index in the request. */
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

/** The proposal of an appointment, its own before its root's, if it was loaded. */
export const ownProposal = (
  { ProposalId, RootProposalId }: ProposalLinks,
  proposals: readonly ProposalRecord[],
): ProposalRecord | undefined => proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));
