import * as z from 'zod';
import { once } from '../shared/promises.ts';
import type { FieldErrorCode } from '../shared/failure-codes.ts';

/**
 * Declares the contract: kinds of fields, and the resources made of them, with the schemas of requests and responses.
 */

/**
 * A field of a resource or an operation: the schemas of responses (`output`) and requests (`input`). `blanks` are the
 * values that typed clients send for "not given" (`""`, `0`).
 */
export interface Field<
  Output extends z.ZodType = z.ZodType,
  Input extends z.ZodType = z.ZodType,
  Required extends boolean = boolean,
> {
  readonly output: Output;
  readonly input: Input;
  readonly blanks: readonly unknown[];
  readonly required: Required;
}

export type Shape = Record<string, Field>;

export function field<Output extends z.ZodType, Input extends z.ZodType>(
  output: Output,
  input: Input,
  blanks: readonly unknown[] = [''],
): Field<Output, Input, false> {
  return { output, input, blanks, required: false };
}

/** The field is required in requests; an empty text counts as missing. */
export function required<Output extends z.ZodType, Input extends z.ZodType>(
  of: Field<Output, Input>,
): Field<Output, Input, true> {
  return { ...of, blanks: [...of.blanks, '', null], required: true };
}

/** The field is marked N in the contract: `null` in a response if empty. */
export function nullable<Output extends z.ZodType, Input extends z.ZodType>(
  of: Field<Output, Input>,
): Field<z.ZodNullable<Output>, Input, false> {
  return { ...of, output: of.output.nullable(), required: false };
}

/** Creates each field once per set of bounds: a schema costs 20 µs of a cold start, and a resource has 50 fields. */
function memoized<Bounds extends readonly (number | undefined)[], Of extends Field>(
  create: (...bounds: Bounds) => Of,
): (...bounds: Bounds) => Of {
  const fields = new Map<string, Of>();
  return (...bounds) => {
    const key = bounds.join();
    const field = fields.get(key) ?? create(...bounds);
    fields.set(key, field);
    return field;
  };
}

/** Adds a sentence to the API document: the meaning of a code, a unit. */
export function described<Of extends Field>(of: Of, sentence: string): Of {
  return { ...of, output: of.output.describe(sentence), input: of.input.describe(sentence) };
}

/** The field is not part of the contract: the document marks it `x-extension`. */
export function extension<Of extends Field>(of: Of): Of {
  const mark = { 'x-extension': true };
  return { ...of, output: of.output.meta(mark), input: of.input.meta(mark) };
}

const INT32 = 2 ** 31;
const wholeNumber = (min: number, max: number) =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

/** The code of a failed refinement (lib/shared/failure-codes.ts). */
const coded = (code: FieldErrorCode, message: string) => ({ message, params: { code } });

/** Text without lone surrogates and NUL is read back as it was stored. */
const storable = (value: string) => value.isWellFormed() && !value.includes('\0');

const storableText = (max = 10_000) =>
  z
    .string('must be a string')
    .max(max, `must be at most ${max} characters`)
    .refine(storable, coded('format', 'must be well-formed Unicode without NUL'));

/** A string of at most `max` characters, 10,000 by default. */
export const text = memoized((max?: number) => field(z.string(), storableText(max), []));

/** A text that programs may send as a number: 240 is `"240"`. */
export const numericText = (max?: number, toText: (sent: number) => string = String) => {
  const of = text(max);
  return { ...of, input: z.preprocess((sent) => (typeof sent === 'number' ? toText(sent) : sent), of.input) };
};

/** A telephone number, which may be sent as a number. */
export const phone = () => numericText(50);

/** Restores leading zeros that a ZIP loses as a number: 2134 is `"02134"`, 501 `"00501"`. */
export const zipOfNumber = (sent: number): string =>
  sent >= 500 && sent <= 9999 ? String(sent).padStart(5, '0') : `${sent}`;

/** A postal code; a number is a ZIP of the United States. */
export const zip = () => numericText(20, zipOfNumber);

/** A count or a measure; `0` means "not given" if it is below `min`. */
export const int32 = memoized((min: number = -INT32, max: number = INT32 - 1) =>
  min > 0 ? numberOrZero(min, max) : field(z.int32(), wholeNumber(min, max)),
);

/** A number from `min` to `max`; `0` means "not given", which the document shows if the field is optional. */
const numberOrZero = (min: number, max: number) =>
  field(z.int32(), wholeNumber(min, max).meta({ allowsZero: true }), ['', 0]);

