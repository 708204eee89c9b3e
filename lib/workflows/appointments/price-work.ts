import type { BilledLine } from '../../entities/invoices.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { isOver } from '../../domain/appointments/record.ts';
import { isAvailable, notOfferedMessage } from '../../domain/pricebook/availability.ts';
import { billedLines, lineTax } from '../../domain/pricing/discounts-and-tax.ts';
import type { PricedField } from '../../domain/pricing/types.ts';
import { findAddedParts, oneOffWork } from '../../domain/proposals/sold-work.ts';
import { priceWithProration } from '../../domain/subscriptions/proration.ts';
import type { ProposalWork } from '../../domain/subscriptions/visit-appointment.ts';
import type { AddOnPart } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { MAX_DURATION, parseDuration, toLocalDate } from '../../shared/time/time.ts';
import { type FieldError, conflict, invalid, orInvalid } from '../../shared/failure.ts';
import { cents, fromCents, add } from '../../shared/money.ts';
import { pick } from '../../shared/objects.ts';
import { findPartsWithItems } from '../../store/pricebook/parts.ts';
import type { ReadContext } from '../context.ts';
import { soldQuantity } from '../sold-quantity.ts';
import { type BookingContext, type ProposalLinks, ownProposal } from './booking-context.ts';

type TaxRate = Pick<NamedTaxRate, 'Name' | 'TaxRate' | 'Parts'>;
type QuoteContext = Pick<ReadContext, 'store' | 'now'> & { readonly caller: Pick<ReadContext['caller'], 'account'> };

/** What prices work besides service and parts. */
type PriceLists = Pick<BookingContext, 'organization' | 'customFields' | 'taxRates'>;

/** The part of a booking that decides price and length (see resolveBookingInput). */
export interface WorkInput {
  readonly quantity: number | null | undefined;
  readonly discount: number | null | undefined;
  readonly lines: readonly Input<typeof AddOnPart>[];
  /** The lines are those of the former appointment. */
  readonly keepsLines: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The text of a Duration field. */
  readonly duration: string | undefined;
  /** Minutes without a duration; `undefined` for the length of the service or of what was sold. */
  readonly minutes: number | undefined;
  /** Minutes of the former appointment, if it keeps them as long as its service stays. */
  readonly formerMinutes: number | undefined;
  readonly links: ProposalLinks;
  readonly former: AppointmentRecord | undefined;
}

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

/**
 * The sold work of an appointment: the visit of a subscription that it is, or all work of its signed proposal;
 * `undefined` if the price book decides the price.
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
async function addToSoldWork(
  context: ReadContext,
  booking: BookingContext,
  { quantity, discount, lines, keepsLines, properties, links, former }: WorkInput,
  work: ProposalWork,
): Promise<ProposalWork> {
  const { service, contact, proposals } = booking;
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

/** The lines of an invoice with the tax on them, as an appointment has them. */
export const billedFields = ({ billed, tax }: Pick<Quote, 'billed' | 'tax'>) => ({
  BilledLines: billed,
  BilledTaxRate: tax.TaxRate,
  BilledRateName: tax.Name,
  BilledTaxParts: tax.Parts,
});

const NO_TAX: TaxRate = { Name: '', TaxRate: 0, Parts: [] };
const NOT_BILLED = billedFields({ billed: [], tax: NO_TAX });

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

interface QuoteRequest {
  readonly service: ServiceRecord;
  readonly contact: Pick<ContactRecord, 'CustomFields' | 'NamedTaxRateId' | 'OrganizationId'>;
  readonly quantity: number;
  readonly discount: number | null;
  readonly lines: readonly Input<typeof AddOnPart>[];
  /** Their parts stay even if they are no longer offered. */
  readonly formerLines: readonly Pick<AddOnPart, 'PartId'>[];
  /** Values of custom fields by Shortcode or Name; they override those of the contact. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Overrides the tax rate of the contact. */
  readonly tax?: TaxRate;
}

