import type { ContactRecord } from '../../domain/contacts/record.ts';
import { type BilledLine, billedLines } from '../../domain/pricing/billed-lines.ts';
import { isAvailable, notOfferedMessage } from '../../domain/pricebook/availability.ts';
import type { PartRecord, ServiceRecord } from '../../domain/pricebook/record.ts';
import type { PriceRequest, PricedField } from '../../domain/pricing/types.ts';
import { priceWithProration } from '../../domain/subscriptions/proration.ts';
import type { AddOnPart } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/resource.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { toLocalDate } from '../../shared/format-moments.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findRecentOrganization } from '../../store/organizations.ts';
import { findPartsWithItems } from '../../store/parts.ts';
import { listRecentSettings } from '../../store/settings.ts';

/** What is to be priced for a contact. */
export interface QuoteRequest {
  readonly service: ServiceRecord;
  readonly contact: Pick<ContactRecord, 'CustomFields' | 'NamedTaxRateId' | 'OrganizationId'>;
  readonly quantity: number;
  readonly discount: number | null;
  readonly lines: readonly Input<typeof AddOnPart>[];
  /** Lines that it has: their parts stay, offered or not. */
  readonly had: readonly Pick<AddOnPart, 'PartId'>[];
  /** What the appointment says of custom fields, by Shortcode or Name; goes before what the contact says. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The rate by which it is taxed, where that is not the contact's. */
  readonly tax?: Pick<NamedTaxRate, 'Name' | 'TaxRate'>;
}

/** What it costs and how long it takes, by the rules of pricing; the lines as an appointment keeps them. */
export interface Quote {
  readonly total: number;
  /** 0 where the service says nothing. */
  readonly minutes: number;
  /** Of these, those of the lines. */
  readonly lineMinutes: number;
  /**
   * With the quantities asked for, not those that overrides and formulas make of them: they are priced again with every
   * change.
   */
  readonly lines: AddOnPart[];
  /** What its invoice will have, and the rate of tax by which that comes to the total. */
  readonly billed: readonly BilledLine[];
  readonly tax: Pick<NamedTaxRate, 'Name' | 'TaxRate'>;
}

export type QuoteResult =
  | { readonly kind: 'quoted'; readonly quote: Quote }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

const fieldsOf = (definitions: readonly CustomField[], { contact, properties }: QuoteRequest): PricedField[] => {
  const ofContact = new Map(contact.CustomFields.map(({ Id, Value }) => [Id, Value]));
  return definitions.map(({ Id, Shortcode, Name }) => ({
    Id,
    Shortcode,
    Value: properties[Shortcode] ?? properties[Name] ?? ofContact.get(Id) ?? null,
  }));
};

function partFaults({ service, lines, had }: QuoteRequest, parts: ReadonlyMap<number, PartRecord>): FieldError[] {
  return lines.flatMap(({ PartId }, index) => {
    const part = PartId ? parts.get(PartId) : undefined;
    const field = `AddOnParts[${index}].PartId`;
    if (!PartId) return [{ field, message: 'is required' }];
    if (!part) return [{ field, message: `there is no part ${PartId}` }];
    if (!part.IsActive && !had.some((line) => line.PartId === PartId))
      return [{ field, message: notOfferedMessage(part.Name) }];
    return isAvailable(service, part) ? [] : [{ field, message: `${part.Name} is not sold with ${service.Name}` }];
  });
}

/** The zone in whose days a service is sold; only one that is prorated asks. */
async function zoneOf(
  table: TableReader,
  account: string,
  { service, contact }: QuoteRequest,
  now: Date,
): Promise<string> {
  if (!service.SubscriptionProRate) return 'UTC';
  return (await findRecentOrganization(table, account, contact.OrganizationId, now))?.Timezone ?? 'UTC';
}

/**
 * Prices an appointment, as a proposal of today would. No round where nothing is added on and the account's lists are
 * in memory.
 */
export async function quoteWork(
  table: TableReader,
  account: string,
  request: QuoteRequest,
  now: Date,
): Promise<QuoteResult> {
  const { service, contact, lines, quantity, discount } = request;
  const [definitions, taxRates, parts, zone] = await Promise.all([
    listRecentSettings<CustomField>(table, account, 'CustomField', now),
    contact.NamedTaxRateId === null ? [] : listRecentSettings<NamedTaxRate>(table, account, 'NamedTaxRate', now),
    findPartsWithItems(
      table,
      account,
      lines.flatMap(({ PartId }) => PartId ?? []),
    ),
    zoneOf(table, account, request, now),
  ]);
  const unsold = partFaults(request, parts);
  if (unsold.length) return { kind: 'invalid', errors: unsold };
  const tax = request.tax ?? taxRates.find(({ Id }) => Id === contact.NamedTaxRateId) ?? { Name: '', TaxRate: 0 };
  const asked: PriceRequest = {
    service,
    parts,
    quantity,
    discount,
    lines: lines.map(({ PartId, Quantity, UnitPrice, Discount }) => ({
      partId: PartId,
      quantity: Quantity,
      unitPrice: UnitPrice,
      discount: Discount,
    })),
    taxRate: tax.TaxRate,
    customFields: fieldsOf(definitions, request),
  };
  const priced = priceWithProration(asked, { date: toLocalDate(now.getTime(), zone), zone });
  if (Array.isArray(priced)) return { kind: 'invalid', errors: priced };
  const kept = priced.lines.flatMap((line): AddOnPart[] => {
    const part = line.index === null || line.partId === null ? undefined : parts.get(line.partId);
    const input = line.index === null ? undefined : lines[line.index];
    if (!part || !input) return [];
    const { Id: PartId, Name, UnitOfMeasure, RangePricing } = part;
    return [
      {
        Id: (line.index ?? 0) + 1,
        PartId,
        Name,
        UnitOfMeasure,
        RangePricing,
        Quantity: input.Quantity ?? line.quantity,
        UnitPrice: line.unitPrice,
        Discount: input.Discount ?? null,
      },
    ];
  });
  const billed = billedLines(priced, { service, taxable: service.Taxable, parts });
  const { total, durationMinutes: minutes } = priced;
  const lineMinutes = minutes - priced.service.duration;
  return { kind: 'quoted', quote: { total, minutes, lineMinutes, lines: kept, billed, tax } };
}
