import * as z from 'zod';

/**
 * One field of a resource or an operation, in both directions: `output` is what a response must hold, `input` what a request may bring.
 * `blanks` are the values by which typed clients say "not given" (`""`, `0`) besides leaving the field out.
 */
export interface Field<Output extends z.ZodType = z.ZodType, Input extends z.ZodType = z.ZodType, Required extends boolean = boolean> {
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
export function required<Output extends z.ZodType, Input extends z.ZodType>(of: Field<Output, Input>): Field<Output, Input, true> {
  return { ...of, blanks: [...of.blanks, '', null], required: true };
}

/** The same field, marked N in the contract: `null` in a response when empty. */
export function nullable<Output extends z.ZodType, Input extends z.ZodType>(of: Field<Output, Input>): Field<z.ZodNullable<Output>, Input, false> {
  return { ...of, output: of.output.nullable(), required: false };
}

const INT32 = 2 ** 31;
const wholeNumber = () => z.int('must be a whole number').min(-INT32, 'must be at least -2147483648').max(INT32 - 1, 'must be at most 2147483647');

/** Unicode that can be stored and read back unchanged: no lone surrogate, no NUL. */
const storable = (value: string) => value.isWellFormed() && !value.includes('\0');

/** A string of at most `most` characters (10,000 unless said otherwise). */
export const text = (most = 10_000) =>
  field(
    z.string(),
    z.string('must be a string').max(most, `must be at most ${most} characters`).refine(storable, 'must be well-formed Unicode without NUL'),
    [],
  );

/** An int32 that counts or measures. */
export const int32 = (least = -INT32, most = INT32 - 1) =>
  field(z.int(), wholeNumber().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

/** An int32 that names a thing; `0` means "not given". */
export const id = () => field(z.int(), wholeNumber().min(1, 'must be a positive id'), ['', 0]);

/** At most 4 decimals, as the interface says of every `decimal`; 1e15 keeps the product of any two in exact arithmetic. */
export const decimal = () =>
  field(
    z.number(),
    z
      .number('must be a number')
      .min(-1e15, 'must be at least -1e15')
      .max(1e15, 'must be at most 1e15')
      .refine((value) => Number(value.toFixed(4)) === value, 'must have at most 4 decimals'),
  );

/** A finite number. */
export const double = () => field(z.number(), z.number('must be a finite number'));

/** `true` or `false`. */
export const flag = () => field(z.boolean(), z.boolean('must be true or false'));

/** A moment: ISO 8601 UTC with `Z` in a response; in a request any form that `lib/domain/moments.ts` reads. */
export const datetime = () => field(z.string(), z.string('must be a date and time').max(64, 'must be a date and time'));

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
  const value = z.union([z.string().max(10_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(1000)], 'must be text, a number, true or false, or a list of texts');
  return field(z.unknown(), value, []);
};

/** Name → text, number, flag or null; at most 100 names. */
export const dictionary = () => {
  const values = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);
  const most100 = (names: object) => Object.keys(names).length <= 100;
  return field(z.record(z.string(), z.unknown()), z.record(z.string().max(100), values, 'must be an object').refine(most100, 'must have at most 100 names'));
};
