import type { Field, Fields, StoredType } from './field.ts';

/** The plain values of a table item, a stream image, or a part of one. */
export type Stored = Readonly<Record<string, unknown>>;

/** A field that does not match its declaration, with the path to it. */
export class Mismatch {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string) {
    this.path = path;
    this.reason = reason;
  }
}

const describeType = (value: unknown): string => (Array.isArray(value) ? 'a list' : `of type ${typeof value}`);

function isOfType(value: unknown, stored: StoredType): boolean {
  if (stored === 'any') return true;
  if (stored === 'list') return Array.isArray(value);
  if (stored === 'bytes') return value instanceof Uint8Array;
  if (stored === 'object' || stored === 'map') return typeof value === 'object' && !Array.isArray(value);
  return typeof value === stored;
}

/** An object with defaults for its absent fields; the others are checked. Throws Mismatch. */
export function readFields(fields: Fields, stored: Stored, path = ''): Record<string, unknown> {
  const record: Record<string, unknown> = { ...stored };
  for (const name of Object.keys(fields)) {
    const value = readField(fields[name] as Field, stored[name], path + name);
    if (value !== undefined) record[name] = value;
  }
  return record;
}

function readField({ stored, options, absent, fields }: Field, value: unknown, path: string): unknown {
  if (value === undefined) {
    if (options.required) throw new Mismatch(path, 'is missing');
    if (options.optional) return undefined;
    // Records never share a list or an object.
    return stored === 'object' && fields && absent !== null ? readFields(fields, {}) : structuredClone(absent);
  }
  if (value === null) {
    if (options.nullable || stored === 'any') return null;
    throw new Mismatch(path, 'is null');
  }
  if (!isOfType(value, stored)) throw new Mismatch(path, `is ${describeType(value)}`);
  if (!fields) return value;
  const readEntry = (entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) throw new Mismatch(path, 'has an entry that is not an object');
    return readFields(fields, entry as Stored, `${path}.`);
  };
  if (stored === 'object') return readEntry(value);
  if (stored === 'list') return (value as unknown[]).map(readEntry);
  return mapValues(value as Stored, readEntry);
}

const mapValues = (of: Stored, convert: (value: unknown) => unknown): Stored =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, convert(value)]));
