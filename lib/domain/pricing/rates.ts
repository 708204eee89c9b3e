import type { BandRecord, QuantityPriceRecord } from '../../entities/bands.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import Big from 'big.js';
import { decimal, Fraction } from '../../shared/money.ts';
import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import { countSteps, evaluateFormula, parseFormula } from '../formula.ts';
import type { PricedField } from './types.ts';

/** A band of a service or a quantity price of a part; the same rules apply to both. */
export interface Tier {
  readonly AtLeast: number;
  readonly LessThan: number | null;
  readonly Price: number;
  readonly Formula: string;
  /** `null` for none. */
  readonly minutes: number | null;
  readonly flat: boolean;
  readonly overage: boolean;
}

/** A band with Duration 0 has no minutes; those of its service apply. */
const bandTier = (band: BandRecord): Tier => ({
  AtLeast: band.AtLeast,
  LessThan: band.LessThan,
  Price: band.Price,
  Formula: band.Formula,
  minutes: band.Duration || null,
  flat: band.IsExcludeQuantity,
  overage: band.IsOverageMode,
});

export const quantityTier = (price: QuantityPriceRecord): Tier => ({
  AtLeast: price.AtLeast,
  LessThan: price.LessThan,
  Price: price.Price,
  Formula: price.Formula,
  minutes: price.Duration,
  flat: price.ExcludeQuantity,
  overage: price.OverageMode,
});

/** The amount without tiers, and a tier's rate for one unit (`undefined` for none), at a quantity. */
export interface Rates {
  readonly plain: (quantity: Big) => Fraction;
  readonly rate: (tier: Tier, quantity: Big) => Fraction | undefined;
}

/**
 * The unrounded amount (or minutes) for a quantity. The tier with AtLeast ≤ quantity < LessThan replaces the plain
 * amount: by rate × quantity; flat: by the rate; overage: by the rate for the units above AtLeast, added to the amount
 * for AtLeast units under the next lower tier.
 *
 * Worked, 12 units, tiers from 0 at 5.00 and from 10 at 4.00: 12 × 4.00 = 48.00; the second flat: 4.00; the second
 * overage: 10 × 5.00 + 2 × 4.00 = 58.00.
 */
export function tieredAmount(tiers: readonly Tier[], quantity: Big, rates: Rates): Fraction {
  return amountIn(tierAt(tiers, quantity), tiers, quantity, rates);
}

function tierAt(tiers: readonly Tier[], quantity: Big): Tier | undefined {
  const at = quantity.toNumber();
  return tiers.find(({ AtLeast, LessThan }) => AtLeast <= at && (LessThan === null || at < LessThan));
}

function amountIn(tier: Tier | undefined, tiers: readonly Tier[], quantity: Big, rates: Rates): Fraction {
  const rate = tier && rates.rate(tier, quantity);
  if (tier === undefined || rate === undefined) return rates.plain(quantity);
  if (!tier.overage) return tier.flat ? rate : rate.times(quantity);
  const below = tiers.find(
    ({ AtLeast, LessThan }) => AtLeast < tier.AtLeast && (LessThan === null || LessThan >= tier.AtLeast),
  );
  const start = new Big(tier.AtLeast);
  return amountIn(below, tiers, start, rates).plus(tier.flat ? rate : rate.times(quantity.minus(start)));
}

/** A service's BasePrice and UnitPrice, or the custom fields that override them. */
export const serviceRates = (service: ServiceRecord, fields: Fields): { base: Big; unit: Big } => ({
  base: new Big(overrideValue(fields, service.BasePriceOverrideCustomFieldId) ?? service.BasePrice),
  unit: new Big(overrideValue(fields, service.UnitPriceOverrideCustomFieldId) ?? service.UnitPrice),
});

/** A tier's Price, or the value of its Formula: the unit price, or the whole price if the tier is flat. */
export const tierPrice =
  (fields: Fields, builtIn: { base: Big; unit: Big }, source: FormulaSource) =>
  (tier: Tier, quantity: Big): Fraction =>
    tier.Formula.trim() === ''
      ? Fraction.of(tier.Price)
      : formulaValue(
          tier.Formula,
          fields,
          { ...builtIn, quantity },
          { ...source, name: `Formula of the ${source.name} from ${tier.AtLeast}` },
        );

