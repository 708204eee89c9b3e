import type { TaxRatePart } from '../../entities/tax-rates.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldError } from '../../shared/failure.ts';

/** A custom field with its value: formulas read numbers by Shortcode, overrides by Id. */
export interface PricedField extends Pick<CustomField, 'Id' | 'Shortcode' | 'Value'> {
  /** Its name in messages, and the record it belongs to. */
  readonly definition?: Pick<CustomField, 'Name' | 'TableType'>;
}

/** A part sold with the service, or a line with its own price. Absent and `null` values default to the part's. */
export interface LineRequest {
  /** What `assemblyLineId` of its items refers to. */
  readonly id?: number | null | undefined;
  /** `null`, absent or 0 for a line without a part, which costs its own UnitPrice. */
  readonly partId?: number | null | undefined;
  /** 1 if absent. A part may determine it by its override field, QuantityFormula or SyncQtyWithServiceQty. */
  readonly quantity?: number | null | undefined;
  /** A price within the part's range. The part's own price, that of an earlier response, and 0 are not requests. */
  readonly unitPrice?: number | null | undefined;
  readonly unitCost?: number | null | undefined;
  /** The line is free; template lines can have this. */
  readonly isZeroPrice?: boolean | null | undefined;
  /** Unless 0, the line costs this percentage of the other lines. */
  readonly ratePercent?: number | null | undefined;
  /** An amount off the line, at most `maxDiscount`. */
  readonly discount?: number | null | undefined;
  readonly maxDiscount?: number | null | undefined;
  readonly taxable?: boolean | null | undefined;
  readonly isInternal?: boolean | null | undefined;
  /** The line only counts if this option is selected. */
  readonly optionId?: number | null | undefined;
  /** The line of the assembly of which this line is an item; that assembly is not expanded again. */
  readonly assemblyLineId?: number | null | undefined;
  /** Custom fields of the line; they take precedence over those of the request. */
  readonly customFields?: readonly PricedField[] | undefined;
}

/** Amounts have at most 4 decimals. */
export interface PriceRequest {
  readonly service: ServiceRecord;
  /** By id: the part of every line, and the items of assemblies among them. */
  readonly parts: ReadonlyMap<number, PartRecord>;
  /** The service's quantity; 1 if absent. */
  readonly quantity?: number | null | undefined;
  readonly lines?: readonly LineRequest[] | undefined;
  /** An amount off everything that can be discounted, besides the lines' own discounts. */
  readonly discount?: number | null | undefined;
  /** Percent: 8.875 adds 8.88 to 100.00. */
  readonly taxRate?: number | null | undefined;
  /** The parts of the rate: each is rounded on the sum, and lines have shares of the result. */
  readonly taxParts?: readonly TaxRatePart[];
  /** Whether the service itself is taxed; if absent, Taxable of the service decides. */
  readonly taxable?: boolean | null | undefined;
  /** All custom fields, because formulas may use any name; Value is null without one. */
  readonly customFields?: readonly PricedField[] | undefined;
  readonly selectedOptionIds?: readonly number[] | undefined;
  /** The names of lines and parts in errors; by default `AddOnParts[0].PartId`. */
  readonly paths?: { readonly lines: string; readonly part: string } | undefined;
}

/**
 * `extended` is before discounts, `net` after them; amounts have 2 decimals, `unitPrice` 4. Lines that do not count
 * (internal, option not selected) have the amounts that they would cost.
 */
export interface PricedLine {
  /** The index in the request's lines; `null` for an item of an expanded assembly. */
  readonly index: number | null;
  /** The index of the assembly's line among the priced lines; `null` if it is not an item. */
  readonly assembly: number | null;
  readonly partId: number | null;
  readonly optionId: number | null;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly unitCost: number | null;
  readonly ratePercent: number | null;
  readonly extended: number;
  /** The line's own discount and its share of the request's. */
  readonly discount: number;
  readonly net: number;
  readonly taxable: boolean;
  readonly tax: number;
  /** Minutes. */
  readonly duration: number;
  readonly internal: boolean;
  /** Whether it is in the totals: not internal, and without an option or with a selected one. */
  readonly counts: boolean;
}

/** `subtotal` (before discounts) − `discount` = `net`; `net` + `tax` = `total`. */
export interface Totals {
  /** The price of the service by its bands, before discounts. */
  readonly base: number;
  /** What MinimumCharge adds; taxed like the service. */
  readonly minimum: number;
  /** base + minimum + `extended` of the lines that count. */
  readonly subtotal: number;
  readonly discount: number;
  readonly net: number;
  /** The taxed part of `net`. */
  readonly taxableSubtotal: number;
  readonly tax: number;
  readonly total: number;
  /** The company's own cost, including internal lines. */
  readonly cost: number;
  readonly durationMinutes: number;
}

/** The totals if only this option were selected. */
export interface OptionTotals extends Totals {
  readonly optionId: number;
  readonly selected: boolean;
}

export interface PriceBreakdown extends Totals {
  /** The service's quantity after overrides and formula. */
  readonly quantity: number;
  /** The service's price as base + unit × quantity, with 4 decimals; it is all base if its bands have another form. */
  readonly rates: { readonly base: number; readonly unit: number };
  readonly service: {
    readonly discount: number;
    readonly net: number;
    readonly tax: number;
    readonly duration: number;
  };
  /** In the order of the request, each assembly followed by its items. */
  readonly lines: PricedLine[];
  /** Sorted by id. */
  readonly options: OptionTotals[];
}

/** `field` is a path in the request: `AddOnParts[2].UnitPrice`. */
export type PriceError = FieldError;
