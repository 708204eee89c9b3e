/**
 * Parts a whole number in proportion to weights, in whole numbers that add up to it: each has its share rounded towards
 * 0, and what is left goes one each to those that lost most, of equal losses to the earlier. Weights count without their
 * sign; where all are 0, all are alike.
 *
 * Worked: 10000 by 1, 1, 1: 3333.3 each, and one left: 3334, 3333, 3333. −10000 the same below 0. 100 by 2, 1: 66.7
 * and 33.3: 67, 33.
 */
export function divide(whole: number, weights: readonly number[]): number[] {
  const sizes = weights.map((weight) => BigInt(Math.abs(weight)));
  const all = sizes.reduce((sum, size) => sum + size, 0n);
  if (all === 0n) return weights.length ? divide(whole, weights.map(() => 1)) : [];
  const sign = whole < 0 ? -1 : 1;
  const amount = BigInt(Math.abs(whole));
  const shares = sizes.map((size) => Number((size * amount) / all));
  const left = Math.abs(whole) - shares.reduce((sum, share) => sum + share, 0);
  const losers = sizes
    .map((size, place) => ({ place, loss: (size * amount) % all }))
    .sort((one, other) => (one.loss === other.loss ? one.place - other.place : one.loss > other.loss ? -1 : 1));
  for (const { place } of losers.slice(0, left)) shares[place] = (shares[place] ?? 0) + 1;
  // Adding 0 turns −0 into 0.
  return shares.map((share) => sign * share + 0);
}
