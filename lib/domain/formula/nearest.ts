/** How many letters to put in, leave out or replace to make one word of the other; capitals make no difference. */
function edits(word: string, other: string): number {
  const [from, to] = [word.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The name probably meant: that with the fewest edits, at most a third of the longer word (`quantty` → `quantity`). */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  let best: { name: string; count: number } | undefined;
  for (const name of names) {
    const longer = Math.max(word.length, name.length);
    // Longer words are not slips of a finger, and comparing them costs their product.
    if (longer > 64) continue;
    const count = edits(word, name);
    if (count <= longer / 3 && count < (best?.count ?? Infinity)) best = { name, count };
  }
  return best?.name;
}
