import { toOptionalUtc } from '../../shared/time/time.ts';

/** What the declaration of a field says besides its kind. */
export interface FieldOptions {
  /** Every item has it since the first version. A field that is added later cannot be required. */
  readonly required?: true;
  /** The record may lack it too: its absence means what no value can say. */
  readonly optional?: true;
  readonly nullable?: true;
  /** The value of an item without it, if it is not `''`, 0, false, `[]`, `{}`, or `null` where it is nullable. */
  readonly absent?: unknown;
  /** The resource has it as it is stored, under the same name or under this one; a moment as UTC. */
  readonly resource?: true | string;
  /** Callers set it as it is, and a contacts file has a column of its name. */
  readonly input?: true;
  /** Other names of its column in a contacts file, separated by spaces: in lower case, without spaces and signs. */
  readonly csv?: string;
  /** Downloads have a column of it, under the same name or under this one. */
  readonly download?: true | string;
  /** What its column in downloads is, for their documentation, where the name does not say it. */
  readonly about?: string;
  /** What becomes of it when the person that the record is about is erased. */
  readonly personal?: PersonalMark;
  /** Events never show it, and operations and downloads only to those who may see it. */
  readonly secret?: true;
  /** Its changes are events, and their Data has it as it is stored, besides the resource. */
  readonly event?: true;
}

/**
 * `identity`: who the person is; goes with the contact. `written`: people write it about the person; it is cleared, and
 * looked through for others whom it mentions. `named`: a text of the company; replaced where it names the person, and
 * looked through. `private`: cleared.
 */
type PersonalMark = 'identity' | 'written' | 'named' | 'private';

/** `decimal`: money, a rate or a quantity. `list`: a list or an object. `any`: whatever was stored. */
export type ColumnType = 'integer' | 'decimal' | 'text' | 'flag' | 'moment' | 'date' | 'list' | 'any';

/** What `typeof` and `Array.isArray` tell of a stored value. */
export type StoredType = 'string' | 'number' | 'boolean' | 'bytes' | 'list' | 'map' | 'object' | 'any';

/** A field of a record: `Value` in the record, `Output` in the resource. */
export interface Field<Value = unknown, Options extends FieldOptions = FieldOptions, Output = unknown> {
  readonly stored: StoredType;
  /** The type of its column in downloads. */
  readonly column: ColumnType;
  readonly options: Options;
  /** The value of an item without it. Lists and objects are copied. */
  readonly absent: Value;
  /** The fields of an object, or of every entry of a list or map. */
  readonly fields?: Fields;
  toOutput?(value: Value): Output;
}

/** The fields of a record or of an object in it. */
export type Fields = Readonly<Record<string, Field>>;

type Nullable<Value, Options> = Options extends { readonly nullable: true } ? Value | null : Value;

type ValueOf<Of> = Of extends { readonly absent: infer Value } ? Value : never;

type OptionalNames<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['options'] extends { readonly optional: true } ? Name : never;
}[keyof Of];

/** The object that fields declare. */
export type ObjectOf<Of extends Fields> = Flat<
  { readonly [Name in Exclude<keyof Of, OptionalNames<Of>>]: ValueOf<Of[Name]> } & {
    readonly [Name in OptionalNames<Of>]?: ValueOf<Of[Name]>;
  }
>;

/** One object type instead of an intersection: editors and messages of the compiler show its fields. */
export type Flat<Of> = { [Name in keyof Of]: Of[Name] };

type None = Readonly<Record<never, never>>;

const columnTypes: Readonly<Record<StoredType, ColumnType>> = {
  string: 'text',
  number: 'integer',
  boolean: 'flag',
  bytes: 'any',
  list: 'list',
  map: 'list',
  object: 'list',
  any: 'any',
};

