type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/**
 * Whether two JSON values are equal; the order of an object's names is ignored. Unlike node:util's isDeepStrictEqual,
 * -0
 * equals 0, which the table stores as the same number.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  let names = 0;
  // Loops over names, without lists of them: the event queue compares every field of every change.
  for (const name in left) {
    const other = right[name];
    // What an object inherits is a function, which equals no JSON value, or the prototype under the name __proto__.
    if ((other === undefined || other === Object.prototype) && !Object.hasOwn(right, name)) return false;
    if (!isEqual(left[name], other)) return false;
    names++;
  }
  for (const _ in right) names--;
  return names === 0;
}
