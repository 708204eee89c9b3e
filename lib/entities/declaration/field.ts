import type * as contract from '../../resources/fields.ts';
import type { FieldOptions } from './options.ts';

/** `decimal`: money, a rate or a quantity. `list`: a list or an object. `any`: any stored value. */
export type ColumnType = 'integer' | 'decimal' | 'text' | 'flag' | 'moment' | 'date' | 'list' | 'any';

/** The type of a stored value according to `typeof` and `Array.isArray`. */
export type StoredType = 'string' | 'number' | 'boolean' | 'bytes' | 'list' | 'map' | 'object' | 'any';

/**
 * The kinds of fields of the contract. They are passed to declarations, which are also read where no schema is needed.
 */
type Kinds = typeof contract;
type ContractField = contract.Field;

/** The contract's field for a kind of stored field. */
export type KindOf<Name extends keyof Kinds> = Kinds[Name] extends (...bounds: never[]) => infer Of ? Of : never;

/** A field of a record: `Value` in the record, `Output` in the resource, `Contract` in requests and responses. */
export interface Field<
  Value = unknown,
  Options extends FieldOptions = FieldOptions,
  Output = unknown,
  Contract extends ContractField = ContractField,
> {
  readonly stored: StoredType;
  /** The type of its column in downloads. */
  readonly column: ColumnType;
  /** The words of a number that stands for one of several: its column shows them. */
  readonly words?: readonly string[];
  readonly options: Options;
  /** The default for an item without it. Lists and objects are copied. */
  readonly absent: Value;
  /** The fields of an object, or of each entry in a list or map. */
  readonly fields?: Fields;
  toOutput?(value: Value): Output;
  /** Its form in the contract. */
  contract?(kinds: Kinds): Contract;
}

/** The fields of a record or of an object in it. */
export type Fields = Readonly<Record<string, Field>>;

type Nullable<Value, Options> = Options extends { readonly nullable: true } ? Value | null : Value;

export type ValueOf<Of> = Of extends { readonly absent: infer Value } ? Value : never;

type OptionalNames<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['options'] extends { readonly optional: true } ? Name : never;
}[keyof Of];

/** The names of the fields that the entity computes. */
export type ComputedNames<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['options'] extends { readonly computed: true } ? Name : never;
}[keyof Of];

/** The names of the fields that are not stored. */
type UnstoredNames<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['options'] extends { readonly computed: true } | { readonly given: true } ? Name : never;
}[keyof Of];

/** The object type that fields declare. */
export type ObjectOf<Of extends Fields> = Flat<
  { readonly [Name in Exclude<keyof Of, OptionalNames<Of> | UnstoredNames<Of>>]: ValueOf<Of[Name]> } & {
    readonly [Name in Exclude<OptionalNames<Of>, UnstoredNames<Of>>]?: ValueOf<Of[Name]>;
  }
>;

/** One object type instead of an intersection, so that editors and compiler messages show its fields. */
export type Flat<Of> = { [Name in keyof Of]: Of[Name] };

export type None = Readonly<Record<never, never>>;

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

/** The fields without those that are not stored. */
export const storedFields = <Of extends Fields>(declared: Of): Of =>
  Object.fromEntries(Object.entries(declared).filter(([, { options }]) => !options.computed && !options.given)) as Of;

interface Declaration<Contract extends ContractField> {
  readonly column?: ColumnType;
  readonly words?: readonly string[];
  readonly fields?: Fields;
  readonly toOutput?: (value: never) => unknown;
  readonly contract?: (kinds: Kinds) => Contract;
}

export function declare<
  Value,
  Options extends FieldOptions,
  Output = Value,
  Contract extends ContractField = ContractField,
>(stored: StoredType, empty: unknown, options: Options, more: Declaration<Contract> = {}) {
  const absent = 'absent' in options ? options.absent : options.nullable ? null : empty;
  const fields = more.fields && { fields: storedFields(more.fields) };
  return { stored, column: columnTypes[stored], options, absent, ...more, ...fields } as Field<
    Nullable<Value, Options>,
    Options,
    Nullable<Output, Options>,
    Contract
  >;
}
