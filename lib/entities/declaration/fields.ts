import type * as contract from '../../resources/fields.ts';
import { toOptionalUtc } from '../../shared/time/time.ts';
import { type Field, type Fields, type KindOf, type None, type ObjectOf, type ValueOf, declare } from './field.ts';
import type { FieldOptions } from './options.ts';

/** The kinds of fields: each has one meaning in the table, in the contract and in downloads. */

/** Any string. */
export const text = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options, string, KindOf<'text'>>('string', '', options, {
    contract: (kinds) => kinds.text(options.max),
  });

/** A telephone number, as typed. */
export const phone = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options, string, KindOf<'phone'>>('string', '', options, { contract: (kinds) => kinds.phone() });

/** A postal code, as typed. */
export const zip = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options, string, KindOf<'zip'>>('string', '', options, { contract: (kinds) => kinds.zip() });

/** One of several words; the first is the default. */
export const word = <const Words extends readonly [string, ...string[]], const Options extends FieldOptions = None>(
  words: Words,
  options = {} as Options,
) =>
  declare<Words[number], Options, Words[number], ReturnType<typeof contract.word<Words>>>('string', words[0], options, {
    contract: (kinds) => kinds.word(words),
  });

/** The index of one of several words. */
export const code = <const Options extends FieldOptions = None>(
  words: readonly [string, ...string[]],
  options = {} as Options,
) =>
  declare<number, Options, number, KindOf<'code'>>('number', 0, options, {
    column: 'text',
    words,
    contract: (kinds) => kinds.code(words),
  });

/** The index of one of several words: callers get the word, and may send either. */
export const numbered = <const Words extends readonly [string, ...string[]], const Options extends FieldOptions = None>(
  words: Words,
  options = {} as Options,
) =>
  declare<number, Options, Words[number], ReturnType<typeof contract.numbered<Words>>>('number', 0, options, {
    column: 'text',
    words,
    toOutput: (index: number) => words[index] ?? words[0],
    contract: (kinds) => kinds.numbered(words),
  });

/** A calendar date, `YYYY-MM-DD`, or `''`. */
export const date = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options, string, KindOf<'date'>>('string', '', options, {
    column: 'date',
    contract: (kinds) => kinds.date(),
  });

/** A time on an organization's clock, as text. */
export const localTime = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<string, Options, string, KindOf<'localTime'>>('string', '', options, {
    contract: (kinds) => kinds.localTime(),
  });

/** Money, a rate or a quantity. */
export const decimal = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options, number, KindOf<'decimal'>>('number', 0, options, {
    column: 'decimal',
    contract: (kinds) => kinds.decimal(),
  });

/** A number with any number of decimals. */
export const double = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options, number, KindOf<'double'>>('number', 0, options, {
    column: 'decimal',
    contract: (kinds) => kinds.double(),
  });

/** A quantity sold: at most 4 decimals. */
export const quantity = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options, number, KindOf<'quantity'>>('number', 0, options, {
    column: 'decimal',
    contract: (kinds) => kinds.quantity(),
  });

/** A whole number. */
export const number = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options, number, KindOf<'int32'>>('number', 0, options, {
    contract: (kinds) => kinds.int32(options.min, options.max),
  });

type IdOptions<Options> = Options extends
  | { readonly nullable: true }
  | { readonly absent: unknown }
  | { optional: true }
  ? Options
  : Options & { readonly required: true };

/** The id of a record. Every item has it, unless it is nullable or optional. */
export const id = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, IdOptions<Options> & FieldOptions, number, KindOf<'id'>>(
    'number',
    0,
    {
      ...('nullable' in options || 'absent' in options || 'optional' in options ? {} : { required: true }),
      ...options,
    } as IdOptions<Options> & FieldOptions,
    { contract: (kinds) => kinds.id() },
  );

export const flag = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<boolean, Options, boolean, KindOf<'flag'>>('boolean', false, options, { contract: (kinds) => kinds.flag() });

/** A point in time: milliseconds since 1970; ISO 8601 for callers. */
export const moment = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<number, Options, string, KindOf<'moment'>>('number', 0, options, {
    column: 'moment',
    toOutput: toOptionalUtc,
    contract: (kinds) => kinds.moment(),
  });

type Unstored<Of, How> =
  Of extends Field<infer Value, infer Options, infer Output, infer Contract>
    ? Field<Value, Options & How & { readonly resource: true }, Output, Contract>
    : never;

/** A field of the resource that the entity computes from the stored ones. */
export const computed = <Of extends Field>(of: Of) =>
  ({ ...of, options: { ...of.options, resource: true, computed: true } }) as unknown as Unstored<
    Of,
    { readonly computed: true }
  >;

/** A field of the resource that the maker of the resource passes in, because it needs more than the record. */
export const given = <Of extends Field = Field>(of?: Of) =>
  ({ ...(of ?? opaque()), options: { ...of?.options, resource: true, given: true } }) as unknown as Unstored<
    Of,
    { readonly given: true }
  >;

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

/** The same fields, each of them optional. */
export const optional = <const Of extends Fields>(fields: Of): Optional<Of> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { options, ...field }]) => {
      const { required: _, ...others } = options;
      return [name, { ...field, options: { ...others, optional: true } }];
    }),
  ) as Optional<Of>;

/** Objects with these fields, by name or id. */
export const mapOf = <const Of extends Fields, const Options extends FieldOptions = None>(
  fields: Of,
  options = {} as Options,
) => declare<Readonly<Record<string, ObjectOf<Of>>>, Options>('map', {}, options, { fields });

type TextField = KindOf<'text'>;

/** Texts, each of at most `max` characters. */
export const texts = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<
    readonly string[],
    Options,
    readonly string[],
    ReturnType<typeof contract.list<TextField['output'], TextField['input']>>
  >('list', [], options, { contract: (kinds) => kinds.list(kinds.text(options.max)) });

export const numbers = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<readonly number[], Options>('list', [], options);

type IdField = KindOf<'id'>;

/** The ids of records. */
export const ids = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<
    readonly number[],
    Options,
    readonly number[],
    ReturnType<typeof contract.list<IdField['output'], IdField['input']>>
  >('list', [], options, { contract: (kinds) => kinds.list(kinds.id()) });

/** Any JSON, as sent by a caller. */
export const json = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<unknown, Options>('any', null, options);

/** Compressed or packed bytes. */
export const bytes = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<Uint8Array, Options>('bytes', new Uint8Array(), options);

/** A value whose type only its reader knows, and checks if that matters. */
export const opaque = <Value>() => declare<Value, { readonly optional: true }>('any', null, { optional: true });

/** Names and values chosen by a caller. */
export const properties = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<Readonly<Record<string, unknown>>, Options, Readonly<Record<string, unknown>>, KindOf<'dictionary'>>(
    'object',
    {},
    options,
    { contract: (kinds) => kinds.dictionary() },
  );

/** Texts by name or id. */
export const textsByName = <const Options extends FieldOptions = None>(options = {} as Options) =>
  declare<Readonly<Record<string, string>>, Options>('object', {}, options);

/** When a record was made and last changed, and its version. */
export const history = {
  Created: moment({ required: true, download: 'CreatedAt' }),
  Updated: moment({ required: true, download: 'UpdatedAt' }),
  /** 1 for a new record, incremented by every change. */
  V: number(),
} as const;

/** The value of a custom field. */
export const customValue = { Id: id(), Value: json() };
export type CustomValue = ObjectOf<typeof customValue>;
