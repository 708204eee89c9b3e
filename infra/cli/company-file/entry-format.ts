import * as z from 'zod';
import type { Field, Input, Resource, Shape } from '../../../lib/resources/fields.ts';
import { nearest } from '../../../lib/shared/text/suggestions.ts';
import type { Path } from './yaml-document.ts';

/** An entry of the company file, or a mapping inside one. */
export type Entry = Readonly<Record<string, unknown>>;

/** A field of the file: the API field behind it, its schema, and the conversion both ways. */
export interface FieldFormat {
  readonly field: string;
  readonly schema: () => z.ZodType;
  readonly toInput: (value: unknown) => unknown;
  /** `undefined` leaves the field out of the file. */
  readonly toFile: (value: unknown) => unknown;
  /** The format of the entries in the value. */
  readonly nested?: EntryFormat<Resource>;
  /** Path steps below the field are the same in the file. */
  readonly keepsPath?: boolean;
  /** The entries are records of their own: an invalid one does not affect the others. */
  readonly rows?: RowKind;
  /** The default of the field, if it is not empty. */
  readonly absent?: unknown;
  /** An import keeps keys that the file leaves out; returns the value that restores a key. */
  readonly restoreKey?: (was: unknown) => unknown;
}

/** Entries of one kind in a list. */
export interface RowKind {
  /** The noun for one entry in messages. */
  readonly noun: string;
  readonly format: EntryFormat<Resource>;
  /** What identifies an entry, if that is more than its key field. */
  readonly identity?: (entry: Entry) => string;
}

/** How records of one resource are written in the company file. */
export interface EntryFormat<Of extends Resource = Resource> {
  /** The field that may stand for the whole entry: `Weather` is `name: Weather`. */
  readonly keyField: string;
  readonly schema: () => z.ZodType<Entry>;
  /** The fields that are lists of records of their own. */
  rowKinds(): ReadonlyMap<string, RowKind>;
  /** The format of a field; `undefined` if entries do not have it. */
  fieldFormat(name: string): FieldFormat | undefined;
  /** The fields of a value in the file that are valid by themselves. */
  validFields(value: unknown): Entry;
  /** A valid entry as the input of an operation. */
  toInput(entry: Entry): Input<Of>;
  /** A record as an entry, without fields that have their default value. */
  toEntry(record: object): Entry;
  /** The place in the file for a field of the resource: `PricingBands[1].LessThan` is `bands[1].lessThan`. */
  toPath(field: Path): Path;
}

/** The API field; an API field with a default that the file leaves out; or a custom format. */
type FieldSpec = string | { readonly field: string; readonly default: unknown } | FieldFormat;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** A name that YAML reads as a number is text. */
const textOrNumber = (schema: z.ZodType) =>
  z.preprocess((value) => (typeof value === 'number' ? String(value) : value), schema);

/** The schema without optional, nullable and preprocessing. */
const unwrap = (schema: z.ZodType): z.core.$ZodType => {
  const inner =
    schema instanceof z.ZodPipe
      ? schema.out
      : schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
        ? schema.unwrap()
        : undefined;
  return inner instanceof z.ZodType ? unwrap(inner) : schema;
};

/** The value is the same in the file and in the API. `always` writes it even when it is empty. */
function plainField(
  field: string,
  type: Field | undefined,
  { defaultValue, always = false }: { defaultValue?: unknown; always?: boolean },
): FieldFormat {
  if (!type) throw new TypeError(`The resource has no field ${field}.`);
  // In a nullable field 0 and '' are values.
  const isDefault = (value: unknown) =>
    defaultValue !== undefined
      ? value === defaultValue
      : type.output instanceof z.ZodNullable
        ? value === null || value === undefined
        : isEmpty(value);
  return {
    field,
    keepsPath: true,
    absent: defaultValue,
    schema: () => (unwrap(type.input) instanceof z.ZodString ? textOrNumber(type.input) : type.input),
    toInput: (value) => value,
    toFile: (value) => (!always && isDefault(value) ? undefined : value),
  };
}

