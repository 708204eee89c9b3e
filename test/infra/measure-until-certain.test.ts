import { describe, expect, test } from 'vitest';
import { type Pair, measureUntilCertain, pairedRatio } from '../bench/table.ts';

/** A function whose measured ratios are these in turn; the last repeats. */
const subjectOf = (...ratios: number[]) => {
  const pairs: Pair[] = [];
  const next = () => ratios[Math.min(pairs.length, ratios.length - 1)] ?? 0;
  return { pairs, measure: () => pairs.push({ ours: next() * (50 + pairs.length), theirs: 50 + pairs.length }) };
};

describe('a limit of CPU ratios', () => {
  const limit = 1.2;
  const isOver = ({ pairs }: { pairs: readonly Pair[] }) => pairedRatio(pairs) > limit;
  const judge = async (...ratios: number[]) => {
    const [subject, other] = [subjectOf(...ratios), subjectOf(1)];
    await measureUntilCertain([subject, other], [7, 17, 41], { measure: (one) => one.measure(), isOver });
    expect(other.pairs.length).toBe(7);
    return { isOver: isOver(subject), loads: subject.pairs.length };
  };

  test('is kept after few measurements by what is below it', async () => {
    expect(await judge(1.18)).toEqual({ isOver: false, loads: 7 });
  });

  test('is exceeded by what is over it every time', async () => {
    expect(await judge(1.22)).toEqual({ isOver: true, loads: 41 });
  });

  test('is kept by what seemed over it at first', async () => {
    expect(await judge(...Array.from({ length: 6 }, () => 1.3), 1.18)).toEqual({ isOver: false, loads: 17 });
  });

  test('is kept where the machine was slow for a few loads, whatever they took', async () => {
    expect(await judge(1.1, 9, 1.1, 9, 1.1, 9, 1.1)).toEqual({ isOver: false, loads: 7 });
  });

  test('is kept after fewest measurements by what is clear of it, and after more by what is near', async () => {
    const [clear, near] = [subjectOf(1.05), subjectOf(1.18)];
    const isNear = ({ pairs }: { pairs: readonly Pair[] }) => pairedRatio(pairs) > 0.95 * limit;
    await measureUntilCertain([clear, near], [3, 7, 17], { measure: (one) => one.measure(), isNear, isOver });
    expect([clear, near].map(({ pairs }) => pairs.length)).toEqual([3, 7]);
  });
});
