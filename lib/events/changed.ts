type Fields = Readonly<Record<string, unknown>>;

/** Whether two JSON values are alike; the order of an object's names is chance in a stream record. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const [one, other] = [a as Fields, b as Fields];
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

/** Names of the fields that differ, sorted; both hold every field of the resource. */
export const changedFields = (before: Fields, after: Fields): string[] =>
  Object.keys(after)
    .filter((name) => !same(before[name], after[name]))
    .sort();
