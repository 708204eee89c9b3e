import Big from 'big.js';
import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest, PriceBreakdown, PricedLine } from '../../../lib/domain/pricing/types.ts';
import { money } from '../../../lib/shared/money.ts';
import { naivePrice } from '../../support/oracles/naive-pricing.ts';
import { chance, formulas, randomRequest } from '../../support/random/random-pricing.ts';

/** How many requests the engine and the slow oracle must agree on; the other properties take a part of them. */
const REQUESTS = Number(process.env['PRICING_REQUESTS'] ?? 240);

function result(request: PriceRequest): PriceBreakdown {
  const answer = price(request);
  if (Array.isArray(answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Runs something on many random requests, and tells the seed of one that fails. */
function onMany(count: number, run: (request: PriceRequest, seed: number) => void): void {
  for (let seed = 1; seed <= count; seed++) {
    try {
      run(randomRequest(seed), seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + cents(amount), 0);
const amountsOf = ({ quantity: _, ...line }: PricedLine) => line;

test(`${REQUESTS} random requests are priced as exact fractions and plain loops price them`, () => {
  onMany(REQUESTS, (request) => expect(result(request)).toEqual(naivePrice(request, formulas)));
});

test('the total is the sum of its parts, of what is selected and of each option', () => {
  onMany(REQUESTS / 4, (request) => {
    const all = result(request);
    const counting = all.lines.filter(({ counts }) => counts);
    expect(cents(all.subtotal)).toBe(
      cents(all.base) + cents(all.minimum) + sum(counting.map(({ extended }) => extended)),
    );
    expect(cents(all.discount)).toBe(cents(all.service.discount) + sum(counting.map(({ discount }) => discount)));
    expect(cents(all.net)).toBe(cents(all.service.net) + sum(counting.map(({ net }) => net)));
    expect(cents(all.tax)).toBe(cents(all.service.tax) + sum(counting.map(({ tax }) => tax)));
    for (const each of [all, ...all.options]) {
      expect(cents(each.net)).toBe(cents(each.subtotal) - cents(each.discount));
      expect(cents(each.total)).toBe(cents(each.net) + cents(each.tax));
    }
  });
});

test('base and unit × quantity make the price of the service, to the cent', () => {
  onMany(REQUESTS / 6, (request) => {
    const { rates, quantity, base } = result(request);
    expect(money(new Big(quantity).times(rates.unit).plus(rates.base))).toBe(base);
  });
});

test('each option’s total is the total with it alone selected', () => {
  onMany(REQUESTS / 6, (request) => {
    for (const option of result(request).options) {
      const {
        lines: _,
        quantity: __,
        service: ___,
        rates: ____,
        options: _____,
        ...totals
      } = result({ ...request, selectedOptionIds: [option.optionId] });
      const { optionId: ______, selected: _______, ...report } = option;
      expect(report).toEqual(totals);
    }
  });
});

test('the order of lines changes neither totals nor any line', () => {
  onMany(REQUESTS / 4, (request, seed) => {
    const random = chance(seed);
    const lines = request.lines ?? [];
    const order = lines
      .map((_, index) => ({ index, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ index }) => index);
    const before = result(request);
    const after = result({ ...request, lines: order.flatMap((index) => lines[index] ?? []) });
    const { lines: linesBefore, ...totalsBefore } = before;
    const { lines: linesAfter, ...totalsAfter } = after;
    expect(totalsAfter).toEqual(totalsBefore);
    const keyed = (of: readonly PricedLine[]) =>
      of.map(({ index: _, assembly: __, ...line }) => JSON.stringify(line)).sort();
    expect(keyed(linesAfter)).toEqual(keyed(linesBefore));
  });
});

test('ten times the quantities of plain prices are ten times the price', () => {
  onMany(REQUESTS / 6, (request, seed) => {
    const random = chance(seed);
    const lines = Array.from({ length: 5 }, () => ({
      quantity: Math.floor(random() * 20),
      unitPrice: Math.floor(random() * 10_000) / 100,
    }));
    const service = {
      ...request.service,
      BasePrice: 0,
      PricingBands: [],
      MinimumCharge: null,
      QuantityFormula: '',
      QuantityOverrideCustomFieldId: null,
      QuantityOverridePartCategoryId: null,
      UnitPrice: Math.floor(request.service.UnitPrice),
    };
    const of = (times: number) =>
      result({
        service,
        parts: new Map(),
        quantity: 3 * times,
        lines: lines.map((line) => ({ ...line, quantity: line.quantity * times })),
      });
    expect(cents(of(10).total)).toBe(10 * cents(of(1).total));
  });
});

test('a discount makes no line negative, and never exceeds the requested amount', () => {
  onMany(REQUESTS / 4, (request) => {
    const all = result({ ...request, discount: 150 });
    for (const { net, extended, discount } of all.lines) {
      expect(discount).toBeGreaterThanOrEqual(0);
      if (extended >= 0) expect(net).toBeGreaterThanOrEqual(0);
      else expect(discount).toBe(0);
    }
    expect(all.service.discount).toBeGreaterThanOrEqual(0);
    expect(all.service.discount).toBeLessThanOrEqual(Math.max(0, all.base));
  });
});

test('no amount has more than 2 decimals, no unit price or quantity more than 4', () => {
  const decimals = (value: number, places: number) => expect(Number(value.toFixed(places))).toBe(value);
  onMany(REQUESTS / 4, (request) => {
    const all = result(request);
    for (const each of [all, ...all.options]) {
      for (const name of [
        'base',
        'minimum',
        'subtotal',
        'discount',
        'net',
        'taxableSubtotal',
        'tax',
        'total',
        'cost',
      ] as const)
        decimals(each[name], 2);
      expect(Number.isInteger(each.durationMinutes)).toBe(true);
    }
    for (const line of all.lines) {
      for (const name of ['extended', 'discount', 'net', 'tax'] as const) decimals(line[name], 2);
      for (const name of ['unitPrice', 'quantity'] as const) decimals(line[name], 4);
    }
  });
});

test('what MinimumCharge is set to is charged at least, where no line is excluded from it', () => {
  onMany(REQUESTS / 6, (request) => {
    const parts = new Map([...request.parts].map(([id, part]) => [id, { ...part, IsExcludedFromMinimum: false }]));
    expect(
      result({ ...request, parts, service: { ...request.service, MinimumCharge: 321.09 } }).net,
    ).toBeGreaterThanOrEqual(321.09);
  });
});

test('pricing what was answered answers the same, and changes nothing of the request', () => {
  onMany(REQUESTS / 6, (request) => {
    const before = structuredClone(request);
    const first = result(request);
    expect(request).toEqual(before);
    const lines = (request.lines ?? []).map((line, index) => {
      const result = first.lines.find((each) => each.index === index);
      // A price chosen within a range is the line's to keep; any other is answered, and may come back.
      const selected = line.partId && request.parts.get(line.partId)?.RangePricing;
      return line.partId && result && !selected && !line.ratePercent && !line.isZeroPrice && !result.assembly
        ? { ...line, unitPrice: result.unitPrice }
        : line;
    });
    expect(result({ ...request, lines }).lines.map(amountsOf)).toEqual(first.lines.map(amountsOf));
  });
});
