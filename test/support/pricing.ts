import {
  type BandRecord,
  type PartRecord,
  type QuantityPriceRecord,
  type ServiceRecord,
  blankPart,
  blankService,
} from '../../lib/domain/pricebook/record.ts';
import type {
  LineRequest,
  OptionTotals,
  PriceRequest,
  PriceBreakdown,
  PricedLine,
} from '../../lib/domain/pricing/types.ts';

export const service = (said: Partial<ServiceRecord> = {}): ServiceRecord => ({
  ...blankService(1, null),
  Name: 'Service',
  ...said,
});

export const part = (Id: number, said: Partial<PartRecord> = {}): PartRecord => ({
  ...blankPart(Id),
  Name: `Part ${Id}`,
  ...said,
});

export const band = (
  AtLeast: number,
  LessThan: number | null,
  Price: number,
  said: Partial<BandRecord> = {},
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
  ...said,
});

export const tier = (
  AtLeast: number,
  LessThan: number | null,
  Price: number,
  said: Partial<QuantityPriceRecord> = {},
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
  ...said,
});

/** Parts by id, numbered from 1 as they come. */
export const partsOf = (...said: readonly Partial<PartRecord>[]): Map<number, PartRecord> =>
  new Map(said.map((each, index) => [index + 1, part(index + 1, each)]));

/** A request for a service, which costs nothing unless told. */
export const request = (
  of: Partial<ServiceRecord>,
  rest: Omit<Partial<PriceRequest>, 'service'> = {},
): PriceRequest => ({ service: service(of), parts: new Map(), ...rest });

/** Lines of parts 1, 2, 3 …, one each. */
export const lines = (...said: readonly LineRequest[]): LineRequest[] =>
  said.map((line, index) => ({ partId: index + 1, ...line }));

/** A whole priced line. What is not told: line `index` of part `index + 1`, one of it, untaxed, counting, nothing off. */
export function line(index: number | null, extended: number, said: Partial<PricedLine> = {}): PricedLine {
  const of = { quantity: 1, unitPrice: extended, net: extended, ...said };
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

type Said = Partial<Omit<PriceBreakdown, 'options' | 'service'>> & {
  readonly base: number;
  readonly service?: Partial<PriceBreakdown['service']>;
  readonly options?: readonly (Partial<OptionTotals> & { readonly optionId: number })[];
};

/** A whole answer. What is not told: quantity 1, all of the base as such, no lines, nothing added, off, taxed; subtotal, net and total are then the base. */
export function answer({ base, service: of, options = [], ...said }: Said): PriceBreakdown {
  const subtotal = said.subtotal ?? base;
  const net = said.net ?? subtotal;
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
    ...said,
    service: { discount: 0, net: said.lines ? base : net, tax: 0, duration: 0, ...of },
    options: options.map((each) => ({ ...totals, selected: false, ...each })),
  };
}
