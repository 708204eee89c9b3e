import * as z from 'zod';

/**
 * One field of a resource or an operation, in both directions: `output` is what a response must hold, `input` what a
 * request may bring.
 * `blanks` are the values by which typed clients say "not given" (`""`, `0`) besides leaving the field out.
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

/** Field name → field: the list of a resource, a request or a response. */
export type Shape = Record<string, Field>;

/** Makes a field of its two schemas; not required in a request. */
export function field<Output extends z.ZodType, Input extends z.ZodType>(
  output: Output,
  input: Input,
  blanks: readonly unknown[] = [''],
): Field<Output, Input, false> {
  return { output, input, blanks, required: false };
}

/** The same field, which a request must bring; an empty text does not count. */
export function required<Output extends z.ZodType, Input extends z.ZodType>(
  of: Field<Output, Input>,
): Field<Output, Input, true> {
  return { ...of, blanks: [...of.blanks, '', null], required: true };
}

/** The same field, marked N in the contract: `null` in a response when empty. */
export function nullable<Output extends z.ZodType, Input extends z.ZodType>(
  of: Field<Output, Input>,
): Field<z.ZodNullable<Output>, Input, false> {
  return { ...of, output: of.output.nullable(), required: false };
}

/**
 * Makes each kind of field once a set of bounds: a resource has 50 fields of 10 kinds, and every schema saved is some
 * 20 µs of a cold start.
 */
function kind<Bounds extends readonly (number | undefined)[], Of extends Field>(
  make: (...bounds: Bounds) => Of,
): (...bounds: Bounds) => Of {
  const made = new Map<string, Of>();
  return (...bounds) => {
    const key = bounds.join();
    const known = made.get(key) ?? make(...bounds);
    made.set(key, known);
    return known;
  };
}

/** The same field with a sentence for the API document: the meaning of a code, a unit. */
export function described<Of extends Field>(of: Of, sentence: string): Of {
  return { ...of, output: of.output.describe(sentence), input: of.input.describe(sentence) };
}

const INT32 = 2 ** 31;
const wholeNumber = (least: number, most: number) =>
  z.int('must be a whole number').min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);

/** Unicode that can be stored and read back unchanged: no lone surrogate, no NUL. */
const storable = (value: string) => value.isWellFormed() && !value.includes('\0');

const storableText = (most = 10_000) =>
  z
    .string('must be a string')
    .max(most, `must be at most ${most} characters`)
    .refine(storable, 'must be well-formed Unicode without NUL');

/** A string of at most `most` characters (10,000 unless said otherwise). */
export const text = kind((most?: number) => field(z.string(), storableText(most), []));

/** An int32 that counts or measures. */
export const int32 = kind((least: number = -INT32, most: number = INT32 - 1) =>
  field(z.int32(), wholeNumber(least, most)),
);

/** An int32 that names a thing; `0` means "not given". */
export const id = kind(() => field(z.int32(), wholeNumber(1, INT32 - 1), ['', 0]));

/** A calendar year; `0`, which typed clients send in what they leave out, means "not given". */
export const year = kind(() => field(z.int32(), wholeNumber(1900, 9999), ['', 0]));

/** A month, 1 to 12; `0` means "not given", as for a year. */
export const month = kind(() => field(z.int32(), wholeNumber(1, 12), ['', 0]));

/**
 * At most 4 decimals, as the interface says of every `decimal`; up to 1e15 are 19 digits, so that a product of two fits
 * the table's 38.
 */
export const decimal = kind(() =>
  field(
    z.number(),
    z
      .number('must be a number')
      .min(-1e15, 'must be at least -1e15')
      .max(1e15, 'must be at most 1e15')
      .refine((value) => Number(value.toFixed(4)) === value, 'must have at most 4 decimals'),
  ),
);

/**
 * The table holds 1e-130 to 9.9e125 only; a number beyond these bounds would be stored otherwise than it came, or not
 * at all.
 */
const storableNumber = () =>
  z
    .number('must be a finite number')
    .min(-1e15, 'must be at least -1e15')
    .max(1e15, 'must be at most 1e15')
    .refine((value) => value === 0 || Math.abs(value) >= 1e-15, 'must be 0 or at least 1e-15 in size');

/** A finite number between -1e15 and 1e15. */
export const double = kind(() => field(z.number(), storableNumber()));

/** `true` or `false`. */
export const flag = kind(() => field(z.boolean(), z.boolean('must be true or false')));

const dateText = (message: string) => z.string(message).max(64, message);

/** A moment: ISO 8601 UTC with `Z` in a response; in a request any form that `lib/domain/moments-in.ts` reads. */
export const datetime = kind(() =>
  field(z.string().meta({ format: 'date-time' }), dateText('must be a date and time')),
);

/**
 * A string-typed moment: ISO 8601 in the organization's time zone with its offset, or what the key's date style says.
 */
export const moment = kind(() => field(z.string(), dateText('must be a date and time')));

/** A string-typed date: `YYYY-MM-DD` in a response; in a request any form that `lib/domain/moments-in.ts` reads. */
export const date = kind(() => field(z.string(), dateText('must be a date')));

/** One of `words`, the first of which is what a new thing has. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  field(z.enum(words), z.enum(words, `must be one of ${words.join(', ')}`));

/** One word of `words`; a request may say its place (0, 1, …) instead. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  const byNumber = (value: unknown) => (typeof value === 'number' ? (words[value] ?? value) : value);
  return field(z.enum(words), z.preprocess(byNumber, z.enum(words, `must be one of ${words.join(', ')}`)));
}

/** A list of at most `most` fields of one kind (1,000 unless said otherwise). */
export const list = <Output extends z.ZodType, Input extends z.ZodType>(of: Field<Output, Input>, most = 1000) =>
  field(z.array(of.output), z.array(of.input, 'must be an array').max(most, `must have at most ${most} elements`));

/** A value of a custom field: text, number, flag, or a list of texts. */
export const anyValue = () => {
  const wrong = 'must be text, a number, true or false, or a list of texts';
  const texts = z.array(storableText()).max(1000);
  return field(z.unknown(), z.union([storableText(), storableNumber(), z.boolean(), texts], wrong), []);
};

/** Name → text, number, flag or null; at most 100 names. */
export const dictionary = () => {
  const wrong = 'must be text, a number, true, false or null';
  const names = storableText(100).min(1, 'must not be empty');
  const values = z.union([storableText(), storableNumber(), z.boolean(), z.null()], wrong);
  const most100 = (names: object) => Object.keys(names).length <= 100;
  const input = z.record(names, values, 'must be an object').refine(most100, 'must have at most 100 names');
  return field(z.record(z.string(), z.unknown()), input);
};