function declare<Value, Options extends FieldOptions, Output = Value>(
  stored: StoredType,
  empty: unknown,
  options: Options,
  more: { readonly column?: ColumnType; readonly fields?: Fields; readonly toOutput?: (value: never) => unknown } = {},
) {
  const absent = 'absent' in options ? options.absent : options.nullable ? null : empty;
  return { stored, column: columnTypes[stored], options, absent, ...more } as Field<
    Nullable<Value, Options>,
    Options,
    Nullable<Output, Options>
  >;
}

/** Any string. */
export const text = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options>('string', '', options);

/** One of some words; an item without it has the first. */
export const word = <const Word extends string, const Options extends FieldOptions = None>(
  words: readonly [Word, ...Word[]],
  options = {} as Options,
) => declare<Word, Options>('string', words[0], options);

/** A calendar date, `YYYY-MM-DD`, or `''`. */
export const date = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options>('string', '', options, { column: 'date' });

/** Money, a rate or a quantity. */
export const decimal = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options>('number', 0, options, { column: 'decimal' });

/** A whole number. */
export const number = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options>('number', 0, options);

type IdOptions<Options> = Options extends
  | { readonly nullable: true }
  | { readonly absent: unknown }
  | { optional: true }
  ? Options
  : Options & { readonly required: true };

/** The id of a record. Every item has it, unless it may be null or absent. */
export const id = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, IdOptions<Options> & FieldOptions>('number', 0, {
    ...('nullable' in options || 'absent' in options || 'optional' in options ? {} : { required: true }),
    ...options,
  } as IdOptions<Options> & FieldOptions);

export const flag = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<boolean, Options>('boolean', false, options);

/** Milliseconds since 1970. */
export const moment = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options, string>('number', 0, options, { column: 'moment', toOutput: toOptionalUtc });

/** An object with these fields. */
export const object = <const Of extends Fields, const Options extends FieldOptions = None>(
  fields: Of,
  options = {} as Options,
) => declare<ObjectOf<Of>, Options>('object', {}, options, { fields });

/** A list of objects with these fields. */
export const listOf = <const Of extends Fields, const Options extends FieldOptions = None>(
  fields: Of,
  options = {} as Options,
) => declare<readonly ObjectOf<Of>[], Options>('list', [], options, { fields });

type Optional<Of extends Fields> = {
  readonly [Name in keyof Of]: Field<ValueOf<Of[Name]>, Of[Name]['options'] & { readonly optional: true }>;
};

/** The same fields, any of which an object may lack. */
export const optional = <const Of extends Fields>(fields: Of): Optional<Of> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { options, ...field }]) => {
      const { required: _, ...others } = options;
      return [name, { ...field, options: { ...others, optional: true } }];
    }),
  ) as Optional<Of>;

/** Objects with these fields, by a name or id. */
export const mapOf = <const Of extends Fields>(fields: Of) =>
  declare<Readonly<Record<string, ObjectOf<Of>>>, None>('map', {}, {}, { fields });

export const texts = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<readonly string[], Options>('list', [], options);

export const numbers = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<readonly number[], Options>('list', [], options);

/** Any JSON, as a caller sent it. */
export const json = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<unknown, Options>('any', null, options);

/** Compressed or packed. */
export const bytes = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<Uint8Array, Options>('bytes', new Uint8Array(), options);

/** Of a type that its only reader knows, and checks where that matters. */
export const opaque = <Value>() => declare<Value, { readonly optional: true }>('any', null, { optional: true });

/** Names and values that a caller chose. */
export const properties = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<Readonly<Record<string, unknown>>, Options>('object', {}, options);

/** Texts by a name or id. */
export const textsByName = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<Readonly<Record<string, string>>, Options>('object', {}, options);

/** When a record was made and last changed, and its version. */
export const history = {
  Created: moment({ required: true, download: 'CreatedAt' }),
  Updated: moment({ required: true, download: 'UpdatedAt' }),
  /** 1 for a new record, one more with every change. */
  V: number(),
} as const;

/** A value of a custom field. */
export const customValue = { Id: id(), Value: json() };
export type CustomValue = ObjectOf<typeof customValue>;
