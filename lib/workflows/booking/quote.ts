import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { AddOnPart } from '../../entities/appointments.ts';
import { isAvailable, notOfferedMessage } from '../../domain/pricebook/availability.ts';
import { billedLines } from '../../domain/pricing/discounts-and-tax.ts';
import type { PriceBreakdown, PricedField } from '../../domain/pricing/types.ts';
import { priceWithProration } from '../../domain/subscriptions/proration.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { BilledLine } from '../../entities/invoices.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/fields.ts';
import type { FieldError } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { toLocalDate } from '../../shared/time/time.ts';
import { findPartsWithItems } from '../../store/pricebook/parts.ts';
import type { ReadContext } from '../context.ts';
import type { BookingContext } from './types.ts';

/** The price of a service with its add-ons by today's price book. */

type TaxRate = Pick<NamedTaxRate, 'Name' | 'TaxRate' | 'Parts'>;
type QuoteContext = Pick<ReadContext, 'store' | 'now'>;

/** What prices work, besides service and parts. */
type PriceLists = Pick<BookingContext, 'organization' | 'customFields' | 'taxRates'>;

interface QuoteRequest {
  readonly service: ServiceRecord;
  readonly contact: Pick<ContactRecord, 'CustomFields' | 'NamedTaxRateId' | 'OrganizationId'>;
  readonly quantity: number;
  readonly discount: number | null;
  readonly lines: readonly Input<typeof AddOnPart>[];
  /** Their parts stay, even if they are no longer offered. */
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
  /** Minutes of the lines alone. */
  readonly lineMinutes: number;
  /** With the quantities of the request, before overrides and formulas, because every change prices them again. */
  readonly lines: AddOnPart[];
  /** The invoice lines, which add up to the total at this tax rate. */
  readonly billed: readonly BilledLine[];
  readonly tax: TaxRate;
}

const NO_TAX: TaxRate = { Name: '', TaxRate: 0, Parts: [] };

type QuoteResult =
  | { readonly kind: 'quoted'; readonly quote: Quote }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** Prices an appointment as a proposal made today would be. Takes no round without add-ons. */
export async function quoteWork(
  { store, now }: QuoteContext,
  { organization, customFields, taxRates }: PriceLists,
  request: QuoteRequest,
): Promise<QuoteResult> {
  const { service, contact, lines } = request;
  const partIds = lines.flatMap(({ PartId }) => PartId ?? []);
  const parts = await findPartsWithItems(store, partIds);
  const errors = partErrors(request, parts);
  if (errors.length) return { kind: 'invalid', errors };
  const tax = request.tax ?? taxRates.find(({ Id }) => Id === contact.NamedTaxRateId) ?? NO_TAX;
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
    { date: toLocalDate(now.getTime(), organization.Timezone) },
  );
  if (Array.isArray(pricing)) return { kind: 'invalid', errors: pricing };
  const quote = {
    total: pricing.total,
    net: pricing.net,
    minutes: pricing.durationMinutes,
    lineMinutes: pricing.durationMinutes - pricing.service.duration,
    lines: pricing.lines.flatMap((line) => toAddOnPart(line, { parts, lines }) ?? []),
    billed: billedLines(pricing, { service, taxable: service.Taxable, parts, hasTaxParts: tax.Parts.length > 0 }),
    tax,
  };
  return { kind: 'quoted', quote };
}

/** A priced line in the form of an appointment; `undefined` for a line that another part brings along. */
function toAddOnPart(
  { index, partId, quantity, unitPrice }: PriceBreakdown['lines'][number],
  { parts, lines }: { readonly parts: ReadonlyMap<number, PartRecord>; readonly lines: QuoteRequest['lines'] },
): AddOnPart | undefined {
  const part = index === null || partId === null ? undefined : parts.get(partId);
  const line = index === null ? undefined : lines[index];
  if (!part || !line) return undefined;
  return {
    Id: (index ?? 0) + 1,
    PartId: part.Id,
    ...pick(part, 'Name', 'UnitOfMeasure', 'RangePricing'),
    Quantity: line.Quantity ?? quantity,
    UnitPrice: unitPrice,
    Discount: line.Discount ?? null,
  };
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

/** A field may be named `constructor`, which every object has. */
const ownValue = (properties: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** The lines of an invoice with their tax, in the form of an appointment. */
export const billedFields = ({ billed, tax }: Pick<Quote, 'billed' | 'tax'>) => ({
  BilledLines: billed,
  BilledTaxRate: tax.TaxRate,
  BilledRateName: tax.Name,
  BilledTaxParts: tax.Parts,
});

/** The fields of an appointment that bills nothing. */
export const NOT_BILLED = billedFields({ billed: [], tax: NO_TAX });
