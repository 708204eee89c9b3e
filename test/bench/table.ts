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

/** Measurements of one after another with something else, and of that. */
export interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

/** How many times as much ours takes: what slows down the machine slows down both of a pair. */
export const pairedRatio = (pairs: readonly Pair[]): number => median(pairs.map(({ ours, theirs }) => ours / theirs));
