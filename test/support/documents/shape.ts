const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/**
 * Where two answers of one operation differ in their fields and types, whatever the values are. Null and an empty list
 * are like any value and list, and events of two kinds are not compared.
 */
export function shapeDifferences(one: unknown, other: unknown, path = ''): string[] {
  if (one === null || other === null) return [];
  const types = [typeOf(one), typeOf(other)];
  if (types[0] !== types[1]) return [`${path}: ${types.join(' and ')}`];
  if (Array.isArray(one)) {
    const [[first], [second]] = [one, other as unknown[]];
    return first === undefined || second === undefined ? [] : shapeDifferences(first, second, `${path}[]`);
  }
  if (typeof one !== 'object') return [];
  const fields = [one, other] as unknown as readonly Readonly<Record<string, unknown>>[];
  if (fields[0]?.['Kind'] !== fields[1]?.['Kind']) return [];
  const names = new Set(fields.flatMap((each) => Object.keys(each)));
  return [...names].flatMap((name) =>
    fields.some((each) => !Object.hasOwn(each, name))
      ? [`${path}.${name}: only in one`]
      : shapeDifferences(fields[0]?.[name], fields[1]?.[name], `${path}.${name}`),
  );
}
