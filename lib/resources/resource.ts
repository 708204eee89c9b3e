import * as z from 'zod';
import { once } from '../shared/caches.ts';
import { type Field, type Shape, boundedArray, field } from './fields.ts';

type Outputs<Of extends Shape> = { [Name in keyof Of]: Of[Name]['output'] };
type Inputs<Of extends Shape> = {
  [Name in keyof Of]: Of[Name] extends Field<z.ZodType, infer Input, true>
    ? Input
    : z.ZodOptional<z.ZodNullable<Of[Name]['input']>>;
};

/** A resource of the contract. Its schemas are built on first use: 40 schemas at load cost 35 ms, on first use 6. */
export interface Resource<Of extends Shape = Shape> {
  readonly title: string;
  readonly shape: () => Of;
  /** Responses contain every field, always. */
  readonly output: () => z.ZodObject<Outputs<Of>, z.core.$strip>;
  /** Requests contain any of the fields, and no others. */
  readonly input: () => z.ZodObject<Inputs<Of>, z.core.$strict>;
  readonly emptyValues: () => Readonly<Record<string, unknown>>;
  /** The fields that no request sets: each operation ignores them. The document describes them so. */
  readonly computed: readonly string[];
}

/** Nobody changes a request or response: its lists and objects may be those of records and other responses. */
export type Unchanged<Value> = Value extends readonly (infer Entry)[]
  ? readonly Unchanged<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanged<Value[Name]> }
    : Value;

export type Output<Of extends Resource> = Unchanged<z.output<ReturnType<Of['output']>>>;
/** `undefined` means not given, `null` means clear. */
export type Input<Of extends Resource> = Unchanged<z.output<ReturnType<Of['input']>>>;
/** The object a request may bring of a list of fields. */
export type FieldsInput<Of extends Shape> = Unchanged<z.output<z.ZodObject<Inputs<Of>>>>;

/** The names of all fields but those that are used. */
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

/** Result fields that typed clients send back inside a resource. Their values are dropped, or a key would be stored. */
const dropped = () =>
  z
    .unknown()
    .transform(() => undefined)
    .optional();
const resultFields = () => ({ ApiKey: dropped(), ResultCode: dropped(), Message: dropped() });

interface ResourceOptions<Of extends Shape> {
  /** The contract lists ApiKey, ResultCode and Message too; a request may contain them, ignored. */
  readonly carriesResult?: boolean;
  readonly computed?: readonly (keyof Of & string)[];
}

// @__NO_SIDE_EFFECTS__
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
    // The type leaves the dropped fields out: operations never see them.
    input: input as unknown as Resource<Of>['input'],
    emptyValues: once(() =>
      Object.fromEntries(Object.entries(fields()).map(([name, { output }]) => [name, emptyValue(output)])),
    ),
  };
}

/** The fields of a resource except `names`. */
// @__NO_SIDE_EFFECTS__
export function without<Of extends Shape, Name extends keyof Of & string>(
  of: Resource<Of>,
  ...names: readonly Name[]
): Omit<Of, Name> {
  const kept = Object.entries(of.shape()).filter(([name]) => !(names as readonly string[]).includes(name));
  return Object.fromEntries(kept) as Omit<Of, Name>;
}

/** A nested resource, or `null` in a response. */
export const nested = <Of extends Shape>(of: Resource<Of>) => field(z.lazy(of.output).nullable(), z.lazy(of.input));

/** A list of at most `max` resources, by default 1,000; a request must send at least `min`. */
export const many = <Of extends Shape>(of: Resource<Of>, max = 1000, min = 0) =>
  field(z.array(z.lazy(of.output)), boundedArray(z.lazy(of.input), max, min));

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
    // Every caller gets lists and objects of its own.
    if (typeof value === 'object' && value !== null) empty[name] = Array.isArray(value) ? [] : {};
  }
  return empty as Output<Of>;
}
