import Big from 'big.js';

/** Exact amounts: decimals, whole cents and fractions. */

/**
 * Amounts as plain JSON numbers with at most 4 decimals, calculated in decimal arithmetic: `add(0.1, 0.2)` is 0.3.
 * Exact for |amount| < 10^11, where 15 significant digits hold 4 decimals. Every function throws on NaN and infinities,
 * which validation rejects.
 */
export type Amount = number | string | Big;

/** Rounds halves away from zero, because a refund mirrors its charge: 0.125 → 0.13, −0.125 → −0.13. */
function round(amount: Big, decimals: number): number {
  // Adding 0 turns −0 into 0: −0.004 rounds to 0, not to −0.
  return amount.round(decimals, Big.roundHalfUp).toNumber() + 0;
}

/**
 * Money: two decimals, halves away from zero. 1.005 → 1.01 (1.00 in binary arithmetic), −1.005 → −1.01, 2.675 → 2.68.
 */
export function money(amount: Amount): number {
  return round(new Big(amount), 2);
}

/** A quantity, rate or factor: four decimals, halves away from zero. 0.00005 → 0.0001. */
export function decimal(amount: Amount): number {
  return round(new Big(amount), 4);
}

/** The sum, rounded once to 4 decimals: `add(0.1, 0.2)` → 0.3, `add()` → 0. */
export function add(...amounts: Amount[]): number {
  return round(
    amounts.reduce<Big>((sum, amount) => sum.plus(amount), new Big(0)),
    4,
  );
}

/** `from − amount`, to 4 decimals: `subtract(0.3, 0.1)` → 0.2. */
export function subtract(from: Amount, amount: Amount): number {
  return round(new Big(from).minus(amount), 4);
}

/**
 * The product, rounded once to 4 decimals: `multiply(19.99, 3)` → 59.97, `multiply(100, 0.0625, 0.5)` → 3.125,
 * `multiply()` → 1.
 */
export function multiply(...factors: Amount[]): number {
  return round(
    factors.reduce<Big>((product, factor) => product.times(factor), new Big(1)),
    4,
  );
}

/** An amount in a sentence: `1,340.00`, `-50.00`. */
export const formatMoney = (amount: number): string => amount.toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

/**
 * An amount in whole cents, whose sums are exact and cheap: 19.994 → 1999, 1.005 → 101. Exact up to
 * 90,000,000,000,000.00.
 */
export const cents = (amount: Amount): number => Math.round(money(amount) * 100);

/** Cents as money: 1999 → 19.99. The double nearest to the quotient prints as exactly these decimals. */
export const fromCents = (whole: number): number => whole / 100 + 0;

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The limit of what a line costs or credits: 10,000,000,000.00. Sums of 2,000 lines are still exact. */
export const MAX_CENTS = 1e12;

/**
 * A quotient of whole numbers, rounded once, halves away from zero: 5 / 2 → 3, −5 / 2 → −3. The divisor must be
 * positive. Far faster than decimals, and exact: a long product is divided as a BigInt.
 */
export function divideRounded(factors: readonly [number, number], divisor: number): number {
  const product = factors[0] * factors[1];
  if (Math.abs(product) * 2 + divisor > Number.MAX_SAFE_INTEGER) return divideLong(factors, divisor);
  const rest = Math.abs(product % divisor);
  const whole = (Math.abs(product) - rest) / divisor + (rest * 2 >= divisor ? 1 : 0);
  return Math.sign(product) * whole + 0;
}

function divideLong([one, other]: readonly [number, number], divisor: number): number {
  const product = BigInt(one) * BigInt(other);
  const [size, by] = [product < 0n ? -product : product, BigInt(divisor)];
  const whole = Number((2n * size + by) / (2n * by));
  return (product < 0n ? -whole : whole) + 0;
}

/** A percentage of amounts in cents: 7.5% of 333.33 → 25.00. */
export function percentage(percent: number): (amount: number) => number {
  const { s, e, c } = new Big(percent);
  const digits = Number(c.join('')) * s;
  const decimals = c.length - 1 - e;
  // A double has up to 17 digits; values beyond safe integers are rare enough for decimals.
  if (!Number.isSafeInteger(digits) || decimals > 13)
    return (amount) => cents(new Big(amount).times(percent).times('0.0001'));
  const divisor = 10 ** (Math.max(decimals, 0) + 2);
  const factor = digits * 10 ** Math.max(-decimals, 0);
  return (amount) => divideRounded([amount, factor], divisor);
}

