/** Exact fractions for what must agree with the engine without sharing a line with it. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? abs(a) : divisor(b, a % b));

function of(n: bigint, d: bigint): Fraction {
  const common = divisor(n, d) || 1n;
  const sign = d < 0n ? -1n : 1n;
  return { n: (sign * n) / common, d: (sign * d) / common };
}

/** A number as it is written: 0.1 is 1/10. */
export function fraction(value: number | bigint): Fraction {
  if (typeof value === 'bigint') return { n: value, d: 1n };
  const [whole = '0', decimals = ''] = value.toString().includes('e')
    ? value.toFixed(12).split('.')
    : value.toString().split('.');
  return of(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}

export const plus = (a: Fraction, b: Fraction): Fraction => of(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Fraction, b: Fraction): Fraction => of(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Fraction, b: Fraction): Fraction => of(a.n * b.n, a.d * b.d);
export const over = (a: Fraction, b: Fraction): Fraction => of(a.n * b.d, a.d * b.n);
export const compare = (a: Fraction, b: Fraction): number =>
  Number(a.n * b.d > b.n * a.d) - Number(a.n * b.d < b.n * a.d);

/** `value` × 10^decimals as a whole number, halves away from zero. */
export function rounded(value: Fraction, decimals: number): bigint {
  const scaled = of(value.n * 10n ** BigInt(decimals), value.d);
  const twice = (2n * abs(scaled.n) + scaled.d) / (2n * scaled.d);
  return scaled.n < 0n ? -twice : twice;
}

export const ceiling = ({ n, d }: Fraction): bigint => (n > 0n ? (n + d - 1n) / d : n / d);

/** As a JSON number of so many decimals. */
export const toNumber = (whole: bigint, decimals: number): number => Number(whole) / 10 ** decimals + 0;
