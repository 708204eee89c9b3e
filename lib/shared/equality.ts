type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/**
 * Whether two JSON values are equal; the order of an object's names is ignored. Unlike node:util's isDeepStrictEqual,
 * -0 equals 0, which the table stores as the same number.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left)) return Array.isArray(right) && isEqualList(left, right);
  return !Array.isArray(right) && isEqualObject(left, right);
}

const isEqualList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((value, index) => isEqual(value, right[index]));

// Not for…in: V8 compiled it again for every other shape of object, thousands of times a minute in the event queue.
function isEqualObject(left: Fields, right: Fields): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => isEqualField(name, left, right));
}

function isEqualField(name: string, left: Fields, right: Fields): boolean {
  const other = right[name];
  // What an object inherits is a function, which equals no JSON value, or the prototype under the name __proto__.
  if ((other === undefined || other === Object.prototype) && !Object.hasOwn(right, name)) return false;
  return isEqual(left[name], other);
}
