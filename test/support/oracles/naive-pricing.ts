import type { PartRecord } from '../../../lib/entities/parts.ts';
import type { LineRequest, PriceRequest, PriceBreakdown, PricedField } from '../../../lib/domain/pricing/types.ts';
import { type Fraction, ceiling, compare, fraction, minus, over, plus, rounded, times, toNumber } from './fractions.ts';

/** What formulas read: quantity, base, unit and shortcodes. */
export type Variables = Readonly<Record<string, Fraction>>;
/** Formulas by their text, as functions: the oracle reads none. */
export type Formulas = Readonly<Record<string, (variables: Variables) => Fraction>>;

interface Row {
  index: number | null;
  line: LineRequest;
  part: PartRecord | null;
  parent: Row | null;
  fields: readonly PricedField[];
  option: number | null;
  hidden: boolean;
  hiddenByItself: boolean;
  free: boolean;
  quantity: Fraction;
  own: Fraction;
  minutes: bigint;
  extended: bigint;
  ownOff: bigint;
  off: bigint;
  tax: bigint;
  unitPrice: number;
}

interface Step {
  from: Fraction;
  to: Fraction | null;
  amount: Fraction | null;
  formula: string;
  flat: boolean;
  overage: boolean;
}

const ZERO = fraction(0);
const TINY: Fraction = { n: 1n, d: 10n ** 15n };
const dollars = (cents: bigint): number => toNumber(cents, 2);
const centsOf = (value: Fraction): bigint => rounded(value, 2);

function stepped(
  steps: readonly Step[],
  quantity: Fraction,
  plain: (of: Fraction) => Fraction,
  formula: (text: string, at: Fraction) => Fraction,
): Fraction {
  const holding = (at: Fraction) =>
    steps.find(({ from, to }) => compare(at, from) >= 0 && (to === null || compare(at, to) < 0));
  const value = (step: Step | undefined, at: Fraction): Fraction => {
    if (!step || step.amount === null) return plain(at);
    const rate = step.formula ? formula(step.formula, at) : step.amount;
    const units = step.overage ? minus(at, step.from) : at;
    const charge = step.flat ? rate : times(rate, units);
    // What holds a hair below where this begins.
    return step.overage ? plus(value(holding(minus(step.from, TINY)), step.from), charge) : charge;
  };
  return value(holding(quantity), quantity);
}