/** An operand of a fraction. A number is the decimal that it prints as: 0.1 is 1/10. */
export type Exact = Fraction | Big | number;

/** Denominators up to this are not reduced, because reducing costs more than their length. */
const LONG = 2n ** 256n;
/** 308 digits. */
const TOO_LONG = 2n ** 1024n;
const SHORTENED_DECIMALS = 40;

/**
 * An exact quotient of whole numbers: 1 / 3 × 3 is 1. Decimals lose this: 1.15 / 3 × 26.7 is 10.235, but less with any
 * number of 3s, and rounds to 10.23 instead of 10.24.
 *
 * A denominator of more than 308 digits is rounded to 40 decimals, because long numbers are slow.
 */
export class Fraction {
  readonly numerator: bigint;
  /** Always positive. */
  readonly denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  static of(value: Exact): Fraction {
    if (value instanceof Fraction) return value;
    const { s, e, c } = new Big(value);
    const digits = BigInt(s) * BigInt(c.join(''));
    const decimals = c.length - 1 - e;
    return decimals > 0
      ? new Fraction(digits, 10n ** BigInt(decimals))
      : new Fraction(digits * 10n ** BigInt(-decimals), 1n);
  }

  plus(other: Exact): Fraction {
    const { numerator, denominator } = Fraction.of(other);
    if (denominator === this.denominator) return new Fraction(this.numerator + numerator, denominator);
    return new Fraction(
      ...shorten(this.numerator * denominator + numerator * this.denominator, this.denominator * denominator),
    );
  }

  minus(other: Exact): Fraction {
    return this.plus(Fraction.of(other).negated());
  }

  times(other: Exact): Fraction {
    const { numerator, denominator } = Fraction.of(other);
    return new Fraction(...shorten(this.numerator * numerator, this.denominator * denominator));
  }

  /** @throws RangeError for 0. */
  dividedBy(other: Exact): Fraction {
    const { numerator, denominator } = Fraction.of(other);
    if (numerator === 0n) throw new RangeError('Division by zero');
    const sign = numerator < 0n ? -1n : 1n;
    return new Fraction(...shorten(sign * this.numerator * denominator, sign * this.denominator * numerator));
  }

  negated(): Fraction {
    return new Fraction(-this.numerator, this.denominator);
  }

  abs(): Fraction {
    return this.numerator < 0n ? this.negated() : this;
  }

  /** Negative, 0 or positive, as this is less than, equal to or greater than the other. */
  compareTo(other: Exact): number {
    const { numerator, denominator } = Fraction.of(other);
    const difference = this.numerator * denominator - numerator * this.denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  isZero(): boolean {
    return this.numerator === 0n;
  }

  /** Rounds to `decimals` (negative: a multiple of 10, 100 …), halves away from zero: 2.5 → 3, −2.5 → −3. */
  round(decimals = 0): Fraction {
    return new Fraction(...roundTo(this.numerator, this.denominator, decimals));
  }

  floor(): Fraction {
    const whole = this.numerator / this.denominator;
    return new Fraction(this.numerator < whole * this.denominator ? whole - 1n : whole, 1n);
  }

  ceil(): Fraction {
    return this.negated().floor().negated();
  }

  /** Rounds to `decimals`, halves away from zero. */
  toBig(decimals: number): Big {
    const scaled = this.times(10 ** decimals).round();
    return new Big(scaled.numerator.toString()).times(`1e-${decimals}`);
  }
}

function roundTo(numerator: bigint, denominator: bigint, decimals: number): [bigint, bigint] {
  const scale = 10n ** BigInt(Math.abs(decimals));
  const [top, bottom] = decimals < 0 ? [numerator, denominator * scale] : [numerator * scale, denominator];
  const half = top < 0n ? -bottom : bottom;
  const whole = (2n * top + half) / (2n * bottom);
  return decimals < 0 ? [whole * scale, 1n] : [whole, scale];
}

function commonDivisor(one: bigint, other: bigint): bigint {
  let [divisor, rest] = [one < 0n ? -one : one, other];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}

/** Reduces a long quotient, and rounds it if it stays too long. */
function shorten(numerator: bigint, denominator: bigint): [bigint, bigint] {
  if (denominator < LONG) return [numerator, denominator];
  const divisor = commonDivisor(numerator, denominator);
  const [top, bottom] = [numerator / divisor, denominator / divisor];
  return bottom < TOO_LONG ? [top, bottom] : roundTo(top, bottom, SHORTENED_DECIMALS);
}
