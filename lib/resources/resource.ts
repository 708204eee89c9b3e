import * as z from 'zod';
import { type Field, type Shape, field } from './fields.ts';

type Outputs<Of extends Shape> = { [Name in keyof Of]: Of[Name]['output'] };
type Inputs<Of extends Shape> = {
  [Name in keyof Of]: Of[Name] extends Field<z.ZodType, infer Input, true>
    ? Input
    : z.ZodOptional<z.ZodNullable<Of[Name]['input']>>;
};

/**
 * A resource of the contract: its name, and its two schemas, each built on first use (40 schemas at load cost 35 ms, at
 * first use 6).
 */
export interface Resource<Of extends Shape = Shape> {
  readonly title: string;
  /** The field list itself, for resources and operations that share fields. */
  readonly shape: () => Of;
  /** What a response holds: every field, always. */
  readonly output: () => z.ZodObject<Outputs<Of>, z.core.$strip>;
  /** What a request may bring: any of the fields, no others. */
  readonly input: () => z.ZodObject<Inputs<Of>, z.core.$strict>;
}

/** The object a response holds of a resource. */
export type Output<Of extends Resource> = z.output<ReturnType<Of['output']>>;
/** The object a request may bring of a resource: `undefined` not given, `null` to clear. */
export type Input<Of extends Resource> = z.output<ReturnType<Of['input']>>;
/** The object a request may bring of a list of fields. */
export type FieldsInput<Of extends Shape> = z.output<z.ZodObject<Inputs<Of>>>;

/** What a request may bring of a shape. */
export type ShapeInput<Of extends Shape> = z.output<z.ZodObject<Inputs<Of>>>;

/** Runs `make` once, at the first call. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The fields of `shape` as a response holds them. */
export function outputs<Of extends Shape>(shape: Of): Outputs<Of> {
  return Object.fromEntries(Object.entries(shape).map(([name, { output }]) => [name, output])) as Outputs<Of>;
}

function asGiven({ input, blanks, required }: Field): z.ZodType {
  const givenValue = required ? input : input.nullish();
  const schema = blanks.length
    ? z.preprocess((value) => (blanks.includes(value) ? undefined : value), givenValue)
    : givenValue;
  return required ? schema : schema.optional();
}

/** The fields of `shape` as a request may bring them: `undefined` means not given, `null` means clear it. */
export function inputs<Of extends Shape>(shape: Of): Inputs<Of> {
  return Object.fromEntries(Object.entries(shape).map(([name, of]) => [name, asGiven(of)])) as Inputs<Of>;
}

/**
 * Fields that typed clients send inside a resource because its field list has them; what they hold goes no further, or
 * a key would be stored.
 */
const dropped = () =>
  z
    .unknown()
    .transform(() => undefined)
    .optional();
const carried = () => ({ ApiKey: dropped(), ResultCode: dropped(), Message: dropped() });

/**
 * Declares a resource. `carriesResult` says that its field list in the contract holds ApiKey, ResultCode and Message,
 * which are accepted in a request and ignored.
 */
export function resource<Of extends Shape>(
  title: string,
  shape: () => Of,
  { carriesResult = false } = {},
): Resource<Of> {
  const fields = once(shape);
  const taken = () => ({ ...inputs(fields()), ...(carriesResult ? carried() : {}) });
  const input = once(() => z.strictObject(taken(), 'must be an object').meta({ id: `${title}Input` }));
  return {
    title,
    shape: fields,
    output: once(() => z.object(outputs(fields())).meta({ id: title })),
    // What is carried is not for the type: to handlers these fields do not exist.
    input: input as unknown as Resource<Of>['input'],
  };
}

/** The fields of a resource but those named, for its reduced form. */
export function without<Of extends Shape, Name extends keyof Of & string>(
  of: Resource<Of>,
  ...names: readonly Name[]
): Omit<Of, Name> {
  const left = Object.entries(of.shape()).filter(([name]) => !(names as readonly string[]).includes(name));
  return Object.fromEntries(left) as Omit<Of, Name>;
}

/** A nested resource: `null` in a response when there is none. */
export const nested = <Of extends Shape>(of: Resource<Of>) => field(z.lazy(of.output).nullable(), z.lazy(of.input));

/** A list of a resource, at most `most` (1,000 unless said otherwise). */
export const many = <Of extends Shape>(of: Resource<Of>, most = 1000) =>
  field(
    z.array(z.lazy(of.output)),
    z.array(z.lazy(of.input), 'must be an array').max(most, `must have at most ${most} elements`),
  );

interface Template {
  readonly values: Record<string, unknown>;
  /** The fields whose empty value is an object, of which every caller gets its own. */
  readonly objects: readonly string[];
}

const templates = new WeakMap<object, Template>();

function emptyValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodUnknown) return null;
  if (schema instanceof z.ZodString) return '';
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  throw new TypeError(`no empty value for a field of type ${schema.type}`);
}

function templateOf(of: Pick<Resource, 'shape'>): Template {
  const known = templates.get(of);
  if (known) return known;
  const values = Object.fromEntries(Object.entries(of.shape()).map(([name, { output }]) => [name, emptyValue(output)]));
  const objects = Object.keys(values).filter((name) => typeof values[name] === 'object' && values[name] !== null);
  const made = { values, objects };
  templates.set(of, made);
  return made;
}

/**
 * The whole of a resource with nothing in it, so that `{ ...emptyOf(Contact), ...stored }` is a complete response
 * however little is stored:
 * `""`, `0`, `false`, `[]`, `{}`, `null` for what is marked N or nested, and the first word of a choice.
 */
export function emptyOf<Of extends Resource>(of: Of): Output<Of> {
  const { values, objects } = templateOf(of);
  const empty = { ...values };
  for (const name of objects) empty[name] = Array.isArray(values[name]) ? [] : {};
  return empty as Output<Of>;
}
