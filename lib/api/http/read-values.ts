import * as z from 'zod';
import { mayBeEscaped, unescapeForm } from '../../shared/text/form-texts.ts';
import { dependsOnCountry, readFlag, readNumber } from '../../shared/text/read-values.ts';

/**
 * Converts texts of a request where its schema wants a number or a flag: forms and untyped programs send `"240"` and
 * `"true"`. What cannot be converted stays, and the schema refuses it. For lenient keys it also removes unknown fields
 * and empty texts, and undoes the escaping of forms.
 */

type Schema = z.core.$ZodType | undefined;

/** `Matches[0].Email`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  );

/** The schema inside optional, nullable, lazy, preprocessed and transformed ones. */
export function unwrap(schema: Schema): Schema {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap());
  if (!(schema instanceof z.ZodPipe)) return schema;
  return unwrap(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
}

/** What a place in a request accepts, as far as it matters here. */
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

/** A field that is unknown to its object. */
export interface UnknownField {
  readonly path: readonly PropertyKey[];
  /** `Matches[].FirstName`: the same field in several elements of a list is reported once. */
  readonly name: string;
}

/** The most unknown fields remembered of one request, and the longest name. */
const [MAX_UNKNOWN, MAX_NAME] = [100, 100];

interface Reading {
  readonly country?: string;
  readonly isLenient?: boolean;
  readonly decodeHtml?: (html: string) => string;
}

/** One walk through a request and its schema, which changes the request in place. */
class Walk {
  readonly country: string | undefined;
  readonly isLenient: boolean;
  readonly #decodeHtml: Reading['decodeHtml'];
  /** Whether a text was found that a form may have escaped. */
  isEscaped = false;
  /** Whether a number was found whose meaning depends on the country. */
  isCountryAsked = false;
  readonly unknown = new Map<string, UnknownField>();
  readonly #path: PropertyKey[] = [];

  constructor({ country, isLenient = false, decodeHtml }: Reading) {
    this.country = country;
    this.isLenient = isLenient;
    this.#decodeHtml = decodeHtml;
  }

  read(schema: z.core.$ZodType, sent: unknown): unknown {
    const place = placeOf(schema);
    const value = this.isLenient && typeof sent === 'string' ? this.#readText(sent) : sent;
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

  #readText(text: string): string {
    if (!mayBeEscaped(text)) return text;
    this.isEscaped = true;
    return this.#decodeHtml ? unescapeForm(text, this.#decodeHtml) : text;
  }

  #readNumber(text: string): unknown {
    const number = readNumber(text, this.country);
    if (number === undefined && dependsOnCountry(text)) this.isCountryAsked = true;
    return number ?? (text.trim() ? text : '');
  }

  #readList(element: z.core.$ZodType, values: unknown[]): unknown[] {
    if (placeOf(element) === OTHER && !this.isLenient) return values;
    for (const [index, value] of values.entries()) values[index] = this.#readAt(index, element, value);
    return values;
  }

  #readFields(shape: Readonly<Record<string, z.core.$ZodType>>, fields: Fields): Fields {
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (!Object.hasOwn(shape, name)) {
        if (this.isLenient) this.#ignore(fields, name);
      } else if (this.isLenient && value === '') delete fields[name];
      else {
        const read = this.#readAt(name, shape[name] as z.core.$ZodType, value);
        if (read !== value) fields[name] = read;
      }
    }
    return fields;
  }

  #readAt(step: PropertyKey, schema: z.core.$ZodType, value: unknown): unknown {
    if (typeof value !== 'object') return this.read(schema, value);
    this.#path.push(step);
    const read = this.read(schema, value);
    this.#path.pop();
    return read;
  }

  #ignore(fields: Fields, field: string): void {
    delete fields[field];
    if (this.unknown.size >= MAX_UNKNOWN) return;
    const path = [...this.#path, field.slice(0, MAX_NAME)];
    const name = formatPath(path).replaceAll(/\[\d+\]/g, '[]');
    if (!this.unknown.has(name)) this.unknown.set(name, { path, name });
  }
}

function toFlag(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'string' ? (readFlag(value) ?? (value.trim() ? value : '')) : value;
}

/**
 * Converts numbers and flags of a request in place. Asks for the country only if a number depends on it. For a lenient
 * key it removes and returns what the schema does not know, removes empty texts, which count as not given, and undoes
 * the escaping of its form.
 */
export async function readValues(
  schema: z.ZodType,
  body: Record<string, unknown>,
  { isLenient, findCountry }: { readonly isLenient: boolean; readonly findCountry: () => Promise<string> },
): Promise<readonly UnknownField[]> {
  const walk = new Walk({ isLenient });
  walk.read(schema, body);
  if (walk.isEscaped) {
    const { decodeHTMLStrict: decodeHtml } = await import('entities');
    new Walk({ isLenient, decodeHtml }).read(schema, body);
  }
  if (walk.isCountryAsked) new Walk({ country: await findCountry() }).read(schema, body);
  return [...walk.unknown.values()];
}
