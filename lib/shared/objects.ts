/** A copy of an object without some of its fields. */
export function omit<Of extends object, Name extends keyof Of>(object: Of, ...names: readonly Name[]): Omit<Of, Name> {
  const copy = { ...object };
  for (const name of names) delete copy[name];
  return copy;
}

/** A copy of an object with only some of its fields. */
export function pick<Of extends object, Name extends keyof Of>(object: Of, ...names: readonly Name[]): Pick<Of, Name> {
  const copy: Partial<Pick<Of, Name>> = {};
  for (const name of names) copy[name] = object[name];
  return copy as Pick<Of, Name>;
}

/** A copy of an object without the fields that are undefined. */
export const definedFields = <Of extends object>(object: { readonly [Name in keyof Of]: Of[Name] | undefined }) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<Of>;

/** An object of some names, each with its value. */
export const objectOf = <const Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)] as const)) as Record<Name, Value>;
