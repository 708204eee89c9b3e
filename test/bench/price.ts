import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import { price } from '../../lib/domain/pricing/price.ts';
import type { LineRequest, PriceRequest, PriceBreakdown } from '../../lib/domain/pricing/types.ts';
import { naivePrice } from '../support/oracles/naive-pricing.ts';
import { band, partsOf, request, tier } from '../support/pricing.ts';
import { formulas } from '../support/random/random-pricing.ts';
import { median, printTable } from './table.ts';

const ROUNDS = 7;
/** CPU milliseconds that a quote of 50 lines with assemblies may take. */
const MAX_MS = 10;
/** CPU milliseconds of the worst request that is accepted, without formulas beyond the limit of steps. */
const MAX_WORST_MS = 150;

/** 3 plain parts, one with quantity prices, one with a formula, and assemblies of them. */
const parts = partsOf(
  { UnitPrice: 19.99, Taxable: true, UnitDuration: 5 },
  { UnitPrice: 7.335, UnitCost: 4.1 },
  { UnitPrice: 120, Taxable: true, IsExcludedFromMinimum: true },
  { UnitPrice: 6, QtyPricing: [tier(0, 10, 6), tier(10, null, 5, { OverageMode: true })] },
  { UnitPrice: 6, QtyPricing: [tier(0, null, 0, { Formula: 'if(quantity > 10, unit * 0.9, unit)' })] },
  {
    UnitPrice: 80,
    IsAssembly: true,
    IsZeroAssemblyItemPrices: true,
    AssemblyItems: [
      { PartId: 1, Quantity: 2 },
      { PartId: 2, Quantity: 1 },
    ],
  },
  {
    IsAssembly: true,
    IsAssemblySynchronizePricing: true,
    AssemblyItems: [
      { PartId: 6, Quantity: 1 },
      { PartId: 3, Quantity: 0.5 },
    ],
  },
);

/** A request of so many lines over those parts, in these options. */
function randomRequest(lines: number, options: number): PriceRequest {
  const line = (_: unknown, index: number): LineRequest => ({
    partId: 1 + (index % parts.size),
    quantity: 1 + (index % 13),
    discount: index % 5 ? null : 2.5,
    ratePercent: index && index % 17 === 0 ? 5 : null,
    optionId: options && index % 2 ? 1 + (index % options) : null,
  });
  const service = {
    BasePrice: 50,
    UnitPrice: 2.5,
    Taxable: true,
    MinimumCharge: 100,
    BaseDuration: 60,
    PricingBands: [band(0, 10, 5), band(10, null, 4, { IsOverageMode: true })],
  };
  return request(service, {
    parts,
    lines: Array.from({ length: lines }, line),
    quantity: 12,
    discount: 25,
    taxRate: 8.875,
    selectedOptionIds: options ? [1] : [],
  });
}

/** What no engine can do without: quantity × price of each line, its tax, and their sum, in decimals. */
function plainAddition({ lines }: PriceBreakdown): Big {
  return lines.reduce((sum, { quantity, unitPrice }) => {
    const extended = new Big(quantity).times(unitPrice).round(2);
    return sum.plus(extended).plus(extended.times(8.875).times('0.01').round(2));
  }, new Big(0));
}

function cpuOf(run: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/**
 * Proposals priced a second, in CPU time, beside the plain addition of the same lines in decimals and the plainest
 * loops in exact fractions, whose answer it must give. Fails when 50 lines with assemblies take 10 ms or more.
 */
export async function pricing(): Promise<boolean> {
  const rows = (
    [
      ['service alone', 0, 0],
      ['10 lines', 10, 0],
      ['50 lines', 50, 0],
      ['50 lines, 3 options', 50, 3],
      ['1,000 lines', 1_000, 0],
      ['500 lines, 50 options', 500, 50],
    ] as const
  ).map(([name, lines, options]) => {
    const request = randomRequest(lines, options);
    const result = price(request);
    if (Array.isArray(result)) throw new Error(JSON.stringify(result));
    if (result.lines.length < lines) throw new Error(`${name}: only ${result.lines.length} lines were priced`);
    const times = Math.ceil(2_000 / (result.lines.length * (options + 1) + 1));
    const figures = Array.from({ length: ROUNDS }, () => ({
      ours: cpuOf(() => price(request), times),
      addition: cpuOf(() => plainAddition(result), times),
    }));
    const [ours, addition] = [median(figures.map(({ ours }) => ours)), median(figures.map(({ addition }) => addition))];
    // The oracle is square in the number of lines: it is skipped for 1,000.
    const answers =
      lines > 100 ? 'skipped' : isDeepStrictEqual(result, naivePrice(request, formulas)) ? 'the same' : 'DIFFERENT';
    return {
      name,
      count: result.lines.length,
      ours,
      addition,
      answers,
      ok: answers !== 'DIFFERENT' && ours < (lines > 50 ? MAX_WORST_MS : MAX_MS),
    };
  });
  printTable(
    [
      'proposal',
      'lines priced',
      'a second',
      `CPU ms (50 lines < ${MAX_MS})`,
      'plain addition',
      'ratio',
      'plain loops answer',
    ],
    rows.map(({ name, count, ours, addition, answers }) => [
      name,
      count,
      Math.round(1_000 / ours),
      ours,
      addition,
      count ? ours / addition : '',
      answers,
    ]),
  );
  return rows.every(({ ok }) => ok);
}
