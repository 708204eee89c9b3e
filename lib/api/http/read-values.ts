import * as z from 'zod';
import { dependsOnCountry, readFlag, readNumber } from '../../shared/text/read-values.ts';

/**
 * Reads the texts of a request that stand where its schema wants a number or a flag: forms and untyped programs send
 * `"240"` and `"true"`. What cannot be read stays, and the schema refuses it.
 */

type Schema = z.core.$ZodType | undefined;

/** The schema inside optional, nullable, lazy, preprocessed and transformed ones. */
export function unwrap(schema: Schema): Schema {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap());
  if (!(schema instanceof z.ZodPipe)) return schema;
  return unwrap(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
}

/** What a place of a request takes, as far as it is of interest here. */
type Place =
  | { readonly kind: 'number' | 'flag' | 'other' }
  | { readonly kind: 'list'; readonly element: z.core.$ZodType }
  | { readonly kind: 'object'; readonly shape: Readonly<Record<string, z.core.$ZodType>> };

const OTHER: Place = { kind: 'other' };
const places = new WeakMap<z.core.$ZodType, Place>();

function placeOf(schema: z.core.$ZodType): Place {
  const known = places.get(schema);
  if (known) return known;
  const place = toPlace(unwrap(schema));
  places.set(schema, place);
  return place;
}

function toPlace(schema: Schema): Place {
  if (schema instanceof z.ZodNumber) return { kind: 'number' };
  if (schema instanceof z.ZodBoolean) return { kind: 'flag' };
  if (schema instanceof z.ZodArray) return { kind: 'list', element: schema.element };
  return schema instanceof z.ZodObject ? { kind: 'object', shape: schema.shape as never } : OTHER;
}

type Fields = Record<string, unknown>;

/** One walk through a request and its schema, which changes the request. */
class Walk {
  readonly country: string | undefined;
  /** Whether a number was found that depends on the country. */
  isCountryAsked = false;

  constructor(country?: string) {
    this.country = country;
  }

  read(schema: z.core.$ZodType, value: unknown): unknown {
    const place = placeOf(schema);
    switch (place.kind) {
      case 'number':
        return typeof value === 'string' ? this.#readNumber(value) : value;
      case 'flag':
        return toFlag(value);
      case 'list':
        return Array.isArray(value) ? this.#readList(place.element, value) : value;
      case 'object':
        return typeof value === 'object' && value !== null && !Array.isArray(value)
          ? this.#readFields(place.shape, value as Fields)
          : value;
      default:
        return value;
    }
  }

  #readNumber(text: string): unknown {
    const number = readNumber(text, this.country);
    if (number === undefined && dependsOnCountry(text)) this.isCountryAsked = true;
    return number ?? (text.trim() ? text : '');
  }

  #readList(element: z.core.$ZodType, values: unknown[]): unknown[] {
    if (placeOf(element) === OTHER) return values;
    for (const [index, value] of values.entries()) values[index] = this.read(element, value);
    return values;
  }

  #readFields(shape: Readonly<Record<string, z.core.$ZodType>>, fields: Fields): Fields {
    for (const name of Object.keys(fields)) {
      if (!Object.hasOwn(shape, name)) continue;
      const value = fields[name];
      const read = this.read(shape[name] as z.core.$ZodType, value);
      if (read !== value) fields[name] = read;
    }
    return fields;
  }
}

function toFlag(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'string' ? (readFlag(value) ?? (value.trim() ? value : '')) : value;
}

/** Reads numbers and flags of a request, in place. Asks for the country only where a number depends on it. */
export async function readValues(
  schema: z.ZodType,
  body: Record<string, unknown>,
  findCountry: () => Promise<string>,
): Promise<void> {
  const walk = new Walk();
  walk.read(schema, body);
  if (walk.isCountryAsked) new Walk(await findCountry()).read(schema, body);
}