/** The unrounded price for a quantity of a service: BasePrice + UnitPrice × quantity, or by its bands. */
export function basePrice(
  service: ServiceRecord,
  quantity: Big,
  fields: Fields,
  { addError, steps }: { readonly addError: AddError; readonly steps: PricingSteps },
): Fraction {
  const rates = serviceRates(service, fields);
  const source = { name: 'band', field: 'ServiceId', addError, steps };
  return tieredAmount(service.PricingBands.map(bandTier), quantity, {
    plain: (count) => Fraction.of(rates.base.plus(rates.unit.times(count))),
    rate: tierPrice(fields, rates, source),
  });
}

/**
 * The price of a service as base and unit price: its own two, or a band's Price per unit. `undefined` if the price has
 * another form: flat and overage bands, formulas, and overrides with more than 4 decimals.
 */
export function linearRates(
  service: ServiceRecord,
  quantity: Big,
  fields: Fields,
): { base: number; unit: number } | undefined {
  const band = tierAt(service.PricingBands.map(bandTier), quantity);
  if (band && (band.flat || band.overage || band.Formula.trim())) return undefined;
  const { base, unit } = band ? { base: new Big(0), unit: new Big(band.Price) } : serviceRates(service, fields);
  const rates = { base: decimal(base), unit: decimal(unit) };
  return base.eq(rates.base) && unit.eq(rates.unit) ? rates : undefined;
}

const minutesRate = ({ minutes }: Tier): Fraction | undefined => (minutes === null ? undefined : Fraction.of(minutes));

/** Whole minutes, rounded up. 30 minutes for 7 units, 2 of them: 8.57 → 9; 3 units at 1 minute for 3 are exactly 1. */
const roundUp = (minutes: Fraction): number => minutes.ceil().toBig(0).toNumber() + 0;

/**
 * The minutes of a service: the value of its override field; else BaseDuration + UnitDuration × quantity, which a band
 * with a Duration replaces as its Price replaces the price: Duration × quantity, flat, or for the units above.
 */
export function serviceMinutes(service: ServiceRecord, quantity: Big, fields: Fields, addError: AddError): number {
  const override = overrideValue(fields, service.DurationOverrideCustomFieldId);
  if (override !== undefined && override < 0)
    addError('CustomFields', `must have at least 0 in the field that overrides the duration, not ${override}`, 'range');
  if (override !== undefined) return roundUp(Fraction.of(Math.max(override, 0)));
  const plain = (count: Big) => Fraction.of(count.times(service.UnitDuration).plus(service.BaseDuration));
  return roundUp(tieredAmount(service.PricingBands.map(bandTier), quantity, { plain, rate: minutesRate }));
}

/** The minutes of a part: UnitDuration for every DurationForQtyUnits units (or for one), or by its quantity prices. */
export function partMinutes(part: PartRecord, quantity: Big): number {
  const { UnitDuration, DurationForQtyUnits, QtyPricing } = part;
  if (!UnitDuration && QtyPricing.length === 0) return 0;
  const plain = (count: Big) => Fraction.of(count.times(UnitDuration ?? 0)).dividedBy(DurationForQtyUnits || 1);
  return roundUp(tieredAmount(QtyPricing.map(quantityTier), quantity, { plain, rate: minutesRate }));
}

/** Collects errors; the caller continues with some amount, because all errors are reported at once. */
export type AddError = (field: string, message: string, code: FieldErrorCode) => void;

/** What formulas and overrides read: numbers by id and by shortcode, and all names, with or without a value. */
export interface Fields {
  readonly values: ReadonlyMap<number, number>;
  readonly variables: Readonly<Record<string, number>>;
  readonly names: ReadonlySet<string>;
  /** By shortcode, for messages. */
  readonly definitions: ReadonlyMap<string, NonNullable<PricedField['definition']>>;
}

const BUILT_IN = ['quantity', 'base', 'unit'] as const;
export type BuiltIn = Readonly<Record<(typeof BUILT_IN)[number], Big | number>>;

/** If two fields have the same id or shortcode, the last one with a value counts. */
export function readFields(...lists: readonly (readonly PricedField[] | undefined)[]): Fields {
  const values = new Map<number, number>();
  const variables: Record<string, number> = {};
  const names = new Set<string>(BUILT_IN);
  const definitions = new Map<string, NonNullable<PricedField['definition']>>();
  for (const { Id, Shortcode, Value, definition } of lists.flatMap((list) => list ?? [])) {
    if (Shortcode) names.add(Shortcode);
    if (Shortcode && definition) definitions.set(Shortcode, definition);
    if (typeof Value !== 'number' || !Number.isFinite(Value)) continue;
    values.set(Id, Value);
    if (Shortcode) variables[Shortcode] = Value;
  }
  return { values, variables, names, definitions };
}

