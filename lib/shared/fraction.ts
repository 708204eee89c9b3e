import Big from 'big.js';

/** What a fraction is calculated with; a number is the decimal that it prints as: 0.1 is 1/10. */
export type Exact = Fraction | Big | number;

/** Denominators up to this are not reduced: that costs more than their length. */
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
  /** Above 0. */
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

  /** Below 0, 0 or above 0, as this is less than, equal to or more than the other. */
  compareTo(other: Exact): number {
    const { numerator, denominator } = Fraction.of(other);
    const difference = this.numerator * denominator - numerator * this.denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  isZero(): boolean {
    return this.numerator === 0n;
  }

  /** With so many decimals (negative: a multiple of 10, 100 …), halves away from zero: 2.5 → 3, −2.5 → −3. */
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

  /** The decimal with so many decimals, halves away from zero. */
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

/** A long quotient reduced, and rounded if it stays too long. */
function shorten(numerator: bigint, denominator: bigint): [bigint, bigint] {
  if (denominator < LONG) return [numerator, denominator];
  const divisor = commonDivisor(numerator, denominator);
  const [top, bottom] = [numerator / divisor, denominator / divisor];
  return bottom < TOO_LONG ? [top, bottom] : roundTo(top, bottom, SHORTENED_DECIMALS);
}
