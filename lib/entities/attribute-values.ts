import { isEqual } from '../shared/equality.ts';
import { InternalError } from '../shared/internal-error.ts';

/** A value in a stream record: a type letter and the value. */
export interface AttributeValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  readonly L?: readonly AttributeValue[] | undefined;
  readonly M?: Attributes | undefined;
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

export function parseValue(attribute: AttributeValue): unknown {
  // Most values are text.
  if (attribute.S !== undefined) return attribute.S;
  for (const type in attribute) {
    const value = (attribute as Readonly<Record<string, unknown>>)[type];
    switch (type) {
      case 'N':
        return Number(value);
      case 'BOOL':
      case 'SS':
        return value;
      case 'NULL':
        return null;
      case 'L':
        return (value as AttributeValue[]).map(parseValue);
      case 'M':
        return parseMap(value as Attributes);
      case 'NS':
        return (value as string[]).map(Number);
      default:
        throw new InternalError(`a stream record with a value of type ${type}`);
    }
  }
  throw new InternalError('a stream record with a value without type');
}

function parseMap(map: Attributes): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  let last = '';
  let count = 0;
  for (const name in map) {
    const value = parseValue(map[name] as AttributeValue);
    // A custom name from outside may be __proto__; assigning it would change the object's prototype and lose the field.
    if (name === '__proto__')
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    else fields[name] = value;
    last = name;
    count++;
  }
  return count > MAX_COMPUTED_FIELDS ? withFastFields(fields, last, count) : fields;
}

export const isNested = ({ L, M }: AttributeValue): boolean => L !== undefined || M !== undefined;

/** Whether two values are stored alike; an absent one is like no other. */
export function isSame(one: AttributeValue, other: AttributeValue | undefined): boolean {
  if (!other) return false;
  if (one.S !== undefined) return one.S === other.S;
  if (one.N !== undefined) return one.N === other.N;
  if (one.L) return one.L.length === other.L?.length && one.L.every((value, index) => isSame(value, other.L?.[index]));
  if (one.M) return other.M !== undefined && isSameMap(one.M, other.M);
  return isEqual(one, other);
}

function isSameMap(one: Attributes, other: Attributes): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(one[name] as AttributeValue, other[name]))
  );
}

/** V8 turns an object with more fields under computed names into a dictionary, which is slow to fill and to read. */
const MAX_COMPUTED_FIELDS = 16;
/** Custom names could make any number of them. */
const MAX_SHAPES = 1_000;
/** The last name and the numbers of fields of objects that were made before. */
const shapes = new Map<string, Set<number>>();

/**
 * The first object of a shape again, by Object.fromEntries, for which V8 has no limit: later objects with the same
 * names in the same order become like it. A line of 23 fields takes 1.2 µs instead of 2.6.
 */
function withFastFields(fields: Record<string, unknown>, last: string, count: number): Record<string, unknown> {
  const known = shapes.get(last);
  if (known?.has(count) || shapes.size >= MAX_SHAPES) return fields;
  if (known) known.add(count);
  else shapes.set(last, new Set([count]));
  return Object.fromEntries(Object.entries(fields));
}