/** The value of the field that an override refers to; `undefined` if there is no such field or value. */
export const overrideValue = ({ values }: Fields, fieldId: number | null): number | undefined =>
  fieldId === null ? undefined : values.get(fieldId);

/** The limit of one pricing: 0.1 s of CPU. 500 lines with a formula of 20 values each take 20,000 steps. */
export const MAX_STEPS = 50_000;
/** The cost of the quantity and price of a line without a formula, in steps. */
export const LINE_STEPS = 5;

/**
 * Counts the cost of a pricing. Beyond the limit it reports an error and calculates nothing more. It also caches parsed
 * formulas, because many lines share the same one.
 */
export class PricingSteps {
  readonly #addError: () => void;
  /** By the names that a formula may use, and its text. */
  readonly #formulas = new Map<ReadonlySet<string>, Map<string, ReadFormula>>();
  #spent = 0;

  constructor(addError: () => void) {
    this.#addError = addError;
  }

  /** Whether this many more steps are within the limit. */
  spend(steps: number): boolean {
    const wasExhausted = this.isExhausted;
    this.#spent += steps;
    if (this.isExhausted && !wasExhausted) this.#addError();
    return !this.isExhausted;
  }

  get isExhausted(): boolean {
    return this.#spent > MAX_STEPS;
  }

  get spent(): number {
    return this.#spent;
  }

  /** The parsed formula, if it may still be evaluated. */
  read(text: string, names: ReadonlySet<string>): ReturnType<typeof parseFormula> | undefined {
    const known = this.#formulas.get(names)?.get(text) ?? this.#parse(text, names);
    return this.spend(known.steps) ? known.parsed : undefined;
  }

  #parse(text: string, names: ReadonlySet<string>): ReadFormula {
    const parsed = parseFormula(text, names);
    const formula = { parsed, steps: parsed.ok ? countSteps(parsed.formula) : LINE_STEPS };
    this.spend(formula.steps);
    const sameNames = this.#formulas.get(names) ?? new Map<string, ReadFormula>();
    this.#formulas.set(names, sameNames.set(text, formula));
    return formula;
  }
}

interface ReadFormula {
  readonly parsed: ReturnType<typeof parseFormula>;
  readonly steps: number;
}

/** Which record lacks the value of a field that a formula reads, and where to set it. */
function missingValueMessage(shortcode: string, definition: PricedField['definition']): string {
  const field = definition?.Name ? `custom field "${definition.Name}" (${shortcode})` : `custom field ${shortcode}`;
  const value = `{"Shortcode": ${JSON.stringify(shortcode)}, "Value": 1}`;
  switch (definition?.TableType) {
    case 1:
      return `The appointment has no number as ${field}. Set it in CustomProperties of the slot: {"${shortcode}": 1}.`;
    case 2:
      return `The proposal has no number as ${field}. Set it in its CustomFields: [${value}].`;
    case 3:
      return `The line has no number as ${field}. Set it in CustomFields of the line: [${value}].`;
    default:
      return `The contact has no number as ${field}. Set it with contacts/addupdate in CustomFields: [${value}].`;
  }
}

/** The origin of a formula: `name` is what messages call it, `field` is the field of errors. */
export interface FormulaSource {
  readonly name: string;
  readonly field: string;
  readonly addError: AddError;
  readonly steps: PricingSteps;
}

/** The value of a formula in the price book, or 0 and an error. */
export function formulaValue(text: string, fields: Fields, builtIn: BuiltIn, source: FormulaSource): Fraction {
  const parsed = source.steps.read(text, fields.names);
  if (!parsed) return Fraction.of(0);
  const result = parsed.ok ? evaluateFormula(parsed.formula, { ...fields.variables, ...builtIn }) : parsed;
  if (result.ok) return result.value;
  const missing = 'missing' in result ? result.missing : undefined;
  const reason = missing === undefined ? result.message : missingValueMessage(missing, fields.definitions.get(missing));
  source.addError(source.field, `cannot be priced by its ${source.name}: ${reason}`, 'invalid_value');
  return Fraction.of(0);
}