/** The id of a record; `0` means "not given". */
export const id = memoized(() => numberOrZero(1, INT32 - 1));

/** A calendar year; `0` means "not given". */
export const year = memoized(() => numberOrZero(1900, 9999));

/** A month, 1 to 12; `0` means "not given". */
export const month = memoized(() => numberOrZero(1, 12));

const FOUR_DECIMALS = coded('range', 'must have at most 4 decimals');
const hasFourDecimals = (value: number): boolean => Number(value.toFixed(4)) === value;

/** At most 4 decimals and 1e15: 19 digits, and a product of two fits the table's 38. */
export const decimal = memoized(() =>
  field(
    z.number(),
    z
      .number('must be a number')
      .min(-1e15, 'must be at least -1e15')
      .max(1e15, 'must be at most 1e15')
      .refine(hasFourDecimals, FOUR_DECIMALS),
  ),
);

/** The table holds 1e-130 to 9.9e125 only, and would round or reject other numbers. */
const storableNumber = () =>
  z
    .number('must be a finite number')
    .min(-1e15, 'must be at least -1e15')
    .max(1e15, 'must be at most 1e15')
    .refine((value) => value === 0 || Math.abs(value) >= 1e-15, coded('range', 'must be 0 or at least 1e-15 in size'));

/** A finite number between -1e15 and 1e15. */
export const double = memoized(() => field(z.number(), storableNumber()));

/** A quantity sold. More decimals would be rounded before pricing: 300 × 0.333333 is 100.00, 300 × 0.3333 99.99. */
export const quantity = memoized(() => field(z.number(), storableNumber().refine(hasFourDecimals, FOUR_DECIMALS)));

export const flag = memoized(() => field(z.boolean(), z.boolean('must be true or false')));

const dateText = (message: string) => z.string(message).max(64, message);

/** A time: ISO 8601 UTC with `Z` in responses; in requests any form of `lib/shared/time/read-moments.ts`. */
export const moment = memoized(() =>
  field(z.string().meta({ format: 'date-time' }), dateText('must be a date and time')),
);

/** A calendar date in a field of type datetime: the date as written, returned at 00:00Z. */
export const calendarDate = memoized(() =>
  described(
    field(z.string().meta({ format: 'date-time' }), dateText('must be a date')),
    'A calendar date without a zone, as written; returned at 00:00:00Z.',
  ),
);

/** A time as text: ISO 8601 with the offset of the organization's time zone, or in the key's date style. */
export const localTime = memoized(() => field(z.string(), dateText('must be a date and time')));

/** `YYYY-MM-DD` in responses; in requests any form of `lib/shared/time/read-moments.ts`. */
export const date = memoized(() => field(z.string(), dateText('must be a date')));

/** Maps a word in any case to one of `words`, and leaves other values unchanged. */
function toWord(words: readonly string[]): (value: unknown) => unknown {
  const byText = new Map(words.map((each) => [each.toLowerCase(), each]));
  return (value) => (typeof value === 'string' ? (byText.get(value.trim().toLowerCase()) ?? value) : value);
}

/** One of `words`, in requests in any case; the first is the default. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  const canonical = z.enum(words, `must be one of ${words.join(', ')}`);
  return field(z.enum(words), z.preprocess(toWord(words), canonical).meta({ anyCase: true }));
}

/** One of `words`; requests may send it in any case, or its index (0, 1, …). */
export function numbered<const Words extends readonly [string, ...string[]]>(words: Words) {
  const inAnyCase = toWord(words);
  const toCanonical = (value: unknown) => {
    const isIndex = typeof value === 'number' || (typeof value === 'string' && /^\s*\d{1,3}\s*$/.test(value));
    return isIndex ? (words[Number(value)] ?? value) : inAnyCase(value);
  };
  const canonical = z.enum(words, `must be one of ${words.join(', ')}`);
  return field(z.enum(words), z.preprocess(toCanonical, canonical).meta({ anyCase: true, allowsIndex: true }));
}

/** The index of one of `words`. The document lists the numbers with their words. */
export function code<const Words extends readonly [string, ...string[]]>(words: Words, meaning = '') {
  const numbers = words.map((_, index) => index);
  const listed = words.map((each, index) => `${index} ${each}`).join(', ');
  const meta = {
    enum: numbers,
    'x-enum-varnames': words.map((each) => each.replaceAll(/\W+/g, '')),
    description: meaning ? `${meaning}: ${listed}.` : `${listed}.`,
  };
  const { output, input } = int32(0, words.length - 1);
  return field(output.meta(meta), input.meta(meta));
}

