import { carried, type Node, type Standing } from './assemblies.ts';
import { MOST_CENTS } from './cents.ts';
import { lineDiscount } from './discounts.ts';
import type { Say } from './fields.ts';
import { isPercent, percentOf } from './percent-lines.ts';

/** What a line costs and what its own discount takes off, in cents. */
export interface Charge {
  readonly extended: number;
  readonly ownDiscount: number;
}

/** The charge of each line, from what each costs by itself: first those that assemblies carry, then percentages of them. */
export function chargesOf(
  nodes: readonly Node[],
  own: readonly { readonly cents: number }[],
  { standing, counts, say }: { standing: readonly Standing[]; counts: readonly boolean[]; say: Say },
): Charge[] {
  const charge = ({ line, part, path }: Node, extended: number): Charge =>
    ({ extended, ownDiscount: lineDiscount(line, part, extended, { say, line: path.line }) });
  const amounts = carried(nodes, own.map(({ cents }) => cents), standing);
  const plain = nodes.map((node, place) => (isPercent(node.line) ? undefined : charge(node, amounts[place] ?? 0)));
  const others = plain.reduce((sum, of, place) => sum + (of && counts[place] ? of.extended - of.ownDiscount : 0), 0);
  return nodes.map((node, place) => {
    const known = plain[place];
    if (known) return known;
    const { line, path } = node;
    const rate = line.ratePercent ?? 0;
    const amount = standing[place]?.free || line.isZeroPrice ? 0 : percentOf(rate, others);
    if (rate < -100) say(`${path.line}.RatePercent`, 'must be at least -100');
    else if (Math.abs(amount) >= MOST_CENTS) say(`${path.line}.RatePercent`, 'must make the line cost less than 10,000,000,000');
    return charge(node, amount);
  });
}