/** A field of the file that the resource does not have. */
export const extraField = (field: string, type: Field, defaultValue?: unknown): FieldFormat =>
  plainField(field, type, { defaultValue });

/** A word in the file; in the API its index in `words`. */
export function wordField(
  field: string,
  words: readonly string[],
  { defaultIndex = 0 }: { defaultIndex?: number | null } = {},
): FieldFormat {
  const normalize = (value: unknown) =>
    words.find((word) => typeof value === 'string' && word.toLowerCase() === value.trim().toLowerCase()) ?? value;
  return {
    field,
    absent: words[defaultIndex ?? words.length],
    schema: () => z.preprocess(normalize, z.enum(words, `must be one of ${words.join(', ')}`)),
    toInput: (value) => words.indexOf(value as string),
    toFile: (value) =>
      value === defaultIndex || value === null || value === undefined ? undefined : words[value as number],
  };
}

/** The name of another record in the file; in the API an object with that name. */
export const nameField = (field: string, nameOf = 'Name'): FieldFormat => ({
  field,
  schema: () => textOrNumber(z.string('must be text')),
  toInput: (value) => ({ [nameOf]: value }),
  toFile: (value) => (value as Record<string, unknown> | null | undefined)?.[nameOf] || undefined,
});

const MAX_ELEMENTS = 10_000;
const limitLength = (schema: z.ZodArray) => schema.max(MAX_ELEMENTS, 'must have at most 10,000 elements');

/** Names of other records, in any order. */
export const namesField = (field: string): FieldFormat => ({
  field,
  keepsPath: true,
  schema: () => limitLength(z.array(textOrNumber(z.string('must be text')), 'must be a list of names')),
  toInput: (value) => value,
  toFile: (value) => (isEmpty(value) ? undefined : (value as string[]).toSorted()),
});

/** One nested entry, whose fields keep their values if the file leaves them out. */
export const entryField = (field: string, nested: EntryFormat<Resource>): FieldFormat => ({
  ...replacedEntryField(field, nested),
  restoreKey: (was) => was ?? null,
});

/** One nested entry, which the file replaces as a whole. */
export const replacedEntryField = (field: string, nested: EntryFormat<Resource>): FieldFormat => ({
  field,
  nested,
  schema: nested.schema,
  toInput: (value) => nested.toInput(value as Entry),
  toFile(value) {
    const entry = value ? nested.toEntry(value) : {};
    return isEmpty(entry) ? undefined : entry;
  },
});

/** Expands a key field that stands alone for its entry. */
export const expandKey = (value: unknown, keyField: string): unknown =>
  typeof value === 'string' || typeof value === 'number' ? { [keyField]: String(value) } : value;

/** A list of entries, each of which may be its key field alone. */
export const listSchema = ({ schema, keyField }: Pick<EntryFormat, 'schema' | 'keyField'>): z.ZodType => {
  const entry = z.preprocess((value) => expandKey(value, keyField), schema());
  return limitLength(z.array(entry, 'must be a list'));
};

/** The entry, or only its key field if it has no other. */
export const shorten = (entry: Entry, keyField: string): unknown =>
  Object.keys(entry).length === 1 && typeof entry[keyField] === 'string' ? entry[keyField] : entry;

/** A list of nested entries. */
export const listField = (field: string, nested: EntryFormat<Resource>): FieldFormat => ({
  field,
  nested,
  schema: () => listSchema(nested),
  toInput: (value) => (value as Entry[]).map(nested.toInput),
  toFile: (value) =>
    isEmpty(value) ? undefined : (value as object[]).map((each) => shorten(nested.toEntry(each), nested.keyField)),
});

/** A list of independent records. */
export const rowsField = (field: string, rows: RowKind): FieldFormat => ({ ...listField(field, rows.format), rows });

/** Records left in the form of the file, because another section imports them. */
export const rawRowsField = (field: string, rows: RowKind): FieldFormat => ({
  field,
  rows,
  schema: () => listSchema(rows.format),
  toInput: (value) => value,
  toFile: (value) =>
    isEmpty(value) ? undefined : (value as readonly Entry[]).map((entry) => shorten(entry, rows.format.keyField)),
});

