type Fields = Readonly<Record<string, unknown>>;

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Names of the fields that differ, in the order of the resource; both hold every field of it. */
export const changedFields = (before: Fields, after: Fields): string[] => Object.keys(after).filter((name) => !same(before[name], after[name]));