const TOO_LONG = Symbol('a list that is too long');

/** Omits `minItems: 0` from the document. */
const atLeast = <Element extends z.ZodType>(min: number, array: z.ZodArray<Element>) =>
  min ? array.min(min, `must have at least ${min} element${min === 1 ? '' : 's'}`) : array;

/** A list of `min` to `max` elements. The elements of a longer list are not checked, because there may be thousands. */
export const boundedArray = <Element extends z.ZodType>(element: Element, max: number, min = 0) =>
  z.preprocess(
    (sent) => (Array.isArray(sent) && sent.length > max ? TOO_LONG : sent),
    atLeast(
      min,
      z
        .array(element, {
          error: ({ input }) => (input === TOO_LONG ? `must have at most ${max} elements` : 'must be an array'),
        })
        .max(max),
    ),
  );

/** A list of at most `max` values, 1,000 by default; requests must send at least `min`. */
export const list = <Output extends z.ZodType, Input extends z.ZodType>(
  of: Field<Output, Input>,
  max = 1000,
  min = 0,
) => field(z.array(of.output), boundedArray(of.input, max, min));

/** A value of a custom field: text, number, flag, or a list of texts. */
export const anyValue = () => {
  const message = 'must be text, a number, true or false, or a list of texts';
  const texts = boundedArray(storableText(), 1000);
  const output = z
    .unknown()
    .meta({ type: ['string', 'number', 'boolean', 'array', 'null'], items: { type: 'string' } });
  return field(output, z.union([storableText(), storableNumber(), z.boolean(), texts], message), []);
};

/** Names that every JavaScript object has: `constructor`, `toString`, `__proto__` … */
const isInherited = (name: string): boolean => name in Object.prototype;
const INHERITED = Symbol('an object with the name __proto__');

/** A text, number, flag or null by name; at most 100 names. */
export const dictionary = () => {
  const message = 'must be text, a number, true, false or null';
  const names = storableText(100)
    .min(1)
    .refine((name) => !isInherited(name));
  const values = z.union([storableText(), storableNumber(), z.boolean(), z.null()], message);
  const hasMax100 = (names: object) => Object.keys(names).length <= 100;
  const record = z.record(names, values, {
    error({ code, input }) {
      if (code === 'invalid_key')
        return 'must be another name: 1 to 100 characters, and none that every object of JavaScript has';
      return input === INHERITED ? 'must not have the name __proto__' : 'must be an object';
    },
  });
  // z.record omits the name __proto__.
  const input = z.preprocess(
    (sent) => (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, '__proto__') ? INHERITED : sent),
    record.refine(hasMax100, coded('too_long', 'must have at most 100 names')),
  );
  const output = z
    .record(z.string(), z.unknown())
    .meta({ additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } });
  return field(output, input);
};

type Outputs<Of extends Shape> = { [Name in keyof Of]: Of[Name]['output'] };
type Inputs<Of extends Shape> = {
  [Name in keyof Of]: Of[Name] extends Field<z.ZodType, infer Input, true>
    ? Input
    : z.ZodOptional<z.ZodNullable<Of[Name]['input']>>;
};

/**
 * A resource of the contract. Its schemas are built on first use: building 40 schemas on load costs 35 ms, on first use
 * 6.
 */
export interface Resource<Of extends Shape = Shape> {
  readonly title: string;
  readonly shape: () => Of;
  /** Responses always contain every field. */
  readonly output: () => z.ZodObject<Outputs<Of>, z.core.$strip>;
  /** Requests contain any of the fields, and no others. */
  readonly input: () => z.ZodObject<Inputs<Of>, z.core.$strict>;
  readonly emptyValues: () => Readonly<Record<string, unknown>>;
  /** Fields that requests cannot set: every operation ignores them, and the document says so. */
  readonly computed: readonly string[];
}

/** Requests and responses are read-only: they may share lists and objects with records and other responses. */
export type Unchanged<Value> = Value extends readonly (infer Entry)[]
  ? readonly Unchanged<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanged<Value[Name]> }
    : Value;

export type Output<Of extends Resource> = Unchanged<z.output<ReturnType<Of['output']>>>;
/** `undefined` means not given, `null` means clear. */
export type Input<Of extends Resource> = Unchanged<z.output<ReturnType<Of['input']>>>;
/** The object that a request may send for a set of fields. */
export type FieldsInput<Of extends Shape> = Unchanged<z.output<z.ZodObject<Inputs<Of>>>>;
export type FieldsOutput<Of extends Shape> = Unchanged<z.output<z.ZodObject<Outputs<Of>>>>;

