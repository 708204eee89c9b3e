import { isOver } from '../../domain/appointments/record.ts';
import { notOfferedMessage } from '../../domain/pricebook/availability.ts';
import type { ProposalWork } from '../../domain/subscriptions/visit-appointment.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { invalid, orInvalid } from '../../shared/failure.ts';
import { MAX_DURATION, parseDuration } from '../../shared/time/time.ts';
import type { ReadContext } from '../context.ts';
import { soldQuantity } from '../sold-quantity.ts';
import { type BookingContext, type WorkInput, ownProposal } from './booking.ts';
import { NOT_BILLED, billedFields, quoteWork } from './quote.ts';
import { addToSoldWork, soldWork } from './sold-work.ts';

/** Step 3, price: what the work of a booking costs and how long it takes. */

/** Service, lines, price and length as an appointment stores them. */
export type PricedWork = Omit<ProposalWork, 'Sold' | 'Subtotal'> & Pick<AppointmentRecord, 'Sold' | 'Subtotal'>;

/**
 * Prices the work of a booking: as it was sold, if the appointment is of a signed proposal, else by today's price book.
 * Throws invalid or conflict for work that cannot be booked.
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
 * discount change, or the appointment now belongs to another sale; then it is also as long as that sale, unless it is
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

/** Work by the price book of today. */
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