/** Fields with their API names, in lower camel case and without `Is`: `name isActive` may be written `name active`. */
export const fields = (names: string): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, name]));

function resolveField(shape: Shape, name: string): string {
  const capitalized = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [name, capitalized, `Is${capitalized}`].find((each) => Object.hasOwn(shape, each)) ?? name;
}

/** The path of a field as errors write it: `Lines[2].Part` is `['Lines', 2, 'Part']`. */
export const parsePath = (field: string): Path =>
  [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));

/**
 * A format from a table: field of the file → field of the resource. The first is the key field. An entry must have the
 * `required` ones.
 */
export function entryFormat<Of extends Resource>(
  resource: Of,
  specs: Readonly<Record<string, FieldSpec>>,
  { required = ['name'] }: { required?: readonly string[] } = {},
): EntryFormat<Of> {
  let formats: [string, FieldFormat][] | undefined;
  const listFormats = () =>
    (formats ??= Object.entries(specs).map(([name, spec]): [string, FieldFormat] => {
      if (typeof spec === 'object' && 'schema' in spec) return [name, spec];
      const shape: Shape = resource.shape();
      const field = resolveField(shape, typeof spec === 'string' ? spec : spec.field);
      const defaultValue = typeof spec === 'string' ? undefined : spec.default;
      return [name, plainField(field, shape[field], { defaultValue, always: required.includes(name) })];
    }));
  const buildSchema = () =>
    z.strictObject(
      Object.fromEntries(
        listFormats().map(([name, { schema }]) => [name, required.includes(name) ? schema() : schema().nullish()]),
      ),
      'must be a mapping: `name: …`',
    );
  let schema: z.ZodType<Entry> | undefined;

  const keyField = Object.keys(specs)[0] ?? '';
  return {
    keyField,
    schema: () => (schema ??= buildSchema()),
    rowKinds: () => new Map(listFormats().flatMap(([name, { rows }]) => (rows ? [[name, rows] as const] : []))),
    fieldFormat: (name) => listFormats().find(([each]) => each === name)?.[1],
    validFields(value) {
      const entry = expandKey(value, keyField);
      if (typeof entry !== 'object' || entry === null) return {};
      return Object.fromEntries(
        listFormats().flatMap(([name, { schema: fieldSchema }]) => {
          const { data } = Object.hasOwn(entry, name) ? fieldSchema().safeParse((entry as Entry)[name]) : {};
          return data === undefined ? [] : [[name, data]];
        }),
      );
    },
    toInput: (entry) =>
      Object.fromEntries(
        listFormats().flatMap(([name, { field, toInput }]) =>
          entry[name] === undefined ? [] : [[field, entry[name] === null ? null : toInput(entry[name])]],
        ),
      ) as Input<Of>,
    toEntry: (record) =>
      Object.fromEntries(
        listFormats().flatMap(([name, { field, toFile }]) => {
          const value = toFile((record as Record<string, unknown>)[field]);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    toPath([field, ...rest]) {
      const [name, format] = listFormats().find(([, each]) => each.field === field) ?? [];
      if (name === undefined) return [];
      if (!format?.nested || !rest.length) return format?.keepsPath ? [name, ...rest] : [name];
      const indexes = rest.slice(0, typeof rest[0] === 'number' ? 1 : 0);
      return [name, ...indexes, ...format.nested.toPath(rest.slice(indexes.length))];
    },
  };
}

/** The field of the mapping at `path` whose name is most similar to `name`. */
export function suggestField(schema: z.ZodType, path: Path, name: string): string | undefined {
  const inner = path.reduce<z.core.$ZodType | undefined>((outer, step) => {
    const found = outer && unwrap(outer as z.ZodType);
    if (found instanceof z.ZodArray) return found.element;
    return found instanceof z.ZodObject ? (found.shape as Record<PropertyKey, z.core.$ZodType>)[step] : undefined;
  }, schema);
  const found = inner && unwrap(inner as z.ZodType);
  return found instanceof z.ZodObject ? nearest(name, Object.keys(found.shape)) : undefined;
}
