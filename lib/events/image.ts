/** A value as a stream record writes it: a single type letter and the value. */
export interface AttributeValue {
  readonly S?: string | undefined;
}

type Written = Readonly<Record<string, AttributeValue>>;

/** An item's own fields, without its keys. */
export type Image = Readonly<Record<string, unknown>>;

/** Attributes of the table, its indexes and its writes, not of the thing. */
const ofTheTable: ReadonlySet<string> = new Set(['PK', 'SK', 'E', 'F', 'W', 'TTL']);

function valueOf(written: AttributeValue): unknown {
  // A cheap look first: most values are text.
  if (written.S !== undefined) return written.S;
  for (const type in written) {
    const value = (written as Readonly<Record<string, unknown>>)[type];
    switch (type) {
      case 'N':
        return Number(value);
      case 'BOOL':
        return value;
      case 'NULL':
        return null;
      case 'L':
        return (value as AttributeValue[]).map(valueOf);
      case 'M':
        return mapOf(value as Written);
      case 'SS':
        return value;
      case 'NS':
        return (value as string[]).map(Number);
      default:
        throw new TypeError(`a stream record holds a value of type ${type}`);
    }
  }
  throw new TypeError('a stream record holds a value without type');
}

function mapOf(written: Written): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name in written) {
    const value = valueOf(written[name] as AttributeValue);
    // A custom name from outside may be __proto__; assigning it would change the object's prototype and lose the field.
    if (name === '__proto__')
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    else fields[name] = value;
  }
  return fields;
}

/** The fields of an item in a stream record. Throws on what no item of ours holds, like binary. */
export function imageOf(written: Written): Image {
  const image: Record<string, unknown> = {};
  for (const name in written) {
    if (ofTheTable.has(name) || name.startsWith('GSI')) continue;
    image[name] = valueOf(written[name] as AttributeValue);
  }
  return image;
}
