/** Prints rows under their headings, columns aligned, and marks those that are over a budget. */
export function printTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? String(Math.round(cell * 100) / 100) : cell)),
  );
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ');
  process.stdout.write(`${cells.map(line).join('\n')}\n`);
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Of repeated measurements of CPU, those of a quiet moment: neighbours on the machine only add to them. */
export const lowerQuartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;

/** Measurements of one after another with something else, and of that. */
export interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

/** How many times as much ours takes: what slows down the machine slows down both of a pair. */
export const pairedRatio = (pairs: readonly Pair[]): number => median(pairs.map(({ ours, theirs }) => ours / theirs));

interface Measuring<Subject> {
  readonly measure: (subject: Subject) => unknown;
  readonly isOver: (subject: Subject) => boolean;
  /** Whether it is so near its limit that the first of the rounds are too few to say. Without it, if it is over. */
  readonly isNear?: (subject: Subject) => boolean;
}

/**
 * Measures each subject as often as the first of `rounds` says, what then is near its limit as often as the second, and
 * what then seems over it as often as the next ones: on a busy machine one of many figures is wrong by chance, and it
 * is not the same one again.
 */
export async function measureUntilCertain<Subject>(
  subjects: readonly Subject[],
  rounds: readonly number[],
  { measure, isOver, isNear = isOver }: Measuring<Subject>,
): Promise<void> {
  let done = 0;
  let open = subjects;
  for (const [index, until] of rounds.entries()) {
    for (; done < until; done++) for (const one of open.toSorted(() => Math.random() - 0.5)) await measure(one);
    open = open.filter(index ? isOver : isNear);
  }
}