interface Quote {
  readonly total: number;
  /** The total without tax. */
  readonly net: number;
  /** 0 for a service without duration. */
  readonly minutes: number;
  /** The minutes of the lines alone. */
  readonly lineMinutes: number;
  /**
   * With the quantities of the request, not those that overrides and formulas make of them: every change prices them
   * again.
   */
  readonly lines: AddOnPart[];
  /** The invoice lines, which come to the total at this tax rate. */
  readonly billed: readonly BilledLine[];
  readonly tax: TaxRate;
}

/**
 * Prices an appointment as a proposal of today would. No round without add-ons.
 */
export async function quoteWork(
  { store, now }: QuoteContext,
  { organization, customFields, taxRates }: PriceLists,
  request: QuoteRequest,
): Promise<
  | { readonly kind: 'quoted'; readonly quote: Quote }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
> {
  const { service, contact, lines } = request;
  const partIds = lines.flatMap(({ PartId }) => PartId ?? []);
  const parts = await findPartsWithItems(store, partIds);
  const errors = partErrors(request, parts);
  if (errors.length) return { kind: 'invalid', errors };
  const tax = request.tax ?? taxRates.find(({ Id }) => Id === contact.NamedTaxRateId) ?? NO_TAX;
  const zone = organization.Timezone;
  const pricing = priceWithProration(
    {
      ...pick(request, 'service', 'quantity', 'discount'),
      parts,
      lines: lines.map(({ PartId, Quantity, UnitPrice, Discount }) => ({
        partId: PartId,
        quantity: Quantity,
        unitPrice: UnitPrice,
        discount: Discount,
      })),
      taxRate: tax.TaxRate,
      taxParts: tax.Parts,
      customFields: customFieldValues(customFields, request),
    },
    { date: toLocalDate(now.getTime(), zone) },
  );
  if (Array.isArray(pricing)) return { kind: 'invalid', errors: pricing };
  const quotedLines = pricing.lines.flatMap(({ index, partId, quantity, unitPrice }): AddOnPart[] => {
    const part = index === null || partId === null ? undefined : parts.get(partId);
    const line = index === null ? undefined : lines[index];
    if (!part || !line) return [];
    return [
      {
        Id: (index ?? 0) + 1,
        PartId: part.Id,
        ...pick(part, 'Name', 'UnitOfMeasure', 'RangePricing'),
        Quantity: line.Quantity ?? quantity,
        UnitPrice: unitPrice,
        Discount: line.Discount ?? null,
      },
    ];
  });
  const quote = {
    total: pricing.total,
    net: pricing.net,
    minutes: pricing.durationMinutes,
    lineMinutes: pricing.durationMinutes - pricing.service.duration,
    lines: quotedLines,
    billed: billedLines(pricing, { service, taxable: service.Taxable, parts, hasTaxParts: tax.Parts.length > 0 }),
    tax,
  };
  return { kind: 'quoted', quote };
}

function partErrors(
  { service, lines, formerLines }: QuoteRequest,
  parts: ReadonlyMap<number, PartRecord>,
): FieldError[] {
  return lines.flatMap(({ PartId }, index): FieldError[] => {
    const part = PartId ? parts.get(PartId) : undefined;
    const field = `AddOnParts[${index}].PartId`;
    if (!PartId) return [{ field, code: 'required', message: 'is required' }];
    if (!part) return [{ field, code: 'not_found', message: `is unknown: part ${PartId} not found` }];
    if (!part.IsActive && !formerLines.some((line) => line.PartId === PartId))
      return [{ field, code: 'inactive', message: notOfferedMessage(part.Name) }];
    return isAvailable(service, part)
      ? []
      : [{ field, code: 'inactive', message: `${part.Name} is not sold with ${service.Name}` }];
  });
}

function customFieldValues(definitions: readonly CustomField[], { contact, properties }: QuoteRequest): PricedField[] {
  const contactValues = new Map(contact.CustomFields.map(({ Id, Value }) => [Id, Value]));
  return definitions.map(({ Id, Shortcode, Name, TableType }) => ({
    Id,
    Shortcode,
    definition: { Name, TableType },
    Value: ownValue(properties, Shortcode) ?? ownValue(properties, Name) ?? contactValues.get(Id) ?? null,
  }));
}

/** A field may be called `constructor`, which every object has. */
const ownValue = (properties: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;
