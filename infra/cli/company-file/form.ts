import * as z from 'zod';
import type { Field, Shape } from '../../../lib/resources/fields.ts';
import type { Input, Resource } from '../../../lib/resources/resource.ts';
import { nearest } from '../../../lib/shared/text.ts';
import type { Path } from './document.ts';

/** A value as the company file says it. */
export type FileValue = Readonly<Record<string, unknown>>;

/** A field of the company file: which field of the resource it is, what it may say, and both ways between them. */
export interface Part {
  readonly of: string;
  readonly schema: () => z.ZodType;
  /** From what the file says to what an operation would be given. */
  readonly read: (value: unknown) => unknown;
  /** Back; `undefined` when there is nothing to say. */
  readonly write: (value: unknown) => unknown;
  /** Where the value holds things of their own. */
  readonly inner?: Form<Resource>;
}

/** How one kind of thing stands in the company file. */
export interface Form<Of extends Resource> {
  /** The field that alone says an entry: `Weather` is `name: Weather`. */
  readonly key: string;
  readonly schema: () => z.ZodType<FileValue>;
  /** A checked entry of the file, as an operation would be given it. */
  read(entry: FileValue): Input<Of>;
  /** The other way: an entry that holds what there is to say. */
  write(record: object): FileValue;
  /** The place in the file of a field of the resource: `PricingBands[1].LessThan` is `bands[1].lessThan`. */
  place(field: string): Path;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** A name that YAML takes for a number is a text all the same. */
const orText = (schema: z.ZodType) =>
  z.preprocess((value) => (typeof value === 'number' ? String(value) : value), schema);

const bare = (schema: z.ZodType): z.core.$ZodType => {
  const inner =
    schema instanceof z.ZodPipe
      ? schema.out
      : schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
        ? schema.unwrap()
        : undefined;
  return inner instanceof z.ZodType ? bare(inner) : schema;
};

/**
 * A part that says what the field says. `always` is written even when that is nothing: an entry cannot do without it.
 */
function plain(
  of: string,
  field: Field | undefined,
  { otherwise, always = false }: { otherwise?: unknown; always?: boolean },
): Part {
  if (!field) throw new TypeError(`the resource has no field ${of}`);
  const schema = () => (bare(field.input) instanceof z.ZodString ? orText(field.input) : field.input);
  // Where there may be nothing, 0 says something.
  const isNothing =
    field.output instanceof z.ZodNullable ? (value: unknown) => value === null || value === undefined : isEmpty;
  const isUsual = (value: unknown) => (otherwise === undefined ? isNothing(value) : value === otherwise);
  return { of, schema, read: (value) => value, write: (value) => (!always && isUsual(value) ? undefined : value) };
}

/** A part that no field of the resource is. */
export const own = (of: string, field: Field, otherwise?: unknown): Part => plain(of, field, { otherwise });

/**
 * What a part may be written as in a form: the name of a field, one with another default than nothing, or a part by
 * itself.
 */
export type PartSpec = string | { readonly of: string; readonly default: unknown } | Part;

/** A part whose value is one word of a list, whose place in it is the number that the resource has. */
export function words(of: string, list: readonly string[], { first = 0 }: { first?: number | null } = {}): Part {
  const one = `must be one of ${list.join(', ')}`;
  const found = (value: unknown) =>
    list.find((word) => typeof value === 'string' && word.toLowerCase() === value.trim().toLowerCase()) ?? value;
  return {
    of,
    schema: () => z.preprocess(found, z.enum(list as [string, ...string[]], one)),
    read: (value) => list.indexOf(value as string),
    write: (value) => (value === first || value === null || value === undefined ? undefined : list[value as number]),
  };
}

/** A part that names another thing: in the resource by an object with its name. */
export const nameOf = (of: string, field = 'Name'): Part => ({
  of,
  schema: () => orText(z.string('must be text')),
  read: (value) => ({ [field]: value }),
  write: (value) => (value as Record<string, unknown> | null | undefined)?.[field] || undefined,
});

/** A part that names other things; the order says nothing. */
export const namesOf = (of: string): Part => ({
  of,
  schema: () =>
    z
      .array(orText(z.string('must be text')), 'must be a list of names')
      .max(10_000, 'must have at most 10,000 elements'),
  read: (value) => value,
  write: (value) => (isEmpty(value) ? undefined : (value as string[]).toSorted()),
});

/** A part that holds one thing. */
export const one = (of: string, inner: Form<Resource>): Part => ({
  of,
  inner,
  schema: inner.schema,
  read: (value) => inner.read(value as FileValue),
  write: (value) => (value ? orNothing(inner.write(value)) : undefined),
});

const orNothing = (value: FileValue): FileValue | undefined => (isEmpty(value) ? undefined : value);

/** The schema of a list of entries, each of which may be its key alone. */
export const listOf = (schema: z.ZodType, key: string): z.ZodType => {
  const whole = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? { [key]: String(value) } : value;
  return z.array(z.preprocess(whole, schema), 'must be a list').max(10_000, 'must have at most 10,000 elements');
};

/** An entry, or its key where nothing else is to be said of it. */
export const shortened = (entry: FileValue, key: string): unknown =>
  Object.keys(entry).length === 1 && typeof entry[key] === 'string' ? entry[key] : entry;

/** A part that holds a list of things. */
export const several = (of: string, inner: Form<Resource>): Part => ({
  of,
  inner,
  schema: () => listOf(inner.schema(), inner.key),
  read: (value) => (value as FileValue[]).map(inner.read),
  write: (value) =>
    isEmpty(value) ? undefined : (value as object[]).map((each) => shortened(inner.write(each), inner.key)),
});

const STEP = /([^.[\]]+)|\[(\d+)\]/g;
const stepsOf = (field: string): PropertyKey[] =>
  [...field.matchAll(STEP)].map(([, name, index]) => name ?? Number(index));

/**
 * Makes a form of a table: name in the file → field of the resource. `needs` are names that an entry cannot do without.
 */
export function form<Of extends Resource>(
  of: Of,
  specs: Readonly<Record<string, PartSpec>>,
  { needs = ['name'] }: { needs?: readonly string[] } = {},
): Form<Of> {
  let made: [string, Part][] | undefined;
  const parts = () =>
    (made ??= Object.entries(specs).map(([name, spec]): [string, Part] => {
      const always = needs.includes(name);
      const shape: Shape = of.shape();
      if (typeof spec === 'string') return [name, plain(spec, shape[spec], { always })];
      return [name, 'schema' in spec ? spec : plain(spec.of, shape[spec.of], { otherwise: spec.default, always })];
    }));
  let schema: z.ZodType<FileValue> | undefined;
  const fieldOf = ([name, part]: [string, Part]): [string, z.ZodType] => [
    name,
    needs.includes(name) ? part.schema() : part.schema().nullish(),
  ];

  return {
    key: Object.keys(specs)[0] ?? '',
    schema: () =>
      (schema ??= z.strictObject(
        Object.fromEntries(parts().map(fieldOf)),
        'must be a mapping: `name: …`',
      ) as unknown as z.ZodType<FileValue>),
    read: (entry) => {
      const input = parts().flatMap(([name, part]) =>
        entry[name] === undefined ? [] : [[part.of, entry[name] === null ? null : part.read(entry[name])]],
      );
      return Object.fromEntries(input) as Input<Of>;
    },
    write: (record) => {
      const said = parts().map(([name, part]) => [name, part.write((record as Record<string, unknown>)[part.of])]);
      return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as FileValue;
    },
    place(field) {
      const [first, ...rest] = stepsOf(field);
      const found = parts().find(([, part]) => part.of === first);
      if (!found) return [];
      const [name, part] = found;
      if (!part.inner || !rest.length) return [name];
      const [index, inner] = typeof rest[0] === 'number' ? [[rest[0]], rest.slice(1)] : [[], rest];
      return [
        name,
        ...index,
        ...part.inner.place(
          inner
            .map((step) => (typeof step === 'number' ? `[${step}]` : String(step)))
            .join('.')
            .replaceAll('.[', '['),
        ),
      ];
    },
  };
}

/** The names an object at the path may have, the nearest of which is proposed for one that it may not. */
export function nearestName(schema: z.ZodType, path: Path, name: string): string | undefined {
  const at = path.reduce<z.core.$ZodType | undefined>((outer, step) => {
    const found = outer && bare(outer as z.ZodType);
    if (found instanceof z.ZodArray) return found.element;
    return found instanceof z.ZodObject ? (found.shape as Record<PropertyKey, z.core.$ZodType>)[step] : undefined;
  }, schema);
  const found = at && bare(at as z.ZodType);
  return found instanceof z.ZodObject ? nearest(name, Object.keys(found.shape)) : undefined;
}
