import type { BandRecord, QuantityPriceRecord } from '../../lib/entities/bands.ts';
import { type PartRecord, partEntity } from '../../lib/entities/parts.ts';
import { type ServiceRecord, serviceEntity } from '../../lib/entities/services.ts';
import type {
  LineRequest,
  OptionTotals,
  PriceRequest,
  PriceBreakdown,
  PricedLine,
} from '../../lib/domain/pricing/types.ts';

export const service = (input: Partial<ServiceRecord> = {}): ServiceRecord => ({
  ...serviceEntity.blank({ Id: 1, OrganizationId: null }),
  Name: 'Service',
  ...input,
});

export const part = (Id: number, input: Partial<PartRecord> = {}): PartRecord => ({
  ...partEntity.blank({ Id }),
  Name: `Part ${Id}`,
  ...input,
});

export const band = (
  AtLeast: number,
  LessThan: number | null,
  Price: number,
  input: Partial<BandRecord> = {},
): BandRecord => ({
  Id: AtLeast + 1,
  AtLeast,
  LessThan,
  Price,
  IsExcludeQuantity: false,
  IsOverageMode: false,
  CapacityDemand: null,
  Formula: '',
  Duration: 0,
  InitialNRecurringPrice: null,
  IsOverageBand: false,
  ...input,
});

export const tier = (
  AtLeast: number,
  LessThan: number | null,
  Price: number,
  input: Partial<QuantityPriceRecord> = {},
): QuantityPriceRecord => ({
  Id: AtLeast + 1,
  AtLeast,
  LessThan,
  Price,
  ExcludeQuantity: false,
  OverageMode: false,
  Formula: '',
  Duration: null,
  CapacityDemand: null,
  ...input,
});

/** Parts by id, numbered from 1 as they come. */
export const partsOf = (...input: readonly Partial<PartRecord>[]): Map<number, PartRecord> =>
  new Map(input.map((each, index) => [index + 1, part(index + 1, each)]));

/** A request for a service that by default costs nothing. */
export const request = (
  of: Partial<ServiceRecord>,
  rest: Omit<Partial<PriceRequest>, 'service'> = {},
): PriceRequest => ({ service: service(of), parts: new Map(), ...rest });

/** Lines of parts 1, 2, 3 …, one each. */
export const lines = (...input: readonly LineRequest[]): LineRequest[] =>
  input.map((line, index) => ({ partId: index + 1, ...line }));

/** A complete priced line; by default line `index` of part `index + 1`, quantity 1, untaxed, counting, no discount. */
export function line(index: number | null, extended: number, input: Partial<PricedLine> = {}): PricedLine {
  const of = { quantity: 1, unitPrice: extended, net: extended, ...input };
  return {
    index,
    assembly: null,
    partId: index === null ? null : index + 1,
    optionId: null,
    unitCost: null,
    ratePercent: null,
    extended,
    discount: 0,
    taxable: false,
    tax: 0,
    duration: 0,
    internal: false,
    counts: true,
    ...of,
  };
}

type PriceSpec = Partial<Omit<PriceBreakdown, 'options' | 'service'>> & {
  readonly base: number;
  readonly service?: Partial<PriceBreakdown['service']>;
  readonly options?: readonly (Partial<OptionTotals> & { readonly optionId: number })[];
};

/** A complete answer; by default quantity 1, the base price alone, no lines, discounts or tax. */
export function answer({ base, service: of, options = [], ...input }: PriceSpec): PriceBreakdown {
  const subtotal = input.subtotal ?? base;
  const net = input.net ?? subtotal;
  const totals = {
    base,
    minimum: 0,
    subtotal,
    discount: 0,
    net,
    taxableSubtotal: 0,
    tax: 0,
    total: net,
    cost: 0,
    durationMinutes: 0,
  };
  return {
    quantity: 1,
    rates: { base, unit: 0 },
    lines: [],
    ...totals,
    ...input,
    service: { discount: 0, net: input.lines ? base : net, tax: 0, duration: 0, ...of },
    options: options.map((each) => ({ ...totals, selected: false, ...each })),
  };
}
