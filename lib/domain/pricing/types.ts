import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';

/** A custom field with its value: numbers can be read by formulas (Shortcode) and stand for what overrides name (Id). */
export type PricedField = Pick<CustomField, 'Id' | 'Shortcode' | 'Value'>;

/** A part sold with the service, or a line that says its own price. What is absent, `null` or not said is the part's. */
export interface LineRequest {
  /** What assembly lines are named by in `assemblyLineId`; no need of one otherwise. */
  readonly id?: number | null | undefined;
  /** `null`, absent, 0: a line of no part, which costs the UnitPrice that it says. */
  readonly partId?: number | null | undefined;
  /** Absent: 1. A part may say otherwise: its override field, its QuantityFormula, SyncQtyWithServiceQty. */
  readonly quantity?: number | null | undefined;
  /** A price chosen within the part's range. The part's own price, that of the line as priced, and 0 choose nothing. */
  readonly unitPrice?: number | null | undefined;
  readonly unitCost?: number | null | undefined;
  /** The line costs nothing, as lines of templates can. */
  readonly isZeroPrice?: boolean | null | undefined;
  /** Not 0: the line costs this percentage of the other lines. */
  readonly ratePercent?: number | null | undefined;
  /** An amount off the line, at most `maxDiscount`. */
  readonly discount?: number | null | undefined;
  readonly maxDiscount?: number | null | undefined;
  readonly taxable?: boolean | null | undefined;
  readonly isInternal?: boolean | null | undefined;
  /** The line counts only when this option is selected. */
  readonly optionId?: number | null | undefined;
  /** The line of the assembly that this one is an item of: that line is not expanded again. */
  readonly assemblyLineId?: number | null | undefined;
  /** Custom fields of the line, which go before those of the request. */
  readonly customFields?: readonly PricedField[] | undefined;
}

/** What is to be priced. Amounts have at most 4 decimals. */
export interface PriceRequest {
  readonly service: ServiceRecord;
  /** By id: every part that a line names, and the items of those that are assemblies. */
  readonly parts: ReadonlyMap<number, PartRecord>;
  /** Of the service. Absent: 1. */
  readonly quantity?: number | null | undefined;
  readonly lines?: readonly LineRequest[] | undefined;
  /** An amount off everything that may be discounted, besides the lines' own. */
  readonly discount?: number | null | undefined;
  /** Percent: 8.875 adds 8.88 to 100.00. */
  readonly taxRate?: number | null | undefined;
  /** Whether the service itself is taxed. Absent: as the service says. */
  readonly taxable?: boolean | null | undefined;
  /** All custom fields there are, Value null where nothing is said, so that formulas find their names. */
  readonly customFields?: readonly PricedField[] | undefined;
  readonly selectedOptionIds?: readonly number[] | undefined;
  /** What faults call the list of lines, and in it the part: `AddOnParts[0].PartId` unless told. */
  readonly paths?: { readonly lines: string; readonly part: string } | undefined;
}

/**
 * A line with what it costs. `extended` is before discounts, `net` after them; amounts have 2 decimals, `unitPrice` 4.
 * Of lines that do not count (internal, option not selected) the amounts are what they would cost.
 */
export interface PricedLine {
  /** Place in the request's lines; `null`: an item that an assembly was expanded into. */
  readonly index: number | null;
  /** Place of the assembly's line among the priced lines; `null` for all but items. */
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
  /** Whether it is in the totals: not internal, and of no option or of a selected one. */
  readonly counts: boolean;
}

/** `subtotal` (before discounts) − `discount` = `net`; `net` + `tax` = `total`. */
export interface Totals {
  /** Price of the service by its bands, before discounts. */
  readonly base: number;
  /** What MinimumCharge adds; it is taxed as the service is. */
  readonly minimum: number;
  /** base + minimum + `extended` of the lines that count. */
  readonly subtotal: number;
  readonly discount: number;
  readonly net: number;
  /** What of `net` is taxed. */
  readonly taxableSubtotal: number;
  readonly tax: number;
  readonly total: number;
  /** What it costs the company, internal lines too. */
  readonly cost: number;
  readonly durationMinutes: number;
}

/** Everything as it would be if this option alone were selected. */
export interface OptionTotals extends Totals {
  readonly optionId: number;
  readonly selected: boolean;
}

export interface PriceBreakdown extends Totals {
  /** The service's quantity after overrides and formula. */
  readonly quantity: number;
  /** What makes the service's base, with 4 decimals: base + unit × quantity; where bands make it otherwise, all of it is base. */
  readonly rates: { readonly base: number; readonly unit: number };
  /** The service's own part of tax, discount and minutes. */
  readonly service: {
    readonly discount: number;
    readonly net: number;
    readonly tax: number;
    readonly duration: number;
  };
  /** The lines in the order given, each assembly followed by its items. */
  readonly lines: PricedLine[];
  /** In the order of their ids. */
  readonly options: OptionTotals[];
}

/** What cannot be priced: a field by its path in the request (`AddOnParts[2].UnitPrice`), and what it must be instead. */
export type PriceError = FieldError;
