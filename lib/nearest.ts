/** Edits (insert, drop, replace, swap neighbours) between two words, letters compared without case. */
function distance(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = (rows[row - 1]?.[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replace, (rows[row - 1]?.[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (rows[row - 2]?.[column - 2] ?? Infinity) + 1);
      line.push(least);
    }
    rows.push(line);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/**
 * The candidate most like `word`, if it is like it: at most 2 of 5 letters of the longer word differ (`Emial` →
 * `Email`, `quantty` → `quantity`).
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const edits = distance(word, candidate);
    if (edits < least && edits <= Math.max(word.length, candidate.length) * 0.4) [best, least] = [candidate, edits];
  }
  return best;
}