/** The same result as `price`, in exact fractions and plain loops, for valid requests. */
export function naivePrice(request: PriceRequest, formulas: Formulas): PriceBreakdown {
  const { service, parts } = request;
  const valueOf = (fields: readonly PricedField[], id: number | null): Fraction | null => {
    const found = fields.findLast((field) => field.Id === id && typeof field.Value === 'number');
    return found ? fraction(found.Value as number) : null;
  };
  const variablesOf = (fields: readonly PricedField[]): Record<string, Fraction> =>
    Object.fromEntries(
      fields
        .filter(({ Value }) => typeof Value === 'number')
        .map(({ Shortcode, Value }) => [Shortcode, fraction(Value as number)]),
    );
  const evaluate = (text: string, fields: readonly PricedField[], builtIn: Variables): Fraction => {
    const formula = formulas[text];
    if (!formula) throw new Error(`no such formula: ${text}`);
    return formula({ ...variablesOf(fields), ...builtIn });
  };
  const common = request.customFields ?? [];
  const base = valueOf(common, service.BasePriceOverrideCustomFieldId) ?? fraction(service.BasePrice);
  const unit = valueOf(common, service.UnitPriceOverrideCustomFieldId) ?? fraction(service.UnitPrice);
  const four = (value: Fraction): Fraction => ({ n: rounded(value, 4), d: 10_000n });

  function rowsOf(): Row[] {
    const rows: Row[] = [];
    const rowOf = (line: LineRequest, index: number | null, parent: Row | null): Row => ({
      index,
      line,
      part: line.partId ? (parts.get(line.partId) ?? null) : null,
      parent,
      fields: [...common, ...(line.customFields ?? [])],
      option: null,
      hidden: false,
      hiddenByItself: false,
      free: false,
      quantity: ZERO,
      own: ZERO,
      minutes: 0n,
      extended: 0n,
      ownOff: 0n,
      off: 0n,
      tax: 0n,
      unitPrice: 0,
    });
    const addItems = (parent: Row): void => {
      for (const { PartId, Quantity } of parent.part?.AssemblyItems ?? []) {
        const row = rowOf({ partId: PartId, quantity: Quantity }, null, parent);
        rows.push(row);
        addItems(row);
      }
    };
    const input = request.lines ?? [];
    input.forEach((line, index) => {
      const row = rowOf(line, index, null);
      rows.push(row);
      if (!line.id || !input.some(({ assemblyLineId }) => assemblyLineId === line.id)) addItems(row);
    });
    for (const row of rows)
      if (row.line.assemblyLineId) row.parent = rows.find(({ line }) => line.id === row.line.assemblyLineId) ?? null;
    for (const row of rows) {
      for (let at: Row | null = row; at; at = at.parent) {
        row.option ??= at.line.optionId || null;
        if (at.line.isInternal ?? at.part?.IsInternal ?? false) row.hiddenByItself = true;
        if (at.parent?.part?.IsInternalizeAssemblyItems) row.hidden = true;
        if (at.parent?.part?.IsZeroAssemblyItemPrices || at.parent?.part?.IsAssemblySynchronizePricing) row.free = true;
      }
      row.hidden ||= row.hiddenByItself;
    }
    return rows;
  }

  function figure(selected: ReadonlySet<number>) {
    const rows = rowsOf();
    const active = (row: Row): boolean => row.option === null || selected.has(row.option);
    const counts = (row: Row): boolean => active(row) && !row.hidden;
    const total = (amount: (row: Row) => bigint): bigint =>
      rows.reduce((sum, row) => sum + (counts(row) ? amount(row) : 0n), 0n);

    const ofCategory = rows.filter(
      ({ part, line, parent, option }) =>
        service.QuantityOverridePartCategoryId !== null &&
        part?.PartCategory?.Id === service.QuantityOverridePartCategoryId &&
        !parent &&
        !line.ratePercent &&
        !part.QuantityFormula &&
        !part.SyncQtyWithServiceQty &&
        (option === null || selected.has(option)),
    );
    const counted = ofCategory.reduce(
      (sum, { part, line, fields }) =>
        plus(sum, valueOf(fields, part?.QuantityOverrideCustomFieldId ?? null) ?? fraction(line.quantity ?? 1)),
      ZERO,
    );
    let quantity = four(ofCategory.length ? counted : fraction(request.quantity ?? 1));
    if (service.QuantityFormula) quantity = four(evaluate(service.QuantityFormula, common, { quantity, base, unit }));
    quantity = valueOf(common, service.QuantityOverrideCustomFieldId) ?? quantity;

    const steps = service.PricingBands.map((band): Step => ({
      from: fraction(band.AtLeast),
      to: band.LessThan === null ? null : fraction(band.LessThan),
      amount: fraction(band.Price),
      formula: band.Formula,
      flat: band.IsExcludeQuantity,
      overage: band.IsOverageMode,
    }));
    const basePrice = centsOf(
      stepped(
        steps,
        quantity,
        (of) => plus(base, times(unit, of)),
        (text, at) => evaluate(text, common, { quantity: at, base, unit }),
      ),
    );
    const timeSteps = steps.map((step, index): Step => ({
      ...step,
      formula: '',
      amount: service.PricingBands[index]?.Duration ? fraction(service.PricingBands[index].Duration) : null,
    }));
    const plainTime = (of: Fraction) => plus(fraction(service.BaseDuration), times(fraction(service.UnitDuration), of));
    const serviceTime = ceiling(
      valueOf(common, service.DurationOverrideCustomFieldId) ?? stepped(timeSteps, quantity, plainTime, () => ZERO),
    );

    const quantityOf = ({ line, part, parent, fields, index }: Row): Fraction => {
      if (line.ratePercent) return fraction(1);
      if (parent && index === null) return four(times(fraction(line.quantity ?? 1), quantityOf(parent)));
      if (parent && line.quantity != null) return fraction(line.quantity);
      if (parent)
        return four(
          times(
            fraction(parent.part?.AssemblyItems.find(({ PartId }) => PartId === part?.Id)?.Quantity ?? 1),
            quantityOf(parent),
          ),
        );
      const override = valueOf(fields, part?.QuantityOverrideCustomFieldId ?? null);
      if (override) return override;
      if (part?.QuantityFormula)
        return four(evaluate(part.QuantityFormula, fields, { quantity, base, unit: fraction(part.UnitPrice) }));
      return part?.SyncQtyWithServiceQty ? quantity : fraction(line.quantity ?? 1);
    };
    const synchronised = (row: Row): boolean =>
      Boolean(row.part?.IsAssemblySynchronizePricing) && rows.some(({ parent }) => parent === row);
    for (const row of rows) {
      const { line, part } = row;
      row.quantity = quantityOf(row);
      if (line.ratePercent) continue;
      const range =
        part?.RangePricing &&
        line.unitPrice != null &&
        line.unitPrice >= part.UnitPrice &&
        line.unitPrice <= (part.UnitPriceMax ?? 0) &&
        !synchronised(row);
      const each = fraction(part ? (range ? (line.unitPrice ?? 0) : part.UnitPrice) : (line.unitPrice ?? 0));
      const tiers = (part?.QtyPricing ?? []).map((price): Step => ({
        from: fraction(price.AtLeast),
        to: price.LessThan === null ? null : fraction(price.LessThan),
        amount: fraction(price.Price),
        formula: price.Formula,
        flat: price.ExcludeQuantity,
        overage: price.OverageMode,
      }));
      row.own = stepped(
        tiers,
        row.quantity,
        (of) => times(each, of),
        (text, at) => evaluate(text, row.fields, { quantity: at, base, unit: each }),
      );
      row.unitPrice =
        row.quantity.n === 0n ? toNumber(rounded(each, 4), 4) : toNumber(rounded(over(row.own, row.quantity), 4), 4);
      if (line.isZeroPrice) [row.own, row.unitPrice] = [ZERO, 0];
      const times_ = tiers.map((step, index): Step => ({
        ...step,
        formula: '',
        amount: part?.QtyPricing[index]?.Duration == null ? null : fraction(part.QtyPricing[index].Duration),
      }));
      const perUnit = over(fraction(part?.UnitDuration ?? 0), fraction(part?.DurationForQtyUnits || 1));
      row.minutes = ceiling(
        stepped(
          times_,
          row.quantity,
          (of) => times(perUnit, of),
          () => ZERO,
        ),
      );
    }
    const itemsWorth = (row: Row): bigint =>
      rows.reduce((sum, item) => sum + (item.parent === row && !item.hiddenByItself ? worth(item) : 0n), 0n);
    const worth = (row: Row): bigint =>
      synchronised(row)
        ? itemsWorth(row)
        : centsOf(row.own) + (row.part?.IsZeroAssemblyItemPrices ? 0n : itemsWorth(row));
    const least = (...amounts: bigint[]): bigint => amounts.reduce((one, other) => (other < one ? other : one));
    const largest = (...amounts: bigint[]): bigint => amounts.reduce((one, other) => (other > one ? other : one));
    const discount = (row: Row): void => {
      row.ownOff = largest(0n, least(centsOf(fraction(row.line.discount ?? 0)), row.extended));
    };
    for (const row of rows) {
      if (row.line.ratePercent) continue;
      row.extended = row.free ? 0n : synchronised(row) ? itemsWorth(row) : centsOf(row.own);
      if (row.extended !== centsOf(row.own))
        row.unitPrice =
          row.quantity.n === 0n
            ? row.unitPrice
            : toNumber(rounded(over({ n: row.extended, d: 100n }, row.quantity), 4), 4);
      discount(row);
    }
    const others = total((row) => (row.line.ratePercent ? 0n : row.extended - row.ownOff));
    for (const row of rows) {
      if (!row.line.ratePercent) continue;
      row.extended =
        row.free || row.line.isZeroPrice
          ? 0n
          : centsOf(times({ n: others, d: 10_000n }, fraction(row.line.ratePercent)));
      row.unitPrice = dollars(row.extended);
      discount(row);
    }

    const taxable = (row: Row): boolean => row.line.taxable ?? row.part?.Taxable ?? false;
    const serviceTaxable = request.taxable ?? service.Taxable;
    interface Share {
      amount: bigint;
      key: [number, number, number, number, number, number];
      take: (cents: bigint) => void;
    }
    let serviceOff = 0n;
    const shares: Share[] = rows
      .filter((row) => counts(row) && !row.part?.IsExcludeFromDiscounts && row.extended > row.ownOff)
      .map((row) => ({
        amount: row.extended - row.ownOff,
        key: [
          taxable(row) ? 0 : 1,
          row.part?.IsExcludedFromMinimum ? 1 : 0,
          row.part?.Id ?? 0,
          row.option ?? 0,
          toNumber(rounded(row.quantity, 4), 4),
          row.line.unitCost ?? row.part?.UnitCost ?? 0,
        ],
        take: (cents) => {
          row.off += cents;
        },
      }));
    if (!service.IsExcludeFromDiscounts && basePrice > 0n)
      shares.unshift({
        amount: basePrice,
        key: [serviceTaxable ? 0 : 1, 0, -1, 0, 0, 0],
        take: (cents) => {
          serviceOff += cents;
        },
      });
    const whole = shares.reduce((sum, { amount }) => sum + amount, 0n);
    const all = largest(
      0n,
      least(centsOf(fraction(request.discount ?? 0)), whole, basePrice + total((row) => row.extended - row.ownOff)),
    );
    const losing = shares.map((share) => {
      const exact = whole === 0n ? ZERO : over(times(fraction(all), fraction(share.amount)), fraction(whole));
      const cents = exact.n / exact.d;
      share.take(cents);
      return { share, cents, loss: minus(exact, fraction(cents)) };
    });
    for (let left = all - losing.reduce((sum, { cents }) => sum + cents, 0n); left > 0n; left--) {
      const [next] = losing.toSorted(
        (a, b) =>
          compare(b.loss, a.loss) ||
          Number(b.share.amount - a.share.amount) ||
          a.share.key.map((value, index) => value - (b.share.key[index] ?? 0)).find((order) => order !== 0) ||
          0,
      );
      next?.share.take(1n);
      if (next) losing.splice(losing.indexOf(next), 1);
    }

    const net = (row: Row): bigint => row.extended - row.ownOff - row.off;
    const towards = basePrice - serviceOff + total((row) => (row.part?.IsExcludedFromMinimum ? 0n : net(row)));
    const minimum =
      service.MinimumCharge === null ? 0n : largest(0n, centsOf(fraction(service.MinimumCharge)) - towards);
    const serviceNet = basePrice - serviceOff + minimum;
    const rate = over(fraction(request.taxRate ?? 0), fraction(100));
    const taxOf = (cents: bigint): bigint => centsOf(times({ n: cents, d: 100n }, rate));
    for (const row of rows) row.tax = taxable(row) && !row.hidden ? taxOf(net(row)) : 0n;
    const serviceTax = serviceTaxable ? taxOf(serviceNet) : 0n;
    const costOf = (unitCost: number | null, of: Fraction): bigint => centsOf(times(fraction(unitCost ?? 0), of));
    const unitCost = (row: Row): number | null => row.line.unitCost ?? row.part?.UnitCost ?? null;
    const cost = rows.reduce(
      (sum, row) => sum + (active(row) ? costOf(unitCost(row), row.quantity) : 0n),
      costOf(service.UnitCost, quantity),
    );
    const minutes = rows.reduce((sum, row) => sum + (active(row) ? row.minutes : 0n), serviceTime);
    const netTotal = serviceNet + total(net);
    const subtotal = basePrice + minimum + total(({ extended }) => extended);
    const tax = serviceTax + total((row) => row.tax);
    const four_ = (value: Fraction): number => toNumber(rounded(value, 4), 4);
    const band = service.PricingBands.find(
      ({ AtLeast, LessThan }) =>
        compare(quantity, fraction(AtLeast)) >= 0 && (LessThan === null || compare(quantity, fraction(LessThan)) < 0),
    );
    const each = !band || !(band.IsExcludeQuantity || band.IsOverageMode || band.Formula);
    const bandRates = band ? ([ZERO, fraction(band.Price)] as const) : ([base, unit] as const);
    const rates = each
      ? { base: four_(bandRates[0]), unit: four_(bandRates[1]) }
      : { base: dollars(basePrice), unit: 0 };
    return {
      rates,
      rows: rows.map((row) => ({
        index: row.index,
        assembly: row.parent ? rows.indexOf(row.parent) : null,
        partId: row.part?.Id ?? null,
        optionId: row.option,
        quantity: four_(row.quantity),
        unitPrice: row.unitPrice,
        unitCost: unitCost(row),
        ratePercent: row.line.ratePercent || null,
        extended: dollars(row.extended),
        discount: dollars(row.ownOff + row.off),
        net: dollars(net(row)),
        taxable: taxable(row),
        tax: dollars(row.tax),
        duration: Number(row.minutes),
        internal: row.hidden,
        counts: counts(row),
      })),
      quantity: four_(quantity),
      service: {
        discount: dollars(serviceOff),
        net: dollars(serviceNet),
        tax: dollars(serviceTax),
        duration: Number(serviceTime),
      },
      totals: {
        base: dollars(basePrice),
        minimum: dollars(minimum),
        subtotal: dollars(subtotal),
        discount: dollars(subtotal - netTotal),
        net: dollars(netTotal),
        taxableSubtotal: dollars((serviceTaxable ? serviceNet : 0n) + total((row) => (taxable(row) ? net(row) : 0n))),
        tax: dollars(tax),
        total: dollars(netTotal + tax),
        cost: dollars(cost),
        durationMinutes: Number(minutes),
      },
    };
  }

  const selected = new Set(request.selectedOptionIds);
  const selectedFigure = figure(selected);
  const ids = [...new Set(selectedFigure.rows.flatMap(({ optionId }) => optionId ?? []))].sort((a, b) => a - b);
  return {
    quantity: selectedFigure.quantity,
    rates: selectedFigure.rates,
    service: selectedFigure.service,
    ...selectedFigure.totals,
    lines: selectedFigure.rows.map((row, place) => {
      if (row.optionId === null || selected.has(row.optionId)) return row;
      const alone = figure(new Set([row.optionId])).rows[place];
      return alone ? { ...alone, counts: false } : row;
    }),
    options: ids.map((optionId) => ({
      ...figure(new Set([optionId])).totals,
      optionId,
      selected: selected.has(optionId),
    })),
  };
}