/** The names of all fields except those in `used`. */
export const otherFields = <Of extends Shape>(shape: () => Of, ...used: (keyof Of & string)[]) =>
  Object.keys(shape()).filter((name) => !used.includes(name)) as (keyof Of & string)[];

export function outputs<Of extends Shape>(shape: Of): Outputs<Of> {
  return Object.fromEntries(Object.entries(shape).map(([name, { output }]) => [name, output])) as Outputs<Of>;
}

/** Blanks count as not given. */
function toInput({ input, blanks, required }: Field): z.ZodType {
  const value = required ? input : input.nullish();
  const schema = blanks.length ? z.preprocess((sent) => (blanks.includes(sent) ? undefined : sent), value) : value;
  return required ? schema : schema.optional();
}

export function inputs<Of extends Shape>(shape: Of): Inputs<Of> {
  return Object.fromEntries(Object.entries(shape).map(([name, of]) => [name, toInput(of)])) as Inputs<Of>;
}

/** Result fields that typed clients send back inside a resource. Their values are dropped, so that no key is stored. */
const dropped = () =>
  z
    .unknown()
    .transform(() => undefined)
    .optional();
const resultFields = () => ({ ApiKey: dropped(), ResultCode: dropped(), Message: dropped() });

export interface ResourceOptions<Of extends Shape> {
  /** The contract lists ApiKey, ResultCode and Message too; requests may contain them, but they are ignored. */
  readonly carriesResult?: boolean;
  readonly computed?: readonly (keyof Of & string)[];
}

export function resource<Of extends Shape>(
  title: string,
  shape: () => Of,
  { carriesResult = false, computed = [] }: ResourceOptions<Of> = {},
): Resource<Of> {
  const fields = once(shape);
  const accepted = () => ({ ...inputs(fields()), ...(carriesResult ? resultFields() : {}) });
  const input = once(() => z.strictObject(accepted(), 'must be an object').meta({ id: `${title}Input` }));
  return {
    title,
    shape: fields,
    computed,
    output: once(() => z.object(outputs(fields())).meta({ id: title })),
    // The type omits the dropped fields: operations never see them.
    input: input as unknown as Resource<Of>['input'],
    emptyValues: once(() =>
      Object.fromEntries(Object.entries(fields()).map(([name, { output }]) => [name, emptyValue(output)])),
    ),
  };
}

/** The fields of a resource except `names`. */
export function without<Of extends Shape, Name extends keyof Of & string>(
  of: Resource<Of>,
  ...names: readonly Name[]
): Omit<Of, Name> {
  const kept = Object.entries(of.shape()).filter(([name]) => !(names as readonly string[]).includes(name));
  return Object.fromEntries(kept) as Omit<Of, Name>;
}

/** A nested resource; responses may have `null`. */
export const nested = <Of extends Shape>(of: Resource<Of>) => field(z.lazy(of.output).nullable(), z.lazy(of.input));

/** A list of at most `max` resources, 1,000 by default. */
export const many = <Of extends Shape>(of: Resource<Of>, max = 1000) =>
  field(z.array(z.lazy(of.output)), boundedArray(z.lazy(of.input), max));

function emptyValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodUnknown) return null;
  if (schema instanceof z.ZodString) return '';
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  throw new TypeError(`A field of type ${schema.type} has no empty value.`);
}

/**
 * A resource with every field empty: `""`, `0`, `false`, `[]`, `{}`, `null` if marked N or nested, the first word of a
 * choice. `{ ...emptyOf(Contact), ...stored }` is a complete response.
 */
export function emptyOf<Of extends Resource>(of: Of): Output<Of> {
  const empty = { ...of.emptyValues() };
  for (const [name, value] of Object.entries(empty)) {
    // Every caller gets its own lists and objects.
    if (typeof value === 'object' && value !== null) empty[name] = Array.isArray(value) ? [] : {};
  }
  return empty as Output<Of>;
}

/** The new value of a field: an absent input keeps the previous value, `null` clears it. */
export const applyValue = <Value>(input: Value | null | undefined, previous: Value, blank: Value): Value =>
  input === undefined ? previous : (input ?? blank);

/** The new value of a text field, trimmed. */
export const applyText = (input: string | null | undefined, previous: string): string =>
  input === undefined ? previous : (input ?? '').trim();
